/**
 * Owns this phone's subscription to notifications: whether there can be one, making it, and ending it. The browser has one
 * for the app, whoever is signed in; it ends when they sign out, and is made again when somebody signs in.
 */
import { isTold, pushSubscription, setTold } from "../../browser/notifications";
import { beginPush, endPush, pushKey } from "../../data/account/push";
import type { Answer } from "../../data/server/api";
import { platform } from "../install";
import { listenToTaps } from "./taps";

/** `home_screen`: an iPhone has them for what is on the home screen alone. `blocked`: the person has said no once. */
export type PushState = "unsupported" | "home_screen" | "blocked" | "off" | "on";

const isSupported = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** How it stands on this phone, as far as the browser knows. */
export async function pushState(): Promise<PushState> {
  if (!isSupported()) return platform() === "ios" ? "home_screen" : "unsupported";
  if (Notification.permission === "denied") return "blocked";
  const subscription = await pushSubscription();
  return Notification.permission === "granted" && subscription ? "on" : "off";
}

/** Asks for the permission, which takes a press, and subscribes. Gives what went wrong, in words. */
export async function turnOn(): Promise<string | undefined> {
  if ((await Notification.requestPermission()) !== "granted") return undefined;
  const answer = await subscribe();
  if (!answer.ok) return answer.error.text;
  setTold(true);
  listenToTaps();
  return undefined;
}

/** Has the server know this phone's subscription: after a sign-in, and once the browser or the server has new keys. */
export async function renew(): Promise<void> {
  if (!isSupported() || Notification.permission !== "granted") return;
  if (isTold() || (await pushSubscription())) await subscribe();
}

const NOT_READY = "Walkies is still coming onto this device. Please try again in a moment.";

async function subscribe(): ReturnType<typeof beginPush> {
  const key = await pushKey();
  if (!key.ok) return key;
  const { public_key } = key.value;
  try {
    const registration = await navigator.serviceWorker.getRegistration("/");
    if (!registration?.active) return failed(NOT_READY);
    const { pushManager } = registration;
    const known = await pushManager.getSubscription();
    const fits = known && keyOf(known) === public_key;
    if (known && !fits) await known.unsubscribe();
    const subscription = fits
      ? known
      : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key });
    return await beginPush(subscription.toJSON(), public_key);
  } catch {
    return failed("The push service of this browser cannot be reached.");
  }
}

const failed = (text: string): Answer<never> => ({ ok: false, error: { kind: "offline", text } });

/** The server's key that a subscription was made with, as the server writes it. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Ends it here, without a network too. */
export async function turnOff(): Promise<void> {
  setTold(false);
  const subscription = await pushSubscription();
  if (!subscription) return;
  const known = await beginPush(subscription.toJSON(), keyOf(subscription));
  if (known.ok) await endPush(known.value.id);
  await subscription.unsubscribe();
}

/** Shows one, to see how that looks; nothing goes over the network. */
export async function showTest(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration("/");
  await registration?.showNotification("Walkies", {
    body: "This is what notifications look like.",
    tag: "test",
    data: "/",
  });
}

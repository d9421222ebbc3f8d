/**
 * Owns what notifications need of an open app, loaded when it rests and only where they are allowed: the subscription is
 * renewed, and what a tap on one asks for is shown without loading the page anew.
 */
import { navigate } from "wouter/use-browser-location";
import type { HistoryStep } from "../../ui";
import { renew } from "./subscription";

/** From the service worker (sw/push.ts), which may be of another version. */
interface OpenMessage {
  type?: string;
  path?: string;
}

function open({ data }: MessageEvent<OpenMessage | null>): void {
  if (data?.type === "OPEN" && data.path) navigate(data.path, { state: { isOurs: true } satisfies HistoryStep });
}

/** After each sign-in, since the server forgets a phone when somebody signs out on it. */
export function keepNotifications(): void {
  // The same listener is added once.
  navigator.serviceWorker.addEventListener("message", open);
  // Without a network it is renewed at another start.
  void renew().catch(() => undefined);
}

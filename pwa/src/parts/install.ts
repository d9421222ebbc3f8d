/**
 * Owns whether Walkies can be installed from here: the browser's own offer, which comes once and early and is kept
 * until the person asks for it, and what kind of device this is where there is no offer.
 */

import { useSyncExternalStore } from "react";
import { Listeners } from "../browser/listeners";

/** The event's type, which TypeScript's own library does not have: Chromium alone knows it. */
interface InstallPrompt extends Event {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: "accepted" | "dismissed" }>;
}

export type Platform = "ios" | "android" | "desktop";

let offer: InstallPrompt | undefined;
let installed =
  matchMedia("(display-mode: standalone)").matches || ("standalone" in navigator && navigator.standalone === true);
const changes = new Listeners();

/** Also for the guided start, and for a tab of the browser after the app was installed from another. */
function noteInstalled(): void {
  installed = true;
  localStorage.setItem("walkies-installed", "yes");
}
if (installed) noteInstalled();

addEventListener("beforeinstallprompt", (event) => {
  // The browser's own banner would come in the middle of something.
  event.preventDefault();
  offer = event as InstallPrompt;
  changes.notify();
});
addEventListener("appinstalled", () => {
  offer = undefined;
  noteInstalled();
  changes.notify();
});

/** True if the app runs as an installed one, or was installed just now. */
export const useIsInstalled = (): boolean => useSyncExternalStore(changes.subscribe, () => installed);

/** True if the browser offers to install it. */
export const useHasOffer = (): boolean => useSyncExternalStore(changes.subscribe, () => offer !== undefined);

/** Takes the browser's offer; a no uses it up. */
export async function install(): Promise<void> {
  const asked = offer;
  offer = undefined;
  await asked?.prompt();
  changes.notify();
}

/** iPads call themselves Macs, but no Mac has a touch screen. */
export function platform(): Platform {
  const { userAgent, maxTouchPoints } = navigator;
  if (/iPad|iPhone|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return "ios";
  return /Android/.test(userAgent) ? "android" : "desktop";
}

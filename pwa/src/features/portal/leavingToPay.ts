/**
 * Owns whether the payer is on the way to Stripe's page: until the browser shows the app again, this tab does not ask what has
 * become of the payment.
 */
import { useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";

let isLeaving = false;
const changes = new Listeners();

function set(next: boolean): void {
  isLeaving = next;
  changes.notify();
}

/** Notes that the browser is about to open Stripe's page in place of the app. */
export function beginLeaving(): void {
  // A page that the browser has kept goes on where it was; one that is loaded anew begins with this unset.
  const end = () => {
    if (document.visibilityState !== "visible") return;
    removeEventListener("pageshow", end);
    document.removeEventListener("visibilitychange", end);
    set(false);
  };
  addEventListener("pageshow", end);
  document.addEventListener("visibilitychange", end);
  set(true);
}

export const useIsLeaving = (): boolean => useSyncExternalStore(changes.subscribe, () => isLeaving);

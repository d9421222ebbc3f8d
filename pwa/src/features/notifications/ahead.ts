/**
 * Owns what notifications need of an open app, loaded when it rests and only where they are allowed: the subscription is
 * renewed, and taps are followed.
 */
import { renew } from "../../parts/notifications/subscription";
import { listenToTaps } from "../../parts/notifications/taps";

/** After each sign-in, since a subscription ends when somebody signs out. */
export function keepNotifications(): void {
  listenToTaps();
  // Without a network it is renewed at another start.
  void renew().catch(() => undefined);
}

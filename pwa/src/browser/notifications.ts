/**
 * Owns what this browser has of notifications, whoever is signed in: its subscription, what it shows, the count on the
 * app's icon, and whether the person here wants to be told.
 */

const KEY = "walkies-told";

const registered = async (): Promise<ServiceWorkerRegistration | undefined> =>
  "serviceWorker" in navigator ? navigator.serviceWorker.getRegistration("/") : undefined;

/** The one subscription of this browser. */
export const pushSubscription = async (): Promise<PushSubscription | undefined> =>
  (await (await registered())?.pushManager?.getSubscription()) ?? undefined;

/** True if notifications are on for this device; the setting stays when somebody signs out and in again. */
export const isTold = (): boolean => localStorage.getItem(KEY) === "on";

export function setTold(told: boolean): void {
  if (told) localStorage.setItem(KEY, "on");
  else localStorage.removeItem(KEY);
}

/** The count on the app's icon, where the system shows one. */
export function setBadge(count: number): void {
  if (!("setAppBadge" in navigator)) return;
  // Refused where the app is not installed; then there is no icon to count on.
  void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
}

/**
 * Nobody is signed in: what was shown goes, and nothing more comes. Without a network too: what the server sends after that
 * is answered with 410, and it forgets the phone.
 */
export async function silence(): Promise<void> {
  setBadge(0);
  const registration = await registered();
  for (const it of (await registration?.getNotifications()) ?? []) it.close();
  await (await pushSubscription())?.unsubscribe();
}

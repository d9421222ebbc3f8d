/**
 * Owns what the phone shows when the server tells it something, and where a tap on that leads. Every message is shown, also
 * one that cannot be read: a browser takes the permission from whoever keeps one to themselves.
 */

declare const self: ServiceWorkerGlobalScope;

/** A declarative push message of the server, which Safari shows by itself (rules::push in the core). */
interface Message {
  notification?: { title?: string; body?: string; navigate?: string; tag?: string; lang?: string; silent?: boolean };
}

const ICON = "/icon-192.png";

function read(data: PushMessageData | null): Message {
  try {
    return (data?.json() as Message | null) ?? {};
  } catch {
    return {};
  }
}

async function show(data: PushMessageData | null): Promise<void> {
  const { title, body, navigate, tag, lang, silent } = read(data).notification ?? {};
  await self.registration.showNotification(title ?? "Walkies", {
    body: body ?? "There is something new.",
    icon: ICON,
    lang: lang ?? "en",
    data: pathOf(navigate),
    ...(tag && { tag }),
    ...(silent && { silent }),
  });
  // Until the app is opened, which counts.
  await (navigator as { setAppBadge?: () => Promise<void> }).setAppBadge?.().catch(() => undefined);
}

/** The place in the app; whatever leads elsewhere leads to its beginning. */
function pathOf(navigate: string | undefined): string {
  try {
    const url = new URL(navigate ?? "/", self.location.origin);
    return url.origin === self.location.origin ? url.pathname + url.search : "/";
  } catch {
    return "/";
  }
}

/** Returns true for the address of a shared report or invoice, each a page of its own. */
const isOwnPage = (path: string): boolean => /^\/(report|invoice)\//.test(path);

/** In the app where it is open, which loses nothing of what is being typed there; else it is started. */
async function open(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const inApp = windows.filter((it) => !isOwnPage(new URL(it.url).pathname));
  const page = inApp.find((it) => it.visibilityState === "visible") ?? inApp[0];
  // What is no screen of the app opens beside it.
  if (!page || isOwnPage(path)) {
    await self.clients.openWindow(path);
    return;
  }
  // Refused where the press is too long ago; then it goes there in the background.
  await page.focus().catch(() => undefined);
  // To a page of another version, too: parts/notifications/taps.ts.
  page.postMessage({ type: "OPEN", path });
}

/** Shows what comes from now on, and follows taps on it. */
export function showMessages(): void {
  self.addEventListener("push", (event) => event.waitUntil(show(event.data)));
  self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(open(typeof event.notification.data === "string" ? event.notification.data : "/"));
  });
}

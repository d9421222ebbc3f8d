/**
 * Owns what of the app itself is on the phone: shell, chunks and WASM, so that it starts with no network.
 * A file counts when its bytes are those that the build has listed: a hotel's network answers everything with its own
 * page, and with status 200. One file that is not is a version that was not installed, and the one before goes on.
 * Never stores an answer of the API: data is in IndexedDB, per user, and a cache would leak it to the next one.
 */
import { setCacheNameDetails } from "workbox-core";
import { addPlugins, cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { showMessages } from "./push";

/** A file of the app, as the build has listed it. */
interface Listed {
  url: string;
  revision: string | null;
  integrity: string;
}

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: Listed[] };

// | what                              | how                                                        |
// |-----------------------------------|------------------------------------------------------------|
// | app shell, chunks, CSS, WASM      | precached with this version, gone with the next             |
// | a navigation inside the app       | the precached shell, so deep links work offline             |
// | a shared report                   | the network; without one the shell, which has kept some     |
// | /api, other public pages, health  | always the network: not routed here at all                  |
//
// What earlier versions have fetched was not checked: this one begins with a cache of its own.
setCacheNameDetails({ precache: "checked-precache-v1" });
// The browser's cache may hold the hotel's page, too; the server is asked, and says 'unchanged' where it is not.
addPlugins([{ requestWillFetch: async ({ request }) => new Request(request, { cache: "no-cache" }) }]);
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
const shell = createHandlerBoundToURL("/index.html");
registerRoute(new NavigationRoute((it) => fetch(it.request).catch(() => shell(it)), { allowlist: [/^\/report\//] }));
registerRoute(
  // A browser that has thrown the shell away gets the server's, of whatever version that is by now.
  new NavigationRoute((it) => shell(it).catch(() => fetch(it.request)), {
    denylist: [/^\/api\//, /^\/(report|invoice|mail)\//, /^\/(healthz|readyz)$/],
  }),
);

// A new version waits until the person says so (app/update.ts); the very first one takes the open page at once.
self.addEventListener("message", (event) => {
  if ((event.data as { type?: string } | null)?.type === "SKIP_WAITING") void self.skipWaiting();
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

showMessages();

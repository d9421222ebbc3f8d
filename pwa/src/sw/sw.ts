/**
 * Owns what of the app itself is on the phone: shell, chunks and WASM, so that it starts with no network.
 * Never stores an answer of the API: data is in IndexedDB, per user, and a cache would leak it to the next one.
 */
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (string | { url: string; revision: string | null })[] };

// | what                              | how                                                        |
// |-----------------------------------|------------------------------------------------------------|
// | app shell, chunks, CSS, WASM      | precached with this version, gone with the next             |
// | a navigation inside the app       | the precached shell, so deep links work offline             |
// | /api, public pages, health        | always the network: not routed here at all                  |
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
registerRoute(
  new NavigationRoute(createHandlerBoundToURL("/index.html"), {
    denylist: [/^\/api\//, /^\/report\//, /^\/(healthz|readyz)$/],
  }),
);

// A new version waits until the person says so (app/update.ts); the very first one takes the open page at once.
self.addEventListener("message", (event) => {
  if ((event.data as { type?: string } | null)?.type === "SKIP_WAITING") void self.skipWaiting();
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

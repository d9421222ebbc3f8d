/**
 * Owns the search for routes and ways, as screens ask for it. Load it from screens that come later; nothing of it belongs
 * to the first load.
 */
import type { DirectionsService, Place, RouteRequest } from "../core/map";
import { call } from "../data/server/api";
import { sessionToken } from "../data/session/session";
import type { RoutesAnswer, WayAnswer, WayBack } from "./calls";
import { askDirections } from "./directions";
import { keeper, MapWorker } from "./mapWorker";

export type { GeneratedRoute, RouteRequest } from "../core/map";
export type { RoutesAnswer, WayAnswer } from "./calls";

/** A worker of its own, since a search is called off by ending its worker. */
let finder = new MapWorker();

/**
 * Up to three routes, the best first. Where the map of the place is missing and there is a network, it comes first.
 * Rejects where the search breaks down, and with the signal's reason where it is called off; the search ends at once.
 */
export async function findRoutes(
  request: RouteRequest,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (text: string) => void } = {},
): Promise<RoutesAnswer> {
  signal?.throwIfAborted();
  const searching = finder;
  const stop = () => {
    searching.end(signal?.reason);
    // The next search has its own worker at once, whatever this one still does.
    if (finder === searching) finder = new MapWorker();
  };
  const calledOff = new Promise<never>((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  const search = async (): Promise<RoutesAnswer> => {
    const missing = await keeper.ask("ensure", [request], { onProgress });
    if (missing) {
      const service = await call<DirectionsService>("/map/directions", { token: sessionToken() });
      if (service.ok && service.value.is_available) return askDirections(request, signal);
      return { status: "rejected", error: { kind: "no_map", text: missing.text } };
    }
    signal?.throwIfAborted();
    signal?.addEventListener("abort", stop, { once: true });
    return searching.ask("find", [request]);
  };
  try {
    return await Promise.race([search(), calledOff]);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** The way back of someone who left a route; on the tiles that are here. */
export const findWayBack = (way: WayBack): Promise<WayAnswer> => finder.ask("back", [way]);

/** The quickest way on foot from one place to another, on the tiles that are here; no server hears of it. */
export const findWay = (from: Place, to: Place): Promise<WayAnswer> => finder.ask("way", [from, to]);

/**
 * Owns the search for addresses on the map of this phone, as screens ask for it; nothing that is typed leaves the phone. Load
 * it from screens that come later; nothing of it belongs to the first load.
 */
import type { FoundAddress, Place } from "../core/map";
import { keeper } from "./mapWorker";

export type { FoundAddress } from "../core/map";

/**
 * Addresses that fit what was typed, the best first, and of those that fit alike the nearest to `near`; none where the map on
 * this phone has none. An empty text reads the map, so that the first answer comes at once.
 */
export const findAddresses = (typed: string, near: Place | null): Promise<FoundAddress[]> =>
  keeper.ask("findAddresses", [typed, near]).catch(() => []);

/** The address of a place, with the number of the nearest house or without; `null` where the map on this phone has none. */
export const addressAt = (place: Place, withNumber: boolean): Promise<FoundAddress | null> =>
  keeper.ask("addressAt", [place, withNumber]).catch(() => null);

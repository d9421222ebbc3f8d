/**
 * Owns the search for addresses, as screens ask for it: on the map of this phone, where nothing that is typed leaves the
 * phone, and by the geocoder of others that the server asks, where a person wants that. Load it from screens that come later;
 * nothing of it belongs to the first load.
 */
import type { FoundAddress, GeocoderAnswer, GeocoderService, Place } from "../core/map";
import { type Answer, call } from "../data/server/api";
import { sessionToken } from "../data/session/session";
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

let known: string | null | undefined;

/** Name of the geocoder that the server asks; `null` where it asks none, `undefined` while nobody could say. */
export async function geocoderName(): Promise<string | null | undefined> {
  if (known === undefined) {
    const answer = await call<GeocoderService>("/map/geocoder", { token: sessionToken() });
    if (answer.ok) known = answer.value.name;
  }
  return known;
}

/** Addresses that the geocoder has for what was typed, which leaves the phone. */
export const askGeocoder = (address: string): Promise<Answer<GeocoderAnswer>> =>
  call("/map/geocoder/search", { method: "POST", body: { address }, token: sessionToken() });

/**
 * Owns where a route may begin: where the phone is, at a client's door, or where the business is.
 * Positions asked for here stay on the phone.
 */
import type { ClientCard, DogSize, Place, Sitter } from "../../core";
import { dogSize, routeNumbers, walkTexts } from "../../core/walk";
import { mapMiddle } from "../../map/tiles";

/** Key of the start at the phone's own position. */
export const HERE = "here";

/** A start to choose: `HERE`, or the id of a client whose door is known. */
export interface Start {
  key: string;
  /** `Dana Reyes, 18 Alder Street`. */
  label: string;
  place: Place | undefined;
}

const E7 = 1e7;

/** Half a minute on foot is some 40 m: near enough for where a way begins. */
export const POSITION_MAX_AGE_MS = 30_000;

export const placeAt = (lat: number, lon: number): Place => ({
  lat_e7: Math.round(lat * E7),
  lon_e7: Math.round(lon * E7),
});

/** Lists the places where a route can begin, the phone's own place first. */
export function startsOf(clients: readonly ClientCard[]): Start[] {
  const doors = clients.flatMap(({ client: { id, name, address, lat, lng } }) =>
    lat == null || lng == null
      ? []
      : [{ key: id, label: address ? `${name}, ${address}` : name, place: placeAt(lat, lng) }],
  );
  return [{ key: HERE, label: "My location", place: undefined }, ...doors];
}

/** A start whose place is known. */
export type Door = Start & { place: Place };

/** Returns the place of the business, which a phone that does not know its own falls back to. */
export function homeOf(sitter: Sitter | undefined, starts: readonly Start[]): Door | undefined {
  const { service_area_lat: lat, service_area_lng: lng, service_area_address: address } = sitter ?? {};
  if (lat != null && lng != null) return { key: HERE, label: address || "Your service area", place: placeAt(lat, lng) };
  return starts.find((it): it is Door => it.place !== undefined);
}

/** How large these dogs are, as far as their weights are known. */
export const sizesOf = (card: ClientCard | undefined, dogs: readonly string[]): DogSize[] =>
  (card?.dogs ?? []).flatMap((pet) => (dogs.includes(pet.name) && pet.weight != null ? [dogSize(pet.weight)] : []));

/** A city to begin in where nothing else is known: that of the server's map, else the default one. */
export async function cityDoor(): Promise<Door> {
  const middle = await mapMiddle();
  if (middle) return { key: HERE, label: middle.name, place: placeAt(middle.lat, middle.lng) };
  const { name, place } = routeNumbers().default_city;
  return { key: HERE, label: name, place };
}

export type PositionAnswer =
  | { ok: true; place: Place }
  /** `isAllowed`: a position was asked for and did not come. */
  | { ok: false; text: string; isAllowed: boolean };

/** Asks the phone where it is, once. */
export function askPosition(): Promise<PositionAnswer> {
  const texts = walkTexts();
  if (!("geolocation" in navigator))
    return Promise.resolve({ ok: false, text: texts.location_unsupported, isAllowed: false });
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ ok: true, place: placeAt(coords.latitude, coords.longitude) }),
      (error) => {
        const isAllowed = error.code !== error.PERMISSION_DENIED;
        resolve({ ok: false, text: isAllowed ? texts.location_failed : texts.location_denied, isAllowed });
      },
      { enableHighAccuracy: true, maximumAge: POSITION_MAX_AGE_MS, timeout: texts.location_timeout_ms },
    );
  });
}

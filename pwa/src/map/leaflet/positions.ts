/** Owns the way between the core's positions, in ten-millionths of a degree, and Leaflet's. */
import type L from "leaflet";
import type { Place } from "../../core";

const E7 = 1e7;

export const at = (place: Place): [lat: number, lng: number] => [place.lat_e7 / E7, place.lon_e7 / E7];

export const placeOf = ({ lat, lng }: Pick<L.LatLng, "lat" | "lng">): Place => ({
  lat_e7: Math.round(lat * E7),
  lon_e7: Math.round(lng * E7),
});

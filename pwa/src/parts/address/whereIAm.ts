/** Owns the places of forms: asking the phone once where it is, which stays on it until the form is saved, and degrees. */
import { locationTexts, type Place } from "../../core";

export interface LatLng {
  lat: number;
  lng: number;
}

/** Asks the phone for its position; resolves with the reason, in words for the person, where that is not known. */
export function askWhereIAm(options: PositionOptions): Promise<LatLng | string> {
  const { location_denied, location_failed, location_unsupported, location_timeout_ms } = locationTexts();
  if (!("geolocation" in navigator)) return Promise.resolve(location_unsupported);
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lng: coords.longitude }),
      ({ code }) => resolve(code === GeolocationPositionError.PERMISSION_DENIED ? location_denied : location_failed),
      { ...options, timeout: location_timeout_ms },
    );
  });
}

const E7 = 1e7;

/** The place with these degrees. */
export const placeAt = ({ lat, lng }: LatLng): Place => ({
  lat_e7: Math.round(lat * E7),
  lon_e7: Math.round(lng * E7),
});

/** The degrees of a place. */
export const degreesOf = ({ lat_e7, lon_e7 }: Place): LatLng => ({ lat: lat_e7 / E7, lng: lon_e7 / E7 });

/** Owns how every map here is set up, whatever it shows. */
import type { MapOptions } from "leaflet";

/** A house and its door fill a phone's screen; closer there is nothing more to see. */
export const MAX_ZOOM = 20;

/** For `MapContainer`. */
export const MAP_OPTIONS = {
  maxZoom: MAX_ZOOM,
  // Leaflet writes its own controls as HTML text, which the content security policy does not allow.
  zoomControl: false,
  attributionControl: false,
  // Each sheet would be faded in by hand, frame by frame.
  fadeAnimation: false,
  className: "walk-map size-full",
} as const satisfies MapOptions & { className: string };

/** Owns how every map here is set up, whatever it shows. */
import type { MapOptions } from "leaflet";

/** A house and its door fill a phone's screen; closer there is nothing more to see. */
export const MAX_ZOOM = 20;

/** From further out no sheets are drawn. */
export const MIN_ZOOM = 12;

/** Between what is on the map and the edge of what can be seen of it. */
export const MARGIN_PX = 16;
/** The same around a whole track or route, so that no end of it touches the edge. */
export const FIT_MARGIN_PX = 32;

/** Options of every `MapContainer`. */
export const MAP_OPTIONS = {
  maxZoom: MAX_ZOOM,
  // Leaflet writes its own controls as HTML text, which the content security policy does not allow.
  zoomControl: false,
  attributionControl: false,
  // Each sheet would be faded in by hand, frame by frame.
  fadeAnimation: false,
  className: "walk-map size-full",
} as const satisfies MapOptions & { className: string };

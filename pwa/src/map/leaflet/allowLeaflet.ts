/** Owns that Leaflet may start where Trusted Types stop what is made of strings. */
import { trustedTypes } from "../../browser/trusted";

/**
 * Leaflet asks at its start whether the browser can make an `<svg/>` out of a string. This lets that one string through
 * and no other. Whoever loads Leaflet calls it before.
 */
export function allowLeaflet(): void {
  const types = trustedTypes();
  if (types && !types.defaultPolicy)
    types.createPolicy("default", { createHTML: (html: string) => (html === "<svg/>" ? html : null) });
}

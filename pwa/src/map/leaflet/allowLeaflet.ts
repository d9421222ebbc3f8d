/**
 * Leaflet asks at its start whether the browser can make an `<svg/>` out of a string; Trusted Types stop even that.
 * This lets that one string through and no other. Whoever loads Leaflet calls it before.
 */
export function allowLeaflet(): void {
  const { trustedTypes } = window as {
    trustedTypes?: {
      defaultPolicy: unknown;
      createPolicy(name: "default", rules: { createHTML: (html: string) => string | null }): unknown;
    };
  };
  if (trustedTypes && !trustedTypes.defaultPolicy)
    trustedTypes.createPolicy("default", { createHTML: (html) => (html === "<svg/>" ? html : null) });
}

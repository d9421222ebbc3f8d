/**
 * Owns the way to a client's door by another app: which one leads there, as chosen on this phone, and its address. Each
 * system opens its own by an address of its own; a desktop gets a page.
 */

/** Whom the phone asks for the way. */
export type NavigateWith = "phone" | "google" | "apple" | "osm";

/** A client's place, as far as it is known. */
export interface Destination {
  address?: string;
  lat?: number | null;
  lng?: number | null;
}

/** Local storage key. The choice is the phone's, as its theme is: it stays when its person leaves. */
const KEY = "walkies-navigate-with";
const OTHERS: readonly NavigateWith[] = ["google", "apple", "osm"];

/** The phone's own as long as nobody has chosen another. */
export const navigateWith = (): NavigateWith => OTHERS.find((it) => it === localStorage.getItem(KEY)) ?? "phone";

export function chooseNavigateWith(choice: NavigateWith): void {
  if (choice === "phone") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
}

const isApple = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/** Returns the link for the way to a client: to the door where it is set on the map, else to the address. */
export function navigateLink({ address, lat, lng }: Destination): string | undefined {
  const point = lat != null && lng != null ? `${lat},${lng}` : undefined;
  const to = encodeURIComponent(point ?? address ?? "");
  if (!to) return undefined;
  const choice = navigateWith();
  if (choice === "google") return `https://www.google.com/maps/dir/?api=1&destination=${to}`;
  if (choice === "apple") return `https://maps.apple.com/?daddr=${to}`;
  if (choice === "phone" && isApple()) return `maps://?daddr=${to}`;
  if (choice === "phone" && /Android/.test(navigator.userAgent)) return `geo:${point ?? "0,0"}?q=${to}`;
  return `https://www.openstreetmap.org/directions?to=${to}`;
}

/** True if a link opens a page; only pages open in a tab. */
export const isPage = (link: string): boolean => link.startsWith("https:");

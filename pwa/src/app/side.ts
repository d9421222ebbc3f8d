/**
 * Owns which of the two apps this tab is, the sitter's or the pet parents'. Each has a manifest, so that it is installed
 * under its own name and opens its own first screen; the service worker is the same one.
 */
import type { Role } from "../data";

export type Side = "sitter" | "parent";

const APPS = {
  sitter: { manifest: "/walkies.webmanifest", title: "Walkies" },
  parent: { manifest: "/parents.webmanifest", title: "Walkies Pets" },
} as const;

/** Stored for this tab alone: an installed app is a tab, too. */
const KEY = "walkies-side";

/** Returns the app that this address is of, for the person who is known here, if anybody is. */
export function sideAt(path: string, role: "sitter" | "client" | undefined): Side {
  if (role) return role === "client" ? "parent" : "sitter";
  if (/^\/client(\/|$)/.test(path)) return "parent";
  // Signing in again after a sign-out stays in the app in which that was.
  return path.startsWith("/auth/") && sessionStorage.getItem(KEY) === "parent" ? "parent" : "sitter";
}

/** Key of the role that a person with both has looked at last: in this tab, and on this device. */
const ROLE_KEY = "walkies-role";

/** Addresses that are of neither side. */
const OF_NEITHER = /^\/($|auth\/|report\/|sitters\/join$)/;

/**
 * Returns the role that this address shows to a person who has both: a tab with another one switches. An address of neither
 * side shows the role that was looked at last; `undefined` if that is not known.
 */
export function roleAt(path: string): Role | undefined {
  if (/^\/client(\/|$)/.test(path)) return "client";
  if (!OF_NEITHER.test(path)) return "sitter";
  const inTab = sessionStorage.getItem(ROLE_KEY) ?? (sessionStorage.getItem(KEY) === "parent" ? "client" : null);
  const role = inTab ?? localStorage.getItem(ROLE_KEY);
  return role === "client" || role === "sitter" ? role : undefined;
}

/** Notes the role that a person with both looks at. */
export function rememberRole(role: Role): void {
  sessionStorage.setItem(ROLE_KEY, role);
  localStorage.setItem(ROLE_KEY, role);
}

/** Names the app in the page's head, where the browser looks when it is to be installed. */
export function enterSide(side: Side): void {
  sessionStorage.setItem(KEY, side);
  const { manifest, title } = APPS[side];
  const link = document.querySelector('link[rel="manifest"]');
  if (link?.getAttribute("href") !== manifest) link?.setAttribute("href", manifest);
  document.querySelector('meta[name="apple-mobile-web-app-title"]')?.setAttribute("content", title);
}

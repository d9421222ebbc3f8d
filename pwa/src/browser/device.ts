/**
 * Owns what kind of thing Walkies runs on: a phone where the screen is a phone's (SPEC 9), upright or on its side, as CSS
 * has it by `max-md`; what the texts call it; and whether the app's files are kept on it.
 */
import { useSyncExternalStore } from "react";

/** Watches a media query, which is asked when it is first needed. */
function media(text: string) {
  let query: MediaQueryList | undefined;
  const asked = () => (query ??= matchMedia(text));
  const subscribe = (listener: () => void) => {
    asked().addEventListener("change", listener);
    return () => asked().removeEventListener("change", listener);
  };
  return { subscribe, matches: () => asked().matches };
}

const phone = media("(width < 48rem), (height < 30rem)");
const desktop = media("(width >= 80rem)");
const wide = media("(width >= 90rem)");

export const useIsPhone = (): boolean => useSyncExternalStore(phone.subscribe, phone.matches);

/** True where a narrow table has room for what its rows open to beside it. */
export const useIsDesktop = (): boolean => useSyncExternalStore(desktop.subscribe, desktop.matches);

/** True where a wide table has it, too. */
export const useHasRoomBeside = (): boolean => useSyncExternalStore(wide.subscribe, wide.matches);

/** The text as it is on a phone; elsewhere with `this device` in place of `this phone`. */
export const deviceText = (text: string): string =>
  phone.matches() ? text : text.replaceAll(/\b([Tt]his) phone\b/g, "$1 device");

/**
 * True if the service worker serves the app from this device. Before that, a screen that loads more than it shows keeps
 * its person waiting.
 */
export const isAppCached = (): boolean => "serviceWorker" in navigator && navigator.serviceWorker.controller !== null;

/**
 * Owns what kind of thing Walkies runs on: a phone where the screen is a phone's (SPEC 9), upright or on its side, as CSS
 * has it by `max-md`; what the texts call it; and whether the app's files are kept on it.
 */
import { useSyncExternalStore } from "react";

let query: MediaQueryList | undefined;

const phoneQuery = () => (query ??= matchMedia("(width < 48rem), (height < 30rem)"));

const subscribe = (listener: () => void) => {
  phoneQuery().addEventListener("change", listener);
  return () => phoneQuery().removeEventListener("change", listener);
};

const isPhone = () => phoneQuery().matches;

export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, isPhone);

/** True where a list has room for what it lists beside it, and not below its row. */
export const useHasRoomBeside = (): boolean => useSyncExternalStore(subscribeToRoom, () => roomQuery().matches);

let room: MediaQueryList | undefined;

const roomQuery = () => (room ??= matchMedia("(width >= 90rem)"));

const subscribeToRoom = (listener: () => void) => {
  roomQuery().addEventListener("change", listener);
  return () => roomQuery().removeEventListener("change", listener);
};

/** The text as it is on a phone; elsewhere with `this device` in place of `this phone`. */
export const deviceText = (text: string): string =>
  isPhone() ? text : text.replaceAll(/\b([Tt]his) phone\b/g, "$1 device");

/**
 * True if the service worker serves the app from this device. Before that, a screen that loads more than it shows keeps
 * its person waiting.
 */
export const isAppCached = (): boolean => "serviceWorker" in navigator && navigator.serviceWorker.controller !== null;

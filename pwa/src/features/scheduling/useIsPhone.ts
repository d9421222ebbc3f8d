/** Owns whether the screen is a phone's (SPEC 9: below 768 px), upright or on its side; CSS says the same by `md`. */
import { useSyncExternalStore } from "react";
import { numbers } from "./numbers";

/** What is lower has no room for a desktop's frame, however wide it is. */
const LOW_BELOW_PX = 480;

let query: MediaQueryList | undefined;
const phoneQuery = () =>
  (query ??= matchMedia(`(width < ${numbers().mobile_below_px}px), (height < ${LOW_BELOW_PX}px)`));

const subscribe = (listener: () => void) => {
  phoneQuery().addEventListener("change", listener);
  return () => phoneQuery().removeEventListener("change", listener);
};

export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => phoneQuery().matches);

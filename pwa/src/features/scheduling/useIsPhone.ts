/** Owns whether the screen is a phone's (SPEC 9: below 768 px). */
import { useSyncExternalStore } from "react";
import { numbers } from "./numbers";

let query: MediaQueryList | undefined;
const phoneQuery = () => (query ??= matchMedia(`(max-width: ${numbers().mobile_below_px - 0.02}px)`));

const subscribe = (listener: () => void) => {
  phoneQuery().addEventListener("change", listener);
  return () => phoneQuery().removeEventListener("change", listener);
};

export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => phoneQuery().matches);

/** Owns how much of the day the calendar by the hour shows at once, a choice that stays on this device. */
import { useSyncExternalStore } from "react";

export type Density = "comfortable" | "compact" | "whole_day";

/** SPEC 9 has 120 px an hour, which is what everybody begins with. */
export const DENSITIES: { value: Density; label: string }[] = [
  { value: "comfortable", label: "Comfortable" },
  { value: "compact", label: "Compact" },
  { value: "whole_day", label: "Whole day" },
];

const KEY = "walkies-calendar-density";
const listeners = new Set<() => void>();

const stored = (): Density => DENSITIES.find((it) => it.value === localStorage.getItem(KEY))?.value ?? "comfortable";

export function setDensity(density: Density): void {
  localStorage.setItem(KEY, density);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useDensity = (): Density => useSyncExternalStore(subscribe, stored);

/** The choice as the entries of a menu. */
export const densityItems = (density: Density) =>
  DENSITIES.map(({ value, label }) => ({ label, checked: value === density, onSelect: () => setDensity(value) }));

/** Owns how much of the day the calendar by the hour shows at once, a choice that stays on this device. */

import { useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";

export type Density = "comfortable" | "compact" | "whole_day";

/** SPEC 9 has 120 px an hour, which is what everybody begins with. */
export const DENSITIES: { value: Density; label: string }[] = [
  { value: "comfortable", label: "Comfortable" },
  { value: "compact", label: "Compact" },
  { value: "whole_day", label: "Whole day" },
];

const KEY = "walkies-calendar-density";
const changes = new Listeners();

const stored = (): Density => DENSITIES.find((it) => it.value === localStorage.getItem(KEY))?.value ?? "comfortable";

export function setDensity(density: Density): void {
  localStorage.setItem(KEY, density);
  changes.notify();
}

export const useDensity = (): Density => useSyncExternalStore(changes.subscribe, stored);

/** The choice as the entries of a menu. */
export const densityItems = (density: Density) =>
  DENSITIES.map(({ value, label }) => ({ label, checked: value === density, onSelect: () => setDensity(value) }));

/** Owns what a person wants of walks in general, remembered on this phone: pace, preferences, terrain. */
import type { Pace, Preferences } from "../../core";

export interface Wishes {
  pace: Pace;
  preferences: Preferences;
}

const KEY = "walkies-route-wishes";

const FIRST: Wishes = {
  pace: "normal",
  preferences: {
    avoidHighways: true,
    preferParks: true,
    includeWaterStops: false,
    shadedPaths: false,
    hilliness: "any",
  },
};

/** As they were last, or as most people have them. */
export function rememberedWishes(): Wishes {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Wishes>;
    return { ...FIRST, ...stored, preferences: { ...FIRST.preferences, ...stored.preferences } };
  } catch {
    return FIRST; // not ours, or cut off
  }
}

export function rememberWishes({ pace, preferences }: Wishes): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ pace, preferences }));
  } catch {
    // A full phone: the choice holds for this time.
  }
}

/** Owns what a person wants of walks in general, remembered on this phone: pace, preferences, terrain. */
import type { Pace, Preferences } from "../../core";

export interface RouteSettings {
  pace: Pace;
  preferences: Preferences;
}

const KEY = "walkies-route-wishes";

const DEFAULTS: RouteSettings = {
  pace: "normal",
  preferences: {
    avoidHighways: true,
    preferParks: true,
    includeWaterStops: false,
    shadedPaths: false,
    hilliness: "any",
    onWheels: false,
  },
};

/** As they were last, or as most people have them. */
export function loadRouteSettings(): RouteSettings {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<RouteSettings>;
    return { ...DEFAULTS, ...stored, preferences: { ...DEFAULTS.preferences, ...stored.preferences } };
  } catch {
    return DEFAULTS; // not ours, or cut off
  }
}

export function saveRouteSettings({ pace, preferences }: RouteSettings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ pace, preferences }));
  } catch {
    // A full phone: the choice holds for this time.
  }
}

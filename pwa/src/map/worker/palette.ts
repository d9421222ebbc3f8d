/**
 * Owns the colors of the drawn map, light and dark: calm grounds, so that the route, the own position and names stand
 * out in the sun. They are here and not among the tokens, since a worker draws the map and has no style sheet.
 */
import type { AreaKind, LineClass, MarkKind } from "../../core/map";

export type MapTheme = "light" | "dark";

export interface Stroke {
  color: string;
  /** Around it: the edge of a street, a light seam along a path. */
  casing?: string;
}

export interface Palette {
  areas: Record<AreaKind, string>;
  lines: Record<LineClass, Stroke>;
  tree: string;
  /** Colors of names; the first is for all that have none of their own. */
  text: { plain: string } & Partial<Record<MarkKind, string>>;
  /** The seam around letters, in the color of the ground, so that they are read on any. */
  halo: string;
  sign: { ground: string; edge: string; ink: string } & Partial<Record<MarkKind, string>>;
}

const LIGHT: Palette = {
  areas: {
    building: "oklch(0.905 0.012 70)",
    park: "oklch(0.905 0.052 140)",
    grass: "oklch(0.93 0.034 132)",
    wood: "oklch(0.865 0.062 147)",
    water: "oklch(0.845 0.05 235)",
    pitch: "oklch(0.89 0.05 158)",
    dog_park: "oklch(0.925 0.075 95)",
    sand: "oklch(0.94 0.038 92)",
    square: "oklch(0.985 0.006 85)",
    cemetery: "oklch(0.9 0.03 152)",
    farmland: "oklch(0.945 0.022 105)",
    parking: "oklch(0.93 0.006 265)",
    grounds: "oklch(0.937 0.014 60)",
  },
  lines: {
    stream: { color: "oklch(0.8 0.065 235)" },
    river: { color: "oklch(0.82 0.06 235)" },
    ferry: { color: "oklch(0.68 0.07 240)" },
    private: { color: "oklch(0.885 0.01 75)" },
    tunnel: { color: "oklch(0.8 0.012 75)" },
    tram: { color: "oklch(0.7 0.012 265)" },
    rail: { color: "oklch(0.62 0.012 265)" },
    house: { color: "oklch(0.845 0.016 70)" },
    driveway: { color: "oklch(1 0 0)", casing: "oklch(0.89 0.01 75)" },
    service: { color: "oklch(1 0 0)", casing: "oklch(0.87 0.01 75)" },
    pedestrian: { color: "oklch(0.985 0.012 60)", casing: "oklch(0.8 0.035 55)" },
    residential: { color: "oklch(1 0 0)", casing: "oklch(0.83 0.012 75)" },
    tertiary: { color: "oklch(1 0 0)", casing: "oklch(0.78 0.015 75)" },
    secondary: { color: "oklch(0.965 0.045 92)", casing: "oklch(0.77 0.05 85)" },
    primary: { color: "oklch(0.935 0.07 88)", casing: "oklch(0.74 0.07 80)" },
    motorway: { color: "oklch(0.87 0.075 65)", casing: "oklch(0.7 0.08 60)" },
    crossing: { color: "oklch(0.62 0.012 265)" },
    sidewalk: { color: "oklch(0.73 0.035 55)" },
    footway: { color: "oklch(0.6 0.075 50)", casing: "oklch(1 0 0 / 0.75)" },
    path: { color: "oklch(0.55 0.085 48)", casing: "oklch(1 0 0 / 0.65)" },
    track: { color: "oklch(0.55 0.06 75)", casing: "oklch(1 0 0 / 0.65)" },
    cycleway: { color: "oklch(0.62 0.05 305)", casing: "oklch(1 0 0 / 0.75)" },
    steps: { color: "oklch(0.52 0.11 35)", casing: "oklch(1 0 0 / 0.85)" },
  },
  tree: "oklch(0.72 0.1 148 / 0.6)",
  text: {
    plain: "oklch(0.34 0.02 265)",
    town: "oklch(0.26 0.03 265)",
    suburb: "oklch(0.4 0.025 265)",
    park: "oklch(0.39 0.08 148)",
    dog_park: "oklch(0.42 0.09 75)",
    water: "oklch(0.42 0.09 240)",
    way: "oklch(0.42 0.07 48)",
    peak: "oklch(0.4 0.05 48)",
  },
  halo: "oklch(0.985 0.007 85 / 0.92)",
  sign: {
    ground: "oklch(1 0 0)",
    edge: "oklch(0.8 0.012 75)",
    ink: "oklch(0.42 0.02 265)",
    drinking_water: "oklch(0.5 0.13 240)",
    dog_park: "oklch(0.5 0.1 75)",
    veterinary: "oklch(0.52 0.19 25)",
    peak: "oklch(0.5 0.06 48)",
    bench: "oklch(0.53 0.07 55)",
  },
};

const DARK: Palette = {
  areas: {
    building: "oklch(0.295 0.014 265)",
    park: "oklch(0.29 0.038 152)",
    grass: "oklch(0.27 0.024 150)",
    wood: "oklch(0.265 0.042 155)",
    water: "oklch(0.31 0.05 245)",
    pitch: "oklch(0.3 0.035 162)",
    dog_park: "oklch(0.33 0.045 90)",
    sand: "oklch(0.3 0.022 90)",
    square: "oklch(0.33 0.014 265)",
    cemetery: "oklch(0.275 0.024 158)",
    farmland: "oklch(0.25 0.015 110)",
    parking: "oklch(0.275 0.016 265)",
    grounds: "oklch(0.255 0.016 285)",
  },
  lines: {
    stream: { color: "oklch(0.4 0.06 245)" },
    river: { color: "oklch(0.36 0.055 245)" },
    ferry: { color: "oklch(0.5 0.06 245)" },
    private: { color: "oklch(0.3 0.012 265)" },
    tunnel: { color: "oklch(0.37 0.012 265)" },
    tram: { color: "oklch(0.46 0.014 265)" },
    rail: { color: "oklch(0.52 0.014 265)" },
    house: { color: "oklch(0.35 0.015 265)" },
    driveway: { color: "oklch(0.345 0.014 265)", casing: "oklch(0.24 0.014 265)" },
    service: { color: "oklch(0.365 0.014 265)", casing: "oklch(0.235 0.014 265)" },
    pedestrian: { color: "oklch(0.4 0.022 40)", casing: "oklch(0.235 0.014 265)" },
    residential: { color: "oklch(0.405 0.014 265)", casing: "oklch(0.225 0.014 265)" },
    tertiary: { color: "oklch(0.445 0.014 265)", casing: "oklch(0.22 0.014 265)" },
    secondary: { color: "oklch(0.47 0.035 85)", casing: "oklch(0.22 0.014 265)" },
    primary: { color: "oklch(0.5 0.05 82)", casing: "oklch(0.22 0.014 265)" },
    motorway: { color: "oklch(0.5 0.065 60)", casing: "oklch(0.22 0.014 265)" },
    crossing: { color: "oklch(0.68 0.012 265)" },
    sidewalk: { color: "oklch(0.5 0.03 55)" },
    footway: { color: "oklch(0.6 0.055 60)", casing: "oklch(0.2 0.015 265 / 0.6)" },
    path: { color: "oklch(0.64 0.06 60)", casing: "oklch(0.2 0.015 265 / 0.5)" },
    track: { color: "oklch(0.6 0.045 85)", casing: "oklch(0.2 0.015 265 / 0.5)" },
    cycleway: { color: "oklch(0.58 0.05 305)", casing: "oklch(0.2 0.015 265 / 0.6)" },
    steps: { color: "oklch(0.66 0.08 42)", casing: "oklch(0.2 0.015 265 / 0.7)" },
  },
  tree: "oklch(0.45 0.06 152 / 0.55)",
  text: {
    plain: "oklch(0.88 0.01 85)",
    town: "oklch(0.965 0.008 85)",
    suburb: "oklch(0.8 0.012 85)",
    park: "oklch(0.8 0.08 150)",
    dog_park: "oklch(0.86 0.1 85)",
    water: "oklch(0.78 0.075 240)",
    way: "oklch(0.82 0.06 60)",
    peak: "oklch(0.8 0.05 60)",
  },
  halo: "oklch(0.2 0.015 265 / 0.9)",
  sign: {
    ground: "oklch(0.235 0.018 265)",
    edge: "oklch(0.42 0.02 265)",
    ink: "oklch(0.82 0.012 265)",
    drinking_water: "oklch(0.78 0.1 240)",
    dog_park: "oklch(0.85 0.12 85)",
    veterinary: "oklch(0.75 0.14 25)",
    peak: "oklch(0.75 0.05 60)",
    bench: "oklch(0.74 0.06 58)",
  },
};

export const PALETTES: Record<MapTheme, Palette> = { light: LIGHT, dark: DARK };

/** The zoom of the widths. */
export const WIDTHS_ZOOM = 16;

/** How wide a line is at `WIDTHS_ZOOM` in px, and by which factor it grows with each zoom. */
export const WIDTHS: Record<LineClass, [px: number, growth: number]> = {
  stream: [1.6, 1.35],
  river: [5, 1.5],
  ferry: [1.2, 1.1],
  private: [1.6, 1.5],
  tunnel: [2, 1.4],
  tram: [1, 1.2],
  rail: [1.4, 1.25],
  house: [0.7, 1.15],
  driveway: [1.8, 1.55],
  service: [2.6, 1.55],
  pedestrian: [4.2, 1.6],
  residential: [5, 1.6],
  tertiary: [6.4, 1.55],
  secondary: [7.4, 1.5],
  primary: [8.4, 1.48],
  motorway: [8.6, 1.45],
  crossing: [2.6, 1.6],
  sidewalk: [1.1, 1.25],
  footway: [1.6, 1.22],
  path: [1.5, 1.22],
  track: [2, 1.25],
  cycleway: [1.6, 1.22],
  steps: [3.4, 1.3],
};

/** Dashes in multiples of the line's width. */
export const DASHES: Partial<Record<LineClass, number[]>> = {
  ferry: [6, 5],
  tunnel: [2, 1.4],
  crossing: [0.3, 0.34],
  path: [3, 1.7],
  track: [5, 1.8],
  steps: [0.36, 0.36],
};

/** SVG paths of the signs' pictures, on a square of 24. */
export const SIGNS: Partial<Record<MarkKind, string>> = {
  drinking_water: "M12 3.500c4 5 5.500 7 5.500 10a5.500 5.500 0 0 1-11 0c0-3 1.500-5 5.500-10z",
  dog_park:
    "M12 11.500c2.600 0 5 2.600 5 5 0 1.800-1.400 2.600-2.800 2.200-1.500-.4-2.900-.4-4.400 0C8.400 19.100 7 18.300 7 16.500c0-2.400 2.400-5 5-5z M4.500 11a1.800 2.300 0 1 0 3.600 0 1.800 2.300 0 1 0-3.600 0z M8.200 7a1.800 2.400 0 1 0 3.600 0 1.800 2.400 0 1 0-3.600 0z M12.600 7a1.800 2.400 0 1 0 3.600 0 1.800 2.400 0 1 0-3.600 0z M16 11a1.800 2.300 0 1 0 3.600 0 1.800 2.300 0 1 0-3.600 0z",
  veterinary: "M9.500 4.500h5v5h5v5h-5v5h-5v-5h-5v-5h5z",
  toilets:
    "M8 4a2 2 0 1 0 .01 0z M5.500 9.500h5l-.7 6h-.8V20H7v-4.500h-.8z M16 4a2 2 0 1 0 .01 0z M16 9l3 6.500h-1.600V20h-2.800v-4.500H13z",
  dog_bags: "M7 8h10l1 12H6z M9 8c0-5 6-5 6 0h-1.600c0-3-2.800-3-2.800 0z",
  bench: "M3 7h18v3H3z M3 12h18v3H3z M5 15h2.500v5H5z M16.500 15H19v5h-2.500z",
  bin: "M5 6h14v2.500H5z M6.500 10h11l-1 11h-9z M9.500 3h5v2h-5z",
  peak: "M12 4l9 16H3z",
};

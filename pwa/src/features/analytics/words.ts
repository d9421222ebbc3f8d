/** Owns how figures are written on this screen. */
import { formatDollars } from "../../core";

/** `12%`, `0.4%`; a dash where there is no number. */
export const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : `${Math.abs(value) < 10 ? value : Math.round(value)}%`;

/** Against the days before: `up 12%`, `down 3%`, `as before`, `nothing before`. */
export function growth(value: number | null | undefined): string {
  if (value === null || value === undefined) return "nothing before";
  if (value === 0) return "as before";
  return value > 0 ? `up ${percent(value)}` : `down ${percent(-value)}`;
}

const SHORT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/** For an axis: `$1.2K`. */
export const shortDollars = (dollars: number): string => `$${SHORT.format(dollars)}`;

export const shortCount = (count: number): string => SHORT.format(count);

/** `1 service`, `2 services`. */
export const services = (count: number): string => `${count} ${count === 1 ? "service" : "services"}`;

export const dollars = formatDollars;

/** `1 h 30 min`. */
export function hours(minutes: number): string {
  const [whole, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (whole === 0) return `${rest} min`;
  return rest === 0 ? `${whole} h` : `${whole} h ${rest} min`;
}

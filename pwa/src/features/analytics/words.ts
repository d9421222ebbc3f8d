/** Owns how figures are written on this screen. */
import { formatDollars, formatDuration } from "../../core";
import { percentText } from "../../core/analytics";

/** `12%`, `0.4%`; a dash where there is no number. */
export const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : percentText(value);

const SHORT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/** For an axis: `$1.2K`. */
export const shortDollars = (dollars: number): string => `$${SHORT.format(dollars)}`;

export const shortCount = (count: number): string => SHORT.format(count);

/** `1 service`, `2,000 services`. */
export const services = (count: number): string => `${counted(count)} ${count === 1 ? "service" : "services"}`;

/** A count with separators: `2,000`. */
export const counted = (count: number): string => count.toLocaleString("en-US");

export const dollars = formatDollars;

export const hours = formatDuration;

/** Owns how walks are put into words on their screens: times in the business's zone, names. */
import {
  type FirstPhone,
  formatDate,
  formatDateHeading,
  formatDistance,
  formatDuration,
  formatNames,
  formatTime,
  limits,
  type Units,
} from "../../core";
import { openBusiness } from "../../data/business/openBusiness";
import { clientNamesOf, type WalkRow } from "../../data/walks/walks";
import { timeOf } from "../dates";

const MINUTE_MS = 60_000;

/**
 * Returns a text by the business's clock; empty where the business has just been closed and the screen that asks is on
 * its way out.
 */
function inZone(words: (phone: FirstPhone) => string): string {
  const of = openBusiness();
  return of ? words(of.phone) : "";
}

/** `9:38 AM`, in the business's time zone. */
export const clock = (at: number): string => inZone((phone) => formatTime(timeOf(phone.minuteOfDay(at))));

/** `Friday, November 20`. */
export const day = (at: number): string => inZone((phone) => formatDateHeading(phone.today(at)));

/** `Nov 20, 2026`. */
export const date = (at: number): string => inZone((phone) => formatDate(phone.today(at)));

/** A duration in words: `32 min`. */
export const length = (ms: number): string => formatDuration(Math.round(ms / MINUTE_MS));

const METERS_PER_FOOT = 0.3048;
const ROUND_FEET = 100;

/** The distance around a home that is never shown, as one would say it: `about 500 ft`, `150 m`. */
export function aroundHome(units: Units): string {
  const meters = limits().report_home_m;
  if (units === "metric") return formatDistance(meters, units);
  const feet = Math.round(meters / METERS_PER_FOOT / ROUND_FEET) * ROUND_FEET;
  return `about ${formatDistance(feet * METERS_PER_FOOT, units)}`;
}

/** A dog that is along. */
export interface DogAlong {
  id: string;
  name: string;
}

/** `Rex, Pepper and Miso`. */
export const names = (dogs: readonly string[]): string => formatNames([...dogs]);

/** `Dana Reyes and Kim Ito`, or nothing for a walk of nobody's dogs. */
export const clientsOf = (row: WalkRow): string => names(clientNamesOf(row));

/** `Rex and Miso (Dana Reyes and Kim Ito)`: a walk by its name. */
export function who(row: WalkRow): string {
  const clients = clientsOf(row);
  return clients ? `${row.title} (${clients})` : row.title;
}

/**
 * Owns where the keyboard stands in the calendar by the hour. The whole grid is one stop of Tab; inside, arrows go down a
 * day from one stop to the next and sideways to the same time of another day. The stops of a day are its heading, each
 * visit, and each slot that no visit lies over.
 */
import type { CalendarDay, CalendarItem } from "../../core";
import { DAY_MINUTES } from "../../parts/dates";

export interface Stop {
  date: string;
  /** Minutes after midnight; the heading comes before them all. */
  minute: number;
  /** The id of the visit. */
  visit?: string;
}

/** The minute of a heading. */
export const BEFORE_ALL = -1;

export const isHeading = (stop: Stop): boolean => stop.minute === BEFORE_ALL;

const isSame = (a: Stop, b: Stop) => a.date === b.date && a.minute === b.minute && a.visit === b.visit;

/** A cancelled visit leaves its time to others. */
const liesOver = ({ view, top, height }: CalendarItem, minute: number) =>
  view.status !== "cancelled" && top <= minute && minute < top + height;

/** The stops of a day, from its heading to midnight. */
export function stopsOf({ date, items }: CalendarDay, slotMinutes: number): Stop[] {
  const slots = Array.from({ length: DAY_MINUTES / slotMinutes }, (_, index) => index * slotMinutes);
  const free = slots.filter((minute) => !items.some((it) => liesOver(it, minute)));
  const stops: Stop[] = [
    ...free.map((minute) => ({ date, minute })),
    // By start and lane, as they come.
    ...items.map(({ view, top }) => ({ date, minute: top, visit: view.id })),
  ];
  return [{ date, minute: BEFORE_ALL }, ...stops.toSorted((a, b) => a.minute - b.minute)];
}

/** The stop at a time: the visit that lies over it, else the slot that it is in. */
export function stopAt(day: CalendarDay, minute: number, slotMinutes: number): Stop {
  const { date } = day;
  if (minute === BEFORE_ALL) return { date, minute };
  const item = day.items.find((it) => liesOver(it, minute));
  if (item) return { date, minute: item.top, visit: item.view.id };
  const slot = Math.floor(minute / slotMinutes) * slotMinutes;
  // The slot may begin under a visit that ends in it.
  return stopsOf(day, slotMinutes).findLast((it) => !isHeading(it) && it.minute <= slot) ?? { date, minute: slot };
}

/** Returns the keyboard's stop after the one that it was at has moved, gone, or scrolled out with its day. */
export function settled(at: Stop, days: readonly CalendarDay[], selected: string, slotMinutes: number): Stop {
  const moved = days.find(({ items }) => items.some(({ view, continued }) => view.id === at.visit && !continued));
  const item = moved?.items.find(({ view }) => view.id === at.visit);
  const day = days.find((it) => it.date === at.date);
  if (day && stopsOf(day, slotMinutes).some((it) => isSame(it, at))) return at;
  if (at.visit && moved && item) return { date: moved.date, minute: item.top, visit: at.visit };
  const near = day ?? days.find((it) => it.date === selected) ?? days[0];
  return near ? stopAt(near, at.minute, slotMinutes) : at;
}

/** The stop one up or down, within the day. */
export function nextStop(at: Stop, day: CalendarDay, step: 1 | -1, slotMinutes: number): Stop {
  const stops = stopsOf(day, slotMinutes);
  return stops[stops.findIndex((it) => isSame(it, at)) + step] ?? at;
}

/** The visit after this place or before it, on whichever of the days. */
export function nextVisit(at: Stop, days: readonly CalendarDay[], step: 1 | -1, slotMinutes: number): Stop {
  const stops = days.flatMap((day) => stopsOf(day, slotMinutes));
  const place = stops.findIndex((it) => isSame(it, at));
  const rest = step > 0 ? stops.slice(place + 1) : stops.slice(0, place).toReversed();
  return rest.find((it) => it.visit) ?? at;
}

/** Owns places and lengths of time on the calendar by the hour while something is being moved, resized or drawn there. */
import type { CalendarItem } from "../../core";
import { limits } from "../../core";
import { DAY_MINUTES } from "../../parts/dates";

/** A time on the grid. */
export interface Span {
  date: string;
  /** Minutes after midnight. */
  start: number;
  minutes: number;
}

/** A visit that is being moved or resized, or a new one that is being drawn, by hand or by keys. */
export interface Drag {
  kind: "move" | "resize" | "draw";
  /** The visit; none where a new one is drawn. */
  item?: CalendarItem;
  to: Span;
}

const between = (least: number, value: number, most: number) => Math.min(most, Math.max(least, value));

/** True if a visit may be moved: it is still to be done, and this is the part of it that begins on the day. */
export const isMovable = ({ view, continued }: CalendarItem): boolean => view.status === "scheduled" && !continued;

/** A visit over midnight has its lower edge on another day. */
export const isResizable = (item: CalendarItem): boolean =>
  isMovable(item) && item.height === item.view.duration_minutes;

export const spanOf = ({ view, top }: CalendarItem): Span => ({
  date: view.date,
  start: top,
  minutes: view.duration_minutes,
});

/** In whole steps from where it was, so that a start of its own kind is kept. */
export function movedBy(from: Span, minutes: number, date: string): Span {
  const { calendar_step_minutes: step } = limits();
  const by = Math.round(minutes / step) * step;
  return { ...from, date, start: between(0, from.start + by, DAY_MINUTES - step) };
}

export function resizedBy(from: Span, minutes: number): Span {
  const { calendar_step_minutes: step, constraints } = limits();
  const by = Math.round(minutes / step) * step;
  const most = Math.min(constraints.maxDurationMinutes, DAY_MINUTES - from.start);
  return { ...from, minutes: between(Math.min(constraints.minDurationMinutes, from.minutes), from.minutes + by, most) };
}

/** From where the hand came down to where it is, upwards too. */
export function spanDrawn(date: string, from: number, to: number): Span {
  const { calendar_step_minutes: step, constraints } = limits();
  const { minDurationMinutes: least, maxDurationMinutes: most } = constraints;
  const [first, last] = from <= to ? [from, to] : [to, from];
  const start = between(0, Math.floor(first / step) * step, DAY_MINUTES - step);
  const end = between(start + least, Math.ceil(last / step) * step, DAY_MINUTES);
  if (end - start <= most) return { date, start, minutes: Math.max(least, end - start) };
  return from <= to ? { date, start, minutes: most } : { date, start: end - most, minutes: most };
}

export const isSameSpan = (a: Span, b: Span): boolean =>
  a.date === b.date && a.start === b.start && a.minutes === b.minutes;

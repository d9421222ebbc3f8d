/** Owns today's date and the words of the schedule's dates and times. */
import { useMinute } from "../browser/clock";
import { plusDays } from "../core";
import { useFirstReplica } from "../data";

export const WEEK_DAYS = 7;
export const HOUR_MINUTES = 60;
export const DAY_MINUTES = 1_440;

/** Today in the business's time zone. */
export function useToday(): string {
  const now = useMinute();
  return useFirstReplica((phone) => phone.today(now));
}

/** The last day of the week that begins with a day. */
export const weekAfter = (first: string): string => plusDays(first, WEEK_DAYS - 1);

/** `Fri`, from `Friday, November 20`. */
export const shortWeekday = (heading: string): string => heading.slice(0, 3);

/** `20`, from `2026-11-20`. */
export const dayNumber = (date: string): string => String(Number(date.slice(8)));

/** `2026`, from `2026-11-20`. */
export const yearOf = (date: string): string => date.slice(0, 4);

/** `09:30`, from minutes after midnight. */
export function timeOf(minute: number): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${two(Math.floor(minute / HOUR_MINUTES))}:${two(minute % HOUR_MINUTES)}`;
}

/** Minutes after midnight, from `09:30`. */
export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * HOUR_MINUTES + Number(time.slice(3, 5));

/** Owns the schedule's clock and the words of its dates; the core has no clock and asks for one. */
import { useEffect, useState } from "react";
import { useReplica } from "../../data";

const MINUTE_MS = 60_000;
/** Often enough that the minute on the screen is never far behind, also after the phone slept. */
const LOOK_EVERY_MS = 5_000;

const minuteNow = () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

/** The moment in milliseconds; the caller renders again when the minute changes. */
export function useNow(): number {
  const [now, setNow] = useState(minuteNow);
  useEffect(() => {
    const look = () => setNow(minuteNow());
    const timer = setInterval(look, LOOK_EVERY_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return now;
}

/** Today in the business's time zone. */
export function useToday(): string {
  const now = useNow();
  return useReplica((phone) => phone.today(now));
}

/** `Fri`, from `Friday, November 20`. */
export const shortWeekday = (heading: string): string => heading.slice(0, 3);

/** `20`, from `2026-11-20`. */
export const dayNumber = (date: string): string => String(Number(date.slice(8)));

/** `09:30`, from minutes after midnight. */
export function timeOf(minute: number): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

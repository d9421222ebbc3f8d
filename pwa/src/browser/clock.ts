/** Owns the clock of screens: the moment in milliseconds, and again when it is another one. The core has none and asks. */
import { useEffect, useState } from "react";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Often enough that the minute on the screen is never far behind, also after the phone slept. */
const MINUTE_SEEN_EVERY_MS = 5_000;

const minuteNow = () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

const DAY_MS = 24 * 60 * MINUTE_MS;
/** So far back a conversation knows by how much this device's clock was changed. */
const CLOCK_DAYS = 3 * 366;
/** No clock is changed twice within so many days. */
const CLOCK_STEP_DAYS = 14;

const minutesAhead = (at: number) => -new Date(at).getTimezoneOffset();

/** How far this device's clock is ahead of UTC: milliseconds since 1970 and minutes from then on, in turns, up to now. */
export function deviceClock(now: number): Float64Array {
  let at = now - CLOCK_DAYS * DAY_MS;
  const changes = [at, minutesAhead(at)];
  while (at < now) {
    const next = Math.min(now, at + CLOCK_STEP_DAYS * DAY_MS);
    const ahead = minutesAhead(next);
    if (ahead !== changes.at(-1)) {
      let [before, after] = [at, next];
      while (after - before > MINUTE_MS) {
        const middle = (before + after) / 2;
        if (minutesAhead(middle) === ahead) after = middle;
        else before = middle;
      }
      changes.push(Math.floor(after / MINUTE_MS) * MINUTE_MS, ahead);
    }
    at = next;
  }
  return Float64Array.from(changes);
}

/** Milliseconds since 1970, anew each second. */
export const useNow = (): number => useClock(Date.now, SECOND_MS);

/** The beginning of the minute that it is; the caller is drawn again when that is another one. */
export const useMinute = (): number => useClock(minuteNow, MINUTE_SEEN_EVERY_MS);

function useClock(read: () => number, everyMs: number): number {
  const [now, setNow] = useState(read);
  useEffect(() => {
    const look = () => setNow(read());
    const timer = setInterval(look, everyMs);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [read, everyMs]);
  return now;
}

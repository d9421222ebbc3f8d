/** Owns the clock of screens: the moment in milliseconds, and again when it is another one. The core has none and asks. */
import { useEffect, useState } from "react";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Often enough that the minute on the screen is never far behind, also after the phone slept. */
const MINUTE_SEEN_EVERY_MS = 5_000;

const minuteNow = () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

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

/** Owns computing what some days come to, of what is on this phone. */
import { startTransition, useEffect, useMemo, useState } from "react";
import { useMinute } from "../../browser/clock";
import { whenIdle } from "../../browser/idle";
import type { Analytics } from "../../core/analytics";
import { Figures } from "../../core/analytics";
import { business, useReplica } from "../../data";
import type { Range } from "./range";

export type { Analytics };

/** Between two pieces of reading ahead, where the browser does not say that it rests; in milliseconds. */
const BETWEEN_PIECES_MS = 50;

/** Marks on the browser's timeline that a year's figures are ready. */
const READ_AHEAD = "analytics-read-ahead";

/** After the last of several changes so much time goes by before all is counted anew, in milliseconds. */
const SETTLED_MS = 300;

/**
 * Reads what the longest choice of days counts while the phone rests, a piece at a time: while somebody looks at the first
 * figures, those of a year become ready.
 */
export function useReadAhead(): void {
  const phone = useReplica((it) => it);
  useEffect(() => {
    let stop: () => void;
    const goOn = (end?: string): void => {
      const next = phone.findAnalyticsAhead(end, Date.now());
      if (next === undefined) {
        performance.clearMarks(READ_AHEAD);
        performance.mark(READ_AHEAD);
      } else stop = whenIdle(() => goOn(next), BETWEEN_PIECES_MS);
    };
    stop = whenIdle(() => goOn());
    return () => stop();
  }, [phone]);
}

/** The figures of these days, anew when what they count has changed; nothing where that is too much. */
export function useFigures(range: Range): Analytics | undefined {
  const bytes = useRecords(range);
  return useMemo(() => bytes && withFigures(bytes, (it) => it.analytics()), [bytes]);
}

/**
 * Returns the records of these days, for the module that computes. They stay the same object until a change touches
 * them.
 */
function useRecords({ first, last }: Range): Uint8Array | undefined {
  const now = useMinute();
  const phone = useReplica((it) => it);
  // Another minute of the same day changes nothing.
  const today = phone.today(now);
  const version = useSettled(useReplica(() => business().version));
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const bytes = useMemo(() => phone.analyticsRecords(first, last, now), [phone, first, last, today, version]);
  const [kept, setKept] = useState(bytes);
  if (kept === bytes || areAlike(kept, bytes)) return kept;
  setKept(bytes);
  return bytes;
}

function areAlike(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a?.length === b?.length && a?.every((it, place) => it === b?.[place]) !== false;
}

/** A value once it has stood for a while. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setSettled(value)), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Computes something of records, and lets go of them. */
export function withFigures<T>(bytes: Uint8Array, make: (figures: Figures) => T): T {
  const figures = new Figures(bytes);
  try {
    return make(figures);
  } finally {
    figures.free();
  }
}

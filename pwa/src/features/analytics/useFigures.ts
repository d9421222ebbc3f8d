/** Owns computing what some days come to, of what is on this phone. */
import { startTransition, useEffect, useMemo, useState } from "react";
import { useMinute } from "../../browser/clock";
import type { Analytics } from "../../core/analytics";
import { Figures } from "../../core/analytics";
import { business, useReplica } from "../../data";
import type { Range } from "./range";

export type { Analytics };

/** After the last of several changes so much time goes by before all is counted anew, in milliseconds. */
const SETTLED_MS = 300;

/** The figures of these days, anew when what they count has changed; nothing where that is too much. */
export function useFigures(range: Range): Analytics | undefined {
  const bytes = useRecords(range);
  return useMemo(() => bytes && withFigures(bytes, (it) => it.analytics()), [bytes]);
}

/** What is counted of these days, for the module that computes. What a change did not touch stays the same object. */
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

/** Owns computing what some days come to, of what is on this phone. */
import { useMemo } from "react";
import { useMinute } from "../../browser/clock";
import type { Analytics } from "../../core/analytics";
import { Figures } from "../../core/analytics";
import { useRead, useReplica } from "../../data";
import type { Range } from "./range";

export type { Analytics };

/** The figures of these days, anew when something on this phone has changed. */
export function useFigures({ first, last }: Range): Analytics {
  const bytes = useRecords(first, last);
  return useMemo(() => withFigures(bytes, first, last, (it) => it.analytics()), [bytes, first, last]);
}

/** What is counted of these days, for the module that computes. */
export function useRecords(first: string, last: string): Uint8Array {
  const now = useMinute();
  const today = useReplica((phone) => phone.today(now));
  // Another minute of the same day changes nothing.
  return useRead((phone) => phone.analyticsRecords(first, last, now), first, last, today);
}

/** Computes something of records, and lets go of them. */
export function withFigures<T>(bytes: Uint8Array, first: string, last: string, make: (figures: Figures) => T): T {
  const figures = new Figures(bytes, first, last);
  try {
    return make(figures);
  } finally {
    figures.free();
  }
}

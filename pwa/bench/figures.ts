/** Owns how a figure is judged and said. */
import { expect, type TestInfo } from "@playwright/test";

export interface Figure {
  what: string;
  unit: string;
  atMost: number;
  measured: number;
  /** Further detail that is printed in parentheses behind the measured value. */
  note?: string;
}

/** Prints a figure beside its target; the measurement fails where it does not hold. */
export function figure(info: TestInfo, { what, unit, atMost, measured, note }: Figure): void {
  const rounded = Math.round(measured * 10) / 10;
  const holds = rounded <= atMost ? "holds" : "DOES NOT HOLD";
  const said = `${what}: at most ${Math.round(atMost * 10) / 10} ${unit}, measured ${rounded} ${unit}${note ? ` (${note})` : ""}: ${holds}`;
  info.annotations.push({ type: "figure", description: said });
  expect.soft(rounded, said).toBeLessThanOrEqual(atMost);
}

export interface Ratio {
  what: string;
  /** In multiples of the floor. */
  atMost: number;
  /** Milliseconds of the app, and of its floor, measured in turns. */
  app: readonly number[];
  floor: readonly number[];
  /** Description of the floor, as it stands in the note of the figure. */
  floorIs: string;
}

/** A time beside its floor, median by median: how fast the machine is says nothing about that. The times are for people. */
export function ratio(info: TestInfo, { what, atMost, app, floor, floorIs }: Ratio): void {
  figure(info, {
    what,
    unit: "times its floor",
    atMost,
    measured: median(app) / median(floor),
    note: `median ${Math.round(median(app))} ms, ${range(app)}; ${floorIs}: median ${Math.round(median(floor))} ms, ${range(floor)}`,
  });
}

export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("Nothing was measured.");
  return middle;
}

/** The lowest and the highest, rounded, for a note. */
export const range = (samples: readonly number[]): string =>
  `${Math.round(Math.min(...samples))} to ${Math.round(Math.max(...samples))} in ${samples.length} runs`;

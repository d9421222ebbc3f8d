/** Owns noticing that this phone's clock is wrong: times of visits and walks are taken from it. */

import { useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";
import { limits } from "../../core";

const MINUTE_MS = 60_000;

/** By how much the phone is ahead of the server; less than none is behind. */
let aheadMs = 0;
const changes = new Listeners();

/** Compares the `Date` of an answer with the phone's own clock; `asked` is what that said when the question left. */
export function compareClocks(date: string | null, asked: number): void {
  const server = Date.parse(date ?? "");
  if (Number.isNaN(server)) return;
  const now = Date.now();
  // Anywhere between question and answer is right.
  const next = server < asked ? asked - server : Math.min(0, now - server);
  const isNews = Math.abs(next - aheadMs) >= MINUTE_MS;
  aheadMs = next;
  if (isNews) changes.notify();
}

/** How wrong the clock is, in words, where it is too wrong to work with. */
export function useWrongClock(): string | undefined {
  const minutes = useSyncExternalStore(changes.subscribe, () => Math.round(aheadMs / MINUTE_MS));
  if (Math.abs(minutes) < limits().clock_wrong_minutes) return undefined;
  return `${inWords(Math.abs(minutes))} ${minutes > 0 ? "ahead" : "behind"}`;
}

const UNITS = [
  ["day", 1440],
  ["hour", 60],
  ["minute", 1],
] as const;

/** In the largest unit of which there are two. */
function inWords(minutes: number): string {
  const [unit, length] = UNITS.find(([, length]) => minutes >= 2 * length) ?? (["minute", 1] as const);
  return `${Math.round(minutes / length)} ${unit}s`;
}

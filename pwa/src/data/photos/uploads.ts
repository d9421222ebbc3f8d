/** Owns how far the photos are that are being sent right now, by this tab. */
import { useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";

const shares = new Map<string, number>();
const changes = new Listeners();

/** Whole percents: finer steps nobody sees, and each draws something again. */
const STEPS = 100;

/** So much of a photo has gone, 0 to 1; with nothing it is not being sent any more. */
export function setUploadShare(id: string, share: number | undefined): void {
  const next = share === undefined ? undefined : Math.floor(share * STEPS) / STEPS;
  if (shares.get(id) === next) return;
  if (next === undefined) shares.delete(id);
  else shares.set(id, next);
  changes.notify();
}

/** How much of a photo has gone, 0 to 1, while it is being sent. */
export const useUploadShare = (id: string | null): number | undefined =>
  useSyncExternalStore(changes.subscribe, () => (id === null ? undefined : shares.get(id)));

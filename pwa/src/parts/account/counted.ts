/** Owns how a number of things that are on this device alone is said. */
import { formatNames } from "../../core";

/** `1 draft`, `2 drafts`. */
export const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

/** `1 change, 2 drafts and 1 photo`: those of which there are any. */
export const countedAll = (counts: Readonly<Record<string, number>>): string =>
  formatNames(
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([one, count]) => counted(count, one)),
  );

/** Owns how a number of things that are on this device alone is said. */
import { formatNames } from "../../core";
import type { OnlyHereCounts } from "../../data/localData";

/** `1 draft`, `2 drafts`. */
export const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

/** `1 change, 2 drafts and 1 photo`: those of which there are any. */
export const countedAll = (counts: Readonly<Record<string, number>>): string =>
  formatNames(
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([one, count]) => counted(count, one)),
  );

/** Names all that is on this device and nowhere else, beside changes that wait: `2 walks and 1 draft`; empty for nothing. */
export const onlyHere = (counts: OnlyHereCounts | undefined): string =>
  counts
    ? countedAll({ walk: counts.walks, visit: counts.visits, "saved route": counts.routes, draft: counts.drafts })
    : "";

/** Owns counting what a list draws at once and what it adds later. */
import { onTestFinished } from "vitest";

/** Starts to count the elements that are added, one by one, to a parent that stands already; the count so far. */
export function countAdded(selector: string): () => number {
  let added = 0;
  const note = (records: MutationRecord[]) => {
    for (const { addedNodes } of records)
      for (const it of addedNodes) if (it instanceof Element && it.matches(selector)) added += 1;
  };
  const watch = new MutationObserver(note);
  watch.observe(document.body, { childList: true, subtree: true });
  onTestFinished(() => watch.disconnect());
  return () => {
    note(watch.takeRecords());
    return added;
  };
}

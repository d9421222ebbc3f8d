/** Owns drawing long lists: a screenful at once, the rest while the screen has nothing else to do. */
import { useDeferredValue } from "react";

interface GradualOptions {
  /** Names what is listed, such as the search: another list begins with its first screenful again. */
  of: string;
  /** Number of items that fill the screen. */
  first: number;
  /** Estimated height of an item with its gap, in pixels. */
  itemPx: number;
}

interface GradualList<T> {
  drawn: readonly T[];
  /** Height of what is still to be drawn, in pixels: an empty element of this height keeps the length of the list. */
  restPx: number;
}

/**
 * Returns the items to draw now: the first ones, and all of them in a render that gives way to whatever a person does.
 * In the end the whole list stands in the document, where the browser's search, keys and screen readers find it.
 */
export function useGradualList<T>(items: readonly T[], { of, first, itemPx }: GradualOptions): GradualList<T> {
  // An item that changes is no other list: what is drawn stays.
  const complete = useDeferredValue<string | null>(of, null);
  const drawn = complete === of ? items : items.slice(0, first);
  return { drawn, restPx: (items.length - drawn.length) * itemPx };
}

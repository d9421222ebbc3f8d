/**
 * Owns where a list stands that is read from its end: at the end it stays there, whatever comes; elsewhere what is being
 * read stays where it is, also when older ones come above it. Browsers keep a place by themselves in most cases; Safari
 * does in none, and at the very top nobody does.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** So near to the end is at the end. */
const NEAR_PX = 48;

/** Distance below the top, in pixels, of the item that is read first, so that its day is in sight. */
const START_PX = 96;

interface KeptPlace {
  /** The element that scrolls. */
  box: RefObject<HTMLDivElement | null>;
  /** The element inside it; its parts that are read have their ids in `data-item`. */
  content: RefObject<HTMLDivElement | null>;
  isAtEnd: boolean;
  toEnd: () => void;
  /** Takes note of where it stands, before more is asked for: the browser tells of a scroll later than that. */
  note: () => void;
}

interface Anchor {
  item: string;
  /** Its distance from the top of what is seen. */
  top: number;
}

/**
 * `items` is another value whenever other things are listed. It begins at the end, or where `start` is with what follows
 * does not fit: what was not read is read from its beginning.
 */
export function useKeptPlace(items: unknown, start: string | null): KeptPlace {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor>(undefined);
  const [isAtEnd, setAtEnd] = useState(start === null);
  const atEnd = useRef(true);
  const first = useRef(start);

  const toEnd = useCallback(() => {
    const it = box.current;
    if (it) it.scrollTop = it.scrollHeight;
  }, []);
  /** Records the list's current position. */
  const note = useCallback(() => {
    const it = box.current;
    if (!it) return;
    atEnd.current = it.scrollHeight - it.scrollTop - it.clientHeight < NEAR_PX;
    setAtEnd(atEnd.current);
    anchor.current = atEnd.current ? undefined : anchorOf(it);
  }, []);

  useLayoutEffect(() => {
    const it = box.current;
    if (!it) return;
    if (atEnd.current) toEnd();
    else if (anchor.current)
      it.scrollTop += (topOf(it, anchor.current.item) ?? anchor.current.top) - anchor.current.top;
    if (first.current === null) return;
    // Only up: what follows it may fit below.
    it.scrollTop += Math.min(0, (topOf(it, first.current) ?? 0) - START_PX);
    first.current = null;
    note();
  }, [items, toEnd, note]);

  useEffect(() => {
    const it = box.current;
    if (!it) return undefined;
    // The keyboard comes, the window turns, the letters grow.
    const watch = new ResizeObserver(() => atEnd.current && toEnd());
    watch.observe(it);
    if (content.current) watch.observe(content.current);
    it.addEventListener("scroll", note, { passive: true });
    return () => {
      watch.disconnect();
      it.removeEventListener("scroll", note);
    };
  }, [toEnd, note]);

  return { box, content, isAtEnd, toEnd, note };
}

const topIn = (box: Element, item: Element): number =>
  item.getBoundingClientRect().top - box.getBoundingClientRect().top;

/** The same of the item with this id, unless it has gone. */
function topOf(box: Element, id: string): number | undefined {
  const item = box.querySelector(`[data-item="${CSS.escape(id)}"]`);
  return item ? topIn(box, item) : undefined;
}

/** The first item that is in sight. */
function anchorOf(box: Element): Anchor | undefined {
  for (const it of box.querySelectorAll<HTMLElement>("[data-item]")) {
    const top = topIn(box, it);
    if (top + it.offsetHeight > 0) return { item: it.dataset.item ?? "", top };
  }
  return undefined;
}

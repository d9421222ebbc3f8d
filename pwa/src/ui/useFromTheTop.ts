/** Owns starting what has given way to something else from its top. */
import { type RefObject, useEffect, useRef } from "react";

/** A box that is shown from its top, with the focus in it, whenever what it shows has given way to something else. */
export function useFromTheTop(shown: unknown): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    box.current?.scrollTo(0, 0);
    box.current?.scrollIntoView();
    box.current?.focus({ preventScroll: true });
  }, [shown]);
  return box;
}

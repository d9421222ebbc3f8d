/** Owns how wide something is that draws itself, and how large letters are there. */
import { type RefObject, useLayoutEffect, useState } from "react";

interface Room {
  /** Width in pixels; 0 before it is known. */
  width: number;
  /** Pixels of a rem. */
  rem: number;
}

export function useRoom(box: RefObject<HTMLElement | null>): Room {
  const [room, setRoom] = useState<Room>({ width: 0, rem: 16 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setRoom({ width: element.clientWidth, rem });
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [box]);
  return room;
}

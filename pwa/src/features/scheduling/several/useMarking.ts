/** Owns how a visit is marked: by a long press of a finger, by a click with Shift or Ctrl, and by the key X. */
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef } from "react";
import { useSelection } from "./selection";

/** So long a finger rests on a visit. */
const LONG_MS = 500;
/** A finger that moves further scrolls. */
const STILL_PX = 10;

interface Press {
  x: number;
  y: number;
  timer: number;
}

/** Handlers for the button of a visit that is opened by `onOpen`, and whether it is marked. */
export function useMarking(id: string, onOpen: (id: string) => void) {
  const { isOn, marked, toggle, begin } = useSelection();
  const press = useRef<Press>(undefined);
  const wasLong = useRef(false);
  const end = () => {
    if (press.current) clearTimeout(press.current.timer);
    press.current = undefined;
  };
  useEffect(() => end, []);
  const isMarked = marked.has(id);
  return {
    isOn,
    isMarked,
    handlers: {
      ...(isOn && { "aria-pressed": isMarked }),
      onPointerDown: ({ pointerType, clientX: x, clientY: y }: PointerEvent) => {
        wasLong.current = false;
        end();
        if (pointerType !== "touch" || isOn) return;
        const timer = window.setTimeout(() => {
          wasLong.current = true;
          begin(id);
        }, LONG_MS);
        press.current = { x, y, timer };
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        const { current: at } = press;
        if (at && Math.hypot(clientX - at.x, clientY - at.y) > STILL_PX) end();
      },
      onPointerUp: end,
      onPointerCancel: end,
      onContextMenu: (event: MouseEvent) => {
        // The phone's own menu would cover what a long press has marked.
        if (press.current || wasLong.current) event.preventDefault();
      },
      onClick: ({ shiftKey, ctrlKey, metaKey }: MouseEvent) => {
        if (wasLong.current) wasLong.current = false;
        else if (isOn || shiftKey || ctrlKey || metaKey) toggle(id);
        else onOpen(id);
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== "x" || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        toggle(id);
      },
    },
  };
}

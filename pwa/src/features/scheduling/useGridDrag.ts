/**
 * Owns what of the calendar by the hour is held and where it is meanwhile: by a mouse or a pen, which also draws new
 * visits, or by keys. A finger scrolls, and holds nothing. What is let go stays in sight there until it is saved.
 */
import {
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import type { CalendarDay, CalendarItem } from "../../core";
import {
  type Drag,
  isMovable,
  isResizable,
  isSameSpan,
  movedBy,
  resizedBy,
  type Span,
  spanDrawn,
  spanOf,
} from "./gridSpan";

/** Less is a press that trembles. */
const PULL_PX = 5;
/** So near to the edge the day scrolls on under the hand, by so much a frame. */
const EDGE_PX = 32;
const SCROLL_PX = 10;

/** Where the pointer came down. */
interface DragStart {
  pointerId: number;
  x: number;
  y: number;
  kind: Drag["kind"];
  item: CalendarItem | undefined;
  date: string;
  minute: number;
}

interface GridDragProps {
  scroller: RefObject<HTMLDivElement | null>;
  head: RefObject<HTMLDivElement | null>;
  days: readonly CalendarDay[];
  /** Pixels a minute. */
  px: number;
  onDrop: (dropped: Drag) => Promise<void> | void;
}

export function useGridDrag({ scroller, head, days, px, onDrop }: GridDragProps) {
  const [drag, setDrag] = useState<Drag>();
  const latest = useRef<Drag>(undefined);
  const start = useRef<DragStart>(undefined);
  const pulled = useRef(false);
  const hand = useRef({ x: 0, y: 0 });

  const dragTo = useCallback((next: Drag | undefined) => {
    const last = latest.current;
    if (last && next && last.kind === next.kind && isSameSpan(last.to, next.to)) return;
    latest.current = next;
    setDrag(next);
  }, []);
  const cancel = useCallback(() => {
    start.current = undefined;
    dragTo(undefined);
  }, [dragTo]);
  const end = async () => {
    start.current = undefined;
    const dropped = latest.current;
    // Saved once, whichever of the key and the focus goes first.
    latest.current = undefined;
    if (!dropped) return;
    if (!dropped.item || !isSameSpan(dropped.to, spanOf(dropped.item))) await onDrop(dropped);
    if (!latest.current) setDrag(undefined);
  };

  const isDragging = drag !== undefined;
  useEffect(() => {
    if (!isDragging) return undefined;
    const escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !latest.current) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      cancel();
    };
    addEventListener("keydown", escape, true);
    return () => removeEventListener("keydown", escape, true);
  }, [isDragging, cancel]);

  /** What the hand means by where it is. */
  const follow = () => {
    const { current: started } = start;
    if (!started) return;
    const { kind, item, date, minute } = started;
    const columns = [...(scroller.current?.querySelectorAll<HTMLElement>("[data-column]") ?? [])];
    const own = columns.find((it) => it.dataset.column === date);
    const under = columns.findLast((it) => it.getBoundingClientRect().left <= hand.current.x) ?? columns[0];
    const column = kind === "move" ? under : own;
    if (!column) return;
    const now = (hand.current.y - column.getBoundingClientRect().top) / px;
    const span = (): Span => {
      if (!item) return spanDrawn(date, minute, now);
      const by = now - minute;
      return kind === "resize" ? resizedBy(spanOf(item), by) : movedBy(spanOf(item), by, column.dataset.column ?? date);
    };
    dragTo({ kind, ...(item && { item }), to: span() });
  };
  const scrollOn = useEffectEvent(() => {
    const box = scroller.current;
    if (!box || !start.current) return;
    const { top, bottom } = box.getBoundingClientRect();
    const { y } = hand.current;
    const by = y < top + (head.current?.offsetHeight ?? 0) + EDGE_PX ? -1 : y > bottom - EDGE_PX ? 1 : 0;
    if (by === 0) return;
    box.scrollBy({ top: by * SCROLL_PX, behavior: "instant" });
    follow();
  });
  useEffect(() => {
    if (!isDragging || !start.current) return undefined;
    let frame = requestAnimationFrame(function next() {
      scrollOn();
      frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [isDragging]);

  const onPointerDown = (event: PointerEvent) => {
    start.current = undefined;
    pulled.current = false;
    if (event.button !== 0 || event.pointerType === "touch" || !(event.target instanceof Element)) return;
    const column = event.target.closest<HTMLElement>("[data-column]");
    const date = column?.dataset.column;
    if (!column || !date) return;
    const id = event.target.closest<HTMLElement>("[data-visit]")?.dataset.visit;
    const item = days.find((it) => it.date === date)?.items.find(({ view }) => view.id === id);
    if (id && !(item && isMovable(item))) return;
    const isEdge = item && isResizable(item) && event.target.closest("[data-edge]") !== null;
    start.current = {
      pointerId: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      kind: item ? (isEdge ? "resize" : "move") : "draw",
      item,
      date,
      minute: (event.clientY - column.getBoundingClientRect().top) / px,
    };
  };
  const onPointerMove = (event: PointerEvent) => {
    const { current: started } = start;
    if (!started || event.pointerId !== started.pointerId) return;
    if (!pulled.current) {
      if (Math.hypot(event.clientX - started.x, event.clientY - started.y) < PULL_PX) return;
      pulled.current = true;
      event.currentTarget.setPointerCapture(event.pointerId);
    }
    hand.current = { x: event.clientX, y: event.clientY };
    follow();
  };
  const onPointerUp = ({ pointerId }: PointerEvent) => {
    if (start.current?.pointerId !== pointerId) return;
    if (pulled.current) void end();
    else start.current = undefined;
  };
  // What was pulled is not pressed as well.
  const onClickCapture = (event: MouseEvent) => {
    if (!pulled.current || event.detail === 0) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return {
    drag,
    /** By keys; `drop` puts it down. What a hand holds, the hand puts down. */
    dragTo,
    drop: () => {
      if (!start.current) void end();
    },
    pointerHandlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: cancel, onClickCapture },
  };
}

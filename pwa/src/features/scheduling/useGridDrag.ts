/**
 * Owns what of the calendar by the hour is dragged and where it is meanwhile: by a mouse or a pen, which also draws new
 * visits, or by keys. A finger scrolls, and drags nothing. What is let go stays in sight there until it is saved.
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
import { type Drag, isMovable, isResizable, isSameSpan, movedBy, resizedBy, spanDrawn, spanOf } from "./gridSpan";

/** Less is a press that trembles. */
const PULL_PX = 5;
/** So near to the edge the day scrolls on under the hand, by so much a frame. */
const EDGE_PX = 32;
const SCROLL_PX = 10;

/** A place in the window. */
interface Point {
  x: number;
  y: number;
}

/** The press that began a drag. */
interface DragStart extends Point {
  pointerId: number;
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
  /** Called at the end of a drag; the dragged visit stays in sight there until this has resolved. */
  onDrop: (dropped: Drag) => Promise<void> | void;
}

export type GridDrag = ReturnType<typeof useGridDrag>;

export function useGridDrag({ scroller, head, days, px, onDrop }: GridDragProps) {
  const [drag, setDrag] = useState<Drag>();
  const latest = useRef<Drag>(undefined);
  const start = useRef<DragStart>(undefined);
  const pulled = useRef(false);
  const hand = useRef<Point>({ x: 0, y: 0 });

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
  const follow = () => {
    const next = start.current && scroller.current && draggedTo(start.current, hand.current, scroller.current, px);
    if (next) dragTo(next);
  };

  const isDragging = drag !== undefined;
  useEscape(isDragging, () => {
    const isCanceled = latest.current !== undefined;
    if (isCanceled) cancel();
    return isCanceled;
  });
  useEdgeScroll(isDragging, scroller, head, () => start.current && hand.current, follow);

  const onPointerDown = (event: PointerEvent) => {
    pulled.current = false;
    start.current = startOf(event, days, px);
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

/**
 * Returns the drag that a press may begin: of a visit, of its lower edge, or of a new visit where nothing is. A finger
 * drags nothing.
 */
function startOf(event: PointerEvent, days: readonly CalendarDay[], px: number): DragStart | undefined {
  if (event.button !== 0 || event.pointerType === "touch" || !(event.target instanceof Element)) return undefined;
  const column = event.target.closest<HTMLElement>("[data-column]");
  const date = column?.dataset.column;
  if (!column || !date) return undefined;
  const id = event.target.closest<HTMLElement>("[data-visit]")?.dataset.visit;
  const item = days.find((it) => it.date === date)?.items.find(({ view }) => view.id === id);
  if (id && !(item && isMovable(item))) return undefined;
  const isEdge = item && isResizable(item) && event.target.closest("[data-edge]") !== null;
  return {
    pointerId: event.pointerId,
    x: event.clientX,
    y: event.clientY,
    kind: item ? (isEdge ? "resize" : "move") : "draw",
    item,
    date,
    minute: (event.clientY - column.getBoundingClientRect().top) / px,
  };
}

/** Returns the drag that the hand's position means. */
function draggedTo({ kind, item, date, minute }: DragStart, hand: Point, box: Element, px: number): Drag | undefined {
  const columns = [...box.querySelectorAll<HTMLElement>("[data-column]")];
  const own = columns.find((it) => it.dataset.column === date);
  const under = columns.findLast((it) => it.getBoundingClientRect().left <= hand.x) ?? columns[0];
  const column = kind === "move" ? under : own;
  if (!column) return undefined;
  const now = (hand.y - column.getBoundingClientRect().top) / px;
  if (!item) return { kind, to: spanDrawn(date, minute, now) };
  const by = now - minute;
  const from = spanOf(item);
  const to = kind === "resize" ? resizedBy(from, by) : movedBy(from, by, column.dataset.column ?? date);
  return { kind, item, to };
}

/** Calls `cancel` on Escape while something is dragged; nobody else hears of the key where that says yes. */
function useEscape(isDragging: boolean, cancel: () => boolean): void {
  const escape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || !cancel()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  useEffect(() => {
    if (!isDragging) return undefined;
    const listener = (event: KeyboardEvent) => escape(event);
    addEventListener("keydown", listener, true);
    return () => removeEventListener("keydown", listener, true);
  }, [isDragging]);
}

/** Scrolls on while the hand is near the upper or lower edge; `hand` is where it is, if one drags at all. */
function useEdgeScroll(
  isDragging: boolean,
  scroller: RefObject<HTMLElement | null>,
  head: RefObject<HTMLElement | null>,
  hand: () => Point | undefined,
  onScrolled: () => void,
): void {
  const isByHand = useEffectEvent(() => hand() !== undefined);
  const scrollOn = useEffectEvent(() => {
    const box = scroller.current;
    const at = hand();
    if (!box || !at) return;
    const { top, bottom } = box.getBoundingClientRect();
    const by = at.y < top + (head.current?.offsetHeight ?? 0) + EDGE_PX ? -1 : at.y > bottom - EDGE_PX ? 1 : 0;
    if (by === 0) return;
    box.scrollBy({ top: by * SCROLL_PX, behavior: "instant" });
    onScrolled();
  });
  useEffect(() => {
    if (!isDragging || !isByHand()) return undefined;
    let frame = requestAnimationFrame(function next() {
      scrollOn();
      frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [isDragging]);
}

/**
 * Owns the keys of the calendar by the hour: arrows go to times and visits, and move or resize a visit while Alt is down.
 */
import type { FocusEvent, KeyboardEvent } from "react";
import { type CalendarDay, limits, plusDays } from "../../core";
import { HOUR_MINUTES } from "../../parts/dates";
import { useKeyNote } from "../../ui/shortcuts";
import { isMovable, isResizable, movedBy, resizedBy, spanOf } from "./gridSpan";
import { undoMove } from "./moveVisit";
import type { ScheduleState } from "./scheduleState";
import { BEFORE_ALL, nextStop, nextVisit, type Stop, stopAt } from "./stops";
import type { GridDrag } from "./useGridDrag";
import type { GridFocus } from "./useGridFocus";

/** By how many steps and days a key carries. */
const CARRIES: Record<string, [steps: number, days: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

interface GridKeysProps {
  days: readonly CalendarDay[];
  schedule: ScheduleState;
  focus: GridFocus;
  dragging: GridDrag;
}

export function useGridKeys({
  days,
  schedule,
  focus: { here, goTo },
  dragging: { drag, dragTo, drop },
}: GridKeysProps) {
  const { span, show } = schedule;
  const sizes = limits();
  const { calendar_slot_minutes: slot, calendar_step_minutes: step } = sizes;
  const day = days.find((it) => it.date === here.date);
  useKeyNote("← ↑ ↓ →", "Go to times and visits in the calendar");
  useKeyNote("Page Up, Page Down", "Go to the visit before or after");
  useKeyNote("Alt + ← ↑ ↓ →", `Move the visit by a day or ${step} minutes`);
  useKeyNote("Alt + Shift + ↑ ↓", "Make the visit shorter or longer");
  useKeyNote("X", "Mark the visit; a click with Shift or Ctrl does the same");
  useKeyNote("Ctrl + Z", "Take the last move back");

  /** A visit is carried while Alt is down, and put down with it. */
  const carry = (event: KeyboardEvent) => {
    const item = day?.items.find(({ view }) => view.id === here.visit);
    const [steps, by] = CARRIES[event.key] ?? [0, 0];
    if (!item || (steps === 0 && by === 0)) return;
    event.preventDefault();
    if (!isMovable(item)) return;
    const to = drag?.to ?? spanOf(item);
    if (event.shiftKey) {
      if (isResizable(item) && by === 0) dragTo({ kind: "resize", item, to: resizedBy(to, steps * step) });
      return;
    }
    const date = plusDays(to.date, by);
    if (days.some((it) => it.date === date)) dragTo({ kind: "move", item, to: movedBy(to, steps * step, date) });
  };
  const sideways = (by: 1 | -1): Stop => {
    const date = plusDays(here.date, by);
    const other = days.find((it) => it.date === date);
    if (other) return stopAt(other, here.minute, slot);
    // The five days begin with the selected one, so the one that comes in at their end is four days after it.
    show({ date: span === "five_days" && by > 0 ? plusDays(date, 1 - days.length) : date });
    return { date, minute: here.minute };
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.altKey && !isCommand) return carry(event);
    if (isCommand && event.key === "z" && !event.shiftKey) {
      event.preventDefault();
      return undoMove();
    }
    if (!day || event.shiftKey || event.altKey || (isCommand && event.key !== "Home")) return undefined;
    const goes: Record<string, () => Stop> = {
      ArrowUp: () => nextStop(here, day, -1, slot),
      ArrowDown: () => nextStop(here, day, 1, slot),
      ArrowLeft: () => sideways(-1),
      ArrowRight: () => sideways(1),
      Home: () => stopAt(day, isCommand ? BEFORE_ALL : sizes.calendar_normal_from_hour * HOUR_MINUTES, slot),
      End: () => stopAt(day, sizes.calendar_normal_to_hour * HOUR_MINUTES - slot, slot),
      PageUp: () => nextVisit(here, days, -1, slot),
      PageDown: () => nextVisit(here, days, 1, slot),
    };
    const go = goes[event.key];
    if (!go) return undefined;
    event.preventDefault();
    return goTo(go());
  };
  const onKeyUp = (event: KeyboardEvent) => {
    if (event.key !== "Alt" || !drag) return;
    event.preventDefault();
    drop();
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) drop();
  };
  return { onKeyDown, onKeyUp, onBlur };
}

/** Owns at which of the stops of the calendar by the hour the keyboard is, and that the focus goes there. */
import { type FocusEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { type CalendarDay, limits } from "../../core";
import { HOUR_MINUTES } from "../../parts/dates";
import { isHeading, type Stop, settled } from "./stops";

export interface GridFocus {
  here: Stop;
  /** Goes there with the focus. */
  goTo: (stop: Stop) => void;
  /** Is there from now on; the focus stays where it is. */
  setStop: (stop: Stop) => void;
  /** Takes the focus there with what is drawn next. */
  focusNext: () => void;
  onFocus: (event: FocusEvent<HTMLElement>) => void;
}

/** `selected` is the day to be at where the one of the keyboard is not shown any more. */
export function useGridFocus(
  scroller: RefObject<HTMLElement | null>,
  days: readonly CalendarDay[],
  selected: string,
): GridFocus {
  const { calendar_slot_minutes, calendar_normal_from_hour } = limits();
  const [at, setStop] = useState<Stop>({ date: selected, minute: calendar_normal_from_hour * HOUR_MINUTES });
  const here = settled(at, days, selected, calendar_slot_minutes);
  const wantsFocus = useRef(false);
  useLayoutEffect(() => {
    if (!wantsFocus.current || !days.some((it) => it.date === at.date)) return;
    const stop = scroller.current?.querySelector<HTMLElement>("[data-here]");
    if (!stop) return;
    wantsFocus.current = false;
    stop.focus({ preventScroll: true });
    // The headings are always in sight.
    if (!isHeading(here)) stop.scrollIntoView({ block: "nearest", behavior: "instant" });
  });
  const focusNext = () => {
    wantsFocus.current = true;
  };
  const goTo = (stop: Stop) => {
    focusNext();
    setStop({ ...stop });
  };
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    if (event.target === event.currentTarget) {
      goTo(here);
      return;
    }
    const { date, minute, visit } = event.target.dataset;
    if (date && minute) setStop({ date, minute: Number(minute), ...(visit && { visit }) });
  };
  return { here, goTo, setStop, focusNext, onFocus };
}

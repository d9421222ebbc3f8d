/** Owns how high an hour is in the calendar by the hour, and which part of the day is in sight. */
import { type Ref, type RefObject, type UIEvent, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import { limits } from "../../core";
import { HOUR_MINUTES } from "../../parts/dates";
import { type Density, useDensity } from "./density";

/** The view that the quick jumps move. */
export interface Jumpable {
  /** Brings a minute of the day into sight. */
  jump: (minute: number) => void;
}

/** The letters of somebody who has not changed their size. */
const USUAL_LETTERS_PX = 16;

/** A part of the usual height; a whole day is never lower than a fifth of it, in which a visit has one line. */
const COMPACT = 1 / 2;
const LOWEST = 1 / 5;

interface GridScale {
  /** Pixels a minute. */
  px: number;
  /** How many times as large as usual letters are. */
  letters: number;
  onScroll: (event: UIEvent<HTMLElement>) => void;
}

/** Measures `scroller`, at whose upper edge `head` stays. */
export function useGridScale(
  scroller: RefObject<HTMLElement | null>,
  head: RefObject<HTMLElement | null>,
  ref: Ref<Jumpable> | undefined,
): GridScale {
  const { calendar_normal_from_hour, calendar_scroll_to_hour } = limits();
  const density = useDensity();
  const [room, setRoom] = useState(0);
  const [letters, setLetters] = useState(1);
  const px = hourPx(density, room) / HOUR_MINUTES;

  useImperativeHandle(ref, () => ({
    jump: (minute) => scroller.current?.scrollTo({ top: minute * px }),
  }));
  useLayoutEffect(() => {
    const [box, top] = [scroller.current, head.current];
    if (!box || !top) return undefined;
    const measure = () => {
      setRoom(box.clientHeight - top.offsetHeight);
      setLetters(Number.parseFloat(getComputedStyle(box).fontSize) / USUAL_LETTERS_PX);
      // What gets the focus comes to lie below the days' names.
      box.style.scrollPaddingTop = `${top.offsetHeight}px`;
    };
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    observer.observe(top);
    measure();
    return () => observer.disconnect();
  }, [scroller, head]);
  // The time at the upper edge stays there when hours get higher or lower.
  const upper = useRef(calendar_scroll_to_hour * HOUR_MINUTES);
  useLayoutEffect(() => {
    const minute = density === "whole_day" ? calendar_normal_from_hour * HOUR_MINUTES : upper.current;
    scroller.current?.scrollTo({ top: minute * px, behavior: "instant" });
  }, [px, density, calendar_normal_from_hour, scroller]);

  const onScroll = (event: UIEvent<HTMLElement>) => {
    upper.current = event.currentTarget.scrollTop / px;
  };
  return { px, letters, onScroll };
}

/** An hour's height; the normal hours of a whole day take up the room that there is. */
function hourPx(density: Density, room: number): number {
  const { calendar_hour_px: usual, calendar_normal_from_hour: from, calendar_normal_to_hour: to } = limits();
  const wholeDay = Math.max(usual * LOWEST, room / (to - from));
  return { comfortable: usual, compact: usual * COMPACT, whole_day: wholeDay }[density];
}

/**
 * Owns the calendar by the hour (SPEC 9): 24 hours at 120 px unless more of the day was asked for, 30-minute slots, 6 to
 * 22 normal and the rest shaded, lanes as the core places them. One stop of the keyboard, in which arrows go to times and
 * visits; visits are moved and made longer by hand or by keys.
 */
import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useIsPhone } from "../../browser/device";
import { type CalendarDay, formatTime, formatTimeRange, limits, plusDays } from "../../core";
import { useRead } from "../../data";
import { cx } from "../../ui";
import { useKeyNote } from "../../ui/shortcuts";
import { dayNumber, shortWeekday, timeOf } from "./dates";
import { type Density, useDensity } from "./density";
import { type Drag, isMovable, isResizable, movedBy, resizedBy, spanOf } from "./gridSpan";
import { HourColumn } from "./HourColumn";
import { moveVisit, undoMove } from "./moveVisit";
import { StayBand } from "./StayBand";
import type { ScheduleState } from "./scheduleState";
import { isHeading, nextStop, nextVisit, type Stop, settled, stopAt } from "./stops";
import { useGridDrag } from "./useGridDrag";
import { LEAST_PX } from "./VisitBlock";

/** What the quick jumps move. */
export interface Jumpable {
  /** Brings a minute of the day into sight. */
  jump: (minute: number) => void;
}

interface HourGridProps {
  schedule: ScheduleState;
  now: number;
  /** The minute of the day, for the line of now. */
  minuteNow: number;
  ref?: Ref<Jumpable>;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const DAY_MINUTES = 24 * 60;
const USUAL_LETTERS_PX = 16;

/** An hour's height; the normal hours of a whole day take up the room that there is. */
function hourPx(density: Density, room: number): number {
  const { calendar_hour_px: usual, calendar_normal_from_hour: from, calendar_normal_to_hour: to } = limits();
  return { comfortable: usual, compact: usual / 2, whole_day: Math.max(usual / 5, room / (to - from)) }[density];
}

export default function HourGrid({ schedule, now, minuteNow, ref }: HourGridProps) {
  const { span, date: selected, show, create, details, edit } = schedule;
  const sizes = limits();
  const { calendar_slot_minutes: slot, calendar_step_minutes: step } = sizes;
  const from = sizes.calendar_normal_from_hour * 60;
  const isPhone = useIsPhone();
  const density = useDensity();
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  const [letters, setLetters] = useState(1);
  const px = hourPx(density, room) / 60;
  const least = Math.ceil((LEAST_PX * letters) / px);
  const days = useRead((phone) => phone.calendarDays(span, selected, least, now), span, selected, least, now);

  const topOf = (minute: number) => minute * px;
  useImperativeHandle(ref, () => ({
    jump: (minute) => scroller.current?.scrollTo({ top: topOf(minute) }),
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
  }, []);
  // The time at the upper edge stays there when hours get higher or lower.
  const upper = useRef(sizes.calendar_scroll_to_hour * 60);
  useLayoutEffect(() => {
    const minute = density === "whole_day" ? from : upper.current;
    scroller.current?.scrollTo({ top: minute * px, behavior: "instant" });
  }, [px, density, from]);

  const [at, setAt] = useState<Stop>({ date: selected, minute: from });
  const here = settled(at, days, selected, slot);
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
  const goTo = (stop: Stop) => {
    wantsFocus.current = true;
    setAt({ ...stop });
  };
  const noteFocus = (event: FocusEvent<HTMLElement>) => {
    if (event.target === event.currentTarget) {
      goTo(here);
      return;
    }
    const { date, minute, visit } = event.target.dataset;
    if (date && minute) setAt({ date, minute: Number(minute), ...(visit && { visit }) });
  };

  const onDrop = async ({ item, to }: Drag) => {
    const timing = { date: to.date, start_time: timeOf(to.start), duration_minutes: to.minutes };
    if (!item) {
      create(timing);
      return;
    }
    setAt({ date: item.view.date, minute: item.top, visit: item.view.id });
    await moveVisit(item.view, timing, edit);
    wantsFocus.current = true;
  };
  const { drag, dragTo, drop, pointerHandlers } = useGridDrag({ scroller, head, days, px, onDrop });
  const isTaken = useRead(
    (phone) => drag !== undefined && phone.checkSchedule(asked(drag), now).conflict !== null,
    drag,
    now,
  );

  const day = days.find((it) => it.date === here.date);
  /** A visit is carried while Alt is down, and put down with it. */
  const carry = (event: KeyboardEvent) => {
    const item = day?.items.find(({ view }) => view.id === here.visit);
    const [minutes, by] = CARRIES[event.key] ?? [0, 0];
    if (!item || (minutes === 0 && by === 0)) return;
    event.preventDefault();
    if (!isMovable(item)) return;
    const to = drag?.to ?? spanOf(item);
    if (event.shiftKey) {
      if (isResizable(item) && by === 0) dragTo({ kind: "resize", item, to: resizedBy(to, minutes * step) });
      return;
    }
    const date = plusDays(to.date, by);
    if (days.some((it) => it.date === date)) dragTo({ kind: "move", item, to: movedBy(to, minutes * step, date) });
  };
  const sideways = (by: 1 | -1): Stop => {
    const date = plusDays(here.date, by);
    const other = days.find((it) => it.date === date);
    if (other) return stopAt(other, here.minute, slot);
    // The five days begin with the selected one, so the one that comes in at their end is four days after it.
    show({ date: span === "five_days" && by > 0 ? plusDays(date, 1 - days.length) : date });
    return { date, minute: here.minute };
  };
  const press = (event: KeyboardEvent) => {
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
      Home: () => stopAt(day, isCommand ? -1 : from, slot),
      End: () => stopAt(day, sizes.calendar_normal_to_hour * 60 - slot, slot),
      PageUp: () => nextVisit(here, days, -1, slot),
      PageDown: () => nextVisit(here, days, 1, slot),
    };
    const go = goes[event.key];
    if (!go) return undefined;
    event.preventDefault();
    return goTo(go());
  };
  useKeyNote("← ↑ ↓ →", "Go to times and visits in the calendar");
  useKeyNote("Page Up, Page Down", "Go to the visit before or after");
  useKeyNote("Alt + ← ↑ ↓ →", `Move the visit by a day or ${step} minutes`);
  useKeyNote("Alt + Shift + ↑ ↓", "Make the visit shorter or longer");
  useKeyNote("Ctrl + Z", "Take the last move back");

  const columns: CSSProperties = { gridTemplateColumns: `var(--gutter) repeat(${days.length}, minmax(0, 1fr))` };
  return (
    <div
      ref={scroller}
      role="group"
      aria-label="Calendar by the hour. Arrow keys go to times and visits, Enter opens them."
      tabIndex={-1}
      {...pointerHandlers}
      onKeyDown={press}
      onKeyUp={(event) => {
        if (event.key !== "Alt" || !drag) return;
        event.preventDefault();
        drop();
      }}
      onFocus={noteFocus}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && drop()}
      onScroll={(event) => {
        upper.current = event.currentTarget.scrollTop / px;
      }}
      // What screen readers alone read lies where it is, and must not lengthen the page around this. When the days' names
      // get a row of stays the same time stays below them, from which the browser would scroll away.
      className="relative min-h-0 flex-1 scroll-smooth overflow-y-auto [overflow-anchor:none] overscroll-contain rounded-large border border-line bg-card outline-none [--gutter:44px] md:[--gutter:64px]"
    >
      <div ref={head} style={columns} className="sticky top-0 z-4 grid border-b border-line bg-card">
        <span />
        {days.map((it) => (
          <Heading
            key={it.date}
            day={it}
            isSelected={it.date === selected}
            isHere={it.date === here.date && isHeading(here)}
            // On a phone the heading leads to the day itself, where there is room for it.
            onPick={() => show({ date: it.date, ...(isPhone && { span: "day" as const }) })}
          />
        ))}
        {days.some((it) => it.stays.length > 0) && (
          <>
            <span />
            {days.map((it) => (
              <ul key={it.date} aria-label={`Stays, ${it.heading}`} className="grid content-start gap-[2px] pb-1">
                {it.stays.map((stay) => (
                  <li key={stay.view.id}>
                    <StayBand stay={stay} small onOpen={details} />
                  </li>
                ))}
              </ul>
            ))}
          </>
        )}
      </div>
      <div
        style={{ ...columns, height: DAY_MINUTES * px }}
        // A pen that comes near holds what it touches; a finger goes on scrolling.
        onPointerEnter={({ pointerType, currentTarget }) => {
          currentTarget.style.touchAction = pointerType === "pen" ? "none" : "";
        }}
        className={cx("relative grid select-none", drag && "cursor-grabbing *:pointer-events-none")}
      >
        <Ruler hourPx={px * 60} />
        <span />
        {days.map((it) => (
          <HourColumn
            key={it.date}
            day={it}
            labelledBy={headingId(it)}
            px={px}
            letters={letters}
            here={it.date === here.date && !isHeading(here) ? here : undefined}
            drag={drag}
            isTaken={isTaken}
            minuteNow={it.is_today ? minuteNow : undefined}
            onOpen={details}
            onSlot={(date, start_time) => create({ date, start_time })}
          />
        ))}
        {days.some((it) => it.is_today) && (
          <span
            aria-hidden
            style={{ top: topOf(minuteNow) }}
            className="num absolute left-1 z-2 -translate-y-1/2 rounded-full bg-tag px-1 text-12 font-bold text-on-tag"
          >
            {formatTime(timeOf(minuteNow)).split(" ")[0]}
          </span>
        )}
      </div>
      <p aria-live="assertive" className="sr-only">
        {drag && inWords(drag, days, isTaken)}
      </p>
    </div>
  );
}

/** By how many steps and days a key carries. */
const CARRIES: Record<string, [steps: number, days: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

const asked = ({ item, to }: Drag) => ({
  service_id: item?.view.id ?? null,
  service: { date: to.date, start_time: timeOf(to.start), duration_minutes: to.minutes },
});

function inWords({ to }: Drag, days: readonly CalendarDay[], isTaken: boolean): string {
  const heading = days.find((it) => it.date === to.date)?.heading;
  return `${heading}, ${formatTimeRange(timeOf(to.start), to.minutes)}${isTaken ? ", not free" : ""}`;
}

const headingId = ({ date }: CalendarDay) => `hours-of-${date}`;

interface HeadingProps {
  day: CalendarDay;
  isSelected: boolean;
  isHere: boolean;
  onPick: () => void;
}

function Heading({ day, isSelected, isHere, onPick }: HeadingProps) {
  const { date, heading, is_today, count } = day;
  return (
    <button
      id={headingId(day)}
      type="button"
      tabIndex={isHere ? 0 : -1}
      data-here={isHere || undefined}
      data-date={date}
      data-minute={-1}
      aria-current={isSelected ? "date" : undefined}
      aria-label={`${heading}${is_today ? ", today" : ""}, ${count === 1 ? "1 visit" : `${count} visits`}`}
      onClick={onPick}
      className="num grid min-h-12 justify-items-center gap-[2px] border-l border-line py-2 text-[length:min(var(--text-12),3.2vw)] leading-[1.35] text-ink-2 -outline-offset-3 hover:bg-sunken"
    >
      {shortWeekday(heading)}
      <span
        className={cx(
          "grid min-w-8 place-items-center rounded-full px-1 text-[length:min(var(--text-16),4.6vw)] leading-[1.45] font-bold",
          is_today ? "bg-act text-on-act" : "text-ink",
          isSelected && !is_today && "shadow-[inset_0_0_0_1px_var(--color-edge)]",
        )}
      >
        {dayNumber(date)}
      </span>
    </button>
  );
}

/** Hours with their lines and names behind all columns; those outside the normal ones shaded. */
const Ruler = memo(function Ruler({ hourPx }: { hourPx: number }) {
  const { calendar_normal_from_hour: from, calendar_normal_to_hour: to } = limits();
  return (
    <div aria-hidden className="absolute inset-0">
      {HOURS.map((hour) => (
        <div
          key={hour}
          style={{ height: hourPx }}
          className={cx("border-line not-first:border-t", (hour < from || hour >= to) && "bg-sunken")}
        >
          <span className="num absolute w-(--gutter) pt-1 pr-2 text-right text-12 whitespace-nowrap text-ink-3">
            {formatTime(timeOf(hour * 60)).replace(":00", "")}
          </span>
          <div className="h-1/2 border-b border-dashed border-line" />
        </div>
      ))}
    </div>
  );
});

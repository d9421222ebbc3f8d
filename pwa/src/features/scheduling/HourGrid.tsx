/**
 * Owns the calendar by the hour (SPEC 9): 24 hours at 120 px unless more of the day was asked for, 30-minute slots, 6 to
 * 22 normal and the rest shaded, lanes as the core places them. One stop of the keyboard, in which arrows go to times and
 * visits; visits are moved and made longer by hand or by keys.
 */
import { type CSSProperties, memo, type Ref, useRef } from "react";
import { useLocation } from "wouter";
import { type CalendarDay, formatTime, formatTimeRange, limits } from "../../core";
import { useRead } from "../../data";
import { DAY_MINUTES, HOUR_MINUTES, timeOf } from "../../parts/dates";
import { cx } from "../../ui";
import { GridHead, headingId } from "./GridHead";
import type { Drag } from "./gridSpan";
import { HourColumn } from "./HourColumn";
import { moveVisit } from "./moveVisit";
import type { ScheduleState } from "./scheduleState";
import { isHeading } from "./stops";
import { useGridDrag } from "./useGridDrag";
import { useGridFocus } from "./useGridFocus";
import { useGridKeys } from "./useGridKeys";
import { type Jumpable, useGridScale } from "./useGridScale";
import { LEAST_PX } from "./VisitBlock";

interface HourGridProps {
  schedule: ScheduleState;
  now: number;
  /** The minute of the day, for the line of now. */
  minuteNow: number;
  ref?: Ref<Jumpable>;
}

const HOURS = Array.from({ length: DAY_MINUTES / HOUR_MINUTES }, (_, hour) => hour);

export default function HourGrid({ schedule, now, minuteNow, ref }: HourGridProps) {
  const { span, date: selected, create, details, edit } = schedule;
  const [, navigate] = useLocation();
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const { px, letters, onScroll } = useGridScale(scroller, head, ref);
  const least = Math.ceil((LEAST_PX * letters) / px);
  const days = useRead((phone) => phone.calendarDays(span, selected, least, now), span, selected, least, now);
  const focus = useGridFocus(scroller, days, selected);
  const { here } = focus;

  const onDrop = async ({ item, to }: Drag) => {
    const timing = { date: to.date, start_time: timeOf(to.start), duration_minutes: to.minutes };
    if (!item) {
      create(timing);
      return;
    }
    focus.setStop({ date: item.view.date, minute: item.top, visit: item.view.id });
    await moveVisit(item.view, timing, { openForm: edit, showPlans: () => navigate("/billing") });
    focus.focusNext();
  };
  const dragging = useGridDrag({ scroller, head, days, px, onDrop });
  const { drag, pointerHandlers } = dragging;
  const isTaken = useRead(
    (phone) => drag !== undefined && phone.checkSchedule(asked(drag), now).conflict !== null,
    drag,
    now,
  );
  const keyHandlers = useGridKeys({ days, schedule, focus, dragging });

  const columns: CSSProperties = { gridTemplateColumns: `var(--gutter) repeat(${days.length}, minmax(0, 1fr))` };
  return (
    <div
      ref={scroller}
      role="group"
      aria-label="Calendar by the hour. Arrow keys go to times and visits, Enter opens them."
      tabIndex={-1}
      {...pointerHandlers}
      {...keyHandlers}
      onFocus={focus.onFocus}
      onScroll={onScroll}
      // What screen readers alone read lies where it is, and must not lengthen the page around this. When the days' names
      // get a row of stays the same time stays below them, from which the browser would scroll away.
      className="relative min-h-0 flex-1 scroll-smooth overflow-y-auto [overflow-anchor:none] overscroll-contain rounded-large border border-line bg-card outline-none [--gutter:44px] md:[--gutter:64px]"
    >
      <GridHead ref={head} days={days} columns={columns} schedule={schedule} here={here} />
      <div
        style={{ ...columns, height: DAY_MINUTES * px }}
        // A pen that comes near holds what it touches; a finger goes on scrolling.
        onPointerEnter={({ pointerType, currentTarget }) => {
          currentTarget.style.touchAction = pointerType === "pen" ? "none" : "";
        }}
        className={cx("relative grid select-none", drag && "cursor-grabbing *:pointer-events-none")}
      >
        <Ruler hourPx={px * HOUR_MINUTES} />
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
            style={{ top: minuteNow * px }}
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

const asked = ({ item, to }: Drag) => ({
  service_id: item?.view.id ?? null,
  service: { date: to.date, start_time: timeOf(to.start), duration_minutes: to.minutes },
});

function inWords({ to }: Drag, days: readonly CalendarDay[], isTaken: boolean): string {
  const heading = days.find((it) => it.date === to.date)?.heading;
  return `${heading}, ${formatTimeRange(timeOf(to.start), to.minutes)}${isTaken ? ", not free" : ""}`;
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
            {formatTime(timeOf(hour * HOUR_MINUTES)).replace(":00", "")}
          </span>
          <div className="h-1/2 border-b border-dashed border-line" />
        </div>
      ))}
    </div>
  );
});

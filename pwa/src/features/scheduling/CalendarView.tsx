/**
 * Owns the Calendar: its days, the quick jumps, and whether they are shown by the hour or, on a phone, as lists. A phone's
 * day has the days of the week above it and nothing else; the rest of what a desktop has in rows is in its menu
 * (`ViewMenu`).
 */
import { ChevronLeft, ChevronRight, Rows3 } from "lucide-react";
import { type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { afterPaint } from "../../browser/afterPaint";
import { useMinute } from "../../browser/clock";
import { useIsPhone } from "../../browser/device";
import {
  type CalendarView as CalendarSpan,
  type DayPlan,
  formatMonthHeading,
  limits,
  plusDays,
  weekStart,
  withRest,
} from "../../core";
import { useFirstReplica } from "../../data";
import { HOUR_MINUTES, WEEK_DAYS } from "../../parts/dates";
import { cx, IconButton, loadable, Menu, PageBody, Segmented, SkeletonCards } from "../../ui";
import { DayList } from "./DayList";
import { densityItems, useDensity } from "./density";
import { SidePanel } from "./SidePanel";
import type { ScheduleState } from "./scheduleState";
import { SMALL_BUTTON, SMALL_BUTTON_EDGE } from "./styles";
import type { Jumpable } from "./useGridScale";
import { WeekStrip } from "./WeekStrip";

// A phone begins with a list.
const Agenda = loadable(() => withRest(import("./Agenda")));
const HourGrid = loadable(() => withRest(import("./HourGrid")));

const PlannedVisits = loadable(() => withRest(import("./PlannedVisits")));

/** Nothing is planned sooner, so that the first screens do not load what looks for it. */
const NOTHING_PLANNED_DAYS = 14;

export const SPANS: { value: CalendarSpan; label: string }[] = [
  { value: "day", label: "Day" },
  { value: "five_days", label: "5 Days" },
  { value: "week", label: "Week" },
];

export const HOUR_JUMPS = [
  { hour: 6, label: "6 AM" },
  { hour: 12, label: "12 PM" },
  { hour: 18, label: "6 PM" },
];

/** The minute to jump to so that now is in sight, and an hour of what was. */
export const aboveNow = (minuteNow: number): number => Math.max(0, minuteNow - HOUR_MINUTES);

interface CalendarViewProps {
  schedule: ScheduleState;
  /** Set where a day is shown as a list. */
  plan: DayPlan | undefined;
  /** The view that the jumps move. */
  jumpable: RefObject<Jumpable | null>;
}

export function CalendarView({ schedule, plan, jumpable }: CalendarViewProps) {
  const { span } = schedule;
  const isList = plan !== undefined;
  const { date, today, show } = schedule;
  const isPhone = useIsPhone();
  const step = daysOf(span);
  const wantsNow = useRef(false);

  const now = useMinute();
  const minuteNow = useFirstReplica((phone) => phone.minuteOfDay(now));
  const jumpToNow = () => jumpable.current?.jump(aboveNow(minuteNow));
  const first = firstOf(schedule);
  const showsToday = first <= today && today < plusDays(first, step);
  useEffect(() => {
    if (!wantsNow.current || !showsToday) return;
    wantsNow.current = false;
    jumpToNow();
  });

  const toToday = (
    <button
      type="button"
      className={SMALL_BUTTON_EDGE}
      aria-current={date === today ? "date" : undefined}
      onClick={() => show({ date: today })}
    >
      Today
    </button>
  );
  const panel = (
    <SidePanel
      schedule={schedule}
      // A phone has its lists in one column, where today's own day is a touch away.
      withoutToday={isPhone}
      className={cx("pt-5", !isList && "lg:relative lg:w-72 lg:shrink-0 lg:overflow-y-auto lg:pt-0 xl:w-80")}
    />
  );

  const last = plusDays(first, step - 1);
  const planned = plusDays(today, NOTHING_PLANNED_DAYS) < last && (
    <Suspense>
      <PlannedVisits first={first} last={last} now={now} />
    </Suspense>
  );

  if (plan) {
    return (
      <PageBody className="grid grid-cols-1 gap-3">
        <WeekStrip schedule={schedule} />
        <section aria-label={plan.is_today ? "Today" : plan.heading}>
          <DayList
            ref={jumpable}
            plan={plan}
            onOpen={schedule.details}
            onAdd={() => schedule.create({ date: date < today ? today : date })}
            onOverdue={() => show({ view: "list", range: "overdue" })}
          />
        </section>
        {planned}
        <BelowTheFold isFull={FILLS_THE_SCREEN <= plan.visits.length}>{panel}</BelowTheFold>
      </PageBody>
    );
  }
  if (isPhone) {
    return (
      <PageBody className="grid grid-cols-1 gap-3">
        <div className="-ml-3 flex items-center">
          <Step schedule={schedule} by={-1} />
          {toToday}
          <Step schedule={schedule} by={1} />
        </div>
        {planned}
        <Suspense fallback={<SkeletonCards />}>
          <Agenda schedule={schedule} now={now} />
        </Suspense>
        {panel}
      </PageBody>
    );
  }
  return (
    <PageBody className="flex flex-col gap-3 lg:min-h-0 lg:flex-1 lg:pb-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="mr-auto -ml-3 flex items-center">
          <Step schedule={schedule} by={-1} />
          {toToday}
          <Step schedule={schedule} by={1} />
          <p className="num pl-2 text-16 font-bold">{formatMonthHeading(first)}</p>
        </div>
        <HourJumps
          onJump={(hour) => jumpable.current?.jump(hour * HOUR_MINUTES)}
          onNow={() => {
            if (showsToday) jumpToNow();
            else {
              wantsNow.current = true;
              show({ date: today });
            }
          }}
        />
        <DensityMenu />
        <div className="w-56 xl:w-64">
          <Segmented label="Days shown" value={span} onChange={(it) => show({ span: it })} options={SPANS} />
        </div>
      </div>
      {planned}
      <div className="flex flex-col gap-5 lg:min-h-0 lg:flex-1 lg:flex-row">
        <div className="flex min-w-0 flex-col max-lg:h-[max(26rem,calc(100dvh-21rem))] lg:min-h-0 lg:flex-1">
          <Suspense fallback={<div className="flex-1 rounded-large border border-line bg-card" />}>
            <HourGrid ref={jumpable} schedule={schedule} now={now} minuteNow={minuteNow} />
          </Suspense>
        </div>
        {panel}
      </div>
    </PageBody>
  );
}

interface HourJumpsProps {
  onJump: (hour: number) => void;
  onNow: () => void;
}

function HourJumps({ onJump, onNow }: HourJumpsProps) {
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">Jump to</legend>
      {HOUR_JUMPS.map(({ hour, label }) => (
        <JumpButton key={hour} label={label} onClick={() => onJump(hour)} />
      ))}
      <JumpButton label="Now" onClick={onNow} />
    </fieldset>
  );
}

const daysOf = (span: CalendarSpan): number =>
  ({ day: 1, five_days: limits().calendar_multiday_days, week: WEEK_DAYS })[span];

const firstOf = ({ span, date }: ScheduleState): string => (span === "week" ? weekStart(date) : date);

/** The days that the calendar shows. */
export const daysShown = (schedule: ScheduleState): string[] =>
  Array.from({ length: daysOf(schedule.span) }, (_, at) => plusDays(firstOf(schedule), at));

/** To the days before those that are shown, or to the ones after them. */
function Step({ schedule: { span, date, show }, by }: { schedule: ScheduleState; by: 1 | -1 }) {
  const stepName = span === "day" ? "day" : span === "week" ? "week" : "5 days";
  return (
    <IconButton
      label={`${by < 0 ? "Previous" : "Next"} ${stepName}`}
      onClick={() => show({ date: plusDays(date, by * daysOf(span)) })}
    >
      {by < 0 ? <ChevronLeft /> : <ChevronRight />}
    </IconButton>
  );
}

/** How much of the day is seen at once. A phone has it in its one menu. */
function DensityMenu() {
  const items = densityItems(useDensity());
  return (
    <Menu
      label="Density"
      items={items}
      trigger={(props) => (
        <IconButton kind="square" label={`Density: ${items.find((it) => it.checked)?.label}`} {...props}>
          <Rows3 />
        </IconButton>
      )}
    />
  );
}

function JumpButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className={SMALL_BUTTON} onClick={onClick}>
      {label}
    </button>
  );
}

/** Number of visits that leaves no room for anything below them. */
const FILLS_THE_SCREEN = 5;

/** Delays content below the fold until after the first paint, where the screen is full. */
function BelowTheFold({ isFull, children }: { isFull: boolean; children: ReactNode }) {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => void afterPaint().then(() => setPainted(true)), []);
  return isFull && !isPainted ? null : children;
}

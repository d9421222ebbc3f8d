/** Owns the Calendar: its days, the quick jumps, and which of the two shapes a day has, hours or a list. */
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import {
  type CalendarView as Span,
  formatDateHeading,
  formatMonthHeading,
  limits,
  plusDays,
  weekStart,
} from "../../core";
import { useReplica } from "../../data";
import { Button, cx, IconButton, PageBody, Segmented } from "../../ui";
import { useNow } from "./clock";
import { DayList } from "./DayList";
import { HourGrid, type Jumpable } from "./HourGrid";
import type { Place } from "./place";
import { SidePanel } from "./SidePanel";
import { useIsPhone } from "./useIsPhone";
import { WeekStrip } from "./WeekStrip";

const SPANS: { value: Span; label: string }[] = [
  { value: "day", label: "Day" },
  { value: "five_days", label: "5 Days" },
  { value: "week", label: "Week" },
];

const HOUR_JUMPS = [
  { hour: 6, label: "6 AM" },
  { hour: 12, label: "12 PM" },
  { hour: 18, label: "6 PM" },
];

/** SPEC 2: five days are the default; a phone's width is best used by one. */
export const spanOf = (place: Place, isPhone: boolean): Span => place.span ?? (isPhone ? "day" : "five_days");

interface CalendarViewProps {
  place: Place;
  onComplete: (id: string) => void;
}

export function CalendarView({ place, onComplete }: CalendarViewProps) {
  const isPhone = useIsPhone();
  const span = spanOf(place, isPhone);
  const isList = isPhone && span === "day";
  const jumpable = useRef<Jumpable>(null);
  const { date, today, show } = place;
  const step = { day: 1, five_days: limits().calendar_multiday_days, week: 7 }[span];
  const wantsNow = useRef(false);

  const now = useNow();
  const minuteNow = useReplica((phone) => phone.minuteOfDay(now));
  const jumpToNow = () => jumpable.current?.jump(Math.max(0, minuteNow - 60));
  const first = span === "week" ? weekStart(date) : date;
  const showsToday = first <= today && today < plusDays(first, step);
  useEffect(() => {
    if (!wantsNow.current || !showsToday) return;
    wantsNow.current = false;
    jumpToNow();
  });

  const back = () => show({ date: plusDays(date, -step) });
  const forth = () => show({ date: plusDays(date, step) });
  const jumps = (
    <fieldset className="flex gap-1">
      <legend className="sr-only">Jump to</legend>
      {HOUR_JUMPS.map(({ hour, label }) => (
        <JumpButton key={hour} label={label} onClick={() => jumpable.current?.jump(hour * 60)} />
      ))}
      <JumpButton
        label="Now"
        onClick={() => {
          if (showsToday) jumpToNow();
          else {
            wantsNow.current = true;
            show({ date: today });
          }
        }}
      />
    </fieldset>
  );
  const stepName = span === "day" ? "day" : span === "week" ? "week" : "5 days";
  const spans = <Segmented label="Days shown" value={span} onChange={(it) => show({ span: it })} options={SPANS} />;
  const arrows = (
    <>
      <IconButton label={`Previous ${stepName}`} onClick={back}>
        <ChevronLeft />
      </IconButton>
      <Button
        kind="quiet"
        className="px-3 text-14"
        aria-current={date === today ? "date" : undefined}
        onClick={() => show({ date: today })}
      >
        Today
      </Button>
      <IconButton label={`Next ${stepName}`} onClick={forth}>
        <ChevronRight />
      </IconButton>
    </>
  );
  const panel = (
    <SidePanel
      today={today}
      onOpen={place.details}
      onAdd={() => place.create({ date: today })}
      onMore={() => show({ view: "list", range: "upcoming" })}
      withoutToday={isList && date === today}
      className={cx(
        isList ? "pt-5" : "lg:w-72 lg:shrink-0 lg:overflow-y-auto lg:pb-5 xl:w-80",
        !isList && "max-lg:pt-5",
      )}
    />
  );

  if (isList) {
    return (
      <PageBody className="grid gap-3">
        <WeekStrip date={date} today={today} onPick={(it) => show({ date: it })} />
        <div className="flex items-center justify-between gap-1">
          <div className="min-w-0 flex-1">{spans}</div>
          {arrows}
        </div>
        <Plan place={place} now={now} jumps={jumps} jumpable={jumpable} onComplete={onComplete} />
        {panel}
      </PageBody>
    );
  }
  return (
    <PageBody className="flex flex-col gap-3 lg:min-h-0 lg:flex-1 lg:flex-row lg:gap-5 lg:pb-5">
      <div className="flex min-w-0 flex-1 flex-col gap-3 max-lg:h-[max(26rem,calc(100dvh-15rem))] max-lg:shrink-0 max-lg:grow-0 lg:min-h-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <div className="flex items-center gap-1">{arrows}</div>
          <p className="num mr-auto text-16 font-bold max-md:hidden">
            {span === "day" ? formatDateHeading(date) : formatMonthHeading(first)}
          </p>
          {jumps}
          <div className="max-md:w-full md:w-64">{spans}</div>
        </div>
        <Hours place={place} span={span} now={now} minuteNow={minuteNow} jumpable={jumpable} step={step} />
      </div>
      {panel}
    </PageBody>
  );
}

function JumpButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button kind="plain" className="num px-3 text-14" onClick={onClick}>
      {label}
    </Button>
  );
}

interface PlanProps {
  place: Place;
  now: number;
  jumps: ReactNode;
  jumpable: RefObject<Jumpable | null>;
  onComplete: (id: string) => void;
}

/** A day of more visits than fit at once is worth jumping in. */
const JUMPS_FROM_VISITS = 5;

function Plan({ place, now, jumps, jumpable, onComplete }: PlanProps) {
  const plan = useReplica((phone) => phone.dayPlan(place.date, now));
  return (
    <>
      {plan.visits.length >= JUMPS_FROM_VISITS && <div className="-mt-2 -ml-3">{jumps}</div>}
      <DayList
        ref={jumpable}
        plan={plan}
        onOpen={place.details}
        onComplete={onComplete}
        onAdd={() => place.create({ date: place.date })}
      />
    </>
  );
}

interface HoursProps {
  place: Place;
  span: Span;
  now: number;
  minuteNow: number;
  jumpable: RefObject<Jumpable | null>;
  step: number;
}

function Hours({ place, span, now, minuteNow, jumpable, step }: HoursProps) {
  const { date, show } = place;
  const days = useReplica((phone) => phone.calendarDays(span, date, now));
  const isPhone = useIsPhone();
  return (
    <HourGrid
      ref={jumpable}
      days={days}
      selected={date}
      minuteNow={minuteNow}
      onOpen={place.details}
      onSlot={(on, start_time) => place.create({ date: on, start_time })}
      // On a phone the heading leads to the day itself, where there is room for it.
      onPickDay={(it) => show({ date: it, ...(isPhone && { span: "day" as const }) })}
      // The five days begin with the selected one, so the one that comes in at their end is four days after it.
      onLeave={(to) => show({ date: span === "five_days" && to > date ? plusDays(to, 1 - step) : to })}
    />
  );
}

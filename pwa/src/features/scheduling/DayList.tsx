/** Owns the day on a phone: visits under one another, the next one open, what is done stepping back. */
import { CalendarPlus, CircleSlash } from "lucide-react";
import { type Ref, useImperativeHandle, useLayoutEffect, useRef } from "react";
import type { DayPlan, LeftOpen } from "../../core";
import { dayNumber, shortWeekday, timeOf } from "../../parts/dates";
import { RunningLateButton } from "../../parts/visit/RunningLateButton";
import { Button, cx, EmptyState } from "../../ui";
import { BlockName } from "./BlockName";
import { CloseDayButton } from "./CloseDayButton";
import { DayWayButton } from "./DayWayButton";
import { StayBand } from "./StayBand";
import { HATCH, SMALL_BUTTON } from "./styles";
import type { Jumpable } from "./useGridScale";
import { VisitCard } from "./VisitCard";

/** Most pixels that the phone's bottom bar covers. */
const BAR = 96;

interface DayListProps {
  plan: DayPlan;
  onOpen: (id: string) => void;
  onAdd: () => void;
  /** To the list of all that is overdue. */
  onOverdue: () => void;
  ref?: Ref<Jumpable>;
}

export function DayList({ plan, onOpen, onAdd, onOverdue, ref }: DayListProps) {
  const list = useRef<HTMLUListElement>(null);
  useImperativeHandle(ref, () => ({
    jump(minute) {
      const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-start]") ?? [])];
      const from = timeOf(minute);
      // The first that is not before the time, else the last there is.
      const row = rows.find((it) => (it.dataset.start ?? "") >= from) ?? rows.at(-1);
      row?.scrollIntoView({ block: "start" });
      row?.querySelector("button")?.focus({ preventScroll: true });
    },
  }));

  // A day that is half done opens where one stands in it, unless something above it waits. Later it stays where the person
  // has put it.
  const waits = useRef(plan.n_late > 0 || plan.left_open !== null);
  useLayoutEffect(() => {
    const next = plan.is_today && !waits.current && list.current?.querySelector<HTMLElement>("[data-next]");
    if (next && innerHeight - BAR < next.getBoundingClientRect().bottom) {
      next.scrollIntoView({ block: "start", behavior: "instant" });
    }
  }, [plan.is_today]);

  const add = (
    <Button kind="quiet" onClick={onAdd}>
      Schedule Service
    </Button>
  );
  const leftOpen = plan.left_open && <LeftOpenVisits left={plan.left_open} onOpen={onOpen} onAll={onOverdue} />;
  if (plan.visits.length === 0 && plan.blocks.length === 0 && plan.stays.length === 0) {
    return (
      <>
        {leftOpen}
        <EmptyState
          icon={<CalendarPlus aria-hidden />}
          title={plan.is_today ? "Nothing to do today" : "Nothing scheduled on this day"}
          action={add}
        />
        <div className="flex *:flex-1">
          <CloseDayButton count={plan.n_to_close} />
        </div>
      </>
    );
  }
  const late = plan.visits.slice(0, plan.n_late);
  const rows = [
    ...plan.visits.slice(plan.n_late).map((visit) => ({
      key: visit.view.id,
      start: visit.continued ? timeOf(0) : visit.view.start_time,
      row: <VisitCard key={visit.view.id} visit={visit} next={visit.view.id === plan.next} onOpen={onOpen} />,
    })),
    ...plan.blocks.map((block) => ({
      key: block.id,
      start: timeOf(block.top),
      row: (
        <li
          key={block.id}
          className="grid grid-cols-[3.25rem_minmax(0,1fr)] gap-3 @max-[15rem]:grid-cols-1"
          data-start={timeOf(block.top)}
        >
          <CircleSlash aria-hidden className="mt-2 ml-auto size-4 text-ink-3 @max-[15rem]:hidden" />
          <p className={cx("num min-w-0 rounded-small px-3 py-2 text-14 text-ink-2 wrap-anywhere", HATCH)}>
            <BlockName block={block} />, <span className="inline-block">{block.formatted_time}</span>
            <span className="sr-only">, blocked</span>
          </p>
        </li>
      ),
    })),
    // Not in the order of a language, for which the browser would first load its rules.
  ].toSorted((a, b) => (a.start < b.start ? -1 : Number(a.start > b.start)));
  return (
    <>
      {leftOpen}
      {late.length > 0 && (
        <section aria-labelledby="late" className="grid grid-cols-1 gap-3 pb-5">
          <h2 id="late" className="text-16 font-bold">
            Overdue today
          </h2>
          <ul className={LIST} aria-labelledby="late">
            {late.map((visit) => (
              <VisitCard key={visit.view.id} visit={visit} next={false} onOpen={onOpen} />
            ))}
          </ul>
        </section>
      )}
      <ul ref={list} aria-label={plan.heading} className={LIST}>
        {plan.stays.map((stay) => (
          <li key={stay.view.id}>
            <StayBand stay={stay} onOpen={onOpen} />
          </li>
        ))}
        {rows.map((it) => it.row)}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2 *:flex-1">
        <CloseDayButton count={plan.n_to_close} />
        {plan.is_today && plan.visits.some((it) => it.view.status === "scheduled") && <RunningLateButton />}
        {plan.visits.length > 1 && <DayWayButton date={plan.date} />}
      </div>
    </>
  );
}

const LIST = "@container grid grid-cols-1 gap-3 scroll-smooth *:scroll-mt-4";

interface LeftOpenVisitsProps {
  left: LeftOpen;
  onOpen: (id: string) => void;
  onAll: () => void;
}

/** Overdue visits of earlier days stand above today until they are marked done or cancelled. */
function LeftOpenVisits({ left, onOpen, onAll }: LeftOpenVisitsProps) {
  return (
    <section aria-labelledby="left-open" className="grid grid-cols-1 gap-3 pb-5">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h2 id="left-open" className="num text-16 font-bold">
          {left.title}
        </h2>
        {left.count > left.visits.length && (
          <button type="button" className={SMALL_BUTTON} onClick={onAll}>
            View all
          </button>
        )}
      </div>
      <ul className={LIST} aria-labelledby="left-open">
        {left.visits.map((visit) => (
          <VisitCard
            key={visit.view.id}
            visit={visit}
            next={false}
            day={`${shortWeekday(visit.heading)} ${dayNumber(visit.view.date)}`}
            onOpen={onOpen}
          />
        ))}
      </ul>
    </section>
  );
}

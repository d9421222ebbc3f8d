/** Owns the day on a phone: visits under one another, the next one open, what is done stepping back. */
import { CalendarPlus, CircleSlash } from "lucide-react";
import { type Ref, useImperativeHandle, useLayoutEffect, useRef } from "react";
import type { DayPlan } from "../../core";
import { Button, cx, EmptyState } from "../../ui";
import { BlockName } from "./BlockName";
import { timeOf } from "./dates";
import { StayBand } from "./StayBand";
import { HATCH } from "./styles";
import type { Jumpable } from "./useGridScale";
import { VisitCard } from "./VisitCard";

/** What the phone's bottom bar covers at most, in pixels. */
const BAR = 96;

interface DayListProps {
  plan: DayPlan;
  onOpen: (id: string) => void;
  onAdd: () => void;
  ref?: Ref<Jumpable>;
}

export function DayList({ plan, onOpen, onAdd, ref }: DayListProps) {
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

  // A day that is half done opens where one stands in it. Later it stays where the person has put it.
  useLayoutEffect(() => {
    const next = plan.is_today && list.current?.querySelector<HTMLElement>("[data-next]");
    if (next && innerHeight - BAR < next.getBoundingClientRect().bottom) {
      next.scrollIntoView({ block: "start", behavior: "instant" });
    }
  }, [plan.is_today]);

  const add = (
    <Button kind="quiet" onClick={onAdd}>
      Schedule Service
    </Button>
  );
  if (plan.visits.length === 0 && plan.blocks.length === 0 && plan.stays.length === 0) {
    return (
      <EmptyState
        icon={<CalendarPlus aria-hidden />}
        title={plan.is_today ? "Nothing to do today" : "Nothing scheduled on this day"}
        action={add}
      />
    );
  }
  const rows = [
    ...plan.visits.map((visit) => ({
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
            <BlockName block={block} />, {block.formatted_time}
            <span className="sr-only">, blocked</span>
          </p>
        </li>
      ),
    })),
    // Not in the order of a language, for which the browser would first load its rules.
  ].toSorted((a, b) => (a.start < b.start ? -1 : Number(a.start > b.start)));
  return (
    <ul ref={list} aria-label={plan.heading} className="@container grid grid-cols-1 gap-3 scroll-smooth *:scroll-mt-4">
      {plan.stays.map((stay) => (
        <li key={stay.view.id}>
          <StayBand stay={stay} onOpen={onOpen} />
        </li>
      ))}
      {rows.map((it) => it.row)}
    </ul>
  );
}

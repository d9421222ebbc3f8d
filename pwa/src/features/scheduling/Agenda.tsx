/**
 * Owns several days on a phone, where columns would have no room for names: one day under the other, its visits by start.
 * A day's name leads to the day itself.
 */
import { CircleSlash, Moon, Plus } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { type CalendarDay, type CalendarItem, formatTime } from "../../core";
import { useRead } from "../../data";
import { timeOf } from "../../parts/dates";
import { SeriesMark } from "../../parts/visit/SeriesSigns";
import { dogNames, lateWord, shownStatus } from "../../parts/visit/visitText";
import { useWalkOf, WalkSign } from "../../parts/walk/WalkSign";
import { cx, StatusChip } from "../../ui";
import { BlockName } from "./BlockName";
import { PendingMark } from "./PendingMark";
import { StayBand } from "./StayBand";
import type { ScheduleState } from "./scheduleState";
import { MarkSign } from "./several/MarkSign";
import { useMarking } from "./several/useMarking";
import { HATCH, SMALL_BUTTON } from "./styles";
import { OvernightDot } from "./VisitCard";

interface AgendaProps {
  schedule: ScheduleState;
  now: number;
}

/** Core lays visits out in lanes, which a list has none of. */
const NO_LANES = 0;

export default function Agenda({ schedule, now }: AgendaProps) {
  const { span, date: selected } = schedule;
  const days = useRead((phone) => phone.calendarDays(span, selected, NO_LANES, now), span, selected, now);
  const list = useRef<HTMLDivElement>(null);
  // A week opens where one stands in it; what is above stays within reach.
  useEffect(() => {
    const day = list.current?.querySelector<HTMLElement>(`[data-day="${selected}"]`);
    if (day?.previousElementSibling) day.scrollIntoView({ block: "start", behavior: "instant" });
  }, [selected]);
  return (
    <div ref={list} className="grid grid-cols-1 gap-5">
      {days.map((day) => (
        <Day key={day.date} day={day} schedule={schedule} />
      ))}
    </div>
  );
}

function Day({ day, schedule }: { day: CalendarDay; schedule: ScheduleState }) {
  const { date, heading, is_today, stays, items, blocks } = day;
  const { today, create, show, details } = schedule;
  const rows: { start: number; row: ReactNode }[] = [
    ...items.map((item) => ({ start: item.top, row: <Row key={item.view.id} item={item} onOpen={details} /> })),
    ...blocks.map((block) => ({
      start: block.top,
      row: (
        <li key={block.id} className={cx("num px-4 py-2 text-14 text-ink-2 wrap-anywhere", HATCH)}>
          <CircleSlash aria-hidden className="mr-2 inline size-4 text-ink-3" />
          <BlockName block={block} />, <span className="inline-block">{block.formatted_time}</span>
          <span className="sr-only">, blocked</span>
        </li>
      ),
    })),
  ].toSorted((a, b) => a.start - b.start);
  const isEmpty = stays.length + rows.length === 0;
  return (
    <section data-day={date} aria-label={is_today ? "Today" : heading} className="@container min-w-0 scroll-mt-3">
      <div className="flex flex-wrap items-center justify-between gap-x-2">
        <h2 className="min-w-0">
          <button
            type="button"
            aria-current={date === schedule.date ? "date" : undefined}
            onClick={() => show({ date, span: "day" })}
            className="num min-h-12 rounded-small text-left text-16 font-bold wrap-anywhere"
          >
            {is_today ? `Today, ${heading}` : heading}
          </button>
        </h2>
        {date >= today && (
          <button
            type="button"
            aria-label={is_today ? undefined : `Add, ${heading}`}
            className={cx(SMALL_BUTTON, "-mr-2")}
            onClick={() => create({ date })}
          >
            <Plus aria-hidden className="size-4" />
            Add
          </button>
        )}
      </div>
      {isEmpty ? (
        <p className="pb-2 text-14 text-ink-2">{is_today ? "Nothing to do today" : "Nothing scheduled"}</p>
      ) : (
        <div className="grid grid-cols-1 gap-2">
          {stays.map((stay) => (
            <StayBand key={stay.view.id} stay={stay} onOpen={details} />
          ))}
          {rows.length > 0 && (
            <ul className="overflow-hidden rounded-large border border-line bg-card *:not-first:border-t *:not-first:border-line">
              {rows.map((it) => it.row)}
            </ul>
          )}
        </div>
      )}
    </section>
  );
}

const BAR = {
  scheduled: "before:bg-scheduled",
  completed: "before:bg-completed",
  cancelled: "before:bg-cancelled",
  overdue: "before:bg-tag",
};

function Row({ item, onOpen }: { item: CalendarItem; onOpen: (id: string) => void }) {
  const { view, street, continued } = item;
  const walk = useWalkOf(view.id);
  const { isOn, isMarked, handlers } = useMarking(view.id, onOpen);
  const isOpen = view.status === "scheduled";
  const status = walk ? view.status : shownStatus(view);
  return (
    <li data-start={timeOf(item.top)}>
      <button
        type="button"
        {...handlers}
        className={cx(
          "num relative flex min-h-14 w-full flex-wrap items-start gap-x-3 gap-y-1 py-2 pr-3 pl-4 text-left select-none [-webkit-touch-callout:none]",
          "-outline-offset-3 before:absolute before:inset-y-0 before:left-0 before:w-1 hover:bg-sunken",
          BAR[status],
        )}
      >
        <span
          className={cx("flex w-20 shrink-0 items-center gap-2 font-bold whitespace-nowrap", !isOpen && "text-ink-3")}
        >
          {isOn && <MarkSign isMarked={isMarked} />}
          <span className="text-14 leading-6">{formatTime(view.start_time)}</span>
        </span>
        <span className="min-w-0 flex-1 basis-[min(100%,8rem)]">
          <span
            className={cx(
              "block font-bold wrap-anywhere",
              !isOpen && "text-ink-2",
              view.status === "cancelled" && "line-through",
            )}
          >
            {dogNames(view)}
          </span>
          <span className="block text-14 text-ink-2 wrap-anywhere">
            <bdi>{view.client_name}</bdi>
            {street && (
              <>
                {" · "}
                <bdi>{street}</bdi>
              </>
            )}
          </span>
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 text-ink-2">
            {view.kind}, {view.length}
            {view.overnight && <OvernightDot />}
            <SeriesMark view={view} />
            <PendingMark id={view.id} />
            {status !== "scheduled" && (
              <StatusChip status={status}>{status === "overdue" ? lateWord(view) : undefined}</StatusChip>
            )}
          </span>
          {continued && (
            <span className="flex items-center gap-1 text-14 text-ink-2">
              <Moon aria-hidden className="size-4" /> Since yesterday
            </span>
          )}
          <WalkSign serviceId={view.id} />
        </span>
      </button>
    </li>
  );
}

/** Owns the times that are asked for: days, each with a start that the sitter really offers. */
import { Plus, Trash2 } from "lucide-react";
import { useEffect } from "react";
import { type ClosedDay, formatDate, formatTime, limits, plusDays, type ServiceType } from "../../core";
import { noConnection } from "../../data";
import { usePortal } from "../../data/portal/portal";
import { type SlotQuestion, useSlots } from "../../data/portal/slots";
import { useToday } from "../../parts/dates";
import { Button, Checkbox, DateField, IconButton, Select } from "../../ui";
import type { AskedTime } from "./askFields";
import { OpenCalendar } from "./OpenCalendar";
import { useSitterName } from "./ownClient";
import { type OpenAsk, timeField } from "./useAsk";

export function AskTimes({ ask: { fields, kind, draft, openStarts, changeTime } }: { ask: OpenAsk }) {
  const { times, often, duration_minutes } = fields;
  const today = useToday();
  const last = useLastDay(kind, today);
  const add = () => draft.set({ times: [...times, { date: "", start_time: times.at(-1)?.start_time ?? "" }] });
  const most = limits().requests_at_once;
  const remove = (place: number) => draft.set({ often, times: times.filter((_, at) => at !== place) });
  const choose = (date: string) => {
    const place = times.findIndex((it) => it.date === date);
    const free = times.findIndex((it) => it.date === "");
    if (place >= 0) return times.length > 1 ? remove(place) : changeTime(place, { date: "" });
    if (free >= 0 || often === "once") return changeTime(Math.max(free, 0), { date });
    if (times.length === most) return undefined;
    const added = [...times, { date, start_time: times.at(-1)?.start_time ?? "" }];
    return draft.set({ times: added.toSorted((a, b) => a.date.localeCompare(b.date)) });
  };
  return (
    <section aria-label="When" className="grid gap-3">
      <OpenCalendar
        question={{ service_type: kind, duration_minutes, stay: false }}
        chosen={times.map((it) => it.date)}
        onChoose={choose}
        last={last}
      />
      {times.length >= most && (
        <p role="status" className="text-14 text-ink-2">
          At most {most} visits can be requested at once.
        </p>
      )}
      {times.map((time, place) => (
        <TimeRow
          // The rows have nothing of their own, and one that goes takes its place with it.
          // oxlint-disable-next-line react/no-array-index-key
          key={place}
          place={place}
          time={time}
          question={{ date: time.date, service_type: kind, duration_minutes }}
          openStarts={openStarts}
          onChange={(change) => changeTime(place, change)}
          last={last}
          onRemove={times.length > 1 ? () => remove(place) : undefined}
        />
      ))}
      {often === "several" && times.length < most && (
        <div>
          <Button kind="quiet" icon={<Plus aria-hidden className="size-5" />} onClick={add}>
            Add another visit
          </Button>
        </div>
      )}
    </section>
  );
}

interface TimeRowProps {
  place: number;
  time: AskedTime;
  question: SlotQuestion;
  openStarts: OpenAsk["openStarts"];
  last: string | undefined;
  onChange: (change: Partial<AskedTime>) => void;
  onRemove: (() => void) | undefined;
}

/** One day with a start that the sitter offers, or one that is wished for. */
export function TimeRow({ place, time, question, openStarts, last, onChange, onRemove }: TimeRowProps) {
  const today = useToday();
  const name = useSitterName();
  const [{ slots, closed, trouble }, again] = useSlots(question);
  const starts = slots?.map((it) => it.start_time);
  const isClosed = time.date !== "" && starts?.length === 0;
  const canWish = slots !== undefined && (last === undefined || time.date <= last);
  const allStarts = limits().start_times.map((value) => ({ value, label: formatTime(value) }));
  const openOptions = slots?.map((it) => ({
    value: it.start_time,
    label: formatTime(it.start_time) + (it.suggested ? ", suggested" : ""),
  }));
  const options = time.is_wish || trouble ? allStarts : (openOptions ?? []);
  useEffect(() => {
    const known = openStarts.current;
    if (slots)
      known.set(
        place,
        slots.map((it) => it.start_time),
      );
    else known.delete(place);
    return () => void known.delete(place);
  }, [place, slots, openStarts]);

  return (
    <fieldset className="grid gap-2 rounded-large border border-line p-3">
      <legend className="sr-only">{`Visit ${place + 1}`}</legend>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2">
        <div className="grid gap-3 md:grid-cols-2">
          <DateField
            name={timeField("date", place)}
            label="Date"
            min={today}
            max={last}
            value={time.date}
            onChange={(date) => onChange({ date })}
          />
          <Select
            name={timeField("start_time", place)}
            label="Start time"
            placeholder={placeholder(
              time.date,
              slots !== undefined || trouble !== undefined,
              isClosed && !time.is_wish,
            )}
            // What is not open on this day is not shown as if it were, nor asked for.
            value={options.some((it) => it.value === time.start_time) ? time.start_time : null}
            onChange={(start_time) => onChange({ start_time })}
            options={options}
          />
        </div>
        {onRemove && (
          <IconButton label={`Remove visit ${place + 1}`} onClick={onRemove}>
            <Trash2 />
          </IconButton>
        )}
      </div>
      <p role="status" className="text-14 text-ink-2 empty:hidden">
        {isClosed && (closed?.reason ?? nothingOpen(time.date, last, name))}
        {trouble &&
          `${trouble.kind === "offline" ? `${noConnection()}.` : trouble.text} We'll check this time when your request is sent.`}
      </p>
      {isClosed && !time.is_wish && closed?.next && <NextTime next={closed.next} onChange={onChange} />}
      {(canWish || time.is_wish) && (
        <Checkbox
          name=""
          label="Request a time that is not offered"
          hint={time.is_wish && `${name} sees that this time is not offered, and decides.`}
          checked={time.is_wish ?? false}
          onChange={(is_wish) => onChange({ is_wish })}
        />
      )}
      {trouble && trouble.kind !== "offline" && (
        <div>
          <Button kind="quiet" onClick={again}>
            Try Again
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** A day beyond the last one that can be asked for is no full day. */
const nothingOpen = (date: string, last: string | undefined, name: string): string =>
  last !== undefined && last < date
    ? `${name} takes requests up to ${formatDate(last)}.`
    : "No times are open on this day. Please choose another day.";

/** Returns the last day that can be asked for, as far as this phone knows. */
export function useLastDay(type: ServiceType, today: string): string | undefined {
  // What was stored by an app of before has none.
  const days = usePortal().open?.advance_days?.[type];
  return typeof days === "number" ? plusDays(today, days) : undefined;
}

function NextTime({ next, onChange }: { next: NonNullable<ClosedDay["next"]>; onChange: TimeRowProps["onChange"] }) {
  return (
    <div>
      <Button kind="quiet" onClick={() => onChange(next)}>
        <span className="num">
          Take {formatDate(next.date)}, {formatTime(next.start_time)}
        </span>
      </Button>
    </div>
  );
}

function placeholder(date: string, isAnswered: boolean, isClosed: boolean): string {
  if (date === "") return "Select a date first";
  if (!isAnswered) return "Looking…";
  return isClosed ? "Nothing open" : "Select a start time";
}

/** Owns the days of a stay that is asked for, with arrival and departure. The sitter decides whether they are free. */
import { formatTime, limits, plusDays, type ServiceType } from "../../core";
import { useToday } from "../../parts/dates";
import { DateField, Select } from "../../ui";
import { OpenCalendar } from "./OpenCalendar";
import { type OpenAsk, timeField } from "./useAsk";

export function StayTimes({ ask: { fields, kind, draft } }: { ask: OpenAsk }) {
  const [{ date, start_time } = { date: "", start_time: "" }] = fields.times;
  const { end_date = "", departure_time = "" } = fields;
  const change = ({ date: day = date, start_time: start = start_time, ...stay }: Partial<StayFields>) =>
    draft.set({ times: [{ date: day, start_time: start }], ...stay });
  return (
    <section aria-label="When" className="grid gap-3">
      <StayDays kind={kind} stay={{ date, start_time, end_date, departure_time }} onChange={change} />
    </section>
  );
}

/** Days of a stay, each empty while it is chosen; a stay without a last day is of one day. */
export interface StayFields {
  date: string;
  end_date: string;
  start_time: string;
  departure_time: string;
}

interface StayDaysProps {
  kind: ServiceType;
  stay: StayFields;
  onChange: (change: Partial<StayFields>) => void;
  /** Id of the stay that is to be moved, and so is not in the way. */
  except?: string;
}

/** The days of a stay with arrival and departure, on a calendar and as fields. */
export function StayDays({ kind, stay, onChange, except }: StayDaysProps) {
  const { date, end_date, start_time, departure_time } = stay;
  const today = useToday();
  const offered = limits().start_times;
  // Times that the stay has are among the choices, wherever they lie.
  const times = [...new Set([...offered, start_time, departure_time].filter(Boolean))].toSorted();
  const starts = times.map((value) => ({ value, label: formatTime(value) }));
  // The first tap is the first day, and the next one the last.
  const choose = (day: string) =>
    date === "" || end_date !== "" || day < date ? onChange({ date: day, end_date: "" }) : onChange({ end_date: day });
  const question = { service_type: kind, duration_minutes: 0, stay: true };
  return (
    <>
      <OpenCalendar
        question={except === undefined ? question : { ...question, except }}
        chosen={daysOf(date, end_date)}
        onChoose={choose}
      />
      <div className="grid gap-3 md:grid-cols-2">
        <DateField
          name={timeField("date", 0)}
          label="First day"
          min={today}
          value={date}
          // The last day is never before the first.
          onChange={(date) => onChange({ date, ...(end_date !== "" && end_date < date && { end_date: date }) })}
        />
        <DateField
          name="requested_end_date"
          label="Last day"
          min={date || today}
          value={end_date || date}
          onChange={(end_date) => onChange({ end_date })}
        />
        <Select
          name={timeField("start_time", 0)}
          label="Arrival"
          placeholder="Select a time"
          value={start_time || null}
          onChange={(start_time) => onChange({ start_time })}
          options={starts}
        />
        <Select
          name="requested_departure_time"
          label="Departure"
          optional
          placeholder="Not sure yet"
          value={departure_time || null}
          onChange={(departure_time) => onChange({ departure_time })}
          options={starts}
        />
      </div>
      <p className="text-14 text-ink-2">Your sitter checks these days and answers your request.</p>
    </>
  );
}

/** The most days that the calendar marks. */
const MOST_MARKED = 366;

/** The days of a stay; without a last one its first alone. */
function daysOf(first: string, last: string): string[] {
  if (first === "") return [];
  const days = [first];
  while (days.length < MOST_MARKED && (days.at(-1) ?? last) < last) days.push(plusDays(days.at(-1) ?? last, 1));
  return days;
}

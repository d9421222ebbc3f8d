/** Owns the days of a stay that is asked for, with arrival and departure. The sitter decides whether they are free. */
import { formatTime, limits, plusDays } from "../../core";
import { useToday } from "../../parts/dates";
import { DateField, Select } from "../../ui";
import { OpenCalendar } from "./OpenCalendar";
import { type OpenAsk, timeField } from "./useAsk";

export function StayTimes({ ask: { fields, kind, draft, changeTime } }: { ask: OpenAsk }) {
  const today = useToday();
  const [{ date, start_time } = { date: "", start_time: "" }] = fields.times;
  const { end_date = "", departure_time = "" } = fields;
  const starts = limits().start_times.map((value) => ({ value, label: formatTime(value) }));
  // The first tap is the first day, and the next one the last.
  const choose = (day: string) =>
    date === "" || end_date !== "" || day < date
      ? draft.set({ times: [{ date: day, start_time }], end_date: "" })
      : draft.set({ end_date: day });
  return (
    <section aria-label="When" className="grid gap-3">
      <OpenCalendar
        question={{ service_type: kind, duration_minutes: 0, stay: true }}
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
          onChange={(date) =>
            draft.set({ times: [{ date, start_time }], ...(end_date !== "" && end_date < date && { end_date: date }) })
          }
        />
        <DateField
          name="requested_end_date"
          label="Last day"
          min={date || today}
          value={end_date || date}
          onChange={(end_date) => draft.set({ end_date })}
        />
        <Select
          name={timeField("start_time", 0)}
          label="Arrival"
          placeholder="Select a time"
          value={start_time || null}
          onChange={(start_time) => changeTime(0, { start_time })}
          options={starts}
        />
        <Select
          name="requested_departure_time"
          label="Departure"
          optional
          placeholder="Not sure yet"
          value={departure_time || null}
          onChange={(departure_time) => draft.set({ departure_time })}
          options={starts}
        />
      </div>
      <p className="text-14 text-ink-2">Your sitter sees whether these days are free, and answers.</p>
    </section>
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

/** Owns when a service is: its day and start, and how long it takes or, of a stay, when it ends and how it is counted. */
import { formatDuration, formatTime, limits } from "../../../core";
import { cx, DateField, Select, TimeField } from "../../../ui";
import { moved } from "./fields";
import type { OpenForm } from "./useServiceForm";

interface WhenItIsProps {
  form: OpenForm;
  /** The first day that can be chosen. */
  earliest: string;
}

export function WhenItIs({ form: { shown, booked, repeats, check, change, wrong }, earliest }: WhenItIsProps) {
  const { start_times, duration_options } = limits();
  const isStay = Boolean(shown.end_date);
  return (
    <div className={cx("grid pair gap-3", !isStay && "md:grid-cols-[minmax(0,6fr)_minmax(0,5fr)_minmax(0,5fr)]")}>
      <DateField
        className={cx(!isStay && "max-md:col-span-full")}
        name="date"
        label={booked?.is_stay ? "First day" : repeats?.trip ? "First day of the trip" : "Date"}
        min={earliest}
        value={shown.date}
        onChange={(date) =>
          // A stay that is put off stays as long as it was.
          change({ date, ...(shown.end_date && date && { end_date: moved(shown.end_date, shown.date, date) }) })
        }
        error={wrong("date")}
      />
      <Select
        name="start_time"
        label={isStay ? "Arrival" : "Start time"}
        value={shown.start_time}
        onChange={(start_time) => change({ start_time })}
        options={withOwn(
          start_times.map((value) => ({ value, label: formatTime(value) })),
          shown.start_time,
          formatTime,
        )}
        error={wrong("start_time")}
      />
      {shown.end_date ? (
        <>
          <DateField
            name="end_date"
            label="Last day"
            min={shown.date}
            value={shown.end_date}
            onChange={(end_date) => change({ end_date: end_date || shown.date })}
            error={wrong("end_date")}
          />
          <TimeField
            name="departure_time"
            label="Departure"
            optional
            value={shown.departure_time ?? ""}
            onChange={(it) => change({ departure_time: it || null })}
            error={wrong("departure_time")}
          />
          {check.stay_count && (
            <p aria-live="polite" className="num col-span-full text-14 wrap-anywhere text-ink-2">
              {check.stay_count}
            </p>
          )}
        </>
      ) : (
        <Select
          name="duration_minutes"
          label="Duration"
          value={shown.duration_minutes}
          onChange={(duration_minutes) => change({ duration_minutes })}
          options={withOwn(
            duration_options.map((it) => ({ value: it.minutes, label: it.label })),
            shown.duration_minutes,
            formatDuration,
          )}
          error={wrong("duration_minutes")}
        />
      )}
    </div>
  );
}

/** The options, with the value that is set where it is none of them, as a start before 6 AM. */
export function withOwn<V extends string | number>(
  options: { value: V; label: string }[],
  own: V,
  label: (value: V) => string,
): { value: V; label: string }[] {
  if (own === "" || options.some((it) => it.value === own)) return options;
  return [...options, { value: own, label: label(own) }].toSorted((a, b) => (a.value < b.value ? -1 : 1));
}

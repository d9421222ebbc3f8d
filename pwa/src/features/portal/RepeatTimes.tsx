/** Owns the days and the time of a visit that is asked for each week. The sitter decides on each of its days. */
import { useMinute } from "../../browser/clock";
import { formatTime, limits } from "../../core";
import { useReplica } from "../../data";
import { DateField, Select } from "../../ui";
import { Weekdays } from "../scheduling";
import type { AskedRepeats } from "./askFields";
import { type OpenAsk, timeField } from "./useAsk";

export function RepeatTimes({ ask: { fields, draft, changeTime }, repeats }: RepeatTimesProps) {
  const now = useMinute();
  const today = useReplica((phone) => phone.today(now));
  const [{ date, start_time } = { date: "", start_time: "" }] = fields.times;
  const change = (next: Partial<AskedRepeats>) => draft.set({ repeats: { ...repeats, ...next } });
  return (
    <section aria-label="When" className="grid gap-3">
      <Weekdays value={repeats.weekdays} onChange={(weekdays) => change({ weekdays })} />
      <div className="grid gap-3 md:grid-cols-2">
        <Select
          name={timeField("start_time", 0)}
          label="Start time"
          placeholder="Select a start time"
          value={start_time || null}
          onChange={(start_time) => changeTime(0, { start_time })}
          options={limits().start_times.map((value) => ({ value, label: formatTime(value) }))}
        />
        <DateField
          name={timeField("date", 0)}
          label="First day"
          min={today}
          value={date}
          onChange={(date) => changeTime(0, { date })}
        />
        <DateField
          name="last_day"
          label="Last day"
          optional
          min={date || today}
          value={repeats.last_day}
          onChange={(last_day) => change({ last_day })}
        />
      </div>
      <p className="text-14 text-ink-2">Your sitter sees which days are free, and answers for all of them.</p>
    </section>
  );
}

interface RepeatTimesProps {
  ask: OpenAsk;
  repeats: AskedRepeats;
}

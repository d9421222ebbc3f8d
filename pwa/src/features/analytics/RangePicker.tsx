/** Owns choosing which days are looked at: some that end today, or any two dates (SPEC 9, Analytics). */
import { DateField, Segmented } from "../../ui";
import type { Address } from "./range";

export function RangePicker({ address: { range, presets, setDays, setDates } }: { address: Address }) {
  const errorAt = (field: string) => range.errors.find((it) => it.field === field)?.text;
  return (
    <section aria-label="Days" className="grid items-end gap-3 xl:grid-cols-2">
      <Segmented
        label="Days up to today"
        value={range.days ?? 0}
        onChange={setDays}
        options={presets.map(({ days }) => ({ value: days, label: <>{days} d</> }))}
      />
      <div className="pair grid gap-3">
        {/* A date that is half typed is none yet. */}
        <DateField
          name="from"
          label="From"
          value={range.first}
          onChange={(first) => first && setDates(first, range.last)}
          error={errorAt("startDate")}
        />
        <DateField
          name="to"
          label="To"
          value={range.last}
          onChange={(last) => last && setDates(range.first, last)}
          error={errorAt("endDate")}
        />
      </div>
    </section>
  );
}

/** Owns the entries of a menu by which visits are marked and days copied. */
import { plusDays, weekStart } from "../../../core";
import { WEEK_DAYS } from "../../../parts/dates";
import type { MenuEntry } from "../../../ui";
import type { ScheduleState } from "../scheduleState";
import type { Selection } from "./selection";

export function severalItems({ view, date, copy }: ScheduleState, { isOn, begin }: Selection): MenuEntry[] {
  if (view === "availability") return [];
  const first = weekStart(date);
  const select: MenuEntry[] = isOn ? [] : [{ label: "Select visits", onSelect: () => begin() }];
  if (view === "list") return select;
  return [
    ...select,
    { label: "Copy this day", onSelect: () => copy({ first: date, last: date }) },
    { label: "Copy this week", onSelect: () => copy({ first, last: plusDays(first, WEEK_DAYS - 1) }) },
  ];
}

/** Owns the entries of a menu by which visits are marked and days copied. */
import { formatDateHeading, plusDays, weekStart } from "../../../core";
import { WEEK_DAYS } from "../../../parts/dates";
import type { MenuEntry } from "../../../ui";
import type { ScheduleState } from "../scheduleState";
import type { Selection } from "./selection";

export function severalItems(
  { view, span, date, copy }: ScheduleState,
  { isOn, begin, clear }: Selection,
): MenuEntry[] {
  if (view === "availability") return [];
  const first = weekStart(date);
  const select: MenuEntry[] = [
    isOn ? { label: "Stop marking", onSelect: clear } : { label: "Select visits", onSelect: () => begin() },
  ];
  if (view === "list") return select;
  return [
    ...select,
    // Among several days a day has to be named.
    {
      label: span === "day" ? "Copy this day" : `Copy ${formatDateHeading(date)}`,
      onSelect: () => copy({ first: date, last: date }),
    },
    { label: "Copy this week", onSelect: () => copy({ first, last: plusDays(first, WEEK_DAYS - 1) }) },
  ];
}

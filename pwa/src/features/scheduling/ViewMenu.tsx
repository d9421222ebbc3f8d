/** Owns what a phone has in place of the rows of toggles above the schedule: one button with all of them. */
import { CalendarDays } from "lucide-react";
import type { RefObject } from "react";
import { plusDays } from "../../core";
import { HOUR_MINUTES } from "../../parts/dates";
import { IconButton, Menu, type MenuEntry } from "../../ui";
import { aboveNow, HOUR_JUMPS, SPANS } from "./CalendarView";
import type { ScheduleState } from "./scheduleState";
import { useSelection } from "./several/selection";
import { severalItems } from "./several/severalItems";
import type { Jumpable } from "./useGridScale";

interface ViewMenuProps {
  schedule: ScheduleState;
  /** The minute of the day. */
  minuteNow: number;
  jumpable: RefObject<Jumpable | null>;
}

export function ViewMenu({ schedule, minuteNow, jumpable }: ViewMenuProps) {
  const { view, span, date, today, show } = schedule;
  const isCalendar = view === "calendar";
  const isDay = isCalendar && span === "day";
  const views = [
    ...SPANS.map(({ value, label }) => ({
      label,
      checked: isCalendar && span === value,
      onSelect: () => show({ view: "calendar", span: value }),
    })),
    { label: "List", checked: view === "list", onSelect: () => show({ view: "list" }) },
    { label: "Availability", checked: view === "availability", onSelect: () => show({ view: "availability" }) },
  ];
  const now = () => {
    // Where one stands in a day is where that opens.
    if (date === today) jumpable.current?.jump(aboveNow(minuteNow));
    else show({ date: today });
  };
  const jumps: MenuEntry[] = [
    "line",
    { label: date === today ? "Now" : "Today", onSelect: now },
    ...HOUR_JUMPS.map(({ hour, label }) => ({ label, onSelect: () => jumpable.current?.jump(hour * HOUR_MINUTES) })),
    "line",
    { label: "Previous week", onSelect: () => show({ date: plusDays(date, -7) }) },
    { label: "Next week", onSelect: () => show({ date: plusDays(date, 7) }) },
  ];
  const shown = views.find((it) => it.checked);
  const several = severalItems(schedule, useSelection());
  const line: readonly MenuEntry[] = several.length > 0 ? ["line"] : [];
  return (
    <Menu
      label="View"
      items={[...views, ...(isDay ? jumps : []), ...line, ...several]}
      trigger={(props) => (
        <IconButton kind="round" label={`View: ${shown?.label}`} {...props}>
          <CalendarDays />
        </IconButton>
      )}
    />
  );
}

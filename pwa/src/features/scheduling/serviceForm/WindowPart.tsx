/** Owns the window in which a visit may begin, where that was agreed with the client and not the start itself. */
import { Checkbox, TimeField } from "../../../ui";
import type { OpenForm } from "./useServiceForm";

/** A proposed window begins so many minutes before the start, and ends as many after it. */
const HOUR = 60;
const LAST_MINUTE = 24 * HOUR - 1;

export function WindowPart({ form: { shown, change, wrong } }: { form: OpenForm }) {
  if (shown.end_date) return null;
  const hasWindow = shown.window_from != null || shown.window_to != null;
  const toggle = (checked: boolean) => {
    const [hours = 0, minutes = 0] = shown.start_time.split(":").map(Number);
    const start = hours * HOUR + minutes;
    change(
      checked
        ? { window_from: clock(Math.max(0, start - HOUR)), window_to: clock(Math.min(LAST_MINUTE, start + HOUR)) }
        : { window_from: null, window_to: null },
    );
  };
  return (
    <div className="grid grid-cols-1 gap-2">
      <Checkbox
        name="has_window"
        label="Begins within a window"
        hint="Pet parents see the window instead of the exact time, and are not notified if you move the visit within it."
        checked={hasWindow}
        onChange={toggle}
      />
      {hasWindow && (
        <div className="grid pair gap-3">
          <TimeField
            name="window_from"
            label="Begins no earlier than"
            value={shown.window_from ?? ""}
            onChange={(it) => change({ window_from: it || null })}
            error={wrong("window_from")}
          />
          <TimeField
            name="window_to"
            label="Begins no later than"
            value={shown.window_to ?? ""}
            onChange={(it) => change({ window_to: it || null })}
            error={wrong("window_to")}
          />
        </div>
      )}
    </div>
  );
}

const two = (number: number): string => String(number).padStart(2, "0");

const clock = (minute: number): string => `${two(Math.floor(minute / HOUR))}:${two(minute % HOUR)}`;

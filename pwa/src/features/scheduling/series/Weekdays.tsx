/** Owns the choice of days of the week. */
import { cx, FieldGroup } from "../../../ui";
import { SMALL_BUTTON_EDGE } from "../styles";
import { WORKING_DAYS, weekdayOptions } from "./repeats";

interface WeekdaysProps {
  /** 0 = Sunday to 6 = Saturday. */
  value: readonly number[];
  onChange: (weekdays: number[]) => void;
  error?: string | undefined;
}

export function Weekdays({ value, onChange, error }: WeekdaysProps) {
  const tick = (day: number, isOn: boolean) =>
    onChange(isOn ? [...value, day].toSorted((a, b) => a - b) : value.filter((it) => it !== day));
  return (
    <FieldGroup name="rule" label="Days of the week" error={error}>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(4rem,1fr))] gap-2 md:grid-cols-7">
        {weekdayOptions.map((it) => (
          <DayToggle
            key={it.value}
            label={it.label}
            checked={value.includes(it.value)}
            onChange={(isOn) => tick(it.value, isOn)}
          />
        ))}
      </div>
      <button
        type="button"
        className={cx(SMALL_BUTTON_EDGE, "mt-1 justify-self-start")}
        onClick={() => onChange([...WORKING_DAYS])}
      >
        Monday to Friday
      </button>
    </FieldGroup>
  );
}

interface DayToggleProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A day of the week, as large as a thumb in a glove. */
function DayToggle({ label, checked, onChange }: DayToggleProps) {
  return (
    <label className="relative grid min-h-12 cursor-pointer place-items-center text-14 font-medium">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className={cx(
          "peer absolute inset-0 size-full cursor-pointer appearance-none rounded-large border border-edge bg-card transition-colors",
          "checked:border-act checked:bg-act forced-colors:checked:bg-[Highlight]",
          "focus-visible:outline-3 focus-visible:outline-scheduled",
        )}
      />
      <span
        aria-hidden
        className="pointer-events-none relative peer-checked:font-bold peer-checked:text-on-act forced-colors:peer-checked:text-[HighlightText]"
      >
        {label.slice(0, 3)}
      </span>
    </label>
  );
}

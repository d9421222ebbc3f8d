/** Owns dates and times by the phone's own pickers; values are `YYYY-MM-DD` and `HH:MM` as everywhere, "" for none. */
import { cx } from "./cx";
import { CONTROL, Field, type FieldProps } from "./Field";

interface DateFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  min?: string | undefined;
  max?: string | undefined;
}

const NATIVE = "num block appearance-none text-left [&::-webkit-date-and-time-value]:text-left";

/** Browsers take years of six digits, and with a last day those alone that it has. */
const LAST_DAY = "9999-12-31";

export function DateField({ value, onChange, min, max = LAST_DAY, ...field }: DateFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type="date"
          value={value}
          min={min}
          max={max}
          onChange={(event) => onChange(event.target.value)}
          className={cx(CONTROL, NATIVE)}
        />
      )}
    </Field>
  );
}

/** `stepMinutes` is what the picker offers; other minutes can still be typed. */
export function TimeField({
  value,
  onChange,
  stepMinutes,
  ...field
}: Omit<DateFieldProps, "min" | "max"> & { stepMinutes?: number }) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type="time"
          value={value}
          step={stepMinutes ? stepMinutes * 60 : undefined}
          // Some browsers add seconds; the core knows none.
          onChange={(event) => onChange(event.target.value.slice(0, 5))}
          className={cx(CONTROL, NATIVE)}
        />
      )}
    </Field>
  );
}

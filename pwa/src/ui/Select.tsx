/** Owns picking one of several by the phone's own picker, which beats every imitation of it. */
import { ChevronDown } from "lucide-react";
import { memo } from "react";
import { cx } from "./cx";
import { CONTROL, Field, type FieldProps } from "./Field";

export interface SelectOption<V extends string | number> {
  value: V;
  label: string;
  disabled?: boolean;
  /** Heading above this option and those after it that have the same one. */
  group?: string;
}

interface SelectProps<V extends string | number> extends FieldProps {
  value: V | null;
  onChange: (value: V) => void;
  onFocus?: () => void;
  options: readonly SelectOption<V>[];
  /** Shown while nothing is picked: 'Select a client'. */
  placeholder?: string;
}

export function Select<V extends string | number>({
  value,
  onChange,
  onFocus,
  options,
  placeholder,
  ...field
}: SelectProps<V>) {
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative">
          <select
            {...control}
            onFocus={onFocus}
            value={value === null ? "" : String(value)}
            onChange={(event) => {
              const picked = options.find((it) => String(it.value) === event.target.value);
              if (picked) onChange(picked.value);
            }}
            className={cx(CONTROL, "appearance-none pr-10", value === null && "text-ink-3")}
          >
            {(placeholder !== undefined || value === null) && (
              <option value="" disabled>
                {placeholder ?? ""}
              </option>
            )}
            <Options options={options} />
          </select>
          <ChevronDown aria-hidden className="pointer-events-none absolute top-3 right-3 size-6 text-ink-2" />
        </div>
      )}
    </Field>
  );
}

/** There may be hundreds, and they change more seldom than the form around them. */
const Options = memo(function Options({ options }: { options: readonly SelectOption<string | number>[] }) {
  const groups = [...new Set(options.map((it) => it.group))];
  return groups.map((group) => {
    const shown = options.filter((it) => it.group === group);
    const drawn = shown.map((it) => (
      <option key={it.value} value={String(it.value)} disabled={it.disabled} className="text-ink">
        {it.label}
      </option>
    ));
    return group === undefined ? (
      drawn
    ) : (
      <optgroup key={group} label={group} className="text-ink">
        {drawn}
      </optgroup>
    );
  });
});

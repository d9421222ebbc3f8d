/** Owns choosing of which kind a list shows: native radios as chips, each with how many there are. */
import { useId } from "react";
import { cx } from "../../ui";

interface FilterChipsProps<V extends string> {
  label: string;
  value: V;
  onChange: (value: V) => void;
  options: readonly { value: V; label: string; count: number }[];
}

export function FilterChips<V extends string>({ label, value, onChange, options }: FilterChipsProps<V>) {
  const group = useId();
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{label}</legend>
      {options.map((it) => (
        <label
          key={it.value}
          className={cx(
            "num inline-flex min-h-12 cursor-pointer items-center gap-2 rounded-full border px-4 text-14 font-medium",
            "border-line bg-card text-ink-2 hover:bg-sunken has-checked:border-act has-checked:bg-sunken has-checked:font-bold has-checked:text-ink",
            "has-focus-visible:outline-3 has-focus-visible:outline-scheduled",
          )}
        >
          <input
            type="radio"
            name={group}
            checked={it.value === value}
            onChange={() => onChange(it.value)}
            className="sr-only"
          />
          {it.label} <span className="text-12">{it.count}</span>
        </label>
      ))}
    </fieldset>
  );
}

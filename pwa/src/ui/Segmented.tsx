/** Owns picking one of a few that are all in sight; native radios, so that arrows and screen readers just work. */
import { type ReactNode, useId } from "react";
import { cx } from "./cx";

interface SegmentedProps<V extends string | number> {
  /** For those who do not see it from the place. */
  label: string;
  value: V;
  onChange: (value: V) => void;
  options: readonly { value: V; label: ReactNode }[];
  className?: string;
}

export function Segmented<V extends string | number>({
  label,
  value,
  onChange,
  options,
  className,
}: SegmentedProps<V>) {
  const group = useId();
  return (
    <fieldset className={cx("flex flex-wrap gap-[2px] rounded-large bg-sunken p-1", className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((it) => (
        <label
          key={it.value}
          className={cx(
            "relative grid min-h-10 min-w-fit flex-1 cursor-pointer place-items-center rounded-[12px] px-1 text-center whitespace-nowrap text-14 font-medium",
            "text-ink-2 transition-colors before:absolute before:-inset-y-1 before:inset-x-0 hover:text-ink",
            "has-checked:bg-card has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--color-line)]",
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
          <span className="num">{it.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

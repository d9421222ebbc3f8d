/** Owns yes-or-no: `Checkbox` for what is saved with a form, `Switch` for what takes effect at once. */
import { Check } from "lucide-react";
import { type ReactNode, useId } from "react";
import { cx } from "./cx";
import { FieldErrorText } from "./Field";
import { useFieldError } from "./Form";

interface ToggleProps {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  /** For eyes that see it from the place; still read to others. */
  hideLabel?: boolean;
  className?: string;
}

export function Checkbox({ name, label, hint, checked, onChange, disabled, className }: ToggleProps) {
  const id = useId();
  const error = useFieldError(name);
  const described = cx(hint ? `${id}-hint` : null, error ? `${id}-error` : null);
  return (
    <div className={className}>
      <label className={cx("flex min-h-12 items-center gap-3 py-1", disabled && "opacity-55")}>
        <span className="relative grid size-6 shrink-0 place-items-center">
          <input
            type="checkbox"
            name={name}
            checked={checked}
            disabled={disabled}
            aria-describedby={described || undefined}
            aria-invalid={error ? true : undefined}
            onChange={(event) => onChange(event.target.checked)}
            className="peer col-start-1 row-start-1 size-6 appearance-none rounded-[7px] border-[1.5px] border-edge bg-card transition-colors checked:border-act checked:bg-act aria-invalid:border-danger"
          />
          <Check
            aria-hidden
            strokeWidth={3}
            className="pointer-events-none col-start-1 row-start-1 size-4 text-on-act opacity-0 peer-checked:opacity-100"
          />
        </span>
        <span className="min-w-0 flex-1">
          {label}
          {hint && (
            <span id={`${id}-hint`} className="block text-14 text-ink-2">
              {hint}
            </span>
          )}
        </span>
      </label>
      <FieldErrorText id={`${id}-error`} text={error} />
    </div>
  );
}

export function Switch({ name, label, hint, checked, onChange, disabled, hideLabel, className }: ToggleProps) {
  const id = useId();
  return (
    <label className={cx("flex min-h-12 items-center justify-between gap-4 py-1", disabled && "opacity-55", className)}>
      <span className={cx(hideLabel && "sr-only")}>
        <span className="font-medium">{label}</span>
        {hint && (
          <span id={`${id}-hint`} className="block text-14 text-ink-2">
            {hint}
          </span>
        )}
      </span>
      <span className="relative inline-flex shrink-0">
        <input
          type="checkbox"
          role="switch"
          aria-checked={checked}
          name={name}
          checked={checked}
          disabled={disabled}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={(event) => onChange(event.target.checked)}
          className="peer h-8 w-13 appearance-none rounded-full border-[1.5px] border-edge bg-sunken transition-colors checked:border-completed checked:bg-completed"
        />
        <span
          aria-hidden
          className="pointer-events-none absolute top-1 left-1 size-6 rounded-full bg-edge transition-transform peer-checked:translate-x-5 peer-checked:bg-card"
        />
      </span>
    </label>
  );
}

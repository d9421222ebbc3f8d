/**
 * Owns numbers and money as they are typed. The letters stay as typed ("12.", "0.50") until the field is left, and longer
 * where they are no number: then that is said, and the form is not sent. Outside there is only a number, or null for
 * nothing. How a number is read, and its limits, are the core's to judge.
 */
import { type ReactNode, useState } from "react";
import { type NumberKind, readNumber } from "../core";
import { cx } from "./cx";
import { CONTROL, Field, type FieldProps } from "./Field";
import { useBegun } from "./Form";

interface NumberFieldProps extends FieldProps {
  value: number | null;
  onChange: (value: number | null) => void;
  /** Whole numbers only: the phone shows its number pad without a point. */
  integer?: boolean;
  /** 'min', '%', 'lbs'. */
  unit?: ReactNode;
  placeholder?: string;
}

export function NumberField({ integer: whole, ...rest }: NumberFieldProps) {
  return <NumericField {...rest} kind={whole ? "whole" : "decimal"} show={(it) => String(it)} />;
}

/** Dollars, two decimals once the field is left. */
export function MoneyField(props: Omit<NumberFieldProps, "unit" | "integer">) {
  return <NumericField {...props} kind="money" prefix="$" show={(it) => it.toFixed(2)} />;
}

interface NumericFieldProps extends NumberFieldProps {
  kind: NumberKind;
  prefix?: string;
  show: (value: number) => string;
}

/** Text that is typed and is not only a number yet. */
interface Typed {
  text: string;
  /** Why it is no number. */
  error: string | null;
  /** True if the error is shown; it is not while a number is half typed. */
  isSaid: boolean;
  /** How often the form had begun anew. */
  begun: number;
}

function NumericField({ value, onChange, unit, prefix, placeholder, kind, show, ...field }: NumericFieldProps) {
  const begun = useBegun();
  const [last, setTyped] = useState<Typed>();
  const typed = last?.begun === begun ? last : undefined;
  const wrong = typed?.error ?? "";
  return (
    <Field {...field} error={(typed?.isSaid && wrong) || field.error}>
      {(control) => (
        <div className="relative">
          {prefix && (
            <span aria-hidden className="absolute inset-y-0 left-3 grid place-items-center text-ink-2">
              {prefix}
            </span>
          )}
          <input
            {...control}
            // A form asks its inputs for this before it is sent.
            ref={(input) => input?.setCustomValidity(wrong)}
            type="text"
            inputMode={kind === "whole" ? "numeric" : "decimal"}
            autoComplete="off"
            placeholder={placeholder}
            value={typed?.text ?? (value === null ? "" : show(value))}
            onFocus={(event) => event.target.select()}
            onChange={({ target: { value: text } }) => {
              const { value: number, error } = readNumber(text, kind);
              setTyped({ text, error, isSaid: false, begun });
              onChange(number);
            }}
            onBlur={() => setTyped(typed?.error ? { ...typed, isSaid: true } : undefined)}
            onInvalid={() => setTyped(typed && { ...typed, isSaid: true })}
            className={cx(CONTROL, "num", prefix && "pl-7", Boolean(unit) && "pr-14")}
          />
          {unit && (
            <span aria-hidden className="absolute inset-y-0 right-3 grid place-items-center text-14 text-ink-2">
              {unit}
            </span>
          )}
        </div>
      )}
    </Field>
  );
}

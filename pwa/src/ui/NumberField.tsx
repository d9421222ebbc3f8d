/**
 * Owns numbers and money as they are typed. The letters stay as typed ("12.", "0.50") until the field is left;
 * outside there is only a number, or null for nothing. Limits are the core's to judge.
 */
import { type ReactNode, useState } from "react";
import { cx } from "./cx";
import { CONTROL, Field, type FieldProps } from "./Field";

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
  return <NumericField {...rest} inputMode={whole ? "numeric" : "decimal"} show={(it) => String(it)} />;
}

/** Dollars, two decimals once the field is left. */
export function MoneyField(props: Omit<NumberFieldProps, "unit" | "whole">) {
  return <NumericField {...props} inputMode="decimal" prefix="$" show={(it) => it.toFixed(2)} />;
}

interface NumericFieldProps extends NumberFieldProps {
  inputMode: "numeric" | "decimal";
  prefix?: string;
  show: (value: number) => string;
}

function NumericField({ value, onChange, unit, prefix, placeholder, inputMode, show, ...field }: NumericFieldProps) {
  const [typed, setTyped] = useState<string>();
  const text = typed ?? (value === null ? "" : show(value));
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative">
          {prefix && (
            <span aria-hidden className="absolute inset-y-0 left-3 grid place-items-center text-ink-2">
              {prefix}
            </span>
          )}
          <input
            {...control}
            type="text"
            inputMode={inputMode}
            autoComplete="off"
            placeholder={placeholder}
            value={text}
            onFocus={(event) => event.target.select()}
            onChange={(event) => {
              setTyped(event.target.value);
              onChange(parse(event.target.value));
            }}
            onBlur={() => setTyped(undefined)}
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

/** What is no number counts as nothing; a comma is a point, as many keyboards have only that. */
function parse(text: string): number | null {
  const clean = text.trim().replace(",", ".").replace(/^\$/, "");
  const value = Number(clean);
  return clean === "" || !Number.isFinite(value) ? null : value;
}

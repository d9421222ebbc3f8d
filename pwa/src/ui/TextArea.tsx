/** Owns text of several lines; grows with what is typed where the browser can. */
import type { ComponentProps } from "react";
import { cx } from "./cx";
import { CONTROL, Field, type FieldProps } from "./Field";
import { textState } from "./textRules";

interface TextAreaProps extends FieldProps, Pick<ComponentProps<"textarea">, "placeholder" | "autoFocus" | "ref"> {
  value: string;
  onChange: (value: string) => void;
  rows?: number;
}

export function TextArea({ value, onChange, rows = 3, ...rest }: TextAreaProps) {
  const { name, label, hint, error, optional, hideLabel, disabled, className, ...native } = rest;
  const { wrong, room } = textState(name, value);
  return (
    <Field {...{ name, label, hint, error: error ?? wrong, room, optional, hideLabel, disabled, className }}>
      {(control) => (
        <textarea
          {...control}
          {...native}
          data-autofocus={native.autoFocus || undefined}
          dir="auto"
          rows={rows}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={cx(CONTROL, "field-sizing-content max-h-[40dvh] py-3")}
        />
      )}
    </Field>
  );
}

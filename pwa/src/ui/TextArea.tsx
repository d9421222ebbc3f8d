/** Owns text of several lines; grows with what is typed where the browser can. */
import type { ComponentProps } from "react";
import { cx } from "./cx";
import { CONTROL, Field, type FieldProps } from "./Field";
import { type ReadBy, useReadBy } from "./Readers";
import { textState } from "./textRules";

interface TextAreaProps
  extends Omit<FieldProps, "mark">,
    Pick<ComponentProps<"textarea">, "placeholder" | "autoFocus" | "ref"> {
  value: string;
  onChange: (value: string) => void;
  /** Readers of it beside the person who types. */
  reader: ReadBy;
  rows?: number;
}

export function TextArea({ value, onChange, rows = 3, ...rest }: TextAreaProps) {
  const { name, label, hint: ownHint, reader, error, optional, hideLabel, disabled, className, ...native } = rest;
  const { hint, mark } = useReadBy(reader, ownHint);
  const { wrong, room } = textState(name, value);
  return (
    <Field {...{ name, label, hint, error: error ?? wrong, room, optional, hideLabel, disabled, className, mark }}>
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

/** Owns one-line text: names, e-mails, phones, passwords. */
import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { IconButton } from "./Button";
import { cx } from "./cx";
import { CONTROL, Field, type FieldProps } from "./Field";
import { type ReadBy, useReadBy } from "./Readers";
import { textState } from "./textRules";

type Native = Pick<
  ComponentProps<"input">,
  | "autoComplete"
  | "autoCapitalize"
  | "autoFocus"
  | "enterKeyHint"
  | "inputMode"
  | "list"
  | "placeholder"
  | "ref"
  | "onBlur"
>;

interface TextFieldProps extends Omit<FieldProps, "mark">, Native {
  value: string;
  onChange: (value: string) => void;
  /** Readers of it beside the person who types. */
  reader: ReadBy;
  type?: "text" | "email" | "tel" | "url" | "password";
  /** Beside the input, inside its edge. */
  suffix?: ReactNode;
}

export function TextField({ value, onChange, type = "text", suffix, ...rest }: TextFieldProps) {
  const { name, label, hint: ownHint, reader, error, optional, hideLabel, disabled, className, ...native } = rest;
  const { hint, mark } = useReadBy(reader, ownHint);
  const { wrong, room } = textState(name, value);
  const [shown, setShown] = useState(false);
  return (
    <Field {...{ name, label, hint, error: error ?? wrong, room, optional, hideLabel, disabled, className, mark }}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            {...native}
            data-autofocus={native.autoFocus || undefined}
            dir={type === "text" ? "auto" : undefined}
            type={type === "password" && shown ? "text" : type}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={cx(CONTROL, type === "password" && "pr-12")}
          />
          {type === "password" ? (
            <span className="absolute top-0 right-0 text-ink-2">
              <IconButton label={shown ? "Hide password" : "Show password"} onClick={() => setShown(!shown)}>
                {shown ? <EyeOff /> : <Eye />}
              </IconButton>
            </span>
          ) : (
            suffix && <span className="absolute inset-y-0 right-3 grid place-items-center text-ink-2">{suffix}</span>
          )}
        </div>
      )}
    </Field>
  );
}

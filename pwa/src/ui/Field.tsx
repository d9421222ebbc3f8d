/**
 * Owns what all inputs share: label, hint, error, and how they are tied together for those who do not see them.
 * An input takes its error from the `Form` around it by its name; it checks nothing itself, rules live in the core.
 */
import { createContext, type ReactNode, use, useId } from "react";
import { cx } from "./cx";
import { useFieldError } from "./Form";

export interface FieldProps {
  /** As in the core's field errors: `name`, `dogs.0.name`. */
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  /** Overrides what the form says. */
  error?: string | undefined;
  /** How much of its room a text takes, where that is nearly all. */
  room?: string | undefined;
  /** Shown as '(optional)' behind the label; most fields of ours are needed. */
  optional?: boolean;
  /** For eyes that see it from the place; still read to others. */
  hideLabel?: boolean;
  disabled?: boolean;
  className?: string;
  /** Mark beside the label, in place of the form's. */
  mark?: ReactNode;
}

export interface ControlProps {
  id: string;
  name: string;
  disabled: boolean | undefined;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

/**
 * Ties inputs to what a form holds, by name: `const bound = bind(form, draft.set)`, then
 * `<TextField label="Reason" {...bound("reason")} />`.
 */
export const bind =
  <T extends object>(form: T, set: (change: Partial<T>) => void) =>
  <F extends keyof T & string>(name: F) => ({
    name,
    value: form[name],
    onChange: (value: T[F]) => set({ [name]: value } as unknown as Partial<T>),
  });

/** Mark beside the label of the field with this name. */
export type MarkOf = (name: string) => ReactNode;

/** Marks of a form's fields, such as who reads them. */
export const MarksContext = createContext<MarkOf | undefined>(undefined);

/** The look of everything that can be typed in or picked from. */
export const CONTROL =
  "w-full min-h-12 rounded-small border border-edge bg-card px-3 text-16 text-ink transition-colors " +
  "placeholder:text-ink-3 hover:border-ink-2 focus-visible:outline-offset-0 disabled:opacity-55 " +
  "aria-invalid:border-danger aria-invalid:shadow-[inset_0_0_0_1px_var(--color-danger)]";

export function Field({
  name,
  label,
  hint,
  error,
  room,
  optional,
  hideLabel,
  disabled,
  className,
  mark: ownMark,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const fromForm = useFieldError(name);
  const text = error ?? fromForm;
  const marks = use(MarksContext);
  const mark = ownMark === undefined ? marks?.(name) : ownMark;
  const described = cx(
    hint ? `${id}-hint` : null,
    room ? `${id}-room` : null,
    text ? `${id}-error` : null,
    mark ? `${id}-mark` : null,
  );
  const labelled = (
    <label htmlFor={id} className={cx("min-w-0 text-14 font-medium wrap-anywhere", hideLabel && "sr-only")}>
      {label}
      {optional && <span className="font-normal text-ink-3"> (optional)</span>}
    </label>
  );
  return (
    <div className={cx("grid grid-cols-1 content-start gap-1", className)}>
      {mark ? (
        <div className="flex items-center gap-1.5">
          {labelled}
          <span id={`${id}-mark`} className="inline-flex shrink-0 text-ink-2">
            {mark}
          </span>
        </div>
      ) : (
        labelled
      )}
      {children({
        id,
        name,
        disabled,
        "aria-invalid": text ? true : undefined,
        "aria-describedby": described || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-14 text-ink-2">
          {hint}
        </p>
      )}
      {room && (
        <p id={`${id}-room`} className="text-right text-14 text-ink-2 tabular-nums">
          {room}
        </p>
      )}
      <FieldErrorText id={`${id}-error`} text={text} />
    </div>
  );
}

export function FieldErrorText({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <p id={id} className="text-14 font-medium text-danger">
      {text}
    </p>
  );
}

/** Several controls with one legend and one error: the pets of a service, the types that a pattern is for. */
export function FieldGroup({
  name,
  label,
  hint,
  error,
  hideLabel,
  disabled,
  className,
  children,
}: Omit<FieldProps, "optional" | "room" | "mark"> & { children: ReactNode }) {
  const id = useId();
  const fromForm = useFieldError(name);
  const text = error ?? fromForm;
  const described = cx(hint ? `${id}-hint` : null, text ? `${id}-error` : null);
  return (
    <fieldset
      data-field={name}
      tabIndex={-1}
      disabled={disabled}
      aria-describedby={described || undefined}
      className={cx("grid min-w-0 grid-cols-1 content-start gap-1", className)}
    >
      <legend className={cx("mb-1 text-14 font-medium", hideLabel && "sr-only")}>{label}</legend>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-14 text-ink-2">
          {hint}
        </p>
      )}
      <FieldErrorText id={`${id}-error`} text={text} />
    </fieldset>
  );
}

/**
 * Owns how a form is sent and how the core's field errors come back to it: each to its input, the first gets the focus.
 * What no input of the form is named after is listed at its top, so that no error is ever invisible.
 */
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Banner } from "./Banner";
import { Button, type ButtonProps } from "./Button";
import { cx } from "./cx";

/** What is wrong with one field: the core's own type, repeated as a shape so that the kit needs no core. */
export interface FieldError {
  field: string;
  text: string;
}

const FormState = createContext<{ errors: readonly FieldError[]; busy: boolean }>({ errors: [], busy: false });

/** What the form around says of a field. */
export const useFieldError = (name: string): string | undefined =>
  useContext(FormState).errors.find((it) => it.field === name)?.text;

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  /** As the core or the server gave them; a new list moves the focus to the first wrong field. */
  errors?: readonly FieldError[] | undefined;
  /** A sentence about the whole, as 'Please fix the form errors'. */
  error?: string | undefined;
  /** While its promise runs the form is busy and is not sent twice. */
  onSubmit: () => unknown;
  children: ReactNode;
}

const NONE: readonly FieldError[] = [];

export function Form({ errors = NONE, error, onSubmit, className, children, ...rest }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [homeless, setHomeless] = useState<readonly FieldError[]>(NONE);
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  useLayoutEffect(() => {
    const controls = errors.map(({ field }) => (form.current ? controlOf(form.current, field) : null));
    setHomeless(errors.length > 0 ? errors.filter((_, index) => !controls[index]) : NONE);
    // First on the screen: who says what is wrong may say it in any order.
    const [first] = controls
      .filter((it) => it !== null)
      .toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    first?.focus();
    first?.scrollIntoView?.({ block: "nearest" });
  }, [errors]);

  const send = async () => {
    setBusy(true);
    try {
      await onSubmit();
    } finally {
      if (mounted.current) setBusy(false);
    }
  };

  const said = [...new Set([error, ...homeless.map((it) => it.text)])].filter((it) => it !== undefined);
  return (
    <form
      ref={form}
      noValidate
      className={cx("grid gap-4", className)}
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        // A dialog's form inside another's screen must not send both.
        event.stopPropagation();
        if (!busy) void send();
      }}
    >
      <FormState value={{ errors, busy }}>
        {said.length > 0 && (
          <Banner kind="danger" role="alert">
            {said.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </Banner>
        )}
        {children}
      </FormState>
    </form>
  );
}

function controlOf(form: HTMLFormElement, field: string): HTMLElement | null {
  const name = CSS.escape(field);
  return form.querySelector<HTMLElement>(`[name="${name}"]:not([type="hidden"]), [data-field="${name}"]`);
}

/** The button that sends the form around it, busy while that runs. */
export function SubmitButton({ children, busy, ...rest }: ButtonProps) {
  const form = useContext(FormState);
  return (
    <Button type="submit" busy={busy || form.busy} {...rest}>
      {children}
    </Button>
  );
}

/**
 * Owns how a form is sent and how what is wrong with it comes back: the core's field errors each to its input, the first
 * gets the focus. An error goes when its field is changed. What no input of the form is named after is listed at its top,
 * so that no error is ever invisible.
 */
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type SyntheticEvent,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Banner } from "./Banner";
import { Button, type ButtonProps } from "./Button";
import { cx } from "./cx";
import { useBusy } from "./useBusy";

/** An error of one field: the core's own type, repeated as a shape so that the kit needs no core. */
export interface FieldError {
  field: string;
  text: string;
}

interface FormAround {
  errors: readonly FieldError[];
  busy: boolean;
  /** How often it was begun anew. */
  begun: number;
}

const FormState = createContext<FormAround>({ errors: [], busy: false, begun: 0 });

/** Returns the error that the surrounding form has for a field. */
export const useFieldError = (name: string): string | undefined =>
  useContext(FormState).errors.find((it) => it.field === name)?.text;

/** Another number as soon as the form around is begun anew: what an input has kept for itself goes, too. */
export const useBegun = (): number => useContext(FormState).begun;

/** Settings of the app for all forms, so that the kit need not know the app. */
export interface FormsAround {
  /** Why what is typed is not kept right now. */
  trouble?: string | undefined;
  /** The sentence for what sending has thrown, where there is one. */
  explain: (thrown: unknown) => string | undefined;
  /** Returns the sentence for an error that has none, neither here nor in the form. */
  unexpected?: (thrown: unknown) => string;
}

/** Around the whole app. */
export const FormsContext = createContext<FormsAround>({ explain: () => undefined });

/** Why a form was not taken: what is wrong with its fields, or where it is none of them the sentence. */
export interface FormProblem {
  text: string;
  fields?: readonly FieldError[];
}

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  /** Errors that are known before it is sent; a new list moves the focus to the first wrong field. */
  errors?: readonly FieldError[] | undefined;
  /** A sentence about the whole, as 'Please fix the form errors'. */
  error?: string | undefined;
  /** While its promise runs the form is busy and is not sent twice. The problem that it comes to is shown. */
  onSubmit: () => Sent | Promise<Sent>;
  /** Text for an error that sending throws, as on a full disk. */
  failed?: string;
  children: ReactNode;
}

type Sent = FormProblem | false | void;

const NONE: readonly FieldError[] = [];

export function Form({ errors = NONE, error, onSubmit, failed, className, children, ...rest }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { busy, run } = useBusy();
  const around = useContext(FormsContext);
  // What the last sending came to counts more than what was known before. The same words again are said again.
  const [sent, setSent] = useState<{ times: number; problem?: FormProblem | undefined }>({ times: 0 });
  const [homeless, setHomeless] = useState<readonly FieldError[]>(NONE);
  const settle = (problem: FormProblem | undefined) =>
    setSent((before) => (problem || before.problem ? { times: before.times + 1, problem } : before));
  const { times, problem } = sent;
  const wrong = problem ? (problem.fields ?? NONE) : errors;
  // What was changed since is not known to be wrong any more: the next sending tells.
  const [changed, setChanged] = useState<{ since: readonly FieldError[]; fields: readonly string[] }>();
  const [begun, setBegun] = useState(0);
  const state = useMemo(() => {
    const isOpen = ({ field }: FieldError) => changed?.since !== wrong || !changed.fields.includes(field);
    return { errors: wrong.filter(isOpen), busy, begun };
  }, [wrong, changed, busy, begun]);
  const change = ({ target }: SyntheticEvent) => {
    const fields = state.errors.map((it) => it.field).filter((it) => isOf(it, target as HTMLElement));
    if (fields.length === 0) return;
    setChanged((before) => ({
      since: wrong,
      fields: [...(before?.since === wrong ? before.fields : []), ...fields],
    }));
  };
  const sentence = problem ? wrong.length === 0 && problem.text : error;

  useLayoutEffect(() => {
    const controls = wrong.map(({ field }) => (form.current ? controlOf(form.current, field) : null));
    setHomeless(wrong.length > 0 ? wrong.filter((_, index) => !controls[index]) : NONE);
    // First on the screen: who says what is wrong may say it in any order.
    const [first] = controls
      .filter((it) => it !== null)
      .toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    first?.focus();
    first?.scrollIntoView?.({ block: "nearest" });
    // A group may be as high as the screen, and its error stands below it.
    if (first instanceof HTMLFieldSetElement) errorOf(first)?.scrollIntoView?.({ block: "nearest" });
  }, [wrong]);

  const send = async () => {
    const unreadable = form.current ? unreadableOf(form.current) : [];
    for (const it of unreadable) {
      // It says what is wrong with it, and that is never folded away.
      it.checkValidity();
      it.closest("details")?.setAttribute("open", "");
    }
    if (unreadable[0]) return unreadable[0].focus();
    try {
      settle((await onSubmit()) || undefined);
    } catch (thrown) {
      const text = around.explain(thrown) ?? failed ?? around.unexpected?.(thrown);
      if (text === undefined) throw thrown;
      settle({ text });
    }
  };

  const said = [...new Set([sentence || [], homeless.map((it) => it.text)].flat())];
  const isAboveAll = said.length > 0 && homeless.length === wrong.length;
  useLayoutEffect(() => {
    // Whoever sends a long form is at its foot and would not see what stands at its top.
    if (isAboveAll) form.current?.firstElementChild?.scrollIntoView?.({ block: "nearest" });
  }, [isAboveAll, times]);

  return (
    <form
      ref={form}
      noValidate
      className={cx("grid grid-cols-1 gap-4", className)}
      {...rest}
      onInput={change}
      // Whoever begins anew has nothing wrong yet. The inputs are not the browser's to empty: what they show is given.
      onReset={(event) => {
        event.preventDefault();
        settle({ text: "" });
        setBegun((times) => times + 1);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        // A dialog's form inside another's screen must not send both.
        event.stopPropagation();
        void run(send);
      }}
    >
      <FormState value={state}>
        {around.trouble && (
          <Banner kind="danger" role="status">
            What you type is not kept right now. {around.trouble}
          </Banner>
        )}
        {said.length > 0 && (
          <Banner key={times} kind="danger" role="alert">
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

/** Returns the text of a control's error, which is the last that describes it. */
function errorOf(control: HTMLElement): HTMLElement | null {
  const id = control.getAttribute("aria-describedby")?.split(" ").at(-1);
  return id === undefined ? null : document.getElementById(id);
}

/** The inputs that hold what they cannot read, in their order. */
const unreadableOf = (form: HTMLFormElement): HTMLInputElement[] =>
  [...form.elements].filter((it) => it instanceof HTMLInputElement && it.validity.customError) as HTMLInputElement[];

/** True if a control is, or is one of, those of a field. */
const isOf = (field: string, control: HTMLElement): boolean =>
  control.getAttribute("name") === field ||
  control.closest<HTMLElement>(`[data-field="${CSS.escape(field)}"]`) !== null;

/** The button that sends the form around it, busy while that runs. */
export function SubmitButton({ children, busy, ...rest }: ButtonProps) {
  const form = useContext(FormState);
  return (
    <Button type="submit" busy={busy || form.busy} {...rest}>
      {children}
    </Button>
  );
}

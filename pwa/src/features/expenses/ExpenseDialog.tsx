/** Owns writing an entry down and correcting one: miles, or what was spent; in a dialog, or beside the month's table. */
import { Trash2, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { type Command, type Expense, type ExpenseCategory, type ExpenseEntry, formatDate, newId } from "../../core";
import { save, useDraft, useReplica } from "../../data";
import type { Fix } from "../../parts/attention/fix";
import {
  Button,
  bind,
  DateField,
  Dialog,
  DialogActions,
  Form,
  IconButton,
  MoneyField,
  NumberField,
  Select,
  Skeleton,
  SubmitButton,
  TextField,
  toast,
} from "../../ui";
import { giveFocusBack } from "../../ui/Dialog";
import { Restored } from "../../ui/Restored";
import { remove, takeBack } from "./keeping";
import { entryButtonId } from "./MonthTable";

type ExpenseFix = Fix<"create_expense" | "update_expense">;

/** The entry that the form begins with: a new one, a stored one, or one that was turned down. */
export type Opening =
  | { kind: "new"; expense: Partial<Expense> }
  | { kind: "edit"; entry: ExpenseEntry }
  | { kind: "fix"; fix: ExpenseFix };

interface Fields {
  date: string;
  category: ExpenseCategory;
  miles: number | null;
  amount: number | null;
  note: string;
}

interface ExpenseDialogProps {
  opening: Opening;
  onClose: () => void;
}

export function ExpenseDialog({ opening, onClose }: ExpenseDialogProps) {
  const id = idOf(opening);
  const known = useReplica((phone) => (id ? phone.expense(id) : undefined));
  const begun = { ...known, ...asked(opening) };
  const isMileage = (begun.category ?? "mileage") === "mileage";
  const what = isMileage ? "Miles" : "Expense";
  return (
    <Dialog
      open
      size="small"
      onClose={onClose}
      dismissible={false}
      title={opening.kind === "new" ? `Add ${what}` : `Edit ${what}`}
    >
      <Body opening={opening} known={known} isMileage={isMileage} onClose={onClose} />
    </Dialog>
  );
}

interface ExpensePaneProps {
  entry: ExpenseEntry;
  onClose: () => void;
}

/** The form of a stored entry beside the table. */
export function ExpensePane({ entry, onClose }: ExpensePaneProps) {
  const { id } = entry.expense;
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const known = useReplica((phone) => phone.expense(id));
  const isMileage = (known?.category ?? entry.expense.category) === "mileage";
  const latest = useRef(id);
  useEffect(() => {
    latest.current = id;
    title.current?.focus({ preventScroll: true });
  }, [id]);
  // A deleted entry has no button any more.
  useEffect(() => () => giveFocusBack(document.getElementById(entryButtonId(latest.current))), []);
  return (
    <section
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
      className="animate-appear overflow-clip rounded-large border border-act bg-card px-5 pt-2 pb-5"
    >
      <header className="flex items-center gap-2">
        <h2 id={titleId} ref={title} tabIndex={-1} className="min-w-0 flex-1 text-20 font-bold outline-none">
          Edit {isMileage ? "Miles" : "Expense"}
        </h2>
        <IconButton label="Close" onClick={onClose} className="-mr-3 text-ink-2">
          <X />
        </IconButton>
      </header>
      <Body key={id} opening={{ kind: "edit", entry }} known={known} isMileage={isMileage} onClose={onClose} />
    </section>
  );
}

/** The row that is corrected; nothing for a new one. */
function idOf(opening: Opening): string | undefined {
  if (opening.kind === "edit") return opening.entry.expense.id;
  return opening.kind === "fix" && opening.fix.command.name === "update_expense"
    ? opening.fix.command.args.id
    : undefined;
}

/** Returns the fields that are set already, beside the stored row. */
function asked(opening: Opening): Partial<Expense> {
  if (opening.kind === "new") return opening.expense;
  if (opening.kind === "edit") return {};
  const { command } = opening.fix;
  return command.name === "create_expense" ? command.args.expense : command.args.changes;
}

interface BodyProps extends ExpenseDialogProps {
  known: Expense | undefined;
  isMileage: boolean;
}

function Body({ opening, known, isMileage, onClose }: BodyProps) {
  const fix = opening.kind === "fix" ? opening.fix : undefined;
  const [id] = useState(() => known?.id ?? fix?.command.args.id ?? newId());
  const begin: Fields = {
    date: "",
    category: isMileage ? "mileage" : "supplies",
    miles: null,
    amount: null,
    note: "",
    ...fieldsOf(known),
    ...(opening.kind === "new" ? fieldsOf(opening.expense) : {}),
  };
  const key = fix ? `expense:fix:${fix.id}` : known ? `expense:${id}` : `expense:new:${isMileage ? "miles" : "spent"}`;
  const draft = useDraft<Partial<Fields>>(key, fix ? fieldsOf(asked(opening)) : {});
  const [refused] = useState(fix?.refusal?.code === "invalid" ? fix.refusal.fields : undefined);
  const form = { ...begin, ...draft.value };
  const bound = bind(form, draft.set);
  const worth = useReplica((phone) => (form.miles && form.date ? phone.mileageText(form.miles, form.date) : undefined));
  const categories = useReplica((phone) => phone.expenseCategories());
  const line = categories.find((it) => it.category === form.category)?.line;

  const send = async () => {
    const command = commandOf(id, form, known);
    const sentence = `${isMileage ? "Miles" : "Expense"} of ${form.date ? formatDate(form.date) : "a day"}`;
    const base_rev = fix?.base_rev ?? draft.base_rev;
    const result = await save(command, sentence, { draft: key, resolves: fix?.id, base_rev });
    if (!result.ok) return result;
    const undo = { label: "Undo", onAction: () => void takeBack(id, `Take back: ${sentence}`) };
    toast.success(known ? "Saved" : isMileage ? "Miles added" : "Expense added", known ? undefined : undo);
    onClose();
    return undefined;
  };

  if (!draft.ready) return <Skeleton className="h-90 w-full" />;
  return (
    <Form errors={refused} failed="Failed to save the expense" onSubmit={send}>
      {draft.restored && <Restored onStartOver={draft.clear} />}
      {isMileage ? (
        <NumberField
          label="Miles"
          unit="mi"
          hint={worth ?? "To a tenth, as the odometer counts."}
          {...bound("miles")}
        />
      ) : (
        <>
          <MoneyField label="Amount" {...bound("amount")} />
          <Select
            label="Category"
            hint={line && `Schedule C: ${line}`}
            options={categories.map(({ category, name }) => ({ value: category, label: name }))}
            {...bound("category")}
          />
        </>
      )}
      <DateField label="Date" {...bound("date")} />
      <TextField
        label={isMileage ? "Where and what for" : "What it was"}
        reader="expense.note"
        optional
        autoComplete="off"
        {...bound("note")}
      />
      <DialogActions>
        {opening.kind === "edit" ? (
          <Button
            kind="quiet"
            icon={<Trash2 aria-hidden className="size-5" />}
            onClick={() =>
              void remove(opening.entry).then((gone) => {
                if (gone) onClose();
              })
            }
          >
            Delete
          </Button>
        ) : (
          <Button
            kind="quiet"
            onClick={() => {
              draft.clear();
              onClose();
            }}
          >
            Cancel
          </Button>
        )}
        <SubmitButton>{fix ? "Save and send again" : known ? "Save" : "Add"}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

function fieldsOf(expense: Partial<Expense> | undefined): Partial<Fields> {
  const { date, category, miles, amount, note } = expense ?? {};
  const all = { date, category, miles, amount, note };
  return Object.fromEntries(Object.entries(all).filter(([, it]) => it !== undefined));
}

/** A correction names what was touched, and no more: what others change meanwhile stays. */
function commandOf(id: string, form: Fields, known: Expense | undefined): Command {
  if (!known) return { name: "create_expense", args: { id, expense: form } };
  const before = fieldsOf(known);
  const touched = Object.entries(form).filter(([name, it]) => it !== before[name as keyof Fields]);
  return { name: "update_expense", args: { id, changes: Object.fromEntries(touched) } };
}

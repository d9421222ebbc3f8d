/** Owns the form that records a payment on an invoice or a refund of one: how much, how and when. */
import { type ReactNode, useState } from "react";
import { type Beyond, type Command, formatDollars, type InvoiceCard, newId, type PaymentMethod } from "../../core";
import { business, save, useDraft } from "../../data";
import {
  Button,
  bind,
  confirm,
  cx,
  DateField,
  DialogActions,
  FieldGroup,
  Form,
  MoneyField,
  Segmented,
  Select,
  Skeleton,
  SubmitButton,
  TextField,
  toast,
} from "../../ui";
import { Restored } from "../../ui/Restored";
import { named, removeRefund, takeBack } from "./keeping";
import { METHODS } from "./methods";

type Kind = "payment" | "refund";

const WORDS = {
  payment: {
    title: "Payment",
    failed: "Failed to record the payment",
    how: "How it was paid",
    day: "Paid on",
    // As the core names it where the date is wrong.
    dayField: "paid_on",
  },
  refund: {
    title: "Refund",
    failed: "Failed to record the refund",
    how: "How you refunded it",
    day: "Refunded on",
    dayField: "refunded_on",
  },
};

export const BEYOND: readonly { value: Beyond; label: string }[] = [
  { value: "credit", label: "Credit for next time" },
  { value: "tip", label: "A tip" },
  { value: "back", label: "Pay it back" },
];

interface Fields extends MoneyDetails {
  amount: number | null;
  /** Only asked of a payment. */
  beyond: Beyond;
}

function commandOf(kind: Kind, card: InvoiceCard, line: string, form: Fields): Command {
  const { amount, beyond, method, paid_on, note } = form;
  // What is no number is no amount: the core says so.
  const args = { id: card.id, amount: amount ?? 0, method, note };
  const day = paid_on || null;
  return kind === "payment"
    ? { name: "record_invoice_payment", args: { ...args, payment_id: line, paid_on: day, beyond } }
    : { name: "record_invoice_refund", args: { ...args, refund_id: line, refunded_on: day } };
}

/** Asks about an amount or a day that looks like a slip; true if it is meant, or the core refuses it anyway. */
export async function isMeant(amount: number | null, owed: number, day: string): Promise<boolean> {
  if (amount === null || day === "") return true;
  const doubt = (await business().wholePhone()).moneyDoubt(amount, owed, day, Date.now());
  return !doubt || confirm({ title: "Please check", text: doubt, action: "Record it" });
}

/** Method, day and note of money that moved. */
export interface MoneyDetails {
  method: PaymentMethod;
  paid_on: string;
  note: string;
}

interface MoneyDetailsFieldsProps {
  form: MoneyDetails;
  set: (changes: Partial<MoneyDetails>) => void;
  today: string;
  words?: (typeof WORDS)[Kind];
  onClose: () => void;
}

/** The fields below the amount, and the buttons. */
export function MoneyDetailsFields({ form, set, today, words = WORDS.payment, onClose }: MoneyDetailsFieldsProps) {
  const bound = bind(form, set);
  return (
    <>
      <Select label={words.how} options={METHODS} {...bound("method")} />
      <DateField label={words.day} max={today} {...bound("paid_on")} name={words.dayField} />
      <TextField label="Note" optional reader="invoice.payment_note" autoComplete="off" {...bound("note")} />
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Record</SubmitButton>
      </DialogActions>
    </>
  );
}

interface MoneyFormProps {
  kind: Kind;
  card: InvoiceCard;
  today: string;
  onClose: () => void;
  className?: string;
  /** Stands above the fields. */
  children?: ReactNode;
}

export function MoneyForm({ kind, card, today, onClose, className, children }: MoneyFormProps) {
  const words = WORDS[kind];
  const key = `invoice-${kind}-${card.id}`;
  const [line] = useState(newId);
  const draft = useDraft<Partial<Fields>>(key, {});
  const amount = kind === "payment" ? card.payable : card.owed_back;
  const form: Fields = { amount, beyond: "credit", method: "cash", paid_on: today, note: "", ...draft.value };
  const bound = bind(form, draft.set);

  const send = async () => {
    const owed = kind === "payment" ? card.payable : card.owed_back + card.kept;
    if (!(await isMeant(form.amount, owed, form.paid_on))) return undefined;
    const result = await save(commandOf(kind, card, line, form), `${words.title} on ${named(card)}`, { draft: key });
    if (!result.ok) return result;
    const undo = kind === "payment" ? takeBack : removeRefund;
    toast.success(`${words.title} recorded`, { label: "Undo", onAction: () => void undo(card, line) });
    onClose();
    draft.clear();
    return undefined;
  };

  if (!draft.ready) return <Skeleton className="h-80 w-full" />;
  return (
    <Form failed={words.failed} onSubmit={send} className={cx("grid gap-4", className)}>
      {draft.restored && <Restored onStartOver={draft.clear} />}
      {children}
      <MoneyField label="Amount" {...bound("amount")} />
      {kind === "payment" && (form.amount ?? 0) > card.payable && (
        <FieldGroup name="beyond" label={`What should happen with the amount over ${formatDollars(card.payable)}?`}>
          <Segmented label="Beyond what is owed" options={BEYOND} {...bound("beyond")} />
        </FieldGroup>
      )}
      <MoneyDetailsFields form={form} set={draft.set} today={today} words={words} onClose={onClose} />
    </Form>
  );
}

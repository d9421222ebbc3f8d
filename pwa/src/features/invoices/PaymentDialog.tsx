/** Owns what was paid on an invoice: each payment, which can be removed, and writing a further one down. */
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import { type Beyond, formatDollars, type InvoiceCard, newId, type PaymentMethod } from "../../core";
import { save, useDraft, useReplica } from "../../data";
import {
  Button,
  bind,
  DateField,
  Dialog,
  DialogActions,
  FieldGroup,
  Form,
  IconButton,
  MoneyField,
  Segmented,
  Select,
  Skeleton,
  SubmitButton,
  TextField,
  toast,
} from "../../ui";
import { Restored } from "../../ui/Restored";
import { named, removePayment, removeRefund, takeBack } from "./keeping";
import { METHODS, methodName } from "./methods";

interface DialogProps {
  /** Of the invoice. */
  id: string;
  onClose: () => void;
}

export function PaymentDialog({ id, onClose }: DialogProps) {
  const now = useMinute();
  const card = useReplica((phone) => phone.invoiceCard(id, now));
  const today = useReplica((phone) => phone.today(now));
  if (!card) return null;
  return (
    <Dialog open size="small" onClose={onClose} dismissible={false} title="Payments" sub={sub(card)}>
      <div className="grid grid-cols-1 gap-4">
        <Payments card={card} />
        <Refunds card={card} />
        {card.balance > 0 && <Further card={card} today={today} onClose={onClose} />}
      </div>
    </Dialog>
  );
}

const sub = (card: InvoiceCard): string => {
  const rest = card.balance > 0 ? `${formatDollars(card.balance)} still owed` : card.standing;
  return [card.number, card.client_name, rest].filter(Boolean).join(", ");
};

function Payments({ card }: { card: InvoiceCard }) {
  if (card.payments.length === 0) return <p className="text-ink-2">Nothing is paid yet.</p>;
  return (
    <ul aria-label="Paid so far" className="num grid grid-cols-1 divide-y divide-line">
      {card.payments.map((line) => (
        <li key={line.id} className="flex min-h-14 items-center gap-3">
          <span className="min-w-0 flex-1 wrap-anywhere">
            <span className="font-bold">{formatDollars(line.amount)}</span>
            <span className="block text-14 text-ink-2">
              {[methodName(line.method), line.day, line.note].filter(Boolean).join(", ")}
            </span>
          </span>
          {line.method !== "credit" && (
            <IconButton
              label={`Remove the payment of ${formatDollars(line.amount)}`}
              onClick={() => void removePayment(card, line)}
            >
              <Trash2 />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  );
}

function Refunds({ card }: { card: InvoiceCard }) {
  if (card.refunds.length === 0) return null;
  return (
    <ul aria-label="Paid back so far" className="num grid grid-cols-1 divide-y divide-line">
      {card.refunds.map((line) => (
        <li key={line.id} className="flex min-h-14 items-center gap-3">
          <span className="min-w-0 flex-1 wrap-anywhere">
            <span className="font-bold">{formatDollars(line.amount)} paid back</span>
            <span className="block text-14 text-ink-2">
              {[methodName(line.method), line.day, line.note].filter(Boolean).join(", ")}
            </span>
          </span>
          <IconButton
            label={`Remove the refund of ${formatDollars(line.amount)}`}
            onClick={() => void removeRefund(card, line.id)}
          >
            <Trash2 />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

const BEYOND: readonly { value: Beyond; label: string }[] = [
  { value: "back", label: "Pay it back" },
  { value: "tip", label: "A tip" },
  { value: "credit", label: "Keep as credit" },
];

interface Fields {
  amount: number | null;
  beyond: Beyond;
  method: PaymentMethod;
  paid_on: string;
  note: string;
}

function Further({ card, today, onClose }: { card: InvoiceCard; today: string; onClose: () => void }) {
  const key = `invoice-payment-${card.id}`;
  const [payment_id] = useState(newId);
  const draft = useDraft<Partial<Fields>>(key, {});
  const form: Fields = {
    amount: card.balance,
    beyond: "back",
    method: "cash",
    paid_on: today,
    note: "",
    ...draft.value,
  };
  const bound = bind(form, draft.set);

  const send = async () => {
    const { amount, beyond, method, paid_on, note } = form;
    const result = await save(
      {
        name: "record_invoice_payment",
        // What is no number is no amount: the core says so.
        args: { id: card.id, payment_id, amount: amount ?? 0, method, paid_on: paid_on || null, note, beyond },
      },
      `Payment on ${named(card)}`,
      { draft: key },
    );
    if (!result.ok) return result;
    toast.success("Payment recorded", { label: "Undo", onAction: () => void takeBack(card, payment_id) });
    onClose();
    draft.clear();
    return undefined;
  };

  if (!draft.ready) return <Skeleton className="h-80 w-full" />;
  return (
    <Form failed="Failed to record the payment" onSubmit={send} className="grid gap-4 border-t border-line pt-4">
      {draft.restored && <Restored onStartOver={draft.clear} />}
      <MoneyField label="Amount" {...bound("amount")} />
      {(form.amount ?? 0) > card.balance && (
        <FieldGroup name="beyond" label={`What is the part beyond ${formatDollars(card.balance)}?`}>
          <Segmented label="Beyond what is owed" options={BEYOND} {...bound("beyond")} />
        </FieldGroup>
      )}
      <Select label="How it was paid" options={METHODS} {...bound("method")} />
      <DateField label="Paid on" max={today} {...bound("paid_on")} />
      <TextField label="Note" optional hint="Only you see it." autoComplete="off" {...bound("note")} />
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Record</SubmitButton>
      </DialogActions>
    </Form>
  );
}

/** Owns writing down that money went back to a client: how much, how and when. */
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import { formatDollars, type InvoiceCard, newId, type PaymentMethod } from "../../core";
import { save, useDraft, useReplica } from "../../data";
import {
  Button,
  bind,
  DateField,
  Dialog,
  DialogActions,
  Form,
  MoneyField,
  Select,
  Skeleton,
  SubmitButton,
  TextField,
  toast,
} from "../../ui";
import { Restored } from "../../ui/Restored";
import { named, removeRefund } from "./keeping";
import { METHODS } from "./methods";

interface RefundDialogProps {
  /** Of the invoice. */
  id: string;
  onClose: () => void;
}

export function RefundDialog({ id, onClose }: RefundDialogProps) {
  const now = useMinute();
  const card = useReplica((phone) => phone.invoiceCard(id, now));
  const today = useReplica((phone) => phone.today(now));
  if (!card) return null;
  const rest = `${formatDollars(card.owed_back)} to pay back`;
  const sub = [card.number, card.client_name, rest].filter(Boolean).join(", ");
  return (
    <Dialog open size="small" onClose={onClose} dismissible={false} title="Record a refund" sub={sub}>
      <Body card={card} today={today} onClose={onClose} />
    </Dialog>
  );
}

interface Fields {
  amount: number | null;
  method: PaymentMethod;
  refunded_on: string;
  note: string;
}

function Body({ card, today, onClose }: { card: InvoiceCard; today: string; onClose: () => void }) {
  const key = `invoice-refund-${card.id}`;
  const [refund_id] = useState(newId);
  const draft = useDraft<Partial<Fields>>(key, {});
  const form: Fields = { amount: card.owed_back, method: "cash", refunded_on: today, note: "", ...draft.value };
  const bound = bind(form, draft.set);

  const send = async () => {
    const { amount, method, refunded_on, note } = form;
    const result = await save(
      {
        name: "record_invoice_refund",
        // What is no number is no amount: the core says so.
        args: { id: card.id, refund_id, amount: amount ?? 0, method, refunded_on: refunded_on || null, note },
      },
      `Refund on ${named(card)}`,
      { draft: key },
    );
    if (!result.ok) return result;
    toast.success("Refund recorded", { label: "Undo", onAction: () => void removeRefund(card, refund_id) });
    onClose();
    draft.clear();
    return undefined;
  };

  if (!draft.ready) return <Skeleton className="h-80 w-full" />;
  return (
    <Form failed="Failed to record the refund" onSubmit={send} className="grid gap-4">
      {draft.restored && <Restored onStartOver={draft.clear} />}
      <p className="text-14 text-ink-2">
        This records money that you have paid back. What you give back at Stripe is recorded by itself.
      </p>
      <MoneyField label="Amount" {...bound("amount")} />
      <Select label="How you paid it back" options={METHODS} {...bound("method")} />
      <DateField label="Paid back on" max={today} {...bound("refunded_on")} />
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

/** Owns writing a credit note: how much of an invoice is given back, and why. */
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import { formatDollars, type InvoiceCard, newId } from "../../core";
import { canSendNow, save, useDraft, useReplica } from "../../data";
import {
  Button,
  bind,
  Dialog,
  DialogActions,
  Form,
  MoneyField,
  Skeleton,
  SubmitButton,
  TextArea,
  toast,
} from "../../ui";
import { Restored } from "../../ui/Restored";
import { named, remove } from "./keeping";

interface CreditDialogProps {
  /** Id of the invoice. */
  id: string;
  onClose: () => void;
}

export function CreditDialog({ id, onClose }: CreditDialogProps) {
  const now = useMinute();
  const card = useReplica((phone) => phone.invoiceCard(id, now));
  if (!card) return null;
  return (
    <Dialog open size="small" onClose={onClose} dismissible={false} title="Credit note" sub={sub(card)}>
      <Body card={card} onClose={onClose} />
    </Dialog>
  );
}

const sub = (card: InvoiceCard): string =>
  [card.number, card.client_name, `up to ${formatDollars(card.creditable)}`].filter(Boolean).join(", ");

function Body({ card, onClose }: { card: InvoiceCard; onClose: () => void }) {
  const key = `invoice-credit-${card.id}`;
  const [id] = useState(newId);
  const draft = useDraft<{ amount?: number | null; note?: string }>(key, {});
  const amount = Math.min(card.changes?.give_back || card.creditable, card.creditable);
  const form = { amount: amount as number | null, note: "", ...draft.value };
  const bound = bind(form, draft.set);

  const send = async () => {
    const args = { id, invoice_id: card.id, amount: form.amount ?? 0, note: form.note };
    const result = await save({ name: "credit_invoice", args }, `Credit note for ${named(card)}`, { draft: key });
    if (!result.ok) return result;
    const note: InvoiceCard = { ...card, id, number: "" };
    const said = canSendNow() ? "Credit note shared" : "Credit note saved. It is shared once there is a connection.";
    toast.success(said, { label: "Undo", onAction: () => void remove(note) });
    onClose();
    draft.clear();
    return undefined;
  };

  if (!draft.ready) return <Skeleton className="h-60 w-full" />;
  return (
    <Form failed="Failed to write the credit note" onSubmit={send} className="grid gap-4">
      {draft.restored && <Restored onStartOver={draft.clear} />}
      <MoneyField label="Amount" hint="Including any tax." {...bound("amount")} />
      <TextArea label="Reason" reader="invoice.credit_reason" {...bound("note")} />
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Share</SubmitButton>
      </DialogActions>
    </Form>
  );
}

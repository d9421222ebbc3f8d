/** Owns recording one payment over several invoices of a client: the oldest is paid first, and each part can be changed. */
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import { type Beyond, type Command, formatDollars, newId, type OpenInvoice, type PaymentMethod } from "../../core";
import { save, storageTrouble, useReplica } from "../../data";
import {
  Button,
  bind,
  confirm,
  DateField,
  Dialog,
  DialogActions,
  FieldGroup,
  Form,
  MoneyField,
  Segmented,
  Select,
  SubmitButton,
  TextField,
  toast,
} from "../../ui";
import { ReaderHint } from "../../ui/Readers";
import { BEYOND, doubtOf } from "./MoneyForm";
import { METHODS } from "./methods";

interface ClientPaymentDialogProps {
  clientId: string;
  clientName: string;
  onClose: () => void;
}

export function ClientPaymentDialog({ clientId, clientName, onClose }: ClientPaymentDialogProps) {
  return (
    <Dialog open size="small" onClose={onClose} dismissible={false} title="Record a payment" sub={clientName}>
      <Body clientId={clientId} clientName={clientName} onClose={onClose} />
    </Dialog>
  );
}

interface Fields {
  /** Null for all that is owed. */
  amount: number | null;
  method: PaymentMethod;
  paid_on: string;
  note: string;
  beyond: Beyond;
}

const cents = (dollars: number): number => Math.round(dollars * 100);

function Body({ clientId, clientName, onClose }: ClientPaymentDialogProps) {
  const now = useMinute();
  const today = useReplica((phone) => phone.today(now));
  const owed =
    useReplica((phone) => phone.openInvoices(clientId)).reduce((sum, it) => sum + cents(it.balance), 0) / 100;
  const [payment_id] = useState(newId);
  const [form, setForm] = useState<Fields>({
    amount: owed,
    method: "cash",
    paid_on: today,
    note: "",
    beyond: "credit",
  });
  /** Parts that the person has typed, by invoice; the others follow from the amount. */
  const [typed, setTyped] = useState<Record<string, number | null>>({});
  const proposed = useReplica((phone) => phone.openInvoices(clientId, form.amount ?? 0));
  const bound = bind(form, (change) => {
    setForm((before) => ({ ...before, ...change }));
    if ("amount" in change) setTyped({});
  });
  const partOf = (it: OpenInvoice): number | null => {
    const part = typed[it.id];
    return part === undefined ? it.amount : part;
  };
  const parts = proposed.map((it) => ({ invoice_id: it.id, amount: partOf(it) ?? 0 })).filter((it) => it.amount !== 0);
  const sum = parts.reduce((all, it) => all + cents(it.amount), 0) / 100;
  const isMore = proposed.some((it) => (partOf(it) ?? 0) > it.balance);

  const send = async () => {
    if (cents(sum) !== cents(form.amount ?? 0)) {
      const text = `The parts come to ${formatDollars(sum)}, and the amount is ${formatDollars(form.amount ?? 0)}`;
      return { text, fields: [{ field: "amount", text }] };
    }
    const doubt = await doubtOf(form.amount, owed, form.paid_on);
    if (doubt && !(await confirm({ title: "Please check", text: doubt, action: "Record it" }))) return undefined;
    const { method, note, beyond } = form;
    const args = { payment_id, parts, method, paid_on: form.paid_on || null, note, beyond };
    const result = await save({ name: "record_payments", args }, `Payment of ${clientName}`);
    if (!result.ok) return result;
    const invoices = parts.map((it) => it.invoice_id);
    toast.success("Payment recorded", {
      label: "Undo",
      onAction: () => void takeBack(invoices, payment_id, clientName),
    });
    onClose();
    return undefined;
  };

  return (
    <Form failed="Failed to record the payment" onSubmit={send} className="grid gap-4">
      <MoneyField label="Amount" {...bound("amount")} />
      <fieldset className="grid gap-3">
        <legend className="pb-2 font-bold">Invoices it pays</legend>
        {proposed.map((it, place) => (
          <MoneyField
            key={it.id}
            name={`parts.${place}.amount`}
            label={it.number || "Invoice that waits to be sent"}
            hint={`${it.issued}, ${formatDollars(it.balance)} owed`}
            value={partOf(it)}
            onChange={(amount) => setTyped((before) => ({ ...before, [it.id]: amount }))}
          />
        ))}
      </fieldset>
      {isMore && (
        <FieldGroup name="beyond" label="What should happen with the amount beyond what is owed?">
          <Segmented label="Beyond what is owed" options={BEYOND} {...bound("beyond")} />
        </FieldGroup>
      )}
      <Select label="How it was paid" options={METHODS} {...bound("method")} />
      <DateField label="Paid on" max={today} {...bound("paid_on")} />
      <TextField label="Note" optional hint={<ReaderHint reader="sitter" />} autoComplete="off" {...bound("note")} />
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Record</SubmitButton>
      </DialogActions>
    </Form>
  );
}

/** Takes the payment off each of the invoices again. */
async function takeBack(invoices: readonly string[], payment_id: string, clientName: string): Promise<void> {
  try {
    for (const id of invoices) {
      const command: Command = { name: "remove_invoice_payment", args: { id, payment_id } };
      // One after the other: each is decided on what the one before has left.
      // oxlint-disable-next-line no-await-in-loop
      const result = await save(command, `Remove a payment of ${clientName}`);
      if (!result.ok) {
        toast.error(`Failed to remove the payment: ${result.text}`);
        return;
      }
    }
    toast.info("The payment is removed");
  } catch (error) {
    toast.error(`Failed to remove the payment: ${storageTrouble(error)}`);
  }
}

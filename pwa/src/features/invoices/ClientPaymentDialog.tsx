/** Owns recording one payment over several invoices of a client: the oldest is paid first, and each part can be changed. */
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import { type Beyond, type Command, type FieldError, formatDollars, newId, type OpenInvoice } from "../../core";
import { save, storageTrouble, useDraft, useReplica } from "../../data";
import { bind, Dialog, FieldGroup, Form, MoneyField, Segmented, Skeleton, toast } from "../../ui";
import { Restored } from "../../ui/Restored";
import { BEYOND, isMeant, type MoneyDetails, MoneyDetailsFields } from "./MoneyForm";

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

interface Fields extends MoneyDetails {
  /** Null for none; all that is owed is proposed. */
  amount: number | null;
  beyond: Beyond;
  /** Parts that the person has typed, by invoice; the others follow from the amount. */
  typed: Record<string, number | null>;
}

const cents = (dollars: number): number => Math.round(dollars * 100);

/** Name of the field of an invoice's part: the command has no parts of 0, so its places are not those of the fields. */
const fieldOf = (invoiceId: string): string => `part-${invoiceId}`;

function Body({ clientId, clientName, onClose }: ClientPaymentDialogProps) {
  const now = useMinute();
  const today = useReplica((phone) => phone.today(now));
  const owed = useReplica((phone) => phone.openInvoices(clientId)).reduce((sum, it) => sum + cents(it.amount), 0) / 100;
  const [payment_id] = useState(newId);
  const key = `payment-client-${clientId}`;
  const draft = useDraft<Partial<Fields>>(key, {});
  const form: Fields = {
    amount: owed,
    method: "cash",
    paid_on: today,
    note: "",
    beyond: "credit",
    typed: {},
    ...draft.value,
  };
  const proposed = useReplica((phone) => phone.openInvoices(clientId, form.amount ?? 0));
  const bound = bind(form, (change) => draft.set("amount" in change ? { ...change, typed: {} } : change));
  const partOf = (it: OpenInvoice): number | null => {
    const part = form.typed[it.id];
    return part === undefined ? it.amount : part;
  };
  const parts = proposed.map((it) => ({ invoice_id: it.id, amount: partOf(it) ?? 0 })).filter((it) => it.amount !== 0);
  const sum = parts.reduce((all, it) => all + cents(it.amount), 0) / 100;
  const isMore = proposed.some((it) => (partOf(it) ?? 0) > it.payable);
  const named = (error: FieldError): FieldError => {
    const [list, place, name] = error.field.split(".");
    const part = list === "parts" && name === "amount" ? parts[Number(place)] : undefined;
    return part ? { ...error, field: fieldOf(part.invoice_id) } : error;
  };

  const send = async () => {
    if (cents(sum) !== cents(form.amount ?? 0)) {
      const text = `The parts come to ${formatDollars(sum)}, and the amount is ${formatDollars(form.amount ?? 0)}`;
      return { text, fields: [{ field: "amount", text }] };
    }
    if (!(await isMeant(form.amount, owed, form.paid_on))) return undefined;
    const { method, note, beyond } = form;
    const args = { payment_id, parts, method, paid_on: form.paid_on || null, note, beyond };
    const result = await save({ name: "record_payments", args }, `Payment of ${clientName}`, { draft: key });
    if (!result.ok) return { ...result, fields: result.fields.map(named) };
    const invoices = parts.map((it) => it.invoice_id);
    toast.success("Payment recorded", {
      label: "Undo",
      onAction: () => void takeBack(invoices, payment_id, clientName),
    });
    onClose();
    draft.clear();
    return undefined;
  };

  if (!draft.ready) return <Skeleton className="h-110 w-full" />;
  return (
    <Form failed="Failed to record the payment" onSubmit={send} className="grid gap-4">
      {draft.restored && <Restored onStartOver={draft.clear} />}
      <MoneyField label="Amount" {...bound("amount")} />
      <fieldset className="grid gap-3">
        <legend className="pb-2 font-bold">Invoices it pays</legend>
        {proposed.map((it) => (
          <MoneyField
            key={it.id}
            name={fieldOf(it.id)}
            label={it.number}
            hint={`${it.issued}, ${it.open}`}
            value={partOf(it)}
            onChange={(amount) => draft.set({ typed: { ...form.typed, [it.id]: amount } })}
          />
        ))}
      </fieldset>
      {isMore && (
        <FieldGroup name="beyond" label="What should happen with the amount beyond what is owed?">
          <Segmented label="Beyond what is owed" options={BEYOND} {...bound("beyond")} />
        </FieldGroup>
      )}
      <MoneyDetailsFields form={form} set={draft.set} today={today} onClose={onClose} />
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

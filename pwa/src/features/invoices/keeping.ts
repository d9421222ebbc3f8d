/** Owns what is done with an invoice after it was shared: each act is a command, is said, and has a way back where a slip hurts. */
import { type Command, type InvoiceCard, newId, type PaymentLine, type PaymentMethod } from "../../core";
import { save } from "../../data";
import { toast } from "../../ui";

/** `invoice INV-12 of Sam Rivers`. */
export const named = ({ number, client_name }: InvoiceCard): string =>
  ["invoice", number, "of", client_name].filter(Boolean).join(" ");

/** Saves; whether it is saved. What stands in its way is said after `failed`. */
async function act(command: Command, sentence: string, failed: string): Promise<boolean> {
  try {
    const result = await save(command, sentence);
    if (!result.ok) toast.error(`${failed}: ${result.text}`);
    return result.ok;
  } catch {
    toast.error(failed);
    return false;
  }
}

export async function markPaid(card: InvoiceCard, method: PaymentMethod): Promise<void> {
  const { id, unpaid_services: count } = card;
  const payment_id = newId();
  const args = { id, payment_id, amount: null, method, paid_on: null, note: "" };
  const command: Command = { name: "record_invoice_payment", args };
  if (!(await act(command, `Mark ${named(card)} as paid`, "Failed to mark invoice as paid"))) return;
  toast.success(`Invoice marked as paid! ${count} services updated.`, {
    label: "Undo",
    onAction: () => void takeBack(card, payment_id),
  });
}

/** Takes a payment back that was written down by mistake. */
export async function takeBack(card: InvoiceCard, payment_id: string): Promise<void> {
  const command: Command = { name: "remove_invoice_payment", args: { id: card.id, payment_id } };
  const failed = "Failed to remove the payment";
  if (await act(command, `Remove a payment on ${named(card)}`, failed)) toast.info("The payment is removed");
}

/** The same of one that stands in the list, with a way back. */
export async function removePayment(card: InvoiceCard, line: PaymentLine): Promise<void> {
  const { id, amount, method, paid_on, note } = line;
  const command: Command = { name: "remove_invoice_payment", args: { id: card.id, payment_id: id } };
  if (!(await act(command, `Remove a payment on ${named(card)}`, "Failed to remove the payment"))) return;
  const again: Command = {
    name: "record_invoice_payment",
    args: { id: card.id, payment_id: newId(), amount, method, paid_on, note },
  };
  toast.success("The payment is removed", {
    label: "Undo",
    onAction: () => void act(again, `Bring a payment on ${named(card)} back`, "Failed to bring the payment back"),
  });
}

export async function remove(card: InvoiceCard): Promise<void> {
  const command: Command = { name: "delete_invoice", args: { id: card.id } };
  if (!(await act(command, `Delete ${named(card)}`, "Failed to delete invoice"))) return;
  toast.success("Invoice deleted successfully", { label: "Undo", onAction: () => void restore(card) });
}

export async function restore(card: InvoiceCard): Promise<void> {
  const command: Command = { name: "restore_invoice", args: { id: card.id } };
  const failed = "Failed to restore invoice";
  if (await act(command, `Bring ${named(card)} back`, failed)) toast.info("The invoice is back");
}

export async function remind(card: InvoiceCard): Promise<void> {
  const command: Command = { name: "remind_of_invoice", args: { id: card.id } };
  const failed = "Failed to send the reminder";
  if (await act(command, `Remind ${card.client_name} of ${named(card)}`, failed)) {
    toast.success(`The reminder goes to ${card.client_name}`);
  }
}

/** Owns what is done with an invoice after it was shared: each act is a command, is said, and has a way back where a slip hurts. */
import { type Command, formatDollars, type InvoiceCard, newId, type PaymentLine, type PaymentMethod } from "../../core";
import { business, canSendNow, save, storageTrouble } from "../../data";
import { confirm, toast } from "../../ui";

/** `invoice INV-12 of Sam Rivers`. */
export const named = ({ number, client_name }: InvoiceCard): string =>
  ["invoice", number, "of", client_name].filter(Boolean).join(" ");

/** Saves; whether it is saved. What stands in its way is said with `failed`. */
async function act(command: Command, sentence: string, failed: (why: string) => string): Promise<boolean> {
  try {
    const result = await save(command, sentence);
    if (!result.ok) toast.error(failed(result.fields[0]?.text ?? result.text));
    return result.ok;
  } catch (error) {
    toast.error(failed(storageTrouble(error)));
    return false;
  }
}

/** Why the core would turn the command down as things are; undefined where it would not. */
async function refusalOf(command: Command): Promise<string | undefined> {
  const phone = await business().wholePhone();
  const made_at = new Date().toISOString();
  const prepared = phone.prepare({ id: newId(), command, sentence: "", made_at, base_rev: null, photos: [] });
  if (prepared.status !== "rejected") return undefined;
  const { refusal, text } = prepared.error;
  return (refusal.code === "invalid" && refusal.fields[0]?.text) || text;
}

const notPaid = (why: string) => `Failed to mark invoice as paid: ${why}`;
const notDeleted = (why: string) => `Failed to delete invoice: ${why}`;
const notRemoved = (why: string) => `Failed to remove the payment: ${why}`;
const notBroughtBack = (why: string) => `Failed to bring the payment back: ${why}`;
const notUnrefunded = (why: string) => `Failed to remove the refund: ${why}`;
const notSettled = (why: string) => `Failed to save what was paid too much: ${why}`;
const notRestored = (why: string) => `Failed to restore invoice: ${why}`;
const notReminded = (why: string) => `Failed to send the reminder: ${why}`;

export async function markPaid(card: InvoiceCard, method: PaymentMethod): Promise<void> {
  const { id, unpaid_services: count, written_off, payable } = card;
  const payment_id = newId();
  // Without an amount it is what is owed, and nothing of what is written off.
  const amount = written_off > 0 ? payable : null;
  const args = { id, payment_id, amount, method, paid_on: null, note: "" };
  const command: Command = { name: "record_invoice_payment", args };
  if (!(await act(command, `Mark ${named(card)} as paid`, notPaid))) return;
  toast.success(`Invoice marked as paid! ${count} services updated.`, {
    label: "Undo",
    onAction: () => void takeBack(card, payment_id),
  });
}

/** Takes a payment back that was written down by mistake. */
export async function takeBack(card: InvoiceCard, payment_id: string): Promise<void> {
  const command: Command = { name: "remove_invoice_payment", args: { id: card.id, payment_id } };
  if (await act(command, `Remove a payment on ${named(card)}`, notRemoved)) toast.info("The payment is removed");
}

/** The same of one that stands in the list, with a way back. */
export async function removePayment(card: InvoiceCard, line: PaymentLine): Promise<void> {
  const { id, amount, method, paid_on, note, tip, kept } = line;
  const command: Command = { name: "remove_invoice_payment", args: { id: card.id, payment_id: id } };
  if (!(await act(command, `Remove a payment on ${named(card)}`, notRemoved))) return;
  const again: Command = {
    name: "record_invoice_payment",
    args: { id: card.id, payment_id: newId(), amount, method, paid_on, note, tip, kept },
  };
  toast.success("The payment is removed", {
    label: "Undo",
    onAction: () => void act(again, `Bring a payment on ${named(card)} back`, notBroughtBack),
  });
}

/** Takes a refund back that was written down by mistake. */
export async function removeRefund(card: InvoiceCard, refund_id: string): Promise<void> {
  const command: Command = { name: "remove_invoice_refund", args: { id: card.id, refund_id } };
  if (await act(command, `Remove a refund on ${named(card)}`, notUnrefunded)) toast.info("The refund is removed");
}

/** All that is owed back stays with the sitter as the client's credit. */
export const keepAsCredit = (card: InvoiceCard): Promise<void> =>
  settle(card, { tip: card.tip, kept: card.kept + card.owed_back }, "Kept as credit");

/** Counts the money paid beyond the invoice as a tip. */
export const callItTip = (card: InvoiceCard): Promise<void> =>
  settle(card, { tip: card.tip + card.unsaid, kept: card.kept }, "Counted as a tip");

async function settle(card: InvoiceCard, amounts: { tip: number; kept: number }, said: string): Promise<void> {
  const command = ({ tip, kept }: typeof amounts): Command => ({
    name: "settle_overpayment",
    args: { id: card.id, tip, kept },
  });
  const sentence = `Settle what was overpaid on ${named(card)}`;
  if (!(await act(command(amounts), sentence, notSettled))) return;
  toast.success(said, { label: "Undo", onAction: () => void act(command(card), sentence, notSettled) });
}

const notWrittenOff = (why: string) => `Failed to write the invoice off: ${why}`;

/** Says that what is owed will never be paid; the services of what was never paid at all are no revenue then. */
export async function writeOff(card: InvoiceCard): Promise<void> {
  const command: Command = { name: "set_written_off", args: { id: card.id, written_off: true, note: "" } };
  if (!(await act(command, `Write ${named(card)} off`, notWrittenOff))) return;
  toast.success(`${formatDollars(card.balance)} written off`, {
    label: "Undo",
    onAction: () => void undoWriteOff(card),
  });
}

export async function undoWriteOff(card: InvoiceCard): Promise<void> {
  const command: Command = { name: "set_written_off", args: { id: card.id, written_off: false, note: "" } };
  if (await act(command, `Undo the write-off of ${named(card)}`, notWrittenOff))
    toast.info("The invoice is owed again");
}

export async function remove(card: InvoiceCard): Promise<void> {
  const command: Command = { name: "delete_invoice", args: { id: card.id } };
  const usesCredit = card.payments.some((it) => it.credit);
  const unless = usesCredit ? "its credit is used or its services are billed" : "its services are billed";
  const question = {
    title: `Delete ${named(card)}?`,
    text: `What is recorded on it goes with it. Restore brings both back, unless ${unless} by then. To take off what was billed, write a credit note instead.`,
    action: "Delete",
    danger: true,
  };
  const refused = await refusalOf(command);
  if (refused) {
    toast.error(notDeleted(refused));
    return;
  }
  if (card.has_payments && !(await confirm(question))) return;
  if (!(await act(command, `Delete ${named(card)}`, notDeleted))) return;
  const told = (await business().wholePhone()).toldOfRemoval([card.client_id], canSendNow());
  const said = ["Invoice deleted successfully", told].filter(Boolean).join(". ");
  toast.success(said, { label: "Undo", onAction: () => void restore(card) });
}

export async function restore(card: InvoiceCard): Promise<void> {
  const command: Command = { name: "restore_invoice", args: { id: card.id } };
  if (await act(command, `Bring ${named(card)} back`, notRestored)) toast.info("The invoice is back");
}

/** Nobody can take back what has reached a client: it is asked for. */
export async function remind(card: InvoiceCard): Promise<void> {
  const told = (await business().wholePhone()).toldOfReminder(card.client_id);
  const question = {
    title: `Remind ${card.client_name}?`,
    text: `A reminder of ${named(card)} goes out as soon as there is a network. ${told}`.trim(),
    action: "Remind",
  };
  if (!(await confirm(question))) return;
  const command: Command = { name: "remind_of_invoice", args: { id: card.id } };
  if (await act(command, `Remind ${card.client_name} of ${named(card)}`, notReminded)) {
    toast.success(`The reminder goes to ${card.client_name}`);
  }
}

/** Owns adjusting one client's invoice in 'Bill all': its visits, due date, note, lines and discounts. */
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import { type ClientBill, newId, type Phone, type ShareInvoice } from "../../core";
import { useDraft, useRead, useReplica } from "../../data";
import { Button, Dialog, DialogActions, Form, type FormProblem, Skeleton, SubmitButton } from "../../ui";
import { Restored } from "../../ui/Restored";
import { BillableList } from "./BillableList";
import { choiceOf, formOf, type InvoiceForm } from "./form";
import { MoreFields } from "./MoreFields";
import { Sums } from "./Sums";
import { UseCredit } from "./UseCredit";

interface AdjustBillProps {
  bill: ClientBill;
  onSave: (invoice: ShareInvoice) => void;
  /** Takes back what was adjusted before. */
  onReset: () => void;
  onClose: () => void;
}

export function AdjustBill({ bill, onSave, onReset, onClose }: AdjustBillProps) {
  const { label, client_id, invoice, is_adjusted } = bill;
  const now = useMinute();
  const today = useReplica((phone) => phone.today(now));
  const [first] = useState(useRead((phone) => begin(phone, bill, now), bill, now));
  const draft = useDraft<InvoiceForm>(`bill-all:${client_id}`, first);
  const form = draft.value;
  const [id] = useState(newId);
  const billable = useRead(
    (phone) => phone.billable(client_id, invoice.start_date ?? undefined, invoice.end_date ?? undefined, now),
    client_id,
    invoice.start_date,
    invoice.end_date,
    now,
  );
  const choice = choiceOf(id, form, billable);
  const check = useReplica((phone) => phone.checkInvoice(choice, now));
  const submit = (): FormProblem | undefined => {
    if (!check.invoice) return { text: check.problem ?? "", fields: check.errors };
    onSave(choice);
    draft.clear();
    onClose();
    return undefined;
  };
  const reset = () => {
    onReset();
    draft.clear();
    onClose();
  };
  return (
    <Dialog open onClose={onClose} dismissible={!draft.dirty} title="Invoice" sub={<bdi>{label}</bdi>}>
      {draft.ready ? (
        <Form onSubmit={submit}>
          {draft.restored && <Restored onStartOver={draft.clear} />}
          {billable.services.length > 0 && (
            <BillableList
              services={billable.services}
              toggled={form.toggled}
              onToggle={(toggled) => draft.set({ toggled })}
            />
          )}
          <UseCredit credit={billable.credit} form={form} onChange={draft.set} />
          <MoreFields form={form} today={today} dueDate={check.due_date ?? ""} onChange={draft.set} />
          <Sums check={check} extras={choice.extras ?? []} />
          <DialogActions>
            {is_adjusted && (
              <Button kind="plain" onClick={reset}>
                Take changes back
              </Button>
            )}
            <Button kind="quiet" onClick={onClose}>
              Close
            </Button>
            <SubmitButton>Use these changes</SubmitButton>
          </DialogActions>
        </Form>
      ) : (
        <Skeleton className="h-110 w-full" />
      )}
    </Dialog>
  );
}

const begin = (phone: Phone, { client_id, invoice }: ClientBill, now: number): InvoiceForm =>
  formOf(invoice, (first, last) => phone.billable(client_id, first, last, now));

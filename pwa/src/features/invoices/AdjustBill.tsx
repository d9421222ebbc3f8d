/** Owns adjusting one client's invoice in 'Bill all': its visits, due date, note, lines and discounts. */
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import { type ClientBill, type DateRange, newId, type Phone, type ShareInvoice } from "../../core";
import { useDraft, useRead, useReplica } from "../../data";
import { Button, Dialog, DialogActions, Form, type FormProblem, Skeleton, SubmitButton } from "../../ui";
import { Restored } from "../../ui/Restored";
import { BillableList } from "./BillableList";
import { choiceOf, chosenOf, formOf, type InvoiceForm } from "./form";
import { MoreFields } from "./MoreFields";
import { Sums } from "./Sums";
import { UseCredit } from "./UseCredit";

/** Key of the drafts of changes that were not used, by client and days; one without arguments begins all of them. */
export const changesKey = (clientId = "", range?: DateRange): string =>
  ["bill-all", clientId, range?.first, range?.last].filter((it) => it !== undefined).join(":");

interface AdjustBillProps {
  bill: ClientBill;
  /** The days that are billed. */
  range: DateRange;
  onSave: (invoice: ShareInvoice) => void;
  /** Takes back what was adjusted before. */
  onReset: () => void;
  /** Called with true if changes were typed and not used. */
  onClose: (hasUnused: boolean) => void;
}

export function AdjustBill({ bill, range, onSave, onReset, onClose }: AdjustBillProps) {
  const { label, client_id, invoice, is_adjusted } = bill;
  const now = useMinute();
  const today = useReplica((phone) => phone.today(now));
  const [first] = useState(useRead((phone) => begin(phone, bill, now), bill, now));
  const draft = useDraft<InvoiceForm>(changesKey(client_id, range), first);
  const form = draft.value;
  // An invoice that was saved before the app was closed keeps its id, so that it is not saved twice.
  const [id] = useState(() => (is_adjusted ? invoice.id : newId()));
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
    onClose(false);
    return undefined;
  };
  const reset = () => {
    onReset();
    draft.clear();
    onClose(false);
  };
  const close = () => onClose(draft.dirty);
  return (
    <Dialog open onClose={close} dismissible={!draft.dirty} title="Invoice" sub={<bdi>{label}</bdi>}>
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
          <MoreFields
            form={form}
            today={today}
            dueDate={check.due_date ?? ""}
            rates={check.rates}
            services={chosenOf(billable.services, form.toggled)}
            onChange={draft.set}
          />
          <Sums check={check} extras={choice.extras ?? []} />
          <DialogActions>
            {is_adjusted && (
              <Button kind="plain" onClick={reset}>
                Undo
              </Button>
            )}
            <Button kind="quiet" onClick={close}>
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

/** Owns the first tab of the invoices' section: an invoice is put together, looked at and shared (SPEC 2, Invoices). */
import { ReceiptText } from "lucide-react";
import { EmptyState } from "../../ui";

export function CreateInvoice() {
  return (
    <EmptyState icon={<ReceiptText aria-hidden />} title="Nothing to bill yet">
      What you have done for a client stands here, to be billed.
    </EmptyState>
  );
}

/** Owns the history of invoices: what was shared (SPEC 2, Invoices). */
import { ReceiptText } from "lucide-react";
import { EmptyState } from "../../ui";

export function InvoiceHistory() {
  return (
    <EmptyState icon={<ReceiptText aria-hidden />} title="No invoices yet">
      What you share stands here, with what is owed.
    </EmptyState>
  );
}

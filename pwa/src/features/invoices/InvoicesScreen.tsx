/** Owns the invoices' section: its two tabs, of which the address says which is shown (SPEC 2, Invoices). */
import { useSearchParams } from "wouter";
import { PageBody, PageHeader, Tabs } from "../../ui";
import { CreateInvoice } from "./CreateInvoice";
import { InvoiceHistory } from "./InvoiceHistory";
import { InvoiceUploads } from "./InvoiceUploads";

type Tab = "create" | "history";

const TABS: { id: Tab; label: string }[] = [
  { id: "create", label: "Create Invoice" },
  { id: "history", label: "Invoice History" },
];

export default function InvoicesScreen() {
  const [params, setParams] = useSearchParams();
  const tab: Tab = params.get("tab") === "history" ? "history" : "create";
  const show = (next: Tab) => setParams(next === "create" ? {} : { tab: next }, { replace: true });
  return (
    <>
      <PageHeader title="Invoices" />
      <PageBody className="max-w-220">
        <InvoiceUploads />
        <Tabs label="Invoices" items={TABS} value={tab} onChange={show}>
          {tab === "create" ? <CreateInvoice /> : <InvoiceHistory />}
        </Tabs>
      </PageBody>
    </>
  );
}

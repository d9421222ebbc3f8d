/** Owns the invoices' section: its two tabs, and what is said of one that was just shared (SPEC 2, Invoices). */
import { useLocation, useSearchParams } from "wouter";
import { addressId } from "../../core";
import { useOwnPages } from "../../parts/sharing/useOwnPages";
import { ButtonLink, PageBody, PageHeader, Tabs } from "../../ui";
import { BillAll } from "./BillAll";
import { CreateInvoice } from "./CreateInvoice";
import { InvoiceHistory } from "./InvoiceHistory";
import { InvoiceUploads } from "./InvoiceUploads";
import { SharedInvoice } from "./SharedInvoice";

type Tab = "create" | "history";

const TABS: { id: Tab; label: string }[] = [
  { id: "create", label: "Create Invoice" },
  { id: "history", label: "Invoice History" },
];

export default function InvoicesScreen() {
  const [params, setParams] = useSearchParams();
  const tab: Tab = params.get("tab") === "history" ? "history" : "create";
  const shared = addressId(params.get("shared"));
  const show = (next: Tab) => setParams(next === "create" ? {} : { tab: next }, { replace: true });
  // By its whole path: it is also opened from another screen.
  const [, navigate] = useLocation();
  const open = (id: string) => navigate(`/invoices?shared=${id}`, { replace: true });
  useOwnPages();
  if (params.get("bill") === "all") {
    return (
      <>
        <PageHeader
          title="Bill all"
          actions={
            <ButtonLink kind="quiet" to="/invoices">
              All invoices
            </ButtonLink>
          }
        />
        <PageBody className="max-w-220">
          <BillAll />
        </PageBody>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Invoices"
        actions={
          <ButtonLink kind="quiet" to="/invoices?bill=all">
            Bill all
          </ButtonLink>
        }
      />
      <PageBody className={tab === "create" ? "max-w-220" : "max-w-220 xl:max-w-none"}>
        <InvoiceUploads />
        <Tabs label="Invoices" items={TABS} value={tab} onChange={show}>
          {tab === "create" ? (
            <CreateInvoice clientId={addressId(params.get("client"))} onShared={open} />
          ) : (
            <InvoiceHistory />
          )}
        </Tabs>
      </PageBody>
      {shared && (
        <SharedInvoice id={shared} onClose={() => show(tab)} onOpen={() => navigate(`/invoices?shared=${shared}`)} />
      )}
    </>
  );
}

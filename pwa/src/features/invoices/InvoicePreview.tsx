/** Owns the last look at an invoice before it goes out: what its client will read, and sharing it (SPEC 2, Invoices). */
import { type BillableService, formatDate, formatDollars, type Invoice, type InvoiceCheck } from "../../core";
import { useReplica } from "../../data";
import { Banner, Button, Dialog, DialogActions, Form, type FormProblem, SubmitButton } from "../../ui";
import { Sums } from "./Sums";

interface InvoicePreviewProps {
  check: InvoiceCheck;
  /** What it bills, as the form lists it. */
  services: readonly BillableService[];
  /** What is wrong, where it was not shared. */
  onShare: () => Promise<FormProblem | undefined>;
  onClose: () => void;
}

export function InvoicePreview({ check, services, onShare, onClose }: InvoicePreviewProps) {
  const { invoice, problem, errors } = check;
  const business = useReplica((phone) => phone.sitter());
  return (
    <Dialog open size="medium" title="Invoice preview" sub="As your client will see it." onClose={onClose}>
      <Form onSubmit={onShare} failed="Failed to share invoice">
        {invoice ? (
          <article className="grid grid-cols-1 gap-4 rounded-large border border-line bg-paper p-4">
            <header>
              <h3 dir="auto" className="text-20 font-bold wrap-anywhere">
                {business?.business_name || business?.name}
              </h3>
            </header>
            <Facts invoice={invoice} />
            <Lines services={services} />
            <Sums check={check} extras={invoice.invoiceData.extras ?? []} />
            <Note invoice={invoice} />
            <Tips invoice={invoice} />
          </article>
        ) : (
          <Banner kind="danger" role="alert">
            {problem ?? errors[0]?.text}
          </Banner>
        )}
        <DialogActions>
          <Button kind="quiet" onClick={onClose}>
            Close
          </Button>
          <SubmitButton disabled={!invoice}>Share Invoice</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function Facts({ invoice }: { invoice: Invoice }) {
  const { clientData, invoiceData, due_date } = invoice;
  const facts = [
    ["For", clientData.name],
    ["Pets", clientData.dogName],
    ["Period", `${formatDate(invoiceData.startDate)} - ${formatDate(invoiceData.endDate)}`],
    ["Due", due_date && formatDate(due_date)],
    ["Photos", invoiceData.photos?.length],
    ["Videos", invoiceData.videos?.length],
  ] as const;
  return (
    <dl className="num grid gap-1">
      {facts.map(
        ([name, text]) =>
          Boolean(text) && (
            <div key={name} className="pair grid gap-x-3">
              <dt className="text-ink-2">{name}</dt>
              <dd dir="auto" className="wrap-anywhere">
                {text}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Lines({ services }: { services: readonly BillableService[] }) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {services.map(({ view }) => (
        <li key={view.id} className="num py-2">
          <span className="flex flex-wrap justify-between gap-x-3">
            <span className="font-medium">{formatDate(view.date)}</span>
            {formatDollars(view.price)}
          </span>
          <span className="block text-14 text-ink-2">{view.formatted_time}</span>
          <span dir="auto" className="block text-14 text-ink-2 wrap-anywhere">
            {view.summary}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Note({ invoice: { invoiceData } }: { invoice: Invoice }) {
  if (!invoiceData.note) return null;
  return (
    <p dir="auto" className="whitespace-pre-line wrap-anywhere">
      {invoiceData.note}
    </p>
  );
}

function Tips({ invoice: { invoiceData } }: { invoice: Invoice }) {
  if (!invoiceData.tips?.length) return null;
  return (
    <p className="text-14 text-ink-2 wrap-anywhere">
      {invoiceData.tipNudge || "Tips"}: {invoiceData.tips.map((it) => `${it}%`).join(", ")}
    </p>
  );
}

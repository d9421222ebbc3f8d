/** Owns the last look at an invoice before it goes out: what its page will say, and sharing it (SPEC 2, Invoices). */
import { type ReactNode, Suspense, use } from "react";
import { Link } from "wouter";
import { useMinute } from "../../browser/clock";
import type { Invoice, InvoiceCheck } from "../../core";
import { type InvoicePage, invoicePage, loadInvoiceCore } from "../../core/invoice";
import { useReplica } from "../../data";
import {
  Banner,
  Button,
  Dialog,
  DialogActions,
  ErrorBoundary,
  Form,
  type FormProblem,
  LoadFailure,
  Skeleton,
  SubmitButton,
} from "../../ui";

interface InvoicePreviewProps {
  check: InvoiceCheck;
  /** Shares the invoice; resolves with the problem where it was not shared. */
  onShare: () => Promise<FormProblem | undefined>;
  onClose: () => void;
}

export function InvoicePreview({ check: { invoice, problem, errors, way }, onShare, onClose }: InvoicePreviewProps) {
  return (
    <Dialog open size="medium" title="Invoice preview" sub="As your client will see it." onClose={onClose}>
      <Form onSubmit={onShare}>
        {invoice ? (
          <ErrorBoundary
            fallback={(retry, { message }) => (
              <LoadFailure onRetry={retry}>Failed to show the preview: {message}</LoadFailure>
            )}
          >
            <Suspense fallback={<Skeleton className="h-110 w-full" />}>
              <Preview invoice={invoice} />
            </Suspense>
          </ErrorBoundary>
        ) : (
          <Banner kind="danger" role="alert">
            {problem ?? errors[0]?.text}
          </Banner>
        )}
        {way && <p className="text-14 text-ink-2 wrap-anywhere">{way}.</p>}
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

function Preview({ invoice }: { invoice: Invoice }) {
  use(loadInvoiceCore());
  const now = useMinute();
  const sitter = useReplica((phone) => phone.sitter());
  const zone = useReplica((phone) => phone.zone());
  if (!sitter) return null;
  const page = invoicePage(invoice, sitter, zone, now);
  return (
    <>
      <article className="num grid grid-cols-1 gap-4 rounded-large border border-line bg-paper p-4">
        <Head page={page} />
        <Ways page={page} />
        <dl className="grid gap-1">
          {page.facts.map(({ label, text }) => (
            <div key={label} className="pair grid gap-x-3">
              <dt className="text-ink-2">{label}</dt>
              <dd dir="auto" className="whitespace-pre-line wrap-anywhere">
                {text}
              </dd>
            </div>
          ))}
        </dl>
        <Lines page={page} />
        <Sums page={page} />
        {page.terms && <Words className="whitespace-pre-line wrap-anywhere">{page.terms}</Words>}
        {page.note && (
          <p dir="auto" className="border-l-4 border-tag pl-4 whitespace-pre-line wrap-anywhere">
            {page.note}
          </p>
        )}
        <Media page={page} />
      </article>
      {page.pay_to.length === 0 && (
        <Banner kind="plain" action={<Link to="/profile#profile-invoicing">Add one</Link>}>
          Your invoices name no account to pay to. Your client does not see this note.
        </Banner>
      )}
    </>
  );
}

interface PageProps {
  page: InvoicePage;
}

function Head({ page }: PageProps) {
  return (
    <header className="grid grid-cols-1 gap-1">
      <p dir="auto" className="text-16 font-bold wrap-anywhere">
        {page.business_name}
      </p>
      <p className="flex flex-wrap gap-x-4 text-14 text-ink-2">
        {page.contacts.map(({ text }) => (
          <bdi key={text} className="wrap-anywhere">
            {text}
          </bdi>
        ))}
      </p>
      {page.identity?.map(({ label, text }) => (
        <p key={label} className="text-14 text-ink-2">
          {label} <bdi className="whitespace-pre-line wrap-anywhere">{text}</bdi>
        </p>
      ))}
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 pt-2">
        <h3 className="text-20 font-bold">{page.title}</h3>
        <p className="text-14">{page.state_text}</p>
      </div>
      <p>
        <span className="block text-14 text-ink-2">{page.amount_label}</span>
        <span className="text-28 font-bold">{page.amount}</span>
      </p>
    </header>
  );
}

/** Tips that can be chosen there, and where it can be paid. */
function Ways({ page: { tip_nudge, tips, pay_to } }: PageProps) {
  if (tips.length + pay_to.length === 0) return null;
  return (
    <section aria-label="How to pay" className="grid grid-cols-1 gap-3 rounded-large border border-line bg-card p-4">
      {tips.length > 0 && (
        <>
          <p dir="auto" className="wrap-anywhere">
            {tip_nudge}
          </p>
          <ul aria-label="Tips" className="flex flex-wrap gap-2">
            {tips.map(({ percent, amount }) => (
              <li key={percent} className="flex-1 rounded-small border border-line px-3 py-1 text-center">
                <span className="block font-bold">{percent}%</span>
                <span className="text-14">{amount}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {pay_to.map(({ label, text }) => (
        <p key={label} className="wrap-anywhere">
          <span className="font-bold">{label}</span> <bdi>{text}</bdi>
        </p>
      ))}
    </section>
  );
}

function Lines({ page: { lines } }: PageProps) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {lines.map((it, place) => (
        // Two visits may have the same words.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={place} className="flex flex-wrap justify-between gap-x-4 py-2 text-14 text-ink-2">
          <div className="min-w-0 flex-1 basis-40 wrap-anywhere">
            <p>{it.date}</p>
            <Words className="text-16 font-medium text-ink">{it.what}</Words>
            <p>{it.time}</p>
            {it.dogs && <Words>{it.dogs}</Words>}
            {it.tax && <p>{it.tax}</p>}
            {it.notes && <Words className="whitespace-pre-line">{it.notes}</Words>}
          </div>
          <p className="ml-auto text-16 text-ink">{it.price}</p>
        </li>
      ))}
    </ul>
  );
}

function Words({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <p dir="auto" className={className}>
      {children}
    </p>
  );
}

function Sums({ page: { sums } }: PageProps) {
  return (
    <dl className="grid gap-1">
      {sums.map(({ label, amount, is_strong }, place) => (
        // Lines may have the same words.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={place} className={`flex flex-wrap justify-between gap-x-4 ${is_strong ? "font-bold" : "text-ink-2"}`}>
          <dt dir="auto" className="min-w-0 wrap-anywhere">
            {label}
          </dt>
          <dd className="ml-auto">{amount}</dd>
        </div>
      ))}
    </dl>
  );
}

function Media({ page: { n_photos, n_videos } }: PageProps) {
  const counted = [n_photos > 0 && `Photos: ${n_photos}`, n_videos > 0 && `Videos: ${n_videos}`].filter(Boolean);
  return counted.length > 0 && <p className="text-14 text-ink-2">{counted.join(" · ")}</p>;
}

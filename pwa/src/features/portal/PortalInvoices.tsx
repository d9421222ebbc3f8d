/** Owns a pet parent's invoices: each with its lines, which are here without a network, and what is owed in all. */
import { ArrowLeft, CreditCard, FileDown, ReceiptText } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useMinute } from "../../browser/clock";
import { formatDollars, type InvoiceCard } from "../../core";
import { useReplica } from "../../data";
import { usePortal } from "../../data/portal/portal";
import { InvoiceState } from "../../parts/InvoiceState";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { Button, Card, EmptyState, OutsideLink, PageBody, PageHeader } from "../../ui";
import { AfterPaying, useAfterPaying } from "./AfterPaying";
import { PayDialog } from "./PayByCard";

/** A page of the list: more are asked for. */
const PAGE = 20;

export default function PortalInvoices() {
  const now = useMinute();
  const [most, setMost] = useState(PAGE);
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  const afterPaying = useAfterPaying();
  const { owed, back: owedBack, cards, more } = useReplica((phone) => phone.parentInvoices(most, now));
  const back = (
    <Link to="/client" className="hit inline-flex items-center gap-1 font-medium">
      <ArrowLeft aria-hidden className="size-4" /> All visits
    </Link>
  );
  return (
    <>
      <PageHeader title="Invoices" sub={back} />
      <PageBody className="grid max-w-220 grid-cols-1 gap-3">
        {hasLoaded && afterPaying && <AfterPaying followed={afterPaying} />}
        {!hasLoaded ? (
          <LoadingOrFailure
            label="Loading your invoices"
            failure={(why) => `Your invoices could not be loaded yet. ${why}`}
          />
        ) : cards.length === 0 ? (
          <EmptyState icon={<ReceiptText aria-hidden />} title="No invoices yet">
            Invoices from your sitter show up here, with what you have paid.
          </EmptyState>
        ) : (
          <div>
            <p className="num text-20 font-bold wrap-anywhere">{owed}</p>
            {owedBack.map((it) => (
              <p key={it} className="num wrap-anywhere">
                {it}
              </p>
            ))}
          </div>
        )}
        {cards.map((card) => (
          <Invoice
            key={card.id}
            card={card}
            mayBePaid={afterPaying?.mayBePaid === true && afterPaying.card?.id === card.id}
          />
        ))}
        {more > 0 && (
          <Button kind="plain" onClick={() => setMost(most + PAGE)}>
            View {Math.min(PAGE, more)} more
          </Button>
        )}
      </PageBody>
    </>
  );
}

interface InvoiceProps {
  card: InvoiceCard;
  /** True while a payment of it may be on its way. */
  mayBePaid: boolean;
}

function Invoice({ card, mayBePaid }: InvoiceProps) {
  const title = `invoice-${card.id}`;
  return (
    <Card aria-labelledby={title} className="grid grid-cols-1 gap-3">
      <div className="num flex flex-wrap justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 flex-1 basis-[min(100%,11rem)] justify-items-start gap-1 wrap-anywhere">
          <InvoiceState card={card} />
          <h2 id={title} className="text-16 font-bold">
            {card.state === "credit" ? "Credit note" : "Invoice"} {card.number}
          </h2>
          <p className="text-14 text-ink-2">{card.period}</p>
          {card.due && <p className="text-14 text-ink-2">{card.due}</p>}
        </div>
        <div className="ml-auto text-right">
          <p className="text-20 font-bold">{formatDollars(card.total)}</p>
          {card.balance !== 0 && card.balance !== card.total && (
            <p className="text-14">{formatDollars(card.balance)} still to pay</p>
          )}
          {card.owed_back !== 0 && <p className="text-14">{formatDollars(card.owed_back)} owed back to you</p>}
          {card.kept !== 0 && <p className="text-14">{formatDollars(card.kept)} kept as your credit</p>}
        </div>
      </div>
      <Receipt card={card} />
      <Lines id={card.id} />
      <Acts card={card} mayBePaid={mayBePaid} />
    </Card>
  );
}

/** Lists what came in, was credited and went back. */
function Receipt({ card: { receipt } }: { card: InvoiceCard }) {
  if (receipt.length === 0) return null;
  return (
    <ul aria-label="Payments" className="num grid grid-cols-1 gap-1 text-14">
      {receipt.map((it, index) => (
        // Lines are only added at the end.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="flex justify-between gap-3">
          <span className="min-w-0 wrap-anywhere">{it.text}</span>
          <span>{formatDollars(it.amount)}</span>
        </li>
      ))}
    </ul>
  );
}

const OF_STATE = { credit: "View credit note", paid: "View receipt" } as const;

function Acts({ card, mayBePaid }: InvoiceProps) {
  const { open } = usePortal();
  const [paying, setPaying] = useState(false);
  const { state, link, by_card } = card;
  if (!link) return null;
  const label = (state === "credit" || state === "paid") && OF_STATE[state];
  return (
    <div className="flex flex-wrap gap-2 *:max-md:grow md:justify-end">
      {state === "paid" && (
        <OutsideLink
          kind="plain"
          href={`${link}/pdf`}
          target="_blank"
          rel="noreferrer"
          icon={<FileDown aria-hidden className="size-5" />}
        >
          PDF
        </OutsideLink>
      )}
      <OutsideLink href={link} target="_blank" rel="noreferrer">
        {label || "View invoice"}
      </OutsideLink>
      {by_card && open?.takes_cards && !mayBePaid && (
        <Button icon={<CreditCard aria-hidden className="size-5" />} onClick={() => setPaying(true)}>
          Pay by card
        </Button>
      )}
      {by_card && paying && <PayDialog card={card} offer={by_card} onClose={() => setPaying(false)} />}
    </div>
  );
}

function Lines({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-12 cursor-pointer content-center font-medium">What it is for</summary>
      {open && <OpenLines id={id} />}
    </details>
  );
}

function OpenLines({ id }: { id: string }) {
  const lines = useReplica((phone) => phone.invoiceLines(id));
  return (
    <ul className="num grid grid-cols-1 gap-1 text-14">
      {lines.map((it, index) => (
        // The lines of an invoice do not change.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="flex justify-between gap-3">
          <span className="min-w-0 wrap-anywhere">{it.text}</span>
          <span>{formatDollars(it.amount)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Owns the balance of a client: what is owed or theirs, and the entries that it is made of. For the sitter alone. */
import { HandCoins } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useMinute } from "../../browser/clock";
import { type Client, formatDollars } from "../../core";
import { useRead } from "../../data";
import { Button } from "../../ui";
import { ClientPaymentDialog } from "../invoices";
import { DetailSection, type Heading } from "./DetailSection";

/** Entries shown at first, and with each 'Show more'. */
const STEP = 5;

export function BalanceSection({ client, heading }: { client: Client; heading: Heading }) {
  const now = useMinute();
  const [most, setMost] = useState(STEP);
  const [isPaying, setIsPaying] = useState(false);
  const statement = useRead((phone) => phone.statement(client.id, most, now), client.id, most, now);
  const { sentence, owed, payable, credit, owed_back, lines, more } = statement;
  if (lines.length === 0) return null;
  const parts = [
    owed > 0 && `${formatDollars(owed)} owed on open invoices`,
    credit > 0 && `${formatDollars(credit)} credit for the next invoice`,
    owed_back > 0 && `${formatDollars(owed_back)} paid too much`,
  ].filter(Boolean);
  return (
    <DetailSection title="Balance" heading={heading}>
      <div className="num grid grid-cols-1 overflow-hidden rounded-large border border-line bg-card">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
          <div className="min-w-0 flex-1 basis-40">
            <p className="text-16 font-bold">{sentence}</p>
            {(parts.length > 1 || credit + owed_back > 0) && <p className="text-14 text-ink-2">{parts.join(", ")}</p>}
          </div>
          {payable > 0 && (
            <Button kind="quiet" icon={<HandCoins aria-hidden className="size-5" />} onClick={() => setIsPaying(true)}>
              Record a payment
            </Button>
          )}
        </div>
        <ul aria-label="Entries" className="divide-y divide-line border-t border-line">
          {lines.map((it) => (
            <li key={it.place} className="px-4 py-2">
              <span className="flex flex-wrap gap-x-3">
                <span className="min-w-0 flex-1 basis-[min(100%,9rem)] font-medium wrap-anywhere">{it.text}</span>
                <span className="ml-auto">{formatDollars(it.amount)}</span>
              </span>
              <span className="flex flex-wrap gap-x-3 text-14 text-ink-2">
                <span className="min-w-0 flex-1 basis-[min(100%,9rem)] wrap-anywhere">
                  {[it.day, it.detail].filter(Boolean).join(" · ")}
                </span>
                <span className="ml-auto">
                  <span className="sr-only">Balance </span>
                  {formatDollars(it.balance)}
                </span>
              </span>
            </li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-x-4">
        {more > 0 && (
          <Button kind="plain" onClick={() => setMost(most + 4 * STEP)}>
            Show more ({more})
          </Button>
        )}
        <Link
          to={`/invoices?tab=history&client=${client.id}`}
          className="hit inline-flex min-h-12 items-center font-bold underline underline-offset-2"
        >
          All invoices
        </Link>
      </div>
      {isPaying && (
        <ClientPaymentDialog clientId={client.id} clientName={client.name} onClose={() => setIsPaying(false)} />
      )}
    </DetailSection>
  );
}

/** Owns the history of invoices as a table, where the screen has room for one: each row opens to the invoice's card. */
import { ChevronDown } from "lucide-react";
import { Fragment, type ReactNode, useState } from "react";
import { formatDollars, type InvoiceCard } from "../../core";
import { InvoiceState } from "../../parts/InvoiceState";

interface InvoiceTableProps {
  cards: readonly InvoiceCard[];
  cardOf: (card: InvoiceCard) => ReactNode;
}

const COLUMNS = ["Number", "Client", "Issued", "Due", "Total", "Owed", "State"];
/** Columns of amounts. */
const AMOUNTS = ["Total", "Owed"];

export function InvoiceTable({ cards, cardOf }: InvoiceTableProps) {
  // One that a search has found alone is what somebody wants to see.
  const [only] = cards.length === 1 ? cards : [];
  const [opened, setOpened] = useState<string>();
  return (
    <div className="overflow-x-auto rounded-large border border-line bg-card">
      <table className="num w-full text-left text-14">
        <thead className="text-ink-2">
          <tr>
            {COLUMNS.map((it) => (
              <th key={it} scope="col" className={`px-3 py-2 font-medium ${AMOUNTS.includes(it) ? "text-right" : ""}`}>
                {it}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cards.map((card) => {
            const isOpen = (opened ?? only?.id) === card.id;
            return (
              <Fragment key={card.id}>
                <Row card={card} isOpen={isOpen} onToggle={() => setOpened(isOpen ? "" : card.id)} />
                {isOpen && (
                  <tr>
                    <td colSpan={COLUMNS.length} className="p-2">
                      {cardOf(card)}
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  card: InvoiceCard;
  isOpen: boolean;
  onToggle: () => void;
}

function Row({ card, isOpen, onToggle }: RowProps) {
  const { number, client_name, issued, due, total, balance } = card;
  return (
    <tr className="border-t border-line">
      <th scope="row" className="font-medium">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex min-h-12 items-center gap-1 px-3 whitespace-nowrap -outline-offset-3 hover:bg-sunken"
        >
          <ChevronDown aria-hidden className={`size-4 text-ink-2 transition-transform ${isOpen ? "rotate-180" : ""}`} />
          {number || "Not sent yet"}
        </button>
      </th>
      <td className="max-w-60 px-3 wrap-anywhere">
        <bdi>{client_name}</bdi>
      </td>
      <td className="px-3 whitespace-nowrap">{issued}</td>
      <td className="px-3 whitespace-nowrap">{due.replace(/^Due /, "")}</td>
      <td className="px-3 text-right whitespace-nowrap">{formatDollars(total)}</td>
      <td className="px-3 text-right whitespace-nowrap">{balance === 0 ? "" : formatDollars(balance)}</td>
      <td className="px-3 py-1">
        <InvoiceState card={card} />
      </td>
    </tr>
  );
}

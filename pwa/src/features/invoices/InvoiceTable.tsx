/**
 * Owns the history of invoices as a table, where the screen has room for one. Each row opens to the invoice's card: beside
 * the table on a wide screen, else below the row.
 */
import { ChevronDown, ChevronRight } from "lucide-react";
import { Fragment, type ReactNode, useState } from "react";
import { useHasRoomBeside } from "../../browser/device";
import { formatDollars, type InvoiceCard } from "../../core";
import { InvoiceState } from "../../parts/InvoiceState";
import { cx } from "../../ui";

interface InvoiceTableProps {
  cards: readonly InvoiceCard[];
  cardOf: (card: InvoiceCard) => ReactNode;
}

const COLUMNS = ["Number", "Client", "Issued", "Due", "Total", "Owed", "State"];
/** Columns of amounts. */
const AMOUNTS = ["Total", "Owed"];

export function InvoiceTable({ cards, cardOf }: InvoiceTableProps) {
  const isBeside = useHasRoomBeside();
  // One that a search has found alone is what somebody wants to see.
  const [only] = cards.length === 1 ? cards : [];
  const [opened, setOpened] = useState<string>();
  // Beside the table there is room that nothing else needs.
  const first = isBeside ? cards[0] : only;
  const open = cards.find((it) => it.id === opened) ?? (opened === "" && !isBeside ? undefined : first);
  const columns = COLUMNS.filter((it) => !isBeside || it !== "Issued");
  return (
    <div className={cx("grid grid-cols-1 items-start gap-5", isBeside && "grid-cols-[minmax(0,1fr)_25rem]")}>
      <div className="overflow-x-auto rounded-large border border-line bg-card">
        <table className="num w-full text-left text-14">
          <thead className="text-ink-2">
            <tr>
              {columns.map((it) => (
                <th
                  key={it}
                  scope="col"
                  className={`px-3 py-2 font-medium ${AMOUNTS.includes(it) ? "text-right" : ""}`}
                >
                  {it}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cards.map((card) => {
              const isOpen = open?.id === card.id;
              return (
                <Fragment key={card.id}>
                  <Row
                    card={card}
                    isOpen={isOpen}
                    isBeside={isBeside}
                    onPress={() => setOpened(isOpen && !isBeside ? "" : card.id)}
                  />
                  {isOpen && !isBeside && (
                    <tr>
                      <td colSpan={columns.length} className="p-2">
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
      {isBeside && open && <div className="sticky top-5 min-w-0">{cardOf(open)}</div>}
    </div>
  );
}

interface RowProps {
  card: InvoiceCard;
  isOpen: boolean;
  isBeside: boolean;
  onPress: () => void;
}

function Row({ card, isOpen, isBeside, onPress }: RowProps) {
  const { number, client_name, issued, due, total, balance } = card;
  const Sign = isBeside ? ChevronRight : ChevronDown;
  return (
    <tr className={cx("border-t border-line", isOpen && isBeside && "bg-sunken")}>
      <th scope="row" className="font-medium">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onPress}
          className="flex min-h-12 items-center gap-1 px-3 whitespace-nowrap -outline-offset-3 hover:bg-sunken"
        >
          <Sign
            aria-hidden
            className={cx("size-4 text-ink-2 transition-transform", isOpen && !isBeside && "rotate-180")}
          />
          {number || "Not sent yet"}
        </button>
      </th>
      <td className="min-w-36 px-3 py-1 wrap-anywhere">
        <bdi>{client_name}</bdi>
      </td>
      {!isBeside && <td className="px-3 whitespace-nowrap">{issued}</td>}
      <td className="px-3 whitespace-nowrap">{due.replace(/^Due /, "")}</td>
      <td className="px-3 text-right whitespace-nowrap">{formatDollars(total)}</td>
      <td className="px-3 text-right whitespace-nowrap">{balance === 0 ? "" : formatDollars(balance)}</td>
      <td className="px-3 py-1">
        <InvoiceState card={card} />
      </td>
    </tr>
  );
}

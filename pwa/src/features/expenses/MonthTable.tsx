/** Owns a month of mileage and expenses as a table, where the screen has room for one: a group of rows for each day. */
import type { ReactNode } from "react";
import { type ExpenseDay, type ExpenseEntry, formatDollars } from "../../core";
import { useReplica } from "../../data";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { cx } from "../../ui";
import { named } from "./keeping";

interface MonthTableProps {
  days: readonly ExpenseDay[];
  /** Height of the days that are still to be drawn. */
  restPx: number;
  /** Id of the entry beside the table. */
  chosen: string | undefined;
  onEdit: (entry: ExpenseEntry) => void;
  walkedOn: (date: string) => ReactNode;
  proposalOf: (day: ExpenseDay) => ReactNode;
}

export function MonthTable({ days, restPx, chosen, onEdit, walkedOn, proposalOf }: MonthTableProps) {
  return (
    <div className="overflow-x-auto rounded-large border border-line bg-card">
      <table className="num w-full text-left text-14">
        <thead className="text-ink-2">
          <tr>
            {COLUMNS.map((it) => (
              <th key={it} scope="col" className={cx("px-3 py-2 font-medium", it === "Amount" && "text-right")}>
                {it}
              </th>
            ))}
          </tr>
        </thead>
        {days.map((it) => (
          <DayRows
            key={it.date}
            day={it}
            chosen={chosen}
            onEdit={onEdit}
            walked={walkedOn(it.date)}
            proposal={proposalOf(it)}
          />
        ))}
      </table>
      {restPx > 0 && <div aria-hidden style={{ height: restPx }} />}
    </div>
  );
}

const COLUMNS = ["Day", "What", "Details", "Amount"];

interface DayRowsProps extends Pick<MonthTableProps, "chosen" | "onEdit"> {
  day: ExpenseDay;
  walked: ReactNode;
  proposal: ReactNode;
}

function DayRows({ day, chosen, onEdit, walked, proposal }: DayRowsProps) {
  const title = `day-${day.date}`;
  const rows = day.entries.map((it) => ({
    key: it.expense.id,
    isChosen: it.expense.id === chosen,
    cells: <EntryCells entry={it} isChosen={it.expense.id === chosen} onEdit={() => onEdit(it)} />,
  }));
  if (proposal)
    rows.push({
      key: "proposal",
      isChosen: false,
      cells: (
        <td colSpan={3} className="p-2">
          {proposal}
        </td>
      ),
    });
  return (
    <tbody aria-labelledby={title} className="border-t border-line">
      {rows.map(({ key, isChosen, cells }, place) => (
        <tr key={key} className={cx(isChosen && "bg-sunken")}>
          {place === 0 && (
            <th
              scope="rowgroup"
              rowSpan={rows.length}
              className="w-40 bg-card px-3 py-3 align-top font-normal text-ink-2"
            >
              <time id={title} dateTime={day.date} className="font-medium">
                {day.heading}
              </time>
              {walked}
            </th>
          )}
          {cells}
        </tr>
      ))}
    </tbody>
  );
}

interface EntryCellsProps {
  entry: ExpenseEntry;
  isChosen: boolean;
  onEdit: () => void;
}

/** The button of an entry, to which the focus comes back from its form. */
export const entryButtonId = (id: string): string => `expense-${id}`;

function EntryCells({ entry, isChosen, onEdit }: EntryCellsProps) {
  const { expense, name, detail, worth } = entry;
  const isPending = useReplica((phone) => phone.isPending("expense", expense.id));
  return (
    <>
      <td className="min-w-36">
        <div className="flex items-center gap-1 pr-1">
          <button
            type="button"
            id={entryButtonId(expense.id)}
            aria-label={`Edit ${named(entry)}, ${formatDollars(worth)}`}
            aria-current={isChosen || undefined}
            onClick={onEdit}
            className="min-h-12 grow px-3 text-left text-16 font-bold wrap-anywhere -outline-offset-3 hover:bg-sunken"
          >
            {name}
          </button>
          {isPending && <WaitingMark />}
        </div>
      </td>
      <td className="px-3 py-1 text-ink-2 wrap-anywhere">
        {detail}
        {expense.note && (
          <span dir="auto" className="block">
            {expense.note}
          </span>
        )}
      </td>
      <td className="px-3 text-right text-16 font-bold whitespace-nowrap">{formatDollars(worth)}</td>
    </>
  );
}

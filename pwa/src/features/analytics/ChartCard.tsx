/** Owns what is around each chart: what it is, one sentence that says what it shows, and the table behind it. */
import { type ReactNode, useId } from "react";
import { Card } from "../../ui";

export interface DataTable {
  head: readonly string[];
  /** The first cell of each names it. */
  rows: readonly (readonly string[])[];
}

interface ChartCardProps {
  title: string;
  /** Empty where there is nothing to say. */
  sentence: string;
  table?: DataTable;
  /** Note on what counts, and how. */
  note?: ReactNode;
  children: ReactNode;
}

/** A chart of which there is nothing to say is not there. */
export function ChartCard({ title, sentence, table, note, children }: ChartCardProps) {
  const id = useId();
  if (!sentence) return null;
  return (
    <Card aria-labelledby={id} className="grid gap-3">
      <div className="grid gap-1">
        <h2 id={id} className="text-14 font-medium text-ink-2">
          {title}
        </h2>
        <p dir="auto" className="num text-16 font-bold text-pretty wrap-anywhere">
          {sentence}
        </p>
      </div>
      {children}
      {note && <p className="text-14 text-ink-2 text-pretty">{note}</p>}
      {table && table.rows.length > 0 && <Table title={title} {...table} />}
    </Card>
  );
}

function Table({ title, head, rows }: DataTable & { title: string }) {
  return (
    <details>
      <summary className="inline-flex min-h-12 items-center text-14 font-medium underline underline-offset-4">
        Show as table
      </summary>
      {/* A wide table scrolls in itself; who has no pointer scrolls it with arrows. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div role="region" aria-label={`${title}, table`} tabIndex={0} className="max-h-100 overflow-auto">
        <table className="num w-full text-14">
          <thead>
            <tr>
              {head.map((it, place) => (
                <th key={it} scope="col" className={cell(place)}>
                  {it}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...values], row) => (
              // Names may be alike.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={row} className="border-t border-line">
                <th scope="row" className={cell(0)}>
                  <bdi>{name}</bdi>
                </th>
                {values.map((it, place) => (
                  // oxlint-disable-next-line react/no-array-index-key
                  <td key={place} className={cell(1)}>
                    {it}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

const cell = (place: number): string =>
  place === 0 ? "py-2 pr-3 text-left font-medium" : "py-2 pl-3 text-right font-normal";

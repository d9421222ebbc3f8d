/** Owns what an invoice comes to, line by line. */
import { formatDollars, type InvoiceCheck, type InvoiceExtra } from "../../core";

interface SumsProps {
  check: InvoiceCheck;
  extras: readonly InvoiceExtra[];
}

export function Sums({ check, extras }: SumsProps) {
  const { totals } = check;
  const taxes = totals.taxes.filter((it) => it.label);
  const hasMore = totals.services !== 0 && extras.length + taxes.length > 0;
  return (
    <dl className="num grid gap-1">
      {hasMore && <Sum name="Services" amount={totals.services} />}
      {extras.map((it, place) => (
        // Lines may have the same words.
        // oxlint-disable-next-line react/no-array-index-key
        <Sum key={place} name={it.label || "Extra line"} amount={it.amount} />
      ))}
      {taxes.map((it) => !it.included && <Sum key={it.label} name={it.label} amount={it.tax} />)}
      <div className="flex flex-wrap justify-between gap-x-4 border-t border-line pt-2 text-20 font-bold">
        <dt>Total</dt>
        <dd>{formatDollars(totals.total)}</dd>
      </div>
      {taxes.map((it) => it.included && <Sum key={it.label} name={`Includes ${it.label}`} amount={it.tax} />)}
    </dl>
  );
}

function Sum({ name, amount }: { name: string; amount: number }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 text-ink-2">
      <dt dir="auto" className="min-w-0 wrap-anywhere">
        {name}
      </dt>
      <dd>{formatDollars(amount)}</dd>
    </div>
  );
}

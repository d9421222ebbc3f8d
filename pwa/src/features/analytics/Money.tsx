/** Owns the part about money: what was received, by date of work and by date of money, and what is still owed by age. */
import { useId } from "react";
import { useMinute } from "../../browser/clock";
import { useRead, useReplica } from "../../data";
import { Card } from "../../ui";
import type { Analytics } from "./useFigures";
import { counted, dollars } from "./words";

export function Money({ analytics: { period } }: { analytics: Analytics }) {
  const now = useMinute();
  const { startDate: first, endDate: last } = period;
  const today = useReplica((phone) => phone.today(now));
  const report = useRead((phone) => phone.moneyReport(first, last, now), first, last, today);
  const [ofMoney, ofOwed] = [useId(), useId()];
  return (
    <>
      <Card aria-labelledby={ofMoney} className="grid grid-cols-1 gap-3">
        <h2 id={ofMoney} className="text-14 font-medium text-ink-2">
          Money received
        </h2>
        <ul aria-labelledby={ofMoney} className="num grid grid-cols-1 divide-y divide-line">
          {report.lines.map((it) => (
            <li key={it.label} className="flex flex-wrap justify-end gap-x-4 gap-y-1 py-2">
              <span className="min-w-0 flex-1 basis-[min(100%,9rem)] font-medium wrap-anywhere">{it.label}</span>
              <Amount name="By date of work" value={it.by_work} />
              <Amount name="By date of money" value={it.by_money} />
            </li>
          ))}
        </ul>
        <div className="grid gap-1 text-14 text-ink-2 text-pretty">
          <p>{report.of_work}</p>
          <p>{report.of_money}</p>
          {report.of_paid_alone && <p>{report.of_paid_alone}</p>}
        </div>
      </Card>
      <Card aria-labelledby={ofOwed} className="grid grid-cols-1 gap-3">
        <h2 id={ofOwed} className="text-14 font-medium text-ink-2">
          {report.owed_title}
        </h2>
        <p className="num text-28 font-bold wrap-anywhere">{dollars(report.owed)}</p>
        <ul className="num grid grid-cols-1 divide-y divide-line">
          {report.ages.map((it) => (
            <li key={it.label} className="flex min-h-12 flex-wrap items-center gap-x-3 py-1">
              <span className="min-w-0 flex-1 basis-[min(100%,8rem)] wrap-anywhere">
                <span className="font-medium">{it.label}</span>
                <span className="block text-14 text-ink-2">
                  {counted(it.count)} {it.count === 1 ? "invoice" : "invoices"}
                </span>
              </span>
              <span className="ml-auto font-bold">{dollars(it.amount)}</span>
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}

/** An amount under what it counts by; nothing where the line has none. */
function Amount({ name, value }: { name: string; value: number | null }) {
  if (value === null) return null;
  return (
    <span className="text-right">
      <span className="block text-14 text-ink-2">{name}</span> <span className="block font-bold">{dollars(value)}</span>
    </span>
  );
}

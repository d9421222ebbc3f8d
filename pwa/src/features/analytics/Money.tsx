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
        <table className="num w-full text-14">
          <thead>
            <tr className="align-bottom">
              <th scope="col" className="py-2 text-left font-medium">
                Amount
              </th>
              <th scope="col" className="py-2 pl-3 text-right font-medium">
                By date of work
              </th>
              <th scope="col" className="py-2 pl-3 text-right font-medium">
                By date of money
              </th>
            </tr>
          </thead>
          <tbody>
            {report.lines.map((it) => (
              <tr key={it.label} className="border-t border-line">
                <th scope="row" className="py-2 text-left font-medium">
                  {it.label}
                </th>
                <Amount value={it.by_work} />
                <Amount value={it.by_money} />
              </tr>
            ))}
          </tbody>
        </table>
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

/** A cell; a dash where the line has no such amount. */
function Amount({ value }: { value: number | null }) {
  return <td className="py-2 pl-3 text-right">{value === null ? "–" : dollars(value)}</td>;
}

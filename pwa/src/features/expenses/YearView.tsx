/** Owns a year of income, mileage and expenses as tax papers ask for it, and taking it out as a file. */
import { Download, FileText } from "lucide-react";
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import { deviceText } from "../../browser/device";
import { download } from "../../browser/download";
import { type ExpenseYear, formatDollars, type TaxYear } from "../../core";
import { business, useRead } from "../../data";
import { fetchFile } from "../../data/server/file";
import { Banner, Button, Card, EmptyState, Select, useBusy } from "../../ui";
import { milesText } from "./words";

interface YearViewProps {
  /** This one where none is named. */
  year: number | undefined;
  onYear: (year: number) => void;
}

export function YearView({ year, onYear }: YearViewProps) {
  const now = useMinute();
  const years = useRead((phone) => [...phone.expenseYears(now)], now);
  const chosen = year !== undefined && years.includes(year) ? year : (years[0] ?? 0);
  const shown = useRead((phone) => phone.expenseYear(chosen), chosen);
  const taxes = useRead((phone) => phone.taxYear(chosen), chosen);
  return (
    <div className="grid grid-cols-1 gap-4 pt-4">
      <Select
        name="year"
        label="Year"
        value={chosen}
        onChange={onYear}
        options={years.map((it) => ({ value: it, label: String(it) }))}
      />
      {taxes.is_empty ? (
        <EmptyState icon={<FileText aria-hidden />} title={`Nothing in ${chosen} yet`}>
          Income, miles and expenses stand here, by line of the tax form and by month.
        </EmptyState>
      ) : (
        <Shown year={shown} taxes={taxes} />
      )}
    </div>
  );
}

function Shown({ year, taxes }: { year: ExpenseYear; taxes: TaxYear }) {
  const { sums, months, rates } = year;
  return (
    <>
      <Card className="grid grid-cols-1 gap-1">
        <p className="text-14 text-ink-2">
          {taxes.profit < 0 ? "Net loss" : "Net profit"} of {year.year}
        </p>
        <p className="num text-28 font-bold wrap-anywhere">{formatDollars(taxes.profit)}</p>
        <p className="num text-14 text-ink-2">Mileage and expenses: {formatDollars(sums.total)}</p>
        {taxes.tax_collected !== 0 && (
          <p className="num text-14 text-ink-2">Sales tax collected: {formatDollars(taxes.tax_collected)}</p>
        )}
        {rates.map((it) => (
          <p key={it.rate} className="num text-14 text-ink-2">
            {milesText(it.miles)} at {it.rate}: {formatDollars(it.mileage)}
          </p>
        ))}
      </Card>
      {year.rate_caution && <Banner kind="tag">{year.rate_caution}</Banner>}
      <Lines
        title="By line of Schedule C"
        lines={taxes.lines.map((it) => ({ name: it.line, more: it.detail, amount: it.amount }))}
      />
      <div className="grid gap-1 text-14 text-ink-2 text-pretty">
        {taxes.notes.map((it) => (
          <p key={it}>{it}</p>
        ))}
      </div>
      <Lines
        title="Expenses by month"
        lines={months
          .filter((it) => it.sums.count > 0)
          .map((it) => ({
            name: it.name,
            more: `${milesText(it.sums.miles)}: ${formatDollars(it.sums.mileage)} · Expenses: ${formatDollars(it.sums.spent)}`,
            amount: it.sums.total,
          }))}
      />
      <Files year={year.year} />
    </>
  );
}

interface LinesProps {
  title: string;
  lines: readonly { name: string; more: string; amount: number }[];
}

function Lines({ title, lines }: LinesProps) {
  if (lines.length === 0) return null;
  return (
    <Card className="grid grid-cols-1 gap-2">
      <h2 className="text-14 font-medium text-ink-2">{title}</h2>
      <ul className="num grid grid-cols-1 divide-y divide-line">
        {lines.map((it) => (
          <li key={it.name} className="flex min-h-14 flex-wrap items-center gap-x-3 py-1">
            <span className="min-w-0 flex-1 basis-[min(100%,8rem)] wrap-anywhere">
              <span className="font-bold">{it.name}</span>
              {it.more && <span className="block text-14 text-ink-2">{it.more}</span>}
            </span>
            <span className="ml-auto font-bold">{formatDollars(it.amount)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Files({ year }: { year: number }) {
  const { busy, run } = useBusy();
  /** Why there is no PDF. */
  const [problem, setProblem] = useState<string>();
  const table = async () => {
    const phone = await business().wholePhone();
    const file = new Blob([phone.expenseTable(year)], { type: "text/csv;charset=utf-8" });
    download(file, phone.expenseFile(year, "csv"));
  };
  const taxes = async () => {
    const phone = await business().wholePhone();
    const file = new Blob([phone.taxTable(year)], { type: "text/csv;charset=utf-8" });
    download(file, phone.taxFile(year));
  };
  const paper = async () => {
    const answer = await fetchFile(`/expenses/summary/pdf?year=${year}`, "application/pdf");
    setProblem(answer.ok ? undefined : answer.error.text);
    if (answer.ok) download(answer.value, (await business().wholePhone()).expenseFile(year, "pdf"));
  };
  return (
    <div className="grid grid-cols-1 gap-2">
      {problem && (
        <Banner kind="danger" role="alert">
          {deviceText(`The PDF is made on the server. ${problem} The tables are made on this phone.`)}
        </Banner>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          busy={busy}
          className="grow"
          icon={<Download aria-hidden className="size-5" />}
          onClick={() => void run(table)}
        >
          Download CSV
        </Button>
        <Button
          kind="quiet"
          busy={busy}
          className="grow"
          icon={<Download aria-hidden className="size-5" />}
          onClick={() => void run(taxes)}
        >
          Schedule C as CSV
        </Button>
        <Button
          kind="quiet"
          busy={busy}
          className="grow"
          icon={<FileText aria-hidden className="size-5" />}
          onClick={() => void run(paper)}
        >
          Download PDF
        </Button>
      </div>
      <p className="text-14 text-ink-2 text-pretty">
        Download CSV has each entry on a line. Changes that still wait to be sent are in both tables, and not in the
        PDF.
      </p>
    </div>
  );
}

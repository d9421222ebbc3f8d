/** Owns the tab about how the business does: the totals against the days before, and what is paid. */
import { Card } from "../../ui";
import { BarList } from "./BarList";
import { ChartCard } from "./ChartCard";
import { NextMonth, PerHour } from "./charts";
import { Tiles } from "./Tiles";
import type { Analytics } from "./useFigures";
import { dollars, growth, percent } from "./words";

interface Props {
  analytics: Analytics;
}

export function Performance({ analytics }: Props) {
  return (
    <>
      <Tiles analytics={analytics} />
      <Comparison analytics={analytics} />
      <Paid analytics={analytics} />
      <NextMonth analytics={analytics} />
      <PerHour analytics={analytics} />
    </>
  );
}

function Comparison({ analytics: { performance } }: Props) {
  const { performanceSummary: now, previousSummary: before, growthMetrics: by } = performance;
  const rows = [
    ["Revenue", dollars(now.total_revenue), dollars(before.total_revenue), growth(by.revenue_growth)],
    ["Services", now.total_services, before.total_services, growth(by.services_growth)],
    ["Clients", now.unique_clients, before.unique_clients, growth(by.client_growth)],
    ["Paid", percent(now.payment_rate), percent(before.payment_rate), ""],
  ];
  return (
    <Card className="num grid gap-2">
      <h2 className="text-14 font-medium text-ink-2">Against as many days before</h2>
      <dl className="grid divide-y divide-line">
        {rows.map(([name, value, earlier, by]) => (
          <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
            <dt className="font-medium">{name}</dt>
            <dd className="ml-auto font-bold wrap-anywhere">{value}</dd>
            <dd className="basis-full text-14 text-ink-2">{[`${earlier} before`, by].filter(Boolean).join(", ")}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Paid({ analytics: { performance, sentences } }: Props) {
  const { performanceSummary: now, unpaidAmount, cancelledServices } = performance;
  return (
    <ChartCard
      title="What is paid"
      sentence={sentences.paid}
      note={`${cancelledServices} cancelled in these days.`}
      table={{
        head: ["State", "Amount"],
        rows: [
          ["Paid", dollars(now.total_revenue - unpaidAmount)],
          ["Not yet", dollars(unpaidAmount)],
        ],
      }}
    >
      <BarList
        label="Paid and not paid"
        items={[
          {
            id: "paid",
            name: "Paid",
            value: now.total_revenue - unpaidAmount,
            text: dollars(now.total_revenue - unpaidAmount),
          },
          { id: "unpaid", name: "Not yet", value: unpaidAmount, text: dollars(unpaidAmount) },
        ]}
      />
    </ChartCard>
  );
}

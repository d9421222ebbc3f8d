/** Owns the tab about how the business does: the totals against the days before, and what is paid. */
import { BarList } from "./BarList";
import { ChartCard } from "./ChartCard";
import { NextMonth, PerHour } from "./charts";
import { Tiles } from "./Tiles";
import type { Analytics } from "./useFigures";
import { counted, dollars, percent } from "./words";

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

function Comparison({ analytics: { performance, clients, sentences } }: Props) {
  const { performanceSummary: now, previousSummary: before } = performance;
  const { per_hour, per_hour_before } = clients.clientHours;
  const hour = (it: number | null) => (it === null ? "–" : `${dollars(it)}/h`);
  const rows = [
    ["Revenue", dollars(now.total_revenue), dollars(before.total_revenue), sentences.revenueGrowth],
    ["Services", counted(now.total_services), counted(before.total_services), sentences.servicesGrowth],
    ["Clients", counted(now.unique_clients), counted(before.unique_clients), sentences.clientGrowth],
    ["Paid", percent(now.payment_rate), percent(before.payment_rate), ""],
    ["Per hour", hour(per_hour), hour(per_hour_before), ""],
  ] as const;
  return (
    <ChartCard
      title="Compared with the previous period"
      sentence={sentences.comparison}
      table={{ head: ["What", "In these days", "Before", "Growth"], rows }}
    >
      <dl className="num grid divide-y divide-line">
        {rows.map(([name, value, earlier, by]) => (
          <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
            <dt className="font-medium">{name}</dt>
            <dd className="ml-auto font-bold wrap-anywhere">{value}</dd>
            <dd className="basis-full text-14 text-ink-2">{[`${earlier} before`, by].filter(Boolean).join(", ")}</dd>
          </div>
        ))}
      </dl>
    </ChartCard>
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

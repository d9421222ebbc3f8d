/** Owns the tab about what comes in. */
import { useRead } from "../../data";
import { BarList, MARK } from "./BarList";
import { ChartCard } from "./ChartCard";
import { RevenueTrend } from "./charts";
import { Money } from "./Money";
import type { Analytics } from "./useFigures";
import { counted, dollars, percent, services } from "./words";

interface Props {
  analytics: Analytics;
}

export function Revenue({ analytics }: Props) {
  return (
    <>
      <RevenueTrend analytics={analytics} />
      <Kinds analytics={analytics} />
      <Sold analytics={analytics} />
      <Months analytics={analytics} />
      <Money analytics={analytics} />
      <p className="text-14 text-ink-2 text-pretty">
        Revenue is what completed services cost, on the day on which they begin; a stay counts on its first day, by its
        kind. Cancelled services and tips are not in it.
      </p>
    </>
  );
}

function Kinds({ analytics: { revenue, sentences } }: Props) {
  const kinds = revenue.serviceDistribution;
  return (
    <ChartCard
      title="By kind of service"
      sentence={sentences.distribution}
      table={{
        head: ["Kind", "Revenue", "Services", "Share", "Before"],
        rows: kinds.map((it) => [
          it.label,
          dollars(it.revenue),
          counted(it.service_count),
          percent(it.percentage),
          dollars(it.revenue_before),
        ]),
      }}
      note={MARK}
    >
      <BarList
        label="Revenue by kind of service"
        items={kinds.map((it) => ({
          id: it.type,
          name: it.label,
          value: it.revenue,
          before: it.revenue_before,
          text: dollars(it.revenue),
          more: `${services(it.service_count)}, ${percent(it.percentage)} of the revenue`,
        }))}
      />
    </ChartCard>
  );
}

/** Each offering by its name: the kinds above have stays, taxi and grooming among the drop-ins. */
function Sold({ analytics: { period } }: Props) {
  const { startDate: first, endDate: last } = period;
  const sold = useRead((phone) => phone.sold(first, last), first, last);
  const [best] = sold;
  return (
    <ChartCard
      title="By what is sold"
      sentence={best && best.revenue > 0 ? `${best.name}: ${dollars(best.revenue)}` : ""}
      table={{
        head: ["Sold as", "Revenue", "Services", "Nights and days", "Before"],
        rows: sold.map((it) => [
          it.name,
          dollars(it.revenue),
          counted(it.count),
          it.units || "–",
          dollars(it.revenue_before),
        ]),
      }}
      note={MARK}
    >
      <BarList
        label="Revenue by what is sold"
        items={sold.map((it) => ({
          id: it.name,
          name: <bdi>{it.name}</bdi>,
          value: it.revenue,
          before: it.revenue_before,
          text: dollars(it.revenue),
          more: [services(it.count), it.units].filter(Boolean).join(", "),
        }))}
      />
    </ChartCard>
  );
}

function Months({ analytics: { revenue, sentences } }: Props) {
  const months = revenue.monthlyRevenue;
  return (
    <ChartCard
      title="By month"
      sentence={sentences.months}
      table={{
        head: ["Month", "Revenue", "Services", "Average", "Dog Walks", "Drop-ins"],
        rows: months.map((it) => [
          it.title,
          dollars(it.total_revenue),
          counted(it.service_count),
          dollars(it.avg_service_value),
          counted(it.walk_count),
          counted(it.dropin_count),
        ]),
      }}
    >
      <BarList
        label="Revenue by month"
        items={months.map((it) => ({
          id: it.month,
          name: it.title,
          value: it.total_revenue,
          text: dollars(it.total_revenue),
          more: `${services(it.service_count)}, ${dollars(it.avg_service_value)} each`,
        }))}
      />
    </ChartCard>
  );
}

/** Owns the tab about who is served: who comes back, who brings the most, and what an hour with each of them brings. */
import { BarList, MARK } from "./BarList";
import { ChartCard } from "./ChartCard";
import { ClientName, PerHour } from "./charts";
import type { Analytics } from "./useFigures";
import { counted, dollars, percent, services } from "./words";

interface Props {
  analytics: Analytics;
}

export function Clients({ analytics }: Props) {
  return (
    <>
      <TopClients analytics={analytics} />
      <PerHour analytics={analytics} />
      <Retention analytics={analytics} />
    </>
  );
}

function TopClients({ analytics: { clients, sentences } }: Props) {
  const top = clients.topClients;
  return (
    <ChartCard
      title="Who brings the most"
      sentence={sentences.topClients}
      note={top.length > 0 && MARK}
      table={{
        head: ["Client", "Revenue", "Services", "Before"],
        rows: top.map((it) => [
          it.name,
          dollars(it.total_revenue),
          counted(it.service_count),
          dollars(it.revenue_before),
        ]),
      }}
    >
      <BarList
        label="Revenue by client"
        items={top.map((it) => ({
          id: it.client_id,
          name: <ClientName of={it} />,
          value: it.total_revenue,
          before: it.revenue_before,
          text: dollars(it.total_revenue),
          more: services(it.service_count),
        }))}
      />
    </ChartCard>
  );
}

function Retention({ analytics: { clients, sentences } }: Props) {
  const shares = clients.retentionAnalysis;
  return (
    <ChartCard
      title="Who comes back"
      sentence={sentences.retention}
      table={{
        head: ["Clients", "Count", "Share"],
        rows: shares.map((it) => [it.label, counted(it.count), percent(it.percentage)]),
      }}
    >
      <BarList
        label="Clients by how they come back"
        items={shares.map((it) => ({
          id: it.retention_category,
          name: it.label,
          value: it.count,
          text: `${it.count} (${percent(it.percentage)})`,
          more: it.meaning,
        }))}
      />
    </ChartCard>
  );
}

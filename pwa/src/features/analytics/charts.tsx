/** Owns the charts that several tabs show. */
import { Link } from "wouter";
import { formatDistance } from "../../core";
import { useReplica } from "../../data";
import { type BarItem, BarList } from "./BarList";
import { ChartCard } from "./ChartCard";
import { TrendChart } from "./TrendChart";
import type { Analytics } from "./useFigures";
import { counted, dollars, hours, services, shortCount, shortDollars } from "./words";

interface Props {
  analytics: Analytics;
}

const UNITS = { day: "by day", week: "by week", month: "by month" };

export function RevenueTrend({ analytics: { revenue, sentences } }: Props) {
  const { points, unit } = revenue.trend;
  return (
    <ChartCard
      title={`Revenue ${UNITS[unit]}`}
      sentence={sentences.revenue}
      table={{
        head: ["Days", "Revenue", "Before"],
        rows: points.map((it) => [it.title, dollars(it.revenue), dollars(it.revenue_before)]),
      }}
    >
      <TrendChart
        name="Revenue"
        sentence={sentences.revenue}
        format={dollars}
        short={shortDollars}
        points={points.map(({ label, title, revenue, revenue_before }) => ({
          label,
          title,
          value: revenue,
          before: revenue_before,
        }))}
      />
    </ChartCard>
  );
}

export function ServiceTrend({ analytics: { revenue, sentences } }: Props) {
  const { points, unit } = revenue.trend;
  const sentence = sentences.services;
  return (
    <ChartCard
      title={`Services ${UNITS[unit]}`}
      sentence={sentence}
      table={{
        head: ["Days", "Dog Walks", "Drop-ins", "Before"],
        rows: points.map((it) => [
          it.title,
          counted(it.walk_count),
          counted(it.dropin_count),
          counted(it.service_count_before),
        ]),
      }}
    >
      <TrendChart
        name="Services"
        sentence={sentence}
        format={services}
        short={shortCount}
        points={points.map(({ label, title, service_count, service_count_before }) => ({
          label,
          title,
          value: service_count,
          before: service_count_before,
        }))}
      />
    </ChartCard>
  );
}

export function NextMonth({ analytics: { performance, sentences } }: Props) {
  const { title, worth, last_title, last_revenue, last_service_count, service_count } = performance.nextMonth;
  return (
    <ChartCard
      title="Already in the calendar"
      sentence={sentences.nextMonth}
      note="What is scheduled, beside the last whole month."
      table={{
        head: ["Month", "Services", "Worth"],
        rows: [
          [title, counted(service_count), dollars(worth)],
          [last_title, counted(last_service_count), dollars(last_revenue)],
        ],
      }}
    >
      <BarList
        label="Next month beside the last whole one"
        items={[
          { id: "next", name: title, value: worth, text: dollars(worth), more: services(service_count) },
          {
            id: "last",
            name: last_title,
            value: last_revenue,
            text: dollars(last_revenue),
            more: services(last_service_count),
          },
        ]}
      />
    </ChartCard>
  );
}

export function PerHour({ analytics: { clients, sentences } }: Props) {
  const hoursOf = clients.clientHours;
  const { clients: all, clients_left_out, most, least, ways_left_out, way_km_per_hour } = hoursOf;
  const units = useReplica((phone) => phone.units());
  const full = Math.max(1, ...most.map((it) => it.per_hour));
  return (
    <ChartCard
      title="What an hour brings, by client"
      sentence={sentences.perHour}
      note={
        <>
          Half of each way between two visits of a day belongs to each of them: from home to home by 1.3 times the
          straight line, at {formatDistance(way_km_per_hour * 1_000, units)} an hour. Time that visits share is split
          between them. Stays are not in it.
          {hoursOf.clients_not_ranked > 0 &&
            ` Clients with fewer than ${hoursOf.ranked_visits} visits in these days are in the table, and not ranked.`}
          {ways_left_out > 0 &&
            ` ${ways_left_out} ${ways_left_out === 1 ? "way is" : "ways are"} left out, since a home is not on the map.`}
          {clients_left_out > 0 &&
            ` ${clients_left_out} ${clients_left_out === 1 ? "client" : "clients"} between these ${clients_left_out === 1 ? "is" : "are"} left out of the table.`}
        </>
      }
      table={{
        head: ["Client", "Per hour", "Revenue", "Visits", "Ways"],
        rows: all.map((it) => [
          it.name,
          dollars(it.per_hour),
          dollars(it.revenue),
          hours(it.visit_minutes),
          it.has_home ? hours(it.way_minutes) : "not known",
        ]),
      }}
    >
      <BarList label="Revenue per hour by client" items={most.map(hourBar)} most={full} />
      {least.length > 0 && (
        <>
          <h3 className="text-14 font-medium text-ink-2">The least</h3>
          <BarList label="The least revenue per hour by client" items={least.map(hourBar)} most={full} />
        </>
      )}
    </ChartCard>
  );
}

function hourBar(it: Analytics["clients"]["clientHours"]["most"][number]): BarItem {
  const ways = it.has_home ? `${hours(it.way_minutes)} on the way` : "home not known";
  return {
    id: it.client_id,
    name: <ClientName of={it} />,
    value: it.per_hour,
    text: `${dollars(it.per_hour)}/h`,
    more: `${hours(it.visit_minutes)} of visits, ${ways}`,
  };
}

/** Leads to the client's page, where there is one. */
export function ClientName({ of }: { of: { client_id: string; name: string; is_kept: boolean } }) {
  const name = <bdi>{of.name}</bdi>;
  if (!of.is_kept) return name;
  return (
    <Link to={`/clients/${of.client_id}`} className="hit underline decoration-line decoration-2 underline-offset-4">
      {name}
    </Link>
  );
}

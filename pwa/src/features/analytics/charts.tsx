/** Owns the charts that several tabs show. */
import { Link } from "wouter";
import { BarList } from "./BarList";
import { ChartCard } from "./ChartCard";
import { TrendChart } from "./TrendChart";
import type { Analytics } from "./useFigures";
import { dollars, hours, percent, services, shortCount, shortDollars } from "./words";

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

export function ServiceTrend({ analytics: { revenue, performance } }: Props) {
  const { points, unit } = revenue.trend;
  const { performanceSummary: now, previousSummary: before } = performance;
  const sentence = `${services(now.total_services)}, after ${before.total_services} in the days before`;
  return (
    <ChartCard
      title={`Services ${UNITS[unit]}`}
      sentence={sentence}
      table={{
        head: ["Days", "Dog Walks", "Drop-ins", "Before"],
        rows: points.map((it) => [
          it.title,
          String(it.walk_count),
          String(it.dropin_count),
          String(it.service_count_before),
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
  const { title, worth, last_title, last_revenue, service_count } = performance.nextMonth;
  return (
    <ChartCard
      title="Already in the calendar"
      sentence={sentences.nextMonth}
      note="What is scheduled, beside the last whole month."
    >
      <BarList
        label="Next month beside the last whole one"
        items={[
          { id: "next", name: title, value: worth, text: dollars(worth), more: services(service_count) },
          { id: "last", name: last_title, value: last_revenue, text: dollars(last_revenue) },
        ]}
      />
    </ChartCard>
  );
}

/** How many clients are drawn; the table has more. */
const DRAWN = 8;

export function PerHour({ analytics: { clients, sentences } }: Props) {
  const { clients: all, ways_left_out, way_km_per_hour } = clients.clientHours;
  if (all.length === 0) return null;
  const withWays = (it: (typeof all)[number]) =>
    [
      `${hours(it.visit_minutes)} of visits`,
      it.has_home ? `${hours(it.way_minutes)} on the way` : "home not known",
    ].join(", ");
  return (
    <ChartCard
      title="What an hour brings, by client"
      sentence={sentences.perHour}
      note={
        <>
          Half of each way between two visits of a day belongs to each of them: from home to home by 1.3 times the
          straight line, at {way_km_per_hour} km/h. Stays are not in it.
          {ways_left_out > 0 &&
            ` ${ways_left_out} ${ways_left_out === 1 ? "way is" : "ways are"} left out, since a home is not on the map.`}
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
      <BarList
        label="Revenue per hour by client"
        items={all.slice(0, DRAWN).map((it) => ({
          id: it.client_id,
          name: <ClientName id={it.client_id} name={it.name} />,
          value: it.per_hour,
          text: `${dollars(it.per_hour)}/h`,
          more: withWays(it),
        }))}
      />
    </ChartCard>
  );
}

/** Leads to the client's page. */
export function ClientName({ id, name }: { id: string; name: string }) {
  return (
    <Link to={`/clients/${id}`} className="hit underline decoration-line decoration-2 underline-offset-4">
      <bdi>{name}</bdi>
    </Link>
  );
}

export const share = percent;

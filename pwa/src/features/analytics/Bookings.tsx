/** Owns the tab about when there is work: by day of the week, by hour, and what was asked for. */
import { BarList } from "./BarList";
import { ChartCard } from "./ChartCard";
import { ServiceTrend } from "./charts";
import { HourMap } from "./HourMap";
import type { Analytics } from "./useFigures";
import { dollars, percent } from "./words";

interface Props {
  analytics: Analytics;
}

export function Bookings({ analytics }: Props) {
  return (
    <>
      <ServiceTrend analytics={analytics} />
      <Weekdays analytics={analytics} />
      <Hours analytics={analytics} />
      <Requests analytics={analytics} />
    </>
  );
}

function Weekdays({ analytics: { booking, sentences } }: Props) {
  const days = booking.weeklyPatterns;
  return (
    <ChartCard
      title="By day of the week"
      sentence={sentences.weekdays}
      note="The mark on a bar is where the days before were."
      table={{
        head: ["Day", "Services", "Revenue", "Before"],
        rows: days.map((it) => [
          it.day_name,
          String(it.service_count),
          dollars(it.revenue),
          String(it.service_count_before),
        ]),
      }}
    >
      <BarList
        label="Services by day of the week"
        items={days.map((it) => ({
          id: it.day_name,
          name: it.day_name,
          value: it.service_count,
          before: it.service_count_before,
          text: String(it.service_count),
          more: dollars(it.revenue),
        }))}
      />
    </ChartCard>
  );
}

function Hours({ analytics: { availability, sentences } }: Props) {
  const { hasPatterns, empty } = availability;
  return (
    <ChartCard
      title="Which hours are empty"
      sentence={sentences.hours}
      note={
        hasPatterns
          ? "Percent of the hours of your availability that visits take. Stays and blocked times are not looked at."
          : "Percent of the hours from 6 AM to 10 PM that visits take, since no availability is set. Stays are not looked at."
      }
    >
      {empty.length > 0 && (
        <ul aria-label="Nearly always free" className="num flex flex-wrap gap-2">
          {empty.map((it) => (
            <li key={it} className="rounded-full bg-tag-soft px-3 py-1 text-14 font-medium text-tag-ink">
              {it}
            </li>
          ))}
        </ul>
      )}
      <HourMap availability={availability} />
    </ChartCard>
  );
}

const STATUSES = { pending: "Pending", approved: "Approved", declined: "Declined", completed: "Completed" };

function Requests({ analytics: { booking, sentences } }: Props) {
  if (!sentences.requests) return null;
  const requests = booking.requestAnalytics;
  return (
    <ChartCard
      title="Walk requests"
      sentence={sentences.requests}
      table={{
        head: ["Status", "Requests", "Share"],
        rows: requests.map((it) => [STATUSES[it.status], String(it.count), percent(it.percentage)]),
      }}
    >
      <BarList
        label="Requests by status"
        items={requests.map((it) => ({
          id: it.status,
          name: STATUSES[it.status],
          value: it.count,
          text: String(it.count),
          more: percent(it.percentage),
        }))}
      />
    </ChartCard>
  );
}

/** Owns the tab about when there is work: by day of the week, by hour, and what was asked for. */
import { BarList, MARK } from "./BarList";
import { ChartCard } from "./ChartCard";
import { ServiceTrend } from "./charts";
import { HourMap } from "./HourMap";
import type { Analytics } from "./useFigures";
import { counted, dollars, percent } from "./words";

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
      note={MARK}
      table={{
        head: ["Day", "Services", "Revenue", "Before"],
        rows: days.map((it) => [
          it.day_name,
          counted(it.service_count),
          dollars(it.revenue),
          counted(it.service_count_before),
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
          text: counted(it.service_count),
          more: dollars(it.revenue),
        }))}
      />
    </ChartCard>
  );
}

function Hours({ analytics: { availability, sentences } }: Props) {
  const { hasPatterns, empty, emptyTitle } = availability;
  return (
    <ChartCard
      title="Which hours are empty"
      sentence={sentences.hours}
      note={
        hasPatterns
          ? `Percent of the hours of your availability that visits take${COUNTED}`
          : `Percent of the hours from 6 AM to 10 PM that visits take, since no availability is set${COUNTED}`
      }
    >
      {empty.length > 0 && (
        <ul aria-label={emptyTitle} className="num flex flex-wrap gap-2">
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

const COUNTED = ", up to today. Blocked times are left out. Visits at the same time count once, stays not at all.";

function Requests({ analytics: { booking, sentences } }: Props) {
  const requests = booking.requestAnalytics;
  return (
    <ChartCard
      title="Walk requests"
      sentence={sentences.requests}
      table={{
        head: ["Status", "Requests", "Share", "Before"],
        rows: requests.map((it) => [it.label, counted(it.count), percent(it.percentage), counted(it.count_before)]),
      }}
      note={MARK}
    >
      <BarList
        label="Requests by status"
        items={requests.map((it) => ({
          id: it.status,
          name: it.label,
          value: it.count,
          before: it.count_before,
          text: counted(it.count),
          more: percent(it.percentage),
        }))}
      />
    </ChartCard>
  );
}

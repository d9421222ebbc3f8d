/** Owns the List: services by day, filtered by status, client and days, a page at a time. */
import { ListChecks, RefreshCw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useMinute } from "../../browser/clock";
import {
  formatDate,
  formatDateHeading,
  formatDollars,
  limits,
  plusDays,
  type ServiceList,
  type ServiceQuery,
  type ServiceView,
} from "../../core";
import { sendNow, useIsSyncing, useRead, useReplica, useSyncStatus } from "../../data";
import { yearOf } from "../../parts/dates";
import { SeriesMark } from "../../parts/visit/SeriesSigns";
import { dogNames, lateWord, type ShownStatus, shownStatus, statusWord } from "../../parts/visit/visitText";
import { useWalkOf, WalkSign } from "../../parts/walk/WalkSign";
import { Button, cx, DateField, EmptyState, IconButton, PageBody, Select, StatusChip, toast } from "../../ui";
import { ClientSelect } from "./ClientSelect";
import { PendingMark } from "./PendingMark";
import type { ScheduleState } from "./scheduleState";
import { MarkSign } from "./several/MarkSign";
import { useMarking } from "./several/useMarking";
import { OvernightDot } from "./VisitCard";

type Range = "around" | "upcoming" | "past" | "all" | "chosen";

const ranges = (): { value: Range; label: string }[] => [
  { value: "around", label: "Around today" },
  { value: "upcoming", label: `Next ${limits().upcoming_days} days` },
  { value: "past", label: "Before today" },
  { value: "all", label: "All days" },
  { value: "chosen", label: "Choose days" },
];

const STATUSES: { value: ShownStatus | "any"; label: string }[] = [
  { value: "any", label: "All statuses" },
  ...(["scheduled", "overdue", "completed", "cancelled"] as const).map((value) => ({
    value,
    label: statusWord[value],
  })),
];

const NOTHING: ServiceList = { total: 0, services: [] };

/** As much as a person scrolls through; the rest is one press away. */
const PAGE = 50;

const EVERYTHING: ServiceQuery = {
  first: null,
  last: null,
  status: null,
  overdue: false,
  client_id: null,
  going_on: false,
  latest_first: false,
  limit: 0,
};

/** Filters of the list. */
interface Filters {
  range: Range;
  /** The days of the range `chosen`. */
  chosen: { first: string; last: string };
  status: ShownStatus | "any";
  /** A client's id; empty for all. */
  client: string;
}

export default function ServiceListView({ schedule }: { schedule: ScheduleState }) {
  const { today } = schedule;
  const now = useMinute();
  const around = useReplica((phone) => phone.listRange(now));
  const [filters, setFilters] = useState<Filters>(() => ({
    ...firstFilters(schedule.range),
    chosen: around,
    client: "",
  }));
  const [limit, setLimit] = useState(PAGE);
  // The list begins today; how much of what was is shown above it.
  const [earlier, setEarlier] = useState(0);
  const applyFilter = (change: Partial<Filters>) => {
    setFilters({ ...filters, ...change });
    setLimit(PAGE);
    setEarlier(0);
  };

  const days = daysOf(filters, today, around);
  const { list, past, isEmpty, hasAny } = useServices(filters, days, today, limit, earlier);
  const isFiltered = hasAny && (filters.status !== "any" || filters.client !== "" || filters.range !== "all");
  return (
    <PageBody className="grid content-start gap-4">
      <FilterFields filters={filters} onFilter={applyFilter} />
      <p role="status" className="num text-14 text-ink-2">
        {countText(list.total + past.total)}
        {filters.range !== "all" &&
          days.first &&
          days.last &&
          `, ${formatDate(days.first)} to ${formatDate(days.last)}`}
      </p>
      {isEmpty ? (
        <NoServices
          isFiltered={isFiltered}
          onShowAll={() => setFilters({ ...filters, range: "all", status: "any", client: "" })}
          onAdd={() => schedule.create()}
        />
      ) : (
        <>
          <MoreButton
            left={past.total - past.services.length}
            word="earlier"
            onMore={() => setEarlier(earlier + PAGE)}
          />
          <Days services={[...past.services.toReversed(), ...list.services]} today={today} onOpen={schedule.details} />
        </>
      )}
      <MoreButton left={list.total - list.services.length} word="more" onMore={() => setLimit(limit + PAGE)} />
    </PageBody>
  );
}

/** The filters that a link asks for. */
function firstFilters(range: string | undefined): Pick<Filters, "range" | "status"> {
  if (range === "upcoming") return { range, status: "scheduled" };
  return range === "overdue" ? { range: "all", status: "overdue" } : { range: "around", status: "any" };
}

/** From the first to the last day; without one there is no end. */
interface DayRange {
  first: string | null;
  last: string | null;
}

function daysOf({ range, chosen }: Filters, today: string, around: DayRange): DayRange {
  const ranges: Record<Range, DayRange> = {
    around,
    upcoming: { first: today, last: plusDays(today, limits().upcoming_days - 1) },
    past: { first: null, last: plusDays(today, -1) },
    all: { first: null, last: null },
    chosen: { first: chosen.first || null, last: chosen.last || null },
  };
  return ranges[range];
}

/** The services that pass the filters: those of `limit` from today on, and of those before it as many as `earlier`. */
function useServices(
  { range, status, client }: Filters,
  days: DayRange,
  today: string,
  limit: number,
  earlier: number,
) {
  const query: ServiceQuery = {
    first: range === "around" ? today : days.first,
    last: days.last,
    status: status === "any" || status === "overdue" ? null : status,
    overdue: status === "overdue",
    client_id: client || null,
    // Around today it stands under the day on which it began.
    going_on: range !== "around",
    latest_first: range === "past" || range === "all",
    limit,
  };
  const now = useMinute();
  const list = useRead((phone) => phone.serviceList(query, now), JSON.stringify(query), now);
  const before: ServiceQuery = {
    ...query,
    first: days.first,
    last: plusDays(today, -1),
    going_on: true,
    latest_first: true,
    limit: earlier,
  };
  const past = useRead(
    (phone) => (range === "around" ? phone.serviceList(before, now) : NOTHING),
    range,
    JSON.stringify(before),
    now,
  );
  // Filters cannot be why nothing is shown where there is nothing.
  const isEmpty = list.total + past.total === 0;
  const hasAny = useRead((phone) => !isEmpty || phone.serviceList(EVERYTHING, now).total > 0, isEmpty);
  return { list, past, isEmpty, hasAny };
}

const countText = (count: number) => (count === 1 ? "1 service" : `${count.toLocaleString("en-US")} services`);

function FilterFields({ filters, onFilter }: { filters: Filters; onFilter: (change: Partial<Filters>) => void }) {
  const { range, chosen, status, client } = filters;
  return (
    <div className="pair grid items-end gap-3 print:hidden lg:grid-cols-[repeat(3,minmax(0,16rem))_auto_1fr]">
      <Select
        className="max-lg:col-span-full"
        name="range"
        label="Days"
        value={range}
        onChange={(it) => onFilter({ range: it })}
        options={ranges()}
      />
      <Select
        name="status"
        label="Status"
        value={status}
        onChange={(it) => onFilter({ status: it })}
        options={STATUSES}
      />
      <ClientSelect
        name="client"
        label="Client"
        value={client}
        onChange={(it) => onFilter({ client: it })}
        anyone="All clients"
      />
      <div className="max-lg:col-span-2 max-lg:hidden">
        <Refresh />
      </div>
      {range === "chosen" && (
        <div className="col-span-full pair grid max-w-130 gap-3">
          <DateField
            name="first"
            label="From"
            value={chosen.first}
            max={chosen.last || undefined}
            onChange={(first) => onFilter({ chosen: { ...chosen, first } })}
          />
          <DateField
            name="last"
            label="To"
            value={chosen.last}
            min={chosen.first || undefined}
            onChange={(last) => onFilter({ chosen: { ...chosen, last } })}
          />
        </div>
      )}
    </div>
  );
}

interface NoServicesProps {
  isFiltered: boolean;
  onShowAll: () => void;
  onAdd: () => void;
}

function NoServices({ isFiltered, onShowAll, onAdd }: NoServicesProps) {
  return (
    <EmptyState
      icon={<ListChecks aria-hidden />}
      title={isFiltered ? "No services match" : "No services yet"}
      action={
        isFiltered ? (
          <Button kind="quiet" onClick={onShowAll}>
            Show all services
          </Button>
        ) : (
          <Button kind="quiet" onClick={onAdd}>
            Schedule Service
          </Button>
        )
      }
    />
  );
}

interface MoreButtonProps {
  /** How many are not shown. */
  left: number;
  word: "earlier" | "more";
  onMore: () => void;
}

function MoreButton({ left, word, onMore }: MoreButtonProps) {
  if (left <= 0) return null;
  return (
    <Button kind="quiet" className="justify-self-center" onClick={onMore}>
      Show {Math.min(PAGE, left)} {word}
    </Button>
  );
}

/** Button that fetches what others have changed; the phone's own rows are always shown. */
function Refresh() {
  const busy = useIsSyncing();
  const { online, trouble } = useSyncStatus();
  const asked = useRef(false);
  useEffect(() => {
    if (!asked.current || busy) return;
    asked.current = false;
    if (!online || trouble !== undefined) toast.error(NOT_REFRESHED);
  }, [busy, online, trouble]);
  return (
    <IconButton
      label="Refresh"
      kind="square"
      disabled={busy}
      onClick={() => {
        if (!navigator.onLine) {
          toast.error(NOT_REFRESHED);
          return;
        }
        asked.current = true;
        sendNow();
      }}
    >
      <RefreshCw className={cx(busy && "animate-spin")} />
    </IconButton>
  );
}

const NOT_REFRESHED = "Failed to refresh services";

interface DaysProps {
  services: readonly ServiceView[];
  today: string;
  onOpen: (id: string) => void;
}

function Days({ services, today, onOpen }: DaysProps) {
  const days = new Map<string, ServiceView[]>();
  for (const it of services) days.set(it.date, [...(days.get(it.date) ?? []), it]);
  return (
    <div className="grid gap-5">
      {[...days].map(([date, those]) => (
        <section key={date} aria-labelledby={`day-${date}`}>
          <h2 id={`day-${date}`} className="num pb-2 text-14 font-bold text-ink-2">
            {date === today ? "Today, " : ""}
            {formatDateHeading(date)}
            {yearOf(date) !== yearOf(today) && `, ${yearOf(date)}`}
          </h2>
          <ul className="@container overflow-hidden rounded-large border border-line bg-card">
            {those.map((view) => (
              <li key={view.id} className="border-line not-first:border-t">
                <Row view={view} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const BAR = {
  scheduled: "before:bg-scheduled",
  completed: "before:bg-completed",
  cancelled: "before:bg-cancelled",
  overdue: "before:bg-tag",
};

function Row({ view, onOpen }: { view: ServiceView; onOpen: (id: string) => void }) {
  const status = useWalkOf(view.id) ? view.status : shownStatus(view);
  const { isOn, isMarked, handlers } = useMarking(view.id, onOpen);
  return (
    <button
      type="button"
      {...handlers}
      className={cx(
        "select-none [-webkit-touch-callout:none]",
        "num relative grid min-h-14 w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2 pr-3 pl-4 text-left -outline-offset-3 transition-colors",
        "before:absolute before:inset-y-0 before:left-0 before:w-1 hover:bg-sunken md:grid-cols-[11rem_minmax(0,1fr)_9rem_5rem_8rem] 2xl:grid-cols-[13rem_minmax(0,1fr)_12rem_6rem_10rem]",
        // Large letters have a line each.
        "@max-[15rem]:grid-cols-1 *:@max-[15rem]:col-start-1! *:@max-[15rem]:row-start-auto! *:@max-[15rem]:justify-start! *:@max-[15rem]:text-left!",
        BAR[status],
      )}
    >
      <span className="flex items-center gap-2 text-14 text-ink-2 max-md:col-start-1 max-md:row-start-1">
        {isOn && <MarkSign isMarked={isMarked} />}
        {view.formatted_time}
        {view.overnight && <OvernightDot />}
      </span>
      <span className="min-w-0 wrap-anywhere max-md:col-start-1 max-md:row-start-2 2xl:grid 2xl:grid-cols-2 2xl:items-center 2xl:gap-x-3">
        <span className={cx("font-bold", view.status === "cancelled" && "line-through")}>{dogNames(view)}</span>
        <span className="text-14 text-ink-2">
          <span className="2xl:hidden"> · </span>
          <bdi>{view.client_name}</bdi>
        </span>{" "}
        <WalkSign serviceId={view.id} />
      </span>
      <span className="text-14 text-ink-2 max-md:hidden">
        {view.kind}, {view.length}
      </span>
      <span className="text-right text-14 font-medium max-md:col-start-2 max-md:row-start-1">
        {formatDollars(view.price)}
      </span>
      <span className="flex items-center justify-end gap-2 max-md:col-start-2 max-md:row-start-2">
        <SeriesMark view={view} />
        <PendingMark id={view.id} />
        <StatusChip status={status}>{status === "overdue" ? lateWord(view) : undefined}</StatusChip>
      </span>
    </button>
  );
}

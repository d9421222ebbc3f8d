/** Owns the lists beside the calendar (SPEC 2): Today's Schedule with + Add, and This Week with up to 8 upcoming. */
import { Plus } from "lucide-react";
import { memo, Suspense } from "react";
import { useMinute } from "../../browser/clock";
import { formatDateHeading, formatTime, type ListedService, limits, type Visit } from "../../core";
import { useFirstRead } from "../../data";
import { dayNumber, shortWeekday } from "../../parts/dates";
import { type Guide, useGuide } from "../../parts/guide/guide";
import { CorrectMenu } from "../../parts/visit/CorrectMenu";
import { RunningLateButton } from "../../parts/visit/RunningLateButton";
import { dogNames, lateWord, shownStatus } from "../../parts/visit/visitText";
import { useWalkOf, WalkSign } from "../../parts/walk/WalkSign";
import { Button, cx, ErrorBoundary, loadable, Skeleton, StatusChip } from "../../ui";
import { CloseDayButton } from "./CloseDayButton";
import { DayWayButton } from "./DayWayButton";
import { PendingMark } from "./PendingMark";
import type { ScheduleState } from "./scheduleState";
import { SMALL_BUTTON } from "./styles";
import { OvernightDot } from "./VisitCard";

const GuidedStart = loadable(() => import("./GuidedStart"));

interface SidePanelProps {
  schedule: ScheduleState;
  /** Leaves out today's visits: the days above have them, or the person looks at another day. */
  withoutToday: boolean;
  className?: string;
}

export const SidePanel = memo(function SidePanel({ schedule, withoutToday, className }: SidePanelProps) {
  const { today, details, create, show } = schedule;
  const now = useMinute();
  const { sidebar_upcoming, upcoming_days } = limits();
  const lists = useFirstRead((phone) => phone.sideLists(sidebar_upcoming, withoutToday, now), withoutToday, now);
  const { today: todays, upcoming: shown } = lists;
  const more = lists.n_upcoming - shown.length;
  return (
    <aside aria-label="Lists" className={cx("grid grid-cols-1 content-start gap-5", className)}>
      {!withoutToday && lists.left_open && (
        <section aria-labelledby="side-left-open">
          <h2 id="side-left-open" className="num flex min-h-12 items-center font-bold">
            {lists.left_open.title}
          </h2>
          <Rows services={lists.left_open.visits.map(listed)} onOpen={details} today={today} />
          {lists.left_open.count > lists.left_open.visits.length && (
            <Button kind="quiet" wide className="mt-3" onClick={() => show({ view: "list", range: "overdue" })}>
              View all {lists.left_open.count}
            </Button>
          )}
        </section>
      )}
      {!withoutToday && (
        <section aria-labelledby="todays-schedule">
          <div className="flex items-center justify-between gap-2">
            <h2 id="todays-schedule" className="font-bold">
              Today's Schedule
            </h2>
            <button type="button" className={cx(SMALL_BUTTON, "max-lg:-mr-2")} onClick={() => create({ date: today })}>
              <Plus aria-hidden className="size-4" />
              Add
            </button>
          </div>
          {todays.length === 0 ? (
            <p className="py-2 text-14 text-ink-2">Nothing to do today.</p>
          ) : (
            <Rows services={todays} onOpen={details} />
          )}
          <div className="mt-3 flex flex-wrap gap-2 *:grow">
            <CloseDayButton count={lists.n_to_close} />
            {todays.some((it) => it.status === "scheduled") && <RunningLateButton />}
            {todays.length > 1 && <DayWayButton date={today} />}
          </div>
        </section>
      )}
      <Start guide={useGuide()} />
      <section aria-labelledby="this-week">
        <h2 id="this-week" className="flex min-h-12 items-center font-bold">
          This Week
        </h2>
        {shown.length === 0 ? (
          <p className="py-2 text-14 text-ink-2">
            Nothing {withoutToday ? "more " : ""}scheduled for the next {upcoming_days} days.
          </p>
        ) : (
          <Rows services={shown} onOpen={details} today={today} />
        )}
        {more > 0 && (
          <Button kind="quiet" wide className="mt-3" onClick={() => show({ view: "list", range: "upcoming" })}>
            View {more} more
          </Button>
        )}
      </section>
    </aside>
  );
});

/** Below the day, which it must not move; what is below it keeps its place while it loads. */
function Start({ guide }: { guide: Guide }) {
  if (!guide.done || guide.isFolded) return null;
  return (
    <ErrorBoundary fallback={() => null}>
      <Suspense fallback={<Skeleton className="h-80 rounded-large" />}>
        <GuidedStart guide={guide} />
      </Suspense>
    </ErrorBoundary>
  );
}

interface RowsProps {
  services: readonly ListedService[];
  onOpen: (id: string) => void;
  /** Set where the days differ and each row names its own. */
  today?: string;
}

function Rows({ services, onOpen, today }: RowsProps) {
  return (
    <ul className="overflow-hidden rounded-large border border-line bg-card contain-content">
      {services.map((view) => (
        <Row
          key={view.id}
          view={view}
          onOpen={onOpen}
          day={today && (view.date === today || view.going_on ? "Today" : shortDay(view.date))}
        />
      ))}
    </ul>
  );
}

interface RowProps {
  view: ListedService;
  onOpen: (id: string) => void;
  day: string | undefined;
}

const Row = memo(function Row({ view, onOpen, day }: RowProps) {
  const isOpen = view.status === "scheduled";
  const status = useWalkOf(view.id) ? view.status : shownStatus(view);
  return (
    <li className="flex items-center border-line not-first:border-t">
      <button
        type="button"
        onClick={() => onOpen(view.id)}
        className="flex min-h-14 min-w-0 flex-1 flex-wrap items-center gap-x-3 px-3 py-2 text-left -outline-offset-3 transition-colors hover:bg-sunken"
      >
        <span className={cx("num w-[5rem] shrink-0 text-14 whitespace-nowrap font-bold", !isOpen && "text-ink-3")}>
          {day && <span className="block text-12 font-normal text-ink-2">{day}</span>}
          {view.time}
        </span>
        <span className="min-w-0 flex-1 basis-[min(100%,5.5rem)]">
          <span className={cx("block truncate text-14 font-bold", !isOpen && "text-ink-2")}>{dogNames(view)}</span>
          <span className="block truncate text-12 text-ink-2">
            <bdi>{view.client_name}</bdi> · {view.kind}
          </span>
          {view.going_on && <span className="block text-12 text-ink-2">{view.going_on}</span>}
          <WalkSign serviceId={view.id} />
        </span>
        {view.overnight && <OvernightDot />}
        <PendingMark id={view.id} />
        {status !== "scheduled" && (
          <StatusChip status={status}>{status === "overdue" ? lateWord(view) : undefined}</StatusChip>
        )}
      </button>
      <CorrectMenu view={view} />
    </li>
  );
});

/** A visit of an earlier day as the lists have their rows. */
const listed = ({ view }: Visit): ListedService => ({ ...view, time: formatTime(view.start_time), going_on: null });

/** `Fri 20`, from the day's heading. */
function shortDay(date: string): string {
  return `${shortWeekday(formatDateHeading(date))} ${dayNumber(date)}`;
}

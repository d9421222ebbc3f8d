/** Owns visits as lines of a list: when, what, for how much, and what became of it. */
import { NotebookText } from "lucide-react";
import { Link } from "wouter";
import { useMinute } from "../../browser/clock";
import { formatDate, formatDollars, formatTime, formatWeekday, type ServiceView } from "../../core";
import { useReplica } from "../../data";
import { shortWeekday } from "../../parts/dates";
import { ButtonLink, Chip, cx } from "../../ui";
import { useReportsOf } from "./reports";
import { anotherTime, useCanAskAgain } from "./sameAgain";
import { VisitOutcome } from "./VisitStatus";
import { WhyCancelled } from "./WhyCancelled";

export function VisitList({ visits }: { visits: readonly ServiceView[] }) {
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-large border border-line bg-card">
      {visits.map((it) => (
        <li key={it.id}>
          <VisitLine visit={it} />
          {it.status === "cancelled" && <Cancelled visit={it} />}
        </li>
      ))}
    </ul>
  );
}

/** Why a visit is cancelled, and until its day is over the way to another one. */
function Cancelled({ visit }: { visit: ServiceView }) {
  const now = useMinute();
  const today = useReplica((phone) => phone.today(now));
  const canAskAgain = useCanAskAgain(visit) && today <= (visit.end_date ?? visit.date);
  if (!visit.cancel_reason && !canAskAgain) return null;
  return (
    <div className="grid grid-cols-1 gap-2 px-4 pb-3">
      <WhyCancelled visit={visit} />
      {canAskAgain && (
        <ButtonLink
          kind="quiet"
          to={anotherTime(visit)}
          // Several stand in a list.
          aria-label={`Request another time: ${visit.kind}, ${formatDate(visit.date)}`}
        >
          Request another time
        </ButtonLink>
      )}
    </div>
  );
}

function VisitLine({ visit }: { visit: ServiceView }) {
  const hasReport = useReportsOf(visit).length > 0;
  return (
    <Link
      to={`/client/visits/${visit.id}`}
      className="num flex min-h-12 flex-col justify-center px-4 py-2 -outline-offset-3 hover:bg-sunken"
    >
      <span className="flex flex-wrap justify-between gap-x-3">
        <span className={cx("font-medium", visit.status === "cancelled" && "line-through")}>
          {shortWeekday(formatWeekday(visit.date))}, {formatDate(visit.date)},{" "}
          <span className="whitespace-nowrap">{visit.window || formatTime(visit.start_time)}</span>
        </span>
        {visit.status !== "cancelled" && formatDollars(visit.price)}
      </span>
      <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="min-w-0 flex-[1_1_9rem] text-14 text-ink-2 wrap-anywhere">{visit.summary}</span>
        <span className="flex flex-wrap gap-1">
          {hasReport && <Chip icon={<NotebookText aria-hidden />}>Report</Chip>}
          {(visit.status !== "scheduled" || visit.overdue) && <VisitOutcome visit={visit} />}
        </span>
      </span>
    </Link>
  );
}

/** Owns visits as lines of a list: when, what, for how much, and what became of it. */
import { NotebookText } from "lucide-react";
import { Link } from "wouter";
import { formatDate, formatDollars, formatTime, type ServiceView } from "../../core";
import { Chip, cx } from "../../ui";
import { useReportsOf } from "./reports";
import { VisitOutcome } from "./VisitStatus";

export function VisitList({ visits }: { visits: readonly ServiceView[] }) {
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-large border border-line bg-card">
      {visits.map((it) => (
        <li key={it.id}>
          <VisitLine visit={it} />
        </li>
      ))}
    </ul>
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
          {formatDate(visit.date)},{" "}
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

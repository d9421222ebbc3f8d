/** Owns visits as lines of a list: when, what, for how much, and what became of it. */
import { NotebookText } from "lucide-react";
import { Link } from "wouter";
import { formatDate, formatDollars, formatTime, type ServiceView } from "../../core";
import { Chip, StatusChip } from "../../ui";
import { useReportsOf } from "./reports";

export function VisitList({ visits }: { visits: readonly ServiceView[] }) {
  return (
    <ul className="@container divide-y divide-line overflow-hidden rounded-large border border-line bg-card">
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
      className="num grid min-h-12 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2 -outline-offset-3 @max-[15rem]:grid-cols-1 *:@max-[15rem]:justify-self-start! hover:bg-sunken"
    >
      <span className="font-medium">
        {formatDate(visit.date)}, <span className="whitespace-nowrap">{formatTime(visit.start_time)}</span>
      </span>
      <span className="text-right">{formatDollars(visit.price)}</span>
      <span className="min-w-0 text-14 text-ink-2 wrap-anywhere">{visit.summary}</span>
      <span className="flex flex-wrap justify-end gap-1 justify-self-end">
        {hasReport && <Chip icon={<NotebookText aria-hidden />}>Report</Chip>}
        {visit.status !== "scheduled" && <StatusChip status={visit.status} />}
      </span>
    </Link>
  );
}

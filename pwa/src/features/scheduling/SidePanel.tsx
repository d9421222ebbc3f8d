/** Owns the lists beside the calendar (SPEC 2): Today's Schedule with + Add, and This Week with up to 8 upcoming. */
import { Plus } from "lucide-react";
import { memo } from "react";
import { formatDateHeading, formatTime, type ServiceView } from "../../core";
import { Button, cx, StatusChip } from "../../ui";
import { useNow } from "./clock";
import { SMALL_BUTTON } from "./looks";
import { numbers } from "./numbers";
import { PendingMark } from "./PendingMark";
import { useRead } from "./useRead";
import { OvernightDot } from "./VisitCard";
import { dogNames, kindWord } from "./words";

interface SidePanelProps {
  today: string;
  onOpen: (id: string) => void;
  onAdd: () => void;
  onMore: () => void;
  /** The day's own list stands above already. */
  withoutToday?: boolean;
  className?: string;
}

export function SidePanel({ today, onOpen, onAdd, onMore, withoutToday, className }: SidePanelProps) {
  const now = useNow();
  const todays = useRead((phone) => (withoutToday ? [] : phone.servicesBetween(today, today)), withoutToday, today);
  const { sidebar_upcoming, upcoming_days } = numbers();
  const { services: shown, total } = useRead((phone) => phone.upcomingList(sidebar_upcoming, now), now);
  const more = total - shown.length;
  return (
    <aside aria-label="Lists" className={cx("grid grid-cols-1 content-start gap-5", className)}>
      {!withoutToday && (
        <section aria-labelledby="todays-schedule">
          <div className="flex items-center justify-between gap-2">
            <h2 id="todays-schedule" className="font-bold">
              Today's Schedule
            </h2>
            <button type="button" className={cx(SMALL_BUTTON, "-mr-2")} onClick={onAdd}>
              <Plus aria-hidden className="size-4" />
              Add
            </button>
          </div>
          {todays.length === 0 ? (
            <p className="py-2 text-14 text-ink-2">Nothing to do today.</p>
          ) : (
            <Rows services={todays} onOpen={onOpen} />
          )}
        </section>
      )}
      <section aria-labelledby="this-week">
        <h2 id="this-week" className="flex min-h-12 items-center font-bold">
          This Week
        </h2>
        {shown.length === 0 ? (
          <p className="py-2 text-14 text-ink-2">Nothing to come in the next {upcoming_days} days.</p>
        ) : (
          <Rows services={shown} onOpen={onOpen} today={today} />
        )}
        {more > 0 && (
          <Button kind="quiet" wide className="mt-3" onClick={onMore}>
            View {more} more
          </Button>
        )}
      </section>
    </aside>
  );
}

interface RowsProps {
  services: readonly ServiceView[];
  onOpen: (id: string) => void;
  /** Set where the days differ and each row names its own. */
  today?: string;
}

const Rows = memo(function Rows({ services, onOpen, today }: RowsProps) {
  return (
    <ul className="overflow-hidden rounded-large border border-line bg-card">
      {services.map((view) => (
        <li key={view.id} className="border-line not-first:border-t">
          <button
            type="button"
            onClick={() => onOpen(view.id)}
            className="flex min-h-14 w-full items-center gap-3 px-3 py-2 text-left -outline-offset-3 transition-colors hover:bg-sunken"
          >
            <span
              className={cx(
                "num w-20 shrink-0 text-14 whitespace-nowrap font-bold",
                view.status !== "scheduled" && "text-ink-3",
              )}
            >
              {today && (
                <span className="block text-12 font-normal text-ink-2">
                  {view.date === today ? "Today" : shortDay(view.date)}
                </span>
              )}
              {formatTime(view.start_time)}
            </span>
            <span className="min-w-0 flex-1">
              <span className={cx("block truncate text-14 font-bold", view.status !== "scheduled" && "text-ink-2")}>
                {dogNames(view)}
              </span>
              <span className="block truncate text-12 text-ink-2">
                {view.client_name} · {kindWord(view)}
              </span>
            </span>
            {view.overnight && <OvernightDot />}
            <PendingMark id={view.id} />
            {view.status !== "scheduled" && <StatusChip status={view.status} />}
          </button>
        </li>
      ))}
    </ul>
  );
});

/** `Fri 20`, from the day's heading. */
function shortDay(date: string): string {
  return `${formatDateHeading(date).slice(0, 3)} ${Number(date.slice(8))}`;
}

/** Owns a stay on one of its days: a band that lies above the hours, with the day that it is. */
import { BedDouble } from "lucide-react";
import { type CalendarStay, setApart } from "../../core";
import { dogNames, lateWord, shownStatus, statusWord } from "../../parts/visit/visitText";
import { useWalkOf, WalkSign, walkSign } from "../../parts/walk/WalkSign";
import { cx } from "../../ui";
import { PendingMark } from "./PendingMark";

interface StayBandProps {
  stay: CalendarStay;
  /** In a column of the calendar, where there is room for a line. */
  small?: boolean;
  onOpen: (id: string) => void;
}

export function StayBand({ stay: { view, day, n_days, place }, small, onOpen }: StayBandProps) {
  const walk = useWalkOf(view.id);
  const state = walk ? walkSign(walk) : (lateWord(view) ?? statusWord[view.status]);
  return (
    <button
      type="button"
      onClick={() => onOpen(view.id)}
      aria-label={`${view.kind}, ${dogNames(view)}, ${setApart(view.client_name)}, ${place}, ${state}`}
      className={cx(
        "num flex w-full min-w-0 items-center gap-2 border border-line text-left transition-colors hover:border-edge",
        small ? "@container min-h-8 px-2 text-12" : "min-h-14 px-3 py-2 text-14",
        LOOK[shownStatus(view)],
        // It goes on beyond what it has no rounded end to.
        day === 1 ? "rounded-l-large" : "border-l-0",
        day === n_days ? "rounded-r-large" : "border-r-0",
      )}
    >
      <BedDouble aria-hidden className={small ? "size-4 shrink-0" : "size-5 shrink-0"} />
      {/* In a column of a phone's week a letter of it says less than none. */}
      <span className={cx("min-w-0 flex-1", small && "@max-[3rem]:hidden")}>
        <span className={cx("block truncate font-bold", view.status === "cancelled" && "line-through")}>
          {dogNames(view)}
        </span>
        {!small && (
          <span className="block text-ink-2">
            <bdi>{view.kind}</bdi>, {place} · <bdi>{view.client_name}</bdi>
          </span>
        )}
      </span>
      {!small && <WalkSign serviceId={view.id} />}
      <PendingMark id={view.id} />
    </button>
  );
}

const LOOK = {
  scheduled: "bg-scheduled-soft",
  completed: "bg-card text-ink-2",
  cancelled: "bg-card text-ink-2",
  overdue: "bg-tag-soft",
};

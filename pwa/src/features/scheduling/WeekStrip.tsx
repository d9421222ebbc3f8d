/** Owns the week under the header of the phone: seven days, a dot for each service up to three, the chosen one filled. */
import { formatDateHeading, plusDays, weekStart } from "../../core";
import { cx } from "../../ui";
import { dayNumber, shortWeekday } from "./clock";
import { useRead } from "./useRead";

const MOST_DOTS = 3;

interface WeekStripProps {
  date: string;
  today: string;
  onPick: (date: string) => void;
}

export function WeekStrip({ date, today, onPick }: WeekStripProps) {
  const first = weekStart(date);
  const days = useRead((phone) => phone.dayCounts(first, plusDays(first, 6)), first);
  return (
    <ul aria-label="Days of the week" className="-mx-2 grid grid-cols-7 gap-[2px]">
      {days.map((day) => {
        const heading = formatDateHeading(day.date);
        const chosen = day.date === date;
        return (
          <li key={day.date}>
            <button
              type="button"
              aria-current={chosen ? "date" : undefined}
              aria-label={`${heading}, ${day.count === 1 ? "1 visit" : `${day.count} visits`}`}
              onClick={() => onPick(day.date)}
              className={cx(
                "num grid w-full justify-items-center gap-1 rounded-large py-2 text-12 transition-colors",
                chosen ? "bg-act text-on-act" : "text-ink-2 hover:bg-sunken",
              )}
            >
              <span className={cx(day.date === today && !chosen && "font-bold text-ink")}>{shortWeekday(heading)}</span>
              <span
                className={cx(
                  "text-16 font-medium",
                  !chosen && "text-ink",
                  day.date === today && !chosen && "underline decoration-2 underline-offset-4",
                )}
              >
                {dayNumber(day.date)}
              </span>
              <span aria-hidden className="flex h-1 gap-[2px]">
                {Array.from({ length: Math.min(day.count, MOST_DOTS) }, (_, index) => (
                  <span key={index} className={cx("size-1 rounded-full", chosen ? "bg-current" : "bg-edge")} />
                ))}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/**
 * Owns the week under the header of the phone: seven days, a dot for each service up to three, the chosen one filled. A
 * thumb that wipes over it goes to the weeks around it, as the view's menu does.
 */
import { memo, type TouchEvent, useRef } from "react";
import { type DayCount, formatDateHeading, plusDays, weekStart } from "../../core";
import { useFirstRead } from "../../data";
import { dayNumber, shortWeekday, WEEK_DAYS } from "../../parts/dates";
import { cx } from "../../ui";
import type { ScheduleState } from "./scheduleState";

const MOST_DOTS = 3;
/** Less sideways is a tap. */
const WIPE_PX = 48;

export function WeekStrip({ schedule: { date, today, show } }: { schedule: ScheduleState }) {
  const first = weekStart(date);
  const days = useFirstRead((phone) => phone.dayCounts(first, plusDays(first, WEEK_DAYS - 1)), first);
  const from = useRef<number>(undefined);
  const wipe = ({ changedTouches }: TouchEvent) => {
    const by = (changedTouches[0]?.clientX ?? 0) - (from.current ?? 0);
    if (Math.abs(by) >= WIPE_PX) show({ date: plusDays(date, by < 0 ? WEEK_DAYS : -WEEK_DAYS) });
  };
  return (
    <ul
      aria-label="Days of the week"
      className="isolate -mx-2 grid touch-pan-y grid-cols-7 gap-[2px]"
      onTouchStart={({ touches }) => {
        from.current = touches[0]?.clientX;
      }}
      onTouchEnd={wipe}
    >
      {days.map((day) => (
        <Day key={day.date} day={day} chosen={day.date === date} isToday={day.date === today} show={show} />
      ))}
    </ul>
  );
}

interface DayProps {
  day: DayCount;
  chosen: boolean;
  isToday: boolean;
  show: ScheduleState["show"];
}

const Day = memo(function Day({ day: { date, count }, chosen, isToday, show }: DayProps) {
  const heading = formatDateHeading(date);
  return (
    <li>
      <button
        type="button"
        aria-current={chosen ? "date" : undefined}
        aria-label={`${heading}, ${count === 1 ? "1 visit" : `${count} visits`}`}
        onClick={() => show({ date })}
        className={cx(
          "num grid w-full justify-items-center gap-1 rounded-large py-2 text-[length:min(var(--text-12),3.4vw)] leading-[1.35] transition-colors",
          chosen ? "bg-act text-on-act" : "text-ink-2 hover:bg-sunken",
        )}
      >
        <span className={cx(isToday && !chosen && "font-bold text-ink")}>{shortWeekday(heading)}</span>
        <span
          className={cx(
            "text-[length:min(var(--text-16),4.6vw)] leading-[1.45] font-medium",
            !chosen && "text-ink",
            isToday && !chosen && "underline decoration-2 underline-offset-4",
          )}
        >
          {dayNumber(date)}
        </span>
        <span aria-hidden className="flex h-1 gap-[2px]">
          {Array.from({ length: Math.min(count, MOST_DOTS) }, (_, index) => (
            <span
              key={index}
              className={cx("size-1 rounded-full", chosen ? "bg-current" : "bg-edge forced-colors:bg-[CanvasText]")}
            />
          ))}
        </span>
      </button>
    </li>
  );
});

/** Owns what stays above the hours of the calendar: the days' names, and the stays below them. */
import type { CSSProperties, Ref } from "react";
import type { CalendarDay } from "../../core";
import { dayNumber, shortWeekday } from "../../parts/dates";
import { cx } from "../../ui";
import { StayBand } from "./StayBand";
import type { ScheduleState } from "./scheduleState";
import { BEFORE_ALL, isHeading, type Stop } from "./stops";

interface GridHeadProps {
  ref: Ref<HTMLDivElement>;
  days: readonly CalendarDay[];
  columns: CSSProperties;
  schedule: ScheduleState;
  here: Stop;
}

export function GridHead({ ref, days, columns, schedule, here }: GridHeadProps) {
  return (
    <div ref={ref} style={columns} className="sticky top-0 z-4 grid border-b border-line bg-card">
      <span />
      {days.map((it) => (
        <Heading
          key={it.date}
          day={it}
          isSelected={it.date === schedule.date}
          isHere={it.date === here.date && isHeading(here)}
          onPick={() => schedule.show({ date: it.date })}
        />
      ))}
      {days.some((it) => it.stays.length > 0) && (
        <>
          <span />
          {days.map((it) => (
            <ul key={it.date} aria-label={`Stays, ${it.heading}`} className="grid content-start gap-[2px] pb-1">
              {it.stays.map((stay) => (
                <li key={stay.view.id}>
                  <StayBand stay={stay} small onOpen={schedule.details} />
                </li>
              ))}
            </ul>
          ))}
        </>
      )}
    </div>
  );
}

/** The id of a day's heading. */
export const headingId = ({ date }: CalendarDay) => `hours-of-${date}`;

interface HeadingProps {
  day: CalendarDay;
  isSelected: boolean;
  isHere: boolean;
  onPick: () => void;
}

function Heading({ day, isSelected, isHere, onPick }: HeadingProps) {
  const { date, heading, is_today, count } = day;
  return (
    <button
      id={headingId(day)}
      type="button"
      tabIndex={isHere ? 0 : -1}
      data-here={isHere || undefined}
      data-date={date}
      data-minute={BEFORE_ALL}
      aria-current={isSelected ? "date" : undefined}
      aria-label={`${heading}${is_today ? ", today" : ""}, ${count === 1 ? "1 visit" : `${count} visits`}`}
      onClick={onPick}
      className="num grid min-h-12 justify-items-center gap-[2px] border-l border-line py-2 text-[length:min(var(--text-12),3.2vw)] leading-[1.35] text-ink-2 -outline-offset-3 hover:bg-sunken"
    >
      {shortWeekday(heading)}
      <span
        className={cx(
          "grid min-w-8 place-items-center rounded-full px-1 text-[length:min(var(--text-16),4.6vw)] leading-[1.45] font-bold",
          is_today ? "bg-act text-on-act" : "text-ink",
          isSelected && !is_today && "shadow-[inset_0_0_0_1px_var(--color-edge)]",
        )}
      >
        {dayNumber(date)}
      </span>
    </button>
  );
}

/**
 * Owns the calendar from which a pet parent chooses days: those that the sitter offers have a dot, and the others can be
 * chosen, too, since their row says why nothing is open. The calendar is one stop of Tab; arrow keys go from day to day.
 */
import { type CSSProperties, type KeyboardEvent, useRef, useState } from "react";
import { formatDate, formatDateHeading, formatMonthHeading, formatWeekday, type OpenDays, plusDays } from "../../core";
import { noConnection } from "../../data";
import { type OpenDaysQuestion, useOpenDays } from "../../data/portal/openDays";
import { dayNumber, useToday, WEEK_DAYS } from "../../parts/dates";
import { Button, cx, Skeleton } from "../../ui";
import { useSitterName } from "./ownClient";

interface OpenCalendarProps {
  question: OpenDaysQuestion;
  chosen: readonly string[];
  onChoose: (date: string) => void;
  /** The last day for which requests are taken, as far as this phone knows without the server. */
  last?: string | undefined;
}

/** The calendar for one question; another question, or another day, begins with its first days. */
export function OpenCalendar(props: OpenCalendarProps) {
  const today = useToday();
  return <Calendar key={JSON.stringify([props.question, today])} {...props} today={today} />;
}

function Calendar({ question, chosen, onChoose, last, today }: OpenCalendarProps & { today: string }) {
  const { listed, trouble, isLoading, more, again } = useOpenDays(question, today);
  const name = useSitterName();
  const horizon = listed ? listed.last : last;
  return (
    <div className="grid gap-2">
      {listed && <Days listed={listed} isStay={question.stay} chosen={chosen} onChoose={onChoose} />}
      {!listed && isLoading && <Skeleton className="h-70 w-full" />}
      <p role="status" className="text-14 text-ink-2 empty:hidden">
        {listed && LEGENDS[question.stay ? "stay" : listed.days.length > 0 ? "open" : "nothing"]}
        {trouble && `${trouble.kind === "offline" ? `${noConnection()}.` : trouble.text} ${OPEN_DAYS_LATER}`}
      </p>
      {horizon && (
        <p className="num text-14 text-ink-2">
          <bdi>{name}</bdi> takes requests up to {formatDate(horizon)}.
        </p>
      )}
      {trouble && trouble.kind !== "offline" && (
        <div>
          <Button kind="quiet" onClick={again}>
            Show open days
          </Button>
        </div>
      )}
      {!trouble && more && (
        <div>
          <Button kind="quiet" busy={isLoading} onClick={more}>
            Show later days
          </Button>
        </div>
      )}
    </div>
  );
}

const LEGENDS = {
  open: "Days with a dot have open times.",
  nothing: "Nothing is open on these days.",
  stay: "Days with a dot are free. You can request the others, too.",
};

const OPEN_DAYS_LATER = "Enter a date below.";

interface DaysProps {
  listed: OpenDays;
  isStay: boolean;
  chosen: readonly string[];
  onChoose: (date: string) => void;
}

function Days({ listed: { first, until, days }, isStay, chosen, onChoose }: DaysProps) {
  const grid = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<string>();
  const isShown = (date: string | undefined) => date !== undefined && first <= date && date <= until;
  const stop = [at, chosen[0], days[0]].find(isShown) ?? first;
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const next = step === undefined ? stop : plusDays(stop, step);
    if (next === stop || !isShown(next)) return;
    event.preventDefault();
    setAt(next);
    grid.current?.querySelector<HTMLElement>(`[data-date="${next}"]`)?.focus();
  };
  const words = isStay ? STAY_WORDS : VISIT_WORDS;
  return (
    // The keys of the days, which are buttons, come here.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={grid} className="@container grid gap-3" onKeyDown={move}>
      {monthsOf(first, until).map((month) => (
        <div key={month[0]} role="group" aria-label={formatMonthHeading(month[0] ?? first)} className="grid gap-1">
          <h2 className="font-medium">{formatMonthHeading(month[0] ?? first)}</h2>
          {/* Where a week has no room each day says which it is. */}
          <div className="num grid grid-cols-[repeat(auto-fill,minmax(48px,1fr))] gap-x-0.5 gap-y-1 text-center @min-[300px]:grid-cols-7">
            {weekOf(month[0] ?? first).map((date) => (
              <span key={date} aria-hidden className="hidden text-12 text-ink-2 @min-[300px]:block">
                {formatWeekday(date).slice(0, 2)}
              </span>
            ))}
            {month.map((date, place) => {
              const isOpen = days.includes(date);
              const isChosen = chosen.includes(date);
              return (
                <button
                  key={date}
                  type="button"
                  data-date={date}
                  tabIndex={date === stop ? 0 : -1}
                  aria-pressed={isChosen}
                  aria-label={`${formatDateHeading(date)}, ${isOpen ? words.open : words.closed}`}
                  // The first day stands below its day of the week.
                  style={place === 0 ? ({ "--start": weekdayOf(date) + 1 } as CSSProperties) : undefined}
                  onFocus={() => setAt(date)}
                  onClick={() => onChoose(date)}
                  className={cx(
                    "relative grid min-h-12 place-items-center rounded-large border pt-0.5 pb-3 transition-colors @min-[300px]:p-0",
                    place === 0 && "@min-[300px]:[grid-column-start:var(--start)]",
                    "focus-visible:outline-3 focus-visible:outline-scheduled",
                    isChosen
                      ? "border-act bg-act font-bold text-on-act forced-colors:bg-[Highlight] forced-colors:text-[HighlightText]"
                      : isOpen
                        ? "border-edge bg-card font-medium hover:bg-sunken"
                        : "border-transparent text-ink-2 hover:bg-sunken",
                  )}
                >
                  <span className="text-12 @min-[300px]:hidden">{formatWeekday(date).slice(0, 2)}</span>
                  {dayNumber(date)}
                  {isOpen && (
                    <span
                      aria-hidden
                      className="absolute bottom-1.5 size-1 rounded-full bg-current forced-color-adjust-none"
                    />
                  )}
                </button>
              );
            })}
          </div>
        </div>
      ))}
    </div>
  );
}

const VISIT_WORDS = { open: "open", closed: "nothing open" };
const STAY_WORDS = { open: "free", closed: "may be taken" };

/** Days by which a key moves. */
const STEPS: Partial<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -WEEK_DAYS,
  ArrowDown: WEEK_DAYS,
};

/** Returns the day of the week, 0 = Sunday to 6 = Saturday. */
const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();

/** The week of a day, from Sunday on. */
const weekOf = (date: string): string[] => {
  const sunday = plusDays(date, -weekdayOf(date));
  return Array.from({ length: WEEK_DAYS }, (_, place) => plusDays(sunday, place));
};

/** All days from the first to the last one, by month. */
function monthsOf(first: string, last: string): string[][] {
  const months = new Map<string, string[]>();
  for (let date = first; date <= last; date = plusDays(date, 1)) {
    const month = date.slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), date]);
  }
  return [...months.values()];
}

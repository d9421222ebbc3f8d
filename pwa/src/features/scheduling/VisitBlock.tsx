/**
 * Owns a visit in the calendar by the hour: as many of its words as its height has room for, the most important first, and
 * its lower edge, by which it is made longer.
 */
import { AlarmClock, Ban, Check, Footprints, House, Moon, Repeat } from "lucide-react";
import type { CSSProperties } from "react";
import { type CalendarItem, formatTime, setApart } from "../../core";
import { IN_A_SERIES } from "../../parts/visit/SeriesSigns";
import { dogNames, lateWord, shownStatus, statusWord } from "../../parts/visit/visitText";
import { useWalkOf, walkSign } from "../../parts/walk/WalkSign";
import { cx } from "../../ui";
import { isMovable, isResizable } from "./gridSpan";
import { PendingMark } from "./PendingMark";
import { useMarking } from "./several/useMarking";
import { OvernightDot } from "./VisitCard";

/** A line of its words in letters of the usual size, and what is above and below them. */
const LINE_PX = 16;
const AROUND_PX = 8;
/** Lower than this nothing can be read; the core gives shorter visits the room. */
export const LEAST_PX = 14;

/** A lower one has half the edge to hold it by, and no mark on it. */
const LOW_PX = 32;

/** Classes by status: a visit that is still to be done has the ground of its color; the others step back to the bar. */
const LOOK = {
  scheduled: "border-transparent bg-scheduled-soft before:bg-scheduled",
  completed: "border-line bg-card text-ink-3 before:bg-completed",
  cancelled: "border-line bg-card text-ink-3 before:bg-cancelled",
  overdue: "border-transparent bg-tag-soft before:bg-tag",
};

interface VisitBlockProps {
  item: CalendarItem;
  date: string;
  heading: string;
  /** Pixels a minute. */
  px: number;
  /** How many times as large as usual letters are. */
  letters: number;
  /** The keyboard's stop. */
  isHere: boolean;
  /** It is dragged elsewhere for now. */
  isAway: boolean;
  onOpen: (id: string) => void;
}

export function VisitBlock({ item, date, heading, px, letters, isHere, isAway, onOpen }: VisitBlockProps) {
  const { view, top, height, lane, lanes, street } = item;
  const walk = useWalkOf(view.id);
  const { isMarked, handlers } = useMarking(view.id, onOpen);
  // A hairline of air to the next one.
  const tall = Math.max(height * px, LEAST_PX * letters) - 1;
  const linePx = LINE_PX * letters;
  const lines = Math.max(1, Math.floor((tall - AROUND_PX) / linePx));
  const [time, half] = formatTime(view.start_time).split(" ");
  const about = walk ? walkSign(walk) : setApart(view.client_name);
  const rest = [about, street && setApart(street), `${view.kind}, ${view.length}`].filter(Boolean);
  // Where one line is left it has as much as goes in.
  const more = lines === 3 ? [rest.slice(0, 2).join(" · ")] : rest.slice(0, Math.max(0, lines - 2));
  const place: CSSProperties = {
    top: top * px,
    height: tall,
    left: `calc(${(lane / lanes) * 100}% + 2px)`,
    width: `calc(${100 / lanes}% - 4px)`,
  };
  return (
    <button
      type="button"
      style={place}
      tabIndex={isHere ? 0 : -1}
      data-here={isHere || undefined}
      data-visit={view.id}
      data-date={date}
      data-minute={top}
      {...handlers}
      aria-label={spoken(item, heading, walk)}
      className={cx(
        "num @container absolute z-1 flex flex-col overflow-hidden border pr-1 pl-2 text-left text-12 transition-[border-color,opacity]",
        "before:absolute before:inset-y-0 before:left-0 before:w-1 hover:z-2 hover:border-edge focus-visible:z-2",
        lines === 1 ? "justify-center" : "pt-[3px]",
        tall < linePx + 4 ? "rounded-[4px] leading-none" : "rounded-small",
        isAway && "opacity-40",
        isMarked && "outline-2 -outline-offset-2 outline-act",
        LOOK[walk ? view.status : shownStatus(view)],
      )}
    >
      <FirstLine item={item} isOnly={lines === 1} time={time} about={about} walk={walk} />
      {lines > 1 && (
        <span className="w-full truncate text-ink-2">
          <span className="@min-[8.5rem]:hidden">
            {time}
            <span className="@max-[3.5rem]:hidden"> {half}</span>
          </span>
          <span className="hidden @min-[8.5rem]:inline">{view.formatted_time}</span>
        </span>
      )}
      {more.map((line) => (
        <span key={line} className="w-full truncate text-ink-2">
          {line}
        </span>
      ))}
      {isMovable(item) && isResizable(item) && <Edge isLow={tall < LOW_PX} />}
    </button>
  );
}

type Walk = ReturnType<typeof useWalkOf>;

/** Returns the label that a screen reader says. */
function spoken({ view, street, continued }: CalendarItem, heading: string, walk: Walk): string {
  const words = [
    heading,
    view.formatted_time,
    view.summary,
    setApart(view.client_name),
    street && setApart(street),
    (walk ? undefined : lateWord(view)) ?? statusWord[view.status],
    view.overnight && "overnight",
    continued && "since yesterday",
    view.series_id && IN_A_SERIES.toLowerCase(),
    walk && walkSign(walk),
  ];
  return words.filter(Boolean).join(", ");
}

interface FirstLineProps {
  item: CalendarItem;
  /** There is no room for a second one. */
  isOnly: boolean;
  time: string | undefined;
  about: string;
  walk: Walk;
}

function FirstLine({ item: { view, street, continued }, isOnly, time, about, walk }: FirstLineProps) {
  const Kind = view.service_type === "walk" ? Footprints : House;
  return (
    <span
      // For who has a mouse: the name of the whole says it to everybody else.
      title={[view.formatted_time, dogNames(view), setApart(view.client_name), street && setApart(street)]
        .filter(Boolean)
        .join(" · ")}
      className="flex w-full min-w-0 items-center gap-1 whitespace-nowrap"
    >
      {shownStatus(view) === "overdue" && !walk && <AlarmClock aria-hidden className="size-3 shrink-0 text-tag-ink" />}
      {view.status === "completed" && <Check aria-hidden className="size-3 shrink-0 text-completed" />}
      {view.status === "cancelled" && <Ban aria-hidden className="size-3 shrink-0 text-cancelled" />}
      <Kind
        aria-hidden
        className={cx(
          "size-3 shrink-0 @max-[2.75rem]:hidden",
          walk && "rounded-full bg-tag text-on-tag outline-2 outline-tag",
        )}
      />
      {continued && <Moon aria-hidden className="size-3 shrink-0" />}
      {view.overnight && <OvernightDot />}
      {isOnly && <span className="shrink-0 text-ink-2 @max-[5rem]:hidden">{time}</span>}
      <span className={cx("min-w-0 truncate font-bold", view.status === "cancelled" && "line-through")}>
        {dogNames(view)}
      </span>
      {isOnly && (
        <span className="min-w-0 flex-1 truncate text-ink-2 @max-[11rem]:hidden">
          {[about, street].filter(Boolean).join(" · ")}
        </span>
      )}
      {view.series_id && <Repeat aria-hidden className="ml-auto size-3 shrink-0 text-ink-3 @max-[5rem]:hidden" />}
      <PendingMark id={view.id} className={cx(!view.series_id && "ml-auto", "[&>svg]:size-3")} />
    </span>
  );
}

/** The lower edge, by which it is made longer. */
function Edge({ isLow }: { isLow: boolean }) {
  return (
    <span
      aria-hidden
      data-edge=""
      className={cx(
        "absolute inset-x-0 bottom-0 cursor-ns-resize pointer-coarse:hidden",
        isLow
          ? "h-1"
          : "h-2 after:absolute after:bottom-[2px] after:left-1/2 after:h-[2px] after:w-5 after:-translate-x-1/2 after:rounded-full hover:after:bg-edge",
      )}
    />
  );
}

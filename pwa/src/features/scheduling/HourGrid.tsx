/**
 * Owns the calendar by the hour (SPEC 9): 24 hours at 120 px, 30-minute slots, 6 to 22 normal and the rest shaded,
 * lanes as the core places them, a line for now. Arrows move a cursor over the slots, Enter begins a service there.
 */
import { Ban, Check, Footprints, Moon } from "lucide-react";
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { type CalendarBlock, type CalendarDay, type CalendarItem, formatTime, plusDays } from "../../core";
import { cx } from "../../ui";
import { useWalkOf, walkSign } from "../walk/OnWalk";
import { BlockName } from "./BlockName";
import { dayNumber, shortWeekday, timeOf } from "./clock";
import { HATCH } from "./looks";
import { numbers } from "./numbers";
import { PendingMark } from "./PendingMark";
import { OvernightDot } from "./VisitCard";
import { dogNames, statusWord } from "./words";

/** What the quick jumps move. */
export interface Jumpable {
  /** Brings a minute of the day into sight. */
  jump: (minute: number) => void;
}

interface HourGridProps {
  days: readonly CalendarDay[];
  selected: string;
  /** The minute of the day, for the line of now. */
  minuteNow: number;
  onOpen: (id: string) => void;
  onSlot: (date: string, time: string) => void;
  onPickDay: (date: string) => void;
  /** The cursor goes to a day that is not shown. */
  onLeave: (date: string) => void;
  ref?: Ref<Jumpable>;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const DAY_MINUTES = 24 * 60;

export default function HourGrid({
  days,
  selected,
  minuteNow,
  onOpen,
  onSlot,
  onPickDay,
  onLeave,
  ref,
}: HourGridProps) {
  const sizes = numbers();
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const px = sizes.calendar_hour_px / 60;
  const [cursor, setCursor] = useState<number>();
  const [cursorDay, setCursorDay] = useState(selected);
  const [focused, setFocused] = useState(false);

  const topOf = (minute: number) => minute * px;
  useImperativeHandle(ref, () => ({
    jump: (minute) => scroller.current?.scrollTo({ top: topOf(minute) }),
  }));
  useLayoutEffect(() => {
    scroller.current?.scrollTo({
      top: sizes.calendar_scroll_to_hour * sizes.calendar_hour_px,
      behavior: "instant",
    });
  }, [sizes.calendar_scroll_to_hour, sizes.calendar_hour_px]);

  const minute = cursor ?? sizes.calendar_scroll_to_hour * 60;
  const day = days.find((it) => it.date === cursorDay) ?? days.find((it) => it.date === selected);

  const moveTo = (to: number) => {
    const clamped = Math.min(Math.max(0, to), DAY_MINUTES - sizes.calendar_slot_minutes);
    setCursor(clamped);
    const box = scroller.current;
    if (!box) return;
    const room = box.clientHeight - (head.current?.offsetHeight ?? 0);
    const top = topOf(clamped);
    const height = topOf(sizes.calendar_slot_minutes);
    if (top < box.scrollTop) box.scrollTo({ top, behavior: "instant" });
    else if (top + height > box.scrollTop + room) box.scrollTo({ top: top + height - room, behavior: "instant" });
  };
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const slot = sizes.calendar_slot_minutes;
    const sideways = (step: -1 | 1) => {
      if (!day) return;
      const to = plusDays(day.date, step);
      setCursorDay(to);
      if (!days.some((it) => it.date === to)) onLeave(to);
    };
    const acts: Record<string, () => void> = {
      ArrowUp: () => moveTo(minute - slot),
      ArrowDown: () => moveTo(minute + slot),
      ArrowLeft: () => sideways(-1),
      ArrowRight: () => sideways(1),
      Home: () => moveTo(sizes.calendar_normal_from_hour * 60),
      End: () => moveTo(sizes.calendar_normal_to_hour * 60 - slot),
      Enter: () => day && onSlot(day.date, timeOf(minute)),
      " ": () => day && onSlot(day.date, timeOf(minute)),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    setFocused(true);
    act();
  };

  const columns: CSSProperties = { gridTemplateColumns: `var(--gutter) repeat(${days.length}, minmax(0, 1fr))` };
  return (
    <div
      ref={scroller}
      role="group"
      aria-label="Calendar by the hour. Arrow keys choose a time, Enter schedules a service there."
      // The one stop of the keyboard for all empty slots.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={press}
      onFocus={(event) =>
        setFocused(event.target === event.currentTarget && event.currentTarget.matches(":focus-visible"))
      }
      onBlur={() => setFocused(false)}
      // What screen readers alone read lies where it is, and must not lengthen the page around this.
      className="relative min-h-0 flex-1 scroll-smooth overflow-y-auto overscroll-contain rounded-large border border-line bg-card [--gutter:44px] md:[--gutter:64px]"
    >
      <div ref={head} style={columns} className="sticky top-0 z-3 grid border-b border-line bg-card">
        <span />
        {days.map((it) => (
          <button
            key={it.date}
            type="button"
            aria-current={it.date === selected ? "date" : undefined}
            aria-label={`${it.heading}${it.is_today ? ", today" : ""}, ${it.count === 1 ? "1 visit" : `${it.count} visits`}`}
            onClick={() => onPickDay(it.date)}
            className="num grid min-h-12 justify-items-center gap-[2px] border-l border-line py-2 text-[length:min(var(--text-12),3.2vw)] leading-[1.35] text-ink-2 hover:bg-sunken"
          >
            {shortWeekday(it.heading)}
            <span
              className={cx(
                "grid min-w-8 place-items-center rounded-full px-1 text-[length:min(var(--text-16),4.6vw)] leading-[1.45] font-bold",
                it.is_today ? "bg-act text-on-act" : "text-ink",
                it.date === selected && !it.is_today && "shadow-[inset_0_0_0_1px_var(--color-edge)]",
              )}
            >
              {dayNumber(it.date)}
            </span>
          </button>
        ))}
      </div>
      <div style={{ ...columns, height: DAY_MINUTES * px }} className="relative grid">
        <Ruler hourPx={sizes.calendar_hour_px} />
        <span />
        {days.map((it) => (
          <Column
            key={it.date}
            day={it}
            px={px}
            slotMinutes={sizes.calendar_slot_minutes}
            cursor={focused && it.date === day?.date ? minute : undefined}
            minuteNow={it.is_today ? minuteNow : undefined}
            onOpen={onOpen}
            onSlot={onSlot}
          />
        ))}
        {days.some((it) => it.is_today) && (
          <span
            aria-hidden
            style={{ top: topOf(minuteNow) }}
            className="num absolute left-1 z-2 -translate-y-1/2 rounded-full bg-tag px-1 text-12 font-bold text-on-tag"
          >
            {formatTime(timeOf(minuteNow)).split(" ")[0]}
          </span>
        )}
      </div>
      <p aria-live="polite" className="sr-only">
        {focused && day && `${day.heading}, ${formatTime(timeOf(minute))}`}
      </p>
    </div>
  );
}

/** Hours with their lines and names behind all columns; those outside the normal ones shaded. */
const Ruler = memo(function Ruler({ hourPx }: { hourPx: number }) {
  const { calendar_normal_from_hour: from, calendar_normal_to_hour: to } = numbers();
  return (
    <div aria-hidden className="absolute inset-0">
      {HOURS.map((hour) => (
        <div
          key={hour}
          style={{ height: hourPx }}
          className={cx("border-line not-first:border-t", (hour < from || hour >= to) && "bg-sunken")}
        >
          <span className="num absolute w-(--gutter) pt-1 pr-2 text-right text-12 whitespace-nowrap text-ink-3">
            {formatTime(timeOf(hour * 60)).replace(":00", "")}
          </span>
          <div className="h-1/2 border-b border-dashed border-line" />
        </div>
      ))}
    </div>
  );
});

interface ColumnProps {
  day: CalendarDay;
  px: number;
  slotMinutes: number;
  cursor: number | undefined;
  minuteNow: number | undefined;
  onOpen: (id: string) => void;
  onSlot: (date: string, time: string) => void;
}

function Column({ day, px, slotMinutes, cursor, minuteNow, onOpen, onSlot }: ColumnProps) {
  const [hover, setHover] = useState<number>();
  const slotAt = (event: MouseEvent) => {
    const inside = event.clientY - event.currentTarget.getBoundingClientRect().top;
    return Math.min(DAY_MINUTES - slotMinutes, Math.max(0, Math.floor(inside / px / slotMinutes) * slotMinutes));
  };
  const slot = cursor ?? hover;
  return (
    <div className="relative border-l border-line">
      <button
        type="button"
        tabIndex={-1}
        aria-label={`New service on ${day.heading}`}
        onPointerMove={(event) => event.pointerType === "mouse" && setHover(slotAt(event))}
        onPointerLeave={() => setHover(undefined)}
        onClick={(event) => {
          // A screen reader's press has no place: the day's normal start then.
          const minute = event.detail === 0 ? undefined : slotAt(event);
          onSlot(day.date, minute === undefined ? numbers().default_start_time : timeOf(minute));
        }}
        className="absolute inset-0 block w-full cursor-copy"
      />
      {day.blocks.map((block) => (
        <Blocked key={block.id} block={block} px={px} />
      ))}
      {slot !== undefined && (
        <span
          aria-hidden
          style={{ top: slot * px, height: slotMinutes * px }}
          className={cx(
            "num pointer-events-none absolute inset-x-[2px] rounded-small border-2 border-dashed px-2 py-1 text-12 font-medium",
            cursor === undefined ? "border-edge text-ink-2" : "z-2 border-scheduled text-scheduled",
          )}
        >
          + {formatTime(timeOf(slot))}
        </span>
      )}
      {day.items.map((item) => (
        <Item key={item.view.id} item={item} px={px} onOpen={onOpen} />
      ))}
      {minuteNow !== undefined && (
        <span
          aria-hidden
          style={{ top: minuteNow * px }}
          className="pointer-events-none absolute inset-x-0 z-2 h-[2px] -translate-y-1/2 bg-tag before:absolute before:-top-[3px] before:-left-1 before:size-2 before:rounded-full before:bg-tag"
        />
      )}
    </div>
  );
}

function Blocked({ block, px }: { block: CalendarBlock; px: number }) {
  return (
    <p
      style={{ top: block.top * px, height: block.height * px }}
      className={cx(
        "num pointer-events-none absolute inset-x-0 overflow-hidden border-y border-line px-2 py-1 text-12 whitespace-nowrap text-ink-2",
        HATCH,
      )}
    >
      <BlockName block={block} /> <span className="max-md:sr-only">{block.formatted_time}</span>
      <span className="sr-only">blocked</span>
    </p>
  );
}

/** What is still to be done has the ground of its color; the rest steps back to the bar. */
const LOOK = {
  scheduled: "border-transparent bg-scheduled-soft before:bg-scheduled",
  completed: "border-line bg-card text-ink-3 before:bg-completed",
  cancelled: "border-line bg-card text-ink-3 before:bg-cancelled",
};

function Item({ item, px, onOpen }: { item: CalendarItem; px: number; onOpen: (id: string) => void }) {
  const { view, top, height, lane, lanes, continued } = item;
  const walk = useWalkOf(view.id);
  const tall = height * px;
  const [time, half] = formatTime(view.start_time).split(" ");
  const place: CSSProperties = {
    top: top * px + 1,
    height: Math.max(tall - 2, 22),
    left: `calc(${(lane / lanes) * 100}% + 2px)`,
    width: `calc(${100 / lanes}% - 4px)`,
  };
  return (
    <button
      type="button"
      style={place}
      onClick={() => onOpen(view.id)}
      aria-label={`${view.formatted_time}, ${view.summary}, ${view.client_name}, ${statusWord[view.status]}${view.overnight ? ", overnight" : ""}${continued ? ", since yesterday" : ""}${walk ? `, ${walkSign(walk)}` : ""}`}
      className={cx(
        "num absolute z-1 flex flex-col overflow-hidden rounded-small border pr-1 pl-2 text-left text-12 transition-colors",
        "before:absolute before:inset-y-0 before:left-0 before:w-1 hover:z-2 hover:border-edge focus-visible:z-2 max-md:pr-0 md:pl-3",
        tall >= 48 && "py-1",
        tall < 48 && "justify-center",
        LOOK[view.status],
      )}
    >
      <span className="flex w-full min-w-0 items-center gap-1 max-md:flex-wrap max-md:gap-x-[2px]">
        {view.status === "completed" && <Check aria-hidden className="size-3 shrink-0 text-completed" />}
        {view.status === "cancelled" && <Ban aria-hidden className="size-3 shrink-0 text-cancelled" />}
        {walk && <Footprints aria-hidden className="size-3 shrink-0 text-tag-ink" />}
        {continued && <Moon aria-hidden className="size-3 shrink-0" />}
        {view.overnight && <OvernightDot />}
        <span
          className={cx(
            "overflow-hidden font-bold whitespace-nowrap md:text-ellipsis",
            view.status === "cancelled" && "line-through",
          )}
        >
          {dogNames(view)}
        </span>
        <PendingMark id={view.id} className="ml-auto" />
      </span>
      {tall >= 48 && (
        <span className="w-full overflow-hidden whitespace-nowrap text-ink-2 md:text-ellipsis">
          {time}
          {/* A phone's columns have no room for it, and the hours at the left say it. */}
          <span className="max-md:hidden"> {half}</span>
        </span>
      )}
      {tall >= 80 && <span className="w-full truncate text-ink-2">{walk ? walkSign(walk) : view.client_name}</span>}
    </button>
  );
}

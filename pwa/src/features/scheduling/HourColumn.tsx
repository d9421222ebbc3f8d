/** Owns a day of the calendar by the hour: its empty slots, blocked times, visits, what is dragged over it, the line of now. */
import { TriangleAlert } from "lucide-react";
import { type MouseEvent, useState } from "react";
import { type CalendarBlock, type CalendarDay, formatTime, formatTimeRange, limits } from "../../core";
import { DAY_MINUTES, timeOf } from "../../parts/dates";
import { dogNames } from "../../parts/visit/visitText";
import { cx } from "../../ui";
import { BlockName } from "./BlockName";
import type { Drag } from "./gridSpan";
import type { Stop } from "./stops";
import { HATCH } from "./styles";
import { VisitBlock } from "./VisitBlock";

interface HourColumnProps {
  day: CalendarDay;
  /** The id of the heading above it. */
  labelledBy: string;
  /** Pixels a minute. */
  px: number;
  /** As in `VisitBlock`. */
  letters: number;
  /** The keyboard's position, if it is on this day. */
  here: Stop | undefined;
  drag: Drag | undefined;
  /** True if the dragged visit would lie over something. */
  isTaken: boolean;
  minuteNow: number | undefined;
  onOpen: (id: string) => void;
  onSlot: (date: string, time: string) => void;
}

export function HourColumn(props: HourColumnProps) {
  const { day, labelledBy, px, letters, here, drag, isTaken, minuteNow, onOpen, onSlot } = props;
  const { calendar_slot_minutes: slotMinutes, default_start_time } = limits();
  const [hover, setHover] = useState<number>();
  const slotAt = (event: MouseEvent) => {
    const inside = event.clientY - event.currentTarget.getBoundingClientRect().top;
    return Math.min(DAY_MINUTES - slotMinutes, Math.max(0, Math.floor(inside / px / slotMinutes) * slotMinutes));
  };
  const slot = { height: slotMinutes * px };
  return (
    <div role="group" aria-labelledby={labelledBy} data-column={day.date} className="relative border-l border-line">
      <button
        type="button"
        tabIndex={-1}
        aria-label={`New service on ${day.heading}`}
        onPointerMove={(event) => event.pointerType === "mouse" && setHover(slotAt(event))}
        onPointerLeave={() => setHover(undefined)}
        onClick={(event) => {
          // A screen reader's press has no place: the day's normal start then.
          onSlot(day.date, event.detail === 0 ? default_start_time : timeOf(slotAt(event)));
        }}
        className="absolute inset-0 block w-full cursor-copy"
      />
      {day.blocks.map((block) => (
        <Blocked key={block.id} block={block} px={px} />
      ))}
      {hover !== undefined && !drag && (
        <span
          aria-hidden
          style={{ ...slot, top: hover * px }}
          className={cx(SLOT, "pointer-events-none border-edge text-ink-2")}
        >
          + {formatTime(timeOf(hover))}
        </span>
      )}
      {here && here.visit === undefined && (
        <button
          // Another place is another button, so that it is read.
          key={here.minute}
          type="button"
          data-here=""
          data-date={day.date}
          data-minute={here.minute}
          aria-label={`${day.heading}, ${formatTime(timeOf(here.minute))}, schedule a service`}
          style={{ ...slot, top: here.minute * px }}
          onClick={() => onSlot(day.date, timeOf(here.minute))}
          className={cx(
            SLOT,
            "pointer-events-none z-2 border-scheduled bg-card text-left text-scheduled opacity-0 outline-none focus-visible:opacity-100",
          )}
        >
          + {formatTime(timeOf(here.minute))}
        </button>
      )}
      <ul className="contents">
        {day.items.map((item) => (
          <li key={item.view.id} className="contents">
            <VisitBlock
              item={item}
              date={day.date}
              heading={day.heading}
              px={px}
              letters={letters}
              isHere={here?.visit === item.view.id}
              isAway={drag?.item?.view.id === item.view.id}
              onOpen={onOpen}
            />
          </li>
        ))}
      </ul>
      {drag && drag.to.date === day.date && <Shade drag={drag} px={px} isTaken={isTaken} />}
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

const SLOT =
  "num absolute inset-x-[2px] rounded-small border-2 border-dashed px-2 text-12 leading-none font-medium flex items-center truncate";

/** Preview of a drag in its place, with the time that the visit would have there. */
function Shade({ drag: { item, to }, px, isTaken }: { drag: Drag; px: number; isTaken: boolean }) {
  const minutes = Math.min(to.minutes, DAY_MINUTES - to.start);
  return (
    <div
      aria-hidden
      style={{ top: to.start * px, minHeight: minutes * px }}
      className={cx(
        "num pointer-events-none absolute inset-x-[2px] z-3 rounded-small border-2 bg-card px-2 py-1 text-12 leading-tight font-bold shadow-float",
        isTaken ? "border-cancelled text-danger" : "border-scheduled text-scheduled",
      )}
    >
      <p className="flex flex-wrap items-center gap-x-1">
        {isTaken && <TriangleAlert className="size-3 shrink-0" />}
        {formatTimeRange(timeOf(to.start), to.minutes)}
      </p>
      {item && <p className="truncate text-ink">{dogNames(item.view)}</p>}
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

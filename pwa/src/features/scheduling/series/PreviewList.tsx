/**
 * Owns what a change of a series would do, before it is saved: first the dates that something is in the way of, each with
 * the ways out, then all dates by week with their prices, and what a month comes to.
 */
import { ChevronDown, TriangleAlert } from "lucide-react";
import { useRef, useState } from "react";
import {
  type DateChoice,
  type FreeStart,
  formatDateHeading,
  formatDollars,
  formatTime,
  type PreviewDate,
  type PreviewState,
  type PreviewSum,
  type SeriesPreview,
  type SeriesSlot,
  weekStart,
} from "../../../core";
import { minuteOf } from "../../../parts/dates";
import { countVisits } from "../../../parts/visit/visitText";
import { Banner, Button, Chip, cx } from "../../../ui";
import { SMALL_BUTTON_EDGE } from "../styles";
import { keyOf } from "./saveSeries";

interface PreviewListProps {
  preview: SeriesPreview;
  choices: readonly DateChoice[];
  onChoose: (choices: DateChoice[]) => void;
  /** The times of a day as they are wanted. */
  slotsOn: (date: string) => readonly Slot[];
  /** Name of what stands in a slot, where those are not all of one client. */
  nameOf?: (slot: string) => string | undefined;
}

type Slot = Pick<SeriesSlot, "id" | "start_time">;

export function PreviewList({ preview, choices, onChoose, slotsOn, nameOf }: PreviewListProps) {
  const { dates, weeks, months, effect, total, in_all } = preview;
  const isTaking = ({ state }: PreviewDate) => state !== "removed";
  return (
    <section aria-label="Preview" className="grid grid-cols-1 gap-4">
      {effect && (
        <p role="status" className="num text-14 text-ink-2">
          {effect}
        </p>
      )}
      {preview.problem && preview.errors.length === 0 && (
        <Banner kind="danger" icon={<TriangleAlert aria-hidden />}>
          {preview.problem}
        </Banner>
      )}
      <TakenDates preview={preview} choices={choices} onChoose={onChoose} slotsOn={slotsOn} nameOf={nameOf} />
      {dates.length > 0 && (
        <ul aria-label="Weeks" className="divide-y divide-line rounded-large border border-line bg-card">
          {weeksOf(dates, weeks).map(({ sum, dates }, place) => (
            <li key={sum.first}>
              <Week sum={sum} dates={dates} isOpen={place === 0} nameOf={nameOf} />
            </li>
          ))}
        </ul>
      )}
      {dates.some(isTaking) && (
        <dl className="num grid gap-1 text-14">
          {months.map((it) => (
            <Sum key={it.first} title={it.title} visits={it.visits} price={it.price} />
          ))}
          {months.length > 1 && !in_all && (
            <div className="flex flex-wrap justify-between gap-x-4 border-t border-line pt-2 font-bold">
              <dt>In all</dt>
              <dd>{formatDollars(total)}</dd>
            </div>
          )}
        </dl>
      )}
      {in_all && dates.length > 0 && <p className="num font-bold">The whole trip: {in_all}</p>}
    </section>
  );
}

function Sum({ title, visits, price }: Pick<PreviewSum, "title" | "visits" | "price">) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-ink-2">{title}</dt>
      <dd>
        {countVisits(visits)}, <span className="font-medium">{formatDollars(price)}</span>
      </dd>
    </div>
  );
}

/** The dates by week, each with its sum. */
function weeksOf(dates: readonly PreviewDate[], sums: readonly PreviewSum[]) {
  const weeks = new Map<string, PreviewDate[]>();
  for (const it of dates) {
    const first = weekStart(it.date);
    weeks.set(first, [...(weeks.get(first) ?? []), it]);
  }
  return sums.map((sum) => ({ sum, dates: weeks.get(sum.first) ?? [] }));
}

const STATE_WORD: Partial<Record<PreviewState, string>> = {
  changed: "Changes",
  keeps_own: "Keeps its own change",
  stays: "Stays as it is",
  removed: "Removed",
  taken: "Taken",
};

interface WeekProps {
  sum: PreviewSum;
  dates: readonly PreviewDate[];
  isOpen: boolean;
  nameOf: PreviewListProps["nameOf"];
}

function Week({ sum, dates, isOpen, nameOf }: WeekProps) {
  // A year of visits has many weeks, of which most stay closed.
  const [open, setOpen] = useState(isOpen);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
      <summary className="num flex min-h-12 cursor-pointer flex-wrap items-center gap-x-3 rounded-large px-4 py-2 -outline-offset-3 hover:bg-sunken">
        <span className="min-w-0 flex-1 basis-28 font-medium">{sum.title}</span>
        <span className="text-14 text-ink-2">
          {sum.visits > 0 ? `${countVisits(sum.visits)}, ${formatDollars(sum.price)}` : "No visits"}
        </span>
        <ChevronDown aria-hidden className="size-5 shrink-0 text-ink-2 transition-transform group-open:rotate-180" />
      </summary>
      {open && (
        <ul className="divide-y divide-line border-t border-line">
          {dates.map((it) => (
            <li key={keyOf(it)} className="num flex flex-wrap justify-between gap-x-3 px-4 py-2 text-14">
              <span className="min-w-0">
                <span className="block">{it.heading}</span>
                <span className="block text-ink-2">{it.time}</span>
                {nameOf && <span className="block font-medium wrap-anywhere">{nameOf(it.slot)}</span>}
              </span>
              <span className="grid content-start justify-items-end gap-1">
                <span>{formatDollars(it.price)}</span>
                {STATE_WORD[it.state] && (
                  <Chip kind={it.state === "taken" ? "danger" : "plain"}>{STATE_WORD[it.state]}</Chip>
                )}
              </span>
              <Remarks date={it} />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

/** Notes on a date that nothing is in the way of. */
function Remarks({ date }: { date: PreviewDate }) {
  const remarks = [
    ...date.warnings.map((it) => `${it.text}, emergencies allowed`),
    ...(date.outside_hours ? ["Outside your hours"] : []),
  ];
  if (remarks.length === 0) return null;
  return <span className="basis-full text-12 text-ink-2 wrap-anywhere">{remarks.join(" · ")}</span>;
}

/** More of them on each of many dates is a wall. */
const MOST_FREE = 2;

/** The free starts of the day that are nearest to the one that is wanted, nearest first. */
function nearestFree(date: PreviewDate, slotsOn: PreviewListProps["slotsOn"]): FreeStart[] {
  const wanted = slotsOn(date.date).find((it) => it.id === date.slot)?.start_time;
  const away = (start: string) => (wanted === undefined ? 0 : Math.abs(minuteOf(start) - minuteOf(wanted)));
  return date.free.toSorted((a, b) => away(a.value) - away(b.value)).slice(0, MOST_FREE);
}

/** Visits that something is in the way of, and those that were decided on. */
function TakenDates({ preview, choices, onChoose, slotsOn, nameOf }: PreviewListProps) {
  const line = useRef<HTMLParagraphElement>(null);
  const taken = preview.dates.filter((it) => it.state === "taken");
  const choose = (...decided: DateChoice[]) => {
    const keys = new Set(decided.map(keyOf));
    onChoose([...choices.filter((it) => !keys.has(keyOf(it))), ...decided]);
    // The button that was pressed goes, with the focus on it.
    line.current?.focus({ preventScroll: true });
  };
  const decideAgain = (choice: DateChoice) => {
    onChoose(choices.filter((it) => keyOf(it) !== keyOf(choice)));
    line.current?.focus({ preventScroll: true });
  };
  const settled = choices.filter((choice) => !taken.some((it) => keyOf(it) === keyOf(choice)));
  if (taken.length === 0 && settled.length === 0) return <div role="status" />;
  const all = (way: "leave_out" | "book" | "move") => {
    const ways = taken.map((it) => choiceOf(it, way, nearestFree(it, slotsOn)[0]?.value));
    choose(...ways.filter((it) => it !== undefined));
  };
  const count = preview.dates.filter(({ state }) => WANTED.includes(state)).length;
  return (
    <section aria-label="Dates that are taken" className="grid grid-cols-1 gap-3">
      {/* A list of visits changes with each choice; its count alone is said. */}
      <p
        ref={line}
        tabIndex={-1}
        role="status"
        className={cx("num font-medium outline-none", taken.length > 0 && "text-danger")}
      >
        {taken.length > 0
          ? `${taken.length} of ${count === 1 ? "1 date" : `${count} dates`} ${taken.length === 1 ? "is" : "are"} taken`
          : "All decided"}
      </p>
      {taken.length > 1 && (
        <fieldset className="flex flex-wrap gap-2">
          <legend className="pb-1 text-14 text-ink-2">For all of them</legend>
          <button type="button" className={SMALL_BUTTON_EDGE} onClick={() => all("leave_out")}>
            Leave out
          </button>
          {taken.some((it) => it.free.length > 0) && (
            <button type="button" className={`${SMALL_BUTTON_EDGE} whitespace-normal!`} onClick={() => all("move")}>
              Nearest free time
            </button>
          )}
          {taken.some(canBook) && (
            <button type="button" className={SMALL_BUTTON_EDGE} onClick={() => all("book")}>
              Book anyway
            </button>
          )}
        </fieldset>
      )}
      <ul className="grid grid-cols-1 gap-2">
        {taken.map((it) => (
          <Taken key={keyOf(it)} date={it} name={nameOf?.(it.slot)} free={nearestFree(it, slotsOn)} onChoose={choose} />
        ))}
        {settled.map((it) => (
          <Settled
            key={keyOf(it)}
            choice={it}
            name={nameOf?.(it.slot)}
            slots={slotsOn(it.date)}
            onChange={() => decideAgain(it)}
          />
        ))}
      </ul>
    </section>
  );
}

/** States of visits that the change books or moves. */
const WANTED: readonly PreviewState[] = ["made", "changed", "taken"];

/** Dates without any room have none beside another visit either. */
const canBook = (date: PreviewDate): boolean => date.problem === null && date.obstacles.length > 0;

function choiceOf(
  { date, slot, ...rest }: PreviewDate,
  way: "leave_out" | "book" | "move",
  start_time: string | undefined,
): DateChoice | undefined {
  if (way === "move") return start_time === undefined ? undefined : { date, slot, way, start_time };
  if (way === "book" && !canBook({ date, slot, ...rest })) return undefined;
  return { date, slot, way };
}

interface TakenProps {
  date: PreviewDate;
  name: string | undefined;
  free: readonly FreeStart[];
  onChoose: (choice: DateChoice) => void;
}

function Taken({ date: it, name, free, onChoose }: TakenProps) {
  const { date, slot } = it;
  const when = [name, it.heading, it.time].filter(Boolean).join(", ");
  return (
    <li className="grid gap-2 rounded-large border border-cancelled p-3">
      <p className="num font-medium wrap-anywhere">{when}</p>
      <ul className="grid gap-1 text-14 text-ink-2">
        {it.problem && <li className="wrap-anywhere">{it.problem}</li>}
        {it.obstacles.map(({ text }) => (
          <li key={text} className="num wrap-anywhere">
            {text}
          </li>
        ))}
      </ul>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">{when}</legend>
        <button type="button" className={SMALL_BUTTON_EDGE} onClick={() => onChoose({ date, slot, way: "leave_out" })}>
          Leave out
        </button>
        {free.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            className={SMALL_BUTTON_EDGE}
            onClick={() => onChoose({ date, slot, way: "move", start_time: value })}
          >
            {label}
          </button>
        ))}
        {canBook(it) && (
          <button type="button" className={SMALL_BUTTON_EDGE} onClick={() => onChoose({ date, slot, way: "book" })}>
            Book anyway
          </button>
        )}
      </fieldset>
    </li>
  );
}

const wordsOf = ({ way, start_time }: DateChoice): string => {
  if (way === "leave_out") return "Left out";
  return way === "move" && start_time ? `At ${formatTime(start_time)}` : "Booked anyway";
};

interface SettledProps {
  choice: DateChoice;
  name: string | undefined;
  /** The times of its day. */
  slots: readonly Slot[];
  onChange: () => void;
}

function Settled({ choice, name, slots, onChange }: SettledProps) {
  const date = formatDateHeading(choice.date);
  const heading = name ? `${name}, ${date}` : date;
  const slot = slots.find((it) => it.id === choice.slot);
  const day = slot && slots.length > 1 ? `${heading}, ${formatTime(slot.start_time)}` : heading;
  return (
    <li className="num flex flex-wrap items-center gap-x-3 rounded-large border border-line py-1 pr-1 pl-3 text-14">
      <span className="min-w-0 flex-1 basis-28">
        {day}: <span className="font-medium">{wordsOf(choice)}</span>
      </span>
      <Button kind="plain" aria-label={`Decide again on ${day}`} onClick={onChange}>
        Change
      </Button>
    </li>
  );
}

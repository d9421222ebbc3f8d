/** Owns what is said of a series, and what may be done with it: on the details of its visits, and by itself. */
import {
  CalendarClock,
  CalendarCog,
  CalendarMinus,
  CalendarRange,
  CirclePause,
  CircleStop,
  Luggage,
  Play,
  Repeat,
} from "lucide-react";
import type { ReactNode } from "react";
import { formatDateHeading, formatTime, type SeriesPause, type SeriesView, type ServiceView } from "../../../core";
import { useToday } from "../../../parts/dates";
import { SeriesStateChip } from "../../../parts/visit/SeriesSigns";
import { Banner, Button, useBusy } from "../../../ui";
import { goOn, leaveOut, resume } from "./seriesActs";

/** Acts on a series that ask for something first. */
export type SeriesStep = "pause" | "end" | "settle" | "trip" | "cancel";

interface SeriesPartProps {
  view: SeriesView;
  /** The visit by its rule and as it is, where it is shown with one that is still to be. */
  visit?: { date: string; slot: string; service: Pick<ServiceView, "date" | "start_time"> } | undefined;
  /** `Visit 3 of 9 of the trip Fri, Dec 4 to Mon, Dec 7`. */
  place?: string | undefined;
  onStep: (step: SeriesStep) => void;
  /** Opens the form; from that day on, or for all that is to come. */
  onChange: (from?: string) => void;
  /** Something was saved: its undo stands below what is open, where no finger reaches it. */
  onDone: () => void;
}

export function SeriesPart({ view, visit, place, onStep, onChange, onDone }: SeriesPartProps) {
  const today = useToday();
  const { series, waiting } = view;
  const { trip } = series;
  const isStay = visit !== undefined && trip?.stay?.id === visit.slot;
  const Icon = trip ? Luggage : Repeat;
  const hasMoreTimes =
    visit !== undefined && !isStay && (series.phases.findLast((it) => it.from <= visit.date)?.slots.length ?? 1) > 1;
  return (
    <section aria-label={trip ? "Trip" : "Series"} className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <p className="num flex min-w-0 flex-1 basis-48 items-start gap-2 font-bold">
          <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
          {view.sentence}
        </p>
        <SeriesStateChip view={view} today={today} />
      </div>
      {place && <p className="num text-14 text-ink-2">{place}</p>}
      {view.in_all && <p className="num text-14 text-ink-2">{view.in_all}</p>}
      {view.later.map((it) => (
        <p key={it} className="num text-14 text-ink-2">
          {it}
        </p>
      ))}
      {!visit && view.next.length > 0 && <p className="num text-14 text-ink-2">Next: {view.next.join(", ")}</p>}
      {waiting > 0 && (
        <Banner
          action={
            <button type="button" onClick={() => onStep("settle")}>
              Decide
            </button>
          }
        >
          {waiting === 1 ? "1 date is taken and waits for you." : `${waiting} dates are taken and wait for you.`}
        </Banner>
      )}
      <Pauses view={view} today={today} onDone={onDone} />
      <ul className="divide-y divide-line overflow-hidden rounded-large border border-line bg-card">
        {visit && (today <= visit.date || (isStay && !view.is_over)) && (
          <>
            <Act
              icon={<CalendarMinus aria-hidden />}
              act={() =>
                leaveOut(view, isStay ? "The stay" : nameOf(visit.service, hasMoreTimes), visit.date, visit.slot)
              }
              onDone={onDone}
            >
              {isStay ? "Leave the stay out" : "Leave this date out"}
            </Act>
            {hasMoreTimes && (
              <Act
                icon={<CalendarMinus aria-hidden />}
                act={() => leaveOut(view, formatDateHeading(visit.date), visit.date, null)}
                onDone={onDone}
              >
                Leave the whole day out
              </Act>
            )}
            {today < visit.date && !view.is_over && !isStay && (
              <Act icon={<CalendarClock aria-hidden />} act={() => onChange(visit.date)}>
                Change this and all that follow
              </Act>
            )}
          </>
        )}
        {trip && (
          <Act icon={<CalendarCog aria-hidden />} act={() => onStep("trip")}>
            Change the trip
          </Act>
        )}
        {trip ? (
          !view.is_over && (
            <>
              <Act icon={<CalendarRange aria-hidden />} act={() => onChange()}>
                Change times, pets or notes
              </Act>
              <Act icon={<CircleStop aria-hidden />} act={() => onStep("cancel")}>
                Cancel the trip
              </Act>
            </>
          )
        ) : view.is_over ? (
          <Act icon={<Play aria-hidden />} act={() => goOn(view)} onDone={onDone}>
            Start again
          </Act>
        ) : (
          <>
            <Act icon={<CalendarRange aria-hidden />} act={() => onChange()}>
              Change all to come
            </Act>
            <Act icon={<CirclePause aria-hidden />} act={() => onStep("pause")}>
              Pause
            </Act>
            <Act icon={<CircleStop aria-hidden />} act={() => onStep("end")}>
              End the series
            </Act>
          </>
        )}
      </ul>
    </section>
  );
}

/** `Friday, November 20, 12:00 PM`; without the time where the day has no other. */
const nameOf = ({ date, start_time }: Pick<ServiceView, "date" | "start_time">, withTime: boolean): string =>
  withTime ? `${formatDateHeading(date)}, ${formatTime(start_time)}` : formatDateHeading(date);

interface PausesProps extends Pick<SeriesPartProps, "view" | "onDone"> {
  today: string;
}

function Pauses({ view, today, onDone }: PausesProps) {
  const open = (view.series.pauses ?? []).filter((it) => today <= it.to);
  if (open.length === 0) return null;
  return (
    <ul aria-label="Pauses" className="grid grid-cols-1 gap-2">
      {open.map((pause, place) => (
        <li
          key={pause.id}
          className="num flex flex-wrap items-center gap-x-3 rounded-large bg-tag-soft py-1 pr-1 pl-3 text-14 text-tag-ink"
        >
          <span className="min-w-0 flex-1 basis-40 wrap-anywhere">
            <span className="font-medium">{view.pauses[place]}</span>
            {pause.reason && <bdi className="block">{pause.reason}</bdi>}
          </span>
          <PauseEnd view={view} pause={pause} today={today} onDone={onDone} />
        </li>
      ))}
    </ul>
  );
}

function PauseEnd({ view, pause, today, onDone }: PausesProps & { pause: SeriesPause }) {
  const { busy, run } = useBusy();
  const press = () =>
    run(async () => {
      if (await resume(view, pause, today)) onDone();
    });
  return (
    <Button kind="plain" className="text-tag-ink!" busy={busy} onClick={() => void press()}>
      {pause.from <= today ? "Start again" : "Remove pause"}
    </Button>
  );
}

interface ActProps {
  icon: ReactNode;
  /** Resolves with true if something was saved. */
  act: () => Promise<boolean> | void;
  onDone?: () => void;
  children: ReactNode;
}

function Act({ icon, act, onDone, children }: ActProps) {
  const { busy, run } = useBusy();
  const press = () =>
    run(async () => {
      if (await act()) onDone?.();
    });
  return (
    <li>
      <button
        type="button"
        disabled={busy}
        onClick={() => void press()}
        className="flex min-h-12 w-full items-center gap-3 px-4 py-2 text-left font-medium -outline-offset-3 hover:bg-sunken disabled:opacity-45 [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:text-ink-2"
      >
        {icon}
        {children}
      </button>
    </li>
  );
}

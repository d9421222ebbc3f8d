/** Owns the sheet under the thumb of who walks: what was noted last, five events to note, pause, end and emergency. */
import { ChevronDown, Moon, Pause, Play, TriangleAlert } from "lucide-react";
import { useRef } from "react";
import { useLocation } from "wouter";
import { type WalkEvent, type WalkEventKind, walkTexts } from "../../core/walk";
import { kindOf } from "../../data/walks/walks";
import { WalkEventIcon } from "../../map";
import { clock, type DogAlong } from "../../parts/walk/walkText";
import { Button, IconButton } from "../../ui";
import { HoldButton } from "../../ui/HoldButton";
import { DogPicker } from "./DogPicker";
import { eventName, eventText } from "./events";
import { LiveRow, useRecipients } from "./LiveRow";
import { removeEvent, tellExactly } from "./live";
import type { TrackedWalk } from "./tracker";
import * as tracker from "./tracker";
import type { EventLog } from "./useEventLog";

/** Longer than rain or a pocket presses by chance, and not so long that it frightens who needs it. */
const EMERGENCY_HOLD_MS = 600;

interface WalkSheetProps {
  tracked: TrackedWalk;
  dogs: readonly DogAlong[];
  events: EventLog;
  /** The event of which it is asked which dogs it is of. */
  askedOf: WalkEvent | undefined;
  onNote: () => void;
  /** Opens the dark screen for the pocket. */
  onPocket: () => void;
}

export function WalkSheet({ tracked, dogs, events, askedOf, onNote, onPocket }: WalkSheetProps) {
  const [, navigate] = useLocation();
  const toSchedule = () => navigate("/scheduling");
  const potty = pottyAsked(tracked, events);
  return (
    <section
      aria-label="Walk"
      data-acts="walk"
      className="absolute inset-x-0 bottom-0 z-1 max-h-[72dvh] overflow-y-auto rounded-t-[26px] border-t border-line bg-card px-4 pt-1 pb-[max(16px,env(safe-area-inset-bottom))] sideways:top-0 sideways:left-1/2 sideways:grid sideways:max-h-none sideways:content-center sideways:rounded-none sideways:border-t-0 sideways:border-l"
    >
      <div className="mx-auto grid w-full max-w-110 grid-cols-[minmax(0,1fr)] gap-3">
        {askedOf && <DogPicker event={askedOf} dogs={dogs} onDone={() => events.setAsked(undefined)} />}
        {potty && <PottyPicker event={potty} />}
        <LastEvent tracked={tracked} dogs={dogs} trouble={events.trouble} onLeave={toSchedule} onPocket={onPocket} />
        <EventButtons kinds={walkTexts().walk_events} events={events} onNote={onNote} />
        <Controls isPaused={tracked.walk.status === "paused"} />
      </div>
    </section>
  );
}

/** The last event, where it is a potty break of a moment ago of which more can be said. */
export const pottyAsked = ({ walk }: TrackedWalk, { asked }: EventLog): WalkEvent | undefined =>
  walk.events.find((it) => it.id === asked && it.type === "potty");

/** Says of a potty break what it was; who says nothing has logged it all the same. */
export function PottyPicker({ event }: { event: WalkEvent }) {
  return (
    <fieldset className="flex min-w-0 animate-rise items-center gap-2">
      <legend className="sr-only">{eventName(event.type)}: what was it?</legend>
      <span aria-hidden className="shrink-0 text-14 text-ink-2">
        What?
      </span>
      {walkTexts().potty_events.map((kind) => (
        <Button key={kind} kind="quiet" onClick={() => void tellExactly(event, kind)}>
          {eventName(kind)}
        </Button>
      ))}
    </fieldset>
  );
}

interface EventButtonsProps {
  kinds: readonly WalkEventKind[];
  events: EventLog;
  onNote: () => void;
}

/** A button for each kind of event, with the camera behind that of photos. */
export function EventButtons({ kinds, events: { takePhoto, log }, onNote }: EventButtonsProps) {
  const camera = useRef<HTMLInputElement>(null);
  const tap = (kind: WalkEventKind) => {
    if (kind === "photo") camera.current?.click();
    else if (kind === "note") onNote();
    else log(kind);
  };
  return (
    <>
      {/* Five in a row, or fewer where the text is large. */}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(3.5rem,28%),1fr))] gap-2">
        {kinds.map((kind) => (
          <EventButton key={kind} kind={kind} name={eventName(kind)} onClick={() => tap(kind)} />
        ))}
      </div>
      <input
        ref={camera}
        type="file"
        accept="image/*,.heic,.heif"
        capture="environment"
        aria-label="Take a photo"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const { files } = event.currentTarget;
          void takePhoto(files?.[0]);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}

interface LastEventProps extends Pick<WalkSheetProps, "tracked" | "dogs"> {
  trouble: string | undefined;
  /** Leaves for the schedule. */
  onLeave: () => void;
  /** Absent where there is no dark screen. */
  onPocket?: () => void;
}

/** Words before the first event. */
function begunText({ row, walk, problem }: TrackedWalk): string {
  if (!walk.takes_positions) return `Checked in at ${clock(row.started_at)}`;
  return walk.here && !problem ? walkTexts().started : "Timer running. Waiting for GPS.";
}

/** Shows the last event, or the state of the walk before that; and the ways to other screens beside it. */
export function LastEvent({ tracked, dogs, trouble, onLeave, onPocket }: LastEventProps) {
  const last = tracked.walk.events.at(-1);
  const recipients = useRecipients(tracked.row, last);
  return (
    <>
      <div className="flex items-center gap-1">
        <IconButton label={`To the schedule; the ${kindOf(tracked.row)} goes on`} onClick={onLeave}>
          <ChevronDown />
        </IconButton>
        <div role="status" className="num min-w-0 flex-1 truncate text-center text-14 text-ink-2">
          {trouble ?? (last ? `${clock(last.timestamp)} ${eventText(last, dogs)}` : begunText(tracked))}
        </div>
        {last && last.type !== "photo" && (
          <Button
            kind="plain"
            className="px-2! text-14! underline underline-offset-2"
            onClick={() => void removeEvent(last.id)}
          >
            Undo
          </Button>
        )}
        {onPocket && (
          <IconButton label="Dark screen for the pocket" onClick={onPocket}>
            <Moon />
          </IconButton>
        )}
      </div>
      {last && recipients.length > 0 && <LiveRow event={last} recipients={recipients} />}
    </>
  );
}

interface EventButtonProps {
  kind: WalkEventKind;
  name: string;
  onClick: () => void;
}

function EventButton({ kind, name, onClick }: EventButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="grid touch-manipulation justify-items-center gap-1.5 text-12 font-medium text-ink-2 active:scale-95"
    >
      <span className="grid h-14 w-full max-w-16 place-items-center rounded-[20px] border border-line bg-paper text-ink [&>svg]:size-[26px]">
        <WalkEventIcon kind={kind} />
      </span>
      {name}
    </button>
  );
}

function Controls({ isPaused }: { isPaused: boolean }) {
  return (
    <div className="sticky bottom-0 flex flex-wrap gap-2 bg-card">
      {isPaused ? (
        <Button className="flex-1" icon={<Play aria-hidden className="size-5" />} onClick={() => void tracker.resume()}>
          Resume
        </Button>
      ) : (
        <Button
          kind="quiet"
          className="flex-1"
          icon={<Pause aria-hidden className="size-5" />}
          onClick={() => void tracker.pause()}
        >
          Pause
        </Button>
      )}
      <HoldButton
        kind={isPaused ? "quiet" : "primary"}
        className="flex-1"
        question="End the walk?"
        onHold={() => void tracker.end()}
      >
        Hold to end
      </HoldButton>
      <HoldButton
        kind="quiet"
        holdMs={EMERGENCY_HOLD_MS}
        className="w-12 shrink-0 px-0 text-danger!"
        question="Start emergency mode?"
        onHold={() => void tracker.emergency()}
      >
        <TriangleAlert aria-hidden className="size-[22px]" />
        <span className="sr-only">Hold for emergency</span>
      </HoldButton>
    </div>
  );
}

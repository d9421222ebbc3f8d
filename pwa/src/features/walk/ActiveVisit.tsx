/**
 * Owns the screen of a visit, or of a day of a stay, that goes on: since when, what was noted, and under the thumb all that
 * can be. It is a walk without positions, which are taken only once somebody asks for them here.
 */
import { KeyRound, MapPin, MapPinOff, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useNow } from "../../browser/clock";
import { deviceText } from "../../browser/device";
import { walkTexts } from "../../core/walk";
import { useReplica } from "../../data";
import { kindOf, servicesOf } from "../../data/walks/walks";
import { TrackMap } from "../../map";
import { RunningLateButton } from "../../parts/visit/RunningLateButton";
import { DoorDialog } from "../../parts/walk/DoorDialog";
import { clientsOf, clock, day } from "../../parts/walk/walkText";
import { Banner, Card, IconButton } from "../../ui";
import { HoldButton } from "../../ui/HoldButton";
import { useClientsAlong, useDogsAlong } from "./along";
import { DogPicker } from "./DogPicker";
import { NoteDialog } from "./NoteDialog";
import type { TrackedWalk } from "./tracker";
import * as tracker from "./tracker";
import { useEventLog } from "./useEventLog";
import { Timeline } from "./WalkFacts";
import { EventButtons, LastEvent, PottyPicker, pottyAsked } from "./WalkSheet";

export function ActiveVisit({ tracked }: { tracked: TrackedWalk }) {
  const { row, walk } = tracked;
  const [, navigate] = useLocation();
  const [above, setAbove] = useState<"note" | "door">();
  const along = useClientsAlong(row);
  const dogs = useDogsAlong(row);
  const events = useEventLog();
  const askedOf = dogs.length > 1 ? walk.events.find((it) => it.id === events.asked) : undefined;
  const potty = pottyAsked(tracked, events);
  const close = () => setAbove(undefined);
  const leave = async () => {
    // A day is long: it keeps nothing open while nobody looks at it.
    if (kindOf(row) === "day") await tracker.park();
    navigate("/scheduling");
  };
  return (
    <div className="fixed inset-0 mx-auto grid max-w-150 grid-rows-[1fr_auto] overflow-y-auto bg-paper select-none">
      <div className="grid grid-cols-1 content-start gap-4 px-4 pt-[max(16px,env(safe-area-inset-top))] pb-4">
        <VisitHead tracked={tracked} onDoor={along.length > 0 ? () => setAbove("door") : undefined} />
        <VisitNotices tracked={tracked} />
        {walk.takes_positions && <Way tracked={tracked} />}
        <Timeline events={walk.events} dogs={dogs} />
      </div>
      <section
        aria-label="Visit"
        data-acts="walk"
        className="rounded-t-[26px] border-t border-line bg-card px-4 pt-1 pb-[max(16px,env(safe-area-inset-bottom))]"
      >
        <div className="mx-auto grid w-full max-w-110 grid-cols-[minmax(0,1fr)] gap-3">
          {askedOf && <DogPicker event={askedOf} dogs={dogs} onDone={() => events.setAsked(undefined)} />}
          {potty && <PottyPicker event={potty} />}
          <LastEvent tracked={tracked} dogs={dogs} trouble={events.trouble} onLeave={() => void leave()} />
          <EventButtons kinds={walkTexts().visit_events} events={events} onNote={() => setAbove("note")} />
          <div className="sticky bottom-0 flex flex-wrap gap-2 bg-card">
            <IconButton
              label={walk.takes_positions ? "Stop recording where you are" : "Record where you are"}
              onClick={() => void tracker.takePositions(!walk.takes_positions)}
            >
              {walk.takes_positions ? <MapPinOff /> : <MapPin />}
            </IconButton>
            <HoldButton className="flex-1" question="Check out?" onHold={() => void tracker.end()}>
              Hold to check out
            </HoldButton>
          </div>
        </div>
      </section>
      {above === "note" && <NoteDialog walkId={row.id} onLogged={events.setAsked} onClose={close} />}
      {above === "door" && <DoorDialog clients={along} services={servicesOf(row)} onClose={close} />}
    </div>
  );
}

interface VisitHeadProps {
  tracked: TrackedWalk;
  /** Opens how to get in; absent where there is no client. */
  onDoor: (() => void) | undefined;
}

function VisitHead({ tracked: { row, recording, walk }, onDoor }: VisitHeadProps) {
  const now = useNow();
  const units = useReplica((phone) => phone.units());
  const clients = clientsOf(row);
  return (
    <Card className="grid grid-cols-1 gap-1">
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0 wrap-anywhere">
          <h1 className="text-20 font-bold">
            <span className="sr-only">{kindOf(row) === "day" ? "Day with " : "Visit with "}</span>
            {row.title}
          </h1>
          {clients && <p className="text-14 text-ink-2">{clients}</p>}
        </div>
        <div className="-my-2 -mr-2 flex shrink-0">
          <RunningLateButton iconOnly />
          {onDoor && (
            <IconButton label="Access and care" onClick={onDoor}>
              <KeyRound />
            </IconButton>
          )}
        </div>
      </div>
      <p className="num text-28 font-bold">{recording.figures(now, units).time}</p>
      <p className="num text-14 text-ink-2">
        since {kindOf(row) === "day" && `${day(walk.started_at)}, `}
        {clock(walk.started_at)}
      </p>
    </Card>
  );
}

function VisitNotices({ tracked: { row, walk, problem, storageTrouble } }: { tracked: TrackedWalk }) {
  return (
    <>
      {tracker.isOfEarlierDay(row) && (
        <Banner role="status">
          This day is over. Check out to finish it as of <span className="num">{clock(walk.last_at)}</span>.
        </Banner>
      )}
      {storageTrouble && (
        <Banner kind="danger" role="alert" icon={<TriangleAlert aria-hidden />}>
          {deviceText("This phone does not store the visit right now. Keep Walkies open; it tries again by itself.")}
        </Banner>
      )}
      {walk.takes_positions && problem && (
        <Banner kind="danger" role="alert" icon={<TriangleAlert aria-hidden />}>
          {problem}
        </Banner>
      )}
    </>
  );
}

/** The map of a visit whose positions are recorded, as long as that is asked for. */
function Way({ tracked: { walk, problem } }: { tracked: TrackedWalk }) {
  const units = useReplica((phone) => phone.units());
  if (!walk.here) return problem ? null : <p className="text-14 text-ink-2">Looking for your position…</p>;
  return (
    <section aria-label="Map" className="grid gap-1">
      <TrackMap
        className="relative h-56 rounded-large border border-line"
        lines={walk.lines}
        gaps={walk.gaps}
        events={walk.events}
        here={walk.here}
        units={units}
        follow
      />
      <p className="text-14 text-ink-2">Where you are is recorded until you stop it or check out.</p>
    </section>
  );
}

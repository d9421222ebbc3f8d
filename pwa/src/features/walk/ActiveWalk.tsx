/**
 * Owns the screen of a walk that goes on (SPEC 4, Active walk): time, distance, pace, the track, five events, pause, end,
 * emergency. Everything that must be hit lies where one thumb is; what must not be hit by rain has to be held.
 */
import { useMemo, useState } from "react";
import { useNow } from "../../browser/clock";
import type { Place, Units } from "../../core";
import { lineOf } from "../../core/walk";
import { useReplica } from "../../data";
import { servicesOf } from "../../data/walks/walks";
import { TrackMap } from "../../map";
import { DoorDialog } from "../../parts/walk/DoorDialog";
import { who } from "../../parts/walk/walkText";
import { useClientsAlong, useDogsAlong } from "./along";
import { coveredBy } from "./covered";
import { EmergencyMode } from "./EmergencyMode";
import { LiveMapLine, useLiveMapOffer } from "./LiveMapLine";
import { useRecipients } from "./LiveRow";
import { NoteDialog } from "./NoteDialog";
import { PocketScreen } from "./PocketScreen";
import type { TrackedWalk } from "./tracker";
import { useEventLog } from "./useEventLog";
import { WalkHead } from "./WalkHead";
import { WalkNotices } from "./WalkNotices";
import { pottyAsked, WalkSheet } from "./WalkSheet";

/** The dialog or screen that lies over the walk. */
type Above = "note" | "door" | "pocket";

export function ActiveWalk({ tracked }: { tracked: TrackedWalk }) {
  const { row, recording, walk, guidance } = tracked;
  const now = useNow();
  const units = useReplica((phone) => phone.units());
  const figures = recording.figures(now, units);
  const [above, setAbove] = useState<Above>();
  // A dialog that is on its way out must not take along what has been opened since.
  const closes = (what: Above) => () => setAbove((it) => (it === what ? undefined : it));
  const geometry = row.plan?.route.geometry;
  const planned = useMemo(() => (geometry ? lineOf(geometry) : undefined), [geometry]);
  const along = useClientsAlong(row);
  const dogs = useDogsAlong(row);
  const events = useEventLog();
  const isLive = useRecipients(row, walk.events.at(-1)).length > 0;
  const onLiveMap = useLiveMapOffer(row);
  const askedOf = dogs.length > 1 ? walk.events.find((it) => it.id === events.asked) : undefined;

  if (walk.status === "emergency") return <EmergencyMode tracked={tracked} />;
  const isPaused = walk.status === "paused";
  return (
    <div className="fixed inset-0 overflow-hidden bg-sunken select-none">
      <Ground
        tracked={tracked}
        planned={planned}
        units={units}
        questions={Number(askedOf !== undefined) + Number(pottyAsked(tracked, events) !== undefined) + Number(isLive)}
      />
      <div className="absolute inset-x-4 top-0 mx-auto grid max-h-[max(28dvh,calc(100dvh-10rem-128px))] max-w-110 grid-cols-1 gap-2 overflow-y-auto pt-[max(16px,env(safe-area-inset-top))] sideways:max-h-dvh sideways:right-[calc(50%+1rem)] sideways:left-[max(1rem,env(safe-area-inset-left))]">
        <WalkHead
          row={row}
          figures={figures}
          isPaused={isPaused}
          onDoor={along.length > 0 ? () => setAbove("door") : undefined}
          onLiveMap={onLiveMap}
        />
        <LiveMapLine row={row} />
        <WalkNotices tracked={tracked} along={along} planned={planned?.[0]} />
      </div>
      <WalkSheet
        tracked={tracked}
        dogs={dogs}
        events={events}
        askedOf={askedOf}
        onNote={() => setAbove("note")}
        onPocket={() => setAbove("pocket")}
      />
      {above === "note" && <NoteDialog walkId={row.id} onLogged={events.setAsked} onClose={closes("note")} />}
      {above === "door" && <DoorDialog clients={along} services={servicesOf(row)} onClose={closes("door")} />}
      {above === "pocket" && (
        <PocketScreen
          name={who(row)}
          figures={figures}
          guidance={guidance}
          paused={isPaused}
          onUnlock={closes("pocket")}
        />
      )}
    </div>
  );
}

interface GroundProps {
  tracked: TrackedWalk;
  planned: readonly Place[] | undefined;
  units: Units;
  /** Number of questions of the sheet, which is higher by them. */
  questions: number;
}

/** The map below all else, or that there is no position yet. */
function Ground({ tracked: { walk, guidance, problem }, planned, units, questions }: GroundProps) {
  return (
    <>
      {(walk.here || planned) && (
        <TrackMap
          className="absolute inset-0 sideways:right-1/2"
          lines={walk.lines}
          gaps={walk.gaps}
          events={walk.events}
          planned={planned}
          here={walk.here ?? undefined}
          heading={walk.heading ?? undefined}
          units={units}
          follow
          covered={coveredBy(guidance ? "route" : "figures", questions)}
        />
      )}
      {!walk.here && !problem && (
        <p className="pointer-events-none absolute inset-x-0 bottom-72 z-1 text-center text-ink-2 sideways:right-1/2 sideways:bottom-8">
          Looking for your position…
        </p>
      )}
    </>
  );
}

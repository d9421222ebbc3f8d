/** Owns what a walker is told below the figures: the way, how to get in at a door, and what is in the way of tracking. */
import { Footprints, Sun, TriangleAlert } from "lucide-react";
import { deviceText } from "../../browser/device";
import type { ClientCard, Place } from "../../core";
import { BlankGround } from "../../parts/walk/BlankGround";
import { clock } from "../../parts/walk/walkText";
import { Banner, confirm } from "../../ui";
import { DoorCard } from "./DoorCard";
import { GuidanceCard } from "./GuidanceCard";
import { confirmGoesOn, endWhereItStopped, type TrackedWalk } from "./tracker";

interface WalkNoticesProps {
  tracked: TrackedWalk;
  /** The clients whose dogs are along. */
  along: readonly ClientCard[];
  /** First place of the planned route. */
  planned: Place | undefined;
}

/** After a kill recording goes on at once; whether the walk did is asked while it does. */
function WentOn({ at }: { at: number }) {
  const stopped = clock(at);
  const end = async () => {
    const yes = await confirm({
      title: `End the walk at ${stopped}?`,
      text: "Anything recorded after that is left out.",
      action: "End it",
    });
    if (yes) await endWhereItStopped();
  };
  return (
    <Banner
      role="status"
      icon={<Footprints aria-hidden />}
      action={
        <>
          <button type="button" onClick={() => void confirmGoesOn()}>
            Still walking
          </button>
          <button type="button" onClick={() => void end()}>
            End at {stopped}
          </button>
        </>
      }
    >
      <span className="num">Walkies was closed at {stopped}. It is recording again, with a gap in between.</span>
    </Banner>
  );
}

export function WalkNotices({ tracked, along, planned }: WalkNoticesProps) {
  const { row, walk, problem, storageTrouble, awake, guidance } = tracked;
  return (
    <>
      {row.went_on && <WentOn at={row.went_on.at} />}
      {guidance && <GuidanceCard tracked={tracked} guidance={guidance} />}
      {along.map(
        (card) =>
          card.access &&
          walk.doors.includes(card.client.id) && (
            <DoorCard key={card.client.id} client={card.client} access={card.access} />
          ),
      )}
      {problem && (
        <Banner kind="danger" role="alert" icon={<TriangleAlert aria-hidden />}>
          {problem}
        </Banner>
      )}
      {storageTrouble && (
        <Banner kind="danger" role="alert" icon={<TriangleAlert aria-hidden />}>
          {deviceText("This phone does not store the walk right now. Keep Walkies open; it tries again by itself.")}
        </Banner>
      )}
      {!problem && !awake && walk.status !== "paused" && (
        <Banner icon={<Sun aria-hidden />}>Keep the screen on. Your location isn't recorded while it's off.</Banner>
      )}
      <BlankGround place={walk.here?.place ?? planned} />
    </>
  );
}

/** Owns what a walker is told below the figures: the way, how to get in at a door, and what is in the way of tracking. */
import { Sun, TriangleAlert } from "lucide-react";
import { deviceText } from "../../browser/device";
import type { ClientCard, Place } from "../../core";
import { Banner } from "../../ui";
import { BlankGround } from "./BlankGround";
import { DoorCard } from "./DoorCard";
import { GuidanceCard } from "./GuidanceCard";
import type { TrackedWalk } from "./tracker";

interface WalkNoticesProps {
  tracked: TrackedWalk;
  /** The clients whose dogs are along. */
  along: readonly ClientCard[];
  /** Where the planned route begins. */
  planned: Place | undefined;
}

export function WalkNotices({ tracked, along, planned }: WalkNoticesProps) {
  const { walk, problem, storageTrouble, awake, guidance } = tracked;
  return (
    <>
      {guidance && <GuidanceCard tracked={tracked} guidance={guidance} />}
      {along.map(
        ({ client }) =>
          client.access_notes && walk.doors.includes(client.id) && <DoorCard key={client.id} client={client} />,
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
        <Banner icon={<Sun aria-hidden />}>Keep the screen on: a dark phone does not say where it is.</Banner>
      )}
      <BlankGround place={walk.here?.place ?? planned} />
    </>
  );
}

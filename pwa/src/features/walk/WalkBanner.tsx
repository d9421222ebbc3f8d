/**
 * Owns the sign on other screens that a walk goes on, or was interrupted and can be gone on with.
 * Only a walk that goes on is asked for figures, and its tracker has loaded the core of walks.
 */
import { DoorOpen, Footprints } from "lucide-react";
import { Link } from "wouter";
import { useNow } from "../../browser/clock";
import type { WalkStatus } from "../../core/walk";
import { useReplica } from "../../data";
import { kindOf, useOpenState, useOpenWalk } from "../../data/walks/walks";
import { clock, who } from "../../parts/walk/walkText";
import { Banner } from "../../ui";
import { type TrackedWalk, useTrackedWalk } from "./tracker";
import { useGoesOnByItself } from "./useGoesOnByItself";

export default function WalkBanner() {
  const tracked = useTrackedWalk();
  const open = useOpenWalk();
  const state = useOpenState();
  useGoesOnByItself();
  if (tracked) return <GoesOn tracked={tracked} />;
  if (!open) return null;
  const kind = kindOf(open);
  const walk = `Your ${kind} of ${clock(open.started_at)}${open.dogs.length > 0 ? ` with ${who(open)}` : ""}`;
  if (state === "running") {
    return (
      <Banner role="status" icon={<Footprints aria-hidden />}>
        {walk} is running in another tab.
      </Banner>
    );
  }
  return (
    <Banner
      role="status"
      icon={<Footprints aria-hidden />}
      action={<Link to="/walk">{state === "ended" ? "Finish it" : "Resume"}</Link>}
    >
      {walk}{" "}
      {state === "ended"
        ? "has ended and is not finished yet."
        : kind === "walk"
          ? "was interrupted. What was recorded is safe."
          : "goes on. What was noted is safe."}
    </Banner>
  );
}

const SAID: Partial<Record<WalkStatus, string>> = { paused: ", paused", emergency: ", emergency", ended: ", ended" };

function wayOf(isOver: boolean, isAsked: boolean): string {
  if (isOver) return "Finish it";
  return isAsked ? "Still walking?" : "Back to the walk";
}

function GoesOn({ tracked: { row, recording, walk } }: { tracked: TrackedWalk }) {
  const now = useNow();
  const units = useReplica((phone) => phone.units());
  const figures = recording.figures(now, units);
  const kind = kindOf(row);
  if (kind !== "walk") {
    return (
      <Banner
        icon={<DoorOpen aria-hidden />}
        action={<Link to="/walk">{walk.status === "ended" ? "Finish it" : "Show walk"}</Link>}
      >
        <span className="num">
          {who(row)}: {kind} since {clock(row.started_at)}
          {walk.status === "ended" && ", ended"}
        </span>
      </Banner>
    );
  }
  return (
    <Banner
      icon={<Footprints aria-hidden />}
      action={<Link to="/walk">{wayOf(walk.status === "ended", row.went_on !== undefined)}</Link>}
    >
      <span className="num">
        {who(row)}: {figures.time}, {figures.distance}
        {SAID[walk.status]}
      </span>
    </Banner>
  );
}

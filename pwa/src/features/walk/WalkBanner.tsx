/**
 * Owns the sign on other screens that a walk goes on, or was interrupted and can be gone on with.
 * Only a walk that goes on is asked for figures, and its tracker has loaded the core of walks.
 */
import { Footprints } from "lucide-react";
import { Link } from "react-router";
import { walkFigures } from "../../core/walk";
import { useReplica } from "../../data";
import { useOpenWalk } from "../../data/walks";
import { Banner } from "../../ui";
import { type TrackedWalk, useTrackedWalk } from "./tracker";
import { useNow } from "./useNow";
import { clock } from "./words";

export default function WalkBanner() {
  const tracked = useTrackedWalk();
  const open = useOpenWalk();
  if (tracked) return <GoesOn tracked={tracked} />;
  if (!open) return null;
  return (
    <Banner role="status" icon={<Footprints aria-hidden />} action={<Link to="/walk">Go on</Link>}>
      Your walk of {clock(open.started_at)}
      {open.dogs.length > 0 && ` with ${open.title}`} was interrupted. What was recorded is safe.
    </Banner>
  );
}

function GoesOn({ tracked: { row, walk } }: { tracked: TrackedWalk }) {
  const now = useNow();
  const units = useReplica((phone) => phone.units());
  const figures = walkFigures(walk, now, units);
  return (
    <Banner icon={<Footprints aria-hidden />} action={<Link to="/walk">Back to it</Link>}>
      <span className="num">
        {row.title}: {figures.time}, {figures.distance}
        {walk.status === "paused" && ", paused"}
      </span>
    </Banner>
  );
}

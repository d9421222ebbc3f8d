/** Owns how far a visit is: what became of it, or while it is under way what the sitter lets clients know. */
import { Footprints, Navigation } from "lucide-react";
import { useMinute } from "../../browser/clock";
import type { ServiceView } from "../../core";
import { useReplica } from "../../data";
import { Chip, StatusChip } from "../../ui";
import { useLiveMapOf } from "./LiveMapCard";

/** A visit's outcome; of an overdue one nobody knows yet whether the sitter was there. */
export function VisitOutcome({ visit: { status, overdue } }: { visit: ServiceView }) {
  return overdue ? <Chip kind="other">Not marked done yet</Chip> : <StatusChip status={status} />;
}

export function VisitStatus({ visit }: { visit: ServiceView }) {
  const { id } = visit;
  const now = useMinute();
  const live = useReplica((phone) => phone.liveStatus(id, now));
  const expected = useReplica((phone) => phone.expectedStart(id, now));
  // The map says that it is under way, which nobody may have told otherwise.
  const isOnMap = useLiveMapOf(visit) !== undefined;
  return (
    <span className="num inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      {/* As it changes, so that who waits at home hears of it. */}
      <span role="status">
        {live ? (
          <Chip kind="tag" icon={live.step === "started" ? <Footprints aria-hidden /> : <Navigation aria-hidden />}>
            {live.text}
          </Chip>
        ) : (
          !expected && !isOnMap && <VisitOutcome visit={visit} />
        )}
        {expected && <Chip kind="tag">{expected}</Chip>}
      </span>
      {/* Changes each minute: nobody wants to hear that. */}
      {live?.elapsed && <span className="text-14 text-ink-2">{live.elapsed} ago</span>}
    </span>
  );
}

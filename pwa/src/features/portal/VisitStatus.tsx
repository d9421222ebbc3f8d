/** Owns how far a visit is: what became of it, or while it is under way what the sitter lets clients know. */
import { Footprints, Navigation } from "lucide-react";
import { useMinute } from "../../browser/clock";
import type { ServiceView } from "../../core";
import { useReplica } from "../../data";
import { Chip, StatusChip } from "../../ui";

export function VisitStatus({ visit: { id, status } }: { visit: ServiceView }) {
  const now = useMinute();
  const live = useReplica((phone) => phone.liveStatus(id, now));
  return (
    // As it changes, so that who waits at home hears of it.
    <span role="status">
      {live ? (
        <Chip kind="tag" icon={live.step === "started" ? <Footprints aria-hidden /> : <Navigation aria-hidden />}>
          {live.text}
        </Chip>
      ) : (
        <StatusChip status={status} />
      )}
    </span>
  );
}

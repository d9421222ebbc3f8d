/** Owns the next visit, or one of today's: when, for whom, and how far it is as the sitter lets clients know. */
import { Footprints, Navigation } from "lucide-react";
import { Link } from "wouter";
import { useMinute } from "../../browser/clock";
import { formatDateHeading, type ServiceView } from "../../core";
import { useReplica } from "../../data";
import { Card, Chip, StatusChip } from "../../ui";
import { PetFaces } from "../scheduling/PetAvatar";
import { useOwnCard } from "./own";

export function NextVisit({ visit }: { visit: ServiceView }) {
  const dogs = useOwnCard()?.dogs ?? [];
  const now = useMinute();
  const today = useReplica((phone) => phone.today(now));
  const live = useReplica((phone) => phone.liveStatus(visit.id, now));
  return (
    <Card next pressable status={visit.status} className="flex flex-wrap items-center gap-3">
      <PetFaces pets={dogs.filter((it) => visit.dog_ids.includes(it.id))} names={visit.dogs} />
      <div className="num min-w-0 flex-1 basis-[9rem] wrap-anywhere">
        <h2 className="text-20 font-bold">
          <Link to={`/client/visits/${visit.id}`} className="stretched outline-none after:absolute after:inset-0">
            {visit.date === today ? "Today" : formatDateHeading(visit.date)}, {visit.formatted_time}
          </Link>
        </h2>
        <p className="text-14 text-ink-2">{visit.summary}</p>
      </div>
      {/* As it changes, so that who waits at home hears of it. */}
      <span role="status">
        {live ? (
          <Chip kind="tag" icon={live.step === "started" ? <Footprints aria-hidden /> : <Navigation aria-hidden />}>
            {live.text}
          </Chip>
        ) : (
          <StatusChip status={visit.status} />
        )}
      </span>
    </Card>
  );
}

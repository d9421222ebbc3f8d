/** Owns today's visit: when, for whom, and how far it is as the sitter lets clients know. */
import { Link } from "wouter";
import type { ServiceView } from "../../core";
import { useReplica } from "../../data";
import { Card, StatusChip } from "../../ui";
import { PetFaces } from "../scheduling/PetAvatar";
import { useOwnCard } from "./own";

export function TodayCard({ visit }: { visit: ServiceView }) {
  const dogs = useOwnCard()?.dogs ?? [];
  const isPending = useReplica((phone) => phone.isPending("service", visit.id));
  return (
    <Card next pressable status={visit.status} className="flex flex-wrap items-center gap-3" aria-busy={isPending}>
      <PetFaces pets={dogs.filter((it) => visit.dog_ids.includes(it.id))} names={visit.dogs} />
      <div className="num min-w-0 flex-1 basis-[9rem] wrap-anywhere">
        <h2 className="text-20 font-bold">
          <Link to={`/client/visits/${visit.id}`} className="stretched outline-none after:absolute after:inset-0">
            Today, {visit.formatted_time}
          </Link>
        </h2>
        <p className="text-14 text-ink-2">{visit.summary}</p>
      </div>
      <StatusChip status={visit.status} />
    </Card>
  );
}

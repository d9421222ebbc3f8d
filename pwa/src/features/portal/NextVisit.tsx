/** Owns the next visit, or one of today's: when, for whom, for how much, and how far it is. */
import { Link } from "wouter";
import { useMinute } from "../../browser/clock";
import { formatDateHeading, formatDollars, type ServiceView } from "../../core";
import { useReplica } from "../../data";
import { PetFaces } from "../../parts/PetAvatar";
import { ButtonLink, Card, cx } from "../../ui";
import { LiveMapCard } from "./LiveMapCard";
import { LastMoments } from "./LiveMoments";
import { useOwnCard } from "./ownClient";
import { anotherTime, useCanAskAgain } from "./sameAgain";
import { VisitStatus } from "./VisitStatus";
import { WhyCancelled } from "./WhyCancelled";

export function NextVisit({ visit }: { visit: ServiceView }) {
  const dogs = useOwnCard()?.dogs ?? [];
  const now = useMinute();
  const today = useReplica((phone) => phone.today(now));
  const isCancelled = visit.status === "cancelled";
  const canAskAgain = useCanAskAgain(visit);
  return (
    <Card next={!isCancelled} pressable status={visit.status} className="flex flex-wrap items-center gap-3">
      <PetFaces pets={dogs.filter((it) => visit.dog_ids.includes(it.id))} names={visit.dogs} />
      <div className="num min-w-0 flex-1 basis-[9rem] wrap-anywhere">
        <h2 className="text-20 font-bold">
          <Link to={`/client/visits/${visit.id}`} className="stretched outline-none after:absolute after:inset-0">
            <span className={cx(isCancelled && "line-through")}>
              {visit.date === today ? "Today" : formatDateHeading(visit.date)},{" "}
              <span className="inline-block">{visit.window || visit.formatted_time}</span>
            </span>
          </Link>
        </h2>
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="text-14 text-ink-2">{visit.summary}</span>
          {!isCancelled && <span className="font-bold">{formatDollars(visit.price)}</span>}
        </p>
      </div>
      <VisitStatus visit={visit} />
      <LiveMapCard visit={visit} className="relative basis-full" />
      <LastMoments visit={visit} />
      <WhyCancelled visit={visit} className="basis-full" />
      {isCancelled && canAskAgain && (
        <ButtonLink kind="quiet" to={anotherTime(visit)} className="relative basis-full">
          Request another time
        </ButtonLink>
      )}
    </Card>
  );
}

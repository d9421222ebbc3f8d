/** Owns today's visits as they can be read while a new phone's first pull is under way: nothing in them can be pressed yet. */
import { type ReactNode, useEffect, useState } from "react";
import type { DayPlan, ServiceView, Visit } from "../../core";
import { useSyncStatus } from "../../data";
import { fetchFirstDay } from "../../data/sync/firstDay";
import { PetFaces } from "../../parts/PetAvatar";
import { dogNames, lateWord, shownStatus } from "../../parts/visit/visitText";
import { Card, Chip, cx, PageBody, StatusChip } from "../../ui";
import { DoorNotes } from "./VisitCard";

/** `children` stand in for the rest, and for the day until it is there. */
export default function FirstDay({ children }: { children: ReactNode }) {
  const { online, trouble } = useSyncStatus();
  const plan = useFirstDay();
  // Once the pull has failed nobody knows how old the day is.
  const isComing = online && trouble === undefined;
  if (!isComing || !plan || plan.visits.length + plan.stays.length === 0) return children;
  return (
    <>
      <PageBody className="grid grid-cols-1 gap-3">
        <p role="status" className="text-14 text-ink-2">
          You can read today’s visits already. The rest is on its way.
        </p>
        <ul aria-label={plan.heading} className="@container grid grid-cols-1 gap-3">
          {plan.stays.map(({ view, place }) => (
            <Row key={view.id} view={view} more={place} />
          ))}
          {plan.visits.map((it) => (
            <Row key={it.view.id} view={it.view} visit={it} isNext={it.view.id === plan.next} />
          ))}
        </ul>
      </PageBody>
      {children}
    </>
  );
}

interface RowProps {
  view: ServiceView;
  /** Absent for a stay. */
  visit?: Visit;
  /** The next visit says how to get in. */
  isNext?: boolean;
  more?: string;
}

function Row({ view, visit, isNext = false, more }: RowProps) {
  const isOpen = view.status === "scheduled";
  return (
    <li>
      <Card status={shownStatus(view)} next={isNext} className="grid grid-cols-1 gap-2">
        <div className="flex flex-wrap items-center gap-3">
          <PetFaces pets={visit?.pets ?? []} names={view.dogs} />
          <div className="min-w-0 flex-1 basis-32">
            <p className={cx("num font-bold wrap-anywhere", view.status === "cancelled" && "line-through")}>
              {dogNames(view)}
            </p>
            {visit && <p className="num text-14">{view.formatted_time}</p>}
            <p className="text-14 text-ink-2 wrap-anywhere">
              <bdi>{view.client_name}</bdi>
              {visit?.client?.address && (
                <>
                  {" · "}
                  <bdi>{visit.client.address}</bdi>
                </>
              )}
              {visit?.continued && <span className="block">Since yesterday</span>}
            </p>
          </div>
          {lateWord(view) && <StatusChip status="overdue">{lateWord(view)}</StatusChip>}
          {isOpen ? (
            <Chip>
              {view.kind}, {more ?? view.length}
            </Chip>
          ) : (
            <StatusChip status={view.status} />
          )}
        </div>
        {visit && isNext && <DoorNotes visit={visit} />}
      </Card>
    </li>
  );
}

/** Today's visits, once they are fetched. */
function useFirstDay(): DayPlan | undefined {
  const [plan, setPlan] = useState<DayPlan>();
  useEffect(() => {
    const stop = new AbortController();
    void fetchFirstDay(stop.signal).then((it) => {
      if (!stop.signal.aborted) setPlan(it);
    });
    return () => stop.abort();
  }, []);
  return plan;
}

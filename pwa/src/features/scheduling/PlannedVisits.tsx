/**
 * Owns visits that series will have on the days in view and that are not made yet, each marked as planned; one that is
 * touched can be made at once.
 */
import { Repeat } from "lucide-react";
import { formatTime, type PlannedVisit, setApart } from "../../core";
import { useRead } from "../../data";
import { Chip, confirm } from "../../ui";
import { makeVisit } from "./series/seriesActs";

interface PlannedVisitsProps {
  /** The days in view, both included. */
  first: string;
  last: string;
  now: number;
}

export default function PlannedVisits({ first, last, now }: PlannedVisitsProps) {
  const planned = useRead((phone) => phone.plannedVisits(first, last, now), first, last, now);
  const weeks = useRead((phone) => phone.seriesWeeksAhead());
  if (planned.length === 0) return null;
  const make = async (visit: PlannedVisit) => {
    const name = `${visit.heading}, ${visit.time}`;
    const sure = await confirm({
      title: "Planned visit",
      text: `${setApart(visit.client_name)}, ${visit.heading}, ${formatTime(visit.start_time)}. Its series would book it ${weeks} weeks ahead. Book it now?`,
      action: "Book now",
    });
    if (sure) await makeVisit(visit, name);
  };
  return (
    <section aria-labelledby="planned-visits" className="grid grid-cols-1 gap-2">
      <h2 id="planned-visits" className="num text-14 font-bold text-ink-2">
        {planned.length === 1 ? "1 planned visit" : `${planned.length} planned visits`}
      </h2>
      <ul className="grid max-h-60 grid-cols-1 gap-2 overflow-y-auto md:grid-cols-2 xl:grid-cols-3">
        {planned.map((it) => (
          <li key={`${it.series_id} ${it.slot} ${it.date}`}>
            <button
              type="button"
              onClick={() => void make(it)}
              className="num flex min-h-14 w-full min-w-0 items-center gap-2 rounded-large border border-dashed border-edge px-3 py-2 text-left text-14 hover:bg-sunken"
            >
              <Repeat aria-hidden className="size-5 shrink-0 text-ink-2" />
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className="block font-bold">{it.dogs || <bdi>{it.client_name}</bdi>}</span>
                <span className="block text-ink-2">
                  {it.heading}, {it.time} · <bdi>{it.client_name}</bdi>
                </span>
              </span>
              <Chip>Planned</Chip>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

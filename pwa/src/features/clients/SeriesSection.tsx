/** Owns the series of a client: how each is said, when it is next, and whether it runs. */
import { Link } from "wouter";
import { useMinute } from "../../browser/clock";
import { useRead } from "../../data";
import { useToday } from "../../parts/dates";
import { datesToDecide, SeriesStateChip } from "../../parts/visit/SeriesSigns";
import { Chip } from "../../ui";
import { DetailSection, type Heading } from "./DetailSection";

export function SeriesSection({ clientId, heading }: { clientId: string; heading: Heading }) {
  const now = useMinute();
  const today = useToday();
  const views = useRead((phone) => phone.seriesList(clientId, now), clientId, now);
  if (views.length === 0) return null;
  return (
    <DetailSection title="Series" heading={heading}>
      <ul className="divide-y divide-line overflow-hidden rounded-large border border-line bg-card">
        {views.map((view) => (
          <li key={view.series.id}>
            <Link
              to={`/scheduling?series=${view.series.id}`}
              // Closing it leads back here.
              state={{ above: true }}
              className="num flex min-h-12 flex-wrap items-start gap-x-3 gap-y-1 px-4 py-2 -outline-offset-3 hover:bg-sunken"
            >
              <span className="min-w-0 flex-1 basis-48">
                <span className="block font-medium">{view.sentence}</span>
                <span className="block text-14 text-ink-2 wrap-anywhere">
                  <bdi>{view.dogs.join(" & ")}</bdi>
                  {view.next[0] && ` · Next: ${view.next[0]}`}
                </span>
                {[...view.later, ...view.pauses].map((it) => (
                  <span key={it} className="block text-14 text-ink-2">
                    {it}
                  </span>
                ))}
              </span>
              {view.waiting > 0 && <Chip kind="tag">{datesToDecide(view.waiting)}</Chip>}
              <SeriesStateChip view={view} today={today} />
            </Link>
          </li>
        ))}
      </ul>
    </DetailSection>
  );
}

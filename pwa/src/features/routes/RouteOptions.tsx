/** Owns the choice between the routes that were found: a picture, a name, and what tells them apart. */
import { Check } from "lucide-react";
import { formatDistance, type GeneratedRoute, type RouteKind, type Units } from "../../core";
import { lineOf } from "../../core/walk";
import { TrackPicture } from "../../map";
import { length } from "../../parts/walk/walkText";
import { Chip, cx } from "../../ui";

/** Words for each kind of route; a loop needs none. */
export const KIND_WORDS: Record<RouteKind, string | undefined> = {
  loop: undefined,
  lollipop: "Partly there and back",
  there_and_back: "There and back",
  one_way: "The way back",
};

/** `1.4 mi, 31 min, 40 ft up`. */
export function factsOf({ distance, duration, elevation_gain }: GeneratedRoute, units: Units): string {
  const parts = [formatDistance(distance, units), length(duration * 1000)];
  if (elevation_gain >= 1) parts.push(`${formatDistance(elevation_gain, units)} up`);
  return parts.join(" · ");
}

/** `Starts 250 ft away, on Oak Street`; nothing where the route begins at the start that was chosen. */
export function approachText({ approach }: GeneratedRoute, units: Units): string | undefined {
  if (!approach) return undefined;
  const away = `Starts ${formatDistance(approach.distance, units)} away`;
  return approach.street ? `${away}, on ${approach.street}` : away;
}

interface RouteOptionsProps {
  routes: readonly GeneratedRoute[];
  chosen: number;
  onChoose: (at: number) => void;
  units: Units;
}

/** So many features stand on a card; all are in the overview. */
const MAX_FEATURES = 3;

export function RouteOptions({ routes, chosen, onChoose, units }: RouteOptionsProps) {
  return (
    <fieldset className="grid grid-cols-1 gap-3">
      <legend className="sr-only">Routes</legend>
      {routes.map((route, at) => {
        const kind = KIND_WORDS[route.kind];
        const away = approachText(route, units);
        return (
          <label
            // Their order is their only name.
            key={at}
            className={cx(
              "relative flex min-w-0 cursor-pointer flex-wrap items-center gap-4 rounded-large border bg-card p-3 transition-colors",
              "has-focus-visible:outline-3 has-focus-visible:outline-scheduled",
              at === chosen ? "border-tag shadow-[0_0_0_1px_var(--color-tag)]" : "border-line hover:border-edge",
            )}
          >
            <input
              type="radio"
              name="route"
              className="sr-only"
              checked={at === chosen}
              onChange={() => onChoose(at)}
            />
            <Picture geometry={route.geometry} />
            <span className="grid min-w-0 flex-1 basis-[min(100%,9.5rem)] gap-1">
              <span className="text-16 font-bold text-balance md:text-20">{route.name}</span>
              <span className="num text-14 text-ink-2">{factsOf(route, units)}</span>
              {route.notice && <span className="text-14 text-pretty">{route.notice}</span>}
              <span className="flex flex-wrap gap-1 pt-1">
                {away && <Chip kind="tag">{away}</Chip>}
                {kind && <Chip kind="tag">{kind}</Chip>}
                {route.features.slice(0, MAX_FEATURES).map((it) => (
                  <Chip key={it}>{it}</Chip>
                ))}
              </span>
            </span>
            <Check aria-hidden className={cx("size-5 shrink-0", at !== chosen && "invisible")} />
          </label>
        );
      })}
    </fieldset>
  );
}

function Picture({ geometry }: { geometry: string }) {
  const line = lineOf(geometry).flatMap((it) => [it.lat_e7, it.lon_e7]);
  return <TrackPicture lines={[line]} className="size-21 shrink-0" />;
}

/** Owns the routes that were saved, to be taken again; those of the chosen client first. */
import { Trash2 } from "lucide-react";
import type { ClientCard, Units } from "../../core";
import { lineOf } from "../../core/walk";
import type { SavedRoute } from "../../data/walks/savedRoutes";
import { TrackPicture } from "../../map";
import { Card, IconButton } from "../../ui";
import { factsOf } from "./RouteOptions";

interface SavedRoutesProps {
  routes: readonly SavedRoute[];
  clients: readonly ClientCard[];
  /** The key of the chosen start. */
  start: string;
  units: Units;
  onTake: (route: SavedRoute) => void;
  onDelete: (route: SavedRoute) => void;
}

export function SavedRoutes({ routes, clients, start, units, onTake, onDelete }: SavedRoutesProps) {
  if (routes.length === 0) return null;
  const own = routes.filter((it) => it.client_id === start);
  const sorted = [...own, ...routes.filter((it) => it.client_id !== start)];
  return (
    <section aria-labelledby="saved-routes" className="grid grid-cols-1 gap-3">
      <h2 id="saved-routes" className="text-20 font-bold">
        Saved routes
      </h2>
      {sorted.map((it) => {
        const client = clients.find((card) => card.client.id === it.client_id)?.client.name;
        const line = lineOf(it.route.geometry).flatMap((place) => [place.lat_e7, place.lon_e7]);
        return (
          <Card key={it.id} pressable className="flex items-center gap-4 p-3!">
            <TrackPicture lines={[line]} className="size-16 shrink-0" />
            <div className="min-w-0 flex-1">
              <button
                type="button"
                className="stretched text-left font-bold outline-none after:absolute after:inset-0"
                onClick={() => onTake(it)}
              >
                {it.name}
              </button>
              <p className="num text-14 text-ink-2">{factsOf(it.route, units)}</p>
              <p className="truncate text-14 text-ink-2">
                <bdi>{client ?? it.from}</bdi>
              </p>
            </div>
            <IconButton label={`Delete ${it.name}`} className="z-1" onClick={() => onDelete(it)}>
              <Trash2 />
            </IconButton>
          </Card>
        );
      })}
    </section>
  );
}

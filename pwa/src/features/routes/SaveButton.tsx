/** Owns keeping a route on this phone, to be taken again. */
import { Bookmark } from "lucide-react";
import { deviceText } from "../../browser/device";
import { type GeneratedRoute, limits, newId } from "../../core";
import { deleteRoute, type SavedRoute, saveRoute } from "../../data/walks/savedRoutes";
import { Button, toast } from "../../ui";
import { HERE } from "./start";
import type { FoundRoutes } from "./useRoutes";

interface SaveButtonProps {
  found: FoundRoutes;
  route: GeneratedRoute;
  start: string;
  saved: readonly SavedRoute[] | undefined;
}

export function SaveButton({ found, route, start, saved }: SaveButtonProps) {
  const isSaved = saved?.some((it) => it.route.geometry === route.geometry);
  const save = async () => {
    const row: SavedRoute = {
      id: newId(),
      name: route.name,
      client_id: start === HERE ? null : start,
      from: found.from,
      route,
      saved_at: Date.now(),
    };
    const most = limits().saved_routes;
    if (most <= (saved?.length ?? 0)) {
      toast.error(`A phone keeps ${most} routes. Delete one to save this one.`);
      return;
    }
    try {
      await saveRoute(row);
      toast.success("Route saved", { label: "Undo", onAction: () => void deleteRoute(row.id) });
    } catch {
      toast.error(deviceText("This phone could not store the route. Please try again."));
    }
  };
  return (
    <Button
      kind="quiet"
      disabled={isSaved}
      icon={<Bookmark aria-hidden className="size-5" />}
      onClick={() => void save()}
    >
      {isSaved ? "Saved" : "Save this route"}
    </Button>
  );
}

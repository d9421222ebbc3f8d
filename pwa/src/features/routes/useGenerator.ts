/** Owns the state of the route generator: the question, the routes that answer it, and which of them is chosen. */
import { useMemo, useState } from "react";
import type { Place, ServiceView } from "../../core";
import { lineOf } from "../../core/walk";
import { useReplica } from "../../data";
import type { SavedRoute } from "../../data/walks/savedRoutes";
import { kindOf, useWalks } from "../../data/walks/walks";
import { toast } from "../../ui";
import { dogsOf, questionFor, timeOf } from "./question";
import type { RouteQuestion } from "./RouteForm";
import { saveRouteSettings } from "./routeSettings";
import { askPosition, cityDoor, type Door, HERE, homeOf, type Start, startsOf } from "./start";
import { shownWith, useRoutes } from "./useRoutes";

export type Generator = ReturnType<typeof useGenerator>;

/** `asked` is the visit that a route is planned for. */
export function useGenerator(asked: ServiceView | undefined) {
  const walks = useWalks()?.filter((it) => kindOf(it) === "walk");
  const known = useKnown(asked);
  const { starts, home } = known;
  const { question, change } = useQuestion(known);
  const routes = useRoutes();
  const [chosen, setChosen] = useState(0);

  const generate = async (asked: RouteQuestion, seed = 0) => {
    const start = starts.find((it) => it.key === asked.start) ?? starts[0];
    const shown = seed > 0 && routes.found ? shownWith(routes.found) : [];
    const ask = async () => {
      const door = await doorOf(start, home);
      if (typeof door === "string") return door;
      return { question: asked, start: door.place, from: door.label, seed, via: [], shown };
    };
    if (await routes.ask(ask, walks ?? [])) setChosen(0);
  };
  const bend = async (via: readonly Place[]) => {
    const before = routes.found;
    if (!before) return;
    const isThere = await routes.ask(() => Promise.resolve({ ...before, via, shown: [] }), walks ?? []);
    if (!isThere) return;
    setChosen(0);
    toast.info(via.length > before.via.length ? "The route passes there now" : "Route changed", {
      label: "Undo",
      onAction: () => {
        routes.show(before);
        setChosen(chosen);
      },
    });
  };
  const take = (route: SavedRoute) => {
    const line = lineOf(route.route.geometry);
    if (!line[0]) return;
    setChosen(0);
    // The form says what is shown, for whom and how long.
    const owner = starts.find((it) => it.key === route.client_id);
    const asked = change({ ...timeOf(Math.round(route.route.duration / 60)), ...(owner && { start: owner.key }) });
    routes.show({
      question: asked,
      start: line[0],
      from: route.from,
      routes: [route.route],
      seed: 0,
      via: [],
      shown: [],
    });
  };

  const { found, progress } = routes;
  return {
    ...known,
    ...routes,
    question,
    change,
    generate,
    bend,
    take,
    chosen,
    setChosen,
    isBusy: progress !== undefined,
    route: found?.routes[chosen] ?? found?.routes[0],
    /** Center of the map at first; none where no start has a place that is known. */
    start: found?.start ?? starts.find((it) => it.key === question.start)?.place ?? home?.place,
  };
}

/** Reads from the replica where walks begin and which is next. */
function useKnown(asked: ServiceView | undefined) {
  const clients = useReplica((phone) => phone.clients(""));
  const active = useReplica((phone) => phone.clientList("", false));
  const sitter = useReplica((phone) => phone.sitter());
  const units = useReplica((phone) => phone.units());
  const next = useReplica((phone) => phone.nextWalk(Date.now()));
  const starts = useMemo(() => startsOf(active), [active]);
  /** The walk that the form was opened for, or the one that comes next. */
  const service = asked ?? next;
  return { clients, units, starts, home: homeOf(sitter, starts), service };
}

function useQuestion({ service, starts, clients }: ReturnType<typeof useKnown>) {
  const [question, setQuestion] = useState(() => questionFor(service, starts, clients));
  const change = (part: Partial<RouteQuestion>) => {
    const next = { ...question, ...part };
    if (part.start !== undefined && part.start !== HERE) {
      const dogs = clients.find((it) => it.client.id === part.start)?.dogs.map((it) => it.name) ?? [];
      if (dogs.length > 0) Object.assign(next, dogsOf(part.start, dogs, clients));
    }
    setQuestion(next);
    saveRouteSettings(next);
    return next;
  };
  return { question, change };
}

/**
 * Resolves the chosen start to a place. A phone that does not know its own place says so, and the business's is taken.
 */
async function doorOf(
  start: Start | undefined,
  home: Door | undefined,
): Promise<Pick<Door, "place" | "label"> | string> {
  const { place, label = "" } = start ?? {};
  if (place) return { place, label };
  const position = await askPosition();
  if (position.ok) return { place: position.place, label };
  // SPEC 5: a known location is needed; SPEC 8: where none could be had, a default city is taken.
  const near = home ?? (position.isAllowed ? await cityDoor() : undefined);
  if (!near) return position.text;
  toast.error(position.text);
  return near;
}

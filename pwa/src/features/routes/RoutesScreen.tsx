/** Owns the route generator (SPEC 2): the question, the routes that answer it on a map, and the start of the walk. */
import { ArrowLeft, Bookmark, CircleCheck, X } from "lucide-react";
import { use, useEffect, useMemo, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { type GeneratedRoute, newId, type Place, type ServiceView } from "../../core";
import { lineOf, loadWalkCore, routeTexts } from "../../core/walk";
import { useReplica } from "../../data";
import { deleteRoute, type SavedRoute, saveRoute, useSavedRoutes } from "../../data/routes";
import { useWalks } from "../../data/walks";
import { Banner, Button, IconButton, PageBody, PageHeader, Spinner, toast, useBusy } from "../../ui";
import { preloadMap, RouteMap } from "../../ui/map";
import { planRoute, startWalk, useTrackedWalk } from "../walk/tracker";
import { length, names } from "../walk/words";
import { RouteDetail } from "./RouteDetail";
import { Durations, firstQuestion, minutesOf, OTHER, type Question, RouteForm, TypedMinutes } from "./RouteForm";
import { RouteOptions } from "./RouteOptions";
import { SavedRoutes } from "./SavedRoutes";
import { askPosition, HERE, homeOf, nextWalk, type Start, sizesOf, startsOf } from "./start";
import { type Found, requestOf, useRoutes } from "./useRoutes";
import { rememberedWishes, rememberWishes } from "./wishes";

const COUNTS = ["No walk", "One walk", "Two walks", "Three walks"];

export default function RoutesScreen() {
  use(loadWalkCore());
  useEffect(preloadMap, []);
  useEffect(fetchMapOnce, []);
  const [search] = useSearchParams();
  const serviceId = search.get("service");
  const clients = useReplica((phone) => phone.clients(""));
  const sitter = useReplica((phone) => phone.sitter());
  const units = useReplica((phone) => phone.units());
  const today = useReplica((phone) => phone.today(Date.now()));
  const services = useReplica((phone) => phone.servicesBetween(today, today));
  const linked = useReplica((phone) => (serviceId ? phone.service(serviceId) : undefined));
  const walks = useWalks();
  const saved = useSavedRoutes();
  const starts = useMemo(() => startsOf(clients), [clients]);
  const home = homeOf(sitter, starts);
  const routes = useRoutes();
  const [chosen, setChosen] = useState(0);

  // The form begins with the walk that it was opened for, or with the one that comes next.
  const service = linked ?? nextWalk(services, starts);
  const [question, setQuestion] = useState(() => questionFor(service, starts, clients));
  const change = (part: Partial<Question>) => {
    const next = { ...question, ...part };
    if (part.start !== undefined && part.start !== HERE) {
      const dogs = clients.find((it) => it.client.id === part.start)?.dogs.map((it) => it.name) ?? [];
      if (dogs.length > 0) Object.assign(next, dogsOf(part.start, dogs, clients));
    }
    setQuestion(next);
    rememberWishes(next);
    return next;
  };

  const generate = async (asked: Question, seed = 0) => {
    const start = starts.find((it) => it.key === asked.start) ?? starts[0];
    const place = await placeOf(start, home);
    if (!place || !start) return;
    const isThere = await routes.ask({ question: asked, start: place, from: start.label, seed, via: [] }, walks ?? []);
    if (isThere) setChosen(0);
  };
  const bend = async (via: readonly Place[]) => {
    const before = routes.found;
    if (!before) return;
    const isThere = await routes.ask({ ...before, via }, walks ?? []);
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
    routes.show({ question, start: line[0], from: route.from, routes: [route.route], seed: 0, via: [] });
  };

  const { found, progress, problem } = routes;
  const isBusy = progress !== undefined;
  const start = found?.start ?? starts.find((it) => it.key === question.start)?.place ?? home;
  const lines = useMemo(() => found?.routes.map((it) => lineOf(it.geometry)) ?? [], [found]);
  const route = found?.routes[chosen] ?? found?.routes[0];

  const working = isBusy && (
    <div role="status" className="flex items-center gap-3 text-ink-2">
      <Spinner className="[&_svg]:size-5" label="Working" />
      <span className="flex-1">{progress}</span>
      <Button kind="plain" icon={<X aria-hidden className="size-5" />} onClick={routes.cancel}>
        Cancel
      </Button>
    </div>
  );
  const trouble = problem && (
    <Banner kind="danger" role="alert">
      {problem}
    </Banner>
  );
  const map = start && (
    <RouteMap
      className={found ? "max-lg:h-[42dvh] max-lg:rounded-large lg:h-full" : "max-lg:hidden lg:h-full"}
      start={start}
      lines={lines}
      chosen={Math.min(chosen, Math.max(lines.length - 1, 0))}
      onChoose={setChosen}
      via={found?.via ?? []}
      onVia={found && !isBusy ? (via) => void bend(via) : undefined}
      stops={[...(route?.waterStops ?? []), ...(route?.restPoints ?? [])]}
      warnings={route?.warnings ?? []}
      units={units}
    />
  );

  return (
    <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
      <div className="flex min-w-0 flex-col lg:w-112 lg:shrink-0 lg:overflow-y-auto lg:border-r lg:border-line">
        {found && route ? (
          <>
            <PageHeader
              title={COUNTS[found.routes.length] ?? `${found.routes.length} walks`}
              sub={`${length(minutesOf(found.question) * 60_000)} · ${found.from}`}
              actions={
                <IconButton label="Back" className="order-first -ml-3" onClick={() => routes.show(undefined)}>
                  <ArrowLeft />
                </IconButton>
              }
            />
            <PageBody className="grid grid-cols-1 gap-5">
              <div className="lg:hidden">{map}</div>
              <Durations
                question={question}
                onChange={(part) => {
                  const next = change(part);
                  if (next.minutes !== OTHER) void generate(next);
                }}
              />
              {question.minutes === OTHER && <TypedMinutes question={question} onChange={change} />}
              {working}
              {trouble}
              {!working && !trouble && (
                <p role="status" className="flex items-center gap-2 text-14 text-ink-2">
                  <CircleCheck aria-hidden className="size-5 shrink-0 text-completed" />
                  {routeTexts().generated}
                </p>
              )}
              <RouteOptions routes={found.routes} chosen={chosen} onChoose={setChosen} units={units} />
              <SaveButton found={found} route={route} start={question.start} saved={saved} />
              <RouteDetail route={route} units={units} />
            </PageBody>
            <Acts
              isBusy={isBusy}
              onOthers={() => void generate(question, found.seed + 1)}
              found={found}
              route={route}
              service={service?.client_id === question.start ? service : undefined}
              start={starts.find((it) => it.key === question.start)}
              question={question}
              clients={clients}
            />
          </>
        ) : (
          <>
            <PageHeader title="Routes" />
            <PageBody className="grid grid-cols-1 gap-5">
              <RouteForm question={question} onChange={change} starts={starts} />
              {working}
              {trouble}
              <SavedRoutes
                routes={saved ?? []}
                clients={clients}
                start={question.start}
                units={units}
                onTake={take}
                onDelete={(it) => void remove(it)}
              />
            </PageBody>
            <Bar>
              <Button wide busy={isBusy} onClick={() => void generate(question)}>
                Generate Route
              </Button>
            </Bar>
          </>
        )}
      </div>
      <div className="min-w-0 flex-1 max-lg:hidden">{map}</div>
    </div>
  );
}

const FETCHED_KEY = "walkies-map-fetched";

/** The map of where the sitter works, for the day without a network: once by itself, later from the profile. */
function fetchMapOnce(): void {
  if (localStorage.getItem(FETCHED_KEY) || !navigator.onLine) return;
  const fetching = import("../../data/map").then(async ({ downloadMap }) => {
    await downloadMap();
    localStorage.setItem(FETCHED_KEY, "yes");
  });
  // The next visit tries again; a route fetches what it needs in any case.
  fetching.catch(() => undefined);
}

type Clients = Parameters<typeof startsOf>[0];

const dogsOf = (client: string, dogs: readonly string[], clients: Clients): Pick<Question, "dogs" | "sizes"> => {
  const card = clients.find((it) => it.client.id === client);
  return { dogs: Math.max(dogs.length, 1), sizes: [...new Set(sizesOf(card, dogs))] };
};

function questionFor(service: ServiceView | undefined, starts: readonly Start[], clients: Clients): Question {
  const isKnown = service && starts.some((it) => it.key === service.client_id);
  const question = firstQuestion(rememberedWishes(), isKnown ? service.client_id : HERE);
  if (!service || !isKnown) return question;
  const minutes = service.duration_minutes;
  return {
    ...question,
    ...dogsOf(service.client_id, service.dogs, clients),
    ...([15, 30, 45, 60].includes(minutes) ? { minutes } : { minutes: OTHER, typed: minutes }),
  };
}

/** Where the chosen start is; a phone that does not know its own place says so, and the business's is taken. */
async function placeOf(start: Start | undefined, home: Place | undefined): Promise<Place | undefined> {
  if (start?.place) return start.place;
  const position = await askPosition();
  if (position.ok) return position.place;
  toast.error(position.text);
  return home;
}

async function remove(route: SavedRoute): Promise<void> {
  await deleteRoute(route.id);
  toast.info(`${route.name} deleted`, { label: "Undo", onAction: () => void saveRoute(route) });
}

/** What the screen is for, where the thumb is. */
function Bar({ children }: { children: React.ReactNode }) {
  return (
    <div data-acts className="sticky bottom-0 z-1 mt-auto border-t border-line bg-card px-5 py-3 md:px-8">
      <div className="flex gap-3">{children}</div>
    </div>
  );
}

interface SaveButtonProps {
  found: Found;
  route: GeneratedRoute;
  start: string;
  saved: readonly SavedRoute[] | undefined;
}

function SaveButton({ found, route, start, saved }: SaveButtonProps) {
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
    try {
      await saveRoute(row);
      toast.success("Route saved", { label: "Undo", onAction: () => void deleteRoute(row.id) });
    } catch {
      toast.error("This phone could not store the route. Please try again.");
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

interface ActsProps {
  isBusy: boolean;
  onOthers: () => void;
  found: Found;
  route: GeneratedRoute;
  service: ServiceView | undefined;
  start: Start | undefined;
  question: Question;
  clients: Clients;
}

function Acts({ isBusy, onOthers, found, route, service, start, question, clients }: ActsProps) {
  const navigate = useNavigate();
  const tracked = useTrackedWalk();
  const { busy, run } = useBusy();
  const begin = () =>
    run(async () => {
      try {
        const plan = { route, request: requestOf(found, []) };
        if (tracked) await planRoute(plan);
        else await startWalk({ ...walkOf(service, start, question, clients), plan });
        await navigate("/walk");
      } catch {
        toast.error("This phone could not store the walk. Please try again.");
      }
    });
  return (
    <Bar>
      <Button kind="quiet" className="flex-1" busy={isBusy} onClick={onOthers}>
        Other walks
      </Button>
      <Button className="flex-1" disabled={isBusy} busy={busy} onClick={() => void begin()}>
        {tracked ? "Use on this walk" : "Start Walk"}
      </Button>
    </Bar>
  );
}

/** With whom: the service's dogs, else the client's. */
function walkOf(
  service: ServiceView | undefined,
  start: Start | undefined,
  question: Question,
  clients: Clients,
): Parameters<typeof startWalk>[0] {
  if (service) {
    return {
      title: names(service.dogs),
      service_id: service.id,
      client_name: service.client_name,
      dogs: service.dogs,
      planned_minutes: service.duration_minutes,
    };
  }
  const card = clients.find((it) => it.client.id === start?.key);
  const dogs = card?.dogs.map((it) => it.name) ?? [];
  return {
    title: names(dogs) || "Walk",
    client_name: card?.client.name,
    dogs,
    planned_minutes: minutesOf(question),
  };
}

/** Owns the route generator (SPEC 2): the question, the routes that answer it on a map, and the start of the walk. */
import { ArrowLeft, Bookmark, CircleCheck, MapPin, X } from "lucide-react";
import { use, useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { deviceText } from "../../browser/device";
import { type GeneratedRoute, limits, newId, type Place, type ServiceView } from "../../core";
import { lineOf, loadWalkCore, routeNumbers, routeTexts } from "../../core/walk";
import { useReplica } from "../../data";
import { deleteRoute, type SavedRoute, saveRoute, useSavedRoutes } from "../../data/walks/savedRoutes";
import { useWalks } from "../../data/walks/walks";
import { preloadMap, RouteMap } from "../../map";
import {
  Banner,
  Button,
  ButtonLink,
  cx,
  EmptyState,
  IconButton,
  PageBody,
  PageHeader,
  Spinner,
  toast,
  useBusy,
} from "../../ui";
import { ofService } from "../walk/StartWalk";
import { planRoute, startWalk, useTrackedWalk } from "../walk/tracker";
import { length, names } from "../walk/words";
import { RouteDetail } from "./RouteDetail";
import { Durations, firstQuestion, minutesOf, OTHER, type Question, RouteForm, TypedMinutes } from "./RouteForm";
import { RouteOptions } from "./RouteOptions";
import { SavedRoutes } from "./SavedRoutes";
import { askPosition, type Door, HERE, homeOf, nextWalk, type Start, sizesOf, startsOf } from "./start";
import { type Found, requestOf, useRoutes } from "./useRoutes";
import { rememberedWishes, rememberWishes } from "./wishes";

const COUNTS = ["No walk", "One walk", "Two walks", "Three walks"];

export default function RoutesScreen() {
  use(loadWalkCore());
  useEffect(preloadMap, []);
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
    const ask = async () => {
      const door = await doorOf(start, home);
      return typeof door === "string" ? door : { question: asked, start: door.place, from: door.label, seed, via: [] };
    };
    if (await routes.ask(ask, walks ?? [])) setChosen(0);
  };
  const bend = async (via: readonly Place[]) => {
    const before = routes.found;
    if (!before) return;
    const isThere = await routes.ask(() => Promise.resolve({ ...before, via }), walks ?? []);
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
    routes.show({ question: asked, start: line[0], from: route.from, routes: [route.route], seed: 0, via: [] });
  };

  const { found, progress, problem } = routes;
  const isBusy = progress !== undefined;
  const start = found?.start ?? starts.find((it) => it.key === question.start)?.place ?? home?.place;
  const lines = useMemo(() => found?.routes.map((it) => lineOf(it.geometry)) ?? [], [found]);
  const route = found?.routes[chosen] ?? found?.routes[0];
  const column = useFromTheTop(found !== undefined);

  const news = (isBusy || problem) && (
    <>
      {isBusy && (
        <div role="status" className="flex items-center gap-3 text-ink-2">
          <Spinner className="[&_svg]:size-5" label="Working" />
          <span className="flex-1">{progress}</span>
          <Button kind="plain" icon={<X aria-hidden className="size-5" />} onClick={routes.cancel}>
            Cancel
          </Button>
        </div>
      )}
      {problem && (
        <Banner kind="danger" role="alert">
          {problem}
        </Banner>
      )}
    </>
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
      <div
        ref={column}
        tabIndex={-1}
        // What is hidden for eyes is placed in here, or it would scroll the page around it.
        className="relative flex min-w-0 flex-col outline-none max-lg:flex-1 lg:w-112 lg:shrink-0 lg:overflow-y-auto lg:border-r lg:border-line"
      >
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
              <p
                role="status"
                // Its place is kept, so that nothing below moves.
                className={cx("flex items-center gap-2 text-14 text-ink-2", news && "invisible")}
              >
                <CircleCheck aria-hidden className="size-5 shrink-0 text-completed" />
                {routeTexts().generated}
              </p>
              <RouteOptions routes={found.routes} chosen={chosen} onChoose={setChosen} units={units} />
              <SaveButton found={found} route={route} start={question.start} saved={saved} />
              <RouteDetail route={route} units={units} />
            </PageBody>
            <Acts
              news={news}
              isBusy={isBusy}
              onAsk={(seed) => void generate(question, seed)}
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
              <SavedRoutes
                routes={saved ?? []}
                clients={clients}
                start={question.start}
                units={units}
                onTake={take}
                onDelete={(it) => void remove(it)}
              />
            </PageBody>
            <Bar news={news}>
              <Button wide busy={isBusy} onClick={() => void generate(question)}>
                Generate Route
              </Button>
            </Bar>
          </>
        )}
      </div>
      <div className="grid min-w-0 flex-1 max-lg:hidden">
        {map ?? (
          <EmptyState
            className="content-center"
            icon={<MapPin aria-hidden />}
            title="The map begins where you work"
            action={
              <ButtonLink kind="quiet" to="/profile">
                Set your service area
              </ButtonLink>
            }
          >
            Or at a client's door, once it is set on the map. A walk from where you are needs neither.
          </EmptyState>
        )}
      </div>
    </div>
  );
}

/** A column that is shown from its top, with the focus in it, whenever what it shows has given way to something else. */
function useFromTheTop(shown: boolean): React.RefObject<HTMLDivElement | null> {
  const column = useRef<HTMLDivElement>(null);
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    column.current?.scrollTo(0, 0);
    column.current?.scrollIntoView();
    column.current?.focus({ preventScroll: true });
  }, [shown]);
  return column;
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
    ...timeOf(minutes),
  };
}

/** So many minutes, as the form holds them. */
const timeOf = (minutes: number): Pick<Question, "minutes"> & Partial<Question> =>
  routeNumbers().durations.includes(minutes) ? { minutes } : { minutes: OTHER, typed: minutes };

/** Where the chosen start is; a phone that does not know its own place says so, and the business's is taken. */
async function doorOf(
  start: Start | undefined,
  home: Door | undefined,
): Promise<Pick<Door, "place" | "label"> | string> {
  const { place, label = "" } = start ?? {};
  if (place) return { place, label };
  const position = await askPosition();
  if (position.ok) return { place: position.place, label };
  if (!home) return position.text;
  toast.error(position.text);
  return home;
}

async function remove(route: SavedRoute): Promise<void> {
  await deleteRoute(route.id);
  toast.info(`${route.name} deleted`, { label: "Undo", onAction: () => void saveRoute(route) });
}

/** What the screen is for, where the thumb is; above it what came of the last press, wherever the page has been moved. */
function Bar({ news, children }: { news: React.ReactNode; children: React.ReactNode }) {
  return (
    <div
      data-acts
      className="sticky bottom-0 z-1 mt-auto grid grid-cols-1 gap-3 border-t border-line bg-card px-5 py-3 md:px-8"
    >
      {news}
      <div className="flex flex-wrap gap-3">{children}</div>
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

interface ActsProps {
  news: React.ReactNode;
  isBusy: boolean;
  onAsk: (seed: number) => void;
  found: Found;
  route: GeneratedRoute;
  service: ServiceView | undefined;
  start: Start | undefined;
  question: Question;
  clients: Clients;
}

function Acts({ news, isBusy, onAsk, found, route, service, start, question, clients }: ActsProps) {
  const [, navigate] = useLocation();
  const tracked = useTrackedWalk();
  const { busy, run } = useBusy();
  // Minutes that are typed ask nothing by themselves.
  const isAnother = minutesOf(question) !== minutesOf(found.question);
  const begin = () =>
    run(async () => {
      try {
        const plan = { route, request: requestOf(found, []) };
        if (tracked) await planRoute(plan);
        else await startWalk({ ...walkOf(service, start, found.question, clients), plan });
        // Where another walk is open, its screen asks what becomes of it.
        navigate("/walk");
      } catch {
        toast.error(deviceText("This phone could not store the walk. Please try again."));
      }
    });
  return (
    <Bar news={news}>
      <Button kind="quiet" className="flex-1" busy={isBusy} onClick={() => onAsk(isAnother ? 0 : found.seed + 1)}>
        {isAnother ? "Generate Route" : "Other walks"}
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
  if (service) return ofService(service);
  const card = clients.find((it) => it.client.id === start?.key);
  const dogs = card?.dogs.map((it) => it.name) ?? [];
  return {
    title: names(dogs) || "Walk",
    client_names: card && [card.client.name],
    dogs,
    dog_ids: card?.dogs.map((it) => it.id),
    planned_minutes: minutesOf(question),
  };
}

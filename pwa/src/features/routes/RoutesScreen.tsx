/** Owns the route generator (SPEC 2): the question, the routes that answer it on a map, and the start of the walk. */
import { ArrowLeft, CircleCheck, MapPin, Route, X } from "lucide-react";
import { type ReactNode, use, useEffect, useMemo } from "react";
import { useSearchParams } from "wouter";
import { addressId, type GeneratedRoute, type Place, type ServiceView } from "../../core";
import { lineOf, loadWalkCore, routeTexts } from "../../core/walk";
import { useHasPulledSince, useReplica } from "../../data";
import { deleteRoute, type SavedRoute, saveRoute, useSavedRoutes } from "../../data/walks/savedRoutes";
import { preloadMap, RouteMap } from "../../map";
import { NotHere } from "../../parts/NotHere";
import { length } from "../../parts/walk/walkText";
import { Banner, Button, ButtonLink, cx, EmptyState, IconButton, PageBody, PageHeader, Spinner, toast } from "../../ui";
import { useFromTheTop } from "../../ui/useFromTheTop";
import { ActionBar } from "./ActionBar";
import { RouteActions } from "./RouteActions";
import { RouteDetail } from "./RouteDetail";
import { Durations, minutesOf, OTHER, RouteForm, TypedMinutes } from "./RouteForm";
import { RouteOptions } from "./RouteOptions";
import { SaveButton } from "./SaveButton";
import { SavedRoutes } from "./SavedRoutes";
import { type Generator, useGenerator } from "./useGenerator";
import type { FoundRoutes } from "./useRoutes";

const MINUTE_MS = 60_000;
const COUNTS = ["No walk", "One walk", "Two walks", "Three walks"];

export default function RoutesScreen() {
  use(loadWalkCore());
  useEffect(preloadMap, []);
  const serviceId = addressId(useSearchParams()[0].get("service"));
  const service = useReplica((phone) => (serviceId ? phone.service(serviceId) : undefined));
  if (serviceId && !service) return <NoVisit id={serviceId} />;
  return <Routes key={serviceId} service={service} />;
}

function NoVisit({ id }: { id: string }) {
  const isGone = useHasPulledSince(id);
  return (
    <>
      <PageHeader title="Routes" />
      <PageBody>
        <NotHere
          what="visit"
          isGone={isGone}
          icon={<Route aria-hidden />}
          action={<ButtonLink to="/routes">Plan any route</ButtonLink>}
        />
      </PageBody>
    </>
  );
}

/** `service` is the visit that a route is planned for; otherwise the next walk. */
function Routes({ service }: { service: ServiceView | undefined }) {
  const generator = useGenerator(service);
  const saved = useSavedRoutes();
  const { found, route, start, isBusy, progress, problem, lacksMap, cancel } = generator;
  const column = useFromTheTop(found !== undefined);
  const map = start && <FoundMap generator={generator} start={start} />;
  const news = (isBusy || problem) && (
    <News progress={progress} problem={problem} lacksMap={lacksMap} onCancel={cancel} />
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
          <Answer generator={generator} found={found} route={route} saved={saved} news={news} map={map} />
        ) : (
          <Asking generator={generator} saved={saved} news={news} />
        )}
      </div>
      <div className="grid min-w-0 flex-1 max-lg:hidden">{map ?? <NoStart />}</div>
    </div>
  );
}

interface NewsProps {
  /** The stage of the search; absent where none runs. */
  progress: string | undefined;
  problem: string | undefined;
  lacksMap: boolean;
  onCancel: () => void;
}

/** Shows the result of the last press: the search that goes on, or why there is no route. */
function News({ progress, problem, lacksMap, onCancel }: NewsProps) {
  return (
    <>
      {progress !== undefined && (
        <div role="status" className="flex items-center gap-3 text-ink-2">
          <Spinner className="[&_svg]:size-5" label="Working" />
          <span className="flex-1">{progress}</span>
          <Button kind="plain" icon={<X aria-hidden className="size-5" />} onClick={onCancel}>
            Cancel
          </Button>
        </div>
      )}
      {problem && (
        <Banner kind={lacksMap ? "plain" : "danger"} role="alert">
          {problem}
        </Banner>
      )}
    </>
  );
}

/** The map with what was found, or with where the walk would begin. */
function FoundMap({ generator, start }: { generator: Generator; start: Place }) {
  const { found, route, chosen, setChosen, bend, isBusy, units } = generator;
  const lines = useMemo(() => found?.routes.map((it) => lineOf(it.geometry)) ?? [], [found]);
  return (
    <RouteMap
      className={found ? "max-lg:h-[42dvh] max-lg:rounded-large lg:h-full" : "max-lg:hidden lg:h-full"}
      start={start}
      lines={lines}
      chosen={Math.min(chosen, Math.max(lines.length - 1, 0))}
      startsAway={route?.approach !== undefined}
      onChoose={setChosen}
      via={found?.via ?? []}
      onVia={found && !isBusy ? (via) => void bend(via) : undefined}
      stops={[...(route?.waterStops ?? []), ...(route?.restPoints ?? [])]}
      warnings={route?.warnings ?? []}
      units={units}
    />
  );
}

function NoStart() {
  return (
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
  );
}

interface AskingProps {
  generator: Generator;
  saved: readonly SavedRoute[] | undefined;
  news: ReactNode;
}

/** Before there are routes: the question, and those that were kept. */
function Asking({ generator, saved, news }: AskingProps) {
  const { question, change, starts, clients, units, take, generate, isBusy } = generator;
  return (
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
      <ActionBar news={news}>
        <Button wide busy={isBusy} onClick={() => void generate(question)}>
          Generate Route
        </Button>
      </ActionBar>
    </>
  );
}

interface AnswerProps extends AskingProps {
  found: FoundRoutes;
  route: GeneratedRoute;
  map: ReactNode;
}

/** The routes that were found, and the chosen one in full. */
function Answer({ generator, found, route, saved, news, map }: AnswerProps) {
  const { question, change, generate, show, chosen, setChosen, units, isBusy, service, starts, clients } = generator;
  return (
    <>
      <PageHeader
        title={COUNTS[found.routes.length] ?? `${found.routes.length} walks`}
        sub={`${length(minutesOf(found.question) * MINUTE_MS)} · ${found.from}`}
        actions={
          <IconButton label="Back" className="order-first -ml-3" onClick={() => show(undefined)}>
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
        <Generated isHidden={Boolean(news)} />
        <RouteOptions routes={found.routes} chosen={chosen} onChoose={setChosen} units={units} />
        <SaveButton found={found} route={route} start={question.start} saved={saved} />
        <RouteDetail route={route} units={units} />
      </PageBody>
      <RouteActions
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
  );
}

/** Says that routes have come. Its place is kept where it is hidden, so that nothing below moves. */
function Generated({ isHidden }: { isHidden: boolean }) {
  return (
    <p role="status" className={cx("flex items-center gap-2 text-14 text-ink-2", isHidden && "invisible")}>
      <CircleCheck aria-hidden className="size-5 shrink-0 text-completed" />
      {routeTexts().generated}
    </p>
  );
}

async function remove(route: SavedRoute): Promise<void> {
  await deleteRoute(route.id);
  toast.info(`${route.name} deleted`, { label: "Undo", onAction: () => void saveRoute(route) });
}

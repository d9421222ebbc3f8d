/** Owns what can be done with the routes that are shown: walk the chosen one, or ask for others. */
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { deviceText } from "../../browser/device";
import type { ClientCard, GeneratedRoute, ServiceView } from "../../core";
import { names } from "../../parts/walk/walkText";
import { Button, toast, useBusy } from "../../ui";
import { ofService, planRoute, startWalk, useTrackedWalk } from "../walk";
import { ActionBar } from "./ActionBar";
import { minutesOf, type RouteQuestion } from "./RouteForm";
import type { Start } from "./start";
import { type FoundRoutes, requestOf } from "./useRoutes";

interface RouteActionsProps {
  news: ReactNode;
  isBusy: boolean;
  onAsk: (seed: number) => void;
  found: FoundRoutes;
  route: GeneratedRoute;
  service: ServiceView | undefined;
  start: Start | undefined;
  question: RouteQuestion;
  clients: readonly ClientCard[];
}

export function RouteActions({
  news,
  isBusy,
  onAsk,
  found,
  route,
  service,
  start,
  question,
  clients,
}: RouteActionsProps) {
  const [, navigate] = useLocation();
  const tracked = useTrackedWalk();
  const { busy, run } = useBusy();
  // Minutes that are typed ask nothing by themselves.
  const isAnother = minutesOf(question) !== minutesOf(found.question);
  const begin = () =>
    run(async () => {
      try {
        const plan = { route, request: requestOf({ ...found, shown: [] }, []) };
        if (tracked) await planRoute(plan);
        else await startWalk({ ...walkOf(service, start, found.question, clients), plan });
        // Where another walk is open, its screen asks what becomes of it.
        navigate("/walk");
      } catch {
        toast.error(deviceText("This phone could not store the walk. Please try again."));
      }
    });
  return (
    <ActionBar news={news}>
      <Button kind="quiet" className="flex-1" busy={isBusy} onClick={() => onAsk(isAnother ? 0 : found.seed + 1)}>
        {isAnother ? "Generate Route" : "Other walks"}
      </Button>
      <Button className="flex-1" disabled={isBusy} busy={busy} onClick={() => void begin()}>
        {tracked ? "Use on this walk" : "Start Walk"}
      </Button>
    </ActionBar>
  );
}

/** With whom: the service's dogs, else the client's. */
function walkOf(
  service: ServiceView | undefined,
  start: Start | undefined,
  question: RouteQuestion,
  clients: readonly ClientCard[],
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

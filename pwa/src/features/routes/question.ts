/** Owns the question that the route generator begins with, and what follows from a start or a length. */
import type { ClientCard, ServiceView } from "../../core";
import { routeNumbers } from "../../core/walk";
import { firstQuestion, OTHER, type RouteQuestion } from "./RouteForm";
import { loadRouteSettings } from "./routeSettings";
import { HERE, type Start, sizesOf } from "./start";

/** For a walk that is on the schedule as far as its client's door is known, else for one from where the phone is. */
export function questionFor(
  service: ServiceView | undefined,
  starts: readonly Start[],
  clients: readonly ClientCard[],
): RouteQuestion {
  const isKnown = service && starts.some((it) => it.key === service.client_id);
  const question = firstQuestion(loadRouteSettings(), isKnown ? service.client_id : HERE);
  if (!service || !isKnown) return question;
  return {
    ...question,
    ...dogsOf(service.client_id, service.dogs, clients),
    ...timeOf(service.duration_minutes),
  };
}

/** How many these dogs of a client are, and how large. */
export function dogsOf(
  client: string,
  dogs: readonly string[],
  clients: readonly ClientCard[],
): Pick<RouteQuestion, "dogs" | "sizes"> {
  const card = clients.find((it) => it.client.id === client);
  return { dogs: Math.max(dogs.length, 1), sizes: [...new Set(sizesOf(card, dogs))] };
}

/** So many minutes, as the form holds them. */
export const timeOf = (minutes: number): Pick<RouteQuestion, "minutes"> & Partial<RouteQuestion> =>
  routeNumbers().durations.includes(minutes) ? { minutes } : { minutes: OTHER, typed: minutes };

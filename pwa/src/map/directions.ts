/**
 * Owns finding walks where there is no map of ours, by the directions service of others that the server asks. Which places
 * are asked for and what the answer means is the core's.
 */
import type { GeneratedRoute, RouteRequest } from "../core/map";
import { directionsPlaces, directionsRoute, loadWalkCore, routeTexts } from "../core/walk";
import { call } from "../data/server/api";
import { sessionToken } from "../data/session/session";
import type { RoutesAnswer } from "./calls";

/** So many ways around are asked for. */
const OPTIONS = 3;

/** Routes from the service. */
export async function askDirections(request: RouteRequest, signal: AbortSignal | undefined): Promise<RoutesAnswer> {
  await loadWalkCore();
  const options = Array.from({ length: OPTIONS }, (_, option) => option);
  const answers = await Promise.all(options.map((option) => ask(request, option, signal)));
  signal?.throwIfAborted();
  const routes = answers.flatMap((it) => (typeof it === "string" ? [] : [it]));
  if (routes.length > 0) return { status: "ok", value: routes };
  const [text] = answers.filter((it) => typeof it === "string");
  return { status: "rejected", error: { kind: "failed", text: text ?? routeTexts().service_failed } };
}

/** One route, or why there is none. */
async function ask(
  request: RouteRequest,
  option: number,
  signal: AbortSignal | undefined,
): Promise<GeneratedRoute | string> {
  const places = encodeURIComponent(directionsPlaces(request, option));
  const options = { token: sessionToken(), ...(signal && { signal }) };
  const found = await call<object>(`/map/directions/route?places=${places}`, options);
  if (!found.ok) return found.error.kind === "offline" ? routeTexts().service_failed : found.error.text;
  const answer = directionsRoute(JSON.stringify(found.value), request);
  if (answer.status === "rejected") return answer.error.text;
  if (answer.value.is_mismatch)
    // SPEC 9: logged, and nothing more.
    // oxlint-disable-next-line no-console
    console.warn(`The route is ${Math.round(answer.value.route.distance)} m long, which is not what was asked for.`);
  return answer.value.route;
}

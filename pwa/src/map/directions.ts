/**
 * Owns asking a walking directions service where there is no map of ours, as the specification wants it: from the browser.
 * What is asked and what the answer means is the core's.
 */
import type { GeneratedRoute, RouteRequest } from "../core/map";
import { directionsQuery, directionsRoute, loadWalkCore, routeTexts } from "../core/walk";
import type { RoutesAnswer } from "./calls";

/** So many ways around are asked for. */
const OPTIONS = 3;

/** Routes from the service at `address`, in which `{route}` stands for what is asked. */
export async function askDirections(
  address: string,
  request: RouteRequest,
  signal: AbortSignal | undefined,
): Promise<RoutesAnswer> {
  await loadWalkCore();
  const options = Array.from({ length: OPTIONS }, (_, option) => option);
  const answers = await Promise.all(options.map((option) => ask(address, request, option, signal)));
  signal?.throwIfAborted();
  const routes = answers.flatMap((it) => (typeof it === "string" ? [] : [it]));
  if (routes.length > 0) return { status: "ok", value: routes };
  const [text] = answers.filter((it) => typeof it === "string");
  return { status: "rejected", error: { kind: "failed", text: text ?? routeTexts().service_failed } };
}

/** One route, or why there is none. */
async function ask(
  address: string,
  request: RouteRequest,
  option: number,
  signal: AbortSignal | undefined,
): Promise<GeneratedRoute | string> {
  try {
    const url = address.replace("{route}", directionsQuery(request, option));
    const response = await fetch(url, { signal: signal ?? null, credentials: "omit", referrerPolicy: "origin" });
    const answer = directionsRoute(await response.text(), request);
    if (answer.status === "rejected") return answer.error.text;
    if (answer.value.is_mismatch)
      // SPEC 9: logged, and nothing more.
      // oxlint-disable-next-line no-console
      console.warn(`The route is ${Math.round(answer.value.route.distance)} m long, which is not what was asked for.`);
    return answer.value.route;
  } catch {
    return routeTexts().service_failed;
  }
}

/**
 * Owns the calls by which a walk under way is shown to clients on a map. An update that does not get through is dropped: the
 * next one has all of it. An end waits on the disk, and is tried until the server has it, or shows nothing by itself.
 */
import { useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";
import type { LiveMapTaken } from "../../core";
import type { LiveMapUpdate } from "../../core/walk";
import { type OpenBusiness, openBusiness } from "../business/openBusiness";
import { type Answer, call } from "../server/api";
import { currentSession, sessionToken } from "../session/session";
import { whenBack } from "../sync/sync";
import type { LiveMapEnd } from "./liveMapEnd";
import { dropLiveMapEnds } from "./walkLog";

const TRY_AGAIN_MS = 20_000;

const pathOf = (serviceId: string) => `/scheduled-services/${serviceId}/live-map`;

/** Sends what the client of a service is to see now. */
export const sendLiveMap = (serviceId: string, body: LiveMapUpdate): Promise<Answer<LiveMapTaken>> =>
  call(pathOf(serviceId), { method: "PUT", token: sessionToken("sitter"), body, timeoutMs: TRY_AGAIN_MS / 2 });

/** An end that the server has not confirmed yet, of a walk of this business. */
interface Waiting extends LiveMapEnd {
  of: OpenBusiness;
}

const keyOf = ({ map_id, service_id }: LiveMapEnd): string => `${map_id} ${service_id}`;

const ends = new Map<string, Waiting>();
/** Keys of those that are over. */
const done = new Set<string>();
const changes = new Listeners();
let waits = false;
let sending: Promise<void> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let leaveSync: (() => void) | undefined;

/** Sends these ends of live maps; resolves when that was tried once. */
export function endLiveMap(some: readonly LiveMapEnd[]): Promise<void> {
  const of = openBusiness();
  if (!of) return Promise.resolve();
  for (const end of some) if (!done.has(keyOf(end))) ends.set(keyOf(end), { ...end, of });
  leaveSync ??= whenBack(() => void sendEnds());
  return sendEnds();
}

/** Sends the ends that wait on the disk, as after a reload. */
export async function endStoredLiveMaps(stored: readonly LiveMapEnd[]): Promise<void> {
  if (stored.length === 0) return;
  await endLiveMap(stored.filter((it) => Date.now() < it.until && !ends.has(keyOf(it))));
  await forget();
}

/** Takes off the disk what is over. A disk that refuses has it sent again, which changes nothing. */
async function forget(): Promise<void> {
  if (openBusiness())
    await dropLiveMapEnds((it) => it.until <= Date.now() || done.has(keyOf(it))).catch(() => undefined);
}

function sendEnds(): Promise<void> {
  clearTimeout(timer);
  sending ??= sendDue().finally(() => {
    sending = undefined;
    waits = ends.size > 0;
    if (waits) timer = setTimeout(() => void sendEnds(), TRY_AGAIN_MS);
    changes.notify();
  });
  return sending;
}

async function sendDue(): Promise<void> {
  let hasEnded = false;
  for (const [key, { map_id, service_id, until, of }] of ends) {
    // Somebody else may not end it, and the disk has it. The person may be shown as a pet parent by now.
    if (openBusiness() !== of && currentSession().user?.id !== of.store.userId) {
      ends.delete(key);
      continue;
    }
    const options = { method: "DELETE", token: sessionToken("sitter") } as const;
    const answer = await call(`${pathOf(service_id)}?map_id=${map_id}`, options);
    // A service that is gone shows nothing either.
    const isOver = answer.ok || answer.error.kind === "rejected" || until <= Date.now();
    if (!isOver) continue;
    ends.delete(key);
    done.add(key);
    hasEnded = true;
  }
  if (hasEnded) await forget();
}

/** True while the end of a live map could not be sent. */
export const useLiveMapEndWaits = (): boolean => useSyncExternalStore(changes.subscribe, () => waits);

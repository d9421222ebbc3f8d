/**
 * Owns the calls by which a walk under way is shown to clients on a map. An update that does not get through is dropped: the
 * next one has all of it. An end is tried until the server has it, or shows nothing by itself.
 */
import { useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";
import { type LiveMapTaken, limits } from "../../core";
import type { LiveMapUpdate } from "../../core/walk";
import { type Answer, call } from "../server/api";
import { sessionToken } from "../session/session";
import { whenBack } from "../sync/sync";

const TRY_AGAIN_MS = 20_000;
const MINUTE_MS = 60_000;

const pathOf = (serviceId: string) => `/scheduled-services/${serviceId}/live-map`;

/** Sends what the client of a service is to see now. */
export const sendLiveMap = (serviceId: string, body: LiveMapUpdate): Promise<Answer<LiveMapTaken>> =>
  call(pathOf(serviceId), { method: "PUT", token: sessionToken("sitter"), body, timeoutMs: TRY_AGAIN_MS / 2 });

/** A live map whose end the server has not confirmed yet. */
interface End {
  mapId: string;
  serviceId: string;
  /** When the server shows nothing of it by itself. */
  until: number;
}

const ends = new Set<End>();
const changes = new Listeners();
let waits = false;
let sending: Promise<void> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let leaveSync: (() => void) | undefined;

/** Ends a live map for the clients of these services; resolves when that was tried once. */
export function endLiveMap(mapId: string, serviceIds: readonly string[]): Promise<void> {
  const until = Date.now() + limits().live_map_minutes * MINUTE_MS;
  for (const serviceId of serviceIds) ends.add({ mapId, serviceId, until });
  leaveSync ??= whenBack(() => void sendEnds());
  return sendEnds();
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
  for (const end of ends) {
    // Also where the tab has switched to the pet parent's side since.
    const options = { method: "DELETE", token: sessionToken("sitter") } as const;
    const answer = await call(`${pathOf(end.serviceId)}?map_id=${end.mapId}`, options);
    // A service that is gone shows nothing either.
    const isOver = answer.ok || answer.error.kind === "rejected" || end.until <= Date.now();
    if (isOver) ends.delete(end);
  }
}

/** True while the end of a live map could not be sent. */
export const useLiveMapEndWaits = (): boolean => useSyncExternalStore(changes.subscribe, () => waits);

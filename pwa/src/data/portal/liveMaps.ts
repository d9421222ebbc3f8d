/**
 * Owns the walks that the sitter shows a pet parent at this moment: asked of the server while a screen that shows them is
 * seen, and never stored.
 */
import { useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";
import { type LiveMap, limits } from "../../core";
import { openBusiness } from "../business/openBusiness";
import { call, pathIn } from "../server/api";
import { sessionToken } from "../session/session";
import { whenBack } from "../sync/sync";

const WHILE_ON_MS = 20_000;
const OTHERWISE_MS = 60_000;
const MINUTE_MS = 60_000;

/** A walk under way as it was seen last. */
export interface SeenLiveMap extends LiveMap {
  /** When its newest position was recorded, by this device's clock. */
  at: number;
}

let maps: readonly SeenLiveMap[] = [];
let heardAt = 0;
let asking: AbortController | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let leaves: (() => void)[] = [];
const changes = new Listeners();

function show(next: readonly SeenLiveMap[]): void {
  maps = next;
  changes.notify();
}

async function ask(): Promise<void> {
  clearTimeout(timer);
  asking?.abort();
  const of = openBusiness();
  if (document.visibilityState !== "visible" || !of) return;
  const stop = new AbortController();
  asking = stop;
  const options = { token: sessionToken("client"), signal: stop.signal };
  const answer = await call<LiveMap[]>(pathIn("/client/live-maps", of.store.place), options);
  if (stop.signal.aborted) return;
  const now = Date.now();
  if (answer.ok) {
    heardAt = now;
    show(answer.value.map((it) => ({ ...it, at: now - it.age_seconds * 1000 })));
  } else if (answer.error.kind === "rejected" || now - heardAt > limits().live_map_minutes * MINUTE_MS) {
    // Without an answer it stays in sight with its age, for as long as the server would show it.
    show([]);
  }
  timer = setTimeout(() => void ask(), maps.length > 0 ? WHILE_ON_MS : OTHERWISE_MS);
}

function subscribe(listener: () => void): () => void {
  const leave = changes.subscribe(listener);
  if (changes.size === 1) {
    const again = () => void ask();
    document.addEventListener("visibilitychange", again);
    leaves = [whenBack(again), () => document.removeEventListener("visibilitychange", again)];
    again();
  }
  return () => {
    leave();
    if (changes.size > 0) return;
    for (const it of leaves) it();
    clearTimeout(timer);
    asking?.abort();
    maps = [];
  };
}

const never = () => () => undefined;

/** The walk of a service while its sitter shows it; absent otherwise. Asks only where it `mayBeShown`. */
export const useLiveMap = (serviceId: string, mayBeShown: boolean): SeenLiveMap | undefined =>
  useSyncExternalStore(mayBeShown ? subscribe : never, () =>
    mayBeShown ? maps.find((it) => it.service_id === serviceId) : undefined,
  );

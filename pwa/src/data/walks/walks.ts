/** Owns which walks are on this phone, and how it is with the one that is open. Nothing here sends any of it. */

import { useEffect, useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";
import { type GeneratedRoute, limits, type ReportKind, type RouteRequest, type WalkSummary } from "../../core";
import { type OpenBusiness, openBusiness } from "../business/openBusiness";
import { userOnThisPhone } from "../session/sessionDb";
import type { LiveMapEnd } from "./liveMapEnd";

/** The sitter's choices for a shared report, kept so that they can be changed. Stored on phones, as `WalkRow`. */
export interface ReportChoice {
  dog_ids: string[];
  /** As the rule says where nobody has said otherwise. */
  show_map: boolean | null;
  /** The map also shows the surroundings of homes; absent where nobody has said so. */
  show_homes?: boolean;
  /** The words for each client, by its id. */
  notes: Record<string, string>;
  /** The ids of the clients that see an event, by its id. */
  events: Record<string, string[]>;
  taken_back?: boolean;
}

/** A walk, or a visit or a day of a stay, which is the same without positions. Stored on phones. Only add optional fields; never rename. */
export interface WalkRow {
  id: string;
  /** Absent for a walk. */
  kind?: ReportKind;
  /** Put aside while it goes on: no tab has it open, and it keeps nothing else from starting. Never set for a walk. */
  parked?: boolean;
  /** The person's name for it. */
  title: string;
  /** The service it was started from. */
  service_id: string | null;
  /** All services that it is of; absent where that is the only one. */
  service_ids?: string[];
  client_name: string | null;
  /** The names of all clients; absent where that is the only one. */
  client_names?: string[];
  dogs: string[];
  /** The same as rows; absent in walks of earlier versions. */
  dog_ids?: string[];
  /** How long the service should take. */
  planned_minutes: number | null;
  started_at: number;
  /** When it was ended; absent while it goes on. */
  ended_at?: number;
  /** Absent while the walk goes on, and after a kill. */
  summary: WalkSummary | null;
  imported: boolean;
  /** Recording went on by itself after the app was closed, and nobody has said yet whether the walk did. */
  went_on?: {
    /** When it had stopped. */
    at: number;
    /** The first chunk of the log since. */
    chunk: number;
  };
  /** Absent for what was never shared. */
  report?: ReportChoice;
  /** Absent while nobody is shown where the walk is. */
  live_map?: WalkLiveMap;
  /** Absent where the server knows all of them. */
  live_map_ends?: readonly LiveMapEnd[];
  /** The route that is walked. */
  plan?: WalkPlan & {
    /** From when on; the track before it is not of it. */
    since: number;
  };
}

/** The live map of a walk, as it was switched on. Stored on phones, as `WalkRow`. */
export interface WalkLiveMap {
  /** Made anew each time that it is switched on. */
  id: string;
  /** From when on; what was walked before is not sent. */
  since: number;
  /** Clients who were named then, by the service at which they see it. */
  viewers: readonly { service_id: string; client_id: string; name: string }[];
}

const MINUTE_MS = 60_000;

/** Ends of a live map that is switched off now. */
export function endsOf({ id, viewers }: WalkLiveMap): LiveMapEnd[] {
  const until = Date.now() + limits().live_map_minutes * MINUTE_MS;
  return viewers.map(({ service_id }) => ({ map_id: id, service_id, until }));
}

/** The walk with its live map switched off, so that the ends wait on the disk until the server knows them. */
export function withoutLiveMap({ live_map, ...row }: WalkRow): WalkRow {
  if (!live_map) return row;
  const before = (row.live_map_ends ?? []).filter((it) => Date.now() < it.until);
  return { ...row, live_map_ends: [...before, ...endsOf(live_map)] };
}

/** The ends that the server may not know of the live maps of a walk, whatever becomes of it. */
export const unsentEndsOf = (row: WalkRow): LiveMapEnd[] =>
  (withoutLiveMap(row).live_map_ends ?? []).filter((it) => Date.now() < it.until);

/** A route to walk, and what was asked for: a way back is to be like it. */
export interface WalkPlan {
  route: GeneratedRoute;
  request?: RouteRequest | undefined;
}

/** All services that a walk is of. */
export const servicesOf = (row: WalkRow): readonly string[] =>
  row.service_ids ?? (row.service_id ? [row.service_id] : []);

/** The names of all clients whose dogs are along. */
export const clientNamesOf = (row: WalkRow): readonly string[] =>
  row.client_names ?? (row.client_name ? [row.client_name] : []);

/** A tab that tracks a walk holds the lock of this name as long as it lives. */
export const walkLock = (id: string): string => `walkies-walk-${id}`;

export const kindOf = (row: WalkRow): ReportKind => row.kind ?? "walk";

/** True if a walk was begun and not kept, and is not put aside. */
export const isOpen = (row: WalkRow): boolean => !row.summary && !row.parked;

/** True if it can be put aside: it goes on without this phone. */
export const canPark = (row: WalkRow): boolean => kindOf(row) !== "walk" && row.ended_at === undefined;

/** How it is with a walk that is not kept yet. `interrupted`: no tab tracks it, as after a kill. */
export type OpenState = "running" | "interrupted" | "ended";

let walks: readonly WalkRow[] | undefined;
let liveMapEnds: readonly LiveMapEnd[] = [];
let openState: OpenState = "interrupted";
let readFrom: OpenBusiness | undefined;
const changes = new Listeners();
// A walk that was started, ended or renamed in another tab.
const tabs = new BroadcastChannel("walkies-walks");
tabs.onmessage = () => void read();
// A tab that is killed tells nobody.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && walks?.some(isOpen)) void read();
});

async function read(): Promise<void> {
  const from = openBusiness();
  if (!from) return;
  const rows = (await from.store.run((db) => db.getAll("walks"))) as unknown as WalkRow[];
  const { live_map_ends: ofDeleted = [] } = (await userOnThisPhone(from.store.userId).catch(() => undefined)) ?? {};
  const open = rows.find(isOpen);
  const state = open ? await stateOf(open) : "interrupted";
  readFrom = from;
  openState = state;
  walks = rows.toSorted((a, b) => b.started_at - a.started_at);
  liveMapEnds = [...rows.flatMap((it) => it.live_map_ends ?? []), ...ofDeleted];
  changes.notify();
}

async function stateOf(open: WalkRow): Promise<OpenState> {
  if (open.ended_at !== undefined) return "ended";
  const { held } = await navigator.locks.query();
  return held?.some((it) => it.name === walkLock(open.id)) ? "running" : "interrupted";
}

/** Tells every tab that walks have changed, or who tracks one. */
export async function refresh(): Promise<void> {
  await read();
  tabs.postMessage("changed");
}

/** All walks on this phone, the newest first; `undefined` until the disk was asked. */
export function useWalks(): readonly WalkRow[] | undefined {
  const from = openBusiness();
  useEffect(() => {
    if (from && readFrom !== from) void read();
  }, [from]);
  const known = useSyncExternalStore(changes.subscribe, () => walks);
  return readFrom === from ? known : undefined;
}

/** The walk that was begun and not kept, if there is one. */
export const useOpenWalk = (): WalkRow | undefined => useWalks()?.find(isOpen);

/** The ends of live maps on this phone that the server may not know; also of walks that were deleted. */
export const useStoredLiveMapEnds = (): readonly LiveMapEnd[] | undefined => useWalks() && liveMapEnds;

/** True while there is such an end, or one that is over by itself and has to leave the disk. */
export const useHasLiveMapEnds = (): boolean => (useStoredLiveMapEnds() ?? []).length > 0;

/** The newest walk of a service that was kept. */
export const useKeptWalkOf = (serviceId: string): WalkRow | undefined =>
  useWalks()?.find((it) => it.summary && servicesOf(it).includes(serviceId));

/** The walk of a service that was begun and not kept, put aside or not. */
export const useBegunWalkOf = (serviceId: string): WalkRow | undefined =>
  useWalks()?.find((it) => !it.summary && servicesOf(it).includes(serviceId));

/** The services of all walks and visits that were begun and not kept, put aside or not. */
export const useServicesUnderWay = (): string[] =>
  (useWalks() ?? []).filter((it) => !it.summary).flatMap((it) => [...servicesOf(it)]);

/** How it is with that walk. */
export const useOpenState = (): OpenState => useSyncExternalStore(changes.subscribe, () => openState);

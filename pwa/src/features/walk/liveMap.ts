/**
 * Owns showing clients where the tracked walk is, by an act of the sitter for this walk alone: what was walked since is sent
 * at most every 20 seconds, and nothing is kept to be sent later. It ends with the walk.
 */
import { useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";
import { type LiveMapAudience, type LiveMapViewer, limits, newId, type Phone } from "../../core";
import type { LiveMapUpdate } from "../../core/walk";
import { openBusiness } from "../../data/business/openBusiness";
import { whenBack } from "../../data/sync/sync";
import { endLiveMap, sendLiveMap } from "../../data/walks/liveMaps";
import { endsOf, servicesOf, type WalkLiveMap, type WalkRow } from "../../data/walks/walks";
import { toast } from "../../ui";
import * as tracker from "./tracker";

const EVERY_MS = 20_000;
/** Without news the phone says so often that the walk goes on. */
const STILL_ON_MS = 5 * 60_000;
/** While none of it may be sent, what to send is worked out this often at most: near a home nothing comes of it. */
const NOT_YET_MS = 5_000;
const MINUTE_MS = 60_000;

/** Progress of the live map. */
export interface LiveMapState {
  /** Services whose clients see something of it. */
  sent: readonly string[];
  /** Services of which nothing is sent any more. */
  over: readonly string[];
  /** True if the last update did not get through. */
  hasFailed: boolean;
  /** True until something is sent after the app was closed: clients may see what was sent before. */
  isResumed: boolean;
}

/** The last update that the client of a service was sent. */
interface Sent {
  content: string;
  /** Time of the newest position, in seconds since 1970. */
  newest: number;
  at: number;
}

const NOBODY_LEFT = "The live map is off: no client of this walk can be shown it now";
const REPLACED = "The live map is off here: another device shows this walk now";

class LiveMapSender {
  readonly #sent = new Map<string, Sent>();
  readonly #over = new Set<string>();
  #isReplaced = false;
  state: LiveMapState;
  #isSending = false;
  #triedAt = 0;
  #computedAt = 0;
  readonly #timer = setInterval(look, EVERY_MS);
  readonly #leave = whenBack(() => {
    this.#triedAt = 0;
    this.#computedAt = 0;
    look();
  });

  /** `isNew`: it was switched on in this tab just now, so that nothing can have been sent of it. */
  constructor(
    readonly map: WalkLiveMap,
    isNew: boolean,
  ) {
    this.state = { sent: [], over: [], hasFailed: false, isResumed: !isNew };
  }

  /** Sends what is due. */
  async send(): Promise<void> {
    const isSoon = (since: number, ms: number) => Math.abs(Date.now() - since) < ms;
    if (this.#isSending || isSoon(this.#triedAt, EVERY_MS) || isSoon(this.#computedAt, NOT_YET_MS)) return;
    this.#isSending = true;
    try {
      await this.#sendAll();
    } finally {
      this.#isSending = false;
    }
  }

  async #sendAll(): Promise<void> {
    const of = openBusiness();
    const phone = await of?.wholePhone();
    const tracked = tracker.trackedWalk();
    if (!phone || !tracked || !this.#maySend()) return;
    const { viewers } = audienceOf(phone, tracked.row);
    // Nothing can be sent before there is a position.
    if (this.map.since <= (tracked.walk.last_fix_at ?? 0)) this.#computedAt = Date.now();
    let hasFailed = false;
    for (const { service_id, client_id } of this.#left()) {
      // A service may be of another client by now, whom nobody has named.
      const viewer = viewers.find((it) => it.service_id === service_id && it.client_id === client_id);
      const outcome = viewer ? await this.#sendTo(viewer, tracked) : "over";
      if (!viewer) void endLiveMap(endsOf(this.map).filter((it) => it.service_id === service_id));
      // Switched off meanwhile: the end that is on its way counts.
      if (!this.#maySend()) return;
      if (outcome === "over" || outcome === "replaced") this.#giveUp(service_id);
      this.#isReplaced ||= outcome === "replaced";
      hasFailed ||= outcome === "failed";
    }
    if (this.#left().length === 0) {
      toast.info(this.#isReplaced ? REPLACED : NOBODY_LEFT);
      await stopLiveMap().catch(() => undefined);
      return;
    }
    const sent = this.#seen();
    const isResumed = this.state.isResumed && this.#sent.size === 0;
    this.state = { sent, over: [...this.#over], hasFailed, isResumed };
    changes.notify();
  }

  #maySend(): boolean {
    const tracked = tracker.trackedWalk();
    return current === this && tracked !== undefined && !isQuiet(tracked);
  }

  /** Services whose clients see the last update: the server shows it for a while. */
  #seen(): string[] {
    const shownMs = limits().live_map_minutes * MINUTE_MS;
    return [...this.#sent].filter(([, { at }]) => Date.now() - at < shownMs).map(([serviceId]) => serviceId);
  }

  /** Clients to whom it is sent. */
  #left(): WalkLiveMap["viewers"] {
    return this.map.viewers.filter((it) => !this.#over.has(it.service_id));
  }

  async #sendTo({ service_id, client_id, hidden }: LiveMapViewer, tracked: tracker.TrackedWalk) {
    const now = Date.now();
    const { id, since } = this.map;
    const { recording } = tracked;
    const update: LiveMapUpdate | undefined = recording.liveMapUpdate(client_id, [...hidden], id, since, now);
    if (!update) return "nothing";
    const content = JSON.stringify([update.lines, update.here]);
    const newest = Math.round(now / 1000) - update.age_seconds;
    const before = this.#sent.get(service_id);
    this.#triedAt = now;
    // Ages are in whole seconds.
    const isSame = before?.content === content && newest - before.newest <= 1;
    if (before && isSame && now - before.at < STILL_ON_MS) return "nothing";
    const answer = await sendLiveMap(service_id, update);
    if (answer.ok && !answer.value.is_shown) return answer.value.is_replaced ? "replaced" : "over";
    // A service that the server does not know yet is on its way there.
    if (!answer.ok) return "failed";
    this.#sent.set(service_id, { content, newest, at: now });
    return "sent";
  }

  #giveUp(serviceId: string): void {
    this.#over.add(serviceId);
    this.#sent.delete(serviceId);
  }

  /** Ends it for all to whom it is still sent. */
  close(): void {
    clearInterval(this.#timer);
    this.#leave();
    void endLiveMap(endsOf({ ...this.map, viewers: this.#left() }));
  }
}

let current: LiveMapSender | undefined;
let switchedOn: string | undefined;
/** The live map that was switched off last: the row of a walk that has ended says otherwise until the disk has it. */
let switchedOff: string | undefined;
const changes = new Listeners();

/** Clients to whom a walk may be shown. */
export const audienceOf = (phone: Phone, row: WalkRow): LiveMapAudience =>
  phone.liveMapAudience([...servicesOf(row)], row.dog_ids ?? [], Date.now());

/** Shows these clients where the walk is, from now on until it ends. */
export function showLiveMap(viewers: readonly LiveMapViewer[]): Promise<void> {
  switchedOn = newId();
  const named = viewers.map(({ service_id, client_id, name }) => ({ service_id, client_id, name }));
  return tracker.keepLiveMap({ id: switchedOn, since: Date.now(), viewers: named });
}

/** Shows nobody where the walk is: nothing more is sent from now on. Fails where the disk does not know that yet. */
export function stopLiveMap(): Promise<void> {
  close();
  return tracker.dropLiveMap();
}

function close(): void {
  const closed = current;
  current = undefined;
  closed?.close();
  if (closed) changes.notify();
}

/** Follows the tracked walk. */
function look(): void {
  const tracked = tracker.trackedWalk();
  const map = tracked?.row.live_map;
  if (current && current.map.id !== map?.id) close();
  if (!tracked || !map || map.id === switchedOff) return;
  if (!current) {
    current = new LiveMapSender(map, map.id === switchedOn);
    changes.notify();
  }
  const { status } = tracked.walk;
  if (status === "ended") {
    // The tracker takes it out of the row.
    switchedOff = map.id;
    close();
    return;
  }
  if (!isQuiet(tracked)) void current.send();
}

/** Returns true while the phone asks whether an interrupted walk goes on, and in an emergency: that is the sitter's to tell. */
const isQuiet = ({ row, walk }: tracker.TrackedWalk): boolean =>
  row.went_on !== undefined || walk.status === "emergency";

tracker.onTrackedWalk(look);
// A walk that is paused was opened before, and does not change.
look();

/** State of the live map of the tracked walk; absent while it is off. */
export const useLiveMapState = (): LiveMapState | undefined =>
  useSyncExternalStore(changes.subscribe, () => current?.state);

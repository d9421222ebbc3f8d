/**
 * Owns the walk that is being tracked in this tab: asks the phone where it is, hands that to the core, has it stored before
 * it is believed, and keeps the screen awake. It goes on whatever screen is shown; only one walk at a time.
 */

import { useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";
import { type Guidance, newId, type ReportKind } from "../../core";
import {
  RouteGuide,
  type WalkEvent,
  type WalkEventKind,
  type WalkHere,
  type WalkInput,
  WalkRecording,
  type WalkSummary,
  walkLogHeader,
  walkTexts,
} from "../../core/walk";
import { business, preventReload } from "../../data";
import {
  addWalk,
  beginWalk,
  cutWalkLog,
  deleteWalk,
  putWalk,
  putWalkPhoto,
  readWalkLog,
  WalkLog,
} from "../../data/walks/walkLog";
import {
  canPark,
  clientNamesOf,
  kindOf,
  type ReportChoice,
  refresh,
  servicesOf,
  type WalkLiveMap,
  type WalkPlan,
  type WalkRow,
  walkLock,
  withoutLiveMap,
} from "../../data/walks/walks";
import { tellProgress } from "../../parts/visit/progress";
import { type DogAlong, names } from "../../parts/walk/walkText";
import { clientsAlong, dogsAlong } from "./along";
import { type RecordedWalk, viewOf, type WalkView } from "./recording";
import { cueArrival, giveCue } from "./voice";

/** The walk as screens see it; a new object after each change. */
export interface TrackedWalk extends RecordedWalk {
  row: WalkRow;
  /** Why there is no position, in words for the person. */
  problem: string | undefined;
  /** The disk does not take it; the walk is in memory. */
  storageTrouble: boolean;
  /** True while a wake lock keeps the screen on. */
  awake: boolean;
  /** The walker's position on the planned route; absent without one. */
  guidance: Guidance | undefined;
}

/** Data that a walk is started with. */
export interface NewWalk {
  /** Absent for a walk. */
  kind?: ReportKind | undefined;
  title: string;
  service_id?: string | undefined;
  client_names?: string[] | undefined;
  dogs: string[];
  dog_ids?: string[] | undefined;
  planned_minutes?: number | undefined;
  plan?: WalkPlan | undefined;
}

/** Shorter than this without a fix is standing still, not trouble. */
const QUIET_MS = 30_000;

/** Time after which a disk that has refused a row is asked again. */
const STORE_AGAIN_MS = 20_000;

class Tracker {
  #state: TrackedWalk;
  readonly #log: WalkLog;
  readonly #queue: WalkInput[] = [];
  #pumping: Promise<void> | undefined;
  /** Ends with the last write of the row; never rejects. */
  #writing: Promise<void> = Promise.resolve();
  #watch: number | undefined;
  #wakeLock: WakeLockSentinel | undefined;
  #lastFix = Date.now();
  readonly #release: (() => void)[] = [];
  #guide: RouteGuide | undefined;
  #guidedAt = 0;
  /** The row and the version of the replica from which the recording knows where the dogs live. */
  #homes: { row: WalkRow; version: number } | undefined;

  constructor(row: WalkRow, recording: WalkRecording, nextChunk: number) {
    const first = { problem: undefined, storageTrouble: false, awake: false, guidance: undefined };
    this.#state = { row, recording, walk: viewOf(recording), ...first };
    this.#log = new WalkLog(row.id, walkLogHeader(), nextChunk, (storageTrouble) => this.#show({ storageTrouble }));
  }

  get state(): TrackedWalk {
    return this.#state;
  }

  /** Begins to listen to the phone; `unlock` lets another tab have the walk. */
  open(unlock: () => void): void {
    const onVisible = () => {
      if (document.visibilityState === "visible") this.#wake();
      else void this.#log.flush();
    };
    document.addEventListener("visibilitychange", onVisible);
    this.#release.push(preventReload(), unlock, () => document.removeEventListener("visibilitychange", onVisible));
    this.#plan();
    this.#sayHomes();
    this.#show({ walk: this.#view() });
    this.#follow();
  }

  #view(): WalkView {
    return viewOf(this.#state.recording, this.#state.walk);
  }

  /** Has the recording know where those live whose dogs are along. */
  #sayHomes(): void {
    const { row, recording } = this.#state;
    const { phone, version } = business();
    if (this.#homes?.row === row && this.#homes.version === version) return;
    this.#homes = { row, version };
    recording.setHomes(
      clientsAlong(phone, row).flatMap(({ client: { id, lat, lng } }) =>
        lat === null || lng === null ? [] : [{ client_id: id, lat, lng }],
      ),
    );
  }

  /** Puts away what is shown of a door until the walker comes to it again. */
  leaveDoor(clientId: string): void {
    this.#state.recording.leaveDoor(clientId);
    this.#show({ walk: this.#view() });
  }

  /** Walks along a route from now on, or along none; it is on the disk when this resolves. */
  async planRoute(plan: WalkPlan | undefined): Promise<void> {
    const planned = plan && { since: Date.now(), ...plan };
    await this.change((row) => {
      const { plan: _, ...rest } = row;
      return planned ? { ...rest, plan: planned } : rest;
    });
    this.#plan();
  }

  /**
   * Changes the row as it is when the changes before it are made; it is on the disk when this resolves. `edit` may run twice:
   * the live map can be switched off meanwhile.
   */
  change(edit: (row: WalkRow) => WalkRow): Promise<void> {
    return this.#inTurn(async () => {
      const before = this.#state.row;
      const row = edit(before);
      await putWalk(row);
      this.#show({ row: this.#state.row === before ? row : edit(this.#state.row) });
    });
  }

  #inTurn(write: () => Promise<void>): Promise<void> {
    const written = this.#writing.then(write);
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** Switches the live map off at once, also where the disk refuses that: then it is asked again until it does not. */
  async dropLiveMap(): Promise<void> {
    const drop = () => this.#show({ row: withoutLiveMap(this.#state.row) });
    drop();
    try {
      await this.#inTurn(() => {
        // A change before this may have switched it on.
        drop();
        return putWalk(this.#state.row);
      });
    } catch (error) {
      this.#storeLater();
      throw error;
    }
  }

  #storeLater(): void {
    const { row } = this.#state;
    setTimeout(() => {
      // A row that has changed since is on the disk.
      if (tracker === this && this.#state.row === row) void putWalk(row).catch(() => this.#storeLater());
    }, STORE_AGAIN_MS);
  }

  /** Begins to follow the planned route where what was walked of it ends. */
  #plan(): void {
    this.#guide?.free();
    this.#guide = undefined;
    const { plan } = this.#state.row;
    if (plan) {
      this.#guide = new RouteGuide(plan.route);
      this.#guide.replay(this.#state.recording, plan.since);
    }
    this.#show({ guidance: this.#guidance() });
  }

  #guidance(): Guidance | undefined {
    return this.#guide?.guidance(business().phone.units());
  }

  /** Takes the walker along the route; says what is due. */
  #guideTo(here: WalkHere | null): void {
    if (!this.#guide || !here || here.at === this.#guidedAt) return;
    this.#guidedAt = here.at;
    for (const cue of this.#guide.take(here)) giveCue(cue);
    this.#show({ guidance: this.#guidance() });
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#pumping;
    await this.#writing;
    await this.#log.close();
    for (const release of this.#release) release();
    this.#guide?.free();
    this.#guide = undefined;
  }

  /** Hands something to the core; resolves when what it did is stored. */
  feed(...inputs: WalkInput[]): Promise<void> {
    this.#queue.push(...inputs);
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = undefined;
    });
    return this.#pumping;
  }

  // One after another: a fix is taken when the one before it is on the disk.
  async #pump(): Promise<void> {
    while (this.#queue.length > 0) {
      const inputs = this.#queue.splice(0);
      this.#sayHomes();
      const log = this.#state.recording.take(inputs, Date.now());
      if (log.length === 0) continue;
      await this.#log.append(
        log,
        inputs.some((it) => it.input !== "position"),
      );
      const before = this.#state.walk;
      const walk = this.#view();
      this.#show({ walk });
      this.#guideTo(walk.here);
      if (walk.doors.some((it) => !before.doors.includes(it))) cueArrival();
      this.#follow();
      await this.#noteEnd();
    }
  }

  /** Has the row say whether the walk is over, for those who do not read its log. The live map ends with it. */
  async #noteEnd(): Promise<void> {
    const { row, walk } = this.#state;
    const isOver = walk.status === "ended";
    if (isOver === (row.ended_at !== undefined)) return;
    // The log has it already: a disk that does not answer now costs nothing but the sign on other screens.
    await this.change((now) => {
      const { ended_at: _, ...rest } = withoutLiveMap(now);
      return isOver ? { ...rest, ended_at: walk.since } : rest;
    }).catch(() => undefined);
  }

  #show(change: Partial<TrackedWalk>): void {
    this.#state = { ...this.#state, ...change };
    changes.notify();
  }

  /** Listens while the walk runs, and not otherwise: a paused phone need not know where it is. */
  #follow(): void {
    if (this.#takesPositions() && this.#watch === undefined) this.#wake();
    else if (!this.#takesPositions()) this.#stop();
  }

  #takesPositions(): boolean {
    const { status, takes_positions } = this.#state.walk;
    return status === "running" && takes_positions;
  }

  #wake(): void {
    if (!this.#takesPositions()) return;
    void this.#stayAwake();
    if (!("geolocation" in navigator)) {
      this.#show({ problem: walkTexts().location_unsupported });
      return;
    }
    // After a while in the background a watch may be dead; a new one begins with a fresh fix.
    if (this.#watch !== undefined) navigator.geolocation.clearWatch(this.#watch);
    this.#lastFix = Date.now();
    this.#watch = navigator.geolocation.watchPosition(
      (position) => this.#position(position),
      (error) => this.#failed(error),
      { enableHighAccuracy: true, maximumAge: 0, timeout: walkTexts().location_timeout_ms },
    );
  }

  #position({ coords, timestamp }: GeolocationPosition): void {
    this.#lastFix = Date.now();
    if (this.#state.problem) this.#show({ problem: undefined });
    const { latitude: lat, longitude: lon, accuracy, altitude } = coords;
    void this.feed({ input: "position", at: timestamp, lat, lon, accuracy, altitude });
  }

  #failed(error: GeolocationPositionError): void {
    const texts = walkTexts();
    if (error.code === error.PERMISSION_DENIED) this.#show({ problem: texts.location_denied });
    // A phone that lies still may have nothing new to tell.
    else if (
      error.code === error.POSITION_UNAVAILABLE ||
      Math.abs(Date.now() - this.#lastFix) > QUIET_MS ||
      !this.#state.walk.here
    )
      this.#show({ problem: texts.location_failed });
  }

  async #stayAwake(): Promise<void> {
    try {
      this.#wakeLock = await navigator.wakeLock.request("screen");
      this.#wakeLock.addEventListener("release", () => this.#show({ awake: false }));
      this.#show({ awake: true });
    } catch {
      this.#show({ awake: false }); // not supported, or the battery is low: the screen says so
    }
  }

  #stop(): void {
    if (this.#watch !== undefined) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = undefined;
    void this.#wakeLock?.release();
    this.#wakeLock = undefined;
  }
}

let tracker: Tracker | undefined;
const changes = new Listeners();
/** The walk that is being tracked in this tab. */
export const useTrackedWalk = (): TrackedWalk | undefined =>
  useSyncExternalStore(changes.subscribe, () => tracker?.state);

/** Calls back after each change of it, until what it returns is called. */
export const onTrackedWalk = changes.subscribe;

export const trackedWalk = (): TrackedWalk | undefined => tracker?.state;

/** Keeps a walk to one tab; `undefined` when another has it. `waits`: this tab has just let go of it. */
function lock(walkId: string, waits = false): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    void navigator.locks.request(walkLock(walkId), { ifAvailable: !waits }, (granted) => {
      if (!granted) {
        resolve(undefined);
        return undefined;
      }
      return new Promise<void>((unlock) => resolve(unlock));
    });
  });
}

let starting: Promise<WalkRow | undefined> | undefined;

/**
 * Starts a walk. While another is open on this phone nothing begins, and that one is the answer; a visit that goes on is put
 * aside.
 */
export function startWalk(start: NewWalk): Promise<WalkRow | undefined> {
  if (tracker && !canPark(tracker.state.row)) return Promise.resolve(tracker.state.row);
  starting ??= park()
    .then(() => begin(start))
    .finally(() => {
      starting = undefined;
    });
  return starting;
}

async function begin(start: NewWalk): Promise<WalkRow | undefined> {
  const row: WalkRow = {
    id: newId(),
    ...(start.kind && start.kind !== "walk" && { kind: start.kind }),
    title: start.title,
    service_id: start.service_id ?? null,
    client_name: start.client_names?.[0] ?? null,
    ...(start.client_names && start.client_names.length > 1 && { client_names: start.client_names }),
    dogs: start.dogs,
    dog_ids: start.dog_ids ?? [],
    planned_minutes: start.planned_minutes ?? null,
    started_at: Date.now(),
    summary: null,
    imported: false,
    ...(start.plan && { plan: { ...start.plan, since: Date.now() } }),
  };
  // First, so that no other tab takes it for one whose tab was killed.
  const unlock = (await lock(row.id)) ?? (() => undefined);
  let open: WalkRow | undefined;
  try {
    open = await beginWalk(row);
  } catch (error) {
    unlock();
    throw error;
  }
  if (open) {
    unlock();
    await refresh();
    return open;
  }
  const started = new Tracker(row, new WalkRecording(), 0);
  tracker = started;
  started.open(unlock);
  await started.feed(...startOf(row));
  changes.notify();
  await refresh();
  await tellStarted(servicesOf(row));
  return undefined;
}

/** First inputs of a log; only one of a walk goes without its kind. */
const startOf = ({ kind }: WalkRow): WalkInput[] => [
  { input: "start" },
  ...(kind ? [{ input: "kind" as const, kind }] : []),
];

/** Puts the visit that goes on aside; it goes on without this phone. Does nothing where none does. */
export async function park(): Promise<void> {
  const going = tracker;
  if (!going || !canPark(going.state.row)) return;
  if (going.state.walk.takes_positions) await going.feed({ input: "positions", taken: false });
  await going.change((row) => ({ ...row, parked: true }));
  await going.close();
  if (tracker === going) tracker = undefined;
  changes.notify();
  await refresh();
}

/** Lets clients know, where the profile says so, that their walk has begun. */
async function tellStarted(services: readonly string[]): Promise<void> {
  for (const id of services) {
    const { phone } = business();
    const service = phone.service(id);
    if (service && phone.nextSteps(id, Date.now()).includes("started")) await tellProgress(service, "started");
  }
}

/** Takes another service's dogs along; what is given takes that back. */
export async function walkAlso(also: NewWalk): Promise<() => Promise<void>> {
  const going = tracker;
  if (!going) return () => Promise.resolve();
  const { row } = going.state;
  const before = {
    title: row.title,
    service_ids: [...servicesOf(row)],
    client_names: [...clientNamesOf(row)],
    dogs: row.dogs,
    dog_ids: row.dog_ids ?? [],
    planned_minutes: row.planned_minutes,
  };
  const more = <T>(some: readonly T[], others: readonly T[]): T[] => [...new Set([...some, ...others])];
  // Earlier events are of the dogs that were there.
  const unsaid = going.state.walk.events.filter((it) => !it.dog_ids?.length);
  if (before.dog_ids.length > 0) {
    await going.feed(...unsaid.map(({ id }): WalkInput => ({ input: "event_dogs", id, dog_ids: before.dog_ids })));
  }
  const isUnnamed = row.title === names(row.dogs) || row.dogs.length === 0;
  const dogs = [...row.dogs, ...also.dogs];
  await going.change((now) => ({
    ...now,
    title: names(isUnnamed ? dogs : [row.title, also.title]),
    service_ids: more(before.service_ids, also.service_id ? [also.service_id] : []),
    client_names: more(before.client_names, also.client_names ?? []),
    dogs,
    dog_ids: more(before.dog_ids, also.dog_ids ?? []),
    planned_minutes: Math.max(row.planned_minutes ?? 0, also.planned_minutes ?? 0) || null,
  }));
  await tellStarted(also.service_id ? [also.service_id] : []);
  // A walk that is over is kept as it was: who came along with it did.
  return () => (isGoing(going) ? going.change((now) => ({ ...now, ...before })) : Promise.resolve());
}

const isGoing = (it: Tracker | undefined): boolean =>
  it !== undefined && it === tracker && it.state.walk.status !== "ended";

/** Resolves when the walk that is being tracked is over. */
export function walkIsOver(): Promise<void> {
  const going = tracker;
  return new Promise((done) => {
    const look = () => {
      if (isGoing(going)) return;
      leave();
      done();
    };
    const leave = changes.subscribe(look);
    look();
  });
}

/** After so long a silence it is no longer likely that the walk goes on: one is asked first. */
const LONGEST_SILENCE_MS = 3 * 3_600_000;

/** How to open a walk whose tab was killed. `by_itself` goes on before anyone has said so, and has that asked. */
type Reopen = "go_on" | "by_itself" | "end";

/** Result of opening a walk: it is here, in another tab, or was left as it was since it was silent for too long. */
export type Reopened = "here" | "elsewhere" | "silent";

let reopening: Promise<Reopened> | undefined;

/**
 * Opens a walk whose tab was killed: `go_on` and `by_itself` mark the interruption and track again, `end` ends it at its
 * last fix.
 */
export function reopenWalk(row: WalkRow, then: Reopen): Promise<Reopened> {
  reopening ??= reopen(row, then).finally(() => {
    reopening = undefined;
  });
  return reopening;
}

async function reopen({ parked, ...row }: WalkRow, then: Reopen, waits = false): Promise<Reopened> {
  if (parked && tracker?.state.row.id !== row.id) await park();
  if (tracker) return tracker.state.row.id === row.id ? "here" : "elsewhere";
  const unlock = await lock(row.id, waits);
  if (!unlock) return "elsewhere";
  let reopened: Tracker | undefined;
  try {
    if (parked && (await beginWalk(row))) {
      unlock();
      return "elsewhere";
    }
    const { bytes, lengths, next } = await readWalkLog(row.id);
    const recording = WalkRecording.of(bytes, lengths);
    const { status, last_fix_at, since } = recording.state();
    const stoppedAt = Math.max(last_fix_at ?? row.started_at, since);
    const isWalk = kindOf(row) === "walk";
    // Nothing is missed of a visit, however long nothing is noted.
    if (then === "by_itself" && isWalk && Date.now() - stoppedAt > LONGEST_SILENCE_MS) {
      recording.free();
      unlock();
      return "silent";
    }
    const isAsked = then === "by_itself" && isWalk && status === "running";
    const opened = isAsked && !row.went_on ? { ...row, went_on: { at: stoppedAt, chunk: next } } : row;
    reopened = new Tracker(opened, recording, next);
    tracker = reopened;
    // A disk that does not take it now costs the question, and not the walk.
    if (opened !== row) await putWalk(opened).catch(() => undefined);
    const { walk } = reopened.state;
    // Killed before its first line was written: it begins now.
    if (walk.status === "ready") await reopened.feed(...startOf(row));
    const lastAt = isWalk ? (walk.last_fix_at ?? row.started_at) : walk.last_at;
    if (then === "end") await reopened.feed({ input: "end", at: lastAt });
    else await reopened.feed({ input: "interrupt" });
    reopened.open(unlock);
  } catch (error) {
    tracker = undefined;
    await reopened?.close();
    // Or nobody could try again, in no tab.
    unlock();
    changes.notify();
    throw error;
  }
  changes.notify();
  await refresh();
  return "here";
}

/** The walk that went on by itself does. */
export async function confirmGoesOn(): Promise<void> {
  await tracker?.change((row) => {
    const { went_on: _, ...rest } = row;
    return rest;
  });
}

/** The walk that went on by itself was over when the app was closed: what was recorded since is left out. */
export async function endWhereItStopped(): Promise<void> {
  const going = tracker;
  const stopped = going?.state.row.went_on;
  if (!going || !stopped) return;
  const cut = async (): Promise<Reopened> => {
    await going.close();
    const { went_on: _, ...row } = going.state.row;
    await cutWalkLog(row.id, stopped.chunk);
    await putWalk(row);
    tracker = undefined;
    return reopen(row, "end", true);
  };
  reopening = cut().finally(() => {
    reopening = undefined;
  });
  await reopening;
}

/** Walks along a route from now on, or along none. */
export const planRoute = (plan: WalkPlan | undefined): Promise<void> => tracker?.planRoute(plan) ?? Promise.resolve();

const feed = (...inputs: WalkInput[]): Promise<void> => tracker?.feed(...inputs) ?? Promise.resolve();

export const pause = () => feed({ input: "pause" });
export const resume = () => feed({ input: "resume" });
export const emergency = () => feed({ input: "emergency", id: newId() });
/** Within a minute it leaves no trace; later it is over, and its event stays. */
export const takeBackEmergency = () => feed({ input: "cancel_emergency" });
export const endEmergency = () => feed({ input: "end_emergency" });
/** Ends it now; a day of a stay that is over by now, with what was noted last. */
export function end(): Promise<void> {
  const at = tracker && isOfEarlierDay(tracker.state.row) ? tracker.state.walk.last_at : null;
  return feed({ input: "end", at });
}

/** True for a day of a stay that is not today. */
export const isOfEarlierDay = (row: WalkRow): boolean => {
  const { phone } = business();
  return kindOf(row) === "day" && phone.today(row.started_at) !== phone.today(Date.now());
};

/** Takes positions of a visit from now on, or no longer. */
export const takePositions = (taken: boolean) => feed({ input: "positions", taken });

/** Logs an event; gives its id. */
export async function logEvent(kind: WalkEventKind, note = "", id: string = newId()): Promise<string> {
  await feed({ input: "event", id, kind, note });
  return id;
}

/** Says more exactly what an event was; when, where and of which dogs stays. */
export const tellExactly = ({ id, note }: WalkEvent, kind: WalkEventKind) => feed({ input: "event", id, kind, note });

/** Says of which dogs an event is; of all that are along where none is named. */
export const eventDogs = (id: string, dog_ids: string[]) => feed({ input: "event_dogs", id, dog_ids });

/** Puts away what is shown of a client's door. */
export const leaveDoor = (clientId: string): void => tracker?.leaveDoor(clientId);

export const removeEvent = (id: string) => feed({ input: "remove_event", id });

/** Keeps a photo, and then the event that it is of. */
export async function logPhoto(photo: { id: string; full: Blob }): Promise<string> {
  await putWalkPhoto(photo.id, photo.full);
  return logEvent("photo", "", photo.id);
}

/**
 * Returns the summary that is kept of a walk, in the business's units and time zone; its notes name only these dogs.
 */
export function summarize(recording: WalkRecording, at: number, dogs: DogAlong[] = []): WalkSummary {
  const { phone } = business();
  return recording.summary(at, phone.units(), phone.zone(), phone.hourCycle(), dogs);
}

/** Returns the notes that an ended walk makes of itself with these events and no others; they name only these dogs. */
export function notesOf({ recording, walk }: RecordedWalk, events: readonly WalkEvent[], dogs: DogAlong[]): string {
  const { phone } = business();
  const ids = events.map((it) => it.id);
  return recording.notes(walk.since, phone.units(), phone.zone(), phone.hourCycle(), dogs, ids);
}

/** Notes with the walk what was chosen for its report. */
export const keepReport = (report: ReportChoice): Promise<void> =>
  tracker?.change((row) => ({ ...row, report })) ?? Promise.resolve();

/** Notes with the walk to whom it is shown on the live map from now on. */
export const keepLiveMap = (live_map: WalkLiveMap): Promise<void> =>
  tracker?.change((row) => ({ ...withoutLiveMap(row), live_map })) ?? Promise.resolve();

/** Notes that the walk is shown to nobody; fails where the disk refuses that for now. */
export const dropLiveMap = (): Promise<void> => tracker?.dropLiveMap() ?? Promise.resolve();

/** Closes the ended walk and keeps it among past walks. */
export async function keepWalk(): Promise<WalkRow | undefined> {
  const ended = tracker;
  if (!ended) return undefined;
  await ended.close();
  const { row, recording } = ended.state;
  const summary = summarize(recording, Date.now(), dogsAlong(business().phone, row));
  const { went_on: _, ...rest } = withoutLiveMap(row);
  const kept = { ...rest, summary };
  await putWalk(kept);
  tracker = undefined;
  changes.notify();
  return kept;
}

/** Closes the walk and forgets it. */
export async function discardWalk(): Promise<void> {
  const ended = tracker;
  if (!ended) return;
  await ended.close();
  const { row, walk } = ended.state;
  await deleteWalk(row, photoIds(walk.events));
  tracker = undefined;
  changes.notify();
}

/** The events whose id a photo is kept under. */
export const photoIds = (events: readonly WalkEvent[]): string[] =>
  events.filter((it) => it.type === "photo").map((it) => it.id);

/** Keeps a walk that was read from a file. */
export async function keepImported(title: string, log: Uint8Array): Promise<WalkRow> {
  const recording = WalkRecording.of(log, Uint32Array.of(log.length));
  const summary = summarize(recording, Date.now());
  recording.free();
  const row: WalkRow = {
    id: newId(),
    title,
    service_id: null,
    client_name: null,
    dogs: [],
    planned_minutes: null,
    started_at: summary.started_at,
    summary,
    imported: true,
  };
  await addWalk(row, log);
  return row;
}

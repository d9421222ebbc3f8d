/**
 * Owns the map's way onto this phone: what the server has, what is missing or newer, fetched once and checked, gone on
 * with where it stopped, and how it stands. Which tiles are wanted, and the words, are the core's.
 */
import {
  type BlankGround,
  blankGround,
  isMapDue,
  type MapAnswer,
  type MapPlaces,
  type MapStatus,
  type MapTrouble,
  type MapUse,
  mapComesUnasked,
  mapStatus,
  type NoMap,
  type Place,
  type TileId,
  type TileLink,
  tileOf,
  type Wanted,
  wantedTiles,
} from "../../core/map";
import { hasPlaces } from "../calls";
import { type Inventory, keyOf, type ListedTile, type TileKey, type TileStore } from "./tileStore";

/** More at once do not come faster over one connection. */
const AT_ONCE = 6;
/** A street with one bar of signal; the next try goes on with what came. */
const TIMEOUT_MS = 20_000;
/** Share of the browser's quota up to which the map may fill it; the rest is for what a person typed. */
const MOST_OF_QUOTA = 0.8;
/** Bytes that a tile takes on the disk for each byte on the way, where it is compressed. */
const GROWTH = 3;
/** A server that did not answer is left alone for so long, unless somebody asks for the map; then what was asked for goes on. */
const LEFT_ALONE_MS = 60_000;

export class Keeper {
  readonly #store: TileStore;
  readonly #tell: (status: MapStatus) => void;
  readonly #fetch: typeof fetch;
  #places: MapPlaces = { middle: null, radius_miles: 0, homes: [] };
  #inventory: Inventory | undefined;
  #downloading: Promise<void> | undefined;
  #stop = new AbortController();
  #trouble: MapTrouble | null = null;
  /** Set if a person asked for what is being fetched. */
  #isAsked = false;
  /** When the map last failed to come. */
  #failedAt = Number.NEGATIVE_INFINITY;
  /** Goes on with what was asked for and broke off without a network. */
  #resume: ReturnType<typeof setTimeout> | undefined;

  /** `tell` hears of each change. */
  constructor(store: TileStore, tell: (status: MapStatus) => void, fetcher: typeof fetch = (...it) => fetch(...it)) {
    this.#store = store;
    this.#tell = tell;
    this.#fetch = fetcher;
  }

  /** How the map of these places stands; what is missing or newer comes unasked where the core says that it may. */
  async look(places: MapPlaces): Promise<MapStatus> {
    this.#places = places;
    await this.#load();
    // What is here stays of use whatever becomes of it.
    if (this.#mustResume()) this.#start(true).catch(() => undefined);
    else if (this.#mayCome()) this.#start(false).catch(() => undefined);
    return this.#status();
  }

  /** After a failure for a while; a clock that was set back ends it. */
  #isLeftAlone(): boolean {
    return Math.abs(Date.now() - this.#failedAt) < LEFT_ALONE_MS;
  }

  /** True if a person has asked for what broke off without a network: it goes on when there is one. */
  #mustResume(): boolean {
    return this.#trouble === "offline" && navigator.onLine && !this.#isLeftAlone() && !this.#downloading;
  }

  /** True if there is something to ask for, or to fetch, without anybody having asked. */
  #mayCome(): boolean {
    const { meta, listed } = this.#known;
    const isWished = hasPlaces(this.#places) && meta?.keeps !== false;
    if (!isWished || !navigator.onLine || this.#isLeftAlone() || this.#downloading) return false;
    const wanted = wantedTiles(this.#places);
    const isDue = !meta || isMapDue(meta.asked_at, Date.now()) || wanted.tiles.some((it) => !listed.has(keyOf(it)));
    const missing = this.#missingOf(wanted, true);
    return (isDue || missing.length > 0) && mapComesUnasked(isDue ? 0 : sum(missing), savesData());
  }

  /** Why no map is drawn at a place; nothing where one is. `serverHasMap`: of any place; `null` if it was not asked. */
  async ground(
    places: MapPlaces,
    place: Place,
    map_use: MapUse,
    serverHasMap: boolean | null = null,
  ): Promise<BlankGround | null> {
    this.#places = places;
    const { tiles, listed } = await this.#load();
    const key = keyOf(tileOf(place));
    if (tiles.has(key)) return null;
    const wanted = wantedTiles(places);
    const known = listed.get(key);
    return blankGround({
      map_use,
      has_places: hasPlaces(places),
      is_wanted: wanted.tiles.some((it) => keyOf(it) === key),
      is_there: known ? known.tile !== null : null,
      server_has_map: serverHasMap,
      is_downloading: this.#downloading !== undefined,
      is_online: navigator.onLine,
      missing_bytes: sum(this.#missingOf(wanted, true)),
      trouble: this.#trouble,
    });
  }

  /** Returns the tiles that are on this phone and those that the server has listed. */
  inventory(): Promise<Inventory> {
    return this.#load();
  }

  /** Another tab has changed what is here. */
  async reload(): Promise<void> {
    this.#inventory = undefined;
    await this.#load();
    this.#tell(this.#status());
  }

  /** Fetches all that is missing or newer; resolves when it is here, or stopped by what the status then tells. */
  download(places: MapPlaces): Promise<void> {
    this.#places = places;
    return this.#start(true);
  }

  /** `isAsked`: by a person, who gets all of it and hears of what goes wrong. */
  #start(isAsked: boolean): Promise<void> {
    const before = this.#downloading;
    if (before && (this.#isAsked || !isAsked)) return before;
    this.#isAsked = isAsked;
    const begin = before ? before.catch(() => undefined) : Promise.resolve();
    const run = begin
      .then(() => this.#download(isAsked))
      .finally(() => {
        if (this.#downloading === run) this.#downloading = undefined;
        this.#tell(this.#status());
      });
    this.#downloading = run;
    this.#tell(this.#status());
    return run;
  }

  /** Stops and removes all. */
  async drop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#resume);
    await this.#downloading;
    await this.#store.clear();
    // It does not come again before somebody asks for it.
    await this.#store.putListed([], { asked_at: 0, keeps: false });
    this.#trouble = null;
    await this.reload();
  }

  /** Sees to it that these tiles are here as far as they can be had; else says why there is no map. */
  async ensure(wanted: Wanted, onProgress: (text: string) => void): Promise<NoMap | null> {
    const inventory = await this.#load();
    const isCurrent = ({ tile, asked_at }: ListedTile) => tile === null && !isMapDue(asked_at, Date.now());
    const missing = wanted.tiles.map(keyOf).filter((key) => {
      const known = inventory.listed.get(key);
      return !inventory.tiles.has(key) && !(known && isCurrent(known));
    });
    let trouble: MapTrouble | null = null;
    if (missing.length > 0) {
      const signal = new AbortController().signal;
      trouble = await this.#locked(signal, async () => {
        const unasked = await this.#ask(wanted, signal);
        return (
          unasked ?? this.#fetchAll(this.#missingOf(wanted, false), signal, () => onProgress(this.#textOf(wanted)))
        );
      });
      this.#tell(this.#status());
    }
    if (wanted.tiles.some((it) => this.#here.has(keyOf(it)))) return null;
    if (!trouble) return "not_there";
    return trouble;
  }

  get #here() {
    return this.#known.tiles;
  }

  get #known(): Inventory {
    return this.#inventory ?? { meta: undefined, tiles: new Map(), listed: new Map() };
  }

  async #load(): Promise<Inventory> {
    this.#inventory ??= await this.#store.inventory();
    return this.#inventory;
  }

  async #download(isAsked: boolean): Promise<void> {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    clearTimeout(this.#resume);
    this.#trouble = null;
    const trouble = await this.#locked(signal, async () => {
      // While this tab waited for another one, that may have done it all.
      this.#inventory = undefined;
      await this.#load();
      const wanted = wantedTiles(this.#places);
      const unasked = await this.#ask(wanted, signal, { asked_at: Date.now(), keeps: true });
      if (unasked) return unasked;
      this.#tell(this.#status());
      const missing = this.#missingOf(wanted, true);
      if (!isAsked && !mapComesUnasked(sum(missing), savesData())) return null;
      if (!(await hasRoom(missing))) return "no_room";
      return this.#fetchAll(missing, signal, () => this.#tell(this.#status(true)));
    });
    if (signal.aborted) return;
    if (trouble) this.#failedAt = Date.now();
    if (!isAsked) return;
    this.#trouble = trouble;
    // Not every network that is back says so.
    if (trouble === "offline") this.#resume = setTimeout(() => void this.look(this.#places), LEFT_ALONE_MS);
  }

  /** Runs what may change tiles while no other tab does. */
  async #locked(signal: AbortSignal, work: () => Promise<MapTrouble | null>): Promise<MapTrouble | null> {
    try {
      return await navigator.locks.request("walkies-map", { signal }, work);
    } catch (error) {
      if (isFull(error)) return "no_room";
      if (signal.aborted) return null;
      throw error;
    }
  }

  /** Asks the server which tiles there are, and notes what it says. */
  async #ask({ tiles, asks }: Wanted, signal: AbortSignal, meta = this.#known.meta): Promise<MapTrouble | null> {
    const answers = new Map<TileKey, TileLink>();
    for (const { lat, lng, radius_m } of asks) {
      const query = new URLSearchParams({ lat: `${lat}`, lng: `${lng}`, radius_m: `${radius_m}` });
      const response = await this.#get(`/api/map/areas?${query.toString()}`, signal);
      if (typeof response === "string") return response;
      const { data } = (await response.json()) as { data: MapAnswer };
      for (const it of data.tiles) answers.set(it.tile.split("-").slice(0, 2).join("-"), it);
    }
    const asked_at = Date.now();
    const answered = tiles.map(keyOf).map((key): ListedTile => {
      const { tile, bytes } = answers.get(key) ?? { tile: null, bytes: 0 };
      return { key, tile, bytes, asked_at };
    });
    await this.#store.putListed(answered, meta);
    const inventory = await this.#load();
    for (const it of answered) inventory.listed.set(it.key, it);
    inventory.meta = meta;
    return null;
  }

  /**
   * Returns the wanted tiles that the server has and this phone has not; with `newer` also those that are here in
   * another state.
   */
  #missingOf({ tiles }: Wanted, newer: boolean): ListedTile[] {
    const { listed, tiles: here } = this.#known;
    return tiles.flatMap((it): ListedTile[] => {
      const there = listed.get(keyOf(it));
      const stored = here.get(keyOf(it));
      const isMissing = newer ? stored?.tile !== there?.tile : !stored;
      return there?.tile && isMissing ? [there] : [];
    });
  }

  /** Fetches tiles, some at a time, until all are here or one cannot be had. */
  async #fetchAll(missing: readonly ListedTile[], signal: AbortSignal, onEach: () => void): Promise<MapTrouble | null> {
    const queue = [...missing];
    let trouble: MapTrouble | null = null;
    const take = async () => {
      for (let next = queue.shift(); next && !trouble && !signal.aborted; next = queue.shift()) {
        const failed = await this.#fetchOne(next, signal);
        trouble ??= failed;
        onEach();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, take));
    if (missing.length > 0) tabs.postMessage("changed");
    return trouble;
  }

  async #fetchOne({ key, tile }: ListedTile, signal: AbortSignal): Promise<MapTrouble | null> {
    if (tile === null) return null;
    const response = await this.#get(`/api/map/tiles/${tile}`, signal);
    if (typeof response === "string") return response;
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch {
      return "offline"; // broken off in the middle
    }
    if (!(await isWhole(tile, bytes))) return "server";
    await this.#store.put(key, tile, bytes);
    (await this.#load()).tiles.set(key, { key, tile, bytes: bytes.length });
    return null;
  }

  async #get(path: string, signal: AbortSignal): Promise<Response | MapTrouble> {
    try {
      const response = await this.#fetch(path, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
      return response.ok ? response : "server";
    } catch {
      return "offline";
    }
  }

  #status(isDownloading = this.#downloading !== undefined): MapStatus {
    return this.#statusOf(wantedTiles(this.#places).tiles, isDownloading);
  }

  #statusOf(wanted: readonly TileId[], isDownloading: boolean): MapStatus {
    const { meta, tiles, listed } = this.#known;
    const answered = wanted.flatMap((it) => listed.get(keyOf(it)) ?? []);
    const there = answered.filter((it) => it.tile !== null);
    const missing = there.filter((it) => tiles.get(it.key)?.tile !== it.tile);
    return mapStatus({
      tiles: tiles.size,
      bytes: sum([...tiles.values()]),
      wanted: there.length,
      done: there.length - missing.length,
      unlisted: wanted.length - answered.length,
      missing_bytes: sum(missing),
      has_places: hasPlaces(this.#places),
      was_asked: meta !== undefined && meta.asked_at > 0,
      is_downloading: isDownloading,
      is_online: navigator.onLine,
      trouble: this.#trouble,
    });
  }

  #textOf({ tiles }: Wanted): string {
    return this.#statusOf(tiles, true).text;
  }
}

/** Other tabs of this browser, which have the same tiles on their disk. */
export const tabs = new BroadcastChannel("walkies-map");

const sum = (all: readonly { bytes: number }[]): number => all.reduce((total, it) => total + it.bytes, 0);

const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === "QuotaExceededError";

/** True if the person wants the phone to be sparing with data; some browsers do not say. */
const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

async function hasRoom(missing: readonly ListedTile[]): Promise<boolean> {
  const { usage = 0, quota } = (await navigator.storage?.estimate?.()) ?? {};
  return quota === undefined || usage + GROWTH * sum(missing) < MOST_OF_QUOTA * quota;
}

/** True if these are the bytes that the name speaks of: it ends with the first half of their SHA-256's digits. */
async function isWhole(tile: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const digits = [...digest].map((it) => it.toString(16).padStart(2, "0")).join("");
  const checksum = tile.split("-")[2];
  return checksum !== undefined && checksum !== "" && digits.startsWith(checksum);
}

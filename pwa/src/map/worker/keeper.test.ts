/** Tests how tiles come onto the phone: once, whole, gone on with where it stopped, newer ones in the place of old ones. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  loadMapCore,
  type MapPlaces,
  type MapStatus,
  type RouteRequest,
  tilesForRoute,
  wantedTiles,
} from "../../core/map";
import { Keeper } from "./keeper";
import { keyOf, TileStore } from "./tileStore";

const PLACES: MapPlaces = { middle: { lat: 60.1705, lng: 24.941 }, radius_miles: 1, homes: [] };
const ROUTE = {
  duration: 15,
  startLocation: { lat_e7: 601705000, lon_e7: 249410000 },
  pace: "normal",
  preferences: {
    avoidHighways: false,
    preferParks: false,
    includeWaterStops: false,
    shadedPaths: false,
    hilliness: "any",
  },
  dogCount: 1,
  dogSizes: [],
  towards: null,
  seed: 0,
} satisfies RouteRequest;

/** A server with a tile at each place, in a state. */
class MapServer {
  state = "one";
  isReachable = true;
  hasMap = true;
  /** After so many tiles nothing comes any more. */
  breaksAfter = Number.POSITIVE_INFINITY;
  garbles = false;
  tileBytes = 10_000;
  /** It has no more tiles than these. */
  named = Number.POSITIVE_INFINITY;
  readonly asked: string[] = [];
  readonly #names = new Map<string, Uint8Array<ArrayBuffer>>();

  fetch: typeof fetch = async (path) => {
    const url = new URL(path as string, "http://server");
    this.asked.push(url.pathname);
    if (!this.isReachable) throw new TypeError("Failed to fetch");
    if (url.pathname === "/api/map/areas")
      return Response.json({ success: true, data: { areas: [], tiles: await this.#list() } });
    const bytes = this.#names.get(url.pathname.split("/").at(-1) ?? "");
    if (this.breaksAfter === 0) throw new TypeError("Failed to fetch");
    this.breaksAfter -= 1;
    if (!bytes) return new Response(null, { status: 404 });
    return new Response(this.garbles ? new Uint8Array(bytes.length) : bytes);
  };

  get tilesAsked(): number {
    return this.asked.filter((it) => it.startsWith("/api/map/tiles/")).length;
  }

  async #list() {
    if (!this.hasMap) return [];
    return Promise.all(
      wantedTiles(PLACES)
        .tiles.slice(0, this.named)
        .map(async (id) => {
          const bytes = new TextEncoder().encode(`${keyOf(id)} in state ${this.state}`);
          const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
          const checksum = [...digest.subarray(0, 8)].map((it) => it.toString(16).padStart(2, "0")).join("");
          const tile = `${keyOf(id)}-${checksum}`;
          this.#names.set(tile, bytes);
          return { tile, bytes: this.tileBytes };
        }),
    );
  }
}

let server: MapServer;
let store: TileStore;
let told: MapStatus[];

const open = () => new Keeper(store, (status) => told.push(status), server.fetch);

beforeEach(async () => {
  await loadMapCore();
  server = new MapServer();
  store = new TileStore(`map-of-test-${crypto.randomUUID()}`);
  told = [];
});

afterEach(async () => {
  await store.close();
  indexedDB.deleteDatabase(store.name);
});

/** Resolves when what was begun by a look has ended. */
const settled = () => vi.waitFor(() => expect(told.at(-1)?.state).not.toBe("downloading"));

test("the map comes once, with its progress, and is there after a restart", async () => {
  const keeper = open();
  await keeper.download(PLACES);
  const wanted = wantedTiles(PLACES).tiles.length;
  expect(wanted).toBeGreaterThan(3);
  expect(told.filter((it) => it.state === "downloading").map((it) => it.done)).toContain(2);
  expect(told.at(-1)).toMatchObject({ state: "ready", done: wanted, wanted, tiles: wanted });
  expect(server.tilesAsked).toBe(wanted);

  expect(await open().look(PLACES)).toMatchObject({ state: "ready", tiles: wanted });
  await open().download(PLACES);
  expect(server.tilesAsked).toBe(wanted);
});

test("a download that broke off says so and goes on where it stopped", async () => {
  server.breaksAfter = 2;
  await open().download(PLACES);
  expect(told.at(-1)).toMatchObject({ state: "partial", done: 2 });
  expect(told.at(-1)?.text).toContain("no network");
  server.breaksAfter = Number.POSITIVE_INFINITY;
  const before = server.tilesAsked;
  await open().download(PLACES);
  expect(told.at(-1)?.state).toBe("ready");
  expect(server.tilesAsked - before).toBe(wantedTiles(PLACES).tiles.length - 2);
});

test("a download that somebody asked for goes on by itself when there is a network again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const wanted = wantedTiles(PLACES).tiles.length;
  // More than comes unasked.
  server.tileBytes = 2e6;
  server.breaksAfter = 2;
  const keeper = open();
  await keeper.download(PLACES);
  expect(told.at(-1)?.text).toContain("It goes on where it stopped when there is.");
  server.breaksAfter = Number.POSITIVE_INFINITY;
  await vi.advanceTimersByTimeAsync(61_000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ state: "ready", tiles: wanted }));
});

test("the map is not called whole while places are wanted of which the server was not asked", async () => {
  await open().download(PLACES);
  server.isReachable = false;
  const moved = { ...PLACES, homes: [{ lat: 61.4981, lng: 23.761 }] };
  await open().look(moved);
  await settled();
  expect(told.at(-1)).toMatchObject({ state: "partial", text: expect.stringContaining("not asked yet") as string });
});

test("a newer state on the server comes in the place of the old one", async () => {
  await open().download(PLACES);
  server.state = "two";
  await open().download(PLACES);
  const key = keyOf(wantedTiles(PLACES).tiles[0] ?? { x: 0, y: 0 });
  expect(new TextDecoder().decode((await store.read(key))?.bytes)).toBe(`${key} in state two`);
  expect(told.at(-1)).toMatchObject({ state: "ready", tiles: wantedTiles(PLACES).tiles.length });
});

test("bytes that are not those of the name are not kept", async () => {
  server.garbles = true;
  await open().download(PLACES);
  expect(told.at(-1)).toMatchObject({ state: "failed", tiles: 0 });
});

test("a server without a map says what to do", async () => {
  server.hasMap = false;
  await open().download(PLACES);
  expect(told.at(-1)).toMatchObject({ state: "none", wanted: 0 });
  expect(told.at(-1)?.text).toContain("can add it");
});

test("what is dropped is gone and does not come back by itself", async () => {
  const keeper = open();
  await keeper.download(PLACES);
  await keeper.drop();
  expect(told.at(-1)).toMatchObject({ state: "none", tiles: 0, bytes: 0 });
  const before = server.asked.length;
  expect(await open().look(PLACES)).toMatchObject({ state: "none", tiles: 0 });
  expect(server.asked.length).toBe(before);
});

test("a little map comes unasked, and one that is half here goes on", async () => {
  server.breaksAfter = 2;
  expect(await open().look(PLACES)).toMatchObject({ state: "downloading" });
  await settled();
  // Nobody asked, so that nobody hears of what went wrong.
  expect(told.at(-1)).toMatchObject({ state: "partial", done: 2 });
  expect(told.at(-1)?.text).not.toContain("no network");
  server.breaksAfter = Number.POSITIVE_INFINITY;
  await open().look(PLACES);
  await settled();
  expect(told.at(-1)?.state).toBe("ready");
});

test("a large map is said with its size and comes when it is asked for", async () => {
  const wanted = wantedTiles(PLACES).tiles.length;
  server.tileBytes = 6e6 / wanted;
  const keeper = open();
  await keeper.look(PLACES);
  await settled();
  expect(told.at(-1)).toMatchObject({ state: "none", text: "The map of where you work can be downloaded, 6.0 MB." });
  expect(server.tilesAsked).toBe(0);
  await keeper.look(PLACES);
  expect(server.asked).toHaveLength(1);
  await keeper.download(PLACES);
  expect(told.at(-1)).toMatchObject({ state: "ready", tiles: wanted });
});

test("who asks for the map gets it also while it is looked whether it may come unasked", async () => {
  server.tileBytes = 1e6;
  const keeper = open();
  await keeper.look(PLACES);
  await keeper.download(PLACES);
  expect(told.at(-1)?.state).toBe("ready");
});

test("nothing comes unasked where a person saves data", async () => {
  Object.defineProperty(navigator, "connection", { configurable: true, value: { saveData: true } });
  expect(await open().look(PLACES)).toMatchObject({ state: "none" });
  Reflect.deleteProperty(navigator, "connection");
  expect(server.asked).toEqual([]);
});

test("a blank ground says why, and what fetches the map", async () => {
  const here = { lat_e7: 601_705_000, lon_e7: 249_410_000 };
  const away = { lat_e7: 611_705_000, lon_e7: 249_410_000 };
  const keeper = open();
  server.tileBytes = 2e6;
  await keeper.look(PLACES);
  await settled();
  expect(await keeper.ground(PLACES, here, "walk")).toMatchObject({ size: expect.stringMatching(/^\d+ MB$/) });
  expect(await keeper.ground(PLACES, away, "walk")).toMatchObject({
    text: expect.stringContaining("outside"),
    size: null,
  });
  await keeper.download(PLACES);
  expect(await keeper.ground(PLACES, here, "walk")).toBeNull();
  server.named = 0;
  await keeper.drop();
  await keeper.download(PLACES);
  expect((await keeper.ground(PLACES, here, "walk"))?.text).toContain("has no street map");
});

test("a route fetches the tiles that it needs, with progress, and asks for them once", async () => {
  const said: string[] = [];
  expect(await open().ensure(tilesForRoute(ROUTE), (text) => said.push(text))).toBeNull();
  expect(said.join()).toContain("Downloading the map");
  const before = server.asked.length;
  server.isReachable = false;
  expect(await open().ensure(tilesForRoute(ROUTE), () => undefined)).toBeNull();
  expect(server.asked.length).toBe(before);
});

test("where no map can be had, a route is told why", async () => {
  server.isReachable = false;
  expect(await open().ensure(tilesForRoute(ROUTE), () => undefined)).toBe("offline");
  server.isReachable = true;
  server.hasMap = false;
  expect(await open().ensure(tilesForRoute(ROUTE), () => undefined)).toBe("not_there");
});

/** The live map on the sitter's phone: the real core and a real IndexedDB; positions and the server are played. */
import { Suspense } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { cleanup, render } from "vitest-browser-react";
import { At } from "../../../test/At";
import {
  aClient,
  aPet,
  aService,
  closePhone,
  openPhone,
  pullConfirmed,
  rowsOf,
  signInOnPhone,
} from "../../../test/phone";
import { type Client, type LiveMapTaken, loadRest, newId } from "../../core";
import { type LiveMapUpdate, lineOf, loadWalkCore, WalkRecording } from "../../core/walk";
import { business } from "../../data";
import { OpenBusiness, setOpenBusiness } from "../../data/business/openBusiness";
import { setSession } from "../../data/session/session";
import { changeUser, userOnThisPhone } from "../../data/session/sessionDb";
import { endLiveMap } from "../../data/walks/liveMaps";
import { putWalk } from "../../data/walks/walkLog";
import { refresh, type WalkRow } from "../../data/walks/walks";
import { ConfirmHost, ToastHost } from "../../ui";
import ActiveWalkScreen from "./ActiveWalkScreen";
import LiveMapEnds from "./LiveMapEnds";
import { stopLiveMap } from "./liveMap";
import * as tracker from "./tracker";

const HOME = { lat: 60.17, lng: 24.94 };

interface Call {
  method: string;
  path: string;
  body: LiveMapUpdate | undefined;
}

let calls: Call[];
let isOnline: boolean;
let taken: LiveMapTaken;
let report: PositionCallback | undefined;
let second: number;
let startedAt: number;

beforeEach(async () => {
  await page.viewport(390, 844);
  vi.useFakeTimers({ toFake: ["Date"] });
  // At noon, so that nothing of it is of another day.
  startedAt = new Date().setHours(12, 0, 0, 0);
  vi.setSystemTime(startedAt);
  await Promise.all([loadRest(), loadWalkCore()]);
  calls = [];
  isOnline = true;
  taken = { is_shown: true, is_replaced: false };
  second = 0;
  vi.spyOn(navigator.geolocation, "watchPosition").mockImplementation((back) => {
    report = back;
    return 1;
  });
  vi.spyOn(navigator.geolocation, "clearWatch").mockImplementation(() => undefined);
  vi.spyOn(window, "fetch").mockImplementation((input, init) => {
    const path = input as string;
    if (!isOnline || !path.includes("/live-map")) return Promise.reject(new TypeError("no network"));
    const body = init?.body ? (JSON.parse(init.body as string) as LiveMapUpdate) : undefined;
    calls.push({ method: init?.method ?? "GET", path, body });
    return Promise.resolve(Response.json({ success: true, data: body ? taken : {} }));
  });
});

afterEach(async () => {
  if (tracker.trackedWalk()) await tracker.discardWalk();
  await closePhone();
  await setSession(undefined);
  vi.useRealTimers();
});

/** Goes north at 1.4 m/s for so many fixes, a second apart; the phone's clock goes along. */
async function walk(seconds: number): Promise<void> {
  await vi.waitFor(() => expect(report).toBeDefined());
  for (let i = 0; i < seconds; i += 1) {
    second += 1;
    const timestamp = startedAt + second * 1000;
    vi.setSystemTime(timestamp);
    const latitude = HOME.lat + (second * 1.4) / 111_413;
    const coords = { latitude, longitude: HOME.lng, accuracy: 5, altitude: null };
    report?.({ timestamp, coords } as GeolocationPosition);
  }
  await vi.waitFor(() => expect(tracker.trackedWalk()?.walk.last_fix_at).toBe(startedAt + second * 1000));
}

/** Starts a walk with the dogs of these clients, each with a service; the ids of those. */
async function start(...clients: Client[]): Promise<string[]> {
  const pets = clients.map((it) => aPet(it, { name: `Dog of ${it.name}` }));
  await openPhone(clients.flatMap((it, at) => rowsOf(it, ...pets.slice(at, at + 1))));
  const date = business().phone.today(Date.now());
  const services = clients.map((it, at) => aService(it, pets[at] as (typeof pets)[number], { date }));
  await pullConfirmed(...services.map((d) => ({ t: "service", d })));
  const dogs = { dogs: pets.map((it) => it.name), dog_ids: pets.map((it) => it.id) };
  const names = clients.map((it) => it.name);
  const ids = services.map((it) => it.id);
  await tracker.startWalk({ title: "Round", service_id: ids[0], client_names: names, ...dogs });
  const running = tracker.trackedWalk();
  if (!running) throw new Error("no walk");
  for (const [at, id] of ids.entries()) {
    if (at > 0) {
      const also = { service_id: id, client_names: names.slice(at, at + 1), dogs: dogs.dogs.slice(at, at + 1) };
      await tracker.walkAlso({ title: "Round", ...also, dog_ids: dogs.dog_ids.slice(at, at + 1) });
    }
  }
  await render(
    <At path="/walk">
      <Suspense>
        <ActiveWalkScreen />
      </Suspense>
      <ConfirmHost />
      <ToastHost />
    </At>,
  );
  return ids;
}

const inPortal = (name: string, home: Partial<Client> = {}): Client =>
  aClient({ name, client_user_id: newId(), ...home });

const ask = () => page.getByRole("button", { name: "Show the live map" }).click();
const question = () => page.getByRole("dialog", { name: "Show the live map?" });

async function show(): Promise<void> {
  await ask();
  await question().getByRole("button", { name: "Show map" }).click();
  await expect.element(question()).not.toBeInTheDocument();
}

const updates = () => calls.filter((it) => it.method === "PUT");
const ends = () => calls.filter((it) => it.method === "DELETE");

test("nothing is sent before the sitter says so, and nothing once it is stopped", async () => {
  const [service] = await start(inPortal("Mikko"));
  await walk(60);
  expect(calls).toEqual([]);
  await ask();
  await expect.element(question()).toHaveTextContent("Mikko sees where you walk, until this walk ends.");
  // In one line on a phone.
  for (const name of ["Cancel", "Show map"]) {
    const button = question().getByRole("button", { name }).element();
    expect(button.getBoundingClientRect().height).toBe(48);
  }
  await question().getByRole("button", { name: "Cancel" }).click();
  await expect.element(question()).not.toBeInTheDocument();
  await walk(5);
  expect(calls).toEqual([]);

  await show();
  await expect.element(page.getByText("Mikko sees nothing yet")).toBeVisible();
  await walk(2);
  await expect.element(page.getByText("Mikko sees where you walk")).toBeVisible();
  const [first] = updates();
  expect(first?.path).toBe(`/api/scheduled-services/${service}/live-map`);
  const line = first?.body?.lines.flatMap((it) => lineOf(it.points)) ?? [];
  // 65 seconds at 1.4 m/s: what lies behind is not in it.
  for (const it of line) expect(it.lat_e7).toBeGreaterThan((HOME.lat + 85 / 111_413) * 1e7);
  await walk(10);
  expect(updates()).toHaveLength(1);
  await walk(12);
  await vi.waitFor(() => expect(updates()).toHaveLength(2));

  await page.getByRole("button", { name: "Stop the live map" }).click();
  await vi.waitFor(() => expect(ends()).toHaveLength(1));
  expect(ends()[0]?.path).toContain(`map_id=${first?.body?.map_id}`);
  await expect.element(page.getByRole("button", { name: "Show the live map" })).toBeVisible();
  await walk(45);
  expect(updates()).toHaveLength(2);
});

test("the live map ends with the walk, and is off when the walk goes on", async () => {
  await start(inPortal("Mikko"));
  await show();
  await walk(3);
  await vi.waitFor(() => expect(updates()).toHaveLength(1));
  await tracker.end();
  await vi.waitFor(() => expect(ends()).toHaveLength(1));
  await vi.waitFor(() => expect(tracker.trackedWalk()?.row.live_map).toBeUndefined());
  await tracker.resume();
  await walk(45);
  expect(updates()).toHaveLength(1);
});

test("no client is sent a position near the home of another one", async () => {
  const [mikkos] = await start(inPortal("Mikko"), inPortal("Dana", HOME));
  await ask();
  await expect.element(question()).toHaveTextContent("Mikko sees where you walk");
  await expect.element(question()).toHaveTextContent("within about 500 ft of another client's home");
  await expect.element(question()).toHaveTextContent("Dana cannot be shown it");
  await question().getByRole("button", { name: "Show map" }).click();
  await expect.element(question()).not.toBeInTheDocument();
  await walk(100);
  expect(calls).toEqual([]);
  await expect.element(page.getByText("Mikko sees nothing yet")).toBeVisible();
  await walk(20);
  await vi.waitFor(() => expect(updates()).toHaveLength(1));
  expect(updates()[0]?.path).toContain(mikkos);
  const line = updates()[0]?.body?.lines.flatMap((it) => lineOf(it.points)) ?? [];
  for (const it of line) expect(it.lat_e7).toBeGreaterThan((HOME.lat + 149 / 111_413) * 1e7);
});

test("a client outside the portal is not offered, and sees nothing", async () => {
  await start(aClient({ name: "Kim" }));
  await walk(2);
  await expect.element(page.getByText("Hold to end")).toBeVisible();
  expect(page.getByRole("button", { name: "Show the live map" }).query()).toBeNull();
});

test("a stop without a network says that it waits, and that nothing more is sent", async () => {
  await start(inPortal("Mikko"));
  await show();
  await walk(3);
  await expect.element(page.getByText("Mikko sees where you walk")).toBeVisible();
  isOnline = false;
  await walk(25);
  await expect
    .element(page.getByText(/^No connection: Mikko sees your last position, for 30 min at most/))
    .toBeVisible();
  await page.getByRole("button", { name: "Stop the live map" }).click();
  await expect.element(page.getByText(/The live map stops when this .* Nothing more is sent\./)).toBeVisible();
  isOnline = true;
  await endLiveMap([]);
  expect(ends()).toHaveLength(1);
  await expect.element(page.getByText(/The live map stops/)).not.toBeInTheDocument();
  expect(updates()).toHaveLength(1);
});

async function storedRow(): Promise<WalkRow | undefined> {
  const [row] = (await business().store.run((db) => db.getAll("walks"))) as unknown as WalkRow[];
  return row;
}

const storedEnds = async () => (await storedRow())?.live_map_ends ?? [];
/** Ends that are kept without their walk. */
const endsApart = async () => (await userOnThisPhone(business().store.userId))?.live_map_ends ?? [];

test("a stop without a network waits on the disk, and is sent after a reload", async () => {
  const [service] = await start(inPortal("Mikko"));
  await show();
  await walk(3);
  await vi.waitFor(() => expect(updates()).toHaveLength(1));
  const map = updates()[0]?.body?.map_id ?? "";
  isOnline = false;
  await page.getByRole("button", { name: "Stop the live map" }).click();
  await vi.waitFor(async () => expect(await storedEnds()).toMatchObject([{ map_id: map, service_id: service }]));
  // What this tab has in memory is gone with it; the next one knows the disk alone.
  isOnline = true;
  await endLiveMap([]);
  await vi.waitFor(async () => expect(await storedEnds()).toEqual([]));
  const again = { map_id: newId(), service_id: service as string, until: Date.now() + 60_000 };
  await putWalk({ ...(tracker.trackedWalk() as tracker.TrackedWalk).row, live_map_ends: [again] });
  await vi.waitFor(() => expect(ends()).toHaveLength(2));
  expect(ends()[1]?.path).toBe(`/api/scheduled-services/${service}/live-map?map_id=${again.map_id}`);
  await vi.waitFor(async () => expect(await storedEnds()).toEqual([]));
});

test("a stop counts where the disk refuses it, and is stored later", async () => {
  await start(inPortal("Mikko"));
  await show();
  await walk(3);
  await vi.waitFor(() => expect(updates()).toHaveLength(1));
  const later: (() => void)[] = [];
  const wait = window.setTimeout.bind(window);
  const held = (then: () => void, ms = 0) => (ms === 20_000 ? later.push(then) : wait(then, ms));
  vi.spyOn(window, "setTimeout").mockImplementation(held as typeof window.setTimeout);
  vi.spyOn(business().store, "run").mockRejectedValueOnce(new Error("The disk is full."));
  await page.getByRole("button", { name: "Stop the live map" }).click();
  await expect.element(page.getByText(/^The live map is off, but this .* could not store that\./)).toBeVisible();
  await vi.waitFor(() => expect(ends()).toHaveLength(1));
  expect(tracker.trackedWalk()?.row.live_map).toBeUndefined();
  await expect.element(page.getByRole("button", { name: "Show the live map" })).toBeVisible();
  await walk(45);
  expect(updates()).toHaveLength(1);
  expect((await storedRow())?.live_map).toBeDefined();
  for (const then of later) then();
  await vi.waitFor(async () => expect((await storedRow())?.live_map).toBeUndefined());
});

test("a stop is not undone by a change of the walk that was under way", async () => {
  await start(inPortal("Mikko"));
  await show();
  await vi.waitFor(() => expect(tracker.trackedWalk()?.row.live_map).toBeDefined());
  const report = { dog_ids: [], show_map: true, notes: {}, events: {} };
  const changing = tracker.keepReport(report);
  await Promise.all([changing, stopLiveMap()]);
  for (const row of [tracker.trackedWalk()?.row, await storedRow()]) {
    expect(row).toMatchObject({ report });
    expect(row?.live_map).toBeUndefined();
  }
});

test("the end of a live map outlives its walk, and is sent after a reload", async () => {
  const [service] = await start(inPortal("Mikko"));
  await signInOnPhone();
  await show();
  await walk(3);
  await vi.waitFor(() => expect(updates()).toHaveLength(1));
  isOnline = false;
  await page.getByRole("button", { name: "Stop the live map" }).click();
  await vi.waitFor(async () => expect(await storedEnds()).toHaveLength(1));
  await tracker.discardWalk();
  expect(await storedRow()).toBeUndefined();
  expect(await endsApart()).toMatchObject([{ map_id: updates()[0]?.body?.map_id, service_id: service }]);
  isOnline = true;
  await endLiveMap([]);
  await vi.waitFor(async () => expect(await endsApart()).toEqual([]));
  // The next tab knows the disk alone.
  const again = { map_id: newId(), service_id: service as string, until: Date.now() + 60_000 };
  await changeUser(business().store.userId, () => ({ live_map_ends: [again] }));
  await render(<LiveMapEnds />);
  await refresh();
  await vi.waitFor(() => expect(ends()).toHaveLength(2));
  expect(ends()[1]?.path).toContain(again.map_id);
  await vi.waitFor(async () => expect(await endsApart()).toEqual([]));
});

test("the end of a live map is sent while the tab shows the pet parent's side", async () => {
  await start(inPortal("Mikko"));
  await signInOnPhone();
  await show();
  await walk(3);
  await vi.waitFor(() => expect(updates()).toHaveLength(1));
  isOnline = false;
  await tracker.end();
  await vi.waitFor(async () => expect(await storedEnds()).toHaveLength(1));
  await tracker.discardWalk();
  await cleanup();
  const own = business();
  const place = { sitter_id: newId(), client_id: newId() };
  const other = await OpenBusiness.open(own.store.userId, place);
  setOpenBusiness(other);
  isOnline = true;
  await endLiveMap([]);
  expect(ends()).toHaveLength(1);
  setOpenBusiness(own);
  await other.close();
});

test("a live map that another device has replaced says so and is off", async () => {
  await start(inPortal("Mikko"));
  await show();
  taken = { is_shown: false, is_replaced: true };
  await walk(3);
  await expect.element(page.getByText("The live map is off here: another device shows this walk now")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Show the live map" })).toBeVisible();
  expect(updates()).toHaveLength(1);
});

test("near a hidden home what to send is worked out every few seconds, not with every position", async () => {
  await start(inPortal("Mikko"), inPortal("Dana", HOME));
  const compute = vi.spyOn(WalkRecording.prototype, "liveMapUpdate");
  await show();
  for (let i = 0; i < 40; i += 1) await walk(1);
  // Every 5 seconds for Mikko, to whom alone it is shown.
  expect(compute.mock.calls.length).toBeGreaterThanOrEqual(6);
  expect(compute.mock.calls.length).toBeLessThan(12);
  expect(calls).toEqual([]);
});

test("a client is not said to see what the server shows no longer", async () => {
  await start(inPortal("Mikko"));
  await show();
  await walk(3);
  await expect.element(page.getByText("Mikko sees where you walk")).toBeVisible();
  isOnline = false;
  second += 31 * 60;
  await walk(1);
  await expect.element(page.getByText("No connection: Mikko may not see it yet")).toBeVisible();
});

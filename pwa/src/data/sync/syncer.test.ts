/**
 * The loop that sends and fetches, with the real core, the real store in the browser's own database, and a stand-in
 * for the server at `fetch`. Time stands still but where a test moves it.
 */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  aTask,
  type Fault,
  fillDisk,
  fillSessionDisk,
  idle,
  Socket,
  StandInServer,
  saveOffering,
  shown,
  signal,
  until,
} from "../../../test/support/testing";
import { newId } from "../../core";
import { OpenBusiness } from "../business/openBusiness";
import { currentSession, onSession, setSession } from "../session/session";
import type { SessionUser } from "../session/sessionDb";
import { deleteUserDb, type StoredPhoto } from "../store/db";
import { Syncer } from "./syncer";

let server: StandInServer;
let me: SessionUser;
let tabs: OpenBusiness[] = [];
let syncers: Syncer[] = [];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  server = await StandInServer.start();
  me = server.addSitter("mara");
  await setSession(server.session(me));
});

afterEach(async () => {
  await Promise.all(syncers.map((it) => it.stop()));
  await Promise.all(tabs.map((it) => it.close()));
  tabs = [];
  syncers = [];
  await setSession(undefined);
  await deleteUserDb(me.id);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A tab that shows what the phone has, and sends nothing. */
async function openTab(): Promise<OpenBusiness> {
  const tab = await OpenBusiness.open(me.id);
  tabs.push(tab);
  return tab;
}

/** Begins to keep a tab in step with the server. */
function keepInStep(tab: OpenBusiness): Syncer {
  const syncer = new Syncer(tab);
  syncers.push(syncer);
  return syncer;
}

/** A tab that has all that the server has. */
async function tabInStep(): Promise<{ tab: OpenBusiness; syncer: Syncer }> {
  const tab = await openTab();
  const syncer = keepInStep(tab);
  await idle(syncer);
  return { tab, syncer };
}

/** Lets so much time go by, and what is due then come to its end. */
async function pass(ms: number, syncer: Syncer): Promise<void> {
  vi.advanceTimersByTime(ms);
  await idle(syncer);
}

/** Reads the state that the phone would show after its browser was killed. */
async function onDisk(): Promise<{ shown: string[]; pending: number; attention: number }> {
  const opened = await openTab();
  const { phone } = opened;
  return {
    shown: shown(opened),
    pending: phone.pendingCount(),
    attention: phone.attentionCount(),
  };
}

/** A phone on which two tabs have an unsent change each, with a network that comes back. */
async function twoTabsWithWork(): Promise<{ tabs: [OpenBusiness, OpenBusiness]; syncers: [Syncer, Syncer] }> {
  const one = await tabInStep();
  const two = await tabInStep();
  server.isReachable = false;
  await saveOffering(one.tab, "Walk");
  await saveOffering(two.tab, "Visit");
  for (const { tab, syncer } of [one, two]) {
    await until(tab.subscribe, () => tab.phone.pendingCount() === 2);
    await idle(syncer);
  }
  server.isReachable = true;
  server.sent.length = 0;
  return { tabs: [one.tab, two.tab], syncers: [one.syncer, two.syncer] };
}

test("a saved change is shown all the way, and waits until the feed and not the answer confirms it", async () => {
  const { tab, syncer } = await tabInStep();
  const feed = server.delayAnswer("/sync/pull");
  await saveOffering(tab, "Walk");
  await feed.reached;
  expect(server.offerings(me)).toEqual(["Walk"]);
  expect(tab.phone.pendingCount()).toBe(1);
  expect(shown(tab)).toEqual(["Walk"]);
  feed.release();
  await idle(syncer);
  expect(tab.phone.pendingCount()).toBe(0);
  expect(shown(tab)).toEqual(["Walk"]);
  expect(server.pushes()).toHaveLength(1);
  expect(await onDisk()).toEqual({ shown: ["Walk"], pending: 0, attention: 0 });
});

test("what was saved is painted before anything of it is sent", async () => {
  const { tab, syncer } = await tabInStep();
  const sentBefore: number[] = [];
  const next = window.requestAnimationFrame.bind(window);
  const frames = vi.spyOn(window, "requestAnimationFrame").mockImplementation((callback) => {
    sentBefore.push(server.pushes().length);
    return next(callback);
  });
  await saveOffering(tab, "Walk");
  expect(shown(tab)).toEqual(["Walk"]);
  await idle(syncer);
  frames.mockRestore();
  // The frame that shows it, and the one by which it has been shown.
  expect(sentBefore.slice(0, 2)).toEqual([0, 0]);
  expect(server.pushes()).toHaveLength(1);
});

test("a change whose answer was lost is sent again under its name, and done once", async () => {
  const { tab, syncer } = await tabInStep();
  server.fail("/sync/push", "answer lost");
  await saveOffering(tab, "Walk");
  await idle(syncer);
  expect(server.offerings(me)).toEqual(["Walk"]);
  expect(tab.phone.pendingCount()).toBe(1);
  expect(syncer.status.online).toBe(false);
  await pass(1_000, syncer);
  const [first, second] = server.pushes();
  expect(second).toEqual(first);
  expect(server.offerings(me)).toEqual(["Walk"]);
  expect(await onDisk()).toEqual({ shown: ["Walk"], pending: 0, attention: 0 });
  const calm = { online: true, busy: false, updateRequired: false, trouble: undefined, waitsForWifi: false };
  expect(syncer.status).toMatchObject(calm);
});

test("a refusal whose answer was lost waits in Needs attention with the person's words", async () => {
  const id = newId();
  server.run(me, { name: "create_offering", args: { id, offering: { name: "Walk" } } });
  const { tab, syncer } = await tabInStep();
  server.run(me, { name: "delete_offering", args: { id } });
  server.fail("/sync/push", "answer lost");
  await tab.save({ name: "update_offering", args: { id, changes: { name: "Long walk" } } }, "Change: Walk");
  await idle(syncer);
  expect(shown(tab)).toEqual(["Long walk"]);
  await pass(1_000, syncer);
  expect(shown(tab)).toEqual([]);
  expect(tab.phone.attention()).toMatchObject([
    {
      entry: { sentence: "Change: Walk", mutation: { args: { id, changes: { name: "Long walk" } } } },
      outcome: { outcome: "rejected", refusal: { code: "gone" } },
    },
  ]);
  expect(await onDisk()).toEqual({ shown: [], pending: 0, attention: 1 });
});

test("a tab that is killed between the answer and the feed has done nothing twice when it is back", async () => {
  const { tab, syncer } = await tabInStep();
  const feed = server.delayAnswer("/sync/pull");
  await saveOffering(tab, "Walk");
  await feed.reached;
  await syncer.stop();
  expect(await onDisk()).toEqual({ shown: ["Walk"], pending: 1, attention: 0 });
  const again = await tabInStep();
  expect(server.pushes().map((it) => it.seqs)).toEqual([[1], [1]]);
  expect(server.offerings(me)).toEqual(["Walk"]);
  expect(shown(again.tab)).toEqual(["Walk"]);
  expect(again.tab.phone.pendingCount()).toBe(0);
});

test("a change that is saved while a push is under way is sent after it", async () => {
  const { tab, syncer } = await tabInStep();
  const answer = server.delayAnswer("/sync/push");
  await saveOffering(tab, "Walk");
  await answer.reached;
  await saveOffering(tab, "Visit");
  expect(server.pushes()).toHaveLength(1);
  answer.release();
  await idle(syncer);
  expect(server.pushes().map((it) => it.seqs)).toEqual([[1], [2]]);
  expect(server.offerings(me)).toEqual(["Walk", "Visit"]);
  expect(tab.phone.pendingCount()).toBe(0);
});

test("more than a push may hold goes in several, in order", async () => {
  const { tab, syncer } = await tabInStep();
  server.isReachable = false;
  for (let n = 1; n <= 60; n += 1) await saveOffering(tab, `Walk ${n}`);
  await idle(syncer);
  server.isReachable = true;
  server.sent.length = 0;
  await pass(60_000, syncer);
  const seqs = server.pushes().map((it) => it.seqs);
  expect(seqs.map((it) => it.length)).toEqual([50, 10]);
  expect(seqs.flat()).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
  expect(await onDisk()).toMatchObject({ pending: 0 });
});

test("a token that is turned down takes nothing away, and nothing is sent until there is another", async () => {
  const { tab, syncer } = await tabInStep();
  server.endSessions();
  await saveOffering(tab, "Walk");
  await until(onSession, () => currentSession().state === "needs_auth");
  await idle(syncer);
  const before = server.sent.length;
  await saveOffering(tab, "Visit");
  await pass(600_000, syncer);
  dispatchEvent(new Event("online"));
  await idle(syncer);
  expect(server.sent).toHaveLength(before);
  expect(shown(tab)).toEqual(["Walk", "Visit"]);
  expect(await onDisk()).toEqual({ shown: ["Walk", "Visit"], pending: 2, attention: 0 });

  const session = server.session(me);
  await setSession(session);
  syncer.wake();
  await idle(syncer);
  expect(server.pushes().at(-1)).toMatchObject({ token: session.token, seqs: [1, 2] });
  expect(server.offerings(me)).toEqual(["Walk", "Visit"]);
  expect(tab.phone.pendingCount()).toBe(0);
});

test("a server that is too new for this build is told of no change, and every change is kept", async () => {
  const { tab, syncer } = await tabInStep();
  server.isTooNew = true;
  await saveOffering(tab, "Walk");
  await idle(syncer);
  expect(syncer.status.updateRequired).toBe(true);
  await saveOffering(tab, "Visit");
  await pass(600_000, syncer);
  expect(server.pushes()).toHaveLength(1);
  expect(await onDisk()).toEqual({ shown: ["Walk", "Visit"], pending: 2, attention: 0 });
});

test("with nothing to send, too, the app hears that it is too old", async () => {
  const { syncer } = await tabInStep();
  server.isTooNew = true;
  await pass(30_000, syncer);
  expect(syncer.status.updateRequired).toBe(true);
});

test.each<[string, Fault, boolean]>([
  ["no network", "no network", false],
  ["a server that cannot now", { status: 503, code: "unavailable" }, true],
  ["a server that has had enough", { status: 429, code: "too_many_requests" }, true],
  ["a page of the hotel's network in place of an answer", { status: 200, body: "<p>Room number?</p>" }, false],
  ["something that is no answer", { status: 200, body: "{}" }, false],
  ["a hotel's network that wants a password", { status: 401, body: "<p>Room number?</p>" }, false],
  ["a proxy that says in its own words that the server is down", { status: 502, body: "<p>nginx</p>" }, true],
])("%s is tried again after longer and longer, and then all goes on", async (_, fault, online) => {
  const { tab, syncer } = await tabInStep();
  const sight = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  const waits = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000];
  server.fail("/sync/push", ...waits.map(() => fault));
  // Nothing at all goes through a hotel's network.
  if (!online && fault !== "no network") server.fail("/sync/pull", ...waits.map(() => fault));
  await saveOffering(tab, "Walk");
  await idle(syncer);
  for (const [n, ms] of waits.entries()) {
    expect(syncer.status).toMatchObject({ online, trouble: expect.stringMatching(/./) as string });
    await pass(ms - 1, syncer);
    expect(server.pushes()).toHaveLength(n + 1);
    await pass(1, syncer);
    expect(server.pushes()).toHaveLength(n + 2);
  }
  expect(syncer.status).toMatchObject({ online: true, trouble: undefined });
  expect(tab.phone.pendingCount()).toBe(0);
  expect(server.offerings(me)).toEqual(["Walk"]);

  server.fail("/sync/pull", fault);
  await pass(30_000, syncer);
  const polls = server.sentTo("/sync/pull").length;
  await pass(1_000, syncer);
  expect(server.sentTo("/sync/pull")).toHaveLength(polls + 1);
  expect(syncer.status.trouble).toBeUndefined();
  sight.mockRestore();
});

test.each([403, 404, 409])(
  "what is refused with %d is tried again with the poll, and the feed comes all the same",
  async (status) => {
    const { tab, syncer } = await tabInStep();
    server.run(me, { name: "create_offering", args: { id: newId(), offering: { name: "Visit" } } });
    server.fail("/sync/push", { status, code: "no" }, { status, code: "no" });
    await saveOffering(tab, "Walk");
    await idle(syncer);
    expect(shown(tab).toSorted()).toEqual(["Visit", "Walk"]);
    expect(syncer.status).toMatchObject({ online: true, trouble: expect.stringMatching(/./) as string });
    await pass(29_999, syncer);
    expect(server.pushes()).toHaveLength(1);
    await pass(1, syncer);
    await pass(30_000, syncer);
    expect(server.pushes()).toHaveLength(3);
    expect(tab.phone.pendingCount()).toBe(0);
  },
);

test("who is asked for patience comes after it, and not before", async () => {
  const { tab, syncer } = await tabInStep();
  server.fail("/sync/push", { status: 429, code: "too_many_requests", retryAfterS: 20 });
  await saveOffering(tab, "Walk");
  await idle(syncer);
  await pass(19_999, syncer);
  expect(server.pushes()).toHaveLength(1);
  await pass(1, syncer);
  expect(server.offerings(me)).toEqual(["Walk"]);
});

test("a full phone that cannot note that the token is good goes on", async () => {
  const makeRoom = fillSessionDisk();
  const { tab, syncer } = await tabInStep();
  expect(syncer.status).toMatchObject({ busy: false, trouble: undefined });
  server.run(me, { name: "create_offering", args: { id: newId(), offering: { name: "Walk" } } });
  await pass(30_000, syncer);
  expect(shown(tab)).toEqual(["Walk"]);
  makeRoom();
});

test("a full phone that cannot note that the token is turned down hears it again", async () => {
  const { syncer } = await tabInStep();
  const makeRoom = fillSessionDisk();
  server.endSessions();
  await pass(30_000, syncer);
  expect(syncer.status).toMatchObject({ busy: false, trouble: expect.stringMatching(/./) as string });
  makeRoom();
  await pass(1_000, syncer);
  await until(onSession, () => currentSession().state === "needs_auth");
});

test("a network that comes back is used at once", async () => {
  const { tab, syncer } = await tabInStep();
  server.isReachable = false;
  await saveOffering(tab, "Walk");
  await idle(syncer);
  server.isReachable = true;
  dispatchEvent(new Event("online"));
  await idle(syncer);
  expect(tab.phone.pendingCount()).toBe(0);
});

test("while the phone is looked at a server that is back is noticed within ten seconds, else within a minute", async () => {
  const { syncer } = await tabInStep();
  const sight = vi.spyOn(document, "visibilityState", "get").mockReturnValue("visible");
  server.isReachable = false;
  syncer.wake();
  await idle(syncer);
  // Longer and longer, until it is long.
  for (let round = 0; round < 8; round += 1) await pass(10_000, syncer);
  server.isReachable = true;
  await pass(10_000, syncer);
  expect(syncer.status.online).toBe(true);

  server.isReachable = false;
  sight.mockReturnValue("hidden");
  syncer.wake();
  await idle(syncer);
  for (let round = 0; round < 8; round += 1) await pass(60_000, syncer);
  server.isReachable = true;
  await pass(10_000, syncer);
  expect(syncer.status.online).toBe(false);
  await pass(50_000, syncer);
  expect(syncer.status.online).toBe(true);
  sight.mockRestore();
});

test("a request that hangs since the server was away is begun anew when the phone is looked at", async () => {
  const { syncer } = await tabInStep();
  server.isReachable = false;
  syncer.wake();
  await idle(syncer);
  const hangs = vi.spyOn(globalThis, "fetch").mockImplementationOnce(
    (_, init) =>
      new Promise((_, fail) => {
        init?.signal?.addEventListener("abort", () => fail(new DOMException("left", "AbortError")));
      }),
  );
  syncer.wake();
  await vi.waitFor(() => expect(hangs).toHaveBeenCalled());
  server.isReachable = true;
  document.dispatchEvent(new Event("visibilitychange"));
  await idle(syncer);
  expect(syncer.status.online).toBe(true);
  hangs.mockRestore();
});

test("a disk that is full when the feed comes loses nothing: it is fetched again", async () => {
  server.run(me, { name: "create_offering", args: { id: newId(), offering: { name: "Walk" } } });
  const tab = await openTab();
  const makeRoom = fillDisk();
  const syncer = keepInStep(tab);
  await idle(syncer);
  makeRoom();
  expect(shown(tab)).toEqual([]);
  expect(syncer.status).toMatchObject({ busy: false, trouble: "This phone could not store that. Is it full?" });
  await pass(1_000, syncer);
  expect(shown(tab)).toEqual(["Walk"]);
  expect(syncer.status.trouble).toBeUndefined();
});

test("a tab that rests sends nothing, and after that what was saved meanwhile", async () => {
  const { tab, syncer } = await tabInStep();
  server.sent.length = 0;
  await syncer.rest(2_000);
  await saveOffering(tab, "Walk");
  syncer.wake();
  expect(syncer.status.busy).toBe(false);
  expect(paths()).toEqual([]);
  await pass(2_000, syncer);
  expect(paths()).toEqual(["/sync/push", "/sync/pull"]);
  expect(tab.phone.pendingCount()).toBe(0);
});

test("who signs out while a tab rests has all sent before", async () => {
  const { tab, syncer } = await tabInStep();
  await syncer.rest(2_000);
  await saveOffering(tab, "Walk");
  expect(await syncer.flush()).toBe(true);
  expect(tab.phone.pendingCount()).toBe(0);
});

async function saveClientWithPhoto(tab: OpenBusiness): Promise<StoredPhoto> {
  const photo = { id: newId(), full: new Blob(["photo"], { type: "image/jpeg" }), waiting: true, stored_at: 0 };
  const dogs = [{ id: newId(), is_new: true, changes: { name: "Rex", photo: photo.id } }];
  const command = { name: "create_client", args: { id: newId(), client: { name: "Dana" }, dogs } } as const;
  expect(await tab.save(command, "Add Dana", { photos: [photo] })).toMatchObject({ ok: true });
  return photo;
}

const paths = () => server.sent.map((it) => it.path).filter((it) => !it.startsWith("/realtime"));

test("a photo is sent before the change that names it, and once", async () => {
  const { tab, syncer } = await tabInStep();
  server.sent.length = 0;
  const photo = await saveClientWithPhoto(tab);
  await idle(syncer);
  expect(paths()).toEqual(["/upload", "/sync/push", "/sync/pull"]);
  const sent = server.sentTo("/upload")[0]?.body as FormData;
  expect(sent.get("id")).toBe(photo.id);
  expect(await (sent.get("photo") as File).text()).toBe("photo");
  expect(await onDisk()).toMatchObject({ pending: 0, attention: 0 });
  expect(await tab.store.getPhoto(photo.id)).toMatchObject({ waiting: false });
  await saveClientWithPhoto(tab);
  await idle(syncer);
  expect(server.sentTo("/upload")).toHaveLength(2);
});

test("a photo that was sent by a tab that is gone is not sent again", async () => {
  const { tab, syncer } = await tabInStep();
  server.fail("/sync/push", "no network");
  await saveClientWithPhoto(tab);
  await idle(syncer);
  await syncer.stop();
  const again = await tabInStep();
  expect(again.tab.phone.pendingCount()).toBe(0);
  expect(server.sentTo("/upload")).toHaveLength(1);
});

test("a photo that the network loses holds what names it and what follows", async () => {
  const { tab, syncer } = await tabInStep();
  server.fail("/upload", "no network", "no network");
  await saveClientWithPhoto(tab);
  await saveOffering(tab, "Walk");
  await idle(syncer);
  expect(server.pushes()).toEqual([]);
  expect(syncer.status.trouble).toEqual(expect.stringMatching(/./));
  expect(await onDisk()).toMatchObject({ pending: 2 });
  await pass(60_000, syncer);
  expect(server.pushes().map((it) => it.seqs)).toEqual([[1, 2]]);
  expect(await onDisk()).toMatchObject({ pending: 0, attention: 0 });
});

test("pages are shown together when the last has come, and a pull that breaks off begins anew", async () => {
  for (const name of ["Walk", "Visit", "Bath"]) {
    server.run(me, { name: "create_offering", args: { id: newId(), offering: { name } } });
  }
  server.pageSize = 1;
  const pages = Array.from({ length: 5 }, () => server.delayAnswer("/sync/pull"));
  const give = async (n: number) => {
    await pages[n]?.reached;
    expect(shown(tab)).toEqual([]);
    pages[n]?.release();
  };
  const tab = await openTab();
  const syncer = keepInStep(tab);
  await give(0);
  await pages[1]?.reached;
  server.isReachable = false;
  await give(1);
  await idle(syncer);
  expect(await onDisk()).toMatchObject({ shown: [] });

  server.isReachable = true;
  vi.advanceTimersByTime(1_000);
  for (const n of [2, 3, 4]) await give(n);
  await idle(syncer);
  expect(server.sentTo("/sync/pull").map((it) => it.query.get("cursor"))).toEqual(["0", "1", "2", "0", "1", "2"]);
  expect(shown(tab)).toEqual(["Walk", "Visit", "Bath"]);
  expect(await onDisk()).toMatchObject({ shown: ["Walk", "Visit", "Bath"] });
});

test("what a server that was restored from a backup no longer knows is numbered anew and sent again", async () => {
  const { tab, syncer } = await tabInStep();
  await saveOffering(tab, "Walk");
  await idle(syncer);
  const restore = server.backUp();
  server.fail("/sync/pull", "no network");
  await saveOffering(tab, "Visit"); // decided, and not confirmed
  await idle(syncer);
  server.fail("/sync/push", "no network");
  const photo = await saveClientWithPhoto(tab); // of which the photo has arrived
  await idle(syncer);
  const [before] = server.pushes();
  expect(server.photos(me)).toEqual([photo.id]);

  restore();
  expect(server.offerings(me)).toEqual(["Walk"]);
  expect(server.photos(me)).toEqual([]);
  await pass(60_000, syncer);
  await pass(30_000, syncer);
  expect(server.offerings(me)).toEqual(["Walk", "Visit"]);
  expect(server.photos(me)).toEqual([photo.id]);
  const last = server.pushes().at(-1);
  expect(last?.seqs).toEqual([1, 2]);
  expect(last?.device_id).not.toBe(before?.device_id);
  expect(shown(tab)).toEqual(["Walk", "Visit"]);
  expect(await onDisk()).toEqual({ shown: ["Walk", "Visit"], pending: 0, attention: 0 });
  await saveOffering(tab, "Bath");
  await idle(syncer);
  expect(server.pushes().at(-1)?.seqs).toEqual([3]);
});

test("of two tabs one sends at a time", async () => {
  const { tabs, syncers } = await twoTabsWithWork();
  const answer = server.delayAnswer("/sync/push");
  for (const syncer of syncers) syncer.wake();
  await answer.reached;
  await aTask();
  expect(paths()).toEqual(["/sync/push"]);
  answer.release();
  for (const syncer of syncers) await idle(syncer);
  for (const tab of tabs) await until(tab.subscribe, () => tab.phone.pendingCount() === 0);
  expect(server.offerings(me)).toEqual(["Walk", "Visit"]);
  for (const tab of tabs) expect(shown(tab)).toEqual(["Walk", "Visit"]);
});

test("two tabs that both send, without a lock, lose nothing and do nothing twice", async () => {
  vi.spyOn(navigator, "locks", "get").mockReturnValue(undefined as unknown as LockManager);
  const { tabs, syncers } = await twoTabsWithWork();
  const pushes = [server.delayAnswer("/sync/push"), server.delayAnswer("/sync/push")];
  const pulls = [server.delayAnswer("/sync/pull"), server.delayAnswer("/sync/pull")];
  for (const syncer of syncers) syncer.wake();
  for (const answers of [pushes, pulls]) {
    for (const { reached } of answers) await reached;
    for (const { release } of answers) release();
  }
  for (const syncer of syncers) await idle(syncer);
  for (const tab of tabs) await until(tab.subscribe, () => tab.phone.pendingCount() === 0);
  expect(server.pushes().map((it) => it.seqs)).toEqual([
    [1, 2],
    [1, 2],
  ]);
  expect(server.offerings(me)).toEqual(["Walk", "Visit"]);
  for (const tab of tabs) expect(shown(tab)).toEqual(["Walk", "Visit"]);
  expect(await onDisk()).toEqual({ shown: ["Walk", "Visit"], pending: 0, attention: 0 });
});

test.each(["/sync/push", "/sync/pull"])(
  "an answer of %s to what another tab has numbered anew counts for nothing",
  async (path) => {
    vi.spyOn(navigator, "locks", "get").mockReturnValue(undefined as unknown as LockManager);
    server.run(me, { name: "create_offering", args: { id: newId(), offering: { name: "Walk" } } });
    const one = await tabInStep();
    const two = await tabInStep();
    const restore = server.backUp();
    const late = server.delayAnswer(path);
    await saveOffering(one.tab, "Visit");
    await late.reached;
    await until(two.tab.subscribe, () => two.tab.phone.pendingCount() === 1);

    restore();
    const before = one.tab.phone;
    two.syncer.wake();
    await idle(two.syncer);
    await until(one.tab.subscribe, () => one.tab.phone !== before);
    late.release();
    await idle(one.syncer);
    expect(one.syncer.status.trouble).toBeUndefined();
    await pass(30_000, one.syncer);
    for (const { tab, syncer } of [one, two]) {
      expect(syncer.status.trouble).toBeUndefined();
      await until(tab.subscribe, () => tab.phone.pendingCount() === 0);
      expect(shown(tab)).toEqual(["Walk", "Visit"]);
    }
    expect(server.offerings(me)).toEqual(["Walk", "Visit"]);
    expect(await onDisk()).toEqual({ shown: ["Walk", "Visit"], pending: 0, attention: 0 });
  },
);

test("an answer of the feed that another tab has overtaken takes nothing back", async () => {
  vi.spyOn(navigator, "locks", "get").mockReturnValue(undefined as unknown as LockManager);
  const one = await tabInStep();
  const two = await tabInStep();
  const id = newId();
  server.run(me, { name: "create_offering", args: { id, offering: { name: "Walk" } } });
  const late = server.delayAnswer("/sync/pull");
  one.syncer.wake();
  await late.reached;
  server.run(me, { name: "update_offering", args: { id, changes: { name: "Long walk" } } });
  two.syncer.wake();
  await idle(two.syncer);
  await until(one.tab.subscribe, () => shown(one.tab)[0] === "Long walk");
  late.release();
  await idle(one.syncer);
  for (const { tab, syncer } of [one, two]) {
    expect(shown(tab)).toEqual(["Long walk"]);
    expect(syncer.status.trouble).toBeUndefined();
  }
  expect(await onDisk()).toMatchObject({ shown: ["Long walk"] });
});

test("stopping does not wait for the tab whose turn it is", async () => {
  const tab = await openTab();
  const turn = signal();
  const taken = signal();
  const other = navigator.locks.request(`sync:${me.id}`, () => {
    taken.give();
    return turn.given;
  });
  await taken.given;
  const syncer = keepInStep(tab);
  await syncer.stop();
  turn.give();
  await other;
  expect(paths()).toEqual([]);
});

test("flush sends what is saved while it sends, and says so when something stays", async () => {
  const { tab, syncer } = await tabInStep();
  server.isReachable = false;
  await saveOffering(tab, "Walk");
  expect(await syncer.flush()).toBe(false);
  expect(syncer.status.trouble).toEqual(expect.stringMatching(/./));

  server.isReachable = true;
  const answer = server.delayAnswer("/sync/push");
  const flushed = syncer.flush();
  await answer.reached;
  await saveOffering(tab, "Visit");
  answer.release();
  expect(await flushed).toBe(true);
  expect(server.offerings(me)).toEqual(["Walk", "Visit"]);
});

test("flush sends also to a server that was restored meanwhile", async () => {
  const { tab, syncer } = await tabInStep();
  await saveOffering(tab, "Walk");
  await idle(syncer);
  const restore = server.backUp();
  server.isReachable = false;
  await saveOffering(tab, "Visit");
  await idle(syncer);
  restore();
  server.isReachable = true;
  expect(await syncer.flush()).toBe(true);
  expect(server.offerings(me)).toEqual(["Walk", "Visit"]);
});

test("nothing of one person's business is sent or fetched with another's token", async () => {
  const { tab, syncer } = await tabInStep();
  server.isReachable = false;
  await saveOffering(tab, "Walk");
  await idle(syncer);
  server.isReachable = true;
  server.sent.length = 0;
  await setSession(server.session(server.addSitter("omar")));
  await pass(600_000, syncer);
  expect(paths()).toEqual([]);
  expect(tab.phone.pendingCount()).toBe(1);
});

test("who is refused a connection asks again when the app is looked at, and not before", async () => {
  server.goLive();
  server.fail("/realtime/ticket", { status: 403, code: "no" });
  const { syncer } = await tabInStep();
  await pass(600_000, syncer);
  expect(server.sentTo("/realtime/ticket")).toHaveLength(1);
  document.dispatchEvent(new Event("visibilitychange"));
  await idle(syncer);
  await vi.waitFor(() => expect(server.sentTo("/realtime/ticket")).toHaveLength(2));
});

test("the server's word that something changed brings it at once, and a lost connection is made anew", async () => {
  server.goLive();
  const { tab, syncer } = await tabInStep();
  Socket.current?.onopen();
  await idle(syncer);
  server.run(me, { name: "create_offering", args: { id: newId(), offering: { name: "Walk" } } });
  Socket.current?.hear("changed");
  await idle(syncer);
  expect(shown(tab)).toEqual(["Walk"]);

  const lost = Socket.current;
  lost?.close();
  server.run(me, { name: "create_offering", args: { id: newId(), offering: { name: "Visit" } } });
  await pass(2_000, syncer);
  expect(Socket.current).not.toBe(lost);
  Socket.current?.onopen();
  await idle(syncer);
  expect(shown(tab)).toEqual(["Walk", "Visit"]);
});

test("a copied profile whose numbers another has used goes on under a number of its own", async () => {
  const { tab, syncer } = await tabInStep();
  await saveOffering(tab, "Walk");
  await idle(syncer);
  server.takeNumbers(me, 3);
  await saveOffering(tab, "Visit");
  await saveOffering(tab, "Sitting");
  await idle(syncer);
  expect(server.offerings(me)).toEqual(["Walk", "Visit", "Sitting"]);
  expect(await onDisk()).toEqual({ shown: ["Walk", "Visit", "Sitting"], pending: 0, attention: 0 });
});

test("a backup put back with no word holds nothing up, and what it has forgotten is offered again", async () => {
  const { tab, syncer } = await tabInStep();
  await saveOffering(tab, "Walk");
  await idle(syncer);
  const putBack = server.backUp();
  await saveOffering(tab, "Visit");
  await idle(syncer);
  putBack("with no word");
  await saveOffering(tab, "Sitting");
  await idle(syncer);
  await pass(30_000, syncer);
  expect(server.offerings(me)).toEqual(["Walk", "Sitting"]);
  expect(tab.phone.pendingCount()).toBe(0);
  const offered = tab.phone.attention();
  expect(offered).toMatchObject([{ entry: { sentence: "Add Visit" }, outcome: { refusal: { code: "forgotten" } } }]);

  const phone = await tab.wholePhone();
  const [item] = phone.attentionGroups().flatMap((it) => it.items);
  const [way] = item?.ways ?? [];
  if (!item || !way) throw new Error("There is a way out.");
  expect(way).toMatchObject({ label: "Send again", same_id: true });
  await tab.save(way.command, item.sentence, { resolves: item.id, id: item.id });
  await idle(syncer);
  expect(server.offerings(me)).toEqual(["Walk", "Sitting", "Visit"]);
  expect(await onDisk()).toMatchObject({ pending: 0, attention: 0 });
  await pass(30_000, syncer);
  expect(server.sentTo("/sync/verify")).toHaveLength(1);
});

test("a change that the server answers with 500 for ever is found and set aside, and the others go on", async () => {
  const { tab, syncer } = await tabInStep();
  server.breaksAt = (name) => name === "Boom";
  server.isReachable = false;
  for (const name of ["Walk", "Boom", "Visit"]) await saveOffering(tab, name);
  await idle(syncer);
  server.isReachable = true;
  // All at once, one by one, and that one as often as it takes to give it up.
  for (let round = 1; round <= 5; round += 1) await pass(60_000, syncer);
  expect(server.offerings(me)).toEqual(["Walk", "Visit"]);
  expect(tab.phone.pendingCount()).toBe(0);
  expect(tab.phone.attention()).toMatchObject([
    { entry: { sentence: "Add Boom" }, outcome: { refusal: { code: "not_taken" } } },
  ]);
  expect(syncer.status.trouble).toBeUndefined();
});

test("a change that a proxy never lets through is found and set aside, and the feed and the others go on", async () => {
  const { tab, syncer } = await tabInStep();
  server.isHeldUp = (name) => name === "<script>";
  server.run(me, { name: "create_offering", args: { id: newId(), offering: { name: "Sitting" } } });
  for (const name of ["Walk", "<script>", "Visit"]) await saveOffering(tab, name);
  await idle(syncer);
  expect(shown(tab)).toContain("Sitting");
  expect(syncer.status.online).toBe(true);
  for (let round = 1; round <= 5; round += 1) await pass(60_000, syncer);
  expect(server.offerings(me)).toEqual(["Sitting", "Walk", "Visit"]);
  expect(tab.phone.pendingCount()).toBe(0);
  expect(tab.phone.attention()).toMatchObject([{ outcome: { refusal: { code: "not_taken" } } }]);
  expect(syncer.status.trouble).toBeUndefined();
});

test("a photo that a proxy never lets through waits alone for a word, and the feed and the others go on", async () => {
  const { tab, syncer } = await tabInStep();
  const fault = { status: 413, body: "<p>nginx</p>" };
  server.fail("/upload", fault, fault, fault);
  server.run(me, { name: "create_offering", args: { id: newId(), offering: { name: "Sitting" } } });
  await saveClientWithPhoto(tab);
  await saveOffering(tab, "Walk");
  await idle(syncer);
  expect(shown(tab)).toContain("Sitting");
  for (const ms of [1_000, 2_000]) await pass(ms, syncer);
  expect(server.offerings(me)).toEqual(["Sitting", "Walk"]);
  expect(tab.phone.pendingCount()).toBe(0);
  expect(tab.phone.attention()).toMatchObject([{ outcome: { refusal: { code: "photo_refused" } } }]);
});

test.each([true, false])("a server out of reach is told from a missing network: network %s", async (hasNetwork) => {
  const network = vi.spyOn(navigator, "onLine", "get").mockReturnValue(hasNetwork);
  server.isReachable = false;
  const { syncer } = await tabInStep();
  expect(syncer.status).toMatchObject({ online: false, hasNetwork });
  network.mockRestore();
});

test("a hotel's network takes no photo for hopeless, however often it answers", async () => {
  const { tab, syncer } = await tabInStep();
  const page = { status: 200, body: "<p>Room number?</p>" };
  for (const path of ["/upload", "/sync/pull"]) server.fail(path, ...Array.from({ length: 5 }, () => page));
  await saveClientWithPhoto(tab);
  await idle(syncer);
  for (const ms of [1_000, 2_000, 4_000, 8_000]) await pass(ms, syncer);
  expect(syncer.status.online).toBe(false);
  expect(tab.phone.attentionCount()).toBe(0);
  await pass(16_000, syncer);
  expect(tab.phone.pendingCount()).toBe(0);
});

test("what is kept of what was confirmed has its bound, and the newest is kept", async () => {
  const { tab, syncer } = await tabInStep();
  await saveOffering(tab, "Walk");
  await idle(syncer);
  const [walk] = await tab.store.run((db) => db.getAll("confirmed"));
  if (!walk) throw new Error("Nothing was kept.");
  await tab.store.run(async (db) => {
    const tx = db.transaction("confirmed", "readwrite");
    for (let n = 0; n < 1_010; n += 1) void tx.store.put({ ...walk, id: newId() });
    await tx.done;
  });
  await saveOffering(tab, "Bath");
  await idle(syncer);
  const kept = await tab.store.run((db) => db.getAll("confirmed"));
  expect(kept).toHaveLength(1_000);
  expect(kept.at(-1)?.entry.sentence).toBe("Add Bath");
  expect(kept.map((it) => it.id)).not.toContain(walk.id);
});

test("a photo goes with the change that a person discards, unless another one names it", async () => {
  const { tab, syncer } = await tabInStep();
  server.fail("/upload", { status: 413, code: "too_large" });
  const photo = await saveClientWithPhoto(tab);
  await idle(syncer);
  const [alone] = tab.phone.attention();
  await tab.store.putDraft({ key: "client:new", value: { photo: photo.id }, base_rev: 0, saved_at: 0 });
  await tab.store.resolve("nothing");
  expect(await tab.store.getPhoto(photo.id)).toBeDefined();
  await tab.store.deleteDraft("client:new");
  await tab.discard(alone?.entry.mutation.id ?? "");
  expect(await tab.store.getPhoto(photo.id)).toBeUndefined();
});

test("a server that fails on everything sets nothing aside", async () => {
  const { tab, syncer } = await tabInStep();
  await saveOffering(tab, "Walk");
  server.breaksAt = () => true;
  server.fail("/sync/pull", ...Array.from({ length: 8 }, () => ({ status: 500 })));
  await saveOffering(tab, "Visit");
  await idle(syncer);
  for (const ms of [1_000, 2_000, 4_000, 8_000]) await pass(ms, syncer);
  expect(tab.phone.attentionCount()).toBe(0);
  expect(syncer.status.trouble).toMatch(/500/);
});

test("what waits for a newer server says so", async () => {
  const { tab, syncer } = await tabInStep();
  server.isTooOldFor = (name) => name === "Teleport";
  await saveOffering(tab, "Teleport");
  await idle(syncer);
  expect(syncer.status).toMatchObject({
    online: true,
    trouble: expect.stringMatching(/older than this app/) as string,
  });
  expect(await syncer.flush()).toBe(false);
  server.isTooOldFor = () => false;
  expect(await syncer.flush()).toBe(true);
});

test.each<[string, Fault]>([
  ["that is too large", { status: 413, code: "too_large" }],
  ["that nobody keeps", { status: 503, code: "photo_storage_not_configured" }],
  ["for which the server has no room", { status: 507, code: "storage_low" }],
])("a photo %s waits alone for a word; its change and all later ones go on", async (_, fault) => {
  const { tab, syncer } = await tabInStep();
  server.fail("/upload", fault);
  const photo = await saveClientWithPhoto(tab);
  await saveOffering(tab, "Walk");
  await idle(syncer);
  expect(server.offerings(me)).toEqual(["Walk"]);
  expect(tab.phone.pendingCount()).toBe(0);
  const [alone] = tab.phone.attention();
  expect(alone).toMatchObject({ entry: { photos: [photo.id] }, outcome: { refusal: { code: "photo_refused" } } });
  expect(await tab.store.getPhoto(photo.id)).toMatchObject({ waiting: true });
});

test("a photo that meets an answer which says nothing of it is tried again, and then waits alone for a word", async () => {
  const { tab, syncer } = await tabInStep();
  const fault = { status: 404, code: "not_found" };
  server.fail("/upload", fault, fault, fault);
  await saveClientWithPhoto(tab);
  await saveOffering(tab, "Walk");
  await idle(syncer);
  expect(tab.phone.pendingCount()).toBe(2);
  expect(syncer.status.trouble).toBeDefined();
  for (const ms of [30_000, 30_000]) await pass(ms, syncer);
  expect(tab.phone.pendingCount()).toBe(0);
  expect(server.offerings(me)).toEqual(["Walk"]);
  expect(tab.phone.attention()).toMatchObject([{ outcome: { refusal: { code: "photo_refused" } } }]);
});

test("what stands still for no reason is numbered anew, and if that helps nothing the person is told", async () => {
  const { tab, syncer } = await tabInStep();
  server.silences = 2;
  await saveOffering(tab, "Walk");
  await idle(syncer);
  const [device] = server.pushes().map((it) => it.device_id);
  await pass(30_000, syncer);
  expect(server.pushes().at(-1)?.device_id).not.toBe(device);
  expect(server.offerings(me)).toEqual(["Walk"]);
  expect(tab.phone.pendingCount()).toBe(0);

  server.silences = 8;
  await saveOffering(tab, "Visit");
  await idle(syncer);
  await pass(30_000, syncer);
  expect(syncer.status.trouble).toMatch(/does not take what waits/);
  expect(await syncer.flush()).toBe(false);
  expect(syncer.status).toMatchObject({ online: true, trouble: expect.stringMatching(/does not take/) as string });
});

/** Videos on this phone and on their way, with the real store and a stand-in for the server at `fetch`. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { idle, StandInServer, saveOffering } from "../../../test/support/testing";
import { newId } from "../../core";
import { OpenBusiness, setOpenBusiness } from "../business/openBusiness";
import { setSession } from "../session/session";
import type { SessionUser } from "../session/sessionDb";
import { deleteUserDb } from "../store/db";
import { Syncer } from "../sync/syncer";
import { forgetVideo, getVideo, keepVideo, putVideo, readVideo } from "./videos";

const MB = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

let server: StandInServer;
let me: SessionUser;
let tabs: OpenBusiness[] = [];
let syncers: Syncer[] = [];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  server = await StandInServer.start();
  me = server.addSitter("mara");
  await setSession(server.session(me));
});

afterEach(async () => {
  await Promise.all(syncers.map((it) => it.stop()));
  setOpenBusiness(undefined);
  await Promise.all(tabs.map((it) => it.close()));
  tabs = [];
  syncers = [];
  await setSession(undefined);
  await deleteUserDb(me.id);
  Reflect.deleteProperty(navigator, "connection");
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function openTab(): Promise<{ tab: OpenBusiness; syncer: Syncer }> {
  const tab = await OpenBusiness.open(me.id);
  tabs.push(tab);
  setOpenBusiness(tab);
  const syncer = new Syncer(tab);
  syncers.push(syncer);
  await idle(syncer);
  return { tab, syncer };
}

/** Lets the next round come that was put off, and end. */
async function nextRound(syncer: Syncer): Promise<void> {
  vi.advanceTimersByTime(60_000);
  await idle(syncer);
}

/** A file in which no two places are the same. */
function aFile(size: number, name = "walk.mp4"): File {
  const numbers = new Uint32Array(Math.ceil(size / 4));
  for (let at = 0; at < numbers.length; at += 1) numbers[at] = Math.imul(at, 2_654_435_761);
  return new File([numbers.buffer.slice(0, size)], name, { type: "video/mp4" });
}

/** A change that waits for a video. */
async function saveWith(tab: OpenBusiness, video: string): Promise<void> {
  const command = { name: "create_offering", args: { id: newId(), offering: { name: "Film" } } } as const;
  expect(await tab.save(command, "Add Film", { videos: [video] })).toMatchObject({ ok: true });
}

const hash = async (file: Blob) => {
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return new Uint8Array(digest).join(" ");
};

const goMobile = () =>
  Object.defineProperty(navigator, "connection", { value: { type: "cellular" }, configurable: true });

test("a video is read back in any parts", async () => {
  const { tab } = await openTab();
  const file = aFile(3 * MB + 5);
  const { id } = await keepVideo(file, { name: file.name });
  expect(await getVideo(tab.store, id)).toMatchObject({
    name: "walk.mp4",
    type: "video/mp4",
    size: file.size,
    waiting: true,
  });
  for (const [from, length] of [
    [0, file.size],
    [524_280, 20],
    [3 * MB, 5],
  ] as const) {
    const part = await readVideo(tab.store, id, from, length);
    expect(part && (await hash(part))).toBe(await hash(file.slice(from, from + length)));
  }
  expect(await readVideo(tab.store, id, 3 * MB, 6)).toBeUndefined();
  await forgetVideo(id);
  expect(await readVideo(tab.store, id, 0, 1)).toBeUndefined();
});

test("a large video arrives byte by byte through a network that breaks five times and a tab that is killed", async () => {
  const { tab, syncer } = await openTab();
  const file = aFile(60 * MB + 77);
  const { id } = await keepVideo(file, { name: file.name });
  const path = `/videos/${id}`;
  server.fail(path, "no network");
  await saveWith(tab, id);
  await idle(syncer);
  for (const fault of ["answer lost", "no network"] as const) {
    server.fail(path, fault);
    await nextRound(syncer);
  }
  const last = server.delayAnswer(path);
  vi.advanceTimersByTime(60_000);
  await last.reached;
  await syncer.stop();
  last.release();
  expect(server.video(me, id).size).toBeLessThan(file.size);

  for (const fault of ["answer lost", "no network"] as const) server.fail("/videos", fault);
  const again = await openTab();
  await nextRound(again.syncer);
  await nextRound(again.syncer);
  expect(again.tab.phone.pendingCount()).toBe(0);
  expect(await hash(server.video(me, id))).toBe(await hash(file));
  expect(server.offerings(me)).toEqual(["Film"]);
  expect(await getVideo(again.tab.store, id)).toMatchObject({ waiting: false });
});

test("what others have changed is fetched while a large video is on its way", async () => {
  const { tab, syncer } = await openTab();
  const { id } = await keepVideo(aFile(10 * MB), { name: "walk.mp4" });
  server.sent.length = 0;
  await saveWith(tab, id);
  await idle(syncer);
  const paths = server.sent.map((it) => it.path);
  expect(paths.indexOf("/sync/pull")).toBeLessThan(paths.lastIndexOf(`/videos/${id}`));
});

test("a video waits for Wi-Fi until somebody asks for it to be sent", async () => {
  goMobile();
  const { tab, syncer } = await openTab();
  const { id } = await keepVideo(aFile(MB), { name: "walk.mp4" });
  await saveWith(tab, id);
  for (let round = 0; round < 4; round += 1) await nextRound(syncer);
  expect(server.sentTo("/videos")).toEqual([]);
  expect(syncer.status.trouble).toBeUndefined();
  expect(syncer.status.waitsForWifi).toBe(true);
  syncer.sendAnyhow();
  await idle(syncer);
  expect(syncer.status.waitsForWifi).toBe(false);
  expect(tab.phone.pendingCount()).toBe(0);
});

test("a video does not wait for Wi-Fi where it holds what was saved after it", async () => {
  goMobile();
  const { tab, syncer } = await openTab();
  const { id } = await keepVideo(aFile(MB), { name: "walk.mp4" });
  await saveWith(tab, id);
  await idle(syncer);
  expect(tab.phone.pendingCount()).toBe(1);
  await saveOffering(tab, "Walk");
  await idle(syncer);
  expect(tab.phone.pendingCount()).toBe(0);
});

test("a video that the server turns down holds nothing, and is told", async () => {
  const { tab, syncer } = await openTab();
  const { id } = await keepVideo(aFile(MB), { name: "walk.mp4" });
  server.fail("/videos", { status: 415, code: "unsupported" });
  await saveWith(tab, id);
  await idle(syncer);
  expect(tab.phone.pendingCount()).toBe(0);
  expect(tab.phone.attention()).toHaveLength(1);
});

test("a video that nothing names is kept for a day", async () => {
  const { tab } = await openTab();
  const keep = async () => (await keepVideo(aFile(1_000), { name: "walk.mp4" })).id;
  const [unnamed, named] = [await keep(), await keep()];
  await tab.store.putDraft({ key: "invoice", value: { videos: [{ id: named }] }, base_rev: 0, saved_at: 0 });
  vi.setSystemTime(Date.now() + DAY_MS);
  await keep();
  expect(await getVideo(tab.store, unnamed)).toBeDefined();
  vi.setSystemTime(Date.now() + 1);
  await keep();
  expect(await getVideo(tab.store, unnamed)).toBeUndefined();
  expect(await getVideo(tab.store, named)).toBeDefined();
});

test("more videos than a phone can hold are not taken, and nothing is left of one that was called off", async () => {
  const { tab } = await openTab();
  const left = new AbortController();
  left.abort();
  await expect(keepVideo(aFile(MB), { name: "walk.mp4", signal: left.signal })).rejects.toThrow();
  expect(await tab.store.run((db) => Promise.all([db.count("videos"), db.count("video_chunks")]))).toEqual([0, 0]);
  const large = {
    id: newId(),
    name: "long.mp4",
    type: "video/mp4",
    size: 200 * MB,
    waiting: true,
    stored_at: Date.now(),
  };
  await putVideo(tab.store, large);
  await expect(keepVideo(aFile(1_000), { name: "walk.mp4" })).rejects.toThrow("Too many videos wait on this phone.");
});

/** The open business over the browser's own database: what is saved, what is not, and tabs that get in each other's way. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fillDisk, StandInServer, saveOffering, shown, signal, until } from "../../../test/support/testing";
import { type Batch, type Command, newId, newOffering, Phone } from "../../core";
import type { SessionUser } from "../session/sessionDb";
import { deleteUserDb } from "../store/db";
import { Store } from "../store/store";
import { OpenBusiness } from "./openBusiness";

let server: StandInServer;
let me: SessionUser;
let tabs: OpenBusiness[] = [];

beforeEach(async () => {
  server = await StandInServer.start();
  me = server.addSitter("mara");
});

afterEach(async () => {
  await Promise.all(tabs.map((it) => it.close()));
  tabs = [];
  await deleteUserDb(me.id);
});

async function openTab(): Promise<OpenBusiness> {
  const tab = await OpenBusiness.open(me.id);
  tabs.push(tab);
  return tab;
}

const anOffering = (name: string) =>
  ({ name: "create_offering", args: { id: newId(), offering: { name } } }) satisfies Command;

const DRAFT = "offering/new";
const putDraft = (tab: OpenBusiness) =>
  tab.store.putDraft({ key: DRAFT, value: { name: "Walk" }, base_rev: 0, saved_at: 0 });

const aPhoto = (full: Blob) => ({ id: newId(), full, waiting: true, stored_at: 0 });

const waiting = (tab: OpenBusiness) => tab.phone.outbox().map(({ mutation, sentence }) => [mutation.seq, sentence]);

/** Sends and fetches by hand, up to the batch that is to be stored. */
async function fetchBatch(tab: OpenBusiness): Promise<Batch> {
  const { token } = server.session(me);
  const headers = { Authorization: `Bearer ${token}` };
  const { phone } = tab;
  const body = phone.nextPush();
  if (body) await fetch("/api/sync/push", { method: "POST", headers, body: JSON.stringify(body) });
  const { number, query } = phone.nextPull();
  const answer = await fetch(`/api/sync/pull?${query}`, { headers });
  const { status, batch } = phone.pulled(number, await answer.text(), newId());
  if (status !== "complete" || !batch) throw new Error(`The pull is ${status}.`);
  return batch;
}

test("a save is on the disk with its number and without its draft when it is told as saved", async () => {
  const tab = await openTab();
  await putDraft(tab);
  const ended = vi.fn<(key: string) => void>();
  tab.savedDrafts.subscribe(ended);
  const result = await tab.save(anOffering("Walk"), "Add Walk", { draft: DRAFT });
  expect(result).toMatchObject({ ok: true });
  expect(ended).toHaveBeenCalledExactlyOnceWith(DRAFT);
  const killed = await openTab();
  expect(waiting(killed)).toEqual([[1, "Add Walk"]]);
  expect(shown(killed)).toEqual(["Walk"]);
  expect(await killed.store.getDraft(DRAFT)).toBeUndefined();
});

test("a change that the core turns down is not stored, and its draft stays", async () => {
  const tab = await openTab();
  await putDraft(tab);
  const result = await tab.save(anOffering(" "), "Add nothing", { draft: DRAFT });
  expect(result).toMatchObject({ ok: false, fields: [{ field: "name" }] });
  expect(waiting(await openTab())).toEqual([]);
  expect(await tab.store.getDraft(DRAFT)).toMatchObject({ value: { name: "Walk" } });
});

/** Fails in the middle of its transaction, after the change and before its photo. */
const unstorable = () => aPhoto((() => undefined) as unknown as Blob);

test.each([
  ["that the disk cannot take", "DataCloneError", unstorable, () => undefined],
  ["for which there is no room", "AbortError", () => aPhoto(new Blob(["photo"])), fillDisk],
])("a save %s is told as failed and leaves nothing behind", async (_, name, photo, prepare) => {
  const tab = await openTab();
  const other = await openTab();
  await putDraft(tab);
  await saveOffering(tab, "Visit");
  await until(other.subscribe, () => shown(other).length === 1);
  const told = vi.fn<() => void>();
  tab.onSaved = told;
  tab.subscribe(told);
  other.subscribe(told);
  tab.savedDrafts.subscribe(told);
  const options = { draft: DRAFT, photos: [photo()] };
  const makeRoom = prepare();
  await expect(tab.save(anOffering("Walk"), "Add Walk", options)).rejects.toMatchObject({ name });
  makeRoom?.();
  expect(told).not.toHaveBeenCalled();
  for (const it of [tab, other, await openTab()]) {
    expect(shown(it)).toEqual(["Visit"]);
    expect(waiting(it)).toEqual([[1, "Add Visit"]]);
  }
  expect(await tab.store.getDraft(DRAFT)).toMatchObject({ value: { name: "Walk" } });
  // The server takes no number after one that never comes.
  await saveOffering(tab, "Bath");
  expect(waiting(await openTab())).toEqual([
    [1, "Add Visit"],
    [2, "Add Bath"],
  ]);
});

test("a batch is void when another tab has stored one since it was fetched", async () => {
  const one = await openTab();
  const two = await openTab();
  await saveOffering(one, "Walk");
  await until(two.subscribe, () => waiting(two).length === 1);
  await one.apply(await fetchBatch(one)); // the server is known now, and can be sent to
  await until(two.subscribe, () => two.phone.nextPush() !== undefined);

  const early = await fetchBatch(one);
  server.run(me, anOffering("Visit"));
  const late = await fetchBatch(two);
  await Promise.all([one.apply(late), two.apply(early)]);
  for (const tab of [one, two, await openTab()]) {
    await until(tab.subscribe, () => shown(tab).length === 2);
    expect(shown(tab)).toEqual(["Walk", "Visit"]);
    expect(waiting(tab)).toEqual([]);
  }
});

test("a batch is void when a tab has stored a newer one and was killed before it could tell", async () => {
  const one = await openTab();
  const two = await openTab();
  const walk = anOffering("Walk");
  server.run(me, walk);
  const early = await fetchBatch(one);
  server.run(me, { name: "update_offering", args: { id: walk.args.id, changes: { name: "Long walk" } } });
  expect(await two.store.apply(await fetchBatch(two))).toBe(true);
  await one.apply(early);
  for (const tab of [one, await openTab()]) expect(shown(tab)).toEqual(["Long walk"]);
});

test("a batch of a server that was restored since is void, even where both stand at the same revision", async () => {
  const one = await openTab();
  const two = await openTab();
  server.run(me, anOffering("Walk"));
  await one.apply(await fetchBatch(one));
  await until(two.subscribe, () => shown(two).length === 1);
  const restore = server.backUp();
  server.run(me, anOffering("Visit"));
  const early = await fetchBatch(one);
  restore();
  expect(await two.store.apply(await fetchBatch(two))).toBe(true);
  await one.apply(early);
  for (const tab of [one, await openTab()]) expect(shown(tab)).toEqual(["Walk"]);
});

test("a batch that another tab has made void takes nothing back of what was saved since", async () => {
  const one = await openTab();
  const two = await openTab();
  server.run(me, anOffering("Walk"));
  const [first, second] = [await fetchBatch(one), await fetchBatch(two)];
  await Promise.all([one.apply(first), saveOffering(two, "Visit"), two.apply(second), saveOffering(one, "Bath")]);
  for (const tab of [one, two, await openTab()]) {
    await until(tab.subscribe, () => waiting(tab).length === 2);
    expect(waiting(tab)).toEqual([
      [1, "Add Visit"],
      [2, "Add Bath"],
    ]);
    expect(shown(tab).toSorted()).toEqual(["Bath", "Visit", "Walk"]);
  }
});

test("a save in a tab that has not heard of the outbox's new numbers follows them", async () => {
  const one = await openTab();
  const two = await openTab();
  await one.apply(await fetchBatch(one));
  await until(two.subscribe, () => two.phone.nextPull().query.includes("backend_id"));
  for (const name of ["Walk", "Visit"]) await saveOffering(one, name);
  await one.apply(await fetchBatch(one));
  server.run(me, anOffering("Bath"));
  const restore = server.backUp();
  restore();
  const batch = await fetchBatch(one);
  expect(batch.renumber).toBe(true);
  await Promise.all([one.store.apply(batch), saveOffering(two, "Run")]);
  expect(waiting(two)).toEqual([[1, "Add Run"]]);
  expect(shown(two)).toEqual(["Walk", "Visit", "Bath", "Run"]);
});

test("a connection that was lost is made anew by the next save", async () => {
  const tab = await openTab();
  await tab.store.close();
  await saveOffering(tab, "Walk");
  expect(waiting(await openTab())).toEqual([[1, "Add Walk"]]);
});

test("what is saved while a tab loads anew is shown, also where it was read before", async () => {
  const one = await openTab();
  const other = await openTab();
  const read = signal();
  const goOn = signal();
  const { store } = one;
  const load = store.load.bind(store);
  vi.spyOn(store, "load").mockImplementationOnce(async () => {
    const loaded = await load();
    read.give();
    await goOn.given;
    return loaded;
  });
  const loading = one.reload();
  await read.given;
  await saveOffering(one, "Bath");
  await saveOffering(other, "Night walk");
  await until(one.subscribe, () => shown(one).includes("Night walk"));
  goOn.give();
  await loading;
  expect(shown(one)).toEqual(["Bath", "Night walk"]);
});

test("a tab that opens while another one saves shows what was saved", async () => {
  const one = await openTab();
  const goOn = signal();
  const read = signal();
  const load = Reflect.get(Store.prototype, "load");
  vi.spyOn(Store.prototype, "load").mockImplementationOnce(async function (this: Store) {
    const loaded = await load.call(this);
    read.give();
    await goOn.given;
    return loaded;
  });
  const opening = openTab();
  await read.given;
  await saveOffering(one, "Bath");
  goOn.give();
  const opened = await opening;
  await until(opened.subscribe, () => shown(opened).includes("Bath"));
});

test("a tab that is closed while it loads anew says nothing more", async () => {
  const tab = await openTab();
  const changed = vi.fn<() => void>();
  const loading = tab.reload();
  tab.subscribe(changed);
  await tab.close();
  tabs = [];
  await loading;
  expect(changed).not.toHaveBeenCalled();
});

test("the rows of a large first pull are loaded from the disk, in every tab, and not applied one by one", async () => {
  const [tab, other] = [await openTab(), await openTab()];
  const applied = vi.spyOn(Phone.prototype, "applied");
  const put = Array.from({ length: 600 }, (_, n) => {
    const d = { ...newOffering(newId()), name: `Walk ${n}` };
    return { key: `offering/${d.id}`, text: JSON.stringify({ t: "offering", id: d.id, rev: n + 1, d }) };
  });
  await tab.apply({ ...(await fetchBatch(tab)), put });
  expect(shown(tab)).toHaveLength(600);
  await until(other.subscribe, () => shown(other).length === 600);
  expect(applied).not.toHaveBeenCalled();
});

/** Who is signed in, and what is sent as whom: the real session on the browser's own database, a stand-in for the server. */
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { loadCore, newId } from "../core";
import { signIn, signOut, start } from "./auth";
import { type SessionUser, usersWithWaitingWork, writeSession } from "./db";
import { business, type OpenBusiness, openBusiness } from "./phone";
import { currentSession, onSession } from "./session";
import { aTask, Server, saveOffering, shown, signal, until } from "./testing";

let server: Server;
let ann: SessionUser;
let ben: SessionUser;

beforeAll(async () => {
  await loadCore();
  await writeSession(undefined);
  await start();
});

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  server = await Server.start();
  ann = server.addSitter("ann");
  ben = server.addSitter("ben");
});

afterEach(async () => {
  server.isReachable = false;
  await signOut("discard");
  vi.useRealTimers();
});

const enter = async (user: SessionUser): Promise<OpenBusiness> => {
  expect(await signIn(user.email, "six brave otters")).toEqual({ ok: true });
  return business();
};

/** Signed in, with the server known. */
async function enterAndFetch(user: SessionUser): Promise<OpenBusiness> {
  server.run(user, { name: "create_offering", args: { id: newId(), offering: { name: `${user.name}'s walk` } } });
  const opened = await enter(user);
  await until(opened.subscribe, () => opened.phone.hasLoaded());
  return opened;
}

const allSent = (opened: OpenBusiness) => until(opened.subscribe, () => opened.phone.pendingCount() === 0);

/** Everything that came with a token of this person, as text. */
const sentAs = (user: SessionUser): string =>
  JSON.stringify(server.sent.filter(({ token }) => token?.startsWith(`${user.name}-`)));

/** Opening takes the disk a while. */
async function untilOpen(user: SessionUser): Promise<OpenBusiness> {
  while (openBusiness()?.store.userId !== user.id) await aTask();
  return business();
}

test("INVARIANT: one person's changes are never sent as another", async () => {
  const anns = await enterAndFetch(ann);
  server.isReachable = false;
  const annsWalk = await saveOffering(anns, "Night walk");
  expect(await signOut("keep")).toEqual({ ok: true });
  expect(await usersWithWaitingWork()).toEqual([{ user: ann, waiting: 1 }]);
  server.isReachable = true;

  const bens = await enterAndFetch(ben);
  expect(shown(bens)).toEqual(["ben's walk"]);
  await saveOffering(bens, "Bath");
  await allSent(bens);
  expect(server.offerings(ben)).toEqual(["ben's walk", "Bath"]);
  expect(sentAs(ben)).toContain("Bath");
  expect(await usersWithWaitingWork()).toEqual([{ user: ann, waiting: 1 }]);
  expect(await signOut("send")).toEqual({ ok: true });

  const again = await enter(ann);
  expect(shown(again)).toContain("Night walk");
  await allSent(again);
  expect(server.offerings(ann)).toEqual(["ann's walk", "Night walk"]);
  expect(sentAs(ann)).toContain(annsWalk);
  expect(sentAs(ben)).not.toContain(annsWalk);
});

test("INVARIANT: one person's changes are never sent as another who signs in instead after an expired session", async () => {
  const anns = await enterAndFetch(ann);
  server.endSessions();
  const annsWalk = await saveOffering(anns, "Night walk");
  await until(onSession, () => currentSession().state === "needs_auth");

  const bens = await enterAndFetch(ben);
  await saveOffering(bens, "Bath");
  await allSent(bens);
  expect(sentAs(ben)).not.toContain(annsWalk);
  expect(server.offerings(ben)).toEqual(["ben's walk", "Bath"]);
  await signOut("send");

  await allSent(await enter(ann));
  expect(server.offerings(ann)).toEqual(["ann's walk", "Night walk"]);
});

test("INVARIANT: one person's changes are never sent as another who signs in in another tab", async () => {
  const anns = await enterAndFetch(ann);
  const turn = signal();
  const taken = signal();
  const other = navigator.locks.request(`sync:${ann.id}`, () => {
    taken.give();
    return turn.given;
  });
  await taken.given;
  const annsWalk = await saveOffering(anns, "Night walk"); // to be sent when it is this tab's turn
  await writeSession(server.session(ben));
  const tabs = new BroadcastChannel("walkies-session");
  tabs.postMessage("changed");
  tabs.close();
  await until(onSession, () => currentSession().user?.id === ben.id);
  turn.give();
  await other;
  const bens = await untilOpen(ben);
  await saveOffering(bens, "Bath");
  await allSent(bens);
  expect(sentAs(ben)).toContain("Bath");
  expect(sentAs(ben)).not.toContain(annsWalk);
  expect(server.offerings(ben)).toEqual(["Bath"]);
  await signOut("send");
  await allSent(await enter(ann));
  expect(server.offerings(ann)).toEqual(["ann's walk", "Night walk"]);
});

test("a session that has expired keeps what waits, and the next sign-in sends it", async () => {
  const anns = await enterAndFetch(ann);
  server.endSessions();
  await saveOffering(anns, "Night walk");
  await until(onSession, () => currentSession().state === "needs_auth");
  expect(business()).toBe(anns);
  await saveOffering(anns, "Bath");
  expect(shown(anns)).toEqual(["ann's walk", "Night walk", "Bath"]);
  expect(await enter(ann)).toBe(anns);
  await allSent(anns);
  expect(server.offerings(ann)).toEqual(["ann's walk", "Night walk", "Bath"]);
});

test("signing out with 'send' stays signed in while that fails, and takes along what is saved meanwhile", async () => {
  const anns = await enterAndFetch(ann);
  server.isReachable = false;
  await saveOffering(anns, "Night walk");
  expect(await signOut("send")).toMatchObject({ ok: false, error: { text: expect.stringMatching(/./) as string } });
  expect(currentSession()).toMatchObject({ state: "signed_in", user: ann });
  expect(business()).toBe(anns);

  server.isReachable = true;
  const answer = server.hold("/sync/push");
  const signingOut = signOut("send");
  await answer.reached;
  await saveOffering(anns, "Bath");
  answer.release();
  expect(await signingOut).toEqual({ ok: true });
  expect(server.offerings(ann)).toEqual(["ann's walk", "Night walk", "Bath"]);
  expect(server.sent.at(-1)?.path).toBe("/auth/signout");
  expect(await usersWithWaitingWork()).toEqual([]);
  const names = (await indexedDB.databases()).map((it) => it.name);
  expect(names).not.toContain(`walkies-${ann.id}`);
});

test("after unsent work was discarded, what is done later is sent, also on a phone that keeps walks", async () => {
  const anns = await enterAndFetch(ann);
  await anns.store.run((db) => db.put("walks", { id: newId() }));
  await saveOffering(anns, "Visit");
  await allSent(anns);
  server.isReachable = false;
  await saveOffering(anns, "Night walk");
  await signOut("discard");
  server.isReachable = true;

  const again = await enter(ann);
  expect(shown(again)).not.toContain("Night walk");
  await saveOffering(again, "Bath");
  await allSent(again);
  expect(server.offerings(ann)).toEqual(["ann's walk", "Visit", "Bath"]);
  expect(await again.store.run((db) => db.count("walks"))).toBe(1);
  await again.store.run((db) => db.clear("walks"));
});

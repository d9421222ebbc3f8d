/**
 * Who is signed in, what is sent as whom, and what of a person and their clients can be read on a phone after they have
 * left it: the real session on the browser's own database, a stand-in for the server. One file, since all of them share
 * the one session of the browser.
 */
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  aTask,
  emptyPhone,
  everythingOnThisPhone,
  StandInServer,
  saveOffering,
  shown,
  signal,
  until,
} from "../../../test/support/testing";
import { limits, loadCore, newId } from "../../core";
import { business, type OpenBusiness, openBusiness } from "../business/openBusiness";
import { leave } from "../locked/locked";
import { currentSession, loadSession, onSession, sessionToken, showRole } from "../session/session";
import { changeSession, type SessionUser, writeSession } from "../session/sessionDb";
import { acquireOpenLock, preventReload } from "../session/tabLocks";
import { subscribeToSync, syncStatus } from "../sync/sync";
import { keepVideo } from "../videos/videos";
import { changePassword, endOverdue, settled, signIn, signOut, start, unlockWork, usersWithLocalWork } from "./auth";
import { mayShow } from "./roles";

const PASSWORD = "six brave otters";
/** Each stands somewhere else in what a phone keeps. */
const CLIENT = "Dana Reyes";
const DOOR = "door code 4711";
const WORDS = [CLIENT, DOOR, "alarm 0815", "walk with Rex", "from Alder Street", "unsent Bath"];

let server: StandInServer;
let ann: SessionUser;
let ben: SessionUser;

beforeAll(async () => {
  await emptyPhone();
  await loadCore();
  await writeSession(undefined);
  await start();
});

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  server = await StandInServer.start();
  ann = server.addSitter("ann");
  ben = server.addSitter("ben");
});

afterEach(async () => {
  server.isReachable = false;
  await signOut("discard");
  showRole(undefined);
  for (const name of [`walkies-${ann.id}`, `walkies-${ben.id}`, "walkies-locked"]) indexedDB.deleteDatabase(name);
  vi.useRealTimers();
});

const enter = async (user: SessionUser): Promise<OpenBusiness> => {
  expect(await signIn(user.email, PASSWORD)).toEqual({ ok: true });
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

/** Whose changes wait on this phone, and how many. */
const waiting = async () => (await usersWithLocalWork()).map(({ user, counts }) => [user.name, counts.changes]);

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
  expect(await waiting()).toEqual([["ann", 1]]);
  server.isReachable = true;

  const bens = await enterAndFetch(ben);
  expect(shown(bens)).toEqual(["ben's walk"]);
  await saveOffering(bens, "Bath");
  await allSent(bens);
  expect(server.offerings(ben)).toEqual(["ben's walk", "Bath"]);
  expect(sentAs(ben)).toContain("Bath");
  expect(await waiting()).toEqual([["ann", 1]]);
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
  const answer = server.delayAnswer("/sync/push");
  const signingOut = signOut("send");
  await answer.reached;
  await saveOffering(anns, "Bath");
  answer.release();
  expect(await signingOut).toEqual({ ok: true });
  expect(server.offerings(ann)).toEqual(["ann's walk", "Night walk", "Bath"]);
  expect(server.sent.at(-1)?.path).toBe("/auth/signout");
  expect(await waiting()).toEqual([]);
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

/** Signed in, with a client from the server, a draft, a walk with a photo, a route, and a change that is not sent. */
async function aDayOf(user: SessionUser): Promise<OpenBusiness> {
  const args = { id: newId(), client: { name: CLIENT, access_notes: DOOR }, dogs: [] };
  server.run(user, { name: "create_client", args } as never);
  expect(await signIn(user.email, PASSWORD)).toEqual({ ok: true });
  const opened = business();
  await until(opened.subscribe, () => opened.phone.hasLoaded());
  server.isReachable = false;
  const offering = { name: "unsent Bath" };
  await opened.save({ name: "create_offering", args: { id: newId(), offering } }, "Add unsent Bath");
  await opened.store.putDraft({ key: "client:new", value: { alarm: "alarm 0815" }, base_rev: 1, saved_at: 1 });
  await opened.store.run(async (db) => {
    await db.put("walks", { id: "w", title: "walk with Rex" });
    await db.put("walk_points", { walk_id: "w", n: 0, bytes: Uint8Array.of(1, 2, 3) });
    await db.put("walk_photos", { id: "p", blob: new Blob([DOOR]) });
    await db.put("routes", { id: "r", from: "from Alder Street" });
  });
  return opened;
}

async function expectNothingToRead(): Promise<void> {
  const all = await everythingOnThisPhone();
  for (const words of WORDS) expect(all, words).not.toContain(words);
}

async function expectAllOfIt(opened: OpenBusiness): Promise<void> {
  // It waits here, or was sent before and comes from the server.
  await until(opened.subscribe, () => shown(opened).includes("unsent Bath"));
  expect((await opened.store.getDraft("client:new"))?.value).toEqual({ alarm: "alarm 0815" });
  const [walk, log, photo, route] = await opened.store.run((db) =>
    Promise.all([
      db.get("walks", "w"),
      db.get("walk_points", ["w", 0]),
      db.get("walk_photos", "p"),
      db.get("routes", "r"),
    ]),
  );
  expect(walk).toEqual({ id: "w", title: "walk with Rex" });
  expect([...(log?.bytes ?? [])]).toEqual([1, 2, 3]);
  expect(await photo?.blob.text()).toBe(DOOR);
  expect(route).toEqual({ id: "r", from: "from Alder Street" });
}

const onlyChangesSent = (opened: OpenBusiness) => until(opened.subscribe, () => opened.phone.pendingCount() === 0);

test("INVARIANT: after signing out nothing of clients can be read on the phone, and nothing that was typed is lost", async () => {
  await aDayOf(ann);
  const before = await everythingOnThisPhone();
  for (const words of WORDS) expect(before, words).toContain(words);
  expect(await signOut("keep")).toEqual({ ok: true });
  await expectNothingToRead();
  expect(await usersWithLocalWork()).toEqual([
    { user: { ...ann, roles: ["sitter"] }, counts: { changes: 1, drafts: 1, walks: 1, routes: 1 }, isLocked: true },
  ]);

  server.isReachable = true;
  expect(await signIn(ann.email, PASSWORD)).toEqual({ ok: true });
  await expectAllOfIt(business());
  await onlyChangesSent(business());
  expect(server.offerings(ann)).toEqual(["unsent Bath"]);
  expect(await usersWithLocalWork()).toEqual([]);
});

test("discarding leaves walks and routes, locked, and no word or photo of what was not sent", async () => {
  const anns = await aDayOf(ann);
  await anns.store.putPhoto({ id: newId(), full: new Blob(["photo of the door"]), waiting: true, stored_at: 0 });
  await signOut("discard");
  await expectNothingToRead();
  server.isReachable = true;
  await signIn(ann.email, PASSWORD);
  expect(shown(business())).toEqual([]);
  expect(await business().store.getDraft("client:new")).toBeUndefined();
  expect(await business().store.run((db) => db.count("photos"))).toBe(0);
  expect(await business().store.run((db) => db.count("walks"))).toBe(1);
});

/** Two films on this phone, more than one piece each, of which a change that waits names the first; its id and its words. */
async function filmsOf(opened: OpenBusiness): Promise<{ named: string; words: string }> {
  const words = "film of the door ".repeat(50_000);
  const keep = (name: string) => keepVideo(new File([words], name, { type: "video/mp4" }), { name });
  const { id } = await keep("door.mp4");
  await keep("other-door.mp4");
  const command = { name: "create_offering", args: { id: newId(), offering: { name: "Film" } } } as const;
  expect(await opened.save(command, "Add Film", { videos: [id] })).toMatchObject({ ok: true });
  return { named: id, words };
}

const FILMED = ["film of the door", "door.mp4"];

test("after signing out no video can be read, and what waited for one goes on with all of it", async () => {
  const anns = await enterAndFetch(ann);
  server.isReachable = false;
  const { named, words } = await filmsOf(anns);
  const before = await everythingOnThisPhone();
  for (const it of FILMED) expect(before).toContain(it);
  expect(await signOut("keep")).toEqual({ ok: true });
  const left = await everythingOnThisPhone();
  for (const it of FILMED) expect(left).not.toContain(it);

  server.isReachable = true;
  const again = await enter(ann);
  expect(await again.store.run((db) => db.getAllKeys("videos"))).toEqual([named]);
  await allSent(again);
  expect(await server.video(ann, named).text()).toBe(words);
});

test("discarding leaves no video", async () => {
  const anns = await enterAndFetch(ann);
  server.isReachable = false;
  await filmsOf(anns);
  await signOut("discard");
  server.isReachable = true;
  const { store } = await enter(ann);
  expect(await store.run((db) => Promise.all([db.count("videos"), db.count("video_chunks")]))).toEqual([0, 0]);
});

test("with nothing that waits, signing out leaves nothing at all", async () => {
  server.run(ann, { name: "create_offering", args: { id: newId(), offering: { name: "Walk" } } });
  await signIn(ann.email, PASSWORD);
  await until(business().subscribe, () => business().phone.hasLoaded());
  await signOut("keep");
  const all = await everythingOnThisPhone();
  expect(all).not.toContain(ann.id);
  expect(all).not.toContain(ann.email);
});

test("while a second person is signed in nothing of the first can be read", async () => {
  const opened = await aDayOf(ann);
  server.isReachable = true;
  server.endSessions();
  window.dispatchEvent(new Event("online"));
  await until(onSession, () => currentSession().state === "needs_auth");
  expect(opened.phone.pendingCount()).toBe(1);
  await signIn(ben.email, PASSWORD);
  await vi.waitFor(expectNothingToRead);
  await signOut("send");
  await signIn(ann.email, PASSWORD);
  await expectAllOfIt(business());
});

test("an expired session is worked with for the offline grace and locks after it", async () => {
  await aDayOf(ann);
  const { token } = server.session(ann);
  await writeSession({ token, user: ann, needs_auth: true, confirmed_at: Date.now() });
  await loadSession();
  const days = limits().offline_grace_days;
  await changeSession(token, { confirmed_at: Date.now() - (days * 24 - 1) * 3_600_000 });
  await loadSession();
  await endOverdue();
  expect(currentSession().state).toBe("needs_auth");
  expect(shown(business())).toContain("unsent Bath");

  await changeSession(token, { confirmed_at: Date.now() - (days * 24 + 1) * 3_600_000 });
  await loadSession();
  document.dispatchEvent(new Event("visibilitychange"));
  await until(onSession, () => currentSession().state === "signed_out");
  await vi.waitFor(expectNothingToRead);
  server.isReachable = true;
  await signIn(ann.email, PASSWORD);
  await expectAllOfIt(business());
});

test("an expired session with nothing unsent goes when the app is opened with a network, and not without one", async () => {
  const opened = await enterAndFetch(ann);
  history.pushState(null, "", "/auth/login"); // where it would lead
  server.isReachable = false;
  const { token } = server.session(ann);
  await writeSession({ token, user: ann, needs_auth: true, confirmed_at: Date.now() });
  await loadSession();
  await vi.waitFor(() => expect(server.sentTo("/auth/signup")).toHaveLength(1));
  await aTask();
  expect(currentSession().state).toBe("needs_auth");
  expect(shown(opened)).toEqual(["ann's walk"]);

  server.isReachable = true;
  await loadSession();
  await until(onSession, () => currentSession().state === "signed_out");
  await vi.waitFor(async () => expect(await everythingOnThisPhone()).not.toContain(ann.email));
  history.back();
});

test("work that was locked with an earlier password waits for that password, beside what is done since", async () => {
  await aDayOf(ann);
  await signOut("keep");
  server.isReachable = true;
  await signIn(ann.email, "a new password");
  expect(currentSession()).toMatchObject({ hasLocked: true });
  const opened = business();
  await until(opened.subscribe, () => opened.phone.hasLoaded());
  expect(shown(opened)).toEqual([]);
  await opened.save({ name: "create_offering", args: { id: newId(), offering: { name: "Later" } } }, "Add Later");
  await onlyChangesSent(opened);

  expect(await unlockWork("something else")).toEqual({ opened: 0, left: 1 });
  expect(currentSession()).toMatchObject({ hasLocked: true });
  expect(await unlockWork(PASSWORD)).toEqual({ opened: 1, left: 0 });
  expect(currentSession()).toMatchObject({ hasLocked: false });
  await expectAllOfIt(opened);
  await onlyChangesSent(opened);
  expect(server.offerings(ann)).toEqual(["Later", "unsent Bath"]);
});

test("of work that was locked with two passwords each brings its own back at once", async () => {
  await aDayOf(ann);
  await signOut("keep");
  server.isReachable = true;
  await signIn(ann.email, "a second password");
  server.isReachable = false;
  await saveOffering(business(), "Later");
  await signOut("keep");
  server.isReachable = true;
  await signIn(ann.email, "a third password");
  server.isReachable = false;

  expect(await unlockWork(PASSWORD)).toEqual({ opened: 1, left: 1 });
  expect(shown(business())).toEqual(["unsent Bath"]);
  expect(currentSession()).toMatchObject({ hasLocked: true });
  expect(await unlockWork("a second password")).toEqual({ opened: 1, left: 0 });
  expect(shown(business())).toEqual(["unsent Bath", "Later"]);
  expect(currentSession()).toMatchObject({ hasLocked: false });
});

test("a password is changed also where the lock cannot be made anew", async () => {
  await aDayOf(ann);
  server.isReachable = true;
  vi.spyOn(crypto.subtle, "generateKey").mockRejectedValueOnce(new DOMException("Not now.", "OperationError"));
  expect(await changePassword(PASSWORD, "a new password")).toEqual({ ok: true });
});

test("who asks right after a sign-out what is kept hears of it as it is when that is done", async () => {
  await aDayOf(ann);
  let asked: ReturnType<typeof usersWithLocalWork> | undefined;
  const forget = onSession(() => {
    if (currentSession().state === "signed_out") asked ??= usersWithLocalWork();
  });
  await signOut("keep");
  forget();
  expect(await asked).toMatchObject([{ user: ann, isLocked: true }]);
});

test("nobody else signs in while a walk is tracked, and its person still can", async () => {
  const anns = await enterAndFetch(ann);
  const end = preventReload();
  server.endSessions();
  await saveOffering(anns, "Night walk");
  await until(onSession, () => currentSession().state === "needs_auth");
  expect(await signIn(ben.email, PASSWORD)).toEqual({
    ok: false,
    error: { text: "A walk is being tracked. End it before somebody else signs in." },
  });
  expect(currentSession().user).toEqual(ann);
  expect(business()).toBe(anns);
  expect(server.sent.at(-1)).toMatchObject({ path: "/auth/signout", token: expect.stringMatching(/^ben-/) as string });
  expect(await enter(ann)).toBe(anns);
  end();
});

test("what cannot be sent without a password is not signed out as if it had been", async () => {
  const anns = await enterAndFetch(ann);
  server.isReachable = false;
  await saveOffering(anns, "Night walk");
  // A tab that opens when the session has been turned down already.
  const another = async (user: SessionUser, needs_auth: boolean) => {
    await writeSession({ ...server.session(user), needs_auth });
    await loadSession();
    await untilOpen(user);
  };
  await another(ben, false);
  await another(ann, true);
  expect(await signOut("send")).toMatchObject({
    ok: false,
    error: { text: expect.stringMatching(/sign in/i) as string },
  });
  expect(currentSession().user).toEqual(ann);
  expect(shown(business())).toContain("Night walk");
});

test("a tab that sleeps does not keep its person from signing in again", async () => {
  await aDayOf(ann);
  const sleeping = await new Promise<IDBDatabase>((opened) => {
    const opening = indexedDB.open(`walkies-${ann.id}`);
    opening.onsuccess = () => opened(opening.result);
  });
  const wake = acquireOpenLock(ann.id);
  await signOut("keep");
  server.isReachable = true;
  expect(await signIn(ann.email, PASSWORD)).toEqual({ ok: true });
  await expectAllOfIt(business());
  sleeping.close();
  wake();
});

test("a password that is changed here opens what is locked from then on", async () => {
  await aDayOf(ann);
  server.isReachable = true;
  expect(await changePassword(PASSWORD, "a new password")).toEqual({ ok: true });
  server.isReachable = false;
  await signOut("keep");
  server.isReachable = true;
  await signIn(ann.email, "a new password");
  expect(currentSession()).toMatchObject({ hasLocked: false });
  await expectAllOfIt(business());
});

test("an app that was killed while its person signed out goes on at the next start", async () => {
  const opened = await aDayOf(ann);
  await opened.store.close();
  // The session is gone, and that is how far it came.
  await writeSession(undefined);
  expect(await everythingOnThisPhone()).toContain(CLIENT);
  await leave(ann);
  await expectNothingToRead();
  // It came as far as the box, and not to the end.
  await leave(ann);
  await loadSession();
  server.isReachable = true;
  await signIn(ann.email, PASSWORD);
  await expectAllOfIt(business());
});

test("the marks that tell the sitter from readers of an invoice or a report go with the session", async () => {
  await enter(ann);
  // Of pages at another address, which none here can read.
  const cookie = vi.spyOn(document, "cookie", "set");
  await signOut("discard");
  expect(cookie.mock.calls).toEqual([
    ["own_invoices=; path=/invoice; max-age=0; samesite=lax"],
    ["own_reports=; path=/api/public/reports; max-age=0; samesite=lax"],
  ]);
});

/** Shows the other role of a person with both, as an address of its side does. */
async function turnTo(role: "sitter" | "client"): Promise<void> {
  showRole(role);
  await settled();
}

test("INVARIANT: a change made in one role stays while the other one is shown, and is sent in its own role alone", async () => {
  ann.roles = ["sitter", "client"];
  const anns = await enterAndFetch(ann);
  server.isReachable = false;
  await saveOffering(anns, "Night walk");
  await until(subscribeToSync, () => !syncStatus().online);
  expect(await mayShow("client")).toMatchObject({ ok: false });
  expect(await mayShow("sitter")).toMatchObject({ ok: true });
  server.isReachable = true;
  await turnTo("client");
  expect(openBusiness()).toBeUndefined();
  expect(currentSession().user?.role).toBe("client");
  expect(sessionToken()).toMatch(/\.client$/);
  expect(sessionToken("sitter")).toMatch(/\.sitter$/);
  expect(await mayShow("sitter")).toMatchObject({ ok: true });

  await turnTo("sitter");
  const again = business();
  expect(shown(again)).toContain("Night walk");
  await allSent(again);
  expect(server.offerings(ann)).toEqual(["ann's walk", "Night walk"]);
  const roles = server.sent.filter((it) => it.path.startsWith("/sync/")).map((it) => it.token?.split(".")[1]);
  expect([...new Set(roles)]).toEqual(["sitter"]);
});

test("signing out as a pet parent leaves the business locked, and it is there again after the next sign-in", async () => {
  ann.roles = ["sitter", "client"];
  const anns = await enterAndFetch(ann);
  server.isReachable = false;
  await saveOffering(anns, "Night walk");
  await turnTo("client");
  await signOut("keep");
  expect(await waiting()).toEqual([["ann", 1]]);
  expect(await everythingOnThisPhone()).not.toContain("Night walk");
  server.isReachable = true;
  await signIn(ann.email, PASSWORD);
  await turnTo("sitter");
  expect(shown(business())).toContain("Night walk");
  await allSent(business());
});

test("a business that was deleted elsewhere leaves this phone with the next sign-in", async () => {
  ann.roles = ["sitter", "client"];
  const anns = await enterAndFetch(ann);
  server.endSessions();
  await saveOffering(anns, "Night walk");
  await until(onSession, () => currentSession().state === "needs_auth");
  Object.assign(ann, { role: "client", roles: ["client"], sitter_id: null });
  await signIn(ann.email, PASSWORD);
  expect(currentSession().user?.role).toBe("client");
  const names = (await indexedDB.databases()).map((it) => it.name);
  expect(names).not.toContain(`walkies-${ann.id}`);
  expect(await waiting()).toEqual([]);
});

test("a walk that is being tracked keeps its tab in its role", async () => {
  ann.roles = ["sitter", "client"];
  await enterAndFetch(ann);
  const end = preventReload();
  expect(await mayShow("client")).toEqual({
    ok: false,
    error: { text: "A walk is being tracked. End it before you switch." },
  });
  end();
});

test("asking whether a role can be shown begins no database of it", async () => {
  ann.roles = ["sitter", "client"];
  ann.role = "client";
  await signIn(ann.email, PASSWORD);
  await settled();
  server.isReachable = false;
  await mayShow("sitter");
  const names = (await indexedDB.databases()).map((it) => it.name);
  expect(names).not.toContain(`walkies-${ann.id}`);
});

/** What is read before the app's script is there, over the browser's own database: taken once, and only while it is true. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { OpenBusiness } from "../business/openBusiness";
import type { SessionUser } from "../session/sessionDb";
import { StandInServer, saveOffering, shown, until } from "../testing";
import { databaseAhead, readAhead, rememberOpen, sessionAhead } from "./ahead";
import { deleteUserDb } from "./db";

let server: StandInServer;
let me: SessionUser;
let tabs: OpenBusiness[] = [];

beforeEach(async () => {
  server = await StandInServer.start();
  me = server.addSitter("mara");
  const before = await openTab();
  await saveOffering(before, "Walk");
  rememberOpen(me.id);
});

afterEach(async () => {
  rememberOpen(undefined);
  void sessionAhead();
  databaseAhead("", () => undefined);
  await Promise.all(tabs.map((it) => it.close()));
  tabs = [];
  await deleteUserDb(me.id);
});

async function openTab(): Promise<OpenBusiness> {
  const tab = await OpenBusiness.open(me.id);
  tabs.push(tab);
  return tab;
}

const databases = async () => (await indexedDB.databases()).map((it) => it.name);

test("a business opens with what was read ahead, and each of it is given once", async () => {
  await readAhead();
  const ahead = databaseAhead(me.id, () => undefined);
  expect((await ahead?.read)?.outbox.map((it) => it.sentence)).toEqual(["Add Walk"]);
  expect(databaseAhead(me.id, () => undefined)).toBeUndefined();
  (await ahead?.db)?.close();
  expect(sessionAhead()).toBeDefined();
  expect(sessionAhead()).toBeUndefined();
});

test("what another tab has written since is there, too", async () => {
  await readAhead();
  const [writing] = tabs;
  if (writing) await saveOffering(writing, "Sitting");
  const opened = await openTab();
  await until(opened.subscribe, () => shown(opened).length === 2);
  expect(shown(opened).toSorted()).toEqual(["Sitting", "Walk"]);
});

test("who opens another business gets that one", async () => {
  await readAhead();
  const other = server.addSitter("noor");
  const opened = await OpenBusiness.open(other.id);
  expect(shown(opened)).toEqual([]);
  await opened.close();
  await deleteUserDb(other.id);
});

test("a database that has gone is not begun anew", async () => {
  rememberOpen("somebody-who-left");
  await readAhead();
  expect(await databases()).not.toContain("walkies-somebody-who-left");
  expect(shown(await openTab())).toEqual(["Walk"]);
});

/**
 * The sitters that a pet parent sees, and what of each stays on a phone: the real session on the browser's own
 * database, with a server that says whose client the person is.
 */
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { renderHook } from "vitest-browser-react";
import { aClient, aPet, aService } from "../../../test/phone";
import { newRecords, pull, type SitterRecords } from "../../../test/support/standIn";
import { aborted, emptyPhone, signal } from "../../../test/support/testing";
import { loadRest, newClient, newId, type Outcome, type PushRequest, type SitterOfClient } from "../../core";
import { signIn, signOut, start } from "../account/auth";
import { business, openBusiness } from "../business/openBusiness";
import { type SessionUser, userOnThisPhone, writeSession } from "../session/sessionDb";
import { findKeptReport } from "./keptReports";
import {
  chooseSitter,
  haveReadLeft,
  refreshSitters,
  startPortal,
  useIsFollowing,
  usePortal,
  useUnsentElsewhere,
} from "./portal";

const PASSWORD = "six brave otters";
const AT = "2026-01-01T00:00:00.000Z";

/** The page of a shared report, with the fields that the phone reads. */
const PAGE = { title: "A walk with Rex", has_logo: false, events: [{ photo: 0 }, { photo: null }] };

let sam: SessionUser;
let sitters: SitterOfClient[];
/** The stand-in server's records of a business, by its sitter. */
let records: Map<string, SitterRecords>;
let isReachable: boolean;
/** A sitter who has let the person go without a notice. */
let gone: SitterOfClient | undefined;
/** The next answer of this sitter's feed is kept back. */
let delayed: { of: SitterOfClient; reached: () => void; released: Promise<void> } | undefined;

const sitter = (name: string): SitterOfClient => ({
  sitter_id: newId(),
  client_id: newId(),
  name,
  business_name: "",
  phone: "",
});

const json = (body: object, status = 200) =>
  Promise.resolve(new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } }));

const done = (data: unknown) => json({ success: true, data });

beforeAll(async () => {
  await emptyPhone();
  await loadRest();
  await writeSession(undefined);
  await start();
});

/** The feed of a business in which the person is a client. */
function recordsOf({ client_id }: SitterOfClient): SitterRecords {
  const known = newRecords(1);
  known.feed.set("client", { t: "client", id: client_id, rev: 1, d: { ...newClient(client_id), created_at: AT } });
  return known;
}

const hasLetGo = (of: string): boolean => gone?.sitter_id === of || !sitters.some(({ sitter_id }) => sitter_id === of);

const refused = () => json({ success: false, code: "not_linked", error: "No client" }, 403);

async function answerPull(query: URLSearchParams, stop: AbortSignal): Promise<Response> {
  const of = query.get("sitter_id") ?? "";
  if (hasLetGo(of)) return refused();
  const answer = pull(records.get(of) ?? newRecords(), query, of);
  if (delayed?.of.sitter_id === of) {
    delayed.reached();
    await Promise.race([delayed.released, aborted(stop)]);
  }
  return done(answer);
}

/** Takes all that comes from a client, and gives nothing but its outcomes into the feed. */
function answerPush(of: string, { device_id, mutations }: PushRequest): Promise<Response> {
  if (hasLetGo(of)) return refused();
  const known = records.get(of) ?? newRecords();
  const results = mutations.map(({ id, name, args }) => {
    known.rev += 1;
    const outcome = { id, outcome: "applied", rev: known.rev } as Outcome;
    known.decided.set(id, { device_id, asked: JSON.stringify([name, args]), outcome });
    return outcome;
  });
  return done({ results, stopped_at: null });
}

/** As the browser tells of it. */
function networkReturns(): void {
  dispatchEvent(new Event("offline"));
  dispatchEvent(new Event("online"));
}

/** Returns the commands that a sitter's server has decided, in its order, as JSON. */
const toldTo = (it: SitterOfClient | undefined): string[] =>
  [...(records.get(it?.sitter_id ?? "")?.decided.values() ?? [])].map(({ asked }) => asked);

const dana = () => sitters[0] as SitterOfClient;
const olga = () => sitters[1] as SitterOfClient;

beforeEach(() => {
  localStorage.clear();
  const id = newId();
  sam = { id, email: `${id}@example.com`, name: "Sam", role: "client", sitter_id: null };
  sitters = [sitter("Dana"), sitter("Olga")];
  records = new Map(sitters.map((it) => [it.sitter_id, recordsOf(it)]));
  isReachable = true;
  gone = undefined;
  delayed = undefined;
  vi.spyOn(window, "fetch").mockImplementation((input, init) => {
    const { pathname, searchParams } = new URL(input as string, location.href);
    const path = pathname.replace("/api", "");
    if (!isReachable) return Promise.reject(new TypeError("no network"));
    if (path === "/auth/signin") return done({ token: `${sam.id}-token`, user: sam, device: "device" });
    if (path === "/client/sitters") return done(sitters);
    if (path === "/auth/signout") return done(null);
    if (path === "/sync/pull") return answerPull(searchParams, init?.signal as AbortSignal);
    if (path === "/sync/push") {
      return answerPush(searchParams.get("sitter_id") ?? "", JSON.parse(init?.body as string) as PushRequest);
    }
    if (path === "/public/reports/secret") return done(PAGE);
    if (path === "/public/reports/secret/photos/0") {
      return Promise.resolve(new Response("a photo", { headers: { "Content-Type": "image/jpeg" } }));
    }
    return Promise.reject(new TypeError("no network"));
  });
});

afterEach(async () => {
  await signOut("discard");
});

/** Lists the names of the person's databases that lie open on this phone. */
const databases = async () =>
  (await indexedDB.databases()).map((it) => it.name ?? "").filter((it) => it.startsWith(`walkies-${sam.id}`));

const enter = async () => {
  expect(await signIn(sam.email, PASSWORD)).toEqual({ ok: true });
  await startPortal(null);
};

const type = (words: string) =>
  business().store.putDraft({ key: "ask", value: { message: words }, base_rev: 0, saved_at: 0 });
const typed = async () => (await business().store.getDraft("ask"))?.value;

test("each sitter has a database of its own, which is that of the own record there", async () => {
  await enter();
  expect(openBusiness()?.store.place).toEqual(expect.objectContaining({ client_id: sitters[0]?.client_id }));
  await type("to Dana");
  await chooseSitter(sitters[1]?.client_id ?? "");
  expect(await typed()).toBeUndefined();
  expect((await business().store.load()).meta.client_id).toBe(sitters[1]?.client_id);
  expect(await databases()).toHaveLength(2);
});

test("INVARIANT: who has signed out leaves nothing to read of any sitter, and finds the own words again", async () => {
  await enter();
  await type("to Dana");
  await chooseSitter(sitters[1]?.client_id ?? "");
  await type("to Olga");
  await signOut("keep");
  expect(await databases()).toEqual([]);
  expect((await userOnThisPhone(sam.id))?.sitters).toEqual([]);
  await enter();
  expect(await typed()).toEqual({ message: "to Dana" });
  await chooseSitter(sitters[1]?.client_id ?? "");
  expect(await typed()).toEqual({ message: "to Olga" });
});

test("what is the business's goes with the sitter who has let the person go, and the next one is shown", async () => {
  await enter();
  const gone = business().store.name;
  sitters = sitters.slice(1);
  await refreshSitters(null);
  expect(openBusiness()?.store.place).toEqual(expect.objectContaining({ client_id: sitters[0]?.client_id }));
  expect(await databases()).toEqual([`walkies-${business().store.name}`]);
  expect((await userOnThisPhone(sam.id))?.databases).not.toContain(gone);
});

test("who is a sitter no longer is told until it was read, also after the app was closed", async () => {
  await enter();
  sitters = [olga()];
  await refreshSitters(null);
  const { result } = await renderHook(usePortal);
  expect(result.current.left.map((it) => it.name)).toEqual(["Dana"]);
  expect((await userOnThisPhone(sam.id))?.left?.map((it) => it.name)).toEqual(["Dana"]);
  await refreshSitters(null);
  expect(result.current.left).toHaveLength(1);
  await haveReadLeft();
  await expect.poll(() => result.current.left).toEqual([]);
  expect((await userOnThisPhone(sam.id))?.left).toEqual([]);
});

test("visits that were still booked are noted with the former sitter, and stay noted", async () => {
  const client = aClient({ id: dana().client_id });
  const rex = aPet(client, { name: "Rex" });
  const visits = [
    aService(client, rex, { date: "2199-01-05" }),
    aService(client, rex, { date: "2199-01-01" }),
    aService(client, rex, { date: "2199-01-02", status: "cancelled" }),
    aService(client, rex, { date: "2026-01-02", status: "completed" }),
  ];
  const of = records.get(dana().sitter_id) ?? newRecords();
  for (const d of visits) of.feed.set(d.id, { t: "service", id: d.id, rev: 1, d });
  await enter();
  await expect.poll(hasLoaded).toBe(true);
  sitters = [olga()];
  await refreshSitters(null);
  const { result } = await renderHook(usePortal);
  const told = [expect.objectContaining({ name: "Dana", n_booked: 2, first_booked: "2199-01-01" })];
  expect(result.current.left).toEqual(told);
  expect((await userOnThisPhone(sam.id))?.left).toEqual(told);
  // Their rows are gone, and the next answer of the server counts nothing.
  await refreshSitters(null);
  expect(result.current.left).toEqual(told);
});

test("INVARIANT: of a sitter who has let the person go nothing stays but what was not sent", async () => {
  await enter();
  await expect.poll(hasLoaded).toBe(true);
  const { store } = business();
  await say("Ring once");
  await expect.poll(() => toldTo(dana()).join()).toContain("Ring once");
  await expect.poll(() => openBusiness()?.phone.pendingCount()).toBe(0);
  await type("half a request");
  const photo = { full: new Blob(["theirs"]), waiting: false, stored_at: 0 };
  await store.putPhoto({ ...photo, id: newId() });
  await store.run(async (db) => {
    await db.put("reports", { share_id: "secret", page: PAGE, kept_at: 0 });
    await db.put("report_photos", { share_id: "secret", name: "0", blob: new Blob(["a photo"]) });
  });
  isReachable = false;
  await say("Ring twice");
  sitters = [olga()];
  isReachable = true;
  await refreshSitters(null);
  const { result } = await renderHook(usePortal);
  expect(result.current.isParting).toBe(true);
  const stores = ["pages", "confirmed", "photos", "reports", "report_photos", "attention", "drafts"] as const;
  const counts = await business().store.run((db) => Promise.all(stores.map((it) => db.count(it))));
  expect(counts).toEqual([0, 0, 0, 0, 0, 1, 1]);
});

const hasLoaded = () => openBusiness()?.phone.hasLoaded();

const say = async (text: string) => {
  const args = { id: newId(), conversation_id: business().store.place?.client_id ?? "", content: text };
  expect(await business().save({ name: "send_message", args }, `Send ${text}`)).toMatchObject({ ok: true });
};

test("until the sitter of an opened address is shown, the one before is not taken for them", async () => {
  await enter();
  const { result } = await renderHook(() => useIsFollowing(olga().client_id));
  expect(result.current).toBe(true);
  await startPortal(olga().client_id);
  await expect.poll(() => result.current).toBe(false);
  expect(openBusiness()?.store.place?.client_id).toBe(olga().client_id);
  const stranger = newId();
  const { result: other } = await renderHook(() => useIsFollowing(stranger));
  expect(other.current).toBe(true);
  await startPortal(stranger);
  await expect.poll(() => other.current).toBe(false);
});

test("what waits for a sitter is sent while another one is shown", async () => {
  await enter();
  await expect.poll(hasLoaded).toBe(true);
  isReachable = false;
  await say("Ring twice");
  await chooseSitter(olga().client_id);
  const { result } = await renderHook(useUnsentElsewhere);
  expect(result.current).toEqual({ pending: 1, attention: 0 });
  isReachable = true;
  networkReturns();
  await expect.poll(() => toldTo(dana()).join()).toContain("Ring twice");
  expect(openBusiness()?.store.place?.client_id).toBe(olga().client_id);
  expect(toldTo(olga())).toEqual([]);
});

test("what is new of a sitter who was never shown is counted, and is there without a network", async () => {
  const said = { id: olga().client_id, created_at: AT, sitter_count: 2, last_message_sender_type: "sitter" };
  records.get(olga().sitter_id)?.feed.set("said", { t: "conversation", id: said.id, rev: 1, d: said });
  await enter();
  const { result } = await renderHook(usePortal);
  await expect.poll(() => result.current.standings[olga().client_id]).toEqual({ pending: 0, attention: 0, unread: 2 });
  isReachable = false;
  await chooseSitter(olga().client_id);
  expect(business().phone.unreadMessages()).toBe(2);
});

test("INVARIANT: who signs out while another sitter's rows are on their way leaves nothing of them", async () => {
  const reached = signal();
  const released = signal();
  delayed = { of: olga(), reached: reached.give, released: released.given };
  await enter();
  await reached.given;
  expect(await databases()).toHaveLength(2);
  await signOut("keep");
  released.give();
  expect(await databases()).toEqual([]);
});

test("a sitter who is not shown and lets the person go leaves nothing here, and the one who is shown stays", async () => {
  await enter();
  await expect.poll(databases).toHaveLength(2);
  const shown = business();
  gone = olga();
  sitters = [dana()];
  networkReturns();
  await expect.poll(databases).toEqual([`walkies-${shown.store.name}`]);
  expect(openBusiness()).toBe(shown);
});

test("a report is kept with its photos, also of a sitter who is not shown, until it is taken back", async () => {
  const of = records.get(olga().sitter_id) ?? newRecords();
  const d = { id: newId(), walk_id: newId(), client_id: olga().client_id, dogs: ["Rex"], share_id: "secret" };
  const report = { t: "report", id: d.id, rev: 1 };
  of.feed.set("report", { ...report, d: { ...d, started_at: AT, shared_at: AT } });
  await enter();
  await expect.poll(() => findKeptReport("secret")).toMatchObject({ page: PAGE });
  const { photos } = (await findKeptReport("secret")) ?? {};
  expect(await photos?.get("0")?.text()).toBe("a photo");
  expect(await findKeptReport("another")).toBeUndefined();
  of.rev = 2;
  of.feed.set("report", { ...report, rev: 2, del: true });
  networkReturns();
  await expect.poll(() => findKeptReport("secret")).toBeUndefined();
});

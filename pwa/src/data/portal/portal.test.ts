/**
 * Which of their sitters a pet parent sees, and what of each stays on a phone: the real session on the browser's own
 * database, with a server that says whose client the person is.
 */
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { loadCore, newId, type SitterOfClient } from "../../core";
import { signIn, signOut, start } from "../account/auth";
import { business, openBusiness } from "../business/openBusiness";
import { type SessionUser, userOnThisPhone, writeSession } from "../session/sessionDb";
import { emptyPhone } from "../testing";
import { chooseSitter, refreshSitters, startPortal } from "./portal";

const PASSWORD = "six brave otters";

let sam: SessionUser;
let sitters: SitterOfClient[];

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
  await loadCore();
  await writeSession(undefined);
  await start();
});

beforeEach(() => {
  localStorage.clear();
  const id = newId();
  sam = { id, email: `${id}@example.com`, name: "Sam", role: "client", sitter_id: null };
  sitters = [sitter("Dana"), sitter("Olga")];
  vi.spyOn(window, "fetch").mockImplementation((input) => {
    const path = (input as string).replace("/api", "").replace(/\?.*/, "");
    if (path === "/auth/signin") return done({ token: `${sam.id}-token`, user: sam, device: "device" });
    if (path === "/client/sitters") return done(sitters);
    if (path === "/auth/signout") return done(null);
    return Promise.reject(new TypeError("no network"));
  });
});

afterEach(async () => {
  await signOut("discard");
});

/** What lies open of the person on this phone. */
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

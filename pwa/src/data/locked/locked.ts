/**
 * Owns what of a person stays on a phone on which they are not signed in: what nobody else has, encrypted.
 *
 * While someone is signed in their database lies open, as offline work needs it. It goes as a whole, with all that the
 * server has too, when they sign out, when the server signs them out, when an expired session was not taken up within
 * the offline grace, and when someone else signs in. What only this phone has goes into a locked box before: changes
 * that were not sent, what needs attention, drafts, the photos that these wait with, walks, saved routes. 'Discard'
 * leaves out the first three. Of a box nothing can be read without the password but whose it is and how much is in it.
 *
 * | what happens                              | what becomes of the work                                             |
 * |-------------------------------------------|----------------------------------------------------------------------|
 * | signing in with the password              | every box that it opens is put back, then the box goes                |
 * | the password is another one by now        | the box stays, a banner asks for the old one; a new lock for new work |
 * | signing in without a password             | the same, with the lock that there was                                |
 * | killed while leaving                      | the next start goes on: a database of nobody is always left again     |
 * | the same box twice, by a kill in between  | has one name, its phone number's, and is written once                 |
 * | no lock (no password was ever typed here) | the server's rows and photos go, the work stays as it is, and nobody  |
 * |                                           | calls it locked                                                       |
 *
 * A lock is made when a password is typed to sign in, and needs no secret to be used (`session/lock.ts`).
 */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { canLock, type Lock, unlock } from "../session/lock";
import {
  changeUser,
  databasesOf,
  forgetUser,
  putUser,
  readSession,
  rolesOf,
  type SessionUser,
  type StoredUser,
  userOnThisPhone,
  usersOnThisPhone,
} from "../session/sessionDb";
import { openLockName, withLockOrTimeout, withUserLock } from "../session/tabLocks";
import { deleteUserDb, openUserDb, type StoredMeta, type UserDatabase, type UserDb } from "../store/db";
import { blockedError, withStorageTimeout } from "../store/storage";
import { pack, unpack } from "./packed";
import { openerOf, type Sealed, sealerFor } from "./sealed";

/** How much of what is kept. */
export interface LocalWorkCounts {
  /** Not sent, or in need of a word. */
  changes: number;
  drafts: number;
  walks: number;
  routes: number;
}

/** Someone who is not signed in and whose work is on this phone. */
export interface UserOnThisPhone {
  user: SessionUser;
  counts: LocalWorkCounts;
  /** False where it could not be encrypted. */
  isLocked: boolean;
}

interface StoredBox {
  /** The user's id and the number of the phone whose changes are in it. */
  id: string;
  user: SessionUser;
  device_id: string;
  /** Name of the database that the rows come from, where the person has more than one. */
  database?: string;
  lock: Lock;
  ephemeral: Uint8Array<ArrayBuffer>;
  parts: number;
  counts: LocalWorkCounts;
  locked_at: number;
}

type StoredPart = Sealed & { box: string; n: number };

/** Stored on phones. Only add stores and optional fields; never rename. */
interface LockedDb extends DBSchema {
  boxes: { key: string; value: StoredBox };
  parts: { key: [string, number]; value: StoredPart };
}

export const LOCKED_DATABASE = "walkies-locked";

/** All that nobody else has. The numbers of the phone go along, so that what was sent is known to be the same. */
const LOCAL_STORES = [
  "meta",
  "outbox",
  "attention",
  "drafts",
  "photos",
  "walks",
  "walk_points",
  "walk_photos",
  "routes",
  "videos",
  "video_chunks",
] as const satisfies (keyof UserDb)[];

type LocalStore = (typeof LOCAL_STORES)[number];

/** A value of a person's database. */
interface Row {
  store: LocalStore;
  value: unknown;
}

/**
 * Keys in local storage of choices that a person made in passing; they are removed with the person and are not worth a
 * box.
 */
const CHOICES = [
  "walkies-collapsed-services",
  "walkies-route-wishes",
  "walkies-profile-later",
  "walkies-parent-changes",
  "walkies-portal",
  "walkies-offer",
  "walkies-invites",
  "walkies-home-later",
];

/** How long other tabs may take to let go of a business. One that sleeps does not write either. */
const RELEASE_TIMEOUT_MS = 3_000;
/** Another tab may write while it is packed, but not for ever. */
const ROUNDS = 5;
/** Large enough to be few, small enough for a phone's memory. */
const PART_BYTES = 1_000_000;

async function withLockedDb<T>(work: (db: IDBPDatabase<LockedDb>) => Promise<T>): Promise<T> {
  const db = await openDB<LockedDb>(LOCKED_DATABASE, 1, {
    upgrade(db) {
      db.createObjectStore("boxes", { keyPath: "id" });
      db.createObjectStore("parts", { keyPath: ["box", "n"] });
    },
  });
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

/** Opens a person's database, unless a tab that sleeps is in the way: nobody waits for that. */
async function openInTime(name: string): Promise<UserDatabase> {
  const opening = openUserDb(name, () => undefined);
  try {
    return await withStorageTimeout(opening, blockedError);
  } catch (error) {
    void opening.then(
      (late) => late.close(),
      () => undefined,
    );
    throw error;
  }
}

/**
 * Takes from the phone what it has of someone who is not signed in any more, but for what nobody else has, which is
 * locked. It can be done again at any time: what was done is done.
 */
export function leave(user: StoredUser): Promise<void> {
  return withUserLock(user.id, () =>
    withLockOrTimeout(openLockName(user.id), RELEASE_TIMEOUT_MS, async (isClosed) => {
      // Signed in again while this waited for its turn.
      if ((await readSession())?.user.id === user.id) return;
      for (const key of CHOICES) localStorage.removeItem(key);
      const names = databasesOf(user);
      let isEmpty = true;
      for (const name of names) isEmpty = (await leaveDatabase(name, user)) && isEmpty;
      // Nothing is in it any more. To delete it in front of a tab that sleeps would lock its person out until that wakes.
      if (!isEmpty || !isClosed) return;
      for (const name of names) await deleteUserDb(name);
      if (rolesOf(user).includes("client")) await changeUser(user.id, () => ({ sitters: [], left: [], databases: [] }));
      // A lock that locks nothing says no more than who was here.
      if ((await boxesOf(user.id)).length === 0) await forgetUser(user.id);
    }),
  );
}

/** Locks away what nobody else has of a database. True if nothing is left in it in the open. */
async function leaveDatabase(name: string, user: SessionUser): Promise<boolean> {
  const db = await openInTime(name);
  try {
    await dropConfirmed(db);
    return await lockAway(db, user, name);
  } finally {
    db.close();
  }
}

/** Leaves everyone who is not signed in: work that a kill has broken off, and who was here before the one who is. */
export async function leaveOthers(): Promise<void> {
  const current = (await readSession())?.user.id;
  for (const user of await usersOnThisPhone()) if (user.id !== current) await leave(user);
}

/** The server has it: gone before anything else, so that it goes also where the rest does not fit. */
async function dropConfirmed(db: UserDatabase): Promise<void> {
  const tx = db.transaction(db.objectStoreNames, "readwrite", { durability: "strict" });
  const meta = await tx.objectStore("meta").get("meta");
  const waits = await Promise.all(
    (["outbox", "attention", "drafts"] as const).map((it) => tx.objectStore(it).getAll()),
  );
  const named = JSON.stringify(waits);
  const confirmed = [...db.objectStoreNames].filter((it) => !(LOCAL_STORES as readonly string[]).includes(it));
  const clearing = confirmed.map((it) => tx.objectStore(it).clear());
  await Promise.all([...clearing, meta && tx.objectStore("meta").put({ ...meta, cursor: 0 }, "meta")]);
  for (let at = await tx.objectStore("photos").openCursor(); at; at = await at.continue()) {
    // What nobody names was discarded, or is the server's.
    if (!named.includes(at.value.id)) await at.delete();
  }
  for (let at = await tx.objectStore("videos").openCursor(); at; at = await at.continue()) {
    if (!named.includes(at.value.id)) await at.delete();
  }
  for (let at = await tx.objectStore("video_chunks").openCursor(); at; at = await at.continue()) {
    if (!named.includes(at.value.video_id)) await at.delete();
  }
  await tx.done;
}

/** Locks what is left and clears it. True if nothing is left in the open. */
async function lockAway(db: UserDatabase, user: SessionUser, name: string): Promise<boolean> {
  const lock = (await userOnThisPhone(user.id))?.lock;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const rows = await readLocalStores(db);
    const counts = countsOf(rows);
    const isWorth = Object.values(counts).some((it) => it > 0);
    if (isWorth && !(lock && canLock())) return false;
    if (isWorth && lock) await putBox(user, lock, { rows, counts, database: name });
    if (await clearIfSame(db, rows)) return true;
  }
  return false;
}

async function readLocalStores(db: UserDatabase): Promise<Row[]> {
  const tx = db.transaction(LOCAL_STORES);
  const rows = await Promise.all(
    LOCAL_STORES.map(async (store) => (await tx.objectStore(store).getAll()).map((value): Row => ({ store, value }))),
  );
  await tx.done;
  return rows.flat();
}

/** Empties the database, unless it has something else in it by now than what was locked. */
async function clearIfSame(db: UserDatabase, rows: readonly Row[]): Promise<boolean> {
  const tx = db.transaction(db.objectStoreNames, "readwrite", { durability: "strict" });
  const found = await Promise.all(
    LOCAL_STORES.map(async (store) => (await tx.objectStore(store).getAll()).map((value): Row => ({ store, value }))),
  );
  const isSame = outline(found.flat()) === outline(rows);
  if (isSame) await Promise.all([...db.objectStoreNames].map((store) => tx.objectStore(store).clear()));
  await tx.done;
  return isSame;
}

/** Tells two readings apart: the words themselves, and of bytes how many there are, since these are only added to. */
const outline = (rows: readonly Row[]): string =>
  JSON.stringify(rows, (_, value: unknown) => {
    if (value instanceof Blob) return value.size;
    return value instanceof Uint8Array || value instanceof ArrayBuffer ? value.byteLength : value;
  });

function countsOf(rows: readonly Row[]): LocalWorkCounts {
  const count = (...stores: LocalStore[]) => rows.filter((it) => stores.includes(it.store)).length;
  return {
    changes: count("outbox", "attention"),
    drafts: count("drafts"),
    walks: count("walks"),
    routes: count("routes"),
  };
}

const partsOf = (box: string) => IDBKeyRange.bound([box, 0], [box, Number.MAX_SAFE_INTEGER]);
const partName = (box: string, n: number, parts: number) => `${box} ${n}/${parts}`;

/** Contents of a box. */
interface Packed {
  rows: readonly Row[];
  counts: LocalWorkCounts;
  database: string;
}

async function putBox(user: SessionUser, lock: Lock, { rows, counts, database }: Packed): Promise<void> {
  const meta = rows.find((it) => it.store === "meta")?.value as StoredMeta | undefined;
  const device_id = meta?.device_id ?? "";
  const id = `${user.id}/${device_id}`;
  const sealer = await sealerFor(lock);
  const packed = await packAll(rows);
  const parts: StoredPart[] = [];
  for (const [n, bytes] of packed.entries()) {
    parts.push({ box: id, n, ...(await sealer.seal(partName(id, n, packed.length), bytes)) });
  }
  const box: StoredBox = {
    id,
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      role: user.role,
      roles: [...rolesOf(user)],
      sitter_id: user.sitter_id,
    },
    device_id,
    database,
    lock,
    ephemeral: sealer.ephemeral,
    parts: parts.length,
    counts,
    locked_at: Date.now(),
  };
  await withLockedDb(async (db) => {
    const tx = db.transaction(["boxes", "parts"], "readwrite", { durability: "strict" });
    await Promise.all([
      tx.objectStore("parts").delete(partsOf(id)),
      tx.objectStore("boxes").put(box),
      ...parts.map((it) => tx.objectStore("parts").put(it)),
      tx.done,
    ]);
  });
  await putUser({ ...(await userOnThisPhone(user.id)), ...box.user, lock, has_boxes: true });
}

/** Many rows to a part. */
async function packAll(rows: readonly Row[]): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let some: Row[] = [];
  let size = 0;
  for (const row of rows) {
    some.push(row);
    size += sizeOf(row.value);
    if (size < PART_BYTES) continue;
    parts.push(await pack(some));
    some = [];
    size = 0;
  }
  if (some.length > 0) parts.push(await pack(some));
  return parts;
}

/** Bytes that count for a number, or for the frame of an object. */
const PLAIN_BYTES = 8;

/** About as much as it takes. */
function sizeOf(value: unknown): number {
  if (value instanceof Blob) return value.size;
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return value.byteLength;
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return PLAIN_BYTES;
  return Object.values(value).reduce<number>((sum, it) => sum + sizeOf(it), PLAIN_BYTES);
}

async function removeBox(id: string): Promise<void> {
  await withLockedDb(async (db) => {
    const tx = db.transaction(["boxes", "parts"], "readwrite", { durability: "strict" });
    await Promise.all([tx.objectStore("boxes").delete(id), tx.objectStore("parts").delete(partsOf(id)), tx.done]);
  });
}

const boxesOf = async (userId: string): Promise<StoredBox[]> =>
  (await withLockedDb((db) => db.getAll("boxes"))).filter((it) => it.user.id === userId);

/** Everyone whose work is on this phone and who is not signed in, for the sign-in screen. */
export async function usersWithLocalWork(): Promise<UserOnThisPhone[]> {
  const current = (await readSession())?.user.id;
  const boxes = await withLockedDb((db) => db.getAll("boxes"));
  const found = boxes.map(({ user, counts }): UserOnThisPhone => ({ user, counts, isLocked: true }));
  for (const user of await usersOnThisPhone()) {
    // To look into a database that is not there would make it.
    if (user.id === current || user.has_boxes) continue;
    const rows: Row[] = [];
    for (const name of databasesOf(user)) {
      const db = await openInTime(name);
      rows.push(...(await readLocalStores(db)));
      db.close();
    }
    const counts = countsOf(rows);
    if (Object.values(counts).some((it) => it > 0)) found.push({ user, counts, isLocked: false });
  }
  return found;
}

/** How many boxes a password has opened, and how many it has not. */
export interface Opened {
  opened: number;
  left: number;
}

/** Opens what is locked of who is signing in, as far as their password does it and this phone has room for it. */
export async function openBoxes(userId: string, password: string | undefined): Promise<Opened> {
  const boxes = (await boxesOf(userId)).toSorted((a, b) => a.locked_at - b.locked_at);
  let opened = 0;
  let trouble: unknown;
  for (const box of boxes) {
    try {
      if (await openBox(userId, box, password)) opened += 1;
    } catch (error) {
      trouble = error;
    }
  }
  if (opened === 0 && trouble) throw trouble;
  const left = boxes.length - opened;
  if (left === 0) await hasNoBoxes(userId);
  return { opened, left };
}

/** Puts back what is in a box; false where it was locked with another password. */
async function openBox(userId: string, box: StoredBox, password: string | undefined): Promise<boolean> {
  const key = password === undefined ? undefined : await unlock(box.lock, password);
  if (!key) return false;
  const open = await openerOf(key, box.ephemeral);
  const parts = await withLockedDb((db) => db.getAll("parts", partsOf(box.id)));
  const rows: Row[] = [];
  for (const part of parts) {
    rows.push(...(unpack(await open(partName(box.id, part.n, box.parts), part)) as Row[]));
  }
  await putBack(userId, box, rows);
  await removeBox(box.id);
  return true;
}

async function hasNoBoxes(userId: string): Promise<void> {
  const user = await userOnThisPhone(userId);
  if (user) await putUser({ ...user, has_boxes: false });
}

/** Removes everything that is locked of a user: their account is gone, or they have said so. */
export async function discardBoxes(userId: string): Promise<void> {
  for (const box of await boxesOf(userId)) await removeBox(box.id);
  await hasNoBoxes(userId);
}

/** Puts what was locked into the person's database: into an empty one, or beside what was done since. */
async function putBack(userId: string, box: StoredBox, rows: readonly Row[]): Promise<void> {
  const { database = userId } = box;
  // Noted first, so that a kill leaves none that nobody knows of.
  if (database !== userId) {
    await changeUser(userId, ({ databases = [] }) => ({ databases: [...new Set([...databases, database])] }));
  }
  const db = await openInTime(database);
  try {
    const tx = db.transaction(LOCAL_STORES, "readwrite", { durability: "strict" });
    let meta = await tx.objectStore("meta").get("meta");
    // A kill came between putting it back and taking the box away: here it has lived on since.
    if (meta && meta.device_id === box.device_id) {
      tx.abort();
      await tx.done.catch(() => undefined);
      return;
    }
    const writes: Promise<unknown>[] = [];
    const hasMeta = meta !== undefined;
    for (const { store, value } of rows) {
      if (store === "meta") {
        if (!hasMeta) meta = { ...(value as StoredMeta), cursor: 0 };
      } else if (store === "outbox" && hasMeta && meta) {
        // Behind what was saved since, in this phone's new order.
        const entry = value as UserDb["outbox"]["value"];
        meta = { ...meta, seq: meta.seq + 1 };
        writes.push(tx.objectStore("outbox").put({ ...entry, mutation: { ...entry.mutation, seq: meta.seq } }));
      } else if (store === "drafts" && (await tx.objectStore("drafts").get((value as { key: string }).key))) {
        // The form has other words by now. These are not for nothing: they come when those are gone.
        const draft = value as UserDb["drafts"]["value"];
        writes.push(tx.objectStore("drafts").put({ ...draft, key: `${draft.key}~${box.locked_at}` }));
      } else {
        writes.push(tx.objectStore(store as "walks").put(value as UserDb["walks"]["value"]));
      }
    }
    if (meta) writes.push(tx.objectStore("meta").put(meta, "meta"));
    await Promise.all([...writes, tx.done]);
  } finally {
    db.close();
  }
}

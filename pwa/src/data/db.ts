/**
 * Owns the IndexedDB layout: one database per signed-in user, one for the session.
 * `pages` may always be thrown away and pulled again; outbox, attention, photos, drafts, walks and routes may never be.
 */
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from "idb";
import type { AttentionEntry, Meta, OutboxEntry } from "../core";

/** A photo on this phone: taken here and perhaps not sent yet, or fetched from the server. */
export interface StoredPhoto {
  id: string;
  full: Blob;
  /** True until the server has confirmed it. */
  waiting: boolean;
  stored_at: number;
}

/** What stands in a form that is open, or was when the tab was killed. */
export interface StoredDraft {
  key: string;
  value: unknown;
  /** The revision that the person had seen when the form was opened. */
  base_rev: number;
  saved_at: number;
}

/** Where the database stands, with the last `seq` given out. */
export type StoredMeta = Meta & { seq: number };

/** One walk: its header. The track is in `walk_points`. Its shape is owned by `walks.ts`. */
export interface StoredWalk {
  id: string;
  [field: string]: unknown;
}

/** A route that was saved. */
export interface StoredRoute {
  id: string;
  [field: string]: unknown;
}

/** Stored on phones. Only add stores and optional fields; never rename. */
export interface UserDb extends DBSchema {
  /** Confirmed rows, many to a page; see `pages.ts`. */
  pages: { key: string; value: Uint8Array };
  outbox: { key: number; value: OutboxEntry };
  attention: { key: string; value: AttentionEntry };
  photos: { key: string; value: StoredPhoto };
  drafts: { key: string; value: StoredDraft };
  meta: { key: "meta"; value: StoredMeta };
  walks: { key: string; value: StoredWalk };
  walk_points: { key: [string, number]; value: { walk_id: string; n: number; bytes: Uint8Array } };
  walk_photos: { key: string; value: { id: string; blob: Blob } };
  /** Routes that were saved to be taken again. Their shape is owned by `routes.ts`. */
  routes: { key: string; value: StoredRoute };
}

/** Who is signed in on this phone. */
export interface StoredSession {
  token: string;
  user: SessionUser;
  /** The server has turned the token down: work goes on, sending waits for the password. */
  needs_auth: boolean;
}

export interface SessionUser {
  id: string;
  email: string;
  name: string;
  role: "sitter" | "client";
  sitter_id: string | null;
}

interface SessionDb extends DBSchema {
  session: { key: "session"; value: StoredSession };
  /** Everyone whose database is on this phone. */
  users: { key: string; value: SessionUser };
}

export type UserDatabase = IDBPDatabase<UserDb>;

const VERSION = 3;

/** The map's tiles; nobody's, and the first to go where room is short. See `map/tiles.ts`. */
export const MAP_DATABASE = "walkies.map";

const databaseName = (userId: string) => `walkies-${userId}`;

/**
 * Opens a user's database. Upgrades only add.
 * `onLost` runs when the connection is gone: a newer version of the app wants to upgrade it, or the browser
 * dropped it (WebKit does after a long sleep); the caller opens it again when it is needed.
 */
export async function openUserDb(userId: string, onLost: () => void): Promise<UserDatabase> {
  const db = await openDB<UserDb>(databaseName(userId), VERSION, {
    async upgrade(db, oldVersion, _, tx) {
      if (oldVersion < 3) db.createObjectStore("routes", { keyPath: "id" });
      if (oldVersion >= 2) return;
      db.createObjectStore("pages");
      if (oldVersion < 1) {
        db.createObjectStore("outbox", { keyPath: "mutation.seq" });
        db.createObjectStore("attention", { keyPath: "entry.mutation.id" });
        db.createObjectStore("photos", { keyPath: "id" });
        db.createObjectStore("drafts", { keyPath: "key" });
        db.createObjectStore("meta");
        db.createObjectStore("walks", { keyPath: "id" });
        db.createObjectStore("walk_points", { keyPath: ["walk_id", "n"] });
        db.createObjectStore("walk_photos", { keyPath: "id" });
      } else {
        // Rows lay one by one in a store of another name: they are pulled again.
        (db as unknown as IDBPDatabase).deleteObjectStore("base");
        const meta = await tx.objectStore("meta").get("meta");
        if (meta) await tx.objectStore("meta").put({ ...meta, cursor: 0 }, "meta");
      }
    },
    blocking() {
      db.close();
      onLost();
    },
    terminated: onLost,
  });
  return db;
}

/** Makes room for what a person typed: the map can be fetched again. */
export const dropMapTiles = (): Promise<void> => deleteDB(MAP_DATABASE);

/** Removes everything that this phone holds of a user. */
export async function deleteUserDb(userId: string): Promise<void> {
  await deleteDB(databaseName(userId));
  await withSessionDb((db) => db.delete("users", userId));
}

/**
 * Signs a user out of this phone. What nobody else has (unsent work, drafts, walks) stays for the next sign-in and
 * everything else goes.
 */
export async function leaveUserDb(userId: string): Promise<void> {
  const db = await openUserDb(userId, () => undefined);
  const kept = await Promise.all([
    db.count("outbox"),
    db.count("attention"),
    db.count("drafts"),
    db.count("walks"),
    db.count("routes"),
  ]);
  db.close();
  if (kept.every((count) => count === 0)) await deleteUserDb(userId);
}

// In IndexedDB and not in localStorage, since the service worker needs it and cannot read the latter.
async function withSessionDb<T>(work: (db: IDBPDatabase<SessionDb>) => Promise<T>): Promise<T> {
  const db = await openDB<SessionDb>("walkies-session", 1, {
    upgrade(db) {
      db.createObjectStore("session");
      db.createObjectStore("users", { keyPath: "id" });
    },
  });
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

export const readSession = (): Promise<StoredSession | undefined> =>
  withSessionDb((db) => db.get("session", "session"));

export async function writeSession(session: StoredSession | undefined): Promise<void> {
  await withSessionDb(async (db) => {
    if (!session) return db.delete("session", "session");
    const tx = db.transaction(["session", "users"], "readwrite");
    await tx.objectStore("session").put(session, "session");
    await tx.objectStore("users").put(session.user);
    await tx.done;
  });
}

/** Someone whose work waits on this phone while another, or nobody, is signed in. */
export interface UserOnThisPhone {
  user: SessionUser;
  /** Changes that were not sent, or that need a word. */
  waiting: number;
}

/** Everyone whose unsent work is on this phone, for the sign-in screen. */
export async function usersWithWaitingWork(): Promise<UserOnThisPhone[]> {
  const users = await withSessionDb((db) => db.getAll("users"));
  const all = await Promise.all(
    users.map(async (user) => {
      const db = await openUserDb(user.id, () => undefined);
      const waiting = (await db.count("outbox")) + (await db.count("attention"));
      db.close();
      return { user, waiting };
    }),
  );
  return all.filter(({ waiting }) => waiting > 0);
}

/**
 * Owns the IndexedDB layout: one database per signed-in user, one for the session.
 * `base` may always be thrown away and pulled again; outbox, attention, photos, drafts and walks may never be.
 */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
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

/** Stored on phones. Only add stores and optional fields; never rename. */
export interface UserDb extends DBSchema {
  base: { key: string; value: string };
  outbox: { key: number; value: OutboxEntry };
  attention: { key: string; value: AttentionEntry };
  photos: { key: string; value: StoredPhoto };
  drafts: { key: string; value: StoredDraft };
  meta: { key: "meta"; value: StoredMeta };
  walks: { key: string; value: StoredWalk };
  walk_points: { key: [string, number]; value: { walk_id: string; n: number; bytes: Uint8Array } };
  walk_photos: { key: string; value: { id: string; blob: Blob } };
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
}

export type UserDatabase = IDBPDatabase<UserDb>;

const VERSION = 1;

const databaseName = (userId: string) => `walkies-${userId}`;

/**
 * Opens a user's database. Upgrades only add.
 * `onLost` runs when the connection is gone: a newer version of the app wants to upgrade it, or the browser
 * dropped it (WebKit does after a long sleep); the caller opens it again when it is needed.
 */
export async function openUserDb(userId: string, onLost: () => void): Promise<UserDatabase> {
  const db = await openDB<UserDb>(databaseName(userId), VERSION, {
    upgrade(db, oldVersion) {
      if (oldVersion < 1) {
        db.createObjectStore("base");
        db.createObjectStore("outbox", { keyPath: "mutation.seq" });
        db.createObjectStore("attention", { keyPath: "entry.mutation.id" });
        db.createObjectStore("photos", { keyPath: "id" });
        db.createObjectStore("drafts", { keyPath: "key" });
        db.createObjectStore("meta");
        db.createObjectStore("walks", { keyPath: "id" });
        db.createObjectStore("walk_points", { keyPath: ["walk_id", "n"] });
        db.createObjectStore("walk_photos", { keyPath: "id" });
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

/** Removes everything that this phone holds of a user. */
export function deleteUserDb(userId: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(databaseName(userId));
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error ?? new Error("The database could not be removed."));
  });
}

/** The ids of the users whose data is on this phone. */
export async function usersOnThisPhone(): Promise<string[]> {
  const names = (await indexedDB.databases?.()) ?? [];
  return names.flatMap(({ name }) =>
    name?.startsWith("walkies-") && name !== SESSION_DB ? [name.slice("walkies-".length)] : [],
  );
}

const SESSION_DB = "walkies-session";

// In IndexedDB and not in localStorage, since the service worker needs it and cannot read the latter.
const sessionDb = () =>
  openDB<SessionDb>(SESSION_DB, 1, {
    upgrade(db) {
      db.createObjectStore("session");
    },
  });

export async function readSession(): Promise<StoredSession | undefined> {
  const db = await sessionDb();
  const session = await db.get("session", "session");
  db.close();
  return session;
}

export async function writeSession(session: StoredSession | undefined): Promise<void> {
  const db = await sessionDb();
  if (session) await db.put("session", session, "session");
  else await db.delete("session", "session");
  db.close();
}

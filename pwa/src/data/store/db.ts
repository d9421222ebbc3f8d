/**
 * Owns the IndexedDB layout of what a user has on this phone, one database for each.
 * `pages` and reports may always be thrown away and fetched again; outbox, attention, photos, videos, drafts, walks and routes may
 * never be.
 */
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from "idb";
import type { AttentionEntry, Meta, OutboxEntry } from "../../core";

/** A photo on this phone: taken here and perhaps not sent yet, or fetched from the server. */
export interface StoredPhoto {
  id: string;
  /** On the disk as bytes; see `blobs.ts`. */
  full: Blob;
  /** True until the server has confirmed it. */
  waiting: boolean;
  stored_at: number;
}

/** A video that waits on this phone to be sent. Its bytes are in `video_chunks`; see `videos/videos.ts`. */
export interface StoredVideo {
  id: string;
  /** Name of its file. */
  name: string;
  /** Its media type. */
  type: string;
  /** Size in bytes. */
  size: number;
  /** True until the server has all of it. */
  waiting: boolean;
  stored_at: number;
}

/** Contents of a form that is open, or was when the tab was killed. */
export interface StoredDraft {
  key: string;
  value: unknown;
  /** The revision that the person had seen when the form was opened. */
  base_rev: number;
  saved_at: number;
}

/** Sync state of the database, with the last `seq` that was given out. */
export type StoredMeta = Meta & { seq: number };

/** A change of this phone that the server has confirmed, kept for a while: a restored server may have forgotten it. */
export interface StoredConfirmed {
  /** Its mutation's, which tells its age, too. */
  id: string;
  entry: OutboxEntry;
  confirmed_at: number;
}

/** One walk: its header. The track is in `walk_points`. Its shape is owned by `walks/walks.ts`. */
export interface StoredWalk {
  id: string;
  [field: string]: unknown;
}

/** A route that was saved. */
export interface StoredRoute {
  id: string;
  [field: string]: unknown;
}

/** A shared report that can be read without a network: what its page says. Its shape is owned by the core. */
export interface StoredReport {
  share_id: string;
  page: unknown;
  kept_at: number;
}

/** Stored on phones. Only add stores and optional fields; never rename. */
export interface UserDb extends DBSchema {
  /** Confirmed rows, a bucket of many to a value; see `buckets.ts`. */
  pages: { key: string; value: Uint8Array };
  outbox: { key: number; value: OutboxEntry };
  attention: { key: string; value: AttentionEntry };
  confirmed: { key: string; value: StoredConfirmed };
  photos: { key: string; value: StoredPhoto };
  drafts: { key: string; value: StoredDraft };
  meta: { key: "meta"; value: StoredMeta };
  walks: { key: string; value: StoredWalk };
  walk_points: { key: [string, number]; value: { walk_id: string; n: number; bytes: Uint8Array } };
  walk_photos: { key: string; value: { id: string; blob: Blob } };
  /** Routes that were saved to be taken again. Their shape is owned by `walks/savedRoutes.ts`. */
  routes: { key: string; value: StoredRoute };
  /** Reports that were shared with a pet parent; see `portal/keptReports.ts`. */
  reports: { key: string; value: StoredReport };
  /** Their photos by number, and the business's own as `logo`. */
  report_photos: { key: [string, string]; value: { share_id: string; name: string; blob: Blob } };
  videos: { key: string; value: StoredVideo };
  video_chunks: { key: [string, number]; value: { video_id: string; n: number; bytes: ArrayBuffer } };
}

/** All that is stored of a video. */
export const chunksOf = (videoId: string): IDBKeyRange =>
  IDBKeyRange.bound([videoId, 0], [videoId, Number.MAX_SAFE_INTEGER]);

export type UserDatabase = IDBPDatabase<UserDb>;

const VERSION = 6;

/** As which client of whose business a pet parent takes part in it; a sitter has a business of their own. */
export interface Place {
  sitter_id: string;
  client_id: string;
}

/** Returns the name of a person's database: of their own business, or of the one where they are a client. */
export const databaseName = (userId: string, place?: Place): string =>
  place ? `${userId}/${place.sitter_id}/${place.client_id}` : userId;

/** Returns the name that a database has in the browser. */
export const storedName = (name: string): string => `walkies-${name}`;

/** Parses the place out of a database's name; `undefined` for a sitter's. */
export function placeOf(name: string): Place | undefined {
  const [, sitter_id, client_id] = name.split("/");
  return sitter_id && client_id ? { sitter_id, client_id } : undefined;
}

/**
 * Opens a user's database. Upgrades only add.
 * `onLost` runs when the connection is gone: a newer version of the app wants to upgrade it, or the browser
 * dropped it (WebKit does after a long sleep); the caller opens it again when it is needed. Not where the database
 * itself goes, since its person has signed out.
 */
export async function openUserDb(name: string, onLost: (isDeleted: boolean) => void): Promise<UserDatabase> {
  const db = await openDB<UserDb>(storedName(name), VERSION, {
    async upgrade(db, oldVersion, _, tx) {
      if (oldVersion < 6) {
        db.createObjectStore("videos", { keyPath: "id" });
        db.createObjectStore("video_chunks", { keyPath: ["video_id", "n"] });
      }
      if (oldVersion < 5) {
        db.createObjectStore("reports", { keyPath: "share_id" });
        db.createObjectStore("report_photos", { keyPath: ["share_id", "name"] });
      }
      if (oldVersion < 4) db.createObjectStore("confirmed", { keyPath: "id" });
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
    blocking(_, nextVersion) {
      db.close();
      onLost(nextVersion === null);
    },
    terminated: () => onLost(false),
  });
  return db;
}

/** Removes a user's database; one that another tab still holds goes when that lets go. */
export async function deleteUserDb(name: string): Promise<void> {
  await new Promise<void>((done, failed) => {
    deleteDB(storedName(name), { blocked: () => done() }).then(done, failed);
  });
}

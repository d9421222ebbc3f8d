/**
 * Owns what is on the disk of the phone: each function is one transaction, complete before it returns.
 * It stores what the core tells it to and decides nothing.
 */
import type { IDBPObjectStore, StoreNames } from "idb";
import type { AttentionEntry, Batch, OutboxEntry } from "../../core";
import { loadCore, newId } from "../../core";
import type { Role } from "../session/sessionDb";
import { decodeBlobs, encodeBlobs } from "./blobs";
import { changeBucket, changesByBucket } from "./buckets";
import {
  chunksOf,
  databaseName,
  openUserDb,
  type Place,
  type StoredDraft,
  type StoredMeta,
  type StoredPhoto,
  type UserDatabase,
  type UserDb,
} from "./db";
import { dropMapTiles } from "./mapDatabase";
import { blockedError, onStorageTimeout, StorageError, withStorageTimeout } from "./storage";

/** All that a replica is made of. */
export interface Snapshot {
  meta: StoredMeta;
  /** Confirmed rows, many to a bucket. */
  buckets: Uint8Array[];
  outbox: OutboxEntry[];
  attention: AttentionEntry[];
}

/** Rows that are stored or removed together with a saved change. */
export interface SaveExtras {
  /** The draft that the change was made of; it goes with the save. */
  draft?: string | undefined;
  /** Photos that it names. */
  photos?: StoredPhoto[] | undefined;
  /** The entry of Needs attention that it answers. */
  resolves?: string | undefined;
}

/** A saved change with its number, and the device in whose sequence that is. */
export interface Saved {
  entry: OutboxEntry;
  device_id: string;
}

/** How long and how much of what was confirmed is kept. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const MOST_KEPT = 1000;
const MOST_KEPT_BYTES = 4 * 1024 * 1024;

/** Tries again when the browser has dropped the connection: WebKit does so when a phone wakes up. */
const ATTEMPTS = 3;
/** How often other tabs may have been faster, each time anew. */
const OTHERS_AT_MOST = 20;
const LOST_CONNECTION = new Set(["InvalidStateError", "UnknownError", "AbortError"]);

export class Store {
  #db: Promise<UserDatabase> | undefined;
  /** The database's state as last read or written here; another tab may have written since. */
  #meta: StoredMeta | undefined;
  /** The person has signed out, perhaps in another tab: to open the database again would begin a new one. */
  #isGone = false;

  /** Name of the database, and of everything that goes with it. */
  readonly name: string;

  constructor(
    readonly userId: string,
    readonly place?: Place,
  ) {
    this.name = databaseName(userId, place);
  }

  /** The role in which its person takes part in this business. */
  get role(): Role {
    return this.place ? "client" : "sitter";
  }

  /** Runs `work` on an open connection, opening it again where it was lost. */
  async run<T>(work: (db: UserDatabase) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      if (this.#isGone) throw new StorageError("You have signed out in another tab.");
      this.#db ??= openUserDb(this.name, (isDeleted) => {
        this.#db = undefined;
        this.#isGone ||= isDeleted;
      });
      try {
        return await withStorageTimeout(work(await withStorageTimeout(this.#db, blockedError)));
      } catch (error) {
        const name = error instanceof DOMException ? error.name : "";
        const isFull = name === "QuotaExceededError";
        if (!(isFull || LOST_CONNECTION.has(name)) || attempt === ATTEMPTS) throw error;
        if (isFull) await dropMapTiles();
        else this.#db = undefined;
      }
    }
  }

  async close(): Promise<void> {
    const db = await this.#db?.catch(() => undefined);
    this.#db = undefined;
    db?.close();
  }

  /** Reads everything that the replica needs, in one transaction. */
  load(): Promise<Snapshot> {
    return this.run(async (db) => {
      const tx = db.transaction(["meta", "pages", "outbox", "attention"]);
      const [meta, buckets, outbox, attention] = await Promise.all([
        tx.objectStore("meta").get("meta"),
        tx.objectStore("pages").getAll(),
        tx.objectStore("outbox").getAll(),
        tx.objectStore("attention").getAll(),
      ]);
      await tx.done;
      this.#meta = meta ?? (await this.#firstMeta(db));
      return { meta: this.#meta, buckets, outbox, attention };
    });
  }

  async #firstMeta(db: UserDatabase): Promise<StoredMeta> {
    await loadCore(); // for the id
    const tx = db.transaction("meta", "readwrite");
    // Another tab may have been faster: one device id per database.
    let meta = await tx.store.get("meta");
    if (!meta) {
      meta = {
        device_id: newId(),
        client_id: this.place?.client_id ?? null,
        cursor: 0,
        epoch: null,
        backend_id: null,
        rev_id: null,
        min_schema: 0,
        zone: null,
        verify: false,
        seq: 0,
      };
      await tx.store.put(meta, "meta");
    }
    await tx.done;
    return meta;
  }

  /**
   * Saves a change: gives it its `seq` and writes it, its photos and the end of its draft in one transaction that
   * is on the disk when this returns. Only then may a screen say 'saved'.
   */
  async append(entry: OutboxEntry, { photos, ...rest }: SaveExtras): Promise<Saved> {
    const extras = { ...rest, photos: await encodeBlobs(photos) };
    return this.run(async (db) => {
      for (let attempt = 1; attempt <= OTHERS_AT_MOST; attempt += 1) {
        const saved = await this.#append(db, entry, extras);
        if (saved) return saved;
      }
      throw new StorageError("Other tabs of Walkies are storing without a pause. Close them and try again.");
    });
  }

  /** Nothing where another tab has written since this one knew the last `seq`; then it is known anew. */
  async #append(
    db: UserDatabase,
    entry: OutboxEntry,
    { draft, photos, resolves }: SaveExtras,
  ): Promise<Saved | undefined> {
    const tx = db.transaction(["meta", "outbox", "drafts", "photos", "attention"], "readwrite", {
      durability: "strict",
    });
    // Who was told that this was not saved must not find it saved after all.
    const ended = onStorageTimeout(() => abort(tx));
    const asked = tx.objectStore("meta").get("meta");
    const writes: Promise<unknown>[] = [tx.done, asked];
    try {
      // Somebody waits: what is known is written at once, and counts when the answer says that it was true.
      const known = this.#meta ?? (await asked);
      if (!known) throw new Error("The database was not loaded.");
      const meta = { ...known, seq: known.seq + 1 };
      const numbered = { ...entry, mutation: { ...entry.mutation, seq: meta.seq } };
      writes.push(tx.objectStore("meta").put(meta, "meta"));
      writes.push(tx.objectStore("outbox").put(numbered));
      if (draft !== undefined) writes.push(tx.objectStore("drafts").delete(draft));
      if (resolves !== undefined) writes.push(tx.objectStore("attention").delete(resolves));
      for (const photo of photos ?? []) writes.push(tx.objectStore("photos").put(photo));
      const found = await asked;
      if (JSON.stringify(found) !== JSON.stringify(known)) {
        this.#meta = found;
        abort(tx);
        await Promise.allSettled(writes);
        return undefined;
      }
      tx.commit();
      await Promise.all(writes);
      this.#meta = meta;
      return { entry: numbered, device_id: meta.device_id };
    } catch (error) {
      // A write that the browser does not even begin ends nothing by itself: those before it would be kept.
      abort(tx);
      await Promise.allSettled(writes);
      // A full disk ends the whole, and each write in it says only that it was ended.
      throw tx.error ?? error;
    } finally {
      ended();
    }
  }

  /** Applies a complete pull; `false` when another tab has applied one in the meantime and this one is void. */
  apply(batch: Batch): Promise<boolean> {
    return this.run(async (db) => {
      const tx = db.transaction(["meta", "pages", "outbox", "attention", "photos", "confirmed"], "readwrite");
      const buckets = tx.objectStore("pages");
      const outbox = tx.objectStore("outbox");
      const meta = await tx.objectStore("meta").get("meta");
      const moved = [...batch.outbox_remove, ...(batch.outbox_put ?? []).map((it) => it.mutation.seq)];
      const decided = await Promise.all(moved.map((seq) => outbox.getKey(seq)));
      const isVoid =
        meta?.cursor !== batch.expect_cursor ||
        meta.device_id !== batch.expect_device_id ||
        (meta.backend_id ?? null) !== (batch.expect_backend_id ?? null) ||
        decided.includes(undefined);
      if (isVoid) {
        tx.abort();
        await tx.done.catch(() => undefined);
        return false;
      }
      const writes: Promise<unknown>[] = [];
      if (batch.clear) writes.push(buckets.clear());
      // All at once: a first pull changes every bucket, and each read would wait for the one before it.
      const changed = [...changesByBucket(batch)];
      const before = batch.clear ? [] : await Promise.all(changed.map(([name]) => buckets.get(name)));
      for (const [index, [name, changes]] of changed.entries()) {
        const bucket = changeBucket(before[index], changes);
        writes.push(bucket ? buckets.put(bucket, name) : buckets.delete(name));
      }
      for (const seq of batch.outbox_remove) writes.push(outbox.delete(seq));
      for (const entry of batch.outbox_put ?? []) writes.push(outbox.put(entry));
      for (const entry of batch.attention_put) writes.push(tx.objectStore("attention").put(entry));
      for (const entry of batch.confirmed ?? []) {
        const kept = { id: entry.mutation.id, entry: { ...entry, bring_back: null }, confirmed_at: Date.now() };
        writes.push(tx.objectStore("confirmed").put(kept));
      }
      await Promise.all(writes);
      if (batch.confirmed?.length) await dropOldest(tx.objectStore("confirmed"));
      let { seq } = meta;
      if (batch.renumber) {
        const waiting = await outbox.getAll();
        await outbox.clear();
        seq = 0;
        for (const entry of waiting) {
          seq += 1;
          await outbox.put({ ...entry, mutation: { ...entry.mutation, seq } });
          // The server's backup may be older than the photos, too.
          for (const id of entry.photos ?? []) {
            const photo = await tx.objectStore("photos").get(id);
            if (photo) await tx.objectStore("photos").put({ ...photo, waiting: true });
          }
        }
      }
      const next = { ...batch.meta, seq };
      await tx.objectStore("meta").put(next, "meta");
      await tx.done;
      this.#meta = next;
      return true;
    });
  }

  /** True if a restored server is still to be asked what it has forgotten. */
  get mustVerify(): boolean {
    return this.#meta?.verify === true;
  }

  /** Returns the ids of this phone's own confirmed changes, oldest first; drops what is too old or too much. */
  confirmed(): Promise<string[]> {
    return this.run(async (db) => {
      const tx = db.transaction("confirmed", "readwrite");
      const all = await tx.store.getAll();
      const oldest = Date.now() - KEPT_MS;
      let bytes = 0;
      const kept: string[] = [];
      // Ids are in the order of their making: the newest are kept.
      for (const { id, entry, confirmed_at } of all.toReversed()) {
        bytes += JSON.stringify(entry).length;
        if (confirmed_at < oldest || kept.length >= MOST_KEPT || bytes > MOST_KEPT_BYTES) await tx.store.delete(id);
        else kept.push(id);
      }
      await tx.done;
      return kept.toReversed();
    });
  }

  /**
   * Moves changes that the server has forgotten to Needs attention, to be sent again or left out, and notes that the
   * server is not to be asked again.
   */
  offerAgain(forgotten: readonly string[]): Promise<void> {
    return this.run(async (db) => {
      const tx = db.transaction(["meta", "attention", "photos", "confirmed"], "readwrite", { durability: "strict" });
      for (const id of forgotten) {
        const kept = await tx.objectStore("confirmed").get(id);
        if (!kept) continue;
        const outcome = { id, outcome: "rejected", refusal: { code: "forgotten" }, adjustments: [], rev: 0 } as const;
        await tx.objectStore("attention").put({ entry: kept.entry, outcome: { ...outcome, adjustments: [] } });
        await tx.objectStore("confirmed").delete(id);
        for (const photo of kept.entry.photos ?? []) {
          const stored = await tx.objectStore("photos").get(photo);
          if (stored) await tx.objectStore("photos").put({ ...stored, waiting: true });
        }
      }
      const meta = await tx.objectStore("meta").get("meta");
      if (meta) await tx.objectStore("meta").put({ ...meta, verify: false }, "meta");
      await tx.done;
      this.#meta = meta && { ...meta, verify: false };
    });
  }

  /** Drops everything but unsent work: for a business that the person no longer takes part in. */
  dropAllButUnsent(): Promise<void> {
    return this.run(async (db) => {
      const unsent = ["outbox", "attention", "drafts"] as const;
      const gone = ["pages", "confirmed", "reports", "report_photos"] as const;
      const stores = [...unsent, ...gone, "photos", "videos", "video_chunks"] as const;
      const tx = db.transaction(stores, "readwrite");
      for (const store of gone) await tx.objectStore(store).clear();
      const words = JSON.stringify(await Promise.all(unsent.map((it) => tx.objectStore(it).getAll())));
      for (let at = await tx.objectStore("photos").openCursor(); at; at = await at.continue()) {
        if (!words.includes(at.key)) await at.delete();
      }
      for (const video of await tx.objectStore("videos").getAllKeys()) {
        if (words.includes(video)) continue;
        await tx.objectStore("videos").delete(video);
        await tx.objectStore("video_chunks").delete(chunksOf(video));
      }
      await tx.done;
    });
  }

  /** Removes an entry of Needs attention, with photos that only it has: a person has decided. */
  resolve(id: string): Promise<void> {
    return this.run(async (db) => {
      const tx = db.transaction(["outbox", "attention", "drafts", "photos", "videos", "video_chunks"], "readwrite");
      const found = await tx.objectStore("attention").get(id);
      await tx.objectStore("attention").delete(id);
      const stores = ["outbox", "attention", "drafts"] as const;
      const others = JSON.stringify(await Promise.all(stores.map((it) => tx.objectStore(it).getAll())));
      for (const photo of found?.entry.photos ?? []) {
        const stored = await tx.objectStore("photos").get(photo);
        if (stored?.waiting && !others.includes(photo)) await tx.objectStore("photos").delete(photo);
        if (!others.includes(photo)) {
          await tx.objectStore("videos").delete(photo);
          await tx.objectStore("video_chunks").delete(chunksOf(photo));
        }
      }
      await tx.done;
    });
  }

  /**
   * Drops what was not sent: a person has decided. The server takes no number after one that never comes, so what is
   * saved from now on is numbered for a new device.
   */
  discardUnsent(): Promise<void> {
    return this.run(async (db) => {
      const stores = [
        "meta",
        "outbox",
        "attention",
        "drafts",
        "photos",
        "confirmed",
        "videos",
        "video_chunks",
      ] as const;
      const tx = db.transaction(stores, "readwrite", { durability: "strict" });
      const meta = await tx.objectStore("meta").get("meta");
      for (let at = await tx.objectStore("photos").openCursor(); at; at = await at.continue()) {
        if (at.value.waiting) await at.delete();
      }
      await Promise.all([
        meta && tx.objectStore("meta").put({ ...meta, device_id: newId(), seq: 0 }, "meta"),
        tx.objectStore("outbox").clear(),
        tx.objectStore("attention").clear(),
        tx.objectStore("drafts").clear(),
        tx.objectStore("confirmed").clear(),
        tx.objectStore("videos").clear(),
        tx.objectStore("video_chunks").clear(),
        tx.done,
      ]);
    });
  }

  async putDraft(draft: StoredDraft): Promise<void> {
    const encoded = await encodeBlobs(draft);
    await this.run((db) => db.put("drafts", encoded));
  }

  deleteDraft(key: string): Promise<void> {
    return this.run((db) => db.delete("drafts", key));
  }

  getDraft(key: string): Promise<StoredDraft | undefined> {
    return this.run(async (db) => decodeBlobs(await db.get("drafts", key)));
  }

  draftKeys(): Promise<string[]> {
    return this.run((db) => db.getAllKeys("drafts"));
  }

  getPhoto(id: string): Promise<StoredPhoto | undefined> {
    return this.run(async (db) => decodeBlobs(await db.get("photos", id)));
  }

  async putPhoto(photo: StoredPhoto): Promise<void> {
    const encoded = await encodeBlobs(photo);
    await this.run((db) => db.put("photos", encoded));
  }
}

/** Ids are in the order of their making. How many bytes they are is counted when they are read. */
async function dropOldest<Stores extends ArrayLike<StoreNames<UserDb>>>(
  confirmed: IDBPObjectStore<UserDb, Stores, "confirmed", "readwrite">,
): Promise<void> {
  const oldest = Date.now() - KEPT_MS;
  let tooMany = (await confirmed.count()) - MOST_KEPT;
  for (let at = await confirmed.openCursor(); at; at = await at.continue()) {
    if (tooMany <= 0 && at.value.confirmed_at >= oldest) return;
    await at.delete();
    tooMany -= 1;
  }
}

/** Takes back what a transaction has written, unless it has ended by itself. */
function abort(tx: { abort: () => void }): void {
  try {
    tx.abort();
  } catch {
    // It has ended.
  }
}

/**
 * Owns how walks are kept on this phone: one row per walk and its append-only log in chunks of bytes. What the bytes mean
 * is the core's; this only keeps them, also when the disk does not answer for a while.
 */
import { business, openBusiness } from "../business/openBusiness";
import { changeUser, userOnThisPhone } from "../session/sessionDb";
import { decodeBlobs, encodeBlobs } from "../store/blobs";
import { concat } from "../store/bytes";
import type { LiveMapEnd } from "./liveMapEnd";
import { canPark, isOpen, refresh, unsentEndsOf, type WalkRow } from "./walks";

/** A log as the core reads it: the chunks joined, and how long each is. */
export interface StoredLog {
  bytes: Uint8Array;
  lengths: Uint32Array;
  /** The number of the next chunk. */
  next: number;
}

/** Everything of one walk, for taking a deletion back. */
export interface DeletedWalk {
  row: WalkRow;
  log: { walk_id: string; n: number; bytes: Uint8Array }[];
  photos: { id: string; blob: Blob }[];
}

/** Half a minute of fixes: large chunks are written again and again while they grow, small ones cost a key each. */
const CHUNK_BYTES = 640;
/** After so many failures in a row the person should know. */
const TROUBLE_FROM = 3;
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

const ofWalk = (id: string) => IDBKeyRange.bound([id, 0], [id, Number.MAX_SAFE_INTEGER]);

/**
 * Appends to one walk's log. What cannot be written stays in memory and is written with what comes next, or by itself.
 *
 * Fixes are written without waiting for the disk's own cache: that survives a killed browser, and a flush a second would
 * cost more battery than the walk. Taps and full chunks do wait for it, so a phone that dies loses half a minute at most.
 */
export class WalkLog {
  readonly #business = business();
  readonly #walkId: string;
  readonly #header: Uint8Array;
  readonly #onTrouble: (trouble: boolean) => void;
  #n: number;
  #chunk: Uint8Array;
  readonly #unwritten = new Map<number, Uint8Array>();
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** Each chunk begins with `header`; the next one is number `next`. */
  constructor(walkId: string, header: Uint8Array, next: number, onTrouble: (trouble: boolean) => void) {
    this.#walkId = walkId;
    this.#header = header;
    this.#chunk = header;
    this.#n = next;
    this.#onTrouble = onTrouble;
  }

  /** Resolves when the bytes are written, or kept in memory because they cannot be. */
  append(bytes: Uint8Array, isTap: boolean): Promise<void> {
    const isFull = this.#chunk.length + bytes.length > CHUNK_BYTES;
    if (isFull) {
      this.#n += 1;
      this.#chunk = this.#header;
    }
    this.#chunk = concat([this.#chunk, bytes]);
    this.#unwritten.set(this.#n, this.#chunk);
    return this.flush(isTap || isFull ? "strict" : "relaxed");
  }

  /** Writes what is not written. */
  async flush(durability: IDBTransactionDurability = "strict"): Promise<void> {
    clearTimeout(this.#retry);
    const chunks = [...this.#unwritten];
    try {
      // Among another one's walks it would be nobody's.
      if (openBusiness() !== this.#business) throw new Error("The walk's business is not open.");
      await this.#business.store.run(async (db) => {
        const tx = db.transaction("walk_points", "readwrite", { durability });
        const puts = chunks.map(([n, bytes]) => tx.store.put({ walk_id: this.#walkId, n, bytes }));
        await Promise.all([...puts, tx.done]);
      });
      for (const [n, bytes] of chunks) if (this.#unwritten.get(n) === bytes) this.#unwritten.delete(n);
      if (this.#failures >= TROUBLE_FROM) this.#onTrouble(false);
      this.#failures = 0;
    } catch {
      this.#failures += 1;
      if (this.#failures === TROUBLE_FROM) this.#onTrouble(true);
      this.#retry = setTimeout(() => void this.flush(), Math.min(RETRY_MS * 2 ** (this.#failures - 1), MAX_RETRY_MS));
    }
  }

  /** Writes the rest and lets go. */
  async close(): Promise<void> {
    if (this.#unwritten.size > 0) await this.flush();
    clearTimeout(this.#retry);
  }
}

/** A walk's log, as far as it is on the disk. */
export function readWalkLog(id: string): Promise<StoredLog> {
  return business().store.run(async (db) => {
    const chunks = await db.getAll("walk_points", ofWalk(id));
    return {
      bytes: concat(chunks.map((it) => it.bytes)),
      lengths: Uint32Array.from(chunks, (it) => it.bytes.length),
      next: (chunks.at(-1)?.n ?? -1) + 1,
    };
  });
}

/** Forgets what of a walk's log is in this chunk and later ones. */
export async function cutWalkLog(id: string, chunk: number): Promise<void> {
  await business().store.run(async (db) => {
    const tx = db.transaction("walk_points", "readwrite", { durability: "strict" });
    await Promise.all([tx.store.delete(IDBKeyRange.bound([id, chunk], [id, Number.MAX_SAFE_INTEGER])), tx.done]);
  });
}

/** Writes a walk's row; it is on the disk when this resolves. */
export async function putWalk(row: WalkRow): Promise<void> {
  await business().store.run(async (db) => {
    const tx = db.transaction("walks", "readwrite", { durability: "strict" });
    await Promise.all([tx.store.put({ ...row }), tx.done]);
  });
  await refresh();
}

/** Takes ends of live maps off the disk, out of the rows of their walks and of those that were kept apart. */
export async function dropLiveMapEnds(isDone: (end: LiveMapEnd) => boolean): Promise<void> {
  const { userId } = business().store;
  const apart = (await userOnThisPhone(userId))?.live_map_ends ?? [];
  const hasApart = apart.some(isDone);
  if (hasApart) {
    await changeUser(userId, ({ live_map_ends = [] }) => ({
      live_map_ends: live_map_ends.filter((it) => !isDone(it)),
    }));
  }
  const hasDropped = await business().store.run(async (db) => {
    const tx = db.transaction("walks", "readwrite");
    const rows = (await tx.store.getAll()) as unknown as WalkRow[];
    const changed = rows.filter((it) => it.live_map_ends?.some(isDone));
    const writes = changed.map(({ live_map_ends = [], ...row }) => {
      const left = live_map_ends.filter((it) => !isDone(it));
      return tx.store.put(left.length > 0 ? { ...row, live_map_ends: left } : row);
    });
    await Promise.all([...writes, tx.done]);
    return changed.length > 0;
  });
  if (hasDropped || hasApart) await refresh();
}

/**
 * Writes the row of a walk that begins, or goes on, unless another one is open on this phone, in whatever tab: then nothing
 * is written, and that one is the answer. A visit that is open is put aside. Call `refresh` when it is known who tracks it.
 */
export function beginWalk(row: WalkRow): Promise<WalkRow | undefined> {
  return business().store.run(async (db) => {
    const tx = db.transaction("walks", "readwrite", { durability: "strict" });
    const rows = (await tx.store.getAll()) as unknown as WalkRow[];
    const others = rows.filter((it) => isOpen(it) && it.id !== row.id);
    const before = others.find((it) => !canPark(it));
    const writes = before ? [] : [...others.map((it) => ({ ...it, parked: true })), { ...row }];
    await Promise.all([...writes.map((it) => tx.store.put(it)), tx.done]);
    return before;
  });
}

/** Stores a walk that came as a whole, from a file. */
export async function addWalk(row: WalkRow, log: Uint8Array): Promise<void> {
  await restoreWalk({ row, log: [{ walk_id: row.id, n: 0, bytes: log }], photos: [] });
}

/** Keeps the unsent ends of a walk's live maps with its person: they are due also without the walk. */
async function keepEndsApart(row: WalkRow): Promise<void> {
  const unsent = unsentEndsOf(row);
  if (unsent.length === 0) return;
  await changeUser(business().store.userId, ({ live_map_ends = [] }) => ({
    live_map_ends: [...live_map_ends.filter((it) => Date.now() < it.until), ...unsent],
  }));
}

/** Removes a walk and gives back what it was, for `restoreWalk`. Ends of its live maps are still sent. */
export async function deleteWalk(row: WalkRow, photoIds: string[]): Promise<DeletedWalk> {
  await keepEndsApart(row);
  const deleted = await business().store.run(async (db) => {
    const tx = db.transaction(["walks", "walk_points", "walk_photos"], "readwrite");
    const photos = tx.objectStore("walk_photos");
    const log = await tx.objectStore("walk_points").getAll(ofWalk(row.id));
    const kept = await Promise.all(photoIds.map((id) => photos.get(id)));
    await Promise.all([
      tx.objectStore("walks").delete(row.id),
      tx.objectStore("walk_points").delete(ofWalk(row.id)),
      ...photoIds.map((id) => photos.delete(id)),
      tx.done,
    ]);
    return { row, log, photos: kept.filter((it) => it !== undefined) };
  });
  await refresh();
  return deleted;
}

/** Takes a deletion back. */
export async function restoreWalk({ row, log, photos }: DeletedWalk): Promise<void> {
  await business().store.run(async (db) => {
    const tx = db.transaction(["walks", "walk_points", "walk_photos"], "readwrite", { durability: "strict" });
    await Promise.all([
      tx.objectStore("walks").put({ ...row }),
      ...log.map((it) => tx.objectStore("walk_points").put(it)),
      ...photos.map((it) => tx.objectStore("walk_photos").put(it)),
      tx.done,
    ]);
  });
  await refresh();
}

/** Keeps a walk's photo under its event's id. */
export async function putWalkPhoto(id: string, blob: Blob): Promise<void> {
  const photo = await encodeBlobs({ id, blob });
  await business().store.run(async (db) => {
    const tx = db.transaction("walk_photos", "readwrite", { durability: "strict" });
    await Promise.all([tx.store.put(photo), tx.done]);
  });
}

export const getWalkPhoto = async (id: string): Promise<Blob | undefined> =>
  decodeBlobs(await business().store.run((db) => db.get("walk_photos", id)))?.blob;

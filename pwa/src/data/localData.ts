/** Owns counting what is on this phone, and giving what only this phone has out as files. */
import { useEffect, useState, useSyncExternalStore } from "react";
import { business, openBusiness, subscribeToReplica } from "./business/openBusiness";
import { decodeBlobs } from "./store/blobs";
import { countRows } from "./store/buckets";
import { chunksOf } from "./store/db";
import type { Store } from "./store/store";
import { readWalkLog } from "./walks/walkLog";
import { kindOf, type WalkRow } from "./walks/walks";

/** How much is on this phone and nowhere else, beside changes that wait. */
export interface OnlyHereCounts {
  walks: number;
  /** Logs of visits and of days of stays. */
  visits: number;
  /** Routes that were saved. */
  routes: number;
  drafts: number;
}

/** How much of what is on this phone. */
export interface LocalDataCounts extends OnlyHereCounts {
  rows: number;
  photos: number;
  /** Changes that are not confirmed. */
  waiting: number;
  /** Changes that need a person. */
  attention: number;
}

async function countOnlyHere(): Promise<OnlyHereCounts> {
  return await business().store.run(async (db) => {
    const [rows, routes, drafts] = await Promise.all([db.getAll("walks"), db.count("routes"), db.count("drafts")]);
    const walks = (rows as unknown as WalkRow[]).filter((it) => kindOf(it) === "walk").length;
    return { walks, visits: rows.length - walks, routes, drafts };
  });
}

async function countLocalData(): Promise<LocalDataCounts> {
  const onlyHere = await countOnlyHere();
  return await business().store.run(async (db) => {
    const [buckets, photos, walk_photos, waiting, attention] = await Promise.all([
      db.getAll("pages"),
      db.count("photos"),
      db.count("walk_photos"),
      db.count("outbox"),
      db.count("attention"),
    ]);
    const rows = buckets.reduce((sum, bucket) => sum + countRows(bucket), 0);
    return { ...onlyHere, rows, photos: photos + walk_photos, waiting, attention };
  });
}

/** Counts anew after each change of the replica; `undefined` until then, and where no business is open. */
function useCounts<T>(count: () => Promise<T>): T | undefined {
  const version = useSyncExternalStore(subscribeToReplica, () => openBusiness()?.version);
  const [counts, setCounts] = useState<T>();
  useEffect(() => {
    if (version === undefined) return undefined;
    let current = true;
    // Numbers to read and no more: without them the rest still works.
    void count().then(
      (it) => current && setCounts(it),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [version, count]);
  return counts;
}

export const useOnlyHere = (): OnlyHereCounts | undefined => useCounts(countOnlyHere);

/** Reads every row to count them: for a screen that is about storage. */
export const useLocalData = (): LocalDataCounts | undefined => useCounts(countLocalData);

/** Counts of all that discarding unsent work removes beside the changes themselves. */
export interface UnsentCounts {
  drafts: number;
  photos: number;
  videos: number;
}

export async function countUnsent(): Promise<UnsentCounts> {
  const { phone, store } = business();
  const entries = [...phone.outbox(), ...phone.attention().map((it) => it.entry)];
  const named = new Set(entries.flatMap((it) => it.photos ?? []));
  return store.run(async (db) => {
    const [drafts, videos, ...photos] = await Promise.all([
      db.count("drafts"),
      db.getAll("videos"),
      ...[...named].map((id) => db.get("photos", id)),
    ]);
    const count = (files: readonly ({ waiting: boolean } | undefined)[]) => files.filter((it) => it?.waiting).length;
    return { drafts, photos: count(photos), videos: count(videos) };
  });
}

/**
 * Everything that is nowhere but on this phone, as one JSON file: changes that wait or need attention, their photos and
 * videos, drafts, saved routes, and walks with their photos. Bytes are base64, photos are data URLs.
 */
export async function exportLocalData(): Promise<Blob> {
  const { store } = business();
  const [outbox, attention, drafts, photos, videos, routes, walks] = await store.run((db) =>
    Promise.all([
      db.getAll("outbox"),
      db.getAll("attention"),
      db.getAll("drafts"),
      db.getAll("photos"),
      db.getAll("videos"),
      db.getAll("routes"),
      db.getAll("walks"),
    ]),
  );
  const unsent = photos.filter((it) => it.waiting);
  const head = { app: "walkies", exported_at: new Date().toISOString(), user_id: store.userId };
  // Part by part, so that many long walks need no room in memory at once.
  const parts: BlobPart[] = [JSON.stringify(head).slice(0, -1)];
  parts.push(`,"outbox":${await json(outbox)},"attention":${await json(attention)},"drafts":${await json(drafts)}`);
  parts.push(`,"routes":${await json(routes)}`);
  parts.push(',"photos":', ...(await list(unsent, json)));
  const films = videos.filter((it) => it.waiting);
  parts.push(',"videos":', ...(await list(films, async (it) => json({ ...it, chunks: await chunksIn(store, it.id) }))));
  parts.push(',"walks":', ...(await list(walks, async (walk) => json({ ...walk, ...(await trackOf(walk.id)) }))), "}");
  return new Blob(parts, { type: "application/json" });
}

/** All walks as one GPX file, for any other program. */
export async function exportWalks(): Promise<Blob> {
  // Asked for once a month: nobody else has to load it for that.
  const { GpxFile, loadWalkCore } = await import("../core/walk");
  await loadWalkCore();
  const rows = (await business().store.run((db) => db.getAll("walks"))) as unknown as WalkRow[];
  const file = new GpxFile();
  for (const row of rows.toSorted((a, b) => a.started_at - b.started_at)) {
    const { bytes, lengths } = await readWalkLog(row.id);
    file.add(bytes, lengths, row.title);
  }
  const text = file.text();
  file.free();
  return new Blob([text], { type: "application/gpx+xml" });
}

const chunksIn = async (store: Store, videoId: string) => {
  const chunks = await store.run((db) => db.getAll("video_chunks", chunksOf(videoId)));
  return chunks.map((it) => new Uint8Array(it.bytes));
};

async function trackOf(id: string) {
  return business().store.run(async (db) => ({
    log: await db.getAll("walk_points", IDBKeyRange.bound([id, 0], [id, Number.MAX_SAFE_INTEGER])),
  }));
}

async function list<T>(items: readonly T[], write: (item: T) => Promise<string>): Promise<BlobPart[]> {
  const parts: BlobPart[] = ["["];
  for (const [n, item] of items.entries()) parts.push(n > 0 ? "," : "", new Blob([await write(item)]));
  return [...parts, "]"];
}

const json = async (value: unknown): Promise<string> => JSON.stringify(await plain(decodeBlobs(value)));

/** The same with what JSON cannot say as text. */
async function plain(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return `data:${value.type};base64,${base64(new Uint8Array(await value.arrayBuffer()))}`;
  if (value instanceof Uint8Array) return base64(value);
  if (Array.isArray(value)) return Promise.all(value.map(plain));
  if (typeof value !== "object" || value === null) return value;
  const entries = await Promise.all(Object.entries(value).map(async ([name, it]) => [name, await plain(it)] as const));
  return Object.fromEntries(entries);
}

/** All bytes of a photo would be more arguments than a function takes. */
const ARGUMENTS_AT_ONCE = 8_192;

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += ARGUMENTS_AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(at, at + ARGUMENTS_AT_ONCE));
  }
  return btoa(text);
}

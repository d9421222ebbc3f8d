/**
 * Owns videos that wait on this phone to be sent: kept in pieces, since some phones have no room in memory for a whole one
 * and WebKit keeps no files in private windows.
 */
import { useEffect, useState } from "react";
import { checkVideo, newId, type Phone } from "../../core";
import { business } from "../business/openBusiness";
import { useRead } from "../business/useReplica";
import { chunksOf, type StoredVideo } from "../store/db";
import { StorageError } from "../store/storage";
import type { Store } from "../store/store";

/** Bytes that are copied to the disk at once. */
const CHUNK_BYTES = 512 * 1024;
/** Most bytes of all videos that wait on one phone; a sign-out locks all of them away. */
const MOST_WAITING_BYTES = 200 * 1024 * 1024;
/**
 * Time for which a video is kept that no form and no change names any more: another tab may just be about to name it.
 */
const UNNAMED_MS = 24 * 60 * 60 * 1000;

const FULL = "Too many videos wait on this phone. Send those first, and try again.";

interface KeepOptions {
  /** Name of the file on the phone that has taken it. */
  name: string;
  signal?: AbortSignal;
}

/** Stores a video on this phone. Fails with the sentence for the person, or as `signal` says; then nothing of it is left. */
export async function keepVideo(file: Blob, { name, signal }: KeepOptions): Promise<StoredVideo> {
  const { store } = business();
  const wrong = checkVideo({ content_type: file.type, size: file.size });
  if (wrong !== undefined) throw new StorageError(wrong);
  await dropUnnamedVideos(store);
  const waiting = (await store.run((db) => db.getAll("videos"))).filter((it) => it.waiting);
  if (waiting.reduce((sum, it) => sum + it.size, file.size) > MOST_WAITING_BYTES) throw new StorageError(FULL);
  const video: StoredVideo = {
    id: newId(),
    name,
    type: file.type,
    size: file.size,
    waiting: true,
    stored_at: Date.now(),
  };
  // First, so that what is copied of it is found whatever happens.
  await putVideo(store, video);
  try {
    for (let n = 0; n * CHUNK_BYTES < file.size; n += 1) {
      signal?.throwIfAborted();
      const bytes = await file.slice(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES).arrayBuffer();
      await store.run((db) => db.put("video_chunks", { video_id: video.id, n, bytes }));
    }
    signal?.throwIfAborted();
  } catch (error) {
    await removeVideo(store, video.id).catch(() => undefined);
    throw error;
  }
  return video;
}

/** Returns the stored video with this id, if there is one. */
export const getVideo = (store: Store, id: string): Promise<StoredVideo | undefined> =>
  store.run((db) => db.get("videos", id));

export const putVideo = (store: Store, video: StoredVideo): Promise<string> =>
  store.run((db) => db.put("videos", video));

/** Marks a video as sent, unless its person has removed it meanwhile. */
export const haveSent = (store: Store, id: string): Promise<void> =>
  store.run(async (db) => {
    const tx = db.transaction("videos", "readwrite");
    const video = await tx.store.get(id);
    if (video) await tx.store.put({ ...video, waiting: false });
    await tx.done;
  });

/** Its bytes from `from` on; nothing where they are not here any more. */
export async function readVideo(store: Store, id: string, from: number, length: number): Promise<Blob | undefined> {
  const first = Math.floor(from / CHUNK_BYTES);
  const last = Math.floor((from + length - 1) / CHUNK_BYTES);
  const chunks = await store.run((db) => db.getAll("video_chunks", IDBKeyRange.bound([id, first], [id, last])));
  const begin = from - first * CHUNK_BYTES;
  const found = new Blob(chunks.map((it) => it.bytes)).slice(begin, begin + length);
  return found.size === length ? found : undefined;
}

export const removeVideo = (store: Store, id: string): Promise<void> =>
  store.run(async (db) => {
    const tx = db.transaction(["videos", "video_chunks"], "readwrite");
    await Promise.all([
      tx.objectStore("videos").delete(id),
      tx.objectStore("video_chunks").delete(chunksOf(id)),
      tx.done,
    ]);
  });

/** Lets go of a video that was chosen and is not to be sent. */
export const forgetVideo = (id: string): Promise<void> => removeVideo(business().store, id);

/** Lets go of a video that waits to be sent: what waits for it goes on without it. */
export async function leaveVideoOut(id: string): Promise<void> {
  const open = business();
  await open.leaveOut(id);
  await removeVideo(open.store, id);
}

/** Removes what no form and no change names any more: what was sent, and what a killed tab has left behind. */
async function dropUnnamedVideos(store: Store): Promise<void> {
  const [videos, named] = await store.run(async (db) => {
    const stores = (["outbox", "attention", "drafts"] as const).map((it) => db.getAll(it));
    return [await db.getAll("videos"), JSON.stringify(await Promise.all(stores))] as const;
  });
  for (const { id, stored_at } of videos) {
    if (Date.now() - stored_at > UNNAMED_MS && !named.includes(id)) await removeVideo(store, id);
  }
}

/** The file of a video that is on this phone, to be looked at. */
async function videoFile(store: Store, id: string): Promise<Blob | undefined> {
  const video = await getVideo(store, id);
  const bytes = video && (await readVideo(store, id, 0, video.size));
  return bytes && new Blob([bytes], { type: video.type });
}

/** A URL under which a video of this phone can be played, as long as it is shown. */
export function useVideoUrl(id: string): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    let isLeft = false;
    const look = async () => {
      const { store } = business();
      const file = await videoFile(store, id);
      if (isLeft || !file) return;
      made = URL.createObjectURL(file);
      setUrl(made);
    };
    // It is shown by its name where it cannot be read.
    void look().catch(() => undefined);
    return () => {
      isLeft = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [id]);
  return url;
}

/** Photos and videos of invoices that wait to be sent. */
export interface WaitingMedia {
  photos: readonly string[];
  videos: readonly StoredVideo[];
}

/** The photos and videos of invoices that wait to be sent, in their order; nothing until it is known. */
export function useWaitingMedia(): WaitingMedia | undefined {
  const ids = useRead(mediaToUpload);
  const [media, setMedia] = useState<WaitingMedia>();
  useEffect(() => {
    let isLeft = false;
    const look = async () => {
      const { store } = business();
      const known = await Promise.all(ids.map((id) => getVideo(store, id)));
      const photos = ids.filter((_, place) => !known[place]);
      if (!isLeft) setMedia({ photos, videos: known.filter((it) => it !== undefined) });
    };
    // The next change is told anew.
    void look().catch(() => undefined);
    return () => {
      isLeft = true;
    };
  }, [ids]);
  return media;
}

function mediaToUpload(phone: Phone): string[] {
  const waiting = new Set(phone.photosToUpload());
  const invoices = phone.outbox().filter(({ mutation }) => mutation.name === "share_invoice");
  return invoices.flatMap(({ photos }) => photos ?? []).filter((id) => waiting.has(id));
}

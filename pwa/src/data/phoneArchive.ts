/**
 * Owns the archive of what is on this phone, for when there is no network or for what the server does not have: the rows that it
 * knows, what waits or needs attention, photos, and walks with their tracks. Loaded when somebody asks for it.
 */
import { downloadZip } from "client-zip";
import { afterPaint } from "../browser/afterPaint";
import { business } from "./business/openBusiness";
import { exportLocalData, exportWalks } from "./localData";
import { saveStream } from "./saveStream";
import { decodeBlobs } from "./store/blobs";
import { linesOf } from "./store/buckets";

interface ArchivedFile {
  name: string;
  input: string | Blob;
}

/** Buckets that are read before the screen gets a frame; with a few thousand rows at once nobody notices. */
const BUCKETS_AT_ONCE = 16;

type OnProgress = (done: number, total: number) => void;

/** As one file, of which never more than a part is in memory: so many parts of it are done, of so many. */
export async function phoneArchive(onProgress: OnProgress = () => undefined): Promise<Blob> {
  const { body } = downloadZip(files(onProgress));
  if (!body) throw new Error("An archive is a stream.");
  return new Blob(await saveStream(body, undefined, () => undefined), { type: "application/zip" });
}

async function* files(onProgress: OnProgress): AsyncGenerator<ArchivedFile> {
  const [buckets, kept, ofWalks] = await business().store.run((db) =>
    // Rows at one moment, and photos one by one: they are what is large.
    Promise.all([db.getAll("pages"), db.getAllKeys("photos"), db.getAllKeys("walk_photos")]),
  );
  // What waits and the walks are the last two.
  const total = buckets.length + kept.length + ofWalks.length + 2;
  const names: string[] = [];
  let done = 0;
  const step = () => onProgress(++done, total);
  const file = (name: string, input: string | Blob): ArchivedFile => {
    names.push(name);
    return { name, input };
  };
  for (const [table, parts] of await rows(buckets, step)) yield file(`rows/${table}.jsonl`, new Blob(parts));
  const known = new Set<string>();
  for (const [store, keys] of [
    ["photos", kept],
    ["walk_photos", ofWalks],
  ] as const) {
    for (const key of keys) {
      const photo = await photoOf(store, key);
      step();
      if (!photo || known.has(photo.id)) continue;
      known.add(photo.id);
      yield file(`photos/${photo.id}.jpg`, photo.blob);
    }
  }
  yield file("phone/waiting.json", await exportLocalData());
  step();
  yield file("phone/walks.gpx", await exportWalks());
  step();
  const manifest = { app: "walkies", made_at: new Date().toISOString(), files: names };
  yield { name: "phone/phone.json", input: JSON.stringify(manifest, undefined, 2) };
}

/** The rows of each table, one on each line: what is read of one bucket is laid aside before the next one is, and shown. */
async function rows(buckets: readonly Uint8Array[], step: () => void): Promise<Map<string, Blob[]>> {
  const tables = new Map<string, Blob[]>();
  for (const [n, bucket] of buckets.entries()) {
    const lines = new Map<string, string[]>();
    for (const line of linesOf(bucket)) {
      const [key, text] = [line.slice(0, line.indexOf("/")), line.slice(line.indexOf(" ") + 1)];
      const { d } = JSON.parse(text) as { d: unknown };
      const table = lines.get(key) ?? [];
      table.push(`${JSON.stringify(d)}\n`);
      lines.set(key, table);
    }
    for (const [table, some] of lines) {
      const parts = tables.get(table) ?? [];
      parts.push(new Blob(some));
      tables.set(table, parts);
    }
    step();
    if (n % BUCKETS_AT_ONCE === 0) await afterPaint();
  }
  return tables;
}

async function photoOf(store: "photos" | "walk_photos", key: string): Promise<{ id: string; blob: Blob } | undefined> {
  if (store === "photos") {
    const kept = await business().store.run((db) => db.get("photos", key));
    return kept && { id: kept.id, blob: decodeBlobs(kept).full };
  }
  const ofWalk = await business().store.run((db) => db.get("walk_photos", key));
  return ofWalk && decodeBlobs(ofWalk);
}

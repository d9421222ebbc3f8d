/**
 * Owns the archive of what is on this phone, for when there is no network or for what the server does not have: the rows that it
 * knows, what waits or needs attention, photos, and walks with their tracks. Loaded when somebody asks for it.
 */
import { downloadZip } from "client-zip";
import { business } from "./business/openBusiness";
import { exportLocalData, exportWalks } from "./localData";
import { decodeBlobs } from "./store/blobs";
import { linesOf } from "./store/buckets";

interface ArchivedFile {
  name: string;
  input: string | Blob;
}

/** As one file. */
export async function phoneArchive(): Promise<Blob> {
  const files = [...(await rows()), ...(await photos())];
  files.push({ name: "phone/waiting.json", input: await exportLocalData() });
  files.push({ name: "phone/walks.gpx", input: await exportWalks() });
  const manifest = { app: "walkies", made_at: new Date().toISOString(), files: files.map((it) => it.name) };
  files.push({ name: "phone/phone.json", input: JSON.stringify(manifest, undefined, 2) });
  return downloadZip(files).blob();
}

/** The rows of each table, one on each line. */
async function rows(): Promise<ArchivedFile[]> {
  const buckets = await business().store.run((db) => db.getAll("pages"));
  const tables = new Map<string, string[]>();
  for (const line of buckets.flatMap((it) => linesOf(it))) {
    const [key, text] = [line.slice(0, line.indexOf("/")), line.slice(line.indexOf(" ") + 1)];
    const { d } = JSON.parse(text) as { d: unknown };
    const table = tables.get(key) ?? [];
    table.push(JSON.stringify(d));
    tables.set(key, table);
  }
  return [...tables].map(([table, lines]) => ({ name: `rows/${table}.jsonl`, input: `${lines.join("\n")}\n` }));
}

async function photos(): Promise<ArchivedFile[]> {
  const [kept, ofWalks] = await business().store.run((db) =>
    Promise.all([db.getAll("photos"), db.getAll("walk_photos")]),
  );
  const all = [
    ...kept.map((it) => ({ id: it.id, blob: decodeBlobs(it).full })),
    ...ofWalks.map((it) => decodeBlobs(it)),
  ];
  return [...new Map(all.map((it) => [`photos/${it.id}.jpg`, it.blob]))].map(([name, input]) => ({ name, input }));
}

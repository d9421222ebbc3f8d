/**
 * Owns the newest reports that were shared with a pet parent, kept so that they can be read without a network. They lie in
 * the database of their sitter and go with it; what was taken back goes when the phone hears of it.
 */
import type { ReportPage } from "../../core/walk";
import type { OpenBusiness } from "../business/openBusiness";
import { call } from "../server/api";
import { currentSession } from "../session/session";
import { readSession, rolesOf, userOnThisPhone } from "../session/sessionDb";
import { whileOpen } from "../session/tabLocks";
import { decodeBlobs, encodeBlobs } from "../store/blobs";
import { placeOf, type UserDatabase } from "../store/db";
import { Store } from "../store/store";

/** Most reports that are kept of each sitter. */
const MOST = 10;
/** Most photos that are kept of each report; the rest of a long one stays with the server. */
const MOST_PHOTOS = 20;
/** Age at which a kept report is fetched again: when it is shared again it may say something else. */
const FRESH_MS = 24 * 3_600_000;

/** The business's own picture among the photos. */
export const LOGO = "logo";

/** A report as it was when there was a network, with its photos by their names in the address. */
export interface KeptReport {
  page: ReportPage;
  kept_at: number;
  photos: ReadonlyMap<string, Blob>;
}

/** Fetches what is new among the newest reports and drops the others; ends at the first that cannot be had. */
export async function keepReports({ phone, store }: OpenBusiness, signal: AbortSignal): Promise<void> {
  if (!phone.hasLoaded()) return;
  const wanted = phone.reports().flatMap((it) => it.share_id ?? []);
  wanted.splice(MOST);
  const kept = await store.run((db) => db.getAll("reports"));
  for (const { share_id } of kept) if (!wanted.includes(share_id)) await store.run((db) => drop(db, share_id));
  for (const share_id of wanted) {
    const before = kept.find((it) => it.share_id === share_id);
    if (before && Math.abs(Date.now() - before.kept_at) < FRESH_MS) continue;
    const answer = await call<ReportPage>(address(share_id), { signal });
    if (!answer.ok) return;
    const page = answer.value;
    const isSame = JSON.stringify(before?.page) === JSON.stringify(page);
    const photos = isSame ? [] : await fetchPhotos(share_id, page, signal);
    if (!photos) return;
    const report = { share_id, page, kept_at: Date.now() };
    const encoded = await encodeBlobs(photos);
    await store.run(async (db) => {
      if (!isSame) await drop(db, share_id);
      const tx = db.transaction(["reports", "report_photos"], "readwrite");
      await Promise.all([
        tx.objectStore("reports").put(report),
        ...encoded.map((it) => tx.objectStore("report_photos").put(it)),
        tx.done,
      ]);
    });
  }
}

const address = (share_id: string): string => `/public/reports/${encodeURIComponent(share_id)}`;

interface NamedPhoto {
  share_id: string;
  name: string;
  blob: Blob;
}

/** Nothing where one of them cannot be had. */
async function fetchPhotos(share_id: string, page: ReportPage, signal: AbortSignal): Promise<NamedPhoto[] | undefined> {
  const names = page.events.flatMap((it) => it.photo ?? []).map(String);
  names.splice(MOST_PHOTOS);
  if (page.has_logo) names.unshift(LOGO);
  const photos: NamedPhoto[] = [];
  try {
    for (const name of names) {
      const response = await fetch(`/api${address(share_id)}/photos/${name}`, { redirect: "error", signal });
      // A hotel's page is no photo, and would stay one.
      if (!response.ok || !response.headers.get("Content-Type")?.startsWith("image/")) return undefined;
      photos.push({ share_id, name, blob: await response.blob() });
    }
  } catch {
    return undefined;
  }
  return photos;
}

const photosOf = (share_id: string) => IDBKeyRange.bound([share_id], [share_id, []]);

async function drop(db: UserDatabase, share_id: string): Promise<void> {
  const tx = db.transaction(["reports", "report_photos"], "readwrite");
  await Promise.all([
    tx.objectStore("reports").delete(share_id),
    tx.objectStore("report_photos").delete(photosOf(share_id)),
    tx.done,
  ]);
}

/** Returns the report at this address as this phone has it, else from the server; nothing where neither has it. */
export async function readReport(share_id: string): Promise<KeptReport | undefined> {
  const kept = await findKeptReport(share_id);
  if (kept) return kept;
  const answer = await call<ReportPage>(address(share_id));
  return answer.ok ? { page: answer.value, kept_at: Date.now(), photos: new Map() } : undefined;
}

/** Returns the kept copy of the report at this address, of any sitter of the person who is signed in. */
export async function findKeptReport(share_id: string): Promise<KeptReport | undefined> {
  const { user } = currentSession();
  if (!user || !rolesOf(user).includes("client")) return undefined;
  return whileOpen(user.id, undefined, async () => {
    // Signed out, perhaps in another tab: nothing of it comes back onto this phone.
    if ((await readSession())?.user.id !== user.id) return undefined;
    for (const name of (await userOnThisPhone(user.id))?.databases ?? []) {
      const store = new Store(user.id, placeOf(name));
      try {
        const found = await store.run((db) => read(db, share_id));
        if (found) return found;
      } finally {
        await store.close();
      }
    }
    return undefined;
  });
}

async function read(db: UserDatabase, share_id: string): Promise<KeptReport | undefined> {
  const tx = db.transaction(["reports", "report_photos"]);
  const [report, photos] = await Promise.all([
    tx.objectStore("reports").get(share_id),
    tx.objectStore("report_photos").getAll(photosOf(share_id)),
  ]);
  if (!report) return undefined;
  const named = photos.map((it) => [it.name, decodeBlobs(it).blob] as const);
  return { page: report.page as ReportPage, kept_at: report.kept_at, photos: new Map(named) };
}

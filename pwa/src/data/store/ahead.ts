/**
 * Owns what is read of the disk while the app's script is still on its way: who is signed in, and the rows of the business
 * that was open here last. The app takes each of them once, and neither where it does not fit what it finds.
 */
import type { AttentionEntry, OutboxEntry } from "../../core";
import { readSession, type StoredSession } from "../session/sessionDb";
import { openUserDb, type StoredMeta, type UserDatabase } from "./db";

/** What a replica is made of, as it is on the disk. */
export interface Read {
  meta: StoredMeta | undefined;
  buckets: Uint8Array[];
  outbox: OutboxEntry[];
  attention: AttentionEntry[];
}

interface OpenedDatabase {
  name: string;
  db: Promise<UserDatabase>;
  /** Nothing where it could not be read. */
  read: Promise<Read | undefined>;
  /** Runs when the connection is lost; see `openUserDb`. */
  onLost: (isDeleted: boolean) => void;
}

/** What the database is called of the business that was open here last. In IndexedDB one would have to wait for it. */
const KEY = "walkies-open";

let session: Promise<StoredSession | undefined> | undefined;
let opened: OpenedDatabase | undefined;
let tabs: BroadcastChannel | undefined;

/** A disk that sleeps takes longer to open a database; nobody waits for that before there is anything to see. */
const OPENS_WITHIN_MS = 150;

/** Begins to read, and waits until the disk is busy with the rows. */
export async function readAhead(): Promise<void> {
  tabs = new BroadcastChannel("walkies-session");
  // Another tab signs in or out.
  tabs.onmessage = () => void sessionAhead();
  session = readSession();
  // Who asks for it is told.
  session.catch(() => undefined);
  const name = localStorage.getItem(KEY);
  if (!name) return;
  opened = open(name);
  const late = new Promise((done) => setTimeout(done, OPENS_WITHIN_MS));
  await Promise.race([opened.db.catch(() => undefined), late]);
}

/** Which database is to be read ahead at the next start. */
export function rememberOpen(name: string | undefined): void {
  if (name === undefined) localStorage.removeItem(KEY);
  else if (localStorage.getItem(KEY) !== name) localStorage.setItem(KEY, name);
}

/** Who was signed in a moment ago, for who listens to changes of it; nothing where it was not read, or was taken. */
export function sessionAhead(): typeof session {
  const read = session;
  session = undefined;
  tabs?.close();
  return read;
}

/** The open connection to a database, with its rows; nothing where it was not opened, or was taken. */
export function databaseAhead(
  name: string,
  onLost: OpenedDatabase["onLost"],
): Pick<OpenedDatabase, "db" | "read"> | undefined {
  const found = opened;
  opened = undefined;
  if (found?.name === name) {
    found.onLost = onLost;
    return found;
  }
  found?.db.then((db) => db.close()).catch(() => undefined);
  return undefined;
}

function open(name: string): OpenedDatabase {
  const opening: OpenedDatabase = {
    name,
    db: openUserDb(name, (isDeleted) => opening.onLost(isDeleted), { onlyKnown: true }),
    read: Promise.resolve(undefined),
    onLost: () => {
      if (opened === opening) opened = undefined;
    },
  };
  opening.read = opening.db.then(readAll).catch(() => {
    // The app opens it itself, and tells what is in the way.
    opening.onLost(false);
    return undefined;
  });
  return opening;
}

/** Everything that the replica needs, in one transaction. */
export async function readAll(db: UserDatabase): Promise<Read> {
  const tx = db.transaction(["meta", "pages", "outbox", "attention"]);
  const [meta, buckets, outbox, attention] = await Promise.all([
    tx.objectStore("meta").get("meta"),
    tx.objectStore("pages").getAll(),
    tx.objectStore("outbox").getAll(),
    tx.objectStore("attention").getAll(),
  ]);
  await tx.done;
  return { meta, buckets, outbox, attention };
}

/** Whether somebody has written since this was read: a change has a number of its own, and a pull moves the cursor. */
export async function hasChangedSince(db: UserDatabase, { meta, outbox, attention }: Read): Promise<boolean> {
  const tx = db.transaction(["meta", "outbox", "attention"]);
  const found = await Promise.all([
    tx.objectStore("meta").get("meta"),
    tx.objectStore("outbox").getAllKeys(),
    tx.objectStore("attention").getAllKeys(),
  ]);
  const read = [meta, outbox.map((it) => it.mutation.seq), attention.map((it) => it.entry.mutation.id)];
  return JSON.stringify(found) !== JSON.stringify(read);
}

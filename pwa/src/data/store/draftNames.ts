/**
 * Owns what a form's draft is called on the disk: by the form, and where the same form is open in another tab by a name of
 * its own, so that the one that is saved takes nothing of the other. Each open form holds a lock with its draft's name;
 * words that nobody holds were left behind, and the next such form takes them up.
 */
import { newId } from "../../core";
import type { Store } from "./store";

interface Claim {
  name: Promise<string>;
  /** How many forms of this tab share it. */
  forms: number;
  /** Ends when what the forms that have closed had to write or to delete is done. */
  settled: Promise<unknown>;
  release: () => void;
}

/** Beyond a form's own key: which of several. */
const MARK = "~";
/** A page that is just being loaded anew may not have let go yet. */
const RELEASE_TIMEOUT_MS = 1_000;

const claims = new WeakMap<Store, Map<string, Claim>>();
/** Releases of draft locks that are under way, by the lock's name. */
const ending = new Map<string, Promise<unknown>>();

function claimsOf(store: Store): Map<string, Claim> {
  const known = claims.get(store) ?? new Map<string, Claim>();
  claims.set(store, known);
  return known;
}

export interface DraftClaim {
  /** The draft's name, once no earlier form of this tab has anything left to write or to delete under it. */
  name: Promise<string>;
  /** Lets the draft go when `writes`, which is what its form has still to write or to delete, is done. */
  release: (writes?: Promise<unknown>) => void;
}

/** Claims the draft of a form with this key that opens in this tab. */
export function claimDraft(store: Store, key: string): DraftClaim {
  const mine = claimsOf(store);
  const claim = mine.get(key) ?? begin(store, key);
  mine.set(key, claim);
  claim.forms += 1;
  const release = (writes?: Promise<unknown>) => {
    claim.settled = Promise.allSettled([claim.settled, writes]);
    void claim.settled.then(() => {
      claim.forms -= 1;
      if (claim.forms > 0) return;
      mine.delete(key);
      claim.release();
    });
  };
  return { name: claim.settled.then(() => claim.name), release };
}

/** Returns the name of the draft that belongs to this tab's open form with this key. */
export async function draftNameOf(store: Store, key: string): Promise<string> {
  return (await claimsOf(store).get(key)?.name) ?? key;
}

/** True if unsaved words wait for the next form with this key; false where the disk cannot be read. */
export const waitsForForm = async (store: Store, key: string): Promise<boolean> =>
  ((await leftBehind(store, key)) ?? []).length > 0;

/** Returns the draft name for words that wait for the next form with this key, beside other drafts that wait for it. */
export const handedOnName = (key: string, from: string): string => key + MARK + from;

function begin(store: Store, key: string): Claim {
  let letGo = () => {};
  const ended = new Promise<void>((done) => {
    letGo = done;
  });
  return { name: findName(store, key, ended), forms: 0, settled: Promise.resolve(), release: letGo };
}

async function findName(store: Store, key: string, ended: Promise<void>): Promise<string> {
  if (!navigator.locks) return key;
  const { name: database } = store;
  const left = await leftBehind(store, key);
  for (const name of left ?? [])
    if (await acquireLock(database, name, ended, { signal: AbortSignal.timeout(RELEASE_TIMEOUT_MS) })) return name;
  const isFree = left && !left.includes(key);
  if (isFree && (await acquireLock(database, key, ended, { ifAvailable: true }))) return key;
  const own = `${key}${MARK}${newId()}`;
  await acquireLock(database, own, ended, { ifAvailable: true });
  return own;
}

/**
 * Returns the names of the drafts of forms with this key. `undefined` where the disk cannot be read: then only a new
 * name is safe.
 */
async function leftBehind(store: Store, key: string): Promise<string[] | undefined> {
  try {
    return (await store.draftKeys()).filter((it) => it === key || it.startsWith(key + MARK));
  } catch {
    return undefined;
  }
}

/** Takes the lock of a draft until `ended`, if it can be had. */
async function acquireLock(database: string, name: string, ended: Promise<void>, how: LockOptions): Promise<boolean> {
  const lock = `draft:${database}:${name}`;
  await ending.get(lock);
  return new Promise((answer) => {
    const held = navigator.locks
      .request(lock, how, async (given) => {
        answer(given !== null);
        if (given) await ended;
      })
      .catch(() => answer(false));
    void ended.then(() => {
      ending.set(lock, held);
      void held.finally(() => ending.get(lock) === held && ending.delete(lock));
    });
  });
}

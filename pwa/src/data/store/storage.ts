/**
 * Owns how long this phone's storage may take, the sentences that say why it did not store something, and that the
 * person sees them: in the form that is open, and on the screen until something is stored again.
 */

import { useSyncExternalStore } from "react";
import { deviceText } from "../../browser/device";
import { Listeners } from "../../browser/listeners";

const FULL = "This phone is full. Remove photos, videos or apps that you do not need, and try again.";
const BLOCKED = "Another tab of Walkies is in the way. Close the other tabs and try again.";
const SILENT = "This phone's storage does not answer. Close Walkies, open it again, and look whether this was saved.";
const OTHERWISE = "This phone could not store that. Is it full?";

/** A disk that sleeps takes a second or two; one that says nothing for this long is not going to. */
const STORAGE_TIMEOUT_MS = 15_000;
/** How much of a silence is measured at once. */
const STEP_MS = 1_000;

/** A failure of the storage, with the sentence for the person. */
export class StorageError extends Error {
  override readonly name = "StorageError";
}

/** Why something was not stored and what helps. */
export function storageTrouble(error: unknown): string {
  if (error instanceof StorageError) return deviceText(error.message);
  return deviceText(error instanceof DOMException && error.name === "QuotaExceededError" ? FULL : OTHERWISE);
}

/** True if an error comes from the storage. */
export const isStorageTrouble = (error: unknown): boolean =>
  error instanceof StorageError || error instanceof DOMException;

/** Another tab holds the database as an older version has it, and does not let go. */
export const blockedError = (): StorageError => new StorageError(BLOCKED);

/** Resolves with the result of `work`; rejects with `late`'s error where the storage stays silent for too long. */
export async function withStorageTimeout<T>(work: Promise<T>, late = () => new StorageError(SILENT)): Promise<T> {
  let hears = () => {};
  const tooLate = new Promise<never>((_, reject) => {
    hears = onStorageTimeout(() => reject(late()));
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    hears();
  }
}

/**
 * Calls `then` when the disk has had its time and what is returned here was not called. That time passes only while this
 * page runs: a phone that wakes finds all timers over at once and its disk still asleep. So each step begins in a task of
 * its own.
 */
export function onStorageTimeout(then: () => void): () => void {
  let left = STORAGE_TIMEOUT_MS;
  let step: AbortSignal | undefined;
  const next = () => {
    step = AbortSignal.timeout(STEP_MS);
    step.onabort = () => {
      left -= STEP_MS;
      if (left <= 0) then();
      else inNextTask(() => step && next());
    };
  };
  next();
  return () => {
    if (step) step.onabort = null;
    step = undefined;
  };
}

/** Behind what the page has to do by now; not by a timer, which may be over before it begins. */
function inNextTask(then: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    then();
  };
  port2.postMessage(null);
}

let trouble: string | undefined;
const changes = new Listeners();

function set(next: string | undefined): void {
  if (trouble === next) return;
  trouble = next;
  changes.notify();
}

/** Something was not stored that the person has typed or done. */
export function reportStorageTrouble(error: unknown): void {
  if (isStorageTrouble(error)) set(storageTrouble(error));
}

/** Something was stored again: what the person was told of the disk is not so any more. */
export const clearStorageTrouble = (): void => set(undefined);

/** Why what the person types or does is not stored right now, where that is so. */
export const useStorageTrouble = (): string | undefined => useSyncExternalStore(changes.subscribe, () => trouble);

/**
 * Asks the browser to keep what is stored here also when it runs short of space. It decides by itself and may say yes to a
 * later question, so that whoever has something to keep asks with every start.
 */
export async function keepStorage(): Promise<void> {
  try {
    if (!(await navigator.storage.persisted())) await navigator.storage.persist();
  } catch {
    // Without it, all that is saved is still sent whenever there is network.
  }
}

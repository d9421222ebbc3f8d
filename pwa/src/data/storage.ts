/**
 * Owns how long this phone's storage may take, the sentences that say why it did not store something, and that the
 * person sees them: in the form that is open, and on the screen until something is stored again.
 */
import { useSyncExternalStore } from "react";

const FULL = "This phone is full. Remove photos, videos or apps that you do not need, and try again.";
const BLOCKED = "Another tab of Walkies is in the way. Close the other tabs and try again.";
const SILENT = "This phone's storage does not answer. Close Walkies, open it again, and look whether this was saved.";
const OTHERWISE = "This phone could not store that. Is it full?";

/** A disk that sleeps takes a second or two; one that says nothing for this long is not going to. */
export const ANSWERS_WITHIN_MS = 15_000;

/** What the storage did not do, with the sentence for the person. */
export class StorageError extends Error {
  override readonly name = "StorageError";
}

/** Why something was not stored and what helps. */
export function storageTrouble(error: unknown): string {
  if (error instanceof StorageError) return error.message;
  return error instanceof DOMException && error.name === "QuotaExceededError" ? FULL : OTHERWISE;
}

/** Whether an error is the storage's. */
export const isStorageTrouble = (error: unknown): boolean =>
  error instanceof StorageError || error instanceof DOMException;

/** Another tab holds the database as an older version has it, and does not let go. */
export const blocked = (): StorageError => new StorageError(BLOCKED);

/** What `work` comes to, or `late`'s error where it comes to nothing. */
export async function inTime<T>(work: Promise<T>, late = () => new StorageError(SILENT)): Promise<T> {
  const timeout = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  const tooLate = new Promise<never>((_, reject) => {
    timeout.onabort = () => reject(late());
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    timeout.onabort = null;
  }
}

let trouble: string | undefined;
const listeners = new Set<() => void>();

function set(next: string | undefined): void {
  if (trouble === next) return;
  trouble = next;
  for (const listener of listeners) listener();
}

/** Something was not stored that the person has typed or done. */
export function notStored(error: unknown): void {
  if (isStorageTrouble(error)) set(storageTrouble(error));
}

/** Something was stored. */
export const stored = (): void => set(undefined);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Why what the person types or does is not stored right now, where that is so. */
export const useStorageTrouble = (): string | undefined => useSyncExternalStore(subscribe, () => trouble);

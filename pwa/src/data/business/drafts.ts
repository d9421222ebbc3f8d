/**
 * Owns what stands in open forms: written to the disk as the person types, so that a killed tab loses no word.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import { afterPaint } from "../../browser/afterPaint";
import { claimDraft, handedOnName, waitsForForm } from "../store/draftNames";
import { clearStorageTrouble, reportStorageTrouble } from "../store/storage";
import { business, openBusiness } from "./openBusiness";

/** Long enough not to write each letter, short enough that a kill costs at most a syllable. */
const DEBOUNCE_MS = 300;

const flushes = new Set<() => Promise<void>>();

/** Writes every open form's last words; before an update of the app and when it goes to the background. */
export async function flushDrafts(): Promise<void> {
  await Promise.all([...flushes].map((flush) => flush()));
}

addEventListener("pagehide", () => void flushDrafts());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") void flushDrafts();
});

export interface Draft<T> {
  value: T;
  set: (change: Partial<T>) => void;
  /** Sets what `change` makes of the latest value, also where the caller has an older one. */
  update: (change: (latest: T) => Partial<T>) => void;
  /** False until the disk was asked for what was typed before; forms show after that, so that nothing jumps. */
  ready: boolean;
  /** True when there are words that were typed and not saved. */
  dirty: boolean;
  /** True if the words come from an earlier time: the form offers to start anew. */
  restored: boolean;
  /** The revision that the person had seen when the form was opened. */
  base_rev: number;
  /** Throws the words away and begins with `initial`. */
  clear: () => void;
}

/** True if unsaved words wait for the next form under `key`. */
export const hasDraft = (key: string): Promise<boolean> => waitsForForm(business().store, key);

/** Leaves words for the next form under `key`; the same `from` takes the place of what it left before. */
export async function handOnDraft(key: string, from: string, value: object): Promise<void> {
  const { store, phone } = business();
  await store.putDraft({ key: handedOnName(key, from), value, base_rev: phone.cursor(), saved_at: Date.now() });
}

/** Leaves words for the next form under `key`, unless others wait there that `mayReplace` does not let go. */
export async function beginDraft<T extends object>(
  key: string,
  value: T,
  mayReplace: (waiting: T) => boolean,
): Promise<void> {
  const { store, phone } = business();
  const claim = claimDraft(store, key);
  try {
    const name = await claim.name;
    const waiting = (await store.getDraft(name))?.value as T | undefined;
    if (waiting && !mayReplace(waiting)) return;
    await store.putDraft({ key: name, value, base_rev: phone.cursor(), saved_at: Date.now() });
  } finally {
    claim.release();
  }
}

/** Runs `act` with the words that were left under `key`, if any, and holds them meanwhile as the open form would. */
export async function withDraft<R>(key: string, act: (words: unknown) => Promise<R>): Promise<R> {
  const of = business();
  const claim = claimDraft(of.store, key);
  try {
    return await act((await of.store.getDraft(await claim.name))?.value);
  } finally {
    claim.release();
  }
}

/**
 * The state of one form under `key`. Pass the key as `draft` to `save`, which ends it in the same transaction.
 */
export function useDraft<T extends object>(key: string, initial: T): Draft<T> {
  const [value, setValue] = useState(initial);
  const [ready, setReady] = useState(false);
  const [dirty, setDirty] = useState(false);
  const [restored, setRestored] = useState(false);
  const [of] = useState(business);
  const [base_rev, setBaseRev] = useState(() => of.phone.cursor());
  const first = useRef(initial);
  // Ahead of what is shown, so that a flush between two renders writes the last word.
  const latest = useRef(initial);
  const rev = useRef(base_rev);
  rev.current = base_rev;
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; value: T } | undefined>(undefined);

  // A form can outlive its business by a moment, as when it is on its way out while its person signs out.
  const store = useCallback(() => (openBusiness() === of ? of.store : undefined), [of]);

  const name = useRef<Promise<string>>(undefined);
  const writes = useRef(0);
  // The last write: what deletes the draft comes after it.
  const writing = useRef<Promise<void>>(undefined);
  // The end of a draft that was saved or cleared, for which the next form under its name waits.
  const ending = useRef<Promise<unknown>>(undefined);

  const flush = useCallback(async () => {
    const waiting = pending.current;
    if (!waiting) return writing.current;
    clearTimeout(waiting.timer);
    pending.current = undefined;
    writes.current += 1;
    const write = async () => {
      try {
        const draft = { key: (await name.current) ?? key, value: waiting.value, base_rev: rev.current };
        await store()?.putDraft({ ...draft, saved_at: Date.now() });
        clearStorageTrouble();
      } catch (error) {
        // With the next letter it is tried again, and when the app goes to the background.
        pending.current ??= waiting;
        reportStorageTrouble(error);
      }
    };
    writing.current = write();
    return writing.current;
  }, [key, store]);

  // What was typed in the last moment was saved with the rest: it must not come back as a draft of the next form.
  const forget = useCallback(
    async (shown?: Promise<void>) => {
      clearTimeout(pending.current?.timer);
      pending.current = undefined;
      const before = writes.current;
      await Promise.all([shown, writing.current]);
      // Written since: that is typed anew.
      if (before < writes.current) return;
      await name.current?.then((it) => store()?.deleteDraft(it)).catch(() => undefined); // it comes back, and says so
    },
    [store],
  );

  useEffect(() => {
    let current = true;
    const claim = claimDraft(of.store, key);
    name.current = claim.name;
    // The save has ended the draft; what is left is a write that was under way, and what was saved is shown first.
    const leave = of.savedDrafts.subscribe((saved) => {
      if (saved === key) ending.current = forget(afterPaint());
    });
    flushes.add(flush);
    void claim.name
      .then((it) => store()?.getDraft(it))
      .then((draft) => {
        if (!current) return;
        if (draft) {
          latest.current = { ...first.current, ...(draft.value as T) };
          setValue(latest.current);
          setBaseRev(draft.base_rev);
          setDirty(true);
          setRestored(true);
        }
        setReady(true);
      })
      .catch((error: unknown) => {
        if (!current) return;
        // A form that shows is worth more than one that waits for words it cannot have.
        reportStorageTrouble(error);
        setReady(true);
      });
    return () => {
      current = false;
      clearStorageTrouble();
      claim.release(Promise.all([flush(), ending.current]));
      flushes.delete(flush);
      leave();
    };
  }, [key, of, store, flush, forget]);

  const set = (change: Partial<T>) => {
    const value = { ...latest.current, ...change };
    latest.current = value;
    clearTimeout(pending.current?.timer);
    pending.current = { value, timer: setTimeout(() => void flush(), DEBOUNCE_MS) };
    setValue(value);
    setDirty(true);
  };

  const update = (change: (latest: T) => Partial<T>) => set(change(latest.current));

  const clear = () => {
    ending.current = Promise.all([ending.current, forget()]);
    latest.current = first.current;
    setValue(first.current);
    setDirty(false);
    setRestored(false);
  };

  return { value, set, update, ready, dirty, restored, base_rev, clear };
}

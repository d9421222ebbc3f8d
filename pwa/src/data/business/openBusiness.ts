/**
 * Owns a replica: memory over the store, and what tells screens and other tabs that it changed; and which one this tab
 * shows. Memory follows the disk and never runs ahead of it.
 */
import { useState, useSyncExternalStore } from "react";
import { Listeners, subscribeToCurrent } from "../../browser/listeners";
import {
  type Batch,
  type Command,
  type FieldError,
  type FirstPhone,
  loadCore,
  loadRest,
  NO_ID,
  newId,
  Phone,
  type Refusal,
  setHourCycle,
} from "../../core";
import type { Place, StoredPhoto } from "../store/db";
import { draftNameOf } from "../store/draftNames";
import { clearStorageTrouble, reportStorageTrouble } from "../store/storage";
import { type Saved, type SaveExtras, Store } from "../store/store";

type TabMessage =
  | { kind: "saved"; saved: Saved; resolves?: string | undefined }
  | { kind: "applied"; batch: Batch }
  | { kind: "resolved"; id: string }
  | { kind: "photo_uploaded"; id: string }
  | { kind: "put_back" | "offered" | "first_pull" };

/** The outcome of a save: it is safe on this phone, or the core turned it down and nothing was stored. */
export type SaveResult = { ok: true; id: string } | { ok: false; refusal: Refusal; text: string; fields: FieldError[] };

export interface SaveOptions {
  /** The draft that the change was made of. */
  draft?: string | undefined;
  /** Photos that it names. */
  photos?: StoredPhoto[] | undefined;
  /** Videos that it names and that wait on this phone, by their ids. */
  videos?: readonly string[] | undefined;
  /** The entry of Needs attention that it answers. */
  resolves?: string | undefined;
  /** The revision that the person had seen, where the form was open for a while. */
  base_rev?: number | undefined;
  /** Names the intent, where it is one that the server may have done already. */
  id?: string | undefined;
  /** Runs as the saved change is shown, so that what a form does then is drawn together with it and not after it. */
  onShown?: (() => void) | undefined;
}

/** Rows of a batch from which on it is faster to load them from the disk than to apply them one by one. */
const ROWS_LEFT_UNREAD = 500;

/** A business on this phone, open in this tab. */
export class OpenBusiness {
  readonly store: Store;
  #phone: FirstPhone;
  #version = 0;
  #isClosed = false;
  #pulls = 0;
  /** Counts what this tab has stored or heard of. */
  #heard = 0;
  readonly #changes = new Listeners();
  readonly subscribe = this.#changes.subscribe;
  readonly #tabs: BroadcastChannel;
  /** Runs when there is something new to send. */
  onSaved: () => void = () => undefined;
  /** Runs when the server says that the person takes no part in it any more. */
  onLetGo: () => void = () => undefined;
  /** Tells of each form whose words were saved for good, by the key of its draft. */
  readonly savedDrafts = new Listeners<[key: string]>();

  private constructor(store: Store, tabs: BroadcastChannel, phone: FirstPhone) {
    this.store = store;
    this.#phone = phone;
    this.#tabs = tabs;
    this.#tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => void this.#hear(data);
  }

  static async open(userId: string, place?: Place): Promise<OpenBusiness> {
    const store = new Store(userId, place);
    const tabs = new BroadcastChannel(`walkies-${store.name}`);
    let hasMissed = false;
    tabs.onmessage = () => {
      hasMissed = true;
    };
    const phone = await loadPhone(store).catch((error: unknown) => {
      tabs.close();
      throw error;
    });
    const opened = new OpenBusiness(store, tabs, phone);
    if (hasMissed) await opened.reload();
    return opened;
  }

  /** The replica, for reading what needs no more than the first part of the core. */
  get phone(): FirstPhone {
    return this.#phone;
  }

  /** The replica as it is when all of the core is there. */
  async wholePhone(): Promise<Phone> {
    await loadRest();
    // What it has now, it has all of.
    return this.#phone as Phone;
  }

  /** Counts the changes of the replica. */
  get version(): number {
    return this.#version;
  }

  /** Counts the pulls that have completed since this was opened. */
  get pulls(): number {
    return this.#pulls;
  }

  /** Notes that all that the server had is stored. */
  pullCompleted(): void {
    if (this.#isClosed) return;
    this.#pulls += 1;
    // No row has changed.
    this.#changes.notify();
  }

  /** Checks a change on this phone's rows and stores it; resolves when it is on the disk. */
  async save(command: Command, sentence: string, options: SaveOptions = {}): Promise<SaveResult> {
    const { photos, videos, draft, resolves, base_rev, onShown } = options;
    const waiting = photos?.filter((photo) => photo.waiting).map((photo) => photo.id) ?? [];
    const id = options.id ?? newId();
    const phone = await this.wholePhone();
    const prepared = phone.prepare({
      id,
      command,
      sentence,
      made_at: new Date().toISOString(),
      base_rev: base_rev ?? null,
      photos: [...waiting, ...(videos ?? [])],
    });
    if (prepared.status === "rejected") {
      const { refusal, text } = prepared.error;
      return {
        ok: false,
        refusal,
        text,
        fields: refusal.code === "invalid" ? refusal.fields : [],
      };
    }
    const extras: SaveExtras = { draft: draft && (await draftNameOf(this.store, draft)), photos, resolves };
    const saved = await this.store.append(prepared.value, extras).catch((error: unknown) => {
      reportStorageTrouble(error);
      throw error;
    });
    clearStorageTrouble();
    if (draft !== undefined) this.savedDrafts.notify(draft);
    await this.#saved(saved, resolves);
    this.#tell({ kind: "saved", saved, resolves });
    onShown?.();
    this.#changed();
    this.onSaved();
    return { ok: true, id };
  }

  /** Stores a complete pull and shows it. */
  async apply(batch: Batch): Promise<void> {
    if (!(await this.store.apply(batch))) {
      await this.reload();
      return;
    }
    this.#heard += 1;
    if (isFirstPull(batch)) {
      await this.reload();
      this.#tell({ kind: "first_pull" });
      return;
    }
    if (this.#phone.applied(batch)) this.#changed();
    else await this.reload();
    this.#tell({ kind: "applied", batch });
  }

  /** A person has decided to drop an entry of Needs attention. */
  async discard(id: string): Promise<void> {
    await this.store.resolve(id);
    this.#heard += 1;
    this.#phone.resolved(id);
    this.#tell({ kind: "resolved", id });
    this.#changed();
  }

  photoUploaded(id: string): void {
    this.#phone.photoUploaded(id);
    this.#tell({ kind: "photo_uploaded", id });
    this.#changed();
  }

  /** A person has decided that what waits for this photo or video goes on without it. */
  async leaveOut(photo: string): Promise<void> {
    for (;;) {
      const batch = (await this.wholePhone()).leaveOut(photo);
      if (!batch) return;
      await this.apply(batch);
    }
  }

  /** The server turns a photo down: what waits for it goes on without it, and the photo to Needs attention. */
  async photoRefused(photo: string, text: string): Promise<void> {
    for (;;) {
      const batch = this.#phone.photoRefused(photo, text, newId());
      if (!batch) return;
      await this.apply(batch);
    }
  }

  /** The restored server has forgotten these: a person says whether they are sent again. */
  async offerAgain(forgotten: readonly string[]): Promise<void> {
    await this.store.offerAgain(forgotten);
    this.#tell({ kind: "offered" });
    await this.reload();
  }

  /** Makes the replica anew from the store: another tab was faster, or the server is another one. */
  async reload(): Promise<void> {
    if (this.#isClosed) return;
    const heard = this.#heard;
    const phone = await loadPhone(this.store);
    if (this.#isClosed) return phone.free();
    if (heard !== this.#heard) {
      // It may have been read before that was written.
      phone.free();
      return this.reload();
    }
    // Only now: while it was loaded, another call may have done the same.
    const stale = this.#phone;
    this.#phone = phone;
    stale.free();
    this.#changed();
  }

  /** Work that was locked on this phone has been put back into the store. */
  async putBack(): Promise<void> {
    await this.reload();
    this.#tell({ kind: "put_back" });
    this.onSaved();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#tabs.close();
    this.#changes.clear();
    await this.store.close();
    this.#phone.free();
  }

  async #hear(message: TabMessage): Promise<void> {
    this.#heard += 1;
    switch (message.kind) {
      case "saved":
        await this.#saved(message.saved, message.resolves);
        break;
      case "applied":
        if (!this.#phone.applied(message.batch)) return this.reload();
        break;
      case "resolved":
        this.#phone.resolved(message.id);
        break;
      case "photo_uploaded":
        this.#phone.photoUploaded(message.id);
        break;
      case "put_back":
      case "offered":
      case "first_pull":
        return this.reload();
    }
    this.#changed();
  }

  /** Shows a saved change; where another tab has numbered the outbox anew, for another server, by loading all of it. */
  async #saved({ entry, device_id }: Saved, resolves: string | undefined): Promise<void> {
    this.#heard += 1;
    const phone = await this.wholePhone();
    if (!phone.saved(entry, resolves, device_id)) await this.reload();
  }

  #tell(message: TabMessage): void {
    this.#tabs.postMessage(message);
  }

  #changed(): void {
    if (this === open) setHourCycle(this.#phone.hourCycle());
    this.#version += 1;
    this.#changes.notify();
  }
}

/**
 * True for all rows of a business at once. From the disk they come as text, of which a row is read when it is first asked
 * for; to apply such a batch would read each of them at once.
 */
const isFirstPull = (batch: Batch): boolean => batch.expect_cursor === 0 && batch.put.length >= ROWS_LEFT_UNREAD;

/**
 * Loads a replica from the disk. Changes that wait or were turned down are decided anew on the rows, which takes all of
 * the core.
 */
async function loadPhone(store: Store): Promise<FirstPhone> {
  const [{ meta, buckets, outbox, attention }] = await Promise.all([store.load(), loadCore()]);
  if (0 < outbox.length + attention.length) await loadRest();
  return new Phone(meta, buckets, JSON.stringify(outbox), JSON.stringify(attention));
}

let open: OpenBusiness | undefined;
const replaced = new Listeners();

/** The business that is open in this tab; throws where none is, which is a bug of the caller. */
export function business(): OpenBusiness {
  if (!open) throw new Error("No business is open.");
  return open;
}

export const openBusiness = (): OpenBusiness | undefined => open;

export function setOpenBusiness(next: OpenBusiness | undefined): void {
  open = next;
  if (next) setHourCycle(next.phone.hourCycle());
  replaced.notify();
}

/** The day of a moment, `2026-11-20`, by the business's clock; by this device's where none is open. */
export const dayOf = (at_ms: number): string => open?.phone.today(at_ms) ?? new Date(at_ms).toLocaleDateString("sv-SE");

/** Calls `listener` at each change of the replica and when another one is opened or closed. */
export const subscribeToReplica = subscribeToCurrent(replaced, openBusiness);

/** True if a business is open in this tab; right after signing in it takes a moment. */
export const useBusinessIsOpen = (): boolean => useSyncExternalStore(subscribeToReplica, () => open !== undefined);

/** True if the own business of a sitter is open in this tab. */
export const useOwnBusinessIsOpen = (): boolean =>
  useSyncExternalStore(subscribeToReplica, () => open?.store.role === "sitter");

/**
 * True once a pull has completed since the caller first named `id`: if this phone lacks it then, it was deleted and is
 * not on its way. True at once for `NO_ID`, which never comes.
 */
export function useHasPulledSince(id: string | undefined): boolean {
  const pulls = useSyncExternalStore(subscribeToReplica, () => open?.pulls ?? 0);
  const [first, setFirst] = useState({ id, pulls });
  if (first.id !== id) setFirst({ id, pulls });
  return id === NO_ID || (first.id === id && first.pulls < pulls);
}

/** Saves a change on this phone; see `OpenBusiness.save`. */
export const save = (command: Command, sentence: string, options?: SaveOptions): Promise<SaveResult> =>
  business().save(command, sentence, options);

/**
 * Owns the loop that sends what was saved and fetches what changed: photos first, then the outbox, then the feed.
 * One tab at a time runs it; correctness does not depend on that, only the number of requests does.
 */
import { newId, transportError } from "../core";
import { type ApiError, call, request } from "./api";
import { afterPaint } from "./paint";
import type { OpenBusiness } from "./phone";
import { listenForChanges } from "./realtime";
import { currentSession, sessionToken, turnedDown } from "./session";

/** As the specification polls for requests; realtime makes most of these find nothing. */
const POLL_MS = 30_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

export interface SyncStatus {
  /** Whether the server could be reached last time. */
  online: boolean;
  /** Whether a round is under way. */
  busy: boolean;
  /** The server takes no commands of this build any more: the app must be updated to send. */
  updateRequired: boolean;
  /** The server's last trouble in words, for the screen that tells what waits. */
  trouble: string | undefined;
}

/** Keeps one open business in step with the server until it is stopped. */
export class Syncer {
  #status: SyncStatus = { online: navigator.onLine, busy: false, updateRequired: false, trouble: undefined };
  readonly #listeners = new Set<() => void>();
  readonly #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #retryMs = FIRST_RETRY_MS;

  constructor(readonly business: OpenBusiness) {
    const wake = () => this.wake();
    const { signal } = this.#stop;
    addEventListener("online", wake, { signal });
    addEventListener("offline", () => this.#set({ online: false }), { signal });
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && wake(), { signal });
    business.onSaved = wake;
    listenForChanges(wake, signal);
    wake();
  }

  get status(): SyncStatus {
    return this.#status;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Runs a round now, or another one after the one under way. */
  wake(): void {
    if (this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = this.#locked().finally(() => {
      this.#running = undefined;
      if (this.#again) {
        this.#again = false;
        this.wake();
      }
    });
  }

  /** Resolves when nothing waits to be sent any more, or with `false` when a round could not send it. */
  async flush(): Promise<boolean> {
    // The first round may have learnt no more than which server this is: a new one, or one that was restored.
    for (let round = 1; round <= 2 && (round === 1 || this.business.phone.pendingCount() > 0); round += 1) {
      this.wake();
      while (this.#running) await this.#running;
    }
    return this.business.phone.pendingCount() === 0;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
    this.business.onSaved = () => undefined;
    await this.#running?.catch(() => undefined);
  }

  async #locked(): Promise<void> {
    this.#set({ busy: true });
    await afterPaint();
    let token: string | undefined;
    const error = await withLock(`sync:${this.business.store.userId}`, this.#stop.signal, async () => {
      token = this.#token();
      return token === undefined ? undefined : this.#round(token);
    }).catch(brokenOff);
    if (this.#stop.signal.aborted) return;
    if (error) {
      const updateRequired = this.#status.updateRequired || isTooOld(error);
      this.#set({ busy: false, online: error.kind !== "offline", trouble: error.text, updateRequired });
      if (error.kind === "session_expired" && token) await turnedDown(token);
      if (this.#token() === undefined) return;
      this.#timer = setTimeout(() => this.wake(), this.#retryMs);
      this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
      return;
    }
    this.#retryMs = FIRST_RETRY_MS;
    this.#set({ busy: false, online: true, trouble: undefined });
    this.#timer = setTimeout(() => this.wake(), POLL_MS);
  }

  /** The token of this business's own user: what one person did is never sent as another. */
  #token(): string | undefined {
    return currentSession().user?.id === this.business.store.userId ? sessionToken() : undefined;
  }

  /** One round; the trouble that it met, if any. */
  async #round(token: string): Promise<ApiError | undefined> {
    const held = await this.#uploadPhotos(token);
    if (held?.kind === "offline" || held?.kind === "session_expired") return held;
    // A photo that is not taken holds what names it and what follows, and neither what was before it nor the feed.
    return (await this.#push(token)) ?? (await this.#pull(token)) ?? held;
  }

  async #uploadPhotos(token: string): Promise<ApiError | undefined> {
    for (const id of this.business.phone.photosToUpload()) {
      const photo = await this.business.store.getPhoto(id);
      if (!photo?.waiting) {
        this.business.photoUploaded(id);
        continue;
      }
      const form = new FormData();
      form.set("id", id);
      form.set("photo", photo.full, `${id}.jpg`);
      const answer = await call("/upload", { method: "POST", token, form, signal: this.#stop.signal });
      if (!answer.ok) return answer.error;
      await this.business.store.putPhoto({ ...photo, waiting: false });
      this.business.photoUploaded(id);
    }
    return undefined;
  }

  async #push(token: string): Promise<ApiError | undefined> {
    for (;;) {
      const { phone } = this.business;
      const body = phone.nextPush();
      if (body === undefined || this.#status.updateRequired) return undefined;
      const answer = await request("/sync/push", { method: "POST", token, body, signal: this.#stop.signal });
      if (!answer.ok) {
        if (isTooOld(answer.error)) {
          this.#set({ updateRequired: true });
          return undefined;
        }
        return answer.error;
      }
      const { data } = JSON.parse(answer.value) as { data: Parameters<typeof phone.pushed>[0] };
      // Loaded anew meanwhile, perhaps for another server: what this one said may count for nothing there.
      if (phone !== this.business.phone) continue;
      // Nothing decided: the server asks for patience, or knows another order. The feed tells more.
      if (!phone.pushed(data)) return undefined;
    }
  }

  async #pull(token: string): Promise<ApiError | undefined> {
    for (;;) {
      const { phone } = this.business;
      const { number, query } = phone.nextPull();
      const answer = await request(`/sync/pull?${query}`, { token, signal: this.#stop.signal });
      if (phone !== this.business.phone) continue; // loaded anew meanwhile: ask from where it stands now
      if (!answer.ok) {
        if (phone === this.business.phone) phone.abandonPull();
        return answer.error;
      }
      const pulled = phone.pulled(number, answer.value, newId());
      if (pulled.status === "stale") return undefined;
      if (pulled.status === "complete") {
        if (pulled.batch) await this.business.apply(pulled.batch);
        return undefined;
      }
    }
  }

  #set(change: Partial<SyncStatus>): void {
    this.#status = { ...this.#status, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Runs `work` while no other tab runs the same; where the browser has no locks, at once. Fails when it is called off. */
function withLock<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request(name, { signal }, work) : work();
}

const isTooOld = (error: ApiError): boolean => error.kind === "rejected" && error.status === 426;

/** What ended a round that no failure of the server did: a full disk, or a hotel's page in place of an answer. */
function brokenOff(error: unknown): ApiError {
  const isDisk = error instanceof DOMException;
  const text = isDisk ? "This phone could not store that. Is it full?" : transportError(502, "");
  return { kind: "server", status: 502, text };
}

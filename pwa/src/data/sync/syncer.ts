/**
 * Owns the loop that sends what was saved and fetches what changed: photos first, then the outbox, then the feed.
 * One tab at a time runs it; correctness does not depend on that, only the number of requests does.
 */

import { afterPaint } from "../../browser/afterPaint";
import { Listeners } from "../../browser/listeners";
import { limits, newId, type SessionUser, transportError, type VerifyResponse } from "../../core";
import type { OpenBusiness } from "../business/openBusiness";
import { setUploadShare } from "../photos/uploads";
import { type Answer, type ApiError, call, pathIn, request } from "../server/api";
import { confirmed, currentSession, sessionToken, showUser, tokenIn, turnedDown } from "../session/session";
import { isStorageTrouble, storageTrouble, withStorageTimeout } from "../store/storage";
import { isMetered } from "../videos/network";
import { sendVideo } from "../videos/sendVideo";
import { getVideo, haveSent } from "../videos/videos";
import { changedElsewhere } from "./live";
import { listenForChanges } from "./realtime";

const TOO_NEW = "The server is older than this app. What waits is sent when it has been updated.";
const NOT_TAKEN = "The server answers, and does not take what waits.";

export interface SyncStatus {
  /** True if the server could be reached last time. */
  online: boolean;
  /** True if this device had a network when the server could not be reached. */
  hasNetwork: boolean;
  /** True if a round is under way. */
  busy: boolean;
  /** The server takes no commands of this build any more: the app must be updated to send. */
  updateRequired: boolean;
  /** The server's last trouble in words, for the screen that tells what waits. */
  trouble: string | undefined;
  /** Why this phone could not store what came, and what helps; nothing is missing once it can. */
  storage: string | undefined;
  /** True if all that waits is held by a video that waits for Wi-Fi. */
  waitsForWifi: boolean;
  /** True while the first pull has more pages than one: the day can be fetched before the rest is there. */
  isFirstPullLong: boolean;
}

/** Keeps one open business in step with the server. */
export class Syncer {
  #status: SyncStatus = {
    online: navigator.onLine,
    hasNetwork: navigator.onLine,
    busy: false,
    updateRequired: false,
    trouble: undefined,
    storage: undefined,
    waitsForWifi: false,
    isFirstPullLong: false,
  };
  readonly #changes = new Listeners();
  readonly subscribe = this.#changes.subscribe;
  readonly #stop = new AbortController();
  /** Ends the round under way alone. */
  #attempt = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #mustRunAgain = false;
  /** Ends a rest; there is none where this is not set. */
  #rest: ReturnType<typeof setTimeout> | undefined;
  /** How long the next failure is waited after. */
  #retryMs = limits().retry_ms;
  /** Set while waiting changes are sent one by one, to find the one that the server does not take. */
  #oneByOne = false;
  /** How often the server failed on what it was sent alone: a change or a photo. */
  readonly #failures = new Map<string, number>();
  /** How many rounds in a row, each without trouble, have not moved what waits. */
  #stalledRounds = 0;
  /** The photo that was answered in this round by something that is not Walkies. */
  #unrecognized: { id: string; error: ApiError } | undefined;
  /** Why what waits is not sent, as the server said in this round. */
  #stopReason: string | undefined;
  /** A person has asked for what waits to be sent: videos do not wait for Wi-Fi any more. */
  #isAskedFor = false;
  /** A video waits for Wi-Fi, or more of it is to go in the next round: the outbox stands still for a reason. */
  #isVideoUnderWay = false;

  /** `isKept` until it is stopped; else it does what it is asked for and nothing by itself. */
  constructor(
    readonly business: OpenBusiness,
    isKept = true,
  ) {
    if (!isKept) return;
    const wake = () => this.wake();
    const { signal } = this.#stop;
    addEventListener("online", wake, { signal });
    addEventListener("offline", () => this.#set({ online: false, hasNetwork: false }), { signal });
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#look(), {
      signal,
    });
    business.onSaved = wake;
    listenForChanges((sitterId) => this.#changed(sitterId), signal, this.business.store.role);
    wake();
  }

  /** A person looks at the phone: a request that hangs since the server was away is begun anew, and not waited for. */
  #look(): void {
    this.wake();
    if (this.#running && !this.#status.online) this.#attempt.abort();
  }

  /** Somebody has changed something, perhaps in another sitter's business whose client the person is. */
  #changed(sitterId: string | undefined): void {
    const { place } = this.business.store;
    if (sitterId === undefined || !place || place.sitter_id === sitterId) this.wake();
    else changedElsewhere.notify(sitterId);
  }

  get status(): SyncStatus {
    return this.#status;
  }

  /** Runs a round now, or another one after the one under way. */
  wake(): void {
    if (this.#stop.signal.aborted || this.#rest !== undefined) return;
    clearTimeout(this.#timer);
    if (this.#running) {
      this.#mustRunAgain = true;
      return;
    }
    this.#running = this.#locked().finally(() => {
      this.#running = undefined;
      if (this.#mustRunAgain) {
        this.#mustRunAgain = false;
        this.wake();
      }
    });
  }

  /** Begins no round for `ms`, and then one; resolves when the one under way has ended, at the latest after `ms`. */
  async rest(ms: number): Promise<void> {
    clearTimeout(this.#rest);
    const rested = new Promise<void>((resolve) => {
      this.#rest = setTimeout(() => {
        this.#endRest();
        this.wake();
        resolve();
      }, ms);
    });
    await Promise.race([this.#running, rested]);
  }

  #endRest(): void {
    clearTimeout(this.#rest);
    this.#rest = undefined;
  }

  /** Sends what waits for Wi-Fi, too. */
  sendAnyhow(): void {
    this.#isAskedFor = true;
    this.wake();
  }

  /** Resolves when nothing waits to be sent any more, or with `false` when a round could not send it. */
  async flush(): Promise<boolean> {
    this.#isAskedFor = true;
    this.#endRest();
    // The first round may have learnt no more than which server this is: a new one, or one that was restored.
    for (let round = 1; round <= 2 && (round === 1 || this.business.phone.pendingCount() > 0); round += 1) {
      this.wake();
      while (this.#running) await this.#running;
    }
    const isSent = this.business.phone.pendingCount() === 0;
    // Whoever asked is told why.
    if (!isSent && this.#status.online && !this.#status.trouble) this.#set({ trouble: NOT_TAKEN });
    return isSent;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#endRest();
    this.#stop.abort();
    this.business.onSaved = () => undefined;
    await this.#running?.catch(() => undefined);
  }

  async #locked(): Promise<void> {
    this.#set({ busy: true });
    this.#attempt = new AbortController();
    await afterPaint();
    let token: string | undefined;
    let storage: string | undefined;
    const error = await withLock(`sync:${this.business.store.name}`, this.#stop.signal, async () => {
      token = this.#token();
      return token === undefined ? undefined : this.#round(token);
    }).catch((thrown: unknown) => {
      if (isStorageTrouble(thrown)) storage = storageTrouble(thrown);
      return brokenOff(thrown);
    });
    if (this.#stop.signal.aborted) return;
    if (error) {
      const updateRequired = this.#status.updateRequired || isTooOld(error);
      const online = error.kind !== "offline";
      const hasNetwork = navigator.onLine;
      this.#set({ busy: false, online, hasNetwork, trouble: error.text, updateRequired, storage });
      if (error.kind === "rejected" && error.code === "not_linked") this.business.onLetGo();
      // On a full phone it cannot be noted: the next round hears it again.
      if (error.kind === "session_expired" && token) await noteTurnedDown(token).catch(() => undefined);
      if (this.#stop.signal.aborted || this.#token() === undefined) return;
      this.#timer = setTimeout(() => this.wake(), this.#waitAfter(error));
      return;
    }
    this.#retryMs = limits().retry_ms;
    this.#set({ busy: false, online: true, trouble: undefined, storage: undefined });
    // As the specification polls for requests; realtime makes most of these find nothing.
    this.#timer = setTimeout(() => this.wake(), limits().poll_ms);
    // It is counted in days: what cannot be noted now, as on a full phone, is by a later round.
    if (token) void confirmed(token).catch(() => undefined);
  }

  /** SPEC 8, Retry: longer and longer, for as long as the server asks for; what it refuses goes with the poll. */
  #waitAfter(error: ApiError): number {
    const { longest_retry_ms, longest_retry_in_sight_ms, most_patience_s, poll_ms } = limits();
    if (isRefusal(error)) return poll_ms;
    const asked = error.kind === "server" ? Math.min(error.retryAfterS ?? 0, most_patience_s) * 1_000 : 0;
    // A person who looks at the phone sees within seconds that the server is back.
    const longest = document.visibilityState === "visible" ? longest_retry_in_sight_ms : longest_retry_ms;
    const ms = Math.max(Math.min(this.#retryMs, longest), asked);
    this.#retryMs = Math.min(this.#retryMs * 2, longest_retry_ms);
    return ms;
  }

  /** The token of this business's own user, in the role that is meant here: what one person did is never sent as another. */
  #token(): string | undefined {
    const { userId, role } = this.business.store;
    return currentSession().user?.id === userId ? sessionToken(role) : undefined;
  }

  /** Calls off a request with its round or with all of them. */
  #signal(): AbortSignal {
    return AbortSignal.any([this.#stop.signal, this.#attempt.signal]);
  }

  /** Completes the path of a call about this business: a client of several sitters names the one that is meant. */
  #path(path: string): string {
    return pathIn(path, this.business.store.place);
  }

  /** One round; the trouble that it met, if any. */
  async #round(token: string): Promise<ApiError | undefined> {
    this.#stopReason = undefined;
    const first = this.#oldest();
    this.#unrecognized = undefined;
    const photoError = await this.#uploadPhotos(token);
    if (photoError && (isNoAnswer(photoError) || photoError.kind === "session_expired")) return photoError;
    // A photo that is not taken holds what names it and what follows, and neither what was before it nor the feed.
    const pushed = await this.#push(token);
    if (pushed && !isOfWhatWasSent(pushed) && !isUnrecognized(pushed) && !isRefusal(pushed)) return pushed;
    const pulled = await this.#pull(token);
    // A strange network answers the same to everything; a proxy on the way may have something against what was sent.
    if (pulled && (isUnrecognized(photoError) || isUnrecognized(pushed))) return pulled;
    // The server is well but for this.
    if (pushed && !pulled && !isRefusal(pushed) && (await this.#suspect(ofWhatWasSent(pushed)))) return undefined;
    await this.#suspectPhoto();
    if (pushed ?? pulled) return pushed ? ofWhatWasSent(pushed) : pulled;
    return (await this.#verify(token)) ?? (photoError ? ofWhatWasSent(photoError) : this.#stalled(first));
  }

  /** Returns the id of the change that is to be sent first. */
  #next(): string | undefined {
    return this.business.phone.nextPush(true)?.mutations[0]?.id;
  }

  #oldest(): string | undefined {
    return this.business.phone.outbox()[0]?.mutation.id;
  }

  /**
   * Looks whether rounds without any trouble have not moved what waited before them. Whatever it is, numbering for a
   * new device mends it, if anything does; if nothing does, the person is told.
   */
  async #stalled(oldest: string | undefined): Promise<ApiError | undefined> {
    if (this.#isVideoUnderWay || this.#status.updateRequired || oldest === undefined || oldest !== this.#oldest()) {
      this.#stalledRounds = 0;
      return undefined;
    }
    this.#stalledRounds += 1;
    if (this.#stopReason === undefined && this.#stalledRounds === 2) {
      await this.business.apply(this.business.phone.heal(newId()));
      this.#mustRunAgain = true;
    }
    const text = this.#stopReason ?? (this.#stalledRounds > 2 ? NOT_TAKEN : undefined);
    return text === undefined ? undefined : { kind: "server", status: 503, text };
  }

  /** Counts a failure on what was sent alone: whether there were so many that it will never be taken. */
  #isHopeless(id: string): boolean {
    const count = (this.#failures.get(id) ?? 0) + 1;
    const { tries_alone } = limits();
    if (count < tries_alone) this.#failures.set(id, count);
    else this.#failures.delete(id);
    return count >= tries_alone;
  }

  /** Turns down a photo that something on the way does not let through, and lets all else. */
  async #suspectPhoto(): Promise<void> {
    if (!this.#unrecognized) return;
    const { id, error } = this.#unrecognized;
    if (!this.#isHopeless(id)) return;
    await this.business.photoRefused(id, ofWhatWasSent(error).text);
    this.#mustRunAgain = true;
  }

  /** Finds the change that the server does not take, and sets it aside: whether this is done. */
  async #suspect(error: ApiError): Promise<boolean> {
    const id = this.#next();
    if (id === undefined) return false;
    if (!this.#oneByOne) {
      this.#oneByOne = true;
      this.#mustRunAgain = true;
      return false;
    }
    if (!this.#isHopeless(id)) return false;
    const batch = this.business.phone.setAside(id, error.text, newId());
    if (batch) await this.business.apply(batch);
    this.#oneByOne = false;
    this.#mustRunAgain = true;
    return true;
  }

  async #uploadPhotos(token: string): Promise<ApiError | undefined> {
    let photoError: ApiError | undefined;
    this.#isVideoUnderWay = false;
    const ids = this.business.phone.photosToUpload();
    if (ids.length === 0) {
      this.#isAskedFor = false;
      this.#set({ waitsForWifi: false });
    }
    for (const id of ids) {
      const answer = await this.#sendFile(id, token);
      if (answer.ok) {
        if (answer.value) this.business.photoUploaded(id);
        continue;
      }
      const { error } = answer;
      if (isUnrecognized(error)) {
        // To send it the others, too, would be a waste: it may be the network.
        this.#unrecognized = { id, error };
        return photoError ?? error;
      }
      const isAboutIt = isOfWhatWasSent(error) || isNoAnswerToAPhoto(error);
      const isRefused = isOfThisPhoto(error) || (isAboutIt && this.#isHopeless(id));
      if (isRefused) await this.business.photoRefused(id, error.text);
      else if (isAboutIt) photoError ??= error;
      else return error;
    }
    return photoError;
  }

  /** Sends a photo, or of a video as much as goes in a round; whether all of it is there. */
  async #sendFile(id: string, token: string): Promise<Answer<boolean>> {
    const { store } = this.business;
    const signal = this.#signal();
    const video = await getVideo(store, id);
    if (video?.waiting) {
      const waitsForWifi = this.#mustWaitForWifi(id);
      this.#set({ waitsForWifi });
      if (waitsForWifi) {
        this.#isVideoUnderWay = true;
        return { ok: true, value: false };
      }
      const answer = await sendVideo(video, { store, token, signal });
      if (answer.ok && answer.value) await haveSent(store, id);
      else if (answer.ok) {
        this.#isVideoUnderWay = true;
        this.#mustRunAgain = true;
      }
      return answer;
    }
    const photo = await store.getPhoto(id);
    if (!photo?.waiting) return { ok: true, value: true };
    const form = new FormData();
    form.set("id", id);
    form.set("photo", photo.full, `${id}.jpg`);
    const onProgress = (share: number) => setUploadShare(id, share);
    const answer = await call(this.#path("/upload"), { method: "POST", token, form, onProgress, signal });
    setUploadShare(id, undefined);
    if (!answer.ok) return answer;
    await store.putPhoto({ ...photo, waiting: false });
    return { ok: true, value: true };
  }

  /** True if a video may wait for Wi-Fi: while nobody has asked for it to be sent, and nothing waits behind it. */
  #mustWaitForWifi(id: string): boolean {
    const last = this.business.phone.outbox().at(-1);
    return !this.#isAskedFor && isMetered() && (last?.photos ?? []).includes(id);
  }

  async #push(token: string): Promise<ApiError | undefined> {
    let hasHealed = false;
    for (;;) {
      const { phone } = this.business;
      const body = phone.nextPush(this.#oneByOne);
      if (body === undefined || this.#status.updateRequired) {
        if (body === undefined) this.#oneByOne = false;
        return undefined;
      }
      const answer = await request(this.#path("/sync/push"), {
        method: "POST",
        token,
        body,
        signal: this.#signal(),
      });
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
      if (phone.pushed(data)) continue;
      // Nothing decided: the server asks for patience, or knows another order. The feed tells more.
      if (data.stopped === "failed") return { kind: "server", status: 500, text: transportError(500, "") };
      if (data.stopped === "too_new") this.#stopReason = TOO_NEW;
      if (data.stopped !== "out_of_order" || hasHealed) return undefined;
      hasHealed = true;
      await this.business.apply(phone.heal(newId()));
    }
  }

  /** Asks a restored server what it has forgotten of what it had confirmed. */
  async #verify(token: string): Promise<ApiError | undefined> {
    const { store } = this.business;
    if (!store.mustVerify) return undefined;
    const kept = await store.confirmed();
    const { commands_in_a_push: most } = limits();
    const forgotten: string[] = [];
    for (let from = 0; from < kept.length; from += most) {
      const body = { ids: kept.slice(from, from + most) };
      const options = { method: "POST", token, body, signal: this.#signal() } as const;
      const answer = await call<VerifyResponse>(this.#path("/sync/verify"), options);
      if (!answer.ok) return answer.error;
      forgotten.push(...answer.value.unknown);
    }
    await this.business.offerAgain(forgotten);
    return undefined;
  }

  async #pull(token: string): Promise<ApiError | undefined> {
    for (;;) {
      const { phone } = this.business;
      const { number, query } = phone.nextPull();
      const answer = await request(this.#path(`/sync/pull?${query}`), { token, signal: this.#signal() });
      if (phone !== this.business.phone) continue; // loaded anew meanwhile: ask from where it stands now
      if (!answer.ok) {
        if (phone === this.business.phone) phone.abandonPull();
        return answer.error;
      }
      const pulled = phone.pulled(number, answer.value, newId());
      if (pulled.status === "stale") return undefined;
      if (pulled.status === "complete") {
        if (pulled.batch) await this.business.apply(pulled.batch);
        this.business.pullCompleted();
        if (this.#status.isFirstPullLong) this.#set({ isFirstPullLong: false });
        return undefined;
      }
      if (phone.cursor() === 0 && !this.#status.isFirstPullLong) this.#set({ isFirstPullLong: true });
    }
  }

  #set(change: Partial<SyncStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.#changes.notify();
  }
}

/** Runs `work` while no other tab runs the same; where the browser has no locks, at once. Fails when it is called off. */
function withLock<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request(name, { signal }, work) : work();
}

/** Nothing on the way has said anything. */
const isNoAnswer = (error: ApiError): boolean => error.kind === "offline" && error.status === undefined;

/** Something has answered that is not Walkies: a hotel's network, or a proxy that does not let this through. */
const isUnrecognized = (error: ApiError | undefined): boolean =>
  error?.kind === "offline" && error.status !== undefined;

/**
 * Turns an unrecognized answer to what was sent into a failure of the server, once the feed has shown that the network
 * is well.
 */
const ofWhatWasSent = (error: ApiError): ApiError =>
  error.kind === "offline" && error.status !== undefined
    ? { kind: "server", status: error.status, text: transportError(error.status, "") }
    : error;

/** A failure that has to do with what was sent, and not with the network or with how busy the server is. */
const isOfWhatWasSent = (error: ApiError): boolean =>
  (error.kind === "server" && error.status === 500) ||
  (error.kind === "rejected" && [400, 413, 422].includes(error.status));

/** The server says no, whatever is sent: another try may help when something else has changed. */
const isRefusal = (error: ApiError): boolean =>
  error.kind === "rejected" && error.code !== "not_linked" && !isTooOld(error) && !isOfWhatWasSent(error);

/** The server has looked at the photo, or at itself, and says no: it keeps none or has no room, it is too large, it is damaged. */
const isOfThisPhoto = (error: ApiError): boolean =>
  (error.kind === "rejected" && [400, 413, 415, 422].includes(error.status)) ||
  (error.kind === "server" && ["photo_storage_not_configured", "storage_low"].includes(error.code ?? ""));

/** Nothing that the server says of a photo, and nothing that passes: whatever it is, it must not hold the rest for ever. */
const isNoAnswerToAPhoto = (error: ApiError): boolean =>
  error.kind === "rejected" && ![401, 408, 425, 426, 429].includes(error.status);

/** The status that asks for a newer build. */
const UPDATE_REQUIRED = 426;

const isTooOld = (error: ApiError): boolean => error.kind === "rejected" && error.status === UPDATE_REQUIRED;

/**
 * Builds the error for a round that was ended by something other than the server: a full disk, or a hotel's page in
 * place of an answer.
 */
function brokenOff(error: unknown): ApiError {
  const text = isStorageTrouble(error) ? storageTrouble(error) : transportError(502, "");
  return { kind: "server", status: 502, text };
}

/** Notes that the server does not take a credential: the session has ended, or the role alone that stands behind its token. */
async function noteTurnedDown(credential: string): Promise<void> {
  const token = tokenIn(credential);
  const answer = token === credential ? undefined : await call<SessionUser>("/auth/user", { token });
  if (answer?.ok) await withStorageTimeout(showUser(answer.value));
  else if (!answer || answer.error.kind === "session_expired") await withStorageTimeout(turnedDown(credential));
}

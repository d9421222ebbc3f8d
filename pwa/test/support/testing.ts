/**
 * Owns what the tests of data stand on: a stand-in for the server at `fetch`, with all that can go wrong on the way to it
 * (what it answers is owned by `standIn.ts`), a phone and its disk, and waiting for what happens.
 */
import { vi } from "vitest";
import { type Command, loadRest, newId, type Phone, type PushRequest } from "../../src/core";
import { OpenBusiness, setOpenBusiness } from "../../src/data/business/openBusiness";
import type { SessionUser, StoredSession } from "../../src/data/session/sessionDb";
import { deleteUserDb } from "../../src/data/store/db";
import type { Syncer } from "../../src/data/sync/syncer";
import { decide, newRecords, PAGE_SIZE, pull, push, type SitterRecords, takeVideo, verify } from "./standIn";

/** The tests' own clock may stand still; this one goes on. */
const { setTimeout: setRealTimeout } = globalThis;

/** A failure of one request: it does not arrive, its answer does not, or it is answered with this. */
export type Fault =
  | "no network"
  | "answer lost"
  | { status: number; code?: string; body?: string; retryAfterS?: number };

/** A request as it was sent, whether or not it arrived. */
export interface Sent {
  method: string;
  path: string;
  query: URLSearchParams;
  token: string | undefined;
  body: unknown;
}

/** An answer that is kept back. */
export interface DelayedAnswer {
  /** Resolves when what was asked is done. */
  reached: Promise<void>;
  release: () => void;
}

interface Named {
  offering?: { name?: string };
}

export class StandInServer {
  readonly sent: Sent[] = [];
  /** False is no network at all. */
  isReachable = true;
  /** Takes no build as old as this one any more. */
  isTooNew = false;
  /** How many pushes it decides nothing of, and says nothing about it. */
  silences = 0;
  /** Changes for which a push is answered with 500. */
  breaksAt: (name: string) => boolean = () => false;
  /** Changes that a proxy before it does not let through, with a page of its own. */
  isHeldUp: (name: string) => boolean = () => false;
  /** Changes that it does not understand yet. */
  isTooOldFor: (name: string) => boolean = () => false;
  /** How many rows and outcomes a page of the feed has. */
  pageSize = PAGE_SIZE;
  #backendId = newId();
  #records = new Map<string, SitterRecords>();
  readonly #users: SessionUser[] = [];
  readonly #tokens = new Map<string, SessionUser>();
  readonly #faults = new Map<string, Fault[]>();
  readonly #delays = new Map<string, { reached: () => void; released: Promise<void> }[]>();
  #signIns = 0;
  #isLive = false;

  private constructor() {
    vi.spyOn(window, "fetch").mockImplementation((input, init) => this.#answer(input as string, init));
    FormRequest.answer = (url, init) => this.#answer(url, init);
    vi.stubGlobal("XMLHttpRequest", FormRequest);
  }

  /** Answers every `fetch` until the test ends. */
  static async start(): Promise<StandInServer> {
    await loadRest();
    return new StandInServer();
  }

  /** A sitter who has an account, and nothing in it. */
  addSitter(name: string): SessionUser {
    const id = newId();
    const user: SessionUser = { id, email: `${name}@example.com`, name, role: "sitter", sitter_id: id };
    this.#users.push(user);
    this.#records.set(id, newRecords());
    return user;
  }

  /** Signs a user in: returns a session with a token that nobody has had before. */
  session(user: SessionUser): StoredSession {
    this.#signIns += 1;
    const token = `${user.name}-${this.#signIns}`;
    this.#tokens.set(token, user);
    return { token, user, needs_auth: false };
  }

  /** Takes none of the tokens any more that were given out. */
  endSessions(): void {
    this.#tokens.clear();
  }

  /** Lets phones connect, to hear of changes at once; until then they have to poll. */
  goLive(): void {
    this.#isLive = true;
    vi.stubGlobal("WebSocket", Socket);
  }

  /** Makes the next requests to `path` fail, one for each fault. */
  fail(path: string, ...faults: Fault[]): void {
    this.#faults.set(path, [...(this.#faults.get(path) ?? []), ...faults]);
  }

  /** Keeps back the answer to the next request to `path`; what that asks for is done at once. */
  delayAnswer(path: string): DelayedAnswer {
    const reached = signal();
    const released = signal();
    const delayed = { reached: reached.give, released: released.given };
    this.#delays.set(path, [...(this.#delays.get(path) ?? []), delayed]);
    return { reached: reached.given, release: released.give };
  }

  /** A change that someone made elsewhere. */
  run(user: SessionUser, command: Command): void {
    const { refusal } = decide(this.#recordsOf(user), command);
    if (refusal) throw new Error(`The server refuses a test's own ${command.name}: ${refusal.code}.`);
  }

  /** Makes a backup; the returned function goes back to it, as another database unless nobody says so. */
  backUp(): (how?: "with no word") => void {
    const backup = structuredClone(this.#records);
    return (how) => {
      this.#records = structuredClone(backup);
      if (!how) this.#backendId = newId();
    };
  }

  /** Another database that counts for the same devices has sent so many changes, as a copied profile does. */
  takeNumbers(user: SessionUser, count: number): void {
    const { last_seq } = this.#recordsOf(user);
    for (const [device, seq] of last_seq) last_seq.set(device, seq + count);
  }

  /** The names of what a sitter offers. */
  offerings(user: SessionUser): string[] {
    const rows = [...this.#recordsOf(user).feed.values()].filter((it) => it.t === "offering" && !it.del);
    return rows.map((it) => (it.d as { name: string }).name);
  }

  photos(user: SessionUser): string[] {
    return [...this.#recordsOf(user).photos];
  }

  /** All that has come of a video. */
  video(user: SessionUser, id: string): Blob {
    return new Blob(this.#recordsOf(user).videos.get(id)?.pieces);
  }

  /** Returns the requests to `path`, oldest first. */
  sentTo(path: string): Sent[] {
    return this.sent.filter((it) => it.path === path);
  }

  /** Returns the pushed mutations, request by request, with the token that came with each. */
  pushes(): { token: string | undefined; device_id: string; seqs: number[]; ids: string[] }[] {
    return this.sentTo("/sync/push").map(({ token, body }) => {
      const { device_id, mutations } = body as PushRequest;
      return { token, device_id, seqs: mutations.map((it) => it.seq), ids: mutations.map((it) => it.id) };
    });
  }

  async #answer(url: string, init: RequestInit = {}): Promise<Response> {
    init.signal?.throwIfAborted();
    const { pathname, searchParams } = new URL(url, location.href);
    const token = new Headers(init.headers).get("Authorization")?.replace("Bearer ", "");
    const path = pathname.replace("/api", "");
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : init.body;
    const sent = { method: init.method ?? "GET", path, query: searchParams, token, body };
    this.sent.push(sent);
    const fault = this.#faults.get(path)?.shift();
    if (!this.isReachable || fault === "no network") throw new TypeError("Failed to fetch");
    const response = typeof fault === "object" ? failed(fault) : this.#respond(sent);
    const delayed = this.#delays.get(path)?.shift();
    if (delayed) {
      delayed.reached();
      await Promise.race([delayed.released, aborted(init.signal)]);
    }
    if (fault === "answer lost") throw new TypeError("Failed to fetch");
    return response;
  }

  #respond(sent: Sent): Response {
    const { path, token, body, query } = sent;
    if (path === "/auth/signin") {
      const user = this.#users.find((it) => it.email === (body as { email: string }).email);
      return user ? done(this.session(user)) : failed({ status: 401, code: "wrong_password" });
    }
    // Behind the token a person with both roles names one.
    const user = this.#tokens.get(token?.split(".")[0] ?? "");
    if (!user) return failed({ status: 401, code: "token_expired" });
    if (this.isTooNew && path.startsWith("/sync/")) return failed({ status: 426, code: "update_required" });
    const records = this.#recordsOf(user);
    if (path.startsWith("/videos/")) {
      const next = { offset: Number(query.get("offset")), piece: body as Blob };
      return done(takeVideo(records, path.replace("/videos/", ""), next));
    }
    switch (path) {
      case "/sync/push": {
        const { mutations } = body as PushRequest;
        if (this.silences > 0) {
          this.silences -= 1;
          return done({ results: [], stopped_at: mutations[0]?.id });
        }
        const named = (it: PushRequest["mutations"][number]) => (it.args as Named).offering?.name ?? "";
        if (mutations.some((it) => this.isHeldUp(named(it)))) return failed({ status: 403, body: "<p>Blocked</p>" });
        if (mutations.some((it) => this.breaksAt(named(it)))) return failed({ status: 500, code: "internal" });
        const tooNew = mutations.findIndex((it) => this.isTooOldFor(named(it)));
        const taken = tooNew < 0 ? mutations : mutations.slice(0, tooNew);
        const answer = push(records, { ...(body as PushRequest), mutations: taken }, this.#backendId);
        if ("code" in answer) return failed({ status: 422, code: answer.code });
        if (tooNew >= 0 && !answer.stopped_at) {
          return done({ ...answer, stopped_at: mutations[tooNew]?.id, stopped: "too_new" });
        }
        return done(answer);
      }
      case "/sync/verify":
        return done(verify(records, (body as { ids: string[] }).ids));
      case "/sync/pull":
        return done(pull(records, query, this.#backendId, this.pageSize));
      case "/upload":
        records.photos.add((body as FormData).get("id") as string);
        return done({ id: (body as FormData).get("id") });
      case "/videos": {
        const { id, size_bytes } = body as { id: string; size_bytes: number };
        return done(takeVideo(records, id, { size_bytes }));
      }
      case "/auth/change-password":
        return done(null);
      case "/auth/signout":
        this.#tokens.delete(token?.split(".")[0] ?? "");
        return done(null);
      case "/realtime/ticket":
        return this.#isLive ? done({ ticket: newId() }) : failed({ status: 503, code: "unavailable" });
      default:
        return failed({ status: 404, code: "not_found" });
    }
  }

  #recordsOf(user: SessionUser): SitterRecords {
    const records = this.#records.get(user.id);
    if (!records) throw new Error(`${user.name} has no account.`);
    return records;
  }
}

/**
 * A stub of `XMLHttpRequest`, by which the phone sends photos and videos, as far as the phone uses it; all bytes have
 * gone before the answer comes.
 */
class FormRequest {
  static answer: (url: string, init: RequestInit) => Promise<Response>;
  readonly upload: { onprogress: (event: { loaded: number; total: number }) => void } = { onprogress: () => undefined };
  onload: () => void = () => undefined;
  onerror: () => void = () => undefined;
  onabort: () => void = () => undefined;
  onloadend: () => void = () => undefined;
  status = 0;
  responseText = "";
  responseURL = "";
  #method = "";
  #url = "";
  readonly #sent = new Headers();
  readonly #stop = new AbortController();
  #answered = new Headers();

  open(method: string, url: string): void {
    this.#method = method;
    this.#url = url;
  }

  setRequestHeader(name: string, value: string): void {
    this.#sent.set(name, value);
  }

  getResponseHeader(name: string): string | null {
    return this.#answered.get(name);
  }

  abort(): void {
    this.#stop.abort();
  }

  send(body: FormData | Blob): void {
    void this.#send(body).finally(() => this.onloadend());
  }

  async #send(body: FormData | Blob): Promise<void> {
    const init = { method: this.#method, headers: this.#sent, body, signal: this.#stop.signal };
    try {
      const response = await FormRequest.answer(this.#url, init);
      this.upload.onprogress({ loaded: 1, total: 1 });
      this.status = response.status;
      this.responseText = await response.text();
      this.responseURL = new URL(this.#url, location.href).href;
      this.#answered = response.headers;
    } catch {
      return this.#stop.signal.aborted ? this.onabort() : this.onerror();
    }
    this.onload();
  }
}

/** The phone's end of the connection over which the server says that something changed. */
export class Socket {
  /** The newest one. */
  static current: Socket | undefined;
  onopen: () => void = () => undefined;
  onmessage: (message: { data: string }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;

  constructor(readonly url: string) {
    Socket.current = this;
  }

  /** Delivers an event as the server would send it. */
  hear(event: string): void {
    this.onmessage({ data: JSON.stringify({ event }) });
  }

  close(): void {
    this.onclose({ code: 1000 });
  }
}

const JSON_HEADERS = { "Content-Type": "application/json" };

const done = (data: unknown) => new Response(JSON.stringify({ success: true, data }), { headers: JSON_HEADERS });

const failed = ({ status, code, body, retryAfterS }: Exclude<Fault, string>) =>
  new Response(body ?? JSON.stringify({ success: false, code, error: code, message: code }), {
    status,
    headers: {
      ...(body === undefined ? JSON_HEADERS : { "Content-Type": "text/html" }),
      ...(retryAfterS !== undefined && { "Retry-After": String(retryAfterS) }),
    },
  });

/** Something that happens once, and can be waited for. */
export function signal(): { given: Promise<void>; give: () => void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

/** Fails when it is called off. */
export const aborted = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error));
  });

type Subscribe = (listener: () => void) => () => void;

/** Resolves when it is so, which is looked at whenever `subscribe` tells of a change. */
export const until = (subscribe: Subscribe, isSo: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (!isSo()) return;
      leave();
      resolve();
    };
    const leave = subscribe(look);
    look();
  });

/** Resolves when no round is under way and none follows at once. */
export async function idle(syncer: Syncer): Promise<void> {
  do {
    await until(syncer.subscribe, () => !syncer.status.busy);
    await aTask();
  } while (syncer.status.busy);
}

/** Lets everything run that is due. */
export const aTask = (): Promise<void> => new Promise((resolve) => setRealTimeout(resolve));

/** Saves a new offering; a test's simplest change. */
export async function saveOffering(business: OpenBusiness, name: string): Promise<string> {
  const id = newId();
  const result = await business.save({ name: "create_offering", args: { id, offering: { name } } }, `Add ${name}`);
  if (!result.ok) throw new Error(result.text);
  return id;
}

/** The names of what this tab shows as offered. */
export const shown = ({ phone }: OpenBusiness): string[] => (phone as Phone).offerings().map((it) => it.name);

/** From now on there is no room to note anything of the session, until the returned function is called. */
export function fillSessionDisk(): () => void {
  const put = Reflect.get(IDBObjectStore.prototype, "put") as (this: IDBObjectStore, ...args: unknown[]) => IDBRequest;
  const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...args) {
    if (this.name === "session") throw new DOMException("The disk is full.", "QuotaExceededError");
    return put.apply(this, args);
  });
  return () => full.mockRestore();
}

/**
 * From now on the browser aborts what the store writes of its state, as it does when the disk is full, until the
 * returned function is called.
 */
export function fillDisk(): () => void {
  const put = Reflect.get(IDBObjectStore.prototype, "put") as (this: IDBObjectStore, ...args: unknown[]) => IDBRequest;
  const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...args) {
    const request = put.apply(this, args);
    if (this.name === "meta") request.onsuccess = () => this.transaction.abort();
    return request;
  });
  // What is committed already cannot be aborted from here, as the browser can.
  const commit = vi.spyOn(IDBTransaction.prototype, "commit").mockImplementation(() => undefined);
  return () => {
    full.mockRestore();
    commit.mockRestore();
  };
}

/** The business of a new person, open on this phone. */
export async function openedBusiness(): Promise<OpenBusiness> {
  await StandInServer.start(); // for the core
  const business = await OpenBusiness.open(crypto.randomUUID());
  setOpenBusiness(business);
  return business;
}

/** Closes it, and leaves nothing of it. */
export async function closedBusiness(business: OpenBusiness): Promise<void> {
  setOpenBusiness(undefined);
  await business.close();
  await deleteUserDb(business.store.userId);
}

/** Takes away what the tests of other files have left in this browser. */
export async function emptyPhone(): Promise<void> {
  for (const { name = "" } of await indexedDB.databases()) await asked(indexedDB.deleteDatabase(name));
}

/** All that the browser keeps on its disk for this app, as text; bytes as the characters that they may stand for. */
export async function everythingOnThisPhone(): Promise<string> {
  const found: unknown[] = [Object.entries(localStorage), Object.entries(sessionStorage)];
  for (const { name = "" } of await indexedDB.databases()) {
    const opening = indexedDB.open(name);
    opening.onupgradeneeded = () => opening.transaction?.abort();
    const db = await asked(opening).catch(() => undefined);
    if (!db) continue; // gone in this moment, as another test does
    for (const store of db.objectStoreNames) {
      const rows = db.transaction(store).objectStore(store);
      const [keys, values] = [
        await asked(rows.getAllKeys()),
        await asked(db.transaction(store).objectStore(store).getAll()),
      ];
      found.push([name, store, keys, await asText(values)]);
    }
    db.close();
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) found.push(request.url, await (await cache.match(request))?.text());
  }
  return JSON.stringify(found);
}

const asked = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("The database does not answer."));
  });

async function asText(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return value.text();
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return new TextDecoder("utf-8").decode(value);
  if (Array.isArray(value)) return Promise.all(value.map(asText));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([name, it]) => [name, await asText(it)] as const)),
  );
}

/**
 * Owns the calls to the server: the bearer token, the failure form, which failures are worth another try (SPEC 8, Retry).
 * The sentences for failures are the core's.
 *
 * Only what has Walkies' own form was said by Walkies. A hotel's network answers everything with its own page, with 200,
 * 401 or 302: to the phone that is no network, and nobody is signed out by it.
 */
import { pause } from "../../browser/pause";
import { type FieldError, limits, transportError, uploadError } from "../../core";
import { compareClocks } from "./clock";
import { CUT_OFF, type Progress, upload } from "./upload";

export type ApiError =
  /** With a `status` where something has answered, in words that are not Walkies'. */
  | { kind: "offline"; status?: number; isTimeout?: true; text: string }
  | { kind: "session_expired"; text: string }
  | { kind: "rejected"; status: number; code: string; text: string; fields: FieldError[] }
  | {
      kind: "server";
      status: number;
      code?: string | undefined;
      said?: string | undefined;
      text: string;
      /** When to come again, in seconds, where that was said. */
      retryAfterS?: number;
    };

export type Answer<T> = { ok: true; value: T } | { ok: false; error: ApiError };

interface Failure {
  success: false;
  code: string;
  error?: string;
  fields?: Record<string, string>;
}

export interface CallOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  token?: string | undefined;
  body?: unknown;
  /** Idempotency key: the server carries out calls with the same key once, so that a failed one may be retried. */
  idempotencyKey?: string;
  form?: FormData;
  /** A part of a file. */
  bytes?: Blob;
  /** Told how much of `form` or `bytes` has gone. */
  onProgress?: Progress;
  signal?: AbortSignal;
  /** Longer for large files. */
  timeoutMs?: number;
}

/** A call that has said nothing for this long is taken for a dead network: a street with one bar of signal. */
const TIMEOUT_MS = 20_000;

/** Calls the server and says what came of it; never throws. What may be sent twice is sent again where that may help. */
export async function call<T>(path: string, options: CallOptions = {}): Promise<Answer<T>> {
  const answer = await ask(path, options);
  if (!answer.ok) return answer;
  try {
    const { success, data } = JSON.parse(answer.value) as { success?: unknown; data: T };
    if (success === true) return { ok: true, value: data };
  } catch {
    // Cut off, or somebody else's.
  }
  return { ok: false, error: offline() };
}

async function ask(path: string, options: CallOptions): Promise<Answer<string>> {
  const { method = "GET", idempotencyKey, signal } = options;
  const maySendTwice = method === "GET" || idempotencyKey !== undefined;
  for (let tries = 1; ; tries += 1) {
    const answer = await request(path, options);
    if (answer.ok || !maySendTwice) return answer;
    const { retries, retry_ms } = limits();
    const ms = retry_ms * 2 ** (tries - 1);
    if (retries < tries || signal?.aborted || !mayPass(answer.error, ms)) return answer;
    await pause(ms, signal);
    if (signal?.aborted) return answer;
  }
}

/**
 * True if the failure may be over in so many milliseconds. A time-out, or a `Retry-After` that is longer, is reported
 * at once instead.
 */
function mayPass(error: ApiError, ms: number): boolean {
  if (error.kind === "server") return (error.retryAfterS ?? 0) * 1_000 <= ms;
  return error.kind === "offline" && error.status === undefined && !error.isTimeout && navigator.onLine;
}

/** As `call`, but once, and with the whole body as text, for what the core reads itself. */
export async function request(path: string, options: CallOptions = {}): Promise<Answer<string>> {
  const { method = "GET", token, body, idempotencyKey, form, bytes, onProgress, signal } = options;
  const { timeoutMs = TIMEOUT_MS } = options;
  const headers = new Headers();
  if (token) headers.set("Authorization", `Bearer ${token}`);
  // SPEC 7 has it on every call; a form says by itself what it is.
  if (!form) headers.set("Content-Type", "application/json");
  if (bytes) headers.set("Content-Type", "application/octet-stream");
  if (idempotencyKey) headers.set("Idempotency-Key", idempotencyKey);
  const timeout = AbortSignal.timeout(timeoutMs);
  const asked = Date.now();
  let response: Response | undefined;
  let text: string;
  try {
    const init = {
      method,
      headers,
      body: form ?? bytes ?? (body === undefined ? null : JSON.stringify(body)),
      cache: "no-store",
      // The API sends nobody elsewhere.
      redirect: "error",
    } as const;
    const url = `/api${path}`;
    response = await (onProgress
      ? upload(url, { ...init, signal: signal ?? null }, { onProgress, silenceMs: timeoutMs })
      : fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout }));
    text = await response.text();
  } catch (thrown) {
    return { ok: false, error: unanswered(thrown, response !== undefined) };
  }
  if (response.ok) {
    if (!isOwn(response, text)) return { ok: false, error: offline(response.status) };
    compareClocks(response.headers.get("Date"), asked);
    return { ok: true, value: text };
  }
  return { ok: false, error: failure(response, text, token !== undefined, (form ?? bytes) !== undefined) };
}

/** No answer came in time, not to its end, or not at all. */
function unanswered(thrown: unknown, hasBegun: boolean): ApiError {
  const { connection_reset, connection_timed_out } = limits();
  const { name } = thrown as Error;
  if (name === "TimeoutError") return { kind: "offline", isTimeout: true, text: connection_timed_out };
  return hasBegun || name === CUT_OFF ? { kind: "offline", text: connection_reset } : offline();
}

const offline = (status?: number): ApiError => {
  const text = transportError(0, "");
  return status === undefined ? { kind: "offline", text } : { kind: "offline", status, text };
};

/** The path of a call about a business; who is a client of several says of which. */
export const pathIn = (path: string, place: { sitter_id: string } | undefined): string =>
  place ? `${path}${path.includes("?") ? "&" : "?"}sitter_id=${place.sitter_id}` : path;

/** Longer than the success form at either end of an answer. */
const END_LENGTH = 40;

/**
 * True if the response has the success form, which is seen at either end: the rest may be long and is the core's to
 * read.
 */
function isOwn({ headers }: Response, text: string): boolean {
  const isJson = /^application\/json\b/i.test(headers.get("Content-Type") ?? "");
  return isJson && /"success":\s*true/.test(text.slice(0, END_LENGTH) + text.slice(-END_LENGTH));
}

/** Parses Walkies' own failure form; nothing for an answer by somebody else. */
function said(text: string): Failure | undefined {
  try {
    const it = JSON.parse(text) as Partial<Failure> | null;
    return it?.success === false && typeof it.code === "string" ? (it as Failure) : undefined;
  } catch {
    return undefined;
  }
}

/** Longest `Retry-After` that is honored, in seconds. */
const DAY_S = 86_400;

/** Builds the error for a refusal whose whole body is `text`; an upload gets the words for uploads. */
export function failure({ status, headers }: Response, text: string, hasSession: boolean, isUpload = false): ApiError {
  const own = said(text);
  const words = isUpload ? uploadError : transportError;
  const trouble = (said: string) => ({ kind: "server", status, text: words(status, said) }) satisfies ApiError;
  const retryAfterS = Math.min(Number(headers.get("Retry-After")), DAY_S) || undefined;
  const patience = retryAfterS && { retryAfterS };
  if (!own) {
    // A proxy before the server says in its own words that this is down, or asks for patience. 511 is the hotel again.
    const isOurs = (status >= 500 && status !== 511) || status === 429;
    return isOurs ? { ...trouble(""), ...patience } : offline(status);
  }
  const { error = "", code } = own;
  if (status === 401 && hasSession) {
    return { kind: "session_expired", text: transportError(status, error) };
  }
  if (status >= 500 || status === 429) {
    return { ...trouble(error), code, said: error, ...patience };
  }
  const fields = Object.entries(own.fields ?? {}).map(([field, text]) => ({ field, text }));
  const sentence = isUpload || !error ? words(status, error) : error;
  return { kind: "rejected", status, code, text: sentence, fields };
}

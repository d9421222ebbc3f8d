/**
 * Owns the calls to the server: the bearer token, the failure form, which failures are worth another try.
 * The sentences for failures are the core's.
 *
 * Only what has Walkies' own form was said by Walkies. A hotel's network answers everything with its own page, with 200,
 * 401 or 302: to the phone that is no network, and nobody is signed out by it.
 */
import { type FieldError, transportError } from "../../core";
import { compareClocks } from "./clock";
import { type Progress, upload } from "./upload";

export type ApiError =
  /** With a `status` where something has answered, in words that are not Walkies'. */
  | { kind: "offline"; status?: number; text: string }
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
  form?: FormData;
  /** A part of a file. */
  bytes?: Blob;
  /** Told how much of `form` or `bytes` has gone. */
  onProgress?: Progress;
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Longer for large files. */
  timeoutMs?: number;
}

/** A call that has said nothing for this long is taken for a dead network: a street with one bar of signal. */
const TIMEOUT_MS = 20_000;

/** Calls the server once and says what came of it; never throws. */
export async function call<T>(path: string, options: CallOptions = {}): Promise<Answer<T>> {
  const answer = await request(path, options);
  if (!answer.ok) return answer;
  try {
    const { success, data } = JSON.parse(answer.value) as { success?: unknown; data: T };
    if (success === true) return { ok: true, value: data };
  } catch {
    // Cut off, or somebody else's.
  }
  return { ok: false, error: offline() };
}

/** As `call`, with the whole body as text, for what the core reads itself. */
export async function request(path: string, options: CallOptions = {}): Promise<Answer<string>> {
  const {
    method = "GET",
    token,
    body,
    form,
    bytes,
    onProgress,
    idempotencyKey,
    signal,
    timeoutMs = TIMEOUT_MS,
  } = options;
  const headers = new Headers();
  if (token) headers.set("Authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  if (bytes) headers.set("Content-Type", "application/octet-stream");
  if (idempotencyKey) headers.set("Idempotency-Key", idempotencyKey);
  const timeout = AbortSignal.timeout(timeoutMs);
  const asked = Date.now();
  let response: Response;
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
  } catch {
    return { ok: false, error: offline() };
  }
  if (response.ok) {
    if (!isOwn(response, text)) return { ok: false, error: offline(response.status) };
    compareClocks(response.headers.get("Date"), asked);
    return { ok: true, value: text };
  }
  return { ok: false, error: failure(response, text, token !== undefined) };
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

/** Whether it has the success form, which is seen at either end: the rest may be long and is the core's to read. */
function isOwn({ headers }: Response, text: string): boolean {
  const isJson = /^application\/json\b/i.test(headers.get("Content-Type") ?? "");
  return isJson && /"success":\s*true/.test(text.slice(0, END_LENGTH) + text.slice(-END_LENGTH));
}

/** What Walkies says of a failure; nothing where somebody else says it. */
function said(text: string): Failure | undefined {
  try {
    const it = JSON.parse(text) as Partial<Failure> | null;
    return it?.success === false && typeof it.code === "string" ? (it as Failure) : undefined;
  } catch {
    return undefined;
  }
}

/** What a refusal says, whose whole body is `text`. */
export function failure({ status, headers }: Response, text: string, hasSession: boolean): ApiError {
  const own = said(text);
  const retryAfterS = Number(headers.get("Retry-After")) || undefined;
  // A proxy before the server says in its own words that this is down, or asks for patience. 511 is the hotel again.
  if (!own) return (status >= 500 && status !== 511) || status === 429 ? trouble(status, "") : offline(status);
  const { error = "", code } = own;
  if (status === 401 && hasSession) {
    return { kind: "session_expired", text: transportError(status, error) };
  }
  if (status >= 500 || status === 429) {
    return { ...trouble(status, error), code, said: error, ...(retryAfterS && { retryAfterS }) };
  }
  const fields = Object.entries(own.fields ?? {}).map(([field, text]) => ({ field, text }));
  return { kind: "rejected", status, code, text: error || transportError(status, ""), fields };
}

const trouble = (status: number, said: string) =>
  ({ kind: "server", status, text: transportError(status, said) }) satisfies ApiError;

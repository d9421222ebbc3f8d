/**
 * Owns the calls to the server: the bearer token, the failure form, which failures are worth another try.
 * The sentences for failures are the core's.
 */
import { type FieldError, transportError } from "../core";

export type ApiError =
  | { kind: "offline"; text: string }
  | { kind: "session_expired"; text: string }
  | { kind: "rejected"; status: number; code: string; text: string; fields: FieldError[] }
  | { kind: "server"; status: number; text: string };

export type Answer<T> = { ok: true; value: T } | { ok: false; error: ApiError };

interface Failure {
  code?: string;
  error?: string;
  fields?: Record<string, string>;
}

export interface Call {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  token?: string | undefined;
  body?: unknown;
  form?: FormData;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** A call that has said nothing for this long is taken for a dead network: a street with one bar of signal. */
const TIMEOUT_MS = 20_000;

/** Calls the server once and says what came of it; never throws. */
export async function call<T>(path: string, options: Call = {}): Promise<Answer<T>> {
  const answer = await request(path, options);
  if (!answer.ok) return answer;
  try {
    const { data } = JSON.parse(answer.value) as { data: T };
    return { ok: true, value: data };
  } catch {
    return { ok: false, error: { kind: "server", status: 502, text: transportError(502, "") } };
  }
}

/** As `call`, with the whole body as text, for what the core reads itself. */
export async function request(path: string, options: Call = {}): Promise<Answer<string>> {
  const { method = "GET", token, body, form, idempotencyKey, signal } = options;
  const headers = new Headers();
  if (token) headers.set("Authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  if (idempotencyKey) headers.set("Idempotency-Key", idempotencyKey);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  let text: string;
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers,
      body: form ?? (body === undefined ? null : JSON.stringify(body)),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      cache: "no-store",
    });
    text = await response.text();
  } catch {
    return { ok: false, error: { kind: "offline", text: transportError(0, "") } };
  }
  if (response.ok) return { ok: true, value: text };
  return { ok: false, error: failure(response.status, text, token !== undefined) };
}

function failure(status: number, text: string, hasSession: boolean): ApiError {
  let said: Failure = {};
  try {
    said = JSON.parse(text) as Failure;
  } catch {
    // A proxy in between answers in its own words; the status says enough.
  }
  if (status === 401 && hasSession) {
    return { kind: "session_expired", text: transportError(status, said.error ?? "") };
  }
  if (status >= 500 || status === 429) {
    return { kind: "server", status, text: transportError(status, said.error ?? "") };
  }
  const fields = Object.entries(said.fields ?? {}).map(([field, text]) => ({ field, text }));
  return {
    kind: "rejected",
    status,
    code: said.code ?? "unknown",
    text: said.error ?? transportError(status, ""),
    fields,
  };
}

/** Owns one's own data on the server: all of it as one archive, such an archive into an empty business, clearing it. */
import { pause } from "../../browser/pause";
import { transportError } from "../../core";
import { type Sink, saveStream } from "../saveStream";
import { type Answer, type ApiError, call, failure } from "../server/api";
import { sessionToken } from "../session/session";

/** How far an archive has come into the business. */
export interface ImportState {
  state: "receiving" | "checking" | "ready" | "writing" | "undoing" | "done" | "failed";
  archive_bytes: number;
  /** As much as is there: where the next piece begins. */
  offset: number;
  piece_bytes: number;
  /** How many rows and files it has, by name. */
  counts: [string, number][];
  /** Files that are not in it, or of no kind that is taken. */
  left_out_count: number;
  total: number;
  done: number;
  fault: string | null;
}

/** A business that was cleared. */
export interface ClearState {
  state: "clearing" | "cleared" | "restoring";
  cleared_at: string;
  undo_until: string;
  /** True if the business has new work: cleared rows are not restored beside it. */
  has_new_work: boolean;
  /** Why it was not or cannot be undone, in words. */
  fault: string | null;
}

interface FetchOptions {
  to?: Sink | undefined;
  /** Called with the bytes that have come, and about how many there are; 0 where nobody knows. */
  onProgress: (bytes: number, about: number) => void;
  signal: AbortSignal;
}

/** Bytes between two reports of progress where nobody knows how many will come. */
const UNKNOWN_STEP = 100_000;

/** Fetches everything as one archive by this call: the file where it goes nowhere else, or why not, in words. */
export async function fetchArchive(
  path: string,
  { to, onProgress, signal }: FetchOptions,
): Promise<Answer<Blob | undefined>> {
  const failed = async (error: ApiError): Promise<Answer<never>> => {
    await to?.abort().catch(() => undefined);
    return { ok: false, error };
  };
  const type = "application/zip";
  try {
    const headers = { Authorization: `Bearer ${sessionToken() ?? ""}` };
    const response = await fetch(`/api${path}`, { headers, cache: "no-store", redirect: "error", signal });
    // A hotel's page is no archive.
    if (!response.body || response.headers.get("Content-Type") !== type) {
      if (response.ok) return await failed({ kind: "offline", text: transportError(0, "") });
      return await failed(withWait(failure(response, await response.text(), true)));
    }
    const about = Number(response.headers.get("X-About-Bytes") ?? 0);
    // A hundredth is as much as anybody sees.
    const step = about > 0 ? about / 100 : UNKNOWN_STEP;
    let told = 0;
    const parts = await saveStream(response.body, to, (bytes) => {
      if (told > 0 && bytes - told < step) return;
      told = bytes;
      onProgress(bytes, about > 0 ? Math.max(about, bytes) : 0);
    });
    return { ok: true, value: to ? undefined : new Blob(parts, { type }) };
  } catch {
    return failed({ kind: "offline", text: transportError(0, "") });
  }
}

/** Who has to wait for hours is told so. */
function withWait(error: ApiError): ApiError {
  const hours = error.kind === "server" && error.retryAfterS ? Math.ceil(error.retryAfterS / 3600) : 0;
  const wait = hours === 1 ? "an hour" : `${hours} hours`;
  return hours === 0 ? error : { ...error, text: `${error.text} You can make another one in ${wait}.` };
}

interface SendOptions {
  password: string;
  /** Called with the share of it that has gone, 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Half a megabyte on one bar of signal. */
const PIECE_TIMEOUT_MS = 60_000;
/** A piece that is lost on the way is sent again so often, after so long. */
const TRIES = 4;
const TRY_AGAIN_MS = 2_000;
/** And a server that asks for patience has it. */
const LONGEST_WAIT_S = 120;

/** By so much of its end an archive is known: it has the table of contents, with a checksum of every file. */
const END_BYTES = 64 * 1024;

async function endHash(file: Blob): Promise<string> {
  const end = await file.slice(-END_BYTES).arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", end));
  return Array.from(hash, (it) => it.toString(16).padStart(2, "0")).join("");
}

/** Sends an archive; what broke off goes on where it was. The server then looks through it. */
export async function sendArchive(
  file: Blob,
  { password, onProgress, signal }: SendOptions,
): Promise<Answer<ImportState>> {
  const token = sessionToken();
  const body = { archive_bytes: file.size, end_sha256: await endHash(file), password };
  let answer = await call<ImportState>("/import", { method: "POST", token, body, signal });
  let known = answer;
  let tries = 0;
  while (known.ok && known.value.state === "receiving" && !signal.aborted) {
    const { offset, piece_bytes } = known.value;
    const bytes = file.slice(offset, offset + piece_bytes);
    onProgress(offset / file.size);
    const options = { method: "PATCH", token, bytes, signal, timeoutMs: PIECE_TIMEOUT_MS } as const;
    answer = await call<ImportState>(`/import?offset=${offset}`, options);
    if (answer.ok) [known, tries] = [answer, 0];
    else {
      const waitMs = waitFor(answer.error, tries);
      if (waitMs === undefined) return answer;
      tries += 1;
      await pause(waitMs, signal);
    }
  }
  return answer;
}

/** How long to wait before the same piece is sent again; nothing where that does not help. */
function waitFor(error: ApiError, tries: number): number | undefined {
  if (error.kind === "server" && error.status === 429) {
    const { retryAfterS = 1 } = error;
    return retryAfterS <= LONGEST_WAIT_S ? retryAfterS * 1_000 : undefined;
  }
  const passes = error.kind === "offline" || error.kind === "server";
  return passes && tries < TRIES ? TRY_AGAIN_MS * 2 ** tries : undefined;
}

/** The archive on its way into the business, or the last one. */
export const importState = () => call<ImportState | null>("/import", { token: sessionToken() });

export const startImport = () =>
  call<ImportState>("/import/start", { method: "POST", token: sessionToken(), body: {} });

/** Drops the import; rows that it has begun to write are taken back. */
export const forgetImport = () => call("/import", { method: "DELETE", token: sessionToken() });

export interface ClearProof {
  password: string;
  /** The word that the person typed. */
  word: string;
  /** True if the person was told that it can be undone. The server clears nothing where that is not so. */
  keeps: boolean;
}

/**
 * Clears the business, once for all calls with the same idempotency key: a press that repeats one whose answer was lost
 * clears nothing that has come since.
 */
export const clearBusiness = (body: ClearProof, idempotencyKey: string) =>
  call<ClearState>("/clear", { method: "POST", token: sessionToken(), body, idempotencyKey });

/** Returns the state of a cleared business for as long as the clearing can be undone, then `null`. */
export const clearState = () => call<ClearState | null>("/clear", { token: sessionToken() });

export const undoClear = () => call<ClearState>("/clear/undo", { method: "POST", token: sessionToken(), body: {} });

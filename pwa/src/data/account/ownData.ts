/** Owns one's own data on the server: all of it as one archive, such an archive into an empty business, clearing it. */
import { transportError } from "../../core";
import { type Answer, call } from "../server/api";
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
  left_out: string[];
  total: number;
  done: number;
  fault: string | null;
}

/** A business that was cleared. */
export interface ClearState {
  state: "clearing" | "cleared" | "restoring";
  cleared_at: string;
  undo_until: string;
}

/** Where an archive goes while it comes; without it, it is kept in memory, and by the browser on its disk. */
export type Sink = Pick<FileSystemWritableFileStream, "write" | "close" | "abort">;

interface FetchOptions {
  to?: Sink | undefined;
  /** So many bytes have come, of about so many. */
  onProgress: (bytes: number, about: number) => void;
  signal: AbortSignal;
}

/** Fetches everything as one archive: the file where it goes nowhere else, or why not, in words. */
export async function fetchArchive({ to, onProgress, signal }: FetchOptions): Promise<Answer<Blob | undefined>> {
  const failed = (text: string): Answer<never> => ({ ok: false, error: { kind: "offline", text } });
  try {
    const headers = { Authorization: `Bearer ${sessionToken() ?? ""}` };
    const response = await fetch("/api/export", { headers, cache: "no-store", redirect: "error", signal });
    // A hotel's page is no archive.
    if (!response.body || response.headers.get("Content-Type") !== "application/zip") {
      return failed(transportError(response.ok ? 0 : response.status, ""));
    }
    const about = Number(response.headers.get("X-About-Bytes") ?? 0);
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    const reader = response.body.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (to) await to.write(piece.value);
      else parts.push(piece.value);
      bytes += piece.value.length;
      onProgress(bytes, Math.max(about, bytes));
    }
    await to?.close();
    return { ok: true, value: to ? undefined : new Blob(parts, { type: "application/zip" }) };
  } catch {
    await to?.abort().catch(() => undefined);
    return failed(transportError(0, ""));
  }
}

interface SendOptions {
  password: string;
  /** So much of it has gone, 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Sends an archive; what broke off goes on where it was. The server then looks through it. */
export async function sendArchive(
  file: Blob,
  { password, onProgress, signal }: SendOptions,
): Promise<Answer<ImportState>> {
  const token = sessionToken();
  const body = { archive_bytes: file.size, password };
  let answer = await call<ImportState>("/import", { method: "POST", token, body, signal });
  while (answer.ok && answer.value.state === "receiving") {
    const { offset, piece_bytes } = answer.value;
    onProgress(offset / file.size);
    const bytes = file.slice(offset, offset + piece_bytes);
    answer = await call<ImportState>(`/import?offset=${offset}`, { method: "PATCH", token, bytes, signal });
  }
  return answer;
}

export const importState = (signal?: AbortSignal) =>
  call<ImportState>("/import", { token: sessionToken(), ...(signal && { signal }) });

export const startImport = () =>
  call<ImportState>("/import/start", { method: "POST", token: sessionToken(), body: {} });

export const forgetImport = () => call("/import", { method: "DELETE", token: sessionToken() });

export const clearBusiness = (password: string, word: string) =>
  call<ClearState>("/clear", { method: "POST", token: sessionToken(), body: { password, word } });

/** Whether the business was cleared, for as long as that can be undone. */
export const clearState = () => call<ClearState | null>("/clear", { token: sessionToken() });

export const undoClear = () => call<ClearState>("/clear/undo", { method: "POST", token: sessionToken(), body: {} });

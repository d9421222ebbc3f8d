/** Owns a sitter's documents on the server: they are stored for their owner alone and not kept on this phone. */
import { checkPhoto, type DocumentAnswer, newId } from "../../core";
import { isPicture, preparePhoto } from "../photos/preparePhoto";
import { type Answer, call } from "../server/api";
import { fetchFile } from "../server/file";
import { sessionToken } from "../session/session";

const PATH = "/sitters/documents";

/** Longest side in pixels at which a license can be read; the server keeps no larger ones. */
const READABLE_PX = 2048;

/** The largest file over one bar of signal. */
const UPLOAD_MS = 180_000;

export const listDocuments = () => call<DocumentAnswer[]>(PATH, { token: sessionToken() });

export const removeDocument = (id: string) => call(`${PATH}/${id}`, { method: "DELETE", token: sessionToken() });

/** Stores a file; or says why not, in words. */
export async function storeDocument(file: File): Promise<string | undefined> {
  let sent: Blob = file;
  if (await isPicture(file)) {
    const prepared = await preparePhoto(file, READABLE_PX);
    if (!prepared.ok) return prepared.text;
    sent = prepared.photo.full;
  } else {
    // Photos have the same bound, and what is no photo is the server's to judge.
    const tooLarge = checkPhoto({ content_type: "image/jpeg", size: file.size });
    if (tooLarge !== undefined) return tooLarge.replace(/^Photo/, "Document");
  }
  const form = new FormData();
  form.set("id", newId());
  form.set("document", sent, file.name);
  const options = { method: "POST", token: sessionToken(), form, timeoutMs: UPLOAD_MS } as const;
  const answer: Answer<DocumentAnswer> = await call("/sitters/upload-document", options);
  return answer.ok ? undefined : answer.error.text;
}

/** A document's file, or why it cannot be had. */
export const fetchDocument = (id: string): Promise<Answer<Blob>> =>
  fetchFile(`${PATH}/${id}`, "application/pdf", "image/jpeg");

/** Owns photos as they are taken or picked: made small and free of metadata before they are stored. */
import { checkMessageImage, checkPhoto, checkPickedImage, limits, newId, type PickedFile } from "../../core";
import type { StoredPhoto } from "../store/db";
import { decodeHeic } from "./heic";

export type PreparedPhoto = { ok: true; photo: StoredPhoto } | { ok: false; text: string };

/** The core's check of a picked file: returns the sentence for one that is not accepted. */
type Check = (file: PickedFile) => string | undefined;

/** Makes a picked file ready to be saved with a change: JPEG, at most 1024 px a side or as said, no metadata. */
export async function preparePhoto(file: File | undefined, mostPx = limits().camera_max_px): Promise<PreparedPhoto> {
  return file ? prepare(file, checkPhoto, mostPx) : { ok: false, text: checkPhoto(null) ?? "" };
}

/** The same for an image in a message, of any type that the browser can show. What counts is the size at which it is sent. */
export async function prepareMessageImage(file: File): Promise<PreparedPhoto> {
  const prepared = await prepare(file, checkPickedImage, limits().camera_max_px);
  if (!prepared.ok) return prepared;
  const { type, size } = prepared.photo.full;
  const wrong = checkMessageImage({ content_type: type, size });
  return wrong === undefined ? prepared : { ok: false, text: wrong };
}

async function prepare(file: File, check: Check, mostPx: number): Promise<PreparedPhoto> {
  const type = await typeByBytes(file);
  const wrong = check({ content_type: type ?? file.type, size: file.size });
  if (wrong !== undefined) return { ok: false, text: wrong };
  const { camera_quality } = limits();
  try {
    const bitmap = await decode(file, type);
    const scale = Math.min(1, mostPx / Math.max(bitmap.width, bitmap.height));
    const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const full = await canvas.convertToBlob({ type: "image/jpeg", quality: camera_quality });
    return { ok: true, photo: { id: newId(), full, waiting: true, stored_at: Date.now() } };
  } catch {
    // The name said photo, the bytes did not.
    return { ok: false, text: type ? DAMAGED : (check({ content_type: UNKNOWN, size: file.size }) ?? DAMAGED) };
  }
}

const DAMAGED = "This photo is damaged and cannot be shown. Please choose another one.";
const UNKNOWN = "application/octet-stream";

/**
 * First bytes of each kind of photo, as Latin-1: JPEG (ITU-T T.81, B.1.1.3), PNG (its specification, 5.2), and the
 * brands of HEIC behind a box's length (ISO/IEC 23008-12, annex B).
 */
const BEGINNINGS: readonly [RegExp, string][] = [
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^\x89PNG\r\n/, "image/png"],
  [/^.{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/s, "image/heic"],
];

/** As far as the longest of them reaches. */
const HEAD_BYTES = 12;

/** True if a file is a picture, by its first bytes. */
export const isPicture = async (file: File): Promise<boolean> => (await typeByBytes(file)) !== undefined;

/** The media type that the bytes themselves tell: not every phone knows one for what it has. */
async function typeByBytes(file: File): Promise<string | undefined> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const head = String.fromCharCode(...bytes);
  return BEGINNINGS.find(([pattern]) => pattern.test(head))?.[1];
}

/** Browsers turn the picture upright as its metadata says; few can read HEIC, so that has a decoder of its own. */
async function decode(file: File, type: string | undefined): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file);
  } catch (error) {
    if (type !== "image/heic") throw error;
    return decodeHeic(file);
  }
}

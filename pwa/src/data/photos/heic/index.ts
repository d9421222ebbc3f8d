/** Owns reading HEIC where the browser cannot. */
import { startWorker } from "../../../browser/trusted";
import type { Decoded } from "./worker";
// Made by the bundler, which the linter does not ask.
// oxlint-disable-next-line import/default
import workerUrl from "./worker.ts?worker&url";

/** The file's picture, turned as it says. Rejects where there is none. */
export async function decodeHeic(file: File): Promise<ImageBitmap> {
  const worker = startWorker(workerUrl, "heic");
  try {
    const decoded = await new Promise<Decoded>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Decoded>) => resolve(data);
      worker.onerror = (event) => reject(new Error(event.message || "The decoder did not start."));
      worker.postMessage(file);
    });
    if ("failed" in decoded) throw new Error(decoded.failed);
    return decoded.bitmap;
  } finally {
    worker.terminate();
  }
}

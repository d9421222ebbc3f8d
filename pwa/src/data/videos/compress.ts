/** Owns whether a video is made smaller before it is sent, and what came of it. */
import { limits } from "../../core";
import type { Compressed } from "./videoEncoder";

interface CompressOptions {
  signal: AbortSignal;
  /** Called when encoding begins. */
  onBegin: () => void;
  /** Called with the share that is done, 0 to 1. */
  onProgress: (share: number) => void;
}

/** Returns true if every current browser shows a video, and where that cannot be known. */
export async function isShownEverywhere(file: Blob): Promise<boolean> {
  try {
    const { isCommon } = await import("./videoEncoder");
    return await isCommon(file);
  } catch {
    // No chunk without a network, or no video: that is said where it is taken.
    return true;
  }
}

/** Makes a video smaller that is large. Fails only as `signal` says. */
export async function compressVideo(file: Blob, { signal, onBegin, onProgress }: CompressOptions): Promise<Compressed> {
  if (file.size <= limits().uncompressed_video_bytes) return { kind: "small" };
  if (typeof VideoEncoder === "undefined") return { kind: "unsupported" };
  onBegin();
  try {
    // Few videos are so large: nobody else loads it.
    const { encode } = await import("./videoEncoder");
    return await encode(file, signal, onProgress);
  } catch (error) {
    signal.throwIfAborted();
    // A chunk that could not be fetched, and what the browser's own encoder does not bear.
    return error instanceof Error ? { kind: "failed" } : { kind: "unsupported" };
  }
}

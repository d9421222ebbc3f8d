/**
 * Owns sending a video piece by piece: the server says where it goes on, so that a network that breaks, or a tab that is
 * killed, costs one piece.
 */
import { setUploadShare } from "../photos/uploads";
import { type Answer, call } from "../server/api";
import type { StoredVideo } from "../store/db";
import type { Store } from "../store/store";
import { readVideo } from "./videos";

/** How much of a video the server has. */
interface VideoState {
  size_bytes: number;
  /** Byte at which the next piece begins. */
  offset: number;
  piece_bytes: number;
  complete: boolean;
}

/** Pieces that one round sends, so that other work has its turn. */
const PIECES_AT_ONCE = 8;

const LOST = "The video is no longer on this phone.";

interface SendOptions {
  store: Store;
  token: string;
  signal: AbortSignal;
}

/**
 * Sends pieces until all of the video has arrived or this round's share is used up. `false` means that there is more to
 * send.
 */
export async function sendVideo(video: StoredVideo, { store, token, signal }: SendOptions): Promise<Answer<boolean>> {
  const { id, size, type } = video;
  const body = { id, size_bytes: size, media_type: type };
  const begun = await call<VideoState>("/videos", { method: "POST", token, body, signal });
  if (!begun.ok) return begun;
  let { offset, piece_bytes, complete } = begun.value;
  try {
    for (let sent = 0; !complete; sent += 1) {
      if (sent === PIECES_AT_ONCE) return { ok: true, value: false };
      const begins = offset;
      const bytes = await readVideo(store, id, begins, Math.min(piece_bytes, size - begins));
      if (!bytes) return lost();
      const onProgress = (share: number) => setUploadShare(id, (begins + share * bytes.size) / size);
      const options = { method: "PATCH", token, bytes, onProgress, signal } as const;
      const answer = await call<VideoState>(`/videos/${id}?offset=${begins}`, options);
      if (!answer.ok) {
        // Another tab was faster: the next round asks where it goes on.
        const { error } = answer;
        const isElsewhere = error.kind === "rejected" && error.code === "wrong_offset";
        return isElsewhere ? { ok: true, value: false } : answer;
      }
      ({ offset, complete } = answer.value);
    }
    return { ok: true, value: true };
  } finally {
    setUploadShare(id, undefined);
  }
}

const lost = (): Answer<boolean> => ({
  ok: false,
  error: { kind: "rejected", status: 422, code: "video_lost", text: LOST, fields: [] },
});

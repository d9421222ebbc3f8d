/** Owns turning a video into a small WebM by what the browser itself encodes with. Loaded when it is needed, by `compress.ts`. */
import {
  BlobSource,
  BufferTarget,
  Conversion,
  canEncodeAudio,
  getFirstEncodableVideoCodec,
  Input,
  MP4,
  Output,
  QTFF,
  WEBM,
  WebMOutputFormat,
} from "mediabunny";

/** The outcome of an attempt to make a video smaller. */
export type Compressed =
  | { kind: "small" }
  /** Made smaller: the file is a WebM. */
  | { kind: "compressed"; file: Blob }
  /** The original is as good: it has something that this browser cannot read, or it is smaller. */
  | { kind: "failed" }
  /** This browser cannot encode videos. */
  | { kind: "unsupported" };

/** SPEC 9, Limits: 1280 by 720, in either direction, and 1 Mbps. */
const LONG_SIDE = 1280;
const SHORT_SIDE = 720;
const BITS_PER_SECOND = 1_000_000;
const SOUND_BITS_PER_SECOND = 96_000;

/** Fails where `signal` says so, and where the encoder does. */
export async function encode(
  file: Blob,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Compressed> {
  const codec = await getFirstEncodableVideoCodec(["vp9", "vp8"], { width: LONG_SIDE, height: SHORT_SIDE });
  if (!codec) return { kind: "unsupported" };
  const input = new Input({ source: new BlobSource(file), formats: [MP4, QTFF, WEBM] });
  const hasSound = (await input.getPrimaryAudioTrack()) !== null;
  if (hasSound && !(await canEncodeAudio("opus"))) return { kind: "unsupported" };
  const target = new BufferTarget();
  const conversion = await Conversion.init({
    input,
    output: new Output({ format: new WebMOutputFormat(), target }),
    tracks: "primary",
    video: (track) => ({ ...sizeOf(track.displayWidth, track.displayHeight), codec, bitrate: BITS_PER_SECOND }),
    audio: { codec: "opus", bitrate: SOUND_BITS_PER_SECOND },
    // Where and by whom it was taken.
    tags: {},
    showWarnings: false,
  });
  // A video that has lost its sound is not what was chosen.
  const hasLost = conversion.utilizedTracks.length < (hasSound ? 2 : 1);
  if (!conversion.isValid || hasLost) return { kind: "failed" };
  const cancel = () => void conversion.cancel();
  signal.throwIfAborted();
  signal.addEventListener("abort", cancel);
  conversion.onProgress = onProgress;
  try {
    await conversion.execute();
  } finally {
    signal.removeEventListener("abort", cancel);
  }
  signal.throwIfAborted();
  const { buffer } = target;
  if (!buffer || buffer.byteLength >= file.size) return { kind: "failed" };
  return { kind: "compressed", file: new Blob([buffer], { type: "video/webm" }) };
}

/** Codecs that every current browser shows. */
const COMMON: ReadonlySet<string> = new Set(["avc", "vp8", "vp9"]);

/** Returns true if every current browser shows a video; MPEG-4 part 2 and HEVC are not such. */
export async function isCommon(file: Blob): Promise<boolean> {
  const input = new Input({ source: new BlobSource(file), formats: [MP4, QTFF, WEBM] });
  const track = await input.getPrimaryVideoTrack();
  const codec = await track?.getCodec();
  return codec !== undefined && codec !== null && COMMON.has(codec);
}

/** As large as it may be, and never larger than it is; encoders want even numbers. */
function sizeOf(width: number, height: number): { width: number; height: number; fit: "fill" } {
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  const scale = Math.min(1, LONG_SIDE / long, SHORT_SIDE / short);
  const even = (side: number) => Math.max(2, Math.round((side * scale) / 2) * 2);
  return { width: even(width), height: even(height), fit: "fill" };
}

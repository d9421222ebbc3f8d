/**
 * Owns choosing photos and videos for an invoice: what was chosen lies on this phone, large videos made smaller. It sends
 * nothing; that is done with the invoice, see `InvoiceUploads.tsx`.
 */
import { Film, ImagePlus, Play, Trash2, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { checkVideo, fieldReader, limits } from "../../core";
import { isStorageTrouble, type StoredPhoto, type StoredVideo, storageTrouble, useBlobUrl } from "../../data";
import { preparePhoto } from "../../data/photos/preparePhoto";
import { compressVideo, isShownEverywhere } from "../../data/videos/compress";
import { forgetVideo, keepVideo, useVideoUrl } from "../../data/videos/videos";
import { Dialog, IconButton, Photo, ProgressBar, toast } from "../../ui";
import { FileButton } from "../../ui/FileButton";
import { ReaderHint } from "../../ui/Readers";

/** The chosen photos and videos. A form keeps them in its draft, and names them in `save` and in `share_invoice`. */
export interface Media {
  photos: readonly StoredPhoto[];
  videos: readonly StoredVideo[];
}

interface InvoiceMediaProps {
  media: Media;
  /** Called with a function of the current media, since what takes a while may end after others. */
  onChange: (change: (media: Media) => Media) => void;
}

/** File types that may be chosen, for `accept`; the bytes decide. */
const PHOTOS = "image/jpeg,image/png,image/heic,image/heif,.heic,.heif";
const VIDEOS = "video/mp4,video/quicktime,video/webm,.mp4,.mov,.webm";

/** A video that is being made ready. */
interface Preparing {
  name: string;
  /** How much of it has been made smaller, 0 to 1. */
  share: number;
  stop: () => void;
}

export function InvoiceMedia({ media, onChange }: InvoiceMediaProps) {
  const [problems, setProblems] = useState<readonly string[]>([]);
  const { preparing, prepare } = usePreparing();
  const chosen = useRef(media);
  chosen.current = media;
  const { invoice_photos, invoice_videos } = limits();

  const fail = (file: File, text: string) =>
    setProblems((before) => [...before, `Failed to upload ${file.name}: ${text}`]);
  const pickPhoto = async (file: File | undefined) => {
    if (!file) return;
    if (chosen.current.photos.length >= invoice_photos) return fail(file, `Photos cannot exceed ${invoice_photos}`);
    const prepared = await preparePhoto(file);
    if (!prepared.ok) return fail(file, prepared.text);
    const photos = [...chosen.current.photos, prepared.photo];
    chosen.current = { ...chosen.current, photos };
    onChange((media) => ({ ...media, photos: [...media.photos, prepared.photo] }));
  };
  const pickVideo = async (file: File | undefined) => {
    if (!file) return;
    if (chosen.current.videos.length >= invoice_videos) return fail(file, `Videos cannot exceed ${invoice_videos}`);
    const prepared = await prepare(file);
    if (prepared === undefined) return;
    if (typeof prepared === "string") return fail(file, prepared);
    const videos = [...chosen.current.videos, prepared];
    chosen.current = { ...chosen.current, videos };
    onChange((media) => ({ ...media, videos: [...media.videos, prepared] }));
  };
  const begin = (pick: (file: File | undefined) => Promise<void>) => (file: File | undefined) => {
    setProblems([]);
    return pick(file);
  };
  const remove = (id: string) => {
    onChange(({ photos, videos }) => ({
      photos: photos.filter((it) => it.id !== id),
      videos: videos.filter((it) => it.id !== id),
    }));
    // On a phone whose storage does not answer it goes a day later.
    void forgetVideo(id).catch(() => undefined);
  };

  return (
    <section aria-label="Photos and videos" className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <FileButton
          icon={<ImagePlus aria-hidden />}
          accept={PHOTOS}
          multiple
          onFile={begin(pickPhoto)}
          disabled={false}
        >
          Add photos
        </FileButton>
        <FileButton
          icon={<Film aria-hidden />}
          accept={VIDEOS}
          multiple
          onFile={begin(pickVideo)}
          disabled={preparing !== undefined}
        >
          Add videos
        </FileButton>
      </div>
      <p className="text-14 text-ink-2">
        <ReaderHint reader={fieldReader("invoice.photo")} />
      </p>
      {preparing && (
        <div className="flex items-center gap-2 rounded-large border border-line bg-card py-1 pl-4">
          <div className="grid min-w-0 flex-1 gap-2 py-2">
            <p className="text-14 wrap-anywhere">{preparing.name}</p>
            <ProgressBar label={`Preparing ${preparing.name}`} value={preparing.share} />
          </div>
          <IconButton label={`Cancel ${preparing.name}`} onClick={preparing.stop}>
            <X aria-hidden />
          </IconButton>
        </div>
      )}
      {media.photos.length > 0 && (
        <ul aria-label="Chosen photos" className="grid grid-cols-3 gap-2 sm:grid-cols-5">
          {media.photos.map((photo, place) => (
            <ChosenPhoto key={photo.id} photo={photo} name={`Photo ${place + 1}`} onRemove={() => remove(photo.id)} />
          ))}
        </ul>
      )}
      {media.videos.length > 0 && (
        <ul aria-label="Chosen videos" className="grid gap-2">
          {media.videos.map((video) => (
            <ChosenVideo key={video.id} video={video} onRemove={() => remove(video.id)} />
          ))}
        </ul>
      )}
      {problems.length > 0 && (
        <div role="alert" className="grid gap-1 text-14 font-medium text-danger">
          {problems.map((text) => (
            <p key={text} className="wrap-anywhere">
              {text}
            </p>
          ))}
        </div>
      )}
    </section>
  );
}

/** Makes a video ready: smaller where it is large and this browser can, and on this phone. */
function usePreparing() {
  const [preparing, setPreparing] = useState<Preparing>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  /** The video, what is wrong with it, or nothing where it was called off. */
  const prepare = async (file: File): Promise<StoredVideo | string | undefined> => {
    const { name, type: content_type } = file;
    // What is too large may be made smaller.
    const size = Math.min(file.size, limits().uncompressed_video_bytes);
    const wrong = checkVideo({ content_type, size });
    if (wrong !== undefined) return wrong;
    const stopped = new AbortController();
    const { signal } = stopped;
    running.current = stopped;
    const stop = () => stopped.abort();
    setPreparing({ name, share: 0, stop });
    try {
      const compressed = await compressVideo(file, {
        signal,
        onBegin: () => toast.info(`Compressing ${name}`),
        onProgress: (share) => setPreparing({ name, share, stop }),
      });
      if (compressed.kind === "compressed") {
        toast.info(`Compressed ${name} from ${megabytes(file.size)} to ${megabytes(compressed.file.size)}`);
        return await keepVideo(compressed.file, { name, signal });
      }
      if (compressed.kind === "failed") toast.info(`Compression of ${name} failed. The original is uploaded.`);
      if (compressed.kind === "unsupported") {
        toast.info(`Compression is not supported in this browser. The original of ${name} is uploaded.`);
      }
      const kept = await keepVideo(file, { name, signal });
      if (!(await isShownEverywhere(file))) {
        toast.info(`Many browsers cannot show ${name}. Your client can download it from the invoice page.`);
      }
      return kept;
    } catch (error) {
      if (signal.aborted) return undefined;
      return isStorageTrouble(error) ? storageTrouble(error) : "This video cannot be read. Please choose another one.";
    } finally {
      setPreparing(undefined);
    }
  };
  return { preparing, prepare };
}

/** `7.4 MB`. */
export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

interface ChosenPhotoProps {
  photo: StoredPhoto;
  name: string;
  onRemove: () => void;
}

function ChosenPhoto({ photo, name, onRemove }: ChosenPhotoProps) {
  const url = useBlobUrl(photo.full);
  return (
    <li className="relative">
      <Photo src={url} alt={name} className="aspect-square w-full" />
      <IconButton
        label={`Remove ${name.toLowerCase()}`}
        kind="round"
        className="absolute! top-1 right-1"
        onClick={onRemove}
      >
        <Trash2 aria-hidden />
      </IconButton>
    </li>
  );
}

interface ChosenVideoProps {
  video: StoredVideo;
  onRemove: () => void;
}

function ChosenVideo({ video, onRemove }: ChosenVideoProps) {
  const [isShown, setShown] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-x-2 rounded-large border border-line bg-card py-1 pl-4">
      <div className="min-w-0 flex-1 py-2 text-14">
        <p className="font-bold wrap-anywhere">{video.name}</p>
        <p className="num text-ink-2">{megabytes(video.size)}</p>
      </div>
      <IconButton label={`Play ${video.name}`} onClick={() => setShown(true)}>
        <Play aria-hidden />
      </IconButton>
      <IconButton label={`Remove ${video.name}`} onClick={onRemove}>
        <Trash2 aria-hidden />
      </IconButton>
      <Dialog open={isShown} title={video.name} onClose={() => setShown(false)}>
        <Player id={video.id} />
      </Dialog>
    </li>
  );
}

function Player({ id }: { id: string }) {
  const url = useVideoUrl(id);
  // Nobody has written captions for what was just taken.
  // oxlint-disable-next-line jsx-a11y/media-has-caption
  return <video src={url} controls playsInline className="max-h-[70dvh] w-full rounded-large bg-veil" />;
}

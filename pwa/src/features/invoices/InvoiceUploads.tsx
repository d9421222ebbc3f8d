/** Owns what of shared invoices is still on its way: which videos wait, how far they are, what they wait for, and leaving one out. */
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { business, SEND_STATE, type StoredVideo, sendAnyhow, storageTrouble, useSendState } from "../../data";
import { useUploadShare } from "../../data/photos/uploads";
import { isMetered } from "../../data/videos/network";
import { getVideo, leaveVideoOut, useWaitingMedia, type WaitingMedia } from "../../data/videos/videos";
import { Button, Card, confirm, IconButton, ProgressBar, toast } from "../../ui";
import { megabytes } from "./InvoiceMedia";

export function InvoiceUploads() {
  const waiting = useWaitingMedia();
  const forget = useTellingWhenSent(waiting);
  if (!waiting || waiting.videos.length === 0) return null;
  return (
    <Card aria-label="Videos on their way" className="mb-4 grid gap-3">
      <ul className="grid gap-3">
        {waiting.videos.map((video) => (
          <WaitingVideo key={video.id} video={video} onLeaveOut={() => void leaveOut(video, forget)} />
        ))}
      </ul>
      {isMetered() && <Button onClick={sendAnyhow}>Send now</Button>}
    </Card>
  );
}

interface WaitingVideoProps {
  video: StoredVideo;
  onLeaveOut: () => void;
}

function WaitingVideo({ video, onLeaveOut }: WaitingVideoProps) {
  const share = useUploadShare(video.id);
  const state = useSendState();
  // Whether it waits for Wi-Fi is known of this one before the next round.
  const waits = state === "sending" ? SEND_STATE[isMetered() ? "wifi" : "trouble"] : SEND_STATE[state];
  return (
    <li className="flex items-center gap-2 text-14">
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="font-bold wrap-anywhere">{video.name}</p>
        {share !== undefined && <ProgressBar label={`Sending ${video.name}`} value={share} />}
        <p className="num text-ink-2">
          {share === undefined ? waits : `${Math.round(share * 100)}%`} · {megabytes(video.size)}
        </p>
      </div>
      <IconButton label={`Leave ${video.name} out`} onClick={onLeaveOut}>
        <X aria-hidden />
      </IconButton>
    </li>
  );
}

async function leaveOut({ id, name }: StoredVideo, forget: (id: string) => void): Promise<void> {
  const question = {
    title: "Leave this video out?",
    text: `The invoice goes to your client without ${name}.`,
    action: "Leave it out",
    danger: true,
  };
  if (!(await confirm(question))) return;
  forget(id);
  try {
    await leaveVideoOut(id);
  } catch (error) {
    toast.error(`Failed to leave the video out: ${storageTrouble(error)}`);
  }
}

/** Says, once nothing waits any more, what of it has arrived. What it gives takes one out that is not to arrive. */
function useTellingWhenSent(waiting: WaitingMedia | undefined): (id: string) => void {
  const seen = useRef({ photos: new Set<string>(), videos: new Set<string>(), forgotten: new Set<string>() });
  useEffect(() => {
    if (!waiting) return;
    const { photos, videos, forgotten } = seen.current;
    for (const id of waiting.photos) photos.add(id);
    for (const { id } of waiting.videos) if (!forgotten.has(id)) videos.add(id);
    if (waiting.photos.length + waiting.videos.length > 0 || photos.size + videos.size === 0) return;
    void tellArrived([...photos], [...videos]);
    photos.clear();
    videos.clear();
  }, [waiting]);
  return (id) => {
    seen.current.videos.delete(id);
    seen.current.forgotten.add(id);
  };
}

/** Files that the server has refused do not wait either, and have not arrived: Needs attention tells of them. */
async function tellArrived(photos: readonly string[], videos: readonly string[]): Promise<void> {
  const { store } = business();
  const arrived = (stored: readonly ({ waiting: boolean } | undefined)[]) =>
    stored.filter((it) => it?.waiting === false).length;
  const nPhotos = arrived(await Promise.all(photos.map((id) => store.getPhoto(id))));
  const nVideos = arrived(await Promise.all(videos.map((id) => getVideo(store, id))));
  if (nPhotos + nVideos > 0) toast.success(`Uploaded ${nPhotos} photo(s) and ${nVideos} video(s)`);
}

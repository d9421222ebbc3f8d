/** Owns what of shared invoices is still on its way: which videos wait, how far they are, and what they wait for. */
import { useEffect, useRef } from "react";
import type { StoredVideo } from "../../data";
import { useUploadShare } from "../../data/photos/uploads";
import { sendAnyhow } from "../../data/sync/sync";
import { isMetered } from "../../data/videos/network";
import { useWaitingMedia, type WaitingMedia } from "../../data/videos/videos";
import { Button, Card, ProgressBar, toast } from "../../ui";
import { megabytes } from "./InvoiceMedia";

export function InvoiceUploads() {
  const waiting = useWaitingMedia();
  useTellingWhenSent(waiting);
  if (!waiting || waiting.videos.length === 0) return null;
  return (
    <Card aria-label="Videos on their way" className="mb-4 grid gap-3">
      <ul className="grid gap-3">
        {waiting.videos.map((video) => (
          <WaitingVideo key={video.id} video={video} />
        ))}
      </ul>
      {isMetered() && <Button onClick={sendAnyhow}>Send now</Button>}
    </Card>
  );
}

function WaitingVideo({ video }: { video: StoredVideo }) {
  const share = useUploadShare(video.id);
  const waits = isMetered() ? "Waits for Wi-Fi" : "Waits to be sent";
  return (
    <li className="grid gap-1 text-14">
      <p className="font-bold wrap-anywhere">{video.name}</p>
      {share !== undefined && <ProgressBar label={`Sending ${video.name}`} value={share} />}
      <p className="num text-ink-2">
        {share === undefined ? waits : `${Math.round(share * 100)}%`} · {megabytes(video.size)}
      </p>
    </li>
  );
}

/** Says so once all that has waited has arrived. */
function useTellingWhenSent(waiting: WaitingMedia | undefined): void {
  const seen = useRef({ photos: new Set<string>(), videos: new Set<string>() });
  useEffect(() => {
    if (!waiting) return;
    const { photos, videos } = seen.current;
    for (const id of waiting.photos) photos.add(id);
    for (const { id } of waiting.videos) videos.add(id);
    if (waiting.photos.length + waiting.videos.length > 0 || photos.size + videos.size === 0) return;
    toast.success(`Uploaded ${photos.size} photo(s) and ${videos.size} video(s)`);
    photos.clear();
    videos.clear();
  }, [waiting]);
}

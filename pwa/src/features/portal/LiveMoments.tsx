/** Owns what the sitter has sent of a visit before its report: photos and events, the newest first. */
import { useMinute } from "../../browser/clock";
import type { LiveMoment, ServiceView } from "../../core";
import { usePhotoUrl, useReplica, useSyncStatus } from "../../data";
import { cx } from "../../ui";
import { Photo } from "../../ui/Photo";

/** Events that are shown beside the last photo. */
const MOST_EVENTS = 3;

/** Returns the events that were sent of a visit; none for most, and once the report has taken their place. */
export function useLiveMoments(visit: ServiceView): LiveMoment[] {
  const now = useMinute();
  return useReplica((phone) => phone.liveMoments(visit.id, now));
}

/** The last photo with its time, and the last events. */
export function LastMoments({ visit }: { visit: ServiceView }) {
  const moments = useLiveMoments(visit);
  const last = moments.find((it) => it.photo);
  const events = moments.filter((it) => !it.photo).slice(0, MOST_EVENTS);
  if (moments.length === 0) return null;
  return (
    <div className="grid basis-full grid-cols-1 gap-2">
      {last && <LivePhoto moment={last} className="aspect-[4/3] w-full" />}
      <Moments moments={events} />
    </div>
  );
}

/** All photos and events. */
export function AllMoments({ moments }: { moments: readonly LiveMoment[] }) {
  const photos = moments.filter((it) => it.photo);
  return (
    <>
      {photos.length > 0 && (
        <div className={cx("grid gap-2", photos.length > 1 && "grid-cols-2")}>
          {photos.map((it) => (
            <LivePhoto key={it.id} moment={it} className={photos.length > 1 ? "aspect-square" : "aspect-[4/3]"} />
          ))}
        </div>
      )}
      <Moments moments={moments.filter((it) => !it.photo)} />
    </>
  );
}

function LivePhoto({ moment: { photo, text, time }, className }: { moment: LiveMoment; className: string }) {
  const url = usePhotoUrl(photo, false);
  const { online } = useSyncStatus();
  return (
    <figure className="grid gap-1">
      <Photo src={url} alt={`Photo, ${time}`} className={className} />
      <figcaption className="num text-14 text-ink-2 wrap-anywhere">
        {text}, {time}
        {url === undefined && !online && <span className="block">Shown once you are online.</span>}
      </figcaption>
    </figure>
  );
}

function Moments({ moments }: { moments: readonly LiveMoment[] }) {
  if (moments.length === 0) return null;
  return (
    <ul className="num grid gap-1">
      {moments.map(({ id, text, time }) => (
        <li key={id} className="flex gap-3">
          <span className="shrink-0 text-14 text-ink-2">{time}</span>
          <span dir="auto" className="min-w-0 whitespace-pre-line wrap-anywhere">
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}

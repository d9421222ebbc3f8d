/** Owns the photos of a report in a pet's stream: all of them that may show the pet, each to be seen large, saved and shared. */
import { Download, Share2 } from "lucide-react";
import { useEffect, useState } from "react";
import { download, givenToBrowser } from "../../browser/download";
import { formatNames, type Pet } from "../../core";
import { useBlobUrl } from "../../data";
import type { KeptReport } from "../../data/portal/keptReports";
import { Button, Dialog, DialogActions, toast } from "../../ui";
import { Photo } from "../../ui/Photo";

interface StreamPhotosProps {
  shareId: string;
  report: KeptReport;
  pet: Pet;
  /** Day of the report, for those who do not see the photos. */
  day: string;
}

export function StreamPhotos({ shareId, report: { page, photos }, pet, day }: StreamPhotosProps) {
  const [opened, setOpened] = useState<number>();
  // One that is of other pets alone is in their stream.
  const shown = page.events.flatMap(({ photo, dogs }) => {
    const isOf = !dogs || isNamed(pet.name, dogs);
    return isOf && photo !== null && photo !== undefined ? [photo] : [];
  });
  if (shown.length === 0) return null;
  const address = (at: number) => `/api/public/reports/${encodeURIComponent(shareId)}/photos/${at}`;
  return (
    <>
      <ul className="grid grid-cols-3 gap-2">
        {shown.map((at) => (
          <li key={at}>
            <button
              type="button"
              aria-label={`Photo ${at + 1}, ${day}`}
              className="w-full"
              onClick={() => setOpened(at)}
            >
              <Thumb address={address(at)} kept={photos.get(String(at))} />
            </button>
          </li>
        ))}
      </ul>
      {opened !== undefined && (
        <LargePhoto
          address={address(opened)}
          kept={photos.get(String(opened))}
          name={`${pet.name}, ${day}, ${opened + 1}.jpg`}
          title={`${pet.name}, ${day}`}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

/** True if a list of names as the report writes it, such as `Rex and Pepper`, has this name as a whole. */
export function isNamed(name: string, list: string): boolean {
  const separated = (names: string) => `, ${names.replaceAll(" and ", ", ")}, `;
  return separated(list).includes(separated(formatNames([name])));
}

interface PhotoFile {
  address: string;
  /** The photo as this phone has it. */
  kept: Blob | undefined;
}

function Thumb({ address, kept }: PhotoFile) {
  const url = useBlobUrl(kept);
  return <Photo src={kept ? url : `${address}?size=thumb`} alt="" className="aspect-square w-full" />;
}

interface LargePhotoProps extends PhotoFile {
  /** Name of the file. */
  name: string;
  title: string;
  onClose: () => void;
}

function LargePhoto({ address, kept, name, title, onClose }: LargePhotoProps) {
  const [blob, setBlob] = useState(kept);
  const [failed, setFailed] = useState(false);
  const url = useBlobUrl(blob);
  useEffect(() => {
    if (kept) return undefined;
    const stop = new AbortController();
    void load(address, stop.signal).then((found) => {
      if (stop.signal.aborted) return;
      setBlob(found);
      setFailed(!found);
    });
    return () => stop.abort();
  }, [address, kept]);
  const file = blob && new File([blob], name, { type: blob.type || "image/jpeg" });
  const canShare = file !== undefined && navigator.canShare?.({ files: [file] });
  const share = async () => {
    try {
      if (file) await navigator.share({ files: [file], title });
    } catch (error) {
      // Who closes the list of apps has changed their mind.
      if (!(error instanceof DOMException && error.name === "AbortError")) toast.error("The photo could not be shared");
    }
  };
  return (
    <Dialog open title={title} size="large" onClose={onClose}>
      {failed ? (
        <p role="alert">The photo could not be loaded. Check that you are online.</p>
      ) : (
        <Photo src={url} alt={title} className="aspect-[4/3] w-full" />
      )}
      <DialogActions>
        {canShare && (
          <Button kind="quiet" icon={<Share2 aria-hidden className="size-5" />} onClick={() => void share()}>
            Share
          </Button>
        )}
        <Button
          disabled={!blob}
          icon={<Download aria-hidden className="size-5" />}
          onClick={() => {
            if (!blob) return;
            download(blob, name);
            toast.success(givenToBrowser(name));
          }}
        >
          Save
        </Button>
      </DialogActions>
    </Dialog>
  );
}

async function load(address: string, signal: AbortSignal): Promise<Blob | undefined> {
  try {
    const response = await fetch(address, { redirect: "error", signal });
    const isPhoto = response.ok && response.headers.get("Content-Type")?.startsWith("image/");
    return isPhoto ? await response.blob() : undefined;
  } catch {
    return undefined;
  }
}

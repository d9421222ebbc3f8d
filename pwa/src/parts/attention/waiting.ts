/** Owns which files of a refused change still wait on this phone for the server. */
import { useEffect, useState } from "react";
import { business, type StoredPhoto } from "../../data";
import { getVideo } from "../../data/videos/videos";

/** Photos of a change that are still on their way to the server. */
async function photosOf(ids: readonly string[]): Promise<StoredPhoto[]> {
  const stored = await Promise.all(ids.map((id) => business().store.getPhoto(id)));
  return stored.filter((it) => it !== undefined).filter((it) => it.waiting);
}

/**
 * Returns the photos and videos of a change that are still on their way to the server: they must be named again when
 * the change is resent.
 */
export async function waitingOf(ids: readonly string[]): Promise<{ photos: StoredPhoto[]; videos: string[] }> {
  const videos = await Promise.all(ids.map((id) => getVideo(business().store, id)));
  return {
    photos: await photosOf(ids),
    videos: videos
      .filter((it) => it !== undefined)
      .filter((it) => it.waiting)
      .map((it) => it.id),
  };
}

/** `photosOf`, for a form; `undefined` until they are known. */
export function useFixPhotos(fix: { photos: readonly string[] } | undefined): StoredPhoto[] | undefined {
  const key = fix?.photos.join(" ") ?? "";
  const [photos, setPhotos] = useState<StoredPhoto[] | undefined>(key === "" ? [] : undefined);
  useEffect(() => {
    if (key === "") return undefined;
    let current = true;
    void photosOf(key.split(" ")).then((found) => current && setPhotos(found));
    return () => {
      current = false;
    };
  }, [key]);
  return photos;
}

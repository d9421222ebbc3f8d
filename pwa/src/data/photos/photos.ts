/**
 * Owns photos as the phone shows them: also with no network, and fetched with the bearer token when another phone has
 * taken them.
 */
import { useEffect, useState } from "react";
import { type OpenBusiness, openBusiness } from "../business/openBusiness";
import { pathIn } from "../server/api";
import { sessionToken } from "../session/session";
import type { Place } from "../store/db";

/** Object URLs by photo id, of the business that is open. */
const urls = new Map<string, string>();
let shownOf: OpenBusiness | undefined;

/** Revokes the URLs of another business's photos: the ids of one person's photos say nothing to the next. */
function forgetOthers(): void {
  if (shownOf === openBusiness()) return;
  shownOf = openBusiness();
  for (const url of urls.values()) URL.revokeObjectURL(url);
  urls.clear();
}

/**
 * A URL under which a photo can be shown, once it is known; `undefined` while it loads or where there is none. With
 * `keeps` as false it is not stored on this phone: what may be taken back leaves nothing here.
 */
export function usePhotoUrl(id: string | null | undefined, keeps = true): string | undefined {
  const [url, setUrl] = useState(() => (id ? urls.get(id) : undefined));
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const look = async (id: string) => {
      const found = await photoUrl(id, keeps);
      if (signal.aborted) return;
      setUrl(found);
      // With the network it can be had.
      if (!found) addEventListener("online", () => void look(id), { once: true, signal });
    };
    if (id) void look(id);
    else setUrl(undefined);
    return () => left.abort();
  }, [id, keeps]);
  return url;
}

async function photoUrl(id: string, keeps: boolean): Promise<string | undefined> {
  forgetOthers();
  const known = urls.get(id);
  if (known) return known;
  const store = openBusiness()?.store;
  const stored = await store?.getPhoto(id).catch(() => undefined);
  const blob = stored?.full ?? (await fetchPhoto(id, store?.place));
  if (!blob) return undefined;
  const url = URL.createObjectURL(blob);
  urls.set(id, url);
  // A phone that is too full to keep it shows it all the same, and fetches it again the next time.
  if (!stored && keeps)
    await store?.putPhoto({ id, full: blob, waiting: false, stored_at: Date.now() }).catch(() => undefined);
  return url;
}

async function fetchPhoto(id: string, place: Place | undefined): Promise<Blob | undefined> {
  const token = sessionToken(place ? "client" : "sitter");
  if (!token) return undefined;
  try {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`/api${pathIn(`/photos/${id}`, place)}`, { headers, redirect: "error" });
    // A hotel's page is no photo, and would stay one.
    const isPhoto = response.ok && response.headers.get("Content-Type")?.startsWith("image/");
    return isPhoto ? await response.blob() : undefined;
  } catch {
    return undefined; // no network: the initials stand in, and the next look tries again
  }
}

/** A URL for a file that is in memory, as long as it is shown. */
export function useBlobUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) {
      setUrl(undefined);
      return undefined;
    }
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}

/** Owns sending the ends of live maps that wait on the disk, as after a reload, whatever screen is shown. */
import { useEffect } from "react";
import { endStoredLiveMaps } from "../../data/walks/liveMaps";
import { useStoredLiveMapEnds } from "../../data/walks/walks";

/** Sends them while the caller is shown. */
export function useSendingLiveMapEnds(): void {
  const stored = useStoredLiveMapEnds();
  useEffect(() => {
    if (stored) void endStoredLiveMaps(stored);
  }, [stored]);
}

/** Sends them; shows nothing. */
export default function LiveMapEnds() {
  useSendingLiveMapEnds();
  return null;
}

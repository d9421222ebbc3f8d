/** Owns sending the ends of live maps that wait on the disk, as after a reload, whatever screen is shown. */
import { useEffect } from "react";
import { endStoredLiveMaps } from "../../data/walks/liveMaps";
import { useWalks } from "../../data/walks/walks";

/** Sends them while the caller is shown. */
export function useStoredLiveMapEnds(): void {
  const walks = useWalks();
  useEffect(() => {
    if (walks) void endStoredLiveMaps(walks);
  }, [walks]);
}

/** Sends them; shows nothing. */
export default function LiveMapEnds() {
  useStoredLiveMapEnds();
  return null;
}

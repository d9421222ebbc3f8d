/** Owns finding the way to a door for its screen: again when the walker has come on, and when more of the map is here. */
import { useEffect, useState } from "react";
import type { GeneratedRoute, Place } from "../../core";
import { findWay } from "../../map/search";
import { onMapChange } from "../../map/tiles";

/** About 40 m: whoever came on so far sees what lies before them, and not what lies behind. */
const STEP_E7 = 4_000;

interface FoundRoute {
  way?: GeneratedRoute | undefined;
  /** Why there is none, in words for the person. */
  text?: string | undefined;
}

export function useWay(from: Place | undefined, door: Place): FoundRoute & { isLooking: boolean } {
  const [found, setFound] = useState<FoundRoute>();
  const [tiles, setTiles] = useState(0);
  useEffect(() => onMapChange(() => setTiles((it) => it + 1)), []);
  const square = from && `${Math.round(from.lat_e7 / STEP_E7)} ${Math.round(from.lon_e7 / STEP_E7)}`;
  useEffect(() => {
    if (!from) return undefined;
    let current = true;
    void findWay(from, door)
      .then((answer): FoundRoute => (answer.status === "ok" ? { way: answer.value } : { text: answer.error.text }))
      .catch((): FoundRoute => ({ text: "The search for the way broke down. Go back and try again." }))
      // The way that is shown stays until there is another.
      .then((next) => current && setFound(next));
    return () => {
      current = false;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [square, door, tiles]);
  return { ...found, isLooking: from !== undefined && !found };
}

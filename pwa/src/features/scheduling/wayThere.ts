/**
 * Owns when a sitter who is on the way should be there, by the way from the visit before: chosen on this device, told to
 * the client only with the sitter's own word. No position of the phone is asked for, and no server hears of the way.
 */
import { useEffect, useState } from "react";
import type { WayThere } from "../../core";
import { useRead } from "../../data";

export type Means = "foot" | "wheels" | "none";

const KEY = "walkies-way-there";

const isMeans = (it: string | null): it is Means => it === "foot" || it === "wheels" || it === "none";

interface Arrival {
  means: Means;
  choose: (means: Means) => void;
  /** Minutes to tell; absent where the sitter tells no time. */
  minutes: number | undefined;
  /** The words that the client reads. */
  told: string;
}

/** Absent where the way is not known. */
export function useArrival(id: string, now: number): Arrival | undefined {
  const way = useRead((phone) => phone.wayThere(id, now), id, now);
  const [means, setMeans] = useState<Means>(() => {
    const chosen = localStorage.getItem(KEY);
    return isMeans(chosen) ? chosen : "wheels";
  });
  const found = useFoundMinutes(means === "foot" ? way : undefined);
  const minutes = { foot: found ?? way?.on_foot ?? undefined, wheels: way?.on_wheels, none: undefined }[means];
  const told = useRead((phone) => phone.toldOnTheWay(id, minutes, now), id, minutes, now);
  if (!way || told === undefined) return undefined;
  const choose = (next: Means) => {
    localStorage.setItem(KEY, next);
    setMeans(next);
  };
  return { means, choose, minutes, told };
}

/** Minutes of the way on foot that the router of this phone finds; absent where its map has none. */
function useFoundMinutes(way: WayThere | undefined): number | undefined {
  const [found, setFound] = useState<{ key: string; minutes: number }>();
  const key = way && JSON.stringify([way.from, way.to]);
  useEffect(() => {
    let isCurrent = true;
    const look = async () => {
      if (key === undefined) return;
      const [from, to] = JSON.parse(key) as [WayThere["from"], WayThere["to"]];
      const { findWay } = await import("../../map/search");
      const answer = await findWay(from, to);
      if (isCurrent && answer.status === "ok") setFound({ key, minutes: Math.ceil(answer.value.duration / 60) });
    };
    // Without a map the estimate stays.
    void look().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return found?.key === key ? found?.minutes : undefined;
}

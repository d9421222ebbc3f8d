/**
 * Owns the search of an address by the geocoder of others: its name, what it found, and why it found nothing. What was typed
 * leaves the phone when the person asks for it, and not before.
 */
import { useEffect, useRef, useState } from "react";
import { useSyncStatus } from "../../data";
import { askGeocoder, type FoundAddress, geocoderName } from "../../map/addresses";
import { useBusy } from "../../ui";

interface Question {
  text: string;
  /** The text is one to search for. */
  isWanted: boolean;
  /** The address is that of an area. */
  isArea: boolean;
  onFound: (addresses: FoundAddress[], by: string) => void;
  onNothing: () => void;
}

export interface Geocoder {
  /** Its name, where it can be asked for this text. */
  name: string | undefined;
  busy: boolean;
  ask: () => Promise<void>;
  /** Words for the person: why there is nothing, or that only the map is searched. */
  said: string | undefined;
}

export function useGeocoder({ text, isWanted, isArea, onFound, onNothing }: Question): Geocoder {
  const { online, unreachable } = useSyncStatus();
  const { busy, run } = useBusy();
  const [name, setName] = useState<string | null>();
  const [problem, setProblem] = useState<{ about: string; said: string }>();
  // The text as it is when an answer comes.
  const latest = useRef<string>(undefined);
  useEffect(() => {
    latest.current = text;
    return () => {
      latest.current = undefined;
    };
  });
  useEffect(() => {
    if (!isWanted || !online) return undefined;
    let isGone = false;
    void geocoderName().then((it) => {
      if (!isGone) setName(it);
    });
    return () => {
      isGone = true;
    };
  }, [isWanted, online]);

  const ask = async (by: string) => {
    setProblem(undefined);
    const said = await search(text, by, isArea);
    if (latest.current !== text) return;
    if (typeof said !== "string") return onFound(said, by);
    onNothing();
    setProblem({ about: text, said });
  };
  const isAvailable = isWanted && online && !!name;
  const isOffline = isWanted && !online && name !== null;
  return {
    name: isAvailable ? name : undefined,
    busy,
    ask: () => run(() => (isAvailable ? ask(name) : Promise.resolve())),
    said: isOffline
      ? `${unreachable ?? "No network"}: only the map on this phone is searched.`
      : problem?.about === text
        ? problem.said
        : undefined,
  };
}

/** Addresses, at least one; or why there is none and what to do about it, in words for the person. */
async function search(text: string, by: string, isArea: boolean): Promise<FoundAddress[] | string> {
  const byHand = isArea ? "set the middle on the map" : "set the pin on the map";
  const answer = await askGeocoder(text);
  if (answer.ok) {
    const { is_answered, addresses } = answer.value;
    if (addresses.length > 0) return addresses;
    return is_answered
      ? `${by} found nothing for these words. Add the town, or ${byHand}.`
      : `${by} did not answer. Try again later, or ${byHand}.`;
  }
  const { error } = answer;
  if (error.kind === "offline") return `No connection. Try again once you are online, or ${byHand}.`;
  if (error.kind === "server" && error.retryAfterS) {
    const when = error.retryAfterS > A_MOMENT_S ? "in a few minutes" : "in a moment";
    return `Too many searches just now. Try again ${when}, or ${byHand}.`;
  }
  return error.text;
}

const A_MOMENT_S = 10;

/**
 * Owns where an emergency is: it asks the phone again and again while it is shown. What it hears is for this screen alone:
 * tracking has stopped, and none of it comes into the walk's log.
 */
import { useEffect, useState } from "react";
import { useNow } from "../../browser/clock";
import { type EmergencyPlace, emergencyPlace, type WalkHere, walkTexts } from "../../core/walk";
import { useReplica } from "../../data";

/** Between an answer and the next question: short, so that a phone's receiver stays on and gets more precise. */
const ASK_AGAIN_MS = 2_000;
/** More than come in the half minute for which a position is one of now. */
const KEPT = 20;

interface Whereabouts {
  /** The place in words; absent where the phone has never known it. */
  place: EmergencyPlace | undefined;
  /** Why there is no position of now, in words for the person. */
  problem: string | undefined;
}

/** Says where the phone is; `last` is the walk's last known place. */
export function useEmergencyPlace(last: WalkHere | null): Whereabouts {
  const now = useNow();
  const { zone, cycle, units } = useReplica((phone) => ({
    zone: phone.zone(),
    cycle: phone.hourCycle(),
    units: phone.units(),
  }));
  const [known, setKnown] = useState<readonly WalkHere[]>([]);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const texts = walkTexts();
    if (!("geolocation" in navigator)) {
      setProblem(texts.location_unsupported);
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isShown = true;
    const askLater = () => {
      if (isShown) timer = setTimeout(ask, ASK_AGAIN_MS);
    };
    // Asked one by one: a watch may be dead after a while in the background, and says nothing new of a phone that lies still.
    const ask = () =>
      navigator.geolocation.getCurrentPosition(
        (position) => {
          if (!isShown) return;
          setKnown((before) => [...before, hereOf(position)].slice(-KEPT));
          setProblem(undefined);
          askLater();
        },
        ({ code, PERMISSION_DENIED }) => {
          if (!isShown) return;
          // Somebody may allow it now: it is asked again.
          setProblem(code === PERMISSION_DENIED ? texts.location_denied : texts.location_failed);
          askLater();
        },
        { enableHighAccuracy: true, maximumAge: 0, timeout: texts.location_timeout_ms },
      );
    ask();
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, []);
  const place = emergencyPlace(last ? [last, ...known] : [...known], now, zone, cycle, units);
  return { place, problem: place?.is_now ? undefined : problem };
}

const hereOf = ({ coords, timestamp }: GeolocationPosition): WalkHere => ({
  place: { lat_e7: Math.round(coords.latitude * 1e7), lon_e7: Math.round(coords.longitude * 1e7) },
  at: timestamp,
  accuracy_m: coords.accuracy,
});

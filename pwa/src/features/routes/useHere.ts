/** Owns where the phone is while a screen shows it. What is known of it stays on the phone. */
import { useEffect, useState } from "react";
import type { Place } from "../../core";
import { walkTexts } from "../../core/walk";
import { trackedWalk } from "../walk";
import { POSITION_MAX_AGE_MS, placeAt } from "./start";

export interface Here {
  place: Place;
  /** Radius of uncertainty in meters. */
  accuracy_m: number;
}

/** The phone's last known position, for as long as the app is open. */
let last: Here | undefined;

/** The position, again when it changes; `problem`: why there is none, in words for the person. */
export function useHere(): { here: Here | undefined; problem: string | undefined } {
  const [here, setHere] = useState<Here | undefined>(() => trackedWalk()?.walk.here ?? undefined);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const texts = walkTexts();
    const fail = (text: string) => {
      setProblem(text);
      // Better than nothing; the screen says of when it is.
      setHere((known) => known ?? last);
    };
    if (!("geolocation" in navigator)) {
      fail(texts.location_unsupported);
      return undefined;
    }
    const watch = navigator.geolocation.watchPosition(
      ({ coords }) => {
        last = { place: placeAt(coords.latitude, coords.longitude), accuracy_m: coords.accuracy };
        setHere(last);
        setProblem(undefined);
      },
      ({ code, PERMISSION_DENIED }) => fail(code === PERMISSION_DENIED ? texts.location_denied : texts.location_failed),
      { enableHighAccuracy: true, maximumAge: POSITION_MAX_AGE_MS, timeout: texts.location_timeout_ms },
    );
    return () => navigator.geolocation.clearWatch(watch);
  }, []);
  return { here, problem };
}

/** Owns that the reminder of an incomplete profile was put off on this phone, and until when. */
import { useState } from "react";

/** Also among what goes when its person leaves (`data/locked.ts`). */
const KEY = "walkies-profile-later";
/** Long enough to be left in peace, short enough not to be forgotten. */
const WEEK_MS = 7 * 24 * 3_600_000;

/** Whether it was put off when the app was opened or since, and what puts it off. */
export function useLater(): [isLater: boolean, putOff: () => void] {
  const [isLater, setLater] = useState(() => Date.now() < Number(localStorage.getItem(KEY)));
  const putOff = () => {
    localStorage.setItem(KEY, String(Date.now() + WEEK_MS));
    setLater(true);
  };
  return [isLater, putOff];
}

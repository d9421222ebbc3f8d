/** Owns that the reminder of an incomplete profile was put off on this device, and until when; for how long, the core says. */
import { useState } from "react";
import { limits } from "../core";

/** Also among what goes when its person leaves (`data/locked/locked.ts`). */
const KEY = "walkies-profile-later";
const DAY_MS = 24 * 3_600_000;

/** Returns whether the reminder was put off, before the app was opened or since, and the function that puts it off. */
export function useProfileReminder(): [isSnoozed: boolean, snooze: () => void] {
  const [isSnoozed, setSnoozed] = useState(() => Date.now() < Number(localStorage.getItem(KEY)));
  const snooze = () => {
    localStorage.setItem(KEY, String(Date.now() + limits().profile_later_days * DAY_MS));
    setSnoozed(true);
  };
  return [isSnoozed, snooze];
}

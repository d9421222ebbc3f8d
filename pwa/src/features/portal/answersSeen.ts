/** Owns which answers to requests this device has shown, and since when: after a day they leave the first screen. */
import { useEffect, useState } from "react";
import type { RequestCard } from "../../core";

const KEY = "walkies-answers-seen";
const SHOWN_MS = 24 * 3_600_000;
/** The core names an answer for a week. */
const KEPT_MS = 8 * 24 * 3_600_000;

/** Returns the moment at which each answer was first shown, by the request's id. */
function seen(): Record<string, number> {
  try {
    return { ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return {}; // a browser that keeps nothing
  }
}

/** Returns the answers among these requests that are new or were first shown less than a day ago. */
export function useFreshAnswers(cards: readonly RequestCard[], now: number): RequestCard[] {
  const [known, setKnown] = useState(seen);
  const answered = cards.filter((it) => it.status !== "pending");
  const unseen = answered.filter((it) => known[it.id] === undefined).map((it) => it.id);
  const ids = unseen.join();
  useEffect(() => {
    if (ids === "") return;
    const kept = Object.entries(seen()).filter(([, at]) => Date.now() - at < KEPT_MS);
    const shown = ids.split(",").map((id) => [id, Date.now()] as const);
    const next = { ...Object.fromEntries(shown), ...Object.fromEntries(kept) };
    setKnown(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Then they stay for the week that the core names them.
    }
  }, [ids]);
  return answered.filter((it) => now - (known[it.id] ?? now) < SHOWN_MS);
}

/**
 * Owns whether the guided start is shown on this phone: who it is for, whether it was put off, and that it is over for
 * good. By person and not among what goes when that person leaves: an opaque id and a word say nothing of anybody.
 */

import { useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";
import type { GuidedStart } from "../../core";
import { useFirstReplica, useSession } from "../../data";

type State = "open" | "folded" | "over";

const KEY = "walkies-guided-start";
/** People on one phone; the one who began first is forgotten first. */
const MOST = 10;

const changes = new Listeners();
function all(): Record<string, State> {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {}) as Record<string, State>;
  } catch {
    return {};
  }
}

function put(userId: string, state: State): void {
  const others = Object.entries(all()).filter(([id]) => id !== userId);
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...others, [userId, state]].slice(-MOST))));
  changes.notify();
}

export interface Guide {
  /** Steps that the business has done; `undefined` where the guide is not for this person, or not any more. */
  done: GuidedStart | undefined;
  isFolded: boolean;
  set: (state: State) => void;
  /** From now on it stays until it is done: a client and a visit are what it leads to. */
  begin: () => void;
}

export function useGuide(): Guide {
  const userId = useSession().user?.id ?? "";
  const state = useSyncExternalStore(changes.subscribe, () => all()[userId]);
  const done = useFirstReplica((phone) =>
    state === "over" || !phone.hasLoaded() ? undefined : phone.guidedStart(state !== undefined),
  );
  const begin = () => {
    if (all()[userId] === undefined) put(userId, "open");
  };
  return { done, isFolded: state === "folded", set: (next) => put(userId, next), begin };
}

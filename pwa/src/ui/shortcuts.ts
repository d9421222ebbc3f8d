/**
 * Owns single-key shortcuts: `n` for new, `/` for search. They rest while someone types or a dialog is open,
 * and whoever sets one also names it, so that the list behind `?` is always true.
 */

import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { Listeners } from "../browser/listeners";

export interface Shortcut {
  key: string;
  /** Name of its action: 'Add a client'. */
  does: string;
}

interface Listening extends Shortcut {
  /** Absent where the part that has the focus hears the key itself. */
  run?: () => void;
}

let listening: readonly Listening[] = [];
const changes = new Listeners();

function set(next: readonly Listening[]): void {
  listening = next;
  changes.notify();
}

/** While the caller is shown and `enabled`, `key` runs `act`. The one set last wins. */
export function useShortcut(key: string, does: string, act: () => void, enabled = true): void {
  const run = useEffectEvent(act);
  useEffect(() => {
    if (!enabled) return undefined;
    const entry = { key, does, run: () => run() };
    set([...listening, entry]);
    return () => set(listening.filter((it) => it !== entry));
  }, [key, does, enabled]);
}

/** Names keys that a part of the screen hears by itself while it has the focus: `Alt + ↑ ↓`. */
export function useKeyNote(key: string, does: string, enabled = true): void {
  useEffect(() => {
    if (!enabled) return undefined;
    const entry = { key, does };
    set([...listening, entry]);
    return () => set(listening.filter((it) => it !== entry));
  }, [key, does, enabled]);
}

/** Returns the shortcuts that are active right now. */
export function useShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(changes.subscribe, () => listening);
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && !isToggle(target)));

const isToggle = (target: HTMLElement) =>
  target instanceof HTMLInputElement && (target.type === "checkbox" || target.type === "radio");

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
  const hit = listening.findLast((it) => it.key === event.key);
  if (!hit?.run) return;
  event.preventDefault();
  hit.run();
});

/** Owns whether the app is light or dark: as the system says, or as the person has chosen on this phone. */

import { useSyncExternalStore } from "react";
import { Listeners } from "../browser/listeners";

export type Theme = "system" | "light" | "dark";

const KEY = "walkies-theme";
const changes = new Listeners();

/** Returns the person's choice on this phone; `system` where nobody has chosen. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** Paints by what was chosen; the entry calls it before anything is shown. */
export function applyTheme(): void {
  const theme = chosenTheme();
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  // The phone's own bars follow: each of the two metas speaks for one system setting, so a choice goes into both.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.dataset.own ??= meta.content;
    const other = document.querySelector<HTMLMetaElement>(`meta[name="theme-color"][media*="${theme}"]`);
    meta.content = (other?.dataset.own ?? other?.content ?? meta.dataset.own) || meta.content;
  }
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme();
  changes.notify();
}

/** `chosenTheme`, again when it is another one, in whatever tab. */
export const useTheme = (): Theme => useSyncExternalStore(changes.subscribe, chosenTheme);

// Another tab's choice is this one's too.
addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  applyTheme();
  changes.notify();
});

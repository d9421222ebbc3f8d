/** Owns counting how often a finger comes down on a page: what a person does there, and not what a test does. */
import type { Page } from "@playwright/test";

declare global {
  interface Window {
    /** Times that a finger came down since the page was loaded or this was set to nothing. */
    taps: number | undefined;
  }
}

/** From now on fingers on this page are counted; going on to another page of the app goes on counting. */
export async function countTaps(page: Page): Promise<void> {
  await page.evaluate(() => {
    const isCounting = window.taps !== undefined;
    window.taps = 0;
    if (isCounting) return;
    addEventListener(
      "pointerdown",
      () => {
        // `Finger` hears at a corner of the glass that the page has had all of a touch.
        if (document.documentElement.dataset.corner === undefined) window.taps = (window.taps ?? 0) + 1;
      },
      { capture: true },
    );
  });
}

/** How often it was since then. */
export async function taps(page: Page): Promise<number> {
  const count = await page.evaluate(() => window.taps);
  if (count === undefined) throw new Error("Nobody counts: the page was loaded anew.");
  return count;
}

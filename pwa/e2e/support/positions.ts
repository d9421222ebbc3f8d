/** Owns a phone that goes along a recorded track: the app's own questions for its position, answered from the file. */
import type { BrowserContext, Page } from "@playwright/test";
import type { Fix } from "./tracks";

declare global {
  interface Window {
    /** When the first fix was, in the phone's time; known once the app has asked for positions. */
    trackBegan: number | undefined;
  }
}

/**
 * From now on pages of this phone are where the track was, each fix as long after the first as it was recorded.
 * The first is when the app asks, or `began`, for a phone that goes on.
 */
export async function follow(context: BrowserContext, track: readonly Fix[], began?: number): Promise<void> {
  const first = track[0]?.at ?? 0;
  const fixes = track.map((it) => ({ ...it, at: it.at - first }));
  await context.addInitScript(play, { fixes, began });
}

/** When the track began on this phone. */
export async function trackBegan(page: Page): Promise<number> {
  const began = await page.evaluate(() => window.trackBegan);
  if (began === undefined) throw new Error("Nobody has asked where the phone is.");
  return began;
}

/** Lets so much time go by, a minute at once: no page can answer for an hour that passes in one step. */
export async function walkFor(page: Page, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 60) await page.clock.runFor(Math.min(left, 60) * 1000);
}

function play({ fixes, began }: { fixes: Fix[]; began: number | undefined }): void {
  window.trackBegan = began;
  const watches = new Map<number, ReturnType<typeof setTimeout>>();
  let last = 0;
  const told = ({ at, lat, lon, altitude }: Fix, start: number) =>
    ({
      timestamp: start + at,
      coords: { latitude: lat, longitude: lon, accuracy: 5, altitude },
    }) as GeolocationPosition;
  const geolocation = {
    watchPosition(report: PositionCallback): number {
      window.trackBegan ??= Date.now();
      const start = window.trackBegan;
      last += 1;
      const id = last;
      const next = (place: number) => {
        const fix = fixes[place];
        if (!fix) return;
        const wait = start + fix.at - Date.now();
        const tell = () => {
          next(place + 1);
          report(told(fix, start));
        };
        watches.set(id, setTimeout(tell, Math.max(0, wait)));
      };
      next(fixes.findIndex((it) => start + it.at >= Date.now()));
      return id;
    },
    clearWatch(id: number): void {
      clearTimeout(watches.get(id));
      watches.delete(id);
    },
  };
  Object.defineProperty(Navigator.prototype, "geolocation", { get: () => geolocation });
}

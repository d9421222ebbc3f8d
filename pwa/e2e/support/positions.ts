/** Owns a phone that goes along a recorded track: the app's own questions for its position, answered from the file. */
import type { BrowserContext, Page } from "@playwright/test";
import type { Fix } from "./tracks";

declare global {
  interface Window {
    /** When the first fix was, in the phone's time; known once the app has asked for positions. */
    trackBegan: number | undefined;
    /** Puts a phone that `stand`s elsewhere. */
    walkTo: (lat: number, lon: number) => void;
  }
}

/** A place in degrees. */
export interface Spot {
  lat: number;
  lon: number;
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

/** From now on time goes by in `walkFor` alone, however long the machine takes in between. It is a minute later then. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
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
    getCurrentPosition(report: PositionCallback): void {
      window.trackBegan ??= Date.now();
      const start = window.trackBegan;
      const here = fixes.findLast((it) => start + it.at <= Date.now());
      if (here) report(told(here, start));
    },
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

/** From now on pages of this phone are at `spot`, until `walkAlong` takes them elsewhere. */
export async function stand(context: BrowserContext, spot: Spot): Promise<void> {
  await context.addInitScript(standing, spot);
}

/** Walks along a line at a walker's pace, a position every two seconds. */
export async function walkAlong(page: Page, line: readonly Spot[]): Promise<void> {
  const spots = spread(line, 2 * METERS_PER_SECOND);
  await page.evaluate((all) => {
    for (const [at, { lat, lon }] of all.entries()) setTimeout(() => window.walkTo(lat, lon), (at + 1) * 2_000);
  }, spots);
  await walkFor(page, spots.length * 2 + 1);
}

const METERS_PER_SECOND = 1.34;
const METERS_PER_DEGREE = 111_320;

/** Points on a line, so many meters apart, with its end. */
function spread(line: readonly Spot[], meters: number): Spot[] {
  const spots: Spot[] = [];
  let rest = 0;
  for (const [at, to] of line.entries()) {
    const from = line[at - 1];
    if (!from) continue;
    const length = metersBetween(from, to);
    let along = meters - rest;
    for (; along <= length; along += meters) spots.push(between(from, to, along / length));
    rest = length - (along - meters);
  }
  return [...spots, ...line.slice(-1)];
}

const between = (from: Spot, to: Spot, share: number): Spot => ({
  lat: from.lat + (to.lat - from.lat) * share,
  lon: from.lon + (to.lon - from.lon) * share,
});

/** Good for a walk's lengths. */
export function metersBetween(from: Spot, to: Spot): number {
  const east = (to.lon - from.lon) * Math.cos((from.lat * Math.PI) / 180);
  return Math.hypot(to.lat - from.lat, east) * METERS_PER_DEGREE;
}

function standing(spot: { lat: number; lon: number }): void {
  let here = spot;
  let last = 0;
  const watches = new Map<number, PositionCallback>();
  const told = () =>
    ({
      timestamp: Date.now(),
      coords: { latitude: here.lat, longitude: here.lon, accuracy: 5, altitude: null },
    }) as unknown as GeolocationPosition;
  window.walkTo = (lat, lon) => {
    here = { lat, lon };
    for (const report of watches.values()) report(told());
  };
  const geolocation = {
    getCurrentPosition: (report: PositionCallback) => report(told()),
    watchPosition(report: PositionCallback): number {
      last += 1;
      watches.set(last, report);
      setTimeout(() => report(told()), 0);
      return last;
    },
    clearWatch: (id: number) => watches.delete(id),
  };
  Object.defineProperty(Navigator.prototype, "geolocation", { get: () => geolocation });
}

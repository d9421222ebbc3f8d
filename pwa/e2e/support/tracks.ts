/** Owns real recorded tracks as what a phone's positions are played from. They lie beside the project, not in it. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export interface Fix {
  /** Milliseconds since 1970, as recorded. */
  at: number;
  lat: number;
  lon: number;
  altitude: number | null;
}

const SHARED = process.env.WALKIES_DATA ?? resolve(import.meta.dirname, "../../../../shared");

/** Thirty-nine minutes at a fix a second through a town in New Jersey. */
export const BRISK_WALK = "gpsbabel_vitovtt_brisk_walk_nj.gpx";

/** Why a test on this track cannot run here, or nothing. Where `CI` is set the track must be there. */
export function withoutTrack(name: string): string | undefined {
  const path = join(SHARED, "tracks", name);
  if (existsSync(path)) return undefined;
  const why = `left out: there is no ${path}; set WALKIES_DATA to the folder that has tracks/`;
  if (process.env.CI) throw new Error(why);
  process.stderr.write(`${why}\n`);
  return why;
}

/** The fixes of a GPX file, in its order. */
export function readTrack(name: string): Fix[] {
  return fixesOf(readFileSync(join(SHARED, "tracks", name), "utf8"));
}

export function fixesOf(gpx: string): Fix[] {
  return [...gpx.matchAll(/<trkpt lat="([^"]+)" lon="([^"]+)">(.*?)<\/trkpt>/gs)].map(([, lat, lon, inside]) => {
    const of = (tag: string) => new RegExp(`<${tag}>([^<]+)</${tag}>`).exec(inside ?? "")?.[1];
    const height = of("ele");
    return {
      at: Date.parse(of("time") ?? ""),
      lat: Number(lat),
      lon: Number(lon),
      altitude: height === undefined ? null : Number(height),
    };
  });
}

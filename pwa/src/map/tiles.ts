/**
 * Owns the map on this phone as screens see it: how it stands, fetching and removing it, and its sheets. Load it from
 * screens that come later; nothing of it belongs to the first load.
 */

import { use, useEffect, useState, useSyncExternalStore } from "react";
import { afterPaint } from "../browser/afterPaint";
import { Listeners } from "../browser/listeners";
import type { BlankGround, MapAnswer, MapPlaces, MapStatus, MapUse, Place } from "../core/map";
import { openBusiness, subscribeToReplica } from "../data/business/openBusiness";
import { call } from "../data/server/api";
import { hasPlaces, type SheetRequest } from "./calls";
import { keeper } from "./mapWorker";

export type { MapStatus } from "../core/map";

let status: MapStatus | undefined;
let looking: Promise<MapStatus> | undefined;
const changes = new Listeners();

function show(next: MapStatus): MapStatus {
  status = next;
  changes.notify();
  return next;
}
keeper.onStatus = show;

/**
 * Returns the places of which the map is wanted, as far as this phone knows: the sitter's area and the clients' homes.
 */
function places(): MapPlaces {
  const phone = openBusiness()?.phone;
  const sitter = phone?.sitter();
  const { service_area_lat: lat = null, service_area_lng: lng = null, service_area_radius_miles = 0 } = sitter ?? {};
  const homes = (phone?.clients("") ?? []).flatMap(({ client: { lat, lng } }) =>
    lat === null || lng === null ? [] : [{ lat, lng }],
  );
  return { middle: lat === null || lng === null ? null : { lat, lng }, radius_miles: service_area_radius_miles, homes };
}

const BROKEN: MapStatus = {
  state: "failed",
  tiles: 0,
  bytes: 0,
  done: 0,
  wanted: 0,
  server_lacks_it: false,
  can_download: true,
  text: "The map could not be loaded.",
};

/** Reads how the map stands; what is missing of it, or newer, comes where it may come unasked. */
const look = (): Promise<MapStatus> =>
  keeper
    .ask("look", [places()])
    .catch(() => BROKEN)
    .then(show);

let leaveAll: (() => void) | undefined;

/** Looks again when a client moves or the first pull comes, which changes what is wanted, and when the network comes or goes. */
function lookOnChanges(): () => void {
  const see = () => void look();
  const leave = subscribeToReplica(see);
  for (const event of ["online", "offline"]) addEventListener(event, see);
  return () => {
    leave();
    for (const event of ["online", "offline"]) removeEventListener(event, see);
  };
}

function subscribe(listener: () => void): () => void {
  const leave = changes.subscribe(listener);
  leaveAll ??= lookOnChanges();
  return () => {
    leave();
    if (changes.size > 0) return;
    leaveAll?.();
    leaveAll = undefined;
  };
}

/** How the map on this phone stands; suspends until that is known, which takes one look at the disk. */
export function useMapStatus(): MapStatus {
  looking ??= look();
  const first = use(looking);
  return useSyncExternalStore(subscribe, () => status ?? first);
}

/** A client who moves wants another map, but not within seconds. */
const SEEN_EVERY_MS = 10_000;

/** Sees to it that the map comes unasked where it may: now, when there is a network again, and when other places need it. */
export function keepMap(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const see = () => {
    timer = undefined;
    void look();
  };
  see();
  addEventListener("online", see);
  const leave = subscribeToReplica(() => {
    timer ??= setTimeout(see, SEEN_EVERY_MS);
  });
  return () => {
    clearTimeout(timer);
    removeEventListener("online", see);
    leave();
  };
}

/** Squares of the ground of about a kilometer: whether there is a map does not change with each step. */
const SQUARE_E7 = 1e5;

/** Why no map is drawn at a place, for what it is used for; nothing where one is, and while that is not known. */
export function useBlankGround(place: Place | undefined, use: MapUse = "walk"): BlankGround | undefined {
  const [blank, setBlank] = useState<BlankGround>();
  const square = place && `${Math.floor(place.lat_e7 / SQUARE_E7)} ${Math.floor(place.lon_e7 / SQUARE_E7)}`;
  useEffect(() => {
    if (!place) return undefined;
    let current = true;
    const ask = () =>
      void keeper
        .ask("ground", [places(), place, use, serverHasMap])
        .catch(() => null)
        .then((it) => current && setBlank(it ?? undefined));
    ask();
    // Without places the server was asked for no tiles.
    if (serverHasMap === null && !hasPlaces(places())) void askForMap().then(() => current && ask());
    const leave = subscribe(ask);
    for (const event of ["online", "offline"]) addEventListener(event, ask);
    return () => {
      current = false;
      leave();
      for (const event of ["online", "offline"]) removeEventListener(event, ask);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [square, use]);
  return place && blank;
}

/** Fetches what is missing of where the sitter works, or newer on the server; how it goes is the status's to tell. */
export const downloadMap = (): Promise<void> => keeper.ask("download", [places()]).catch(() => void show(BROKEN));

/** Fetches the map of a walk that everybody may see: the server is told where it lies. Where it cannot be had, none is shown. */
export const fetchMapAlong = (walk: readonly Place[]): Promise<void> =>
  keeper.ask("along", [walk]).catch(() => undefined);

/** Removes the map from this phone, and with it the wish to keep it. */
export const dropMap = (): Promise<void> => keeper.ask("drop", []);

/** A sheet of the map as a picture; nothing where this phone has no map of it. Rejects when it is called off. */
export const drawSheet = (sheet: SheetRequest, signal: AbortSignal): Promise<ImageBitmap | null> =>
  keeper.ask("draw", [sheet], { signal });

/**
 * Calls `listener` when there is more or less of the map than before; returns what ends that. Whoever shows a map calls
 * it, and so it is also where one that is kept is looked after.
 */
export function onMapChange(listener: () => void): () => void {
  // The track or the route goes first.
  void afterPaint().then(() => {
    looking ??= look();
  });
  let before = status?.bytes ?? 0;
  return subscribe(() => {
    if (!status || status.state === "downloading" || status.bytes === before) return;
    before = status.bytes;
    listener();
  });
}

let mapAnswer: Promise<MapAnswer | undefined> | undefined;
/** True if the server has a map of any place; `null` until it has answered. */
let serverHasMap: boolean | null = null;

/** Asks the server for its map areas, once; `undefined` where it does not answer. */
function askForMap(): Promise<MapAnswer | undefined> {
  mapAnswer ??= call<MapAnswer>("/map/areas").then((answer) => {
    if (answer.ok) {
      serverHasMap = answer.value.areas.length > 0;
      return answer.value;
    }
    mapAnswer = undefined; // with a network it is asked again
    return undefined;
  });
  return mapAnswer;
}

/** Returns name and middle of the server's first map area; `null` where it has none, `undefined` where it does not answer. */
export async function mapMiddle(): Promise<{ name: string; lat: number; lng: number } | null | undefined> {
  const answer = await askForMap();
  if (!answer) return undefined;
  const area = answer.areas[0] ?? null;
  return area && { name: area.name, lat: (area.south + area.north) / 2, lng: (area.west + area.east) / 2 };
}

/** Returns true once the server is known to have no map at all, or none of where the sitter works. */
export function useServerLacksMap(): boolean {
  const { server_lacks_it } = useMapStatus();
  const [hasNone, setHasNone] = useState(false);
  useEffect(() => {
    let current = true;
    void mapMiddle().then((middle) => current && setHasNone(middle === null));
    return () => {
      current = false;
    };
  }, []);
  return server_lacks_it || hasNone;
}

/** Returns the address of pictures of the map, with `{z}`, `{x}` and `{y}`; mostly there is none. */
export const mapPictures = async (): Promise<string | null> => (await askForMap())?.pictures ?? null;

/** Owns what a screen asks of the map's workers and what it hears from them: plain values, one message each. */
import type {
  BlankGround,
  FoundAddress,
  GeneratedRoute,
  MapPlaces,
  MapStatus,
  MapUse,
  NoMap,
  Place,
  RouteError,
  RouteRequest,
} from "../core/map";
import type { MapTheme } from "./worker/palette";

/** True if there is a place of which a map can be fetched. */
export const hasPlaces = ({ middle, homes }: MapPlaces): boolean => middle !== null || homes.length > 0;

/** The result of a search, or why there is none, in words for the person. */
type SearchResult<T> =
  | { status: "ok"; value: T }
  | { status: "rejected"; error: { kind: RouteError | "no_map" | "failed"; text: string } };

export type RoutesAnswer = SearchResult<GeneratedRoute[]>;
export type WayAnswer = SearchResult<GeneratedRoute>;

/** The way back of someone who left a route. */
export interface WayBack {
  from: Place;
  /** Seconds that are left of the walk. */
  seconds: number;
  /** The request that the walk was planned with; its start is where the way leads. */
  request: RouteRequest;
}

/** A sheet of the map, as a screen wants it. */
export interface SheetRequest {
  zoom: number;
  x: number;
  y: number;
  /** Px of the screen for each px of the page. */
  ratio: number;
  theme: MapTheme;
}

/** Calls that a worker answers, with their results. */
export interface Calls {
  look: (places: MapPlaces) => MapStatus;
  download: (places: MapPlaces) => void;
  drop: () => void;
  /** Sees to the tiles of a route, with progress in words. */
  ensure: (request: RouteRequest) => { why: NoMap; text: string } | null;
  /** Fetches the map of a walk that everybody may see. */
  along: (places: readonly Place[]) => void;
  find: (request: RouteRequest) => RoutesAnswer;
  back: (way: WayBack) => WayAnswer;
  /** The way on foot from one place to another, on the tiles that are here. */
  way: (from: Place, to: Place) => WayAnswer;
  /** Why no map is drawn at a place; nothing where one is. `serverHasMap`: of any place; `null` if it was not asked. */
  ground: (places: MapPlaces, place: Place, use: MapUse, serverHasMap: boolean | null) => BlankGround | null;
  draw: (sheet: SheetRequest) => ImageBitmap | null;
  /** Addresses that fit what was typed, on the tiles that are here; for an empty text it only gets ready. */
  findAddresses: (typed: string, near: Place | null) => FoundAddress[];
  /** The address of a place on the tiles that are here; `withNumber`: that of a house, else of a street. */
  addressAt: (place: Place, withNumber: boolean) => FoundAddress | null;
}

export type CallName = keyof Calls;

export interface WorkerRequest<C extends CallName = CallName> {
  id: number;
  call: C;
  args: Parameters<Calls[C]>;
}

/** A message to a worker: a request, or that nobody waits any more for the answer to one. */
export type WorkerMessage = WorkerRequest | { forget: number };

export type WorkerReply =
  | { id: number; value: unknown }
  /** The worker broke down over it, with what it threw. */
  | { id: number; failed: string }
  | { id: number; progress: string }
  | { status: MapStatus };

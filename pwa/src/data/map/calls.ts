/** Owns what a screen asks of the map's workers and what it hears from them: plain values, one message each. */
import type { GeneratedRoute, MapPlaces, MapStatus, NoMap, RouteRequest } from "../../core/map";

/** Routes, or why there are none. */
export type RoutesAnswer =
  | { status: "ok"; value: GeneratedRoute[] }
  | {
      status: "rejected";
      error: { kind: "no_map" | "no_network" | "unreachable" | "failed"; text: string };
    };

/** What a worker can be asked, with what it answers. */
export interface Calls {
  look: (places: MapPlaces) => MapStatus;
  download: (places: MapPlaces) => void;
  drop: () => void;
  /** Sees to the tiles of a route, with progress in words. */
  ensure: (request: RouteRequest) => { why: NoMap; text: string } | null;
  find: (request: RouteRequest) => RoutesAnswer;
}

export type Call = keyof Calls;

export interface Question<C extends Call = Call> {
  id: number;
  call: C;
  args: Parameters<Calls[C]>;
}

export type Reply =
  | { id: number; value: unknown }
  /** It broke down. */
  | { id: number; failed: string }
  | { id: number; progress: string }
  | { status: MapStatus };

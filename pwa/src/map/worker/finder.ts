/** Owns the search for routes in its worker: reads the tiles that a request needs, and keeps them joined for the next one. */
import { type Place, RouteFinder, type RouteRequest, tilesForRoute, tilesForWay } from "../../core/map";
import type { RoutesAnswer, WayAnswer, WayBack } from "../calls";
import { keyOf, type TileKey, type TileStore } from "./tileStore";

export class Finder {
  readonly #store: TileStore;
  #joined: { states: Map<TileKey, string>; finder: RouteFinder } | undefined;

  constructor(store: TileStore) {
    this.#store = store;
  }

  async find(request: RouteRequest): Promise<RoutesAnswer> {
    const finder = await this.#finder(tilesForRoute(request).tiles.map(keyOf));
    return finder.generate(request);
  }

  async back({ from, seconds, request }: WayBack): Promise<WayAnswer> {
    const finder = await this.#finder(tilesForRoute(request).tiles.map(keyOf));
    return finder.home(from, seconds, request);
  }

  async way(from: Place, to: Place): Promise<WayAnswer> {
    const finder = await this.#finder(tilesForWay(from, to).tiles.map(keyOf));
    return finder.way(from, to);
  }

  /** On all tiles that are here of these; the one before where it has them already. */
  async #finder(keys: readonly TileKey[]): Promise<RouteFinder> {
    const { tiles } = await this.#store.inventory();
    const here = keys.filter((key) => tiles.has(key));
    const before = this.#joined;
    if (before && here.every((key) => before.states.get(key) === tiles.get(key)?.tile)) return before.finder;
    before?.finder.free();
    const finder = new RouteFinder();
    const states = new Map<TileKey, string>();
    for (const key of here) {
      const found = await this.#store.read(key);
      if (!found) continue;
      try {
        finder.add(found.bytes);
        states.set(key, found.tile);
      } catch {
        await this.#store.remove(key); // damaged on the disk: it is fetched again
      }
    }
    this.#joined = { states, finder };
    return finder;
  }
}

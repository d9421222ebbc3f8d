/** Owns the search for addresses in its worker: reads the tiles that are here once, and again where others are here. */
import {
  AddressFinder,
  addressTiles,
  type FoundAddress,
  nearestAddress,
  type Place,
  type TileId,
  tilesNear,
} from "../../core/map";
import { type Inventory, keyOf, type StoredTile, type TileKey, type TileStore } from "./tileStore";

const tileOfKey = (key: TileKey): TileId => {
  const [x = 0, y = 0] = key.split("-").map(Number);
  return { x, y };
};

export class AddressSearch {
  readonly #store: TileStore;
  readonly #inventory: () => Promise<Inventory>;
  #chosen: { near: string; count: number; keys: TileKey[] } | undefined;
  #book: { state: string; finder: Promise<AddressFinder> } | undefined;

  constructor(store: TileStore, inventory: () => Promise<Inventory>) {
    this.#store = store;
    this.#inventory = inventory;
  }

  async find(typed: string, near: Place | null): Promise<FoundAddress[]> {
    const { tiles } = await this.#inventory();
    const keys = this.#keys(tiles, near);
    const state = keys.map((key) => tiles.get(key)?.tile).join();
    if (this.#book?.state !== state) {
      void this.#book?.finder.then((it) => it.free()).catch(() => undefined);
      this.#book = { state, finder: this.#read(keys, () => this.#book?.state === state) };
    }
    const book = this.#book;
    try {
      const finder = await book.finder;
      return finder.find(typed, near ?? undefined);
    } catch (error) {
      // The disk failed: the next search reads it anew.
      if (this.#book === book) this.#book = undefined;
      throw error;
    }
  }

  async at(place: Place, withNumber: boolean): Promise<FoundAddress | null> {
    const found = await Promise.all(tilesNear(place).map((it) => this.#store.read(keyOf(it))));
    const bytes = found.flatMap((it) => (it ? [it.bytes] : []));
    return nearestAddress(bytes, place, withNumber) ?? null;
  }

  /** The tiles that are searched. */
  #keys(tiles: ReadonlyMap<TileKey, StoredTile>, near: Place | null): TileKey[] {
    const place = near ? `${near.lat_e7} ${near.lon_e7}` : "";
    if (this.#chosen?.near !== place || this.#chosen.count !== tiles.size) {
      const keys = addressTiles([...tiles.keys()].map(tileOfKey), near ?? undefined).map(keyOf);
      this.#chosen = { near: place, count: tiles.size, keys };
    }
    return this.#chosen.keys;
  }

  /** Ends early once it is not wanted: while a map comes, each search may ask for other tiles than the one before. */
  async #read(keys: readonly TileKey[], isWanted: () => boolean): Promise<AddressFinder> {
    const finder = new AddressFinder();
    for (const key of keys) {
      const found = await this.#store.read(key);
      if (!isWanted()) break;
      if (!found) continue;
      try {
        finder.add(found.bytes);
      } catch {
        await this.#store.remove(key); // damaged on the disk: it is fetched again
      }
    }
    return finder;
  }
}

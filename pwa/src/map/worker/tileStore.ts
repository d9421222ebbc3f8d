/**
 * Owns the map's tiles on the disk, in a database of their own: they belong to nobody's business, can be had again, and
 * are the first to go where room is short.
 */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { TileId } from "../../core/map";
import { MAP_DATABASE } from "../../data/store/mapDatabase";

/** A tile's column and row, as `4663-2371`. */
export type TileKey = string;

export const keyOf = ({ x, y }: TileId): TileKey => `${x}-${y}`;

/** A tile that is here; its bytes lie apart, so that counting tiles does not read them. */
export interface StoredTile {
  key: TileKey;
  /** The server's name of it, which changes with its bytes. */
  tile: string;
  /** Bytes that it takes on the disk. */
  bytes: number;
}

/** A tile as the server has listed it. */
export interface ListedTile {
  key: TileKey;
  /** Its name; null where the server has no such tile. */
  tile: string | null;
  /** Bytes that it takes on the way. */
  bytes: number;
  asked_at: number;
}

export interface MapMeta {
  /** When the server was asked for all that is wanted. */
  asked_at: number;
  /** False where the person has removed the map: it does not come unasked then. */
  keeps: boolean;
}

/** Stored on phones. Only add stores and optional fields; never rename. */
interface MapDb extends DBSchema {
  tiles: { key: TileKey; value: StoredTile };
  bytes: { key: TileKey; value: Uint8Array };
  /** Tiles that the server has listed. */
  links: { key: TileKey; value: ListedTile };
  meta: { key: "meta"; value: MapMeta };
}

/** All that is known without reading a tile. */
export interface Inventory {
  meta: MapMeta | undefined;
  tiles: Map<TileKey, StoredTile>;
  /** Tiles that the server has listed, here or not. */
  listed: Map<TileKey, ListedTile>;
}

export class TileStore {
  #db: Promise<IDBPDatabase<MapDb>> | undefined;

  constructor(readonly name = MAP_DATABASE) {}

  async inventory(): Promise<Inventory> {
    const db = await this.#open();
    const tx = db.transaction(["tiles", "links", "meta"]);
    const [meta, tiles, listed] = await Promise.all([
      tx.objectStore("meta").get("meta"),
      tx.objectStore("tiles").getAll(),
      tx.objectStore("links").getAll(),
    ]);
    return {
      meta,
      tiles: new Map(tiles.map((it) => [it.key, it])),
      listed: new Map(listed.map((it) => [it.key, it])),
    };
  }

  /** The bytes of a tile, with the name of the state that they are. */
  async read(key: TileKey): Promise<{ tile: string; bytes: Uint8Array } | undefined> {
    const db = await this.#open();
    const tx = db.transaction(["tiles", "bytes"]);
    const [head, bytes] = await Promise.all([tx.objectStore("tiles").get(key), tx.objectStore("bytes").get(key)]);
    return head && bytes && { tile: head.tile, bytes };
  }

  /** Puts a tile in the place of what was there. */
  async put(key: TileKey, tile: string, bytes: Uint8Array): Promise<void> {
    const db = await this.#open();
    // Relaxed: what a dead battery takes is fetched again.
    const tx = db.transaction(["tiles", "bytes"], "readwrite", { durability: "relaxed" });
    await Promise.all([
      tx.objectStore("tiles").put({ key, tile, bytes: bytes.length }, key),
      tx.objectStore("bytes").put(bytes, key),
      tx.done,
    ]);
  }

  /** Removes one that turned out to be damaged. */
  async remove(key: TileKey): Promise<void> {
    const db = await this.#open();
    const tx = db.transaction(["tiles", "bytes"], "readwrite");
    await Promise.all([tx.objectStore("tiles").delete(key), tx.objectStore("bytes").delete(key), tx.done]);
  }

  async putListed(listed: readonly ListedTile[], meta?: MapMeta): Promise<void> {
    const db = await this.#open();
    const tx = db.transaction(["links", "meta"], "readwrite", { durability: "relaxed" });
    const puts = listed.map((it) => tx.objectStore("links").put(it, it.key));
    await Promise.all([...puts, meta && tx.objectStore("meta").put(meta, "meta"), tx.done]);
  }

  /** Removes all of it. */
  async clear(): Promise<void> {
    const db = await this.#open();
    const names = ["tiles", "bytes", "links", "meta"] as const;
    const tx = db.transaction(names, "readwrite");
    await Promise.all([...names.map((it) => tx.objectStore(it).clear()), tx.done]);
  }

  async close(): Promise<void> {
    const db = await this.#db?.catch(() => undefined);
    this.#db = undefined;
    db?.close();
  }

  #open(): Promise<IDBPDatabase<MapDb>> {
    const lost = () => {
      this.#db = undefined;
    };
    this.#db ??= openDB<MapDb>(this.name, 1, {
      upgrade(db) {
        for (const name of ["tiles", "bytes", "links", "meta"] as const) db.createObjectStore(name);
      },
      // Who deletes it, to make room for what matters more, does not wait for us.
      blocking(_current, _blocked, event) {
        (event.target as IDBDatabase).close();
        lost();
      },
      terminated: lost,
    }).catch((error: unknown) => {
      lost();
      throw error;
    });
    return this.#db;
  }
}

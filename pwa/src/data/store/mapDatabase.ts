/** Owns the name of the map's database, which is nobody's and the first to go where room is short. */
import { deleteDB } from "idb";

/** Name of the database; `map/worker/tileStore.ts` says what is in it. */
export const MAP_DATABASE = "walkies.map";

/** Makes room for what a person typed: the map can be fetched again. */
export const dropMapTiles = (): Promise<void> => deleteDB(MAP_DATABASE);

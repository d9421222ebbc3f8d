/** Tests the search for addresses on tiles of the phone: an older one has no addresses and is of use all the same. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import olderTile from "../../../../core/testdata/helsinki-4663-2371.wktl?url";
import { loadMapCore, type Place } from "../../core/map";
import { AddressSearch } from "./addressSearch";
import { TileStore } from "./tileStore";

const KEY = "4663-2371";
/** In the middle of Helsinki. */
const THERE: Place = { lat_e7: 601705000, lon_e7: 249410000 };

let store: TileStore;

beforeEach(async () => {
  await loadMapCore();
  store = new TileStore(`addresses-${crypto.randomUUID()}`);
});
afterEach(() => store.close());

const search = () => new AddressSearch(store, () => store.inventory());

test("a phone without a map finds nothing", async () => {
  expect(await search().find("mannerheimintie 1", null)).toEqual([]);
  expect(await search().at(THERE, true)).toBeNull();
});

test("a tile of an older map has no addresses to propose, and streets for where one is", async () => {
  const response = await fetch(olderTile);
  await store.put(KEY, `${KEY}-old`, new Uint8Array(await response.arrayBuffer()));
  expect(await search().find("mannerheimintie 1", THERE)).toEqual([]);
  expect(await search().at(THERE, true)).toMatchObject({ kind: "street" });
  expect(await search().at({ lat_e7: 0, lon_e7: 0 }, true)).toBeNull();
});

test("a disk that failed once is read again by the next search", async () => {
  await store.put(KEY, `${KEY}-bad`, new Uint8Array(100));
  const addresses = search();
  vi.spyOn(store, "read").mockRejectedValueOnce(new Error("the disk failed"));
  await expect(addresses.find("mannerheimintie 1", THERE)).rejects.toThrow("the disk failed");
  expect(await addresses.find("mannerheimintie 1", THERE)).toEqual([]);
});

test("a damaged tile is removed, so that it comes again", async () => {
  await store.put(KEY, `${KEY}-bad`, new Uint8Array(100));
  expect(await search().find("mannerheimintie 1", THERE)).toEqual([]);
  expect((await store.inventory()).tiles.size).toBe(0);
});

/** Tests what goes first where the disk is full: the map, which can be fetched again, and never what a person typed. */
import { expect, test } from "vitest";
import { MAP_DATABASE } from "../data/store/mapDatabase";
import { Store } from "../data/store/store";
import { TileStore } from "./worker/tileStore";

const isThere = async () => (await indexedDB.databases()).some((it) => it.name === MAP_DATABASE);

test("where there is no room for what a person typed the map makes room, also while it is open", async () => {
  const tiles = new TileStore();
  await tiles.put("4663-2371", "4663-2371-0123456789abcdef", new Uint8Array(1000));
  expect(await isThere()).toBe(true);
  const store = new Store(`full-${crypto.randomUUID()}`);
  let tries = 0;
  const saved = await store.run(async (db) => {
    tries += 1;
    if (await isThere()) throw new DOMException("The disk is full.", "QuotaExceededError");
    await db.put("drafts", { key: "note", value: "Key under the pot", base_rev: 0, saved_at: 0 });
    return db.get("drafts", "note");
  });
  expect(saved?.value).toBe("Key under the pot");
  expect(tries).toBe(2);
  // The map's own door opens again, with nothing behind it.
  expect((await tiles.inventory()).tiles.size).toBe(0);
  await tiles.close();
  await store.close();
});

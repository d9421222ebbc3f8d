/**
 * Owns the worker of the map's floor: with tiles and drawing of the app, it decodes what sheets need and paints each once.
 * It fetches nothing and is told by nobody else what to draw.
 */
import { loadMapCore } from "../src/core/map";
import type { SheetRequest } from "../src/map/calls";
import { Drawer } from "../src/map/worker/drawer";
import { TileStore } from "../src/map/worker/tileStore";

const store = new TileStore();

self.onmessage = async ({ data }: MessageEvent<SheetRequest[]>) => {
  const inventory = store.inventory();
  const drawer = new Drawer(store, () => inventory);
  for (const sheet of data) {
    const picture = await drawer.draw(sheet);
    self.postMessage(picture, { transfer: picture ? [picture] : [] });
  }
};

await loadMapCore();
self.postMessage("ready");

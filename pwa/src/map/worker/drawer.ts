/** Owns drawing in its worker: which tiles a sheet needs, which are ready, and the canvas. */
import { MapDrawer, type MapKinds, mapKinds, sheetTiles } from "../../core/map";
import type { SheetRequest } from "../calls";
import { fontOf, paint } from "./painter";
import { type Inventory, keyOf, type TileKey, type TileStore } from "./tileStore";

const SHEET_PX = 256;
/** So many tiles stay ready: a city's take 1 to 3 MB each, and a sheet is drawn from 9. */
const READY = 25;
/** Names are measured at this height. */
const MEASURED_PX = 100;
/** Names may be a little bolder than they were measured. */
const BOLDER = 1.04;

export class Drawer {
  readonly #store: TileStore;
  readonly #inventory: () => Promise<Inventory>;
  #drawer: MapDrawer | undefined;
  #kinds: MapKinds | undefined;
  /** Tiles that are ready, in which state; the one that was needed last is at the end. */
  readonly #ready = new Map<TileKey, string>();
  readonly #canvas = new OffscreenCanvas(1, 1);

  constructor(store: TileStore, inventory: () => Promise<Inventory>) {
    this.#store = store;
    this.#inventory = inventory;
  }

  /** The sheet as a picture; nothing where the phone has no tile under it. */
  async draw({ zoom, x, y, ratio, theme }: SheetRequest): Promise<ImageBitmap | null> {
    const { own, around } = sheetTiles(zoom, x, y);
    const { tiles } = await this.#inventory();
    if (!own.some((it) => tiles.has(keyOf(it)))) return null;
    this.#drawer ??= new MapDrawer();
    this.#kinds ??= mapKinds();
    for (const { x, y } of [...around, ...own]) await this.#makeReady(x, y, tiles.get(keyOf({ x, y }))?.tile);
    const sheet = this.#drawer.draw(zoom, x, y);
    this.#forgetOld();
    if (!sheet) return null;
    const side = Math.round(SHEET_PX * ratio);
    this.#canvas.width = side;
    this.#canvas.height = side;
    const context = this.#canvas.getContext("2d");
    if (!context) return null;
    context.scale(side / SHEET_PX, side / SHEET_PX);
    const painted = { batches: sheet.batches(), points: sheet.points(), marks: sheet.marks() };
    sheet.free();
    paint(context, painted, this.#kinds, theme, zoom);
    return this.#canvas.transferToImageBitmap();
  }

  async #makeReady(x: number, y: number, state: string | undefined): Promise<void> {
    const key = keyOf({ x, y });
    const before = this.#ready.get(key);
    this.#ready.delete(key);
    if (state === undefined) {
      if (before) this.#drawer?.remove(x, y);
      return;
    }
    if (before !== state) {
      const stored = await this.#store.read(key);
      if (!stored || !this.#drawer) return;
      try {
        this.#drawer.measure(x, y, this.#widths(this.#drawer.add(stored.bytes)));
      } catch {
        await this.#store.remove(key); // damaged on the disk: it is fetched again
        return;
      }
    }
    this.#ready.set(key, state);
  }

  #forgetOld(): void {
    for (const key of [...this.#ready.keys()].slice(0, Math.max(0, this.#ready.size - READY))) {
      const [x = 0, y = 0] = key.split("-").map(Number);
      this.#drawer?.remove(x, y);
      this.#ready.delete(key);
    }
  }

  #widths(names: readonly string[]): Float32Array {
    const context = this.#canvas.getContext("2d");
    if (!context) return new Float32Array();
    context.font = fontOf("measured", MEASURED_PX);
    return Float32Array.from(names, (it) => (context.measureText(it).width / MEASURED_PX) * BOLDER);
  }
}

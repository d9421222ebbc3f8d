/** Owns the layer of streets below all else on a map: sheets that a worker draws, from the tiles that are on this phone. */
import L from "leaflet";
import { drawSheet } from "../tiles";
import type { MapTheme } from "../worker/palette";
import { MAX_ZOOM, MIN_ZOOM } from "./options";

/** Beyond this nobody sees the difference, and each sheet takes more than twice the room. */
const MOST_RATIO = 2;

/** While the map is moved, so often sheets are asked for: each time costs the worker. */
const UPDATE_EVERY_MS = 120;

class Streets extends L.GridLayer {
  readonly #theme: MapTheme;
  readonly #calls = new WeakMap<HTMLElement, AbortController>();

  constructor(theme: MapTheme) {
    super({
      minZoom: MIN_ZOOM,
      maxZoom: MAX_ZOOM,
      // Enough beside the screen for a swipe, and not more than a worker draws meanwhile.
      keepBuffer: 1,
      updateWhenIdle: false,
      updateInterval: UPDATE_EVERY_MS,
      className: "walk-streets",
    });
    this.#theme = theme;
    this.on("tileunload", ({ tile }: L.TileEvent) => this.#calls.get(tile)?.abort());
  }

  protected override createTile({ x, y, z: zoom }: L.Coords, done: L.DoneCallback): HTMLElement {
    const sheet = document.createElement("canvas");
    const call = new AbortController();
    this.#calls.set(sheet, call);
    const ratio = Math.min(devicePixelRatio, MOST_RATIO);
    drawSheet({ zoom, x, y, ratio, theme: this.#theme }, call.signal).then(
      (picture) => {
        if (picture) {
          sheet.width = picture.width;
          sheet.height = picture.height;
          sheet.getContext("bitmaprenderer")?.transferFromImageBitmap(picture);
        }
        done(undefined, sheet);
      },
      // What was scrolled away is missed by nobody; where the worker broke down, the paper stays.
      () => done(undefined, sheet),
    );
    return sheet;
  }
}

export const streets = (theme: MapTheme): L.GridLayer => new Streets(theme);

/** Owns what the map looks like on a screen: its sheets are pictures, which no text can be found in. */
import { expect, type Page } from "@playwright/test";

interface Look {
  /** Share of the sheets that is drawn on. */
  drawn: number;
  /** How many colors there are. */
  colors: number;
  /** Mean lightness, 0 to 255. */
  light: number;
}

/** Measures the map's sheets in sight: how many are drawn, and their colors. */
export function look(page: Page): Promise<Look> {
  return page.evaluate(() => {
    let [drawn, light, all] = [0, 0, 0];
    const colors = new Set<number>();
    for (const sheet of document.querySelectorAll<HTMLCanvasElement>(".walk-streets canvas")) {
      const copy = new OffscreenCanvas(64, 64);
      const context = copy.getContext("2d");
      context?.drawImage(sheet, 0, 0, 64, 64);
      const bytes = context?.getImageData(0, 0, 64, 64).data ?? new Uint8ClampedArray();
      for (let at = 0; at < bytes.length; at += 4) {
        const [red = 0, green = 0, blue = 0, alpha = 0] = bytes.subarray(at, at + 4);
        all += 1;
        if (alpha < 128) continue;
        drawn += 1;
        light += (red + green + blue) / 3;
        colors.add((red >> 4) * 256 + (green >> 4) * 16 + (blue >> 4));
      }
    }
    return { drawn: drawn / Math.max(1, all), colors: colors.size, light: light / Math.max(1, drawn) };
  });
}

export async function isDrawn(page: Page): Promise<void> {
  await expect.poll(async () => (await look(page)).drawn).toBeGreaterThan(0.3);
  await expect.poll(async () => (await look(page)).colors).toBeGreaterThan(8);
}

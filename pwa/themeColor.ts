/**
 * Owns how a color of the theme becomes a number where no style sheet is read: the bars of the phone around the app, and
 * what an installed app shows before its page is there. `ui/tokens.css` says the colors; pages and the manifest name them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const TOKENS = join(import.meta.dirname, "src/ui/tokens.css");
const MANIFESTS = ["walkies.webmanifest", "parents.webmanifest"];

export type Theme = "light" | "dark";

/** A color in OKLCH. */
type Color = [lightness: number, chroma: number, hue: number];

/** The color of this name, without `--color-`. */
export function token(name: string, theme: Theme): Color {
  const value = new RegExp(`--color-${name}: ([^;]+);`).exec(readFileSync(TOKENS, "utf8"))?.[1] ?? "";
  const colors = [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)/g)].map((it) => it.slice(1).map(Number));
  const color = colors.length > 1 && theme === "dark" ? colors[1] : colors[0];
  if (!color) throw new Error(`no such token: ${name}`);
  return color as Color;
}

/** Linear red, green and blue from 0 to 1 (https://bottosson.github.io/posts/oklab). */
export function linear([lightness, chroma, hue]: Color): [red: number, green: number, blue: number] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clamp = (it: number) => Math.min(1, Math.max(0, it));
  return [
    clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** As browsers show it, in the notation that every reader of a manifest knows. */
export function hex(color: Color): string {
  const curved = (it: number) => (it <= 0.0031308 ? 12.92 * it : 1.055 * it ** (1 / 2.4) - 0.055);
  const digits = (it: number) =>
    Math.round(255 * curved(it))
      .toString(16)
      .padStart(2, "0");
  return `#${linear(color).map(digits).join("")}`;
}

/** The text with `{paper light}`, or any other token and theme, as a number. */
export const filled = (text: string): string =>
  text.replace(/\{([\w-]+) (light|dark)\}/g, (_, name: string, theme: Theme) => hex(token(name, theme)));

/** Fills them in, in pages and in the manifests. */
export function themeColor(): Plugin {
  let publicDir = "";
  const manifest = (name: string) => filled(readFileSync(join(publicDir, name), "utf8"));
  return {
    name: "theme-color",
    configResolved(config) {
      ({ publicDir } = config);
    },
    transformIndexHtml: { order: "pre", handler: filled },
    // Over those that are copied as they are.
    generateBundle() {
      for (const fileName of MANIFESTS) this.emitFile({ type: "asset", fileName, source: manifest(fileName) });
    },
    configureServer({ middlewares }) {
      for (const name of MANIFESTS) {
        middlewares.use(`/${name}`, (_, response) => {
          response.setHeader("Content-Type", "application/manifest+json").end(manifest(name));
        });
      }
    },
  };
}

/** Tests that every text of the look can be read: 4.5:1 on its ground in both themes, 3:1 for edges of inputs (WCAG 1.4.3, 1.4.11). */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync(new URL("../src/ui/tokens.css", import.meta.url), "utf8");

type Color = [lightness: number, chroma: number, hue: number];

function token(name: string, theme: "light" | "dark"): Color {
  const value = new RegExp(`--color-${name}: ([^;]+);`).exec(css)?.[1] ?? "";
  const colors = [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)/g)].map((it) => it.slice(1).map(Number));
  const color = colors.length > 1 && theme === "dark" ? colors[1] : colors[0];
  if (!color) throw new Error(`no such token: ${name}`);
  return color as Color;
}

/** Relative luminance by way of OKLab and linear sRGB (https://bottosson.github.io/posts/oklab). */
function luminance([lightness, chroma, hue]: Color): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clamp = (it: number) => Math.min(1, Math.max(0, it));
  const red = clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const STATUS = ["scheduled", "completed", "cancelled", "other"];
const TEXT: [text: string, grounds: string[]][] = [
  ["ink", ["paper", "card", "sunken"]],
  ["ink-2", ["paper", "card", "sunken"]],
  ["ink-3", ["paper", "card", "sunken"]],
  ["tag-ink", ["tag-soft", "paper", "card"]],
  ["on-tag", ["tag"]],
  ["on-act", ["act"]],
  ["on-danger", ["danger"]],
  ["danger", ["paper", "card", "cancelled-soft"]],
  ...STATUS.map((it): [string, string[]] => [it, [`${it}-soft`, "paper", "card"]]),
];

for (const theme of ["light", "dark"] as const) {
  for (const [text, grounds] of TEXT) {
    for (const ground of grounds) {
      test(`${text} can be read on ${ground} in ${theme}`, () => {
        expect(contrast(token(text, theme), token(ground, theme))).toBeGreaterThanOrEqual(4.5);
      });
    }
  }
  for (const ground of ["paper", "card"]) {
    test(`the edge of an input can be seen on ${ground} in ${theme}`, () => {
      expect(contrast(token("edge", theme), token(ground, theme))).toBeGreaterThanOrEqual(3);
    });
  }
}

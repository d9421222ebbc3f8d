/**
 * Tests that every text of the look can be read: 4.5:1 on its ground in both themes, 3:1 for edges of inputs (WCAG 1.4.3,
 * 1.4.11); and that each color stands in one place.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filled, linear, token } from "../themeColor";

function luminance(color: ReturnType<typeof token>): number {
  const [red, green, blue] = linear(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: ReturnType<typeof token>, other: ReturnType<typeof token>): number {
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

// SPEC 4: scheduled blue, completed and switched on green, cancelled red, others and switched off grey, a dot yellow.
const HUES: [color: string, from: number, to: number][] = [
  ["scheduled", 240, 270],
  ["completed", 140, 165],
  ["cancelled", 15, 35],
  ["tag", 75, 100],
];
for (const theme of ["light", "dark"] as const) {
  test.each(HUES)(`%s has its color in ${theme}`, (color, from, to) => {
    for (const name of color === "tag" ? [color] : [color, `${color}-soft`]) {
      const [, chroma, hue] = token(name, theme);
      expect(hue).toBeGreaterThanOrEqual(from);
      expect(hue).toBeLessThanOrEqual(to);
      expect(chroma).toBeGreaterThan(0.02);
    }
  });
  test(`any other state is grey in ${theme}`, () => {
    expect(token("other", theme)[1]).toBeLessThan(0.02);
  });
}

const TOP = join(import.meta.dirname, "../..");

const MANIFESTS = ["manifest/walkies.webmanifest", "manifest/parents.webmanifest"];

test("pages and manifests are filled with the paper's color", () => {
  expect(filled("{paper light} {paper dark}")).toBe("#fcfaf5 #10141b");
  for (const page of ["pwa/index.html", "pwa/report.html"]) {
    const html = readFileSync(join(TOP, page), "utf8");
    expect(filled(html)).toContain('media="(prefers-color-scheme: light)" content="#fcfaf5"');
    expect(filled(html)).toContain('media="(prefers-color-scheme: dark)" content="#10141b"');
  }
  for (const name of MANIFESTS) {
    const manifest = JSON.parse(filled(readFileSync(join(TOP, name), "utf8"))) as object;
    expect(manifest).toMatchObject({ background_color: "#fcfaf5", theme_color: "#fcfaf5" });
  }
});

test("no page, no manifest and no source says a color as a number, beside the tokens", () => {
  const sources = readdirSync(join(TOP, "pwa/src"), { recursive: true, encoding: "utf8" })
    .filter((it) => /\.(css|tsx?)$/.test(it) && !it.startsWith("core/pkg") && it !== join("ui", "tokens.css"))
    .map((it) => join("pwa/src", it));
  const files = ["pwa/index.html", "pwa/report.html", ...MANIFESTS, ...sources];
  const found = files.filter((it) =>
    /["'`:\s]#(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})["'`;,\s]/i.test(readFileSync(join(TOP, it), "utf8")),
  );
  expect(found).toEqual([]);
});

/** Draws the app's icons in `manifest/` from its one picture, `icon.svg`. Run by `cargo xtask icons` after that has changed. */
import { readFileSync } from "node:fs";
import { chromium } from "@playwright/test";

const picture = readFileSync("manifest/icon.svg", "utf8");
// Where a phone cuts the icon into a shape of its own, the ground has no corners and the tag keeps inside the
// circle of four fifths that every shape leaves.
const uncut = (scale) =>
  picture
    .replace(' rx="112"', "")
    .replace('transform="', `transform="translate(256 256) scale(${scale}) translate(-256 -256) `);

const icons = [
  ["icon-192.png", 192, picture],
  ["icon-512.png", 512, picture],
  ["icon-maskable-512.png", 512, uncut(0.8)],
  ["apple-touch-icon.png", 180, uncut(0.92)],
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
for (const [name, size, svg] of icons) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`);
  await page.screenshot({ path: `manifest/${name}`, omitBackground: true });
  await page.close();
}
await browser.close();

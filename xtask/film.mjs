/** Draws a film of a dog that trots along a shore: a few seconds that end as they begin, as an MP4 that every phone plays. */
import { readFile, writeFile } from "node:fs/promises";
import { fur, line, oval, path } from "./drawing.mjs";

const WIDTH = 640;
const HEIGHT = 360;
const FRAMES_A_SECOND = 20;
const N_FRAMES = 120;
const BITS_PER_SECOND = 150_000;
/** So many times the dog sets each paw down. */
const STEPS = 12;

const SKY = "#cfe4ee";
const SUN = "#fbe3a6";
const SEA = "#8fb8cc";
const FAR = "#9db7a4";
const GRASS = "#a9c48a";
const PATH = "#e6d3ae";
const TRUNK = "#f4efe6";
const LEAVES = "#6f9a5b";
const SPRUCE = "#4f7a5c";

const full = 2 * Math.PI;

/** The same thing again and again as wide as the picture and beyond, which has moved to the left by whole lengths in the end. */
function passing(t, apart, lengths, draw) {
  let all = "";
  for (let x = -apart; x < WIDTH + apart; x += apart) all += `<g transform="translate(${(x + apart - ((t * lengths) % 1) * apart).toFixed(1)} 0)">${draw}</g>`;
  return all;
}

const island = path("M-70 150C-40 126 -14 132 6 122C32 110 58 134 84 150Z", FAR);
const spruce = (x, y, s) => `<g transform="translate(${x} ${y}) scale(${s})">${path("M0 -96L30 -40H16L38 0H-38L-16 -40H-30Z", SPRUCE)}${path("M-5 0H5V16H-5Z", "#6b5138")}</g>`;
const birch = (x, y) =>
  `${path(`M${x - 6} ${y}L${x - 4} ${y - 96}H${x + 4}L${x + 6} ${y}Z`, TRUNK)}${line(`M${x - 4} ${y - 30}H${x + 1}M${x - 1} ${y - 58}H${x + 4}M${x - 4} ${y - 12}H${x}`, "#5a524c", 3)}${fur(x, y - 118, 40, 46, 13, 8, LEAVES)}`;
const trees = spruce(20, 226, 0.9) + birch(126, 232) + spruce(206, 224, 0.7) + spruce(244, 228, 1);
const tufts = line("M0 342L-6 328M4 342L5 324M8 342L16 330M170 348L164 336M174 348L177 332", "#7ea063", 4);
const stones = oval(60, 306, 7, 4, "#cfb98f") + oval(150, 286, 5, 3, "#cfb98f") + oval(196, 316, 6, 3, "#cfb98f");

/** A leg of two parts, from where it hangs to where its paw is. */
function leg(x, y, turn, color, paw) {
  const swing = 0.5 * Math.sin(full * turn);
  // It bends while it goes forward through the air.
  const bend = swing - 0.15 - 1.1 * Math.max(0, Math.cos(full * turn));
  const [kx, ky] = [x + 30 * Math.sin(swing), y + 30 * Math.cos(swing)];
  const [px, py] = [kx + 28 * Math.sin(bend), ky + 28 * Math.cos(bend)];
  const at = (...places) => places.map((it) => it.toFixed(1)).join(" ");
  return line(`M${at(x, y)}L${at(kx, ky)}`, color, 22) + line(`M${at(kx, ky)}L${at(px, py)}`, paw, 15) + oval((px + 5).toFixed(1), (py + 3).toFixed(1), 11, 7, paw);
}

function trotting(t, { coat, chest, paws, face }) {
  const turn = (t * STEPS) % 1;
  const lift = (3.5 * Math.cos(2 * full * turn)).toFixed(2);
  const nod = (2.5 * Math.sin(2 * full * turn + 0.6)).toFixed(2);
  const wag = (9 * Math.sin(2 * full * turn)).toFixed(2);
  const far = "#211d1c";
  return `${oval(300, 310, 96, 9, "#000", 'opacity=".14"')}<g transform="translate(0 ${lift})">
    ${leg(252, 240, turn + 0.5, far, "#8a6038")}${leg(350, 240, turn, far, "#8a6038")}
    <g transform="rotate(${wag} 226 200)">${fur(208, 176, 30, 32, 13, 8, coat)}</g>
    ${fur(298, 212, 88, 44, 26, 8, coat)}${fur(350, 216, 40, 44, 18, 7, coat)}${fur(372, 228, 16, 24, 9, 5, chest)}
    ${leg(240, 240, turn, coat, paws)}${leg(338, 244, turn + 0.5, coat, paws)}
    <g transform="rotate(${nod} 372 176) translate(316 94) scale(.4)">${face}</g></g>`;
}

/** The picture of a moment, from 0 to 1. */
function picture(t, who) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
    ${path(`M0 0H${WIDTH}V${HEIGHT}H0Z`, SKY)}${oval(520, 62, 30, 30, SUN)}
    ${passing(t, 320, 1, island)}${path(`M0 148H${WIDTH}V210H0Z`, SEA)}
    ${path(`M0 196H${WIDTH}V${HEIGHT}H0Z`, GRASS)}${passing(t, 290, 3, trees)}
    ${path(`M0 268H${WIDTH}V328H0Z`, PATH)}${passing(t, 240, 6, stones)}
    ${trotting(t, who)}${passing(t, 260, 6, tufts)}</svg>`;
}

/** Writes the film of a dog to `server/demo/`; `face` is drawn as on a portrait. */
export async function film(page, { name, ...who }) {
  const pictures = Array.from({ length: N_FRAMES }, (_, n) => picture(n / N_FRAMES, who));
  // The file says when it was made, and is the same each time.
  await page.clock.setFixedTime(0);
  // Encoders are for pages of a true origin alone.
  const library = await readFile("node_modules/mediabunny/dist/bundles/mediabunny.min.mjs", "utf8");
  await page.route("**/*", (route) => {
    const isLibrary = route.request().url().endsWith(".mjs");
    return route.fulfill(isLibrary ? { contentType: "text/javascript", body: library } : { contentType: "text/html", body: "" });
  });
  await page.goto("https://walkies.example/");
  const bytes = await page.evaluate(
    async ({ pictures, width, height, framesASecond, bitrate }) => {
      const { BufferTarget, CanvasSource, Mp4OutputFormat, Output } = await import("/mediabunny.mjs");
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext("2d");
      const target = new BufferTarget();
      const output = new Output({ format: new Mp4OutputFormat({ fastStart: "in-memory" }), target });
      const source = new CanvasSource(canvas, { codec: "avc", bitrate, keyFrameInterval: 3, latencyMode: "quality" });
      output.addVideoTrack(source, { frameRate: framesASecond });
      await output.start();
      for (const [n, svg] of pictures.entries()) {
        const image = new Image();
        image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
        await image.decode();
        context.drawImage(image, 0, 0);
        await source.add(n / framesASecond, 1 / framesASecond);
      }
      await output.finalize();
      return Array.from(new Uint8Array(target.buffer));
    },
    { pictures, width: WIDTH, height: HEIGHT, framesASecond: FRAMES_A_SECOND, bitrate: BITS_PER_SECOND },
  );
  await writeFile(`server/demo/${name}.mp4`, Buffer.from(bytes));
}

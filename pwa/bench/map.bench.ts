/** Measures the map on a phone: how long frames take while a finger pans it, and how soon it is drawn, with no network. */
import { expect, test } from "@playwright/test";
import { signedIn } from "../e2e/pages/auth";
import { ClientsPage } from "../e2e/pages/clients";
import { ZONE } from "../e2e/support/day";
import { Network } from "../e2e/support/network";
import { Server } from "../e2e/support/server";
import { figure, median } from "./figures";

const SLOWDOWN = 4;
const SECONDS = 4;
/** A quick swipe. */
const PX_PER_FRAME = 7;
const DEMO = { name: "", email: "demo@walkies.example", password: "walkies-demo" };

test("panning the map of a city", async ({ browser }, info) => {
  const server = await Server.start("--demo");
  const network = await Network.open(server.port, 0);
  const { viewport, hasTouch, isMobile, locale } = info.project.use;
  const options = { viewport, hasTouch, isMobile, locale, deviceScaleFactor: 2 };
  const context = await browser.newContext({ ...options, baseURL: network.origin, timezoneId: ZONE });
  const page = await context.newPage();
  await signedIn(page, DEMO);
  await page.goto("/profile");
  const section = page.getByRole("region", { name: "Map on this phone" });
  await expect(section).toContainText("with no network");
  await network.cut();
  await page.goto("/clients");
  await page.getByRole("link", { name: "Aino Virtanen", exact: true }).click();
  await new ClientsPage(page).edit();
  await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await page.getByRole("button", { name: "Move on the map" }).click();
  const drawn = await page.evaluate(untilDrawn);
  const frames = await page.evaluate(pan, { seconds: SECONDS, px: PX_PER_FRAME });
  await context.close();
  await network.cut();
  await server.stop();

  const sorted = frames.toSorted((a, b) => a - b);
  const slow = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  figure(info, {
    what: `panning the map at ${SLOWDOWN}x slowdown: a frame, 95 of 100 at most`,
    unit: "ms",
    atMost: 1000 / 60 + 1,
    measured: slow,
    note: `${(1000 / median(frames)).toFixed(0)} frames a second at the median, the slowest ${Math.round(sorted.at(-1) ?? 0)} ms`,
  });
  figure(info, {
    what: `opening the map at ${SLOWDOWN}x slowdown: until its streets are drawn, with no network`,
    unit: "ms",
    atMost: 2_000,
    measured: drawn,
  });
});

/** How long it takes from now on until no sheet in sight is empty. */
function untilDrawn(): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const look = () => {
      const sheets = [...document.querySelectorAll<HTMLCanvasElement>(".walk-streets canvas")];
      // A canvas is 300 px wide until something is put on it.
      if (sheets.length > 3 && sheets.every((it) => it.width !== 300)) resolve(performance.now() - begun);
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** Moves the map to and fro as a finger does, one step with each frame; how long each frame took. */
function pan({ seconds, px }: { seconds: number; px: number }): Promise<number[]> {
  const map = document.querySelector(".walk-map");
  const box = map?.getBoundingClientRect();
  let [x, y] = [(box?.left ?? 0) + 190, (box?.top ?? 0) + 150];
  const move = (type: string, to: EventTarget | null | undefined) =>
    to?.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, clientX: x, clientY: y }));
  return new Promise((resolve) => {
    const frames: number[] = [];
    let [last, begun] = [0, 0];
    move("mousedown", map?.querySelector(".leaflet-map-pane"));
    const step = (now: number) => {
      begun ||= now;
      if (last > 0) frames.push(now - last);
      last = now;
      const round = Math.floor((now - begun) / 1000) % 4;
      x += round === 0 ? -px : round === 2 ? px : 0;
      y += round === 1 ? -px : round === 3 ? px : 0;
      move("mousemove", document);
      if (now - begun < seconds * 1000) {
        requestAnimationFrame(step);
      } else {
        move("mouseup", document);
        resolve(frames);
      }
    };
    requestAnimationFrame(step);
  });
}

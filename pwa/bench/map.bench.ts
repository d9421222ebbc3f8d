/** Measures the map on a phone: how long frames take while a finger pans it, and how soon it is drawn, with no network. */
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { signedIn } from "../e2e/pages/auth";
import { ClientsPage } from "../e2e/pages/clients";
import { ZONE } from "../e2e/support/day";
import { Network } from "../e2e/support/network";
import { Server } from "../e2e/support/server";
import { figure, median, ratio } from "./figures";
import { drawerScript, drawOnce, goBare, pressBare, startDrawer } from "./floors";

declare global {
  interface Window {
    /** Arguments of the `draw` calls that the app's map worker has received so far, one for each sheet. */
    sheets: unknown[];
  }
}

const RUNS = 7;

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
  await context.addInitScript(watchMap);
  const page = await context.newPage();
  await signedIn(page, DEMO);
  await page.goto("/profile#device");
  const section = page.getByRole("region", { name: "Map on this phone" });
  await expect(section).toContainText("with no network");
  await page.close();
  await network.cut();
  const script = await drawerScript();
  const drawn: number[] = [];
  const floor: number[] = [];
  let frames: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const map = await openMap(context);
    drawn.push(await map.evaluate(untilDrawn));
    const sheets = await map.evaluate(() => window.sheets);
    if (run === 0) frames = await map.evaluate(pan, { seconds: SECONDS, px: PX_PER_FRAME });
    await map.close();

    const bare = await context.newPage();
    await slowDown(context, bare);
    await goBare(bare, network.origin, startDrawer, script);
    floor.push(await pressBare(bare, drawOnce, sheets));
    await bare.close();
  }
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
  ratio(info, {
    what: `opening the map at ${SLOWDOWN}x slowdown until its streets are drawn, with no network`,
    // Two runs showed 1.9 and 2.3, rounded up: both times are noisy.
    atMost: 2.5,
    app: drawn,
    floor,
    floorIs: "the same sheets, their tiles read, decoded and painted once by a worker that is there",
  });
});

/** Presses what opens the map where a client lives. */
async function openMap(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto("/clients");
  await page.getByRole("link", { name: "Rachel Kim", exact: true }).click();
  await new ClientsPage(page).edit();
  await slowDown(context, page);
  await page.getByRole("button", { name: "Move on the map" }).click();
  return page;
}

async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
}

/** Keeps in mind when something was pressed and what the app's worker was asked to draw. */
function watchMap(): void {
  window.addEventListener("click", (event) => (window.pressedAt = event.timeStamp), { capture: true });
  window.sheets = [];
  const post = Reflect.get(Worker.prototype, "postMessage") as (this: Worker, ...given: unknown[]) => void;
  Worker.prototype.postMessage = function (this: Worker, ...given: unknown[]) {
    const [asked] = given as [Partial<{ call: string; args: unknown[] }> | undefined];
    if (asked?.call === "draw" && asked.args) window.sheets.push(asked.args[0]);
    post.apply(this, given);
  };
}

/** How long it takes from the press until no sheet in sight is empty. */
function untilDrawn(): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      const sheets = [...document.querySelectorAll<HTMLCanvasElement>(".walk-streets canvas")];
      // A canvas is 300 px wide until something is put on it.
      if (sheets.length > 3 && sheets.every((it) => it.width !== 300)) resolve(performance.now() - window.pressedAt);
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

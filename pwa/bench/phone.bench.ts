/**
 * Measures the app on a phone against the real server: what the first screens weigh, how long a cold start and a save
 * take with years of services on the phone and no network, and what a walk of four hours costs.
 * Times are judged by their floors (`floors.ts`); bytes and memory as they are.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, type CDPSession, chromium, expect, type Page, test } from "@playwright/test";
import { SignInPage, signedIn } from "../e2e/pages/auth";
import { InvoiceHistoryPage, InvoicesPage } from "../e2e/pages/invoices";
import { MessagesPage } from "../e2e/pages/messages";
import { InvitationPage } from "../e2e/pages/portal";
import { SchedulePage } from "../e2e/pages/schedule";
import { ActiveWalkPage } from "../e2e/pages/walk";
import { Api, somebody } from "../e2e/support/api";
import { ZONE } from "../e2e/support/day";
import { Network } from "../e2e/support/network";
import { follow, walkFor } from "../e2e/support/positions";
import { Server } from "../e2e/support/server";
import type { Fix } from "../e2e/support/tracks";
import {
  CLIENTS,
  fillBusiness,
  fillDebtors,
  fillInvoices,
  fillTwoYears,
  INVOICES,
  SERVICES_OF_A_YEAR,
  SERVICES_OF_ONE,
} from "./business";
import { figure, median, range, ratio } from "./figures";
import {
  databaseName,
  goBare,
  markVisits,
  pictureOf,
  pressBare,
  readLog,
  readRows,
  saveOnce,
  showPicture,
} from "./floors";

declare global {
  interface Window {
    /** When so many visits of today were painted, after the page was asked for; in milliseconds. */
    painted: (visits: number) => Promise<number>;
    /** When the person last pressed something, on the same clock. */
    pressedAt: number;
    /** When these words were painted in the conversation, in milliseconds since 1970. */
    read: (words: string) => Promise<number>;
  }
}

const RUNS = 7;
const MESSAGES = 25;
// A save is so short that one of them tells little.
const SAVES = 15;
const SLOWDOWN = 4;
const VISITS_TODAY = 10;
/** Selector and text of the status that an invoice shows after it was shared without a network. */
const WAITS = { selector: "dialog [role=status]", words: "the invoice waits" };

const who = somebody();
let server: Server;
let network: Network;
let folder: string;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  server = await Server.start();
  network = await Network.open(server.port, 0);
  await fillBusiness(server.origin, who, ZONE, await server.invite(who.email));
});

test.afterAll(async () => {
  await network.cut();
  await server.stop();
});

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "walkies-bench-"));
});

test.afterEach(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** The phone whose disk outlives its browser. */
async function start(): Promise<BrowserContext> {
  const { launchOptions, contextOptions, viewport, hasTouch, isMobile, locale } = test.info().project.use;
  const options = { ...launchOptions, ...contextOptions, viewport, hasTouch, isMobile, locale };
  const context = await chromium.launchPersistentContext(folder, {
    ...options,
    baseURL: network.origin,
    timezoneId: ZONE,
  });
  await context.addInitScript(watchPaints);
  return context;
}

async function slowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  return page;
}

function watchPaints(): void {
  window.addEventListener("click", (event) => (window.pressedAt = event.timeStamp), { capture: true });
  window.painted = (visits) =>
    new Promise((resolve) => {
      const look = () => {
        if (document.querySelectorAll("li[data-start]").length < visits) return;
        watch.disconnect();
        // When the frame that shows them is done, as for the floors.
        requestAnimationFrame(
          () => void scheduler.postTask(() => resolve(performance.now()), { priority: "user-blocking" }),
        );
      };
      const watch = new MutationObserver(look);
      watch.observe(document, { childList: true, subtree: true });
      look();
    });
}

test("the first screens", async ({ browser }, info) => {
  const { viewport, hasTouch, isMobile, locale } = info.project.use;
  // Without the service worker, which fetches the rest of the app when these screens stand.
  const serviceWorkers = "block" as const;
  const baseURL = network.origin;
  const context = await browser.newContext({
    viewport,
    hasTouch,
    isMobile,
    locale,
    baseURL,
    serviceWorkers,
    timezoneId: ZONE,
  });
  const page = await context.newPage();
  const transfer = await watchTransfer(await context.newCDPSession(page));
  const signIn = await SignInPage.open(page);
  await page.waitForLoadState("networkidle");
  const first = transfer.bytes();
  const schedule = await signIn.signIn(who);
  await schedule.isLoaded();
  await page.waitForLoadState("networkidle");
  const both = transfer.bytes();
  await context.close();
  figure(info, {
    what: "first load to sign-in and on to the schedule, JS + CSS + WASM, brotli",
    unit: "kB",
    atMost: 320,
    measured: both / 1000,
    note: `${Math.round(first / 1000)} kB of it for the sign-in screen; headers add ${Math.round(transfer.headers() / 1000)} kB`,
  });
});

/** Counts the bodies of scripts, styles and WebAssembly as they come over the wire, and what their headers add. */
async function watchTransfer(cdp: CDPSession): Promise<{ bytes: () => number; headers: () => number }> {
  const counted = new Set<string>();
  let bytes = 0;
  let all = 0;
  cdp.on("Network.responseReceived", ({ requestId, response }) => {
    if (!/\.(js|css|wasm)$/.test(new URL(response.url).pathname)) return;
    const encoding = response.headers["content-encoding"] ?? response.headers["Content-Encoding"];
    expect(encoding, response.url).toBe("br");
    counted.add(requestId);
  });
  cdp.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    if (counted.has(requestId)) bytes += encodedDataLength;
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (counted.has(requestId)) all += encodedDataLength;
  });
  await cdp.send("Network.enable");
  return { bytes: () => bytes, headers: () => all - bytes };
}

test("the first sign-in with years of services", async ({ browser }, info) => {
  test.setTimeout(600_000);
  const { viewport, hasTouch, isMobile, locale } = info.project.use;
  const baseURL = network.origin;
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const context = await browser.newContext({ viewport, hasTouch, isMobile, locale, baseURL, timezoneId: ZONE });
    const page = await slowPage(context);
    const signIn = await SignInPage.open(page);
    const painted = page.evaluate(paintedAfterPress, { selector: "[role=status]", words: "The rest is on its way" });
    await signIn.send(who.email, who.password);
    times.push(await painted);
    await context.close();
  }
  figure(info, {
    what: `the first sign-in with 10,000 services: from the press until today's visits can be read, ${SLOWDOWN}x slowdown`,
    unit: "ms",
    atMost: 3000,
    measured: median(times),
    note: range(times),
  });
});

// Playwright asks for the braces even where nothing is needed.
// oxlint-disable-next-line no-empty-pattern
test("a phone with years of services and no network", async ({}, info) => {
  let context = await start();
  const page = await context.newPage();
  // From here on the phone opens with its day.
  await (await signedIn(page, who)).showDay();
  await page.evaluate(async (visits) => window.painted(visits), VISITS_TODAY);
  const database = await databaseName(page);
  const day = await pictureOf(page);
  await context.close();

  await network.cut();
  const starts: number[] = [];
  const reads: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    context = await start();
    const bare = await slowPage(context);
    await goBare(bare, network.origin, readRows, { database, ...day }, day.css);
    reads.push(await bare.evaluate(() => window.floor));
    await context.close();

    context = await start();
    const cold = await slowPage(context);
    await cold.goto("/scheduling", { waitUntil: "commit" });
    starts.push(await cold.evaluate(async (visits) => window.painted(visits), VISITS_TODAY));
    await context.close();
  }

  context = await start();
  const offline = await slowPage(context);
  const schedule = await SchedulePage.open(offline);
  const saves: number[] = [];
  const writes: number[] = [];
  for (let run = 0; run < SAVES; run += 1) {
    await offline.evaluate(markVisits);
    const form = await schedule.newService();
    await form.choose({ client: `Client ${String(run).padStart(3, "0")}` });
    const painted = offline.evaluate(
      async (visits) => {
        const at = await window.painted(visits);
        return at - window.pressedAt;
      },
      VISITS_TODAY + run + 1,
    );
    const anyway = form.conflict.getByRole("button", { name: "Schedule anyway" });
    const plain = form.dialog.getByRole("button", { name: "Schedule Service" });
    await anyway.or(plain).first().click();
    saves.push(await painted);
    await expect(offline.getByRole("dialog")).toHaveCount(0);
    const saved = { database, ...(await pictureOf(offline)) };
    // A page that is not in front gets less of the processor: the bare one is there for its turn alone.
    const bare = await slowPage(context);
    await goBare(bare, network.origin, undefined, undefined, saved.css);
    // Once for nothing: the app's code is warm, too.
    await pressBare(bare, saveOnce, saved);
    writes.push(await pressBare(bare, saveOnce, saved));
    await bare.close();
    await offline.bringToFront();
  }
  await context.close();
  await network.heal();

  ratio(info, {
    what: `cold start with no network to today's schedule, 10,000 services, ${SLOWDOWN}x slowdown`,
    // A promise that was set and not measured: two and a half times the reading of the rows alone, which is this much of the
    // floor with the picture (some 470 ms of 690).
    atMost: 1.7,
    app: starts,
    floor: reads,
    floorIs: "a bare page that reads the same rows and shows the same picture",
  });
  ratio(info, {
    what: "saving a service offline until it is painted, the same data and slowdown",
    // A promise, too: for the decision, the form that closes and the day that is drawn again, some more than half a floor.
    atMost: 1.6,
    app: saves,
    floor: writes,
    floorIs: "one strict transaction of the same bytes, and the visit on the same picture",
  });
});

// oxlint-disable-next-line no-empty-pattern
test("the list of 300 clients", async ({}, info) => {
  test.setTimeout(600_000);
  let context = await start();
  const page = await context.newPage();
  await (await signedIn(page, who)).isLoaded();
  await context.close();

  await network.cut();
  const openings: number[] = [];
  const pictures: number[] = [];
  const drawn: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    context = await start();
    const slow = await slowPage(context);
    await slow.goto("/services");
    await expect(slow.getByRole("heading", { level: 1 })).toBeVisible();
    const { took, cards } = await slow.evaluate(openClients);
    openings.push(took);
    drawn.push(cards);
    await expect(slow.getByRole("article")).toHaveCount(CLIENTS);
    await slow.evaluate(keepFirstCards, cards);
    const picture = await pictureOf(slow);
    const bare = await slowPage(context);
    await goBare(bare, network.origin, undefined, undefined, picture.css);
    await pressBare(bare, showPicture, picture.body);
    pictures.push(await pressBare(bare, showPicture, picture.body));
    await context.close();
  }
  await network.heal();
  figure(info, {
    what: "the list of 300 clients: cards in its first frame",
    unit: "cards",
    atMost: 16,
    measured: Math.max(...drawn),
  });
  ratio(info, {
    what: `the list of 300 clients: from the step there until it is painted, ${SLOWDOWN}x slowdown`,
    // A promise that was set and not measured: 250 ms for a picture that takes some 60.
    atMost: 4,
    app: openings,
    floor: pictures,
    floorIs: "the same picture on a bare page",
  });
});

/** Steps to the clients; how many cards were in the first frame that has some, and after how many milliseconds. */
function openClients(): Promise<{ took: number; cards: number }> {
  return new Promise((resolve) => {
    const begun = performance.now();
    const watch = new MutationObserver(() => {
      const cards = document.querySelectorAll("ul[aria-label=Clients] article").length;
      if (cards === 0) return;
      watch.disconnect();
      const at = () => resolve({ took: performance.now() - begun, cards });
      requestAnimationFrame(() => void scheduler.postTask(at, { priority: "user-blocking" }));
    });
    watch.observe(document, { childList: true, subtree: true });
    history.pushState(null, "", "/clients");
  });
}

/** Removes what came behind the first frame. */
function keepFirstCards(count: number): void {
  for (const it of [...document.querySelectorAll("ul[aria-label=Clients] > li")].slice(count)) it.remove();
}

// oxlint-disable-next-line no-empty-pattern
test("analytics of a year of 10,000 services", async ({}, info) => {
  test.setTimeout(600_000);
  const busy = somebody();
  await fillTwoYears(server.origin, busy, ZONE, await server.invite(busy.email));
  const context = await start();
  const first = await context.newPage();
  await (await signedIn(first, busy)).isLoaded();
  await first.close();
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    // A page of its own each time, so that the rows are read from their text as after a start.
    const page = await context.newPage();
    await page.goto("/analytics?days=7");
    await expect(page.getByRole("tab", { name: "Overview" })).toBeVisible();
    // Whoever chooses days has looked at the first ones: the phone has rested meanwhile.
    await page.waitForFunction(() => performance.getEntriesByName("analytics-read-ahead").length > 0);
    await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    times.push(await page.evaluate(showDays, "/analytics?days=365"));
    await expect(page.getByText(` with ${SERVICES_OF_A_YEAR.toLocaleString("en-US")} services`)).toBeVisible();
    await page.close();
  }
  await context.close();
  figure(info, {
    what: "analytics of a year of 10,000 services and as many before, from the choice of its days on a phone that rests until painted, CPU 4x",
    unit: "ms",
    atMost: 200,
    measured: median(times),
    note: range(times),
  });
});

/** Shows the days of an address; until the trend by month is painted, in milliseconds. */
function showDays(path: string): Promise<number> {
  return new Promise((resolve) => {
    const begun = performance.now();
    const watch = new MutationObserver(() => {
      if (!document.body.textContent.includes("Revenue by month")) return;
      watch.disconnect();
      const at = () => resolve(performance.now() - begun);
      requestAnimationFrame(() => void scheduler.postTask(at, { priority: "user-blocking" }));
    });
    watch.observe(document, { childList: true, subtree: true, characterData: true });
    history.replaceState(null, "", path);
  });
}

test("a message on the other's open screen", async ({ browser }, info) => {
  const { viewport, hasTouch, isMobile, locale } = info.project.use;
  const options = { viewport, hasTouch, isMobile, locale, baseURL: network.origin, timezoneId: ZONE };
  const office = await new Api(server.origin).signIn(who);
  const client = await office.addClient("Sam Reyes", "Rex");
  const { link } = await office.call<{ link: string }>("POST", `/clients/${client.id}/invite`, {});
  const [theirPhone, myPhone] = [await browser.newContext(options), await browser.newContext(options)];
  const parent = await theirPhone.newPage();
  await (await InvitationPage.open(parent, link)).signUp(somebody(), server);
  const theirs = await MessagesPage.open(parent, `/client/messages/${client.id}`);
  const page = await myPhone.newPage();
  await signedIn(page, who);
  const mine = await MessagesPage.open(page, `/messages/${client.id}`);
  for (const it of [parent, page]) await expect(it.getByText("Live", { exact: true })).toBeVisible();
  await parent.evaluate(watchKeys);
  await mine.page.evaluate(watchMessages);
  const times: number[] = [];
  for (let run = 0; run < MESSAGES; run += 1) {
    const words = `Message ${run}.`;
    await theirs.composer.fill(words);
    const read = page.evaluate(async (it) => window.read(it), words);
    await theirs.composer.press("Enter");
    const painted = await read;
    times.push(painted - (await parent.evaluate(() => performance.timeOrigin + window.pressedAt)));
  }
  await Promise.all([theirPhone.close(), myPhone.close()]);
  figure(info, {
    what: "a pet parent's message, from the press on their phone until it is painted on the sitter's open screen",
    unit: "ms",
    atMost: 300,
    measured: Math.max(...times),
    note: `the slowest; median ${Math.round(median(times))} ms, ${range(times)}`,
  });
});

function watchKeys(): void {
  window.addEventListener("keydown", (event) => (window.pressedAt = event.timeStamp), { capture: true });
}

function watchMessages(): void {
  window.read = (words) =>
    new Promise((resolve) => {
      const watch = new MutationObserver(() => {
        if (!document.querySelector("[role=log]")?.textContent.includes(words)) return;
        watch.disconnect();
        const at = () => resolve(performance.timeOrigin + performance.now());
        requestAnimationFrame(() => void scheduler.postTask(at, { priority: "user-blocking" }));
      });
      watch.observe(document, { childList: true, subtree: true, characterData: true });
    });
}

/** Four hours of walking at a fix a second, with the noise of a phone between houses. */
function fourHours(): Fix[] {
  let seed = 1;
  const noise = (meters: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return (seed / 2_147_483_647 - 0.5) * 2 * meters;
  };
  const METERS = 1 / 111_320;
  let [lat, lon, heading] = [60.17, 24.94, 0];
  return Array.from({ length: 4 * 3600 }, (_, second) => {
    heading += noise(0.2);
    lat += 1.4 * METERS * Math.cos(heading);
    lon += (1.4 * METERS * Math.sin(heading)) / Math.cos((lat * Math.PI) / 180);
    return { at: second * 1000, lat: lat + noise(2) * METERS, lon: lon + noise(4) * METERS, altitude: 12 + noise(3) };
  });
}

// oxlint-disable-next-line no-empty-pattern
test("a walk of four hours", async ({}, info) => {
  const track = fourHours();
  let context = await start();
  await context.clock.install();
  await follow(context, track);
  const page = await context.newPage();
  await signedIn(page, who);
  await page.goto("/walk");
  await page.getByRole("button", { name: "Start walk without a dog" }).click();
  await ActiveWalkPage.shown(page);
  const cdp = await context.newCDPSession(page);
  await walkFor(page, 60);
  const before = await memory(cdp);
  await walkFor(page, track.length - 60);
  const after = await memory(cdp);
  const database = await databaseName(page);
  const stored = await page.evaluate(walkBytes, database);
  await context.close();

  const openings: number[] = [];
  const reads: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await network.cut();
    context = await start();
    const bare = await context.newPage();
    await goBare(bare, network.origin);
    reads.push(await pressBare(bare, readLog, database));
    await context.close();
    await network.heal();

    context = await start();
    await follow(context, []);
    const again = await context.newPage();
    await again.goto("/walk");
    const goOn = again.getByRole("button", { name: "Resume" });
    await expect(goOn).toBeVisible();
    const opened = again.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const look = () => {
            if (!document.querySelector(".leaflet-overlay-pane path, .leaflet-overlay-pane canvas")) return;
            watch.disconnect();
            requestAnimationFrame(
              () =>
                void scheduler.postTask(() => resolve(performance.now() - window.pressedAt), {
                  priority: "user-blocking",
                }),
            );
          };
          const watch = new MutationObserver(look);
          watch.observe(document, { childList: true, subtree: true });
        }),
    );
    await goOn.click();
    openings.push(await opened);
    await context.close();
  }

  figure(info, {
    what: "a four-hour walk: memory growth of the page",
    unit: "MB",
    atMost: 20,
    measured: (after - before) / 1_000_000,
  });
  figure(info, {
    what: "a four-hour walk: bytes stored per fix",
    unit: "B",
    atMost: 40,
    measured: stored / track.length,
    note: `${track.length} fixes, keys included`,
  });
  ratio(info, {
    what: "a four-hour walk: reopening it after a kill until its track is painted",
    // Two runs showed 5.7, beside a build, and 4.4; rounded up, since the floor is short and noisy.
    atMost: 6,
    app: openings,
    floor: reads,
    floorIs: "its log read and a frame",
  });
});

// The last ones: what they add is on no other's phone.
// oxlint-disable-next-line no-empty-pattern
test("1,000 invoices in History", async ({}, info) => {
  test.setTimeout(600_000);
  await fillInvoices(server.origin, who);
  let context = await start();
  const page = await context.newPage();
  await signedIn(page, who);
  await InvoiceHistoryPage.open(page);
  await expect(page.getByText(`All ${INVOICES}`)).toBeVisible({ timeout: 120_000 });
  await context.close();

  await network.cut();
  const openings: number[] = [];
  const filters: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    context = await start();
    const slow = await slowPage(context);
    // The app is there, and nothing of the invoices is read yet.
    await slow.goto("/invoices");
    await slow.getByRole("tab", { name: "Invoice History" }).waitFor();
    const opened = slow.evaluate(paintedAfterPress, { selector: "article" });
    await slow.getByRole("tab", { name: "Invoice History" }).click();
    openings.push(await opened);
    await expect(slow.getByRole("article")).toHaveCount(30);
    const filtered = slow.evaluate(paintedAfterPress, { selector: "article" });
    await slow.getByRole("group", { name: "Invoices by state" }).getByText("Unpaid").click();
    filters.push(await filtered);
    await context.close();
  }
  await network.heal();
  figure(info, {
    what: `1,000 invoices with no network: from the press on History to its first cards, ${SLOWDOWN}x slowdown`,
    unit: "ms",
    atMost: 1000,
    measured: median(openings),
    note: range(openings),
  });
  figure(info, {
    what: `1,000 invoices: another kind of them, ${SLOWDOWN}x slowdown`,
    unit: "ms",
    atMost: 300,
    measured: median(filters),
    note: range(filters),
  });
});

// oxlint-disable-next-line no-empty-pattern
test(`an invoice of ${SERVICES_OF_ONE} services`, async ({}, info) => {
  test.setTimeout(600_000);
  const debtors = await fillDebtors(server.origin, who, RUNS);
  let context = await start();
  const page = await context.newPage();
  await signedIn(page, who);
  const invoices = await InvoicesPage.open(page);
  await expect(invoices.toBill.filter({ hasText: "Debtor" })).toHaveCount(RUNS, { timeout: 120_000 });
  await context.close();

  await network.cut();
  const shares: number[] = [];
  for (const client of debtors) {
    context = await start();
    const slow = await slowPage(context);
    const form = await InvoicesPage.open(slow, `?client=${client}`);
    await slow.getByRole("button", { name: "Everything unpaid" }).click();
    await form.preview();
    await expect(form.dialog.getByRole("listitem")).toHaveCount(SERVICES_OF_ONE);
    const shared = slow.evaluate(paintedAfterPress, WAITS);
    await form.dialog.getByRole("button", { name: "Share Invoice" }).click();
    shares.push(await shared);
    await context.close();
  }
  await network.heal();
  figure(info, {
    what: `an invoice of ${SERVICES_OF_ONE} services with no network: from the press on Share to its word, ${SLOWDOWN}x slowdown`,
    unit: "ms",
    atMost: 500,
    measured: median(shares),
    note: range(shares),
  });
});

test(`the page of an invoice of ${SERVICES_OF_ONE} services`, async ({ browser }, info) => {
  const office = await new Api(server.origin).signIn(who);
  const [client = ""] = await fillDebtors(server.origin, who, 1);
  const services = await office.call<{ id: string }[]>("GET", `/scheduled-services?client_id=${client}`);
  const { shareId } = await office.call<{ shareId: string }>("POST", "/invoices/share", {
    client_id: client,
    services: services.map((it) => it.id),
  });
  const { viewport, hasTouch, isMobile, locale } = info.project.use;
  const paints: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const context = await browser.newContext({ viewport, hasTouch, isMobile, locale });
    const page = await slowPage(context);
    await page.goto(`${server.origin}/invoice/${shareId}`);
    await expect(page.getByRole("row")).toHaveCount(SERVICES_OF_ONE + 1);
    paints.push(await page.evaluate(firstPaint));
    await context.close();
  }
  figure(info, {
    what: `the page of an invoice of ${SERVICES_OF_ONE} services: first paint, ${SLOWDOWN}x slowdown`,
    unit: "ms",
    atMost: 500,
    measured: median(paints),
    note: range(paints),
  });
});

/** When words or pictures were first painted, after the page was asked for; in milliseconds. */
function firstPaint(): Promise<number> {
  return new Promise((resolve) => {
    const watch = new PerformanceObserver((list) => {
      const paint = list.getEntriesByName("first-contentful-paint")[0];
      if (paint) resolve(paint.startTime);
    });
    watch.observe({ type: "paint", buffered: true });
  });
}

/** How long after the next press the frame was done that has something new and such an element; in milliseconds. */
function paintedAfterPress({ selector, words = "" }: { selector: string; words?: string }): Promise<number> {
  return new Promise((resolve) => {
    window.addEventListener(
      "click",
      ({ timeStamp }) => {
        const watch = new MutationObserver(() => {
          const found = [...document.querySelectorAll(selector)];
          if (!found.some((it) => it.textContent?.includes(words))) return;
          watch.disconnect();
          requestAnimationFrame(
            () => void scheduler.postTask(() => resolve(performance.now() - timeStamp), { priority: "user-blocking" }),
          );
        });
        watch.observe(document, { childList: true, subtree: true, attributes: true });
      },
      { capture: true, once: true },
    );
  });
}

/**
 * Returns the bytes that the page holds after a garbage collection: objects, and buffers such as the memory of
 * WebAssembly.
 */
async function memory(cdp: CDPSession): Promise<number> {
  await cdp.send("HeapProfiler.collectGarbage");
  const use = await cdp.send("Runtime.getHeapUsage");
  const { embedderHeapUsedSize = 0, backingStorageSize = 0 } = use as Partial<Record<string, number>>;
  return use.usedSize + embedderHeapUsedSize + backingStorageSize;
}

/** How many bytes the logs of walks take on this phone, keys included. */
async function walkBytes(database: string): Promise<number> {
  const db = await new Promise<IDBDatabase>((done, failed) => {
    const opening = indexedDB.open(database);
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => failed(opening.error);
  });
  const chunks = await new Promise<{ walk_id: string; n: number; bytes: Uint8Array }[]>((done, failed) => {
    const asked = db.transaction("walk_points").objectStore("walk_points").getAll();
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
  db.close();
  // A key is there twice, beside the value and in it; its text has two bytes a letter.
  return chunks.reduce((sum, it) => sum + it.bytes.length + 2 * (it.walk_id.length * 2 + 8), 0);
}

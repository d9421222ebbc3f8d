/** The installable app: its manifest, its pictures, and a start with no network, anywhere in it. */
import type { Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { SchedulePage } from "./pages/schedule";
import { day } from "./support/day";
import { test } from "./support/install";
import { expect } from "./support/test";

interface Picture {
  src: string;
  sizes: string;
  type?: string;
  purpose?: string;
  form_factor?: string;
}

/** The fields that a test reads of an event in a Chromium trace. */
interface TraceEvent {
  name: string;
  args: { fileName?: string; data?: { consumedCacheSize?: number } };
}

interface Manifest {
  icons: Picture[];
  screenshots?: Picture[];
  shortcuts: { name: string; url: string; icons: Picture[] }[];
  [field: string]: unknown;
}

test("what makes videos smaller is fetched by those alone who have large ones", async ({ request }) => {
  const listed = await (await request.get("/sw.js")).text();
  expect(listed).toMatch(/assets\/index-[\w-]+\.js/);
  expect(listed).not.toMatch(/videoEncoder/i);
});

test("the manifest has what stores and phones ask for", async ({ page, request }) => {
  await page.goto("/auth/login");
  const href = await page.locator('link[rel="manifest"]').getAttribute("href");
  const answer = await request.get(href ?? "");
  expect(answer.headers()["content-type"]).toBe("application/manifest+json");
  const manifest = (await answer.json()) as Manifest;
  expect(manifest).toMatchObject({
    id: "/",
    name: "Walkies",
    short_name: "Walkies",
    start_url: "/scheduling",
    scope: "/",
    display: "standalone",
    lang: expect.stringMatching(/^en/),
    categories: expect.arrayContaining(["business"]),
  });
  const kinds = manifest.icons.map((it) => `${it.sizes} ${it.purpose}`);
  expect(kinds).toEqual(expect.arrayContaining(["192x192 any", "512x512 any", "512x512 maskable"]));
  const shots = (manifest.screenshots ?? []).map((it) => it.form_factor);
  expect(shots).toEqual(expect.arrayContaining(["narrow", "wide"]));
  expect(manifest.shortcuts.length).toBeGreaterThan(1);
  for (const { url } of manifest.shortcuts) expect(url.startsWith("/")).toBe(true);
});

test("the portal's page is installed as the pet parents' app", async ({ page, request }) => {
  await page.goto("/client");
  const link = page.locator('link[rel="manifest"]');
  await expect(link).toHaveAttribute("href", "/parents.webmanifest");
  await expect(page.getByText("write to your sitter")).toBeVisible();
  const answer = await request.get("/parents.webmanifest");
  expect(answer.headers()["content-type"]).toBe("application/manifest+json");
  const manifest = (await answer.json()) as Manifest;
  expect(manifest).toMatchObject({ id: "/client", start_url: "/client", scope: "/", display: "standalone" });
  const kinds = manifest.icons.map((it) => `${it.sizes} ${it.purpose}`);
  expect(kinds).toEqual(expect.arrayContaining(["192x192 any", "512x512 any", "512x512 maskable"]));
  expect(manifest.shortcuts.map((it) => it.url)).toEqual(["/client", "/client/ask", "/client/messages"]);
  expect(await (await request.get("/sw.js")).text()).toContain("parents.webmanifest");
});

test("every picture of the manifest decodes at the size that it is said to have", async ({ page, request }) => {
  await page.goto("/auth/login");
  const manifest = (await (await request.get("/walkies.webmanifest")).json()) as Manifest;
  const pictures = [
    ...manifest.icons,
    ...manifest.shortcuts.flatMap((it) => it.icons),
    ...(manifest.screenshots ?? []),
    { src: "/apple-touch-icon.png", sizes: "180x180", type: "image/png" },
  ];
  for (const { src, sizes, type } of pictures) {
    expect((await request.get(src)).headers()["content-type"], src).toBe(type ?? "image/png");
    const size = await page.evaluate(async (src) => {
      const picture = new Image();
      picture.src = src;
      await picture.decode();
      return `${picture.naturalWidth}x${picture.naturalHeight}`;
    }, src);
    if (sizes !== "any") expect(size, src).toBe(sizes);
  }
  await expect(page.locator('link[rel="apple-touch-icon"]')).toHaveAttribute("href", "/apple-touch-icon.png");
});

test("with no network the app starts at any of its addresses, with what it knew", async ({
  install,
  network,
  sitter,
  office,
}) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  const service = await office.schedule(client, day(), "14:00");
  const before = await install.start();
  await signedIn(before, sitter);
  await install.close();
  await network.cut();

  const page = await install.start();
  await page.goto(`/scheduling?service=${service.id}`);
  await expect(page.getByRole("dialog", { name: "Service Details" })).toContainText("Key 14, lockbox");
  await page.goto(`/clients/${client.id}`);
  await expect(page.getByRole("heading", { level: 1, name: "Dana Reyes" })).toBeVisible();
  await page.goto("/services");
  await expect(page.getByRole("listitem").first()).toBeVisible();
  await page.goto("/walk");
  await expect(page.getByRole("heading", { name: "Start a walk" })).toBeVisible();
  await page.goto("/scheduling?view=list");
  await SchedulePage.shown(page);
  await expect(page.getByRole("button", { name: /Rex/ })).toBeVisible();
  await page.goto("/");
  await expect(page).toHaveURL(/\/scheduling$/);
  await page.goto("/no/such/place");
  await expect(page.getByText("There is nothing at this address")).toBeVisible();
});

test("a phone that has started twice runs the app without compiling it anew @full", async ({
  install,
  network,
  sitter,
}) => {
  const first = await install.start();
  await signedIn(first, sitter);
  await first.evaluate(() => navigator.serviceWorker.ready);
  await install.close();
  await network.cut();
  await expect(async () => {
    const page = await install.start();
    const compiled = await compiledWhile(page, async () => {
      await page.goto("/scheduling");
      await SchedulePage.shown(page);
    });
    await install.close();
    expect(compiled).toEqual(["kept"]);
  }).toPass();
});

/** How Chromium came by the code of the first script, each time that it ran it: from what it has kept, or anew. */
async function compiledWhile(page: Page, work: () => Promise<void>): Promise<string[]> {
  const cdp = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  cdp.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await cdp.send("Tracing.start", {
    traceConfig: { includedCategories: ["v8", "devtools.timeline"] },
    transferMode: "ReportEvents",
  });
  await work();
  const complete = new Promise((done) => cdp.once("Tracing.tracingComplete", done));
  await cdp.send("Tracing.end");
  await complete;
  const ran = events.filter((it) => it.name === "v8.compileModule" && /\/assets\/index-/.test(it.args.fileName ?? ""));
  return ran.map((it) => (it.args.data?.consumedCacheSize ? "kept" : "anew"));
}

test("a browser without the finer things runs the app all the same @full", async ({ page, sitter }) => {
  await page.addInitScript(() => {
    for (const name of ["wakeLock", "setAppBadge", "clearAppBadge", "vibrate", "share", "geolocation"]) {
      Reflect.deleteProperty(Navigator.prototype, name);
    }
  });
  await signedIn(page, sitter);
  await page.goto("/walk");
  await page.getByRole("button", { name: "Start walk without a pet" }).click();
  await expect(page.getByRole("alert")).toHaveText("Geolocation is not supported by this browser.");
});

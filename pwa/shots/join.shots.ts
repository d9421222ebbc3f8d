/** Owns the pictures of the join page in `manifest/screenshots/join/`: each screen light and dark, as a person meets it. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { signedIn } from "../e2e/pages/auth";
import { isDrawn } from "../e2e/pages/map";
import { PastWalkPage, ReportPage } from "../e2e/pages/report";
import { plannedLine, RoutesPage } from "../e2e/pages/routes";
import { SchedulePage } from "../e2e/pages/schedule";
import { Api, type ClientRow } from "../e2e/support/api";
import { day, ZONE } from "../e2e/support/day";
import { DEMO, demoServer } from "../e2e/support/demo";
import { test as installed } from "../e2e/support/install";
import { stand, walkAlong, walkFor } from "../e2e/support/positions";
import type { Server } from "../e2e/support/server";
import { expect } from "../e2e/support/test";

const test = installed.extend<{ server: Server }>({ server: demoServer });

const FOLDER = resolve(import.meta.dirname, "../../manifest/screenshots/join");
const PORTRAITS = resolve(import.meta.dirname, "../../server/demo");
/** Sharp at the width of the frame on phones, and small on the way. */
const WIDTH = 585;
const QUALITY = 0.72;

/** Writes what is on the screen, light and dark, as WebP. */
async function shoot(page: Page, name: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.evaluate(() => Promise.all(document.getAnimations().map((it) => it.finished.catch(() => undefined))));
    // A map is drawn anew in the other colors.
    if (await page.locator(".walk-map").count()) await expect(() => isDrawn(page)).toPass();
    const png = await page.screenshot();
    const packed = await pack(page, png);
    await writeFile(resolve(FOLDER, `${name}${scheme === "dark" ? "-dark" : ""}.webp`), packed);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** The browser is the one packer of WebP that is at hand. */
async function pack(page: Page, png: Buffer): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ({ source, width, quality }) => {
      const bytes = Uint8Array.from(atob(source), (it) => it.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = new OffscreenCanvas(width, Math.round((bitmap.height * width) / bitmap.width));
      const ink = canvas.getContext("2d");
      if (ink) ink.imageSmoothingQuality = "high";
      ink?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      const blob = await canvas.convertToBlob({ type: "image/webp", quality });
      const packed = new Uint8Array(await blob.arrayBuffer());
      return btoa(Array.from(packed, (it) => String.fromCharCode(it)).join(""));
    },
    { source: png.toString("base64"), width: WIDTH, quality: QUALITY },
  );
  return Buffer.from(base64, "base64");
}

const MARA = { name: "Mara Lind", email: "mara@example.com", password: "seven quiet leashes" };

/** A day at ten in the morning: one visit is done, and one is next. */
async function morning(server: Server): Promise<void> {
  const mara = await new Api(server.origin).signUp(MARA, ZONE, await server.invite(MARA.email));
  await mara.call("PUT", "/sitters/profile", { phone: "555-0100-200", service_area_address: "Kluuvi" });
  const visits = [
    ["Dana Whitfield", "08:00", "Luna"],
    ["Amir Haddad", "10:30", "Nalle", "Musti"],
    ["Elin Berg", "12:00", "Halla"],
    ["Tom Okoro", "14:30", "Remu"],
  ] as const;
  for (const [name, start, ...dogs] of visits) {
    const client = await mara.call<ClientRow>("POST", "/clients", {
      name,
      address: "18 Alder Street",
      access_notes: "Key 14, lockbox",
      dogs: await Promise.all(
        dogs.map(async (dog) => ({ name: dog, photo: await portrait(mara, dog), about: "No chicken treats" })),
      ),
    });
    const { id } = await mara.schedule(client, day(), start);
    if (start < "10:00") await mara.call("POST", `/scheduled-services/${id}/complete`, { notes: "" });
  }
}

/** One of the demo's portraits: the photo's id. */
async function portrait(api: Api, dog: string): Promise<string> {
  const form = new FormData();
  const bytes = await readFile(resolve(PORTRAITS, `${dog.toLowerCase()}.jpg`));
  form.set("photo", new Blob([bytes], { type: "image/jpeg" }), "photo.jpg");
  return (await api.upload<{ id: string }>("/upload", form)).id;
}

test("the screens of the join page", async ({ install, server }) => {
  await morning(server);
  const page = await install.start();
  await stand(page.context(), { lat: 60.1653, lon: 24.9405 });
  const schedule = await signedIn(page, MARA);
  await SchedulePage.open(page, "?days=day");
  await expect(page.locator("[data-next] img").first()).toBeVisible();
  // It opens at the next visit; the picture has the days above it, too.
  await page.evaluate(() => {
    for (const it of document.querySelectorAll("main, main *")) it.scrollTop = 0;
  });
  await shoot(page, "schedule");
  await schedule.signOut();

  const office = await new Api(server.origin).signIn(DEMO);
  await office.call("PUT", "/sitters/profile", { time_zone: ZONE });
  await signedIn(page, DEMO);
  await page.goto("/requests");
  await expect(page.getByRole("button", { name: /^Approve/ }).first()).toBeVisible();
  await shoot(page, "requests");

  const routes = await RoutesPage.open(page);
  const label = await page.getByRole("option", { name: /^Aino Virtanen/ }).innerText();
  await page.getByLabel("From").selectOption({ label });
  await routes.pick("30 min");
  await routes.generate();
  await expect(routes.options).toHaveCount(3);
  await shoot(page, "routes");

  const walk = await routes.startWalk();
  const line = await plannedLine(page);
  await walkAlong(page, line.slice(0, Math.ceil(line.length / 3)));
  await walk.log("Water");
  await walkAlong(page, line.slice(Math.ceil(line.length / 3) - 1, Math.ceil(line.length / 2)));
  await walk.log("Potty");
  await walk.takePhoto(resolve(PORTRAITS, "nalle.jpg"));
  await walkFor(page, 10);
  await shoot(page, "walk");

  await walkAlong(page, line.slice(Math.ceil(line.length / 2) - 1));
  await walk.note("Met a squirrel, and was brave");
  const finish = await walk.end();
  await finish.keep();
  const past = await PastWalkPage.open(page, "Nalle");
  const share = await past.share();
  await share.write("Aino Virtanen", "Nalle was brave with the big truck today. Fresh water is down.");
  await share.send();
  await expect(past.states).toHaveText(["Shared"]);
  await ReportPage.open(page, await past.pathFor("Nalle"));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Nalle");
  // The map comes when the rest is there.
  await expect(async () => {
    await walkFor(page, 5);
    await expect(page.locator(".walk-map")).toBeVisible({ timeout: 100 });
  }).toPass();
  await shoot(page, "report");
});

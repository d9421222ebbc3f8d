/** A video on its way to an invoice's page: large, over a network that breaks, from a phone that is killed. */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { signedIn } from "./pages/auth";
import { InvoicesPage } from "./pages/invoices";
import { day } from "./support/day";
import { test } from "./support/install";
import { expect } from "./support/test";

const MB = 1024 * 1024;
const SIZE = 60 * MB + 77;
/** Bytes that a player asks for at once; chosen so that its parts end where the server's pieces do not. */
const PART = 7 * MB + 11;

/** Six seconds long. */
const FILM = resolve(import.meta.dirname, "../../server/demo/nalle.mp4");

/** A film with so much room in it that is free (ISO/IEC 14496-12, 8.1.2), in which no two places are the same. */
async function largeFilm(): Promise<Buffer> {
  const film = await readFile(FILM);
  const room = Buffer.alloc(SIZE - film.length);
  for (let at = 8; at + 4 <= room.length; at += 4) room.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at);
  room.writeUInt32BE(room.length, 0);
  room.write("free", 4, "latin1");
  return Buffer.concat([film, room]);
}

const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

test("a video of 60 MB arrives byte by byte through a network that breaks five times and a phone that is killed @full", async ({
  install,
  network,
  server,
  sitter,
  office,
  browser,
}, info) => {
  const film = await largeFilm();
  const file = info.outputPath("Rex at the shore.mp4");
  await writeFile(file, film);
  const client = await office.addClient("Dana Reyes", "Rex");
  const { id } = await office.schedule(client, day(), "08:00");
  await office.call("POST", `/scheduled-services/${id}/complete`, { notes: "All well" });

  const before = await install.start();
  // As on a phone whose browser makes no videos smaller.
  await before.addInitScript(() => Reflect.deleteProperty(window, "VideoEncoder"));
  await signedIn(before, sitter);
  const invoices = await InvoicesPage.open(before);
  await invoices.choose("Dana Reyes");
  await before.getByLabel("Add videos").setInputFiles(file);
  await expect(before.getByRole("list", { name: "Chosen videos" })).toContainText("60.0 MB");
  let broken = network.cutAfter(5 * MB);
  await invoices.share();
  for (const further of [3 * MB, 100_000, 9 * MB]) {
    await broken;
    broken = network.cutAfter(further);
    await network.heal();
  }
  await broken;
  await install.kill();

  broken = network.cutAfter(12 * MB);
  await network.heal();
  const after = await install.start();
  await after.goto("/invoices?tab=history");
  await broken;
  await network.heal();
  await expect(after.getByRole("link", { name: "View Invoice" })).toBeVisible({ timeout: 200_000 });
  const path = (await after.getByRole("link", { name: "View Invoice" }).getAttribute("href")) ?? "";

  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${server.origin}${path}`);
  const video = page.locator("video");
  await expect(video).toHaveAccessibleName("Video 1");
  const address = new URL((await video.getAttribute("src")) ?? "", server.origin);
  await context.close();
  const parts: Uint8Array[] = [];
  for (let from = 0; from < film.length; from += PART) {
    const to = Math.min(from + PART, film.length) - 1;
    const answer = await fetch(address, { headers: { Range: `bytes=${from}-${to}` } });
    expect(answer.status).toBe(206);
    expect(answer.headers.get("Content-Range")).toBe(`bytes ${from}-${to}/${film.length}`);
    parts.push(new Uint8Array(await answer.arrayBuffer()));
  }
  expect(hash(Buffer.concat(parts))).toBe(hash(film));
});

/** A browser that is killed in the middle of a walk, and the walk that goes on after it. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { ActiveWalkPage } from "./pages/walk";
import { day } from "./support/day";
import { test } from "./support/install";
import { stopClock, trackBegan, walkFor } from "./support/positions";
import { expect } from "./support/test";
import { BRISK_WALK, fixesOf, readTrack, withoutTrack } from "./support/tracks";

const left_out = withoutTrack(BRISK_WALK);

test("a walk whose browser was killed goes on with everything that was recorded, and a gap", async ({
  install,
  sitter,
  office,
}) => {
  test.skip(left_out !== undefined, left_out);
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "12:00");
  const track = readTrack(BRISK_WALK);

  const before = await install.start(track);
  const schedule = await signedIn(before, sitter);
  await (await schedule.open("Rex")).startWalk();
  const walk = await ActiveWalkPage.shown(before);
  // Nobody walks on while the test looks.
  await stopClock(before);
  await walkFor(before, 360);
  // It says so when it is on the disk, and all positions before it with it.
  await walk.log("Potty");
  const began = await trackBegan(before);
  const miles = await walk.miles();
  const killedAt = await before.evaluate(() => Date.now());
  const recorded = await walkBytes(before);
  await install.kill();

  const GONE_MS = 240_000;
  // The phone's clock starts where the wall's is, minutes behind the walk's: it goes on four minutes after the kill.
  const after = await install.start(track, began, killedAt + GONE_MS);
  await after.goto("/scheduling");
  // It records again before anybody has pressed anything, and asks after.
  await expect.poll(async () => (await walkBytes(after)).length).toBeGreaterThan(recorded.length);
  expect((await walkBytes(after)).slice(0, recorded.length)).toEqual(recorded);
  await after.getByRole("link", { name: "Still walking?" }).click();
  await after.getByRole("button", { name: "Still walking" }).click();
  const goesOn = await ActiveWalkPage.shown(after);
  await stopClock(after);
  // The dog does not wait for the test: by the time that somebody looks it may be some steps more, never fewer.
  expect(await goesOn.miles()).toBeGreaterThanOrEqual(miles);
  await goesOn.lastSays("Potty");
  await walkFor(after, 180);
  await expect(after.getByText("at least", { exact: true })).toBeVisible();
  const finish = await goesOn.end();
  await finish.keep();

  await after.clock.resume();
  await after.goto("/walks");
  await after.getByRole("link", { name: "Rex" }).click();
  await after.getByRole("button", { name: "More for this walk" }).click();
  const download = after.waitForEvent("download");
  await after.getByRole("menuitem", { name: "Export GPX" }).click();
  const gpx = await readFile(await (await download).path(), "utf8");
  expect(gpx.match(/<trkseg>/g)).toHaveLength(2);
  const times = fixesOf(gpx).map((it) => it.at);
  const silence = times.filter((it) => it > killedAt && it < killedAt + GONE_MS);
  expect(silence).toEqual([]);
  // To the second at which it was killed, and from the second at which it went on.
  expect(Math.max(...times.filter((it) => it <= killedAt))).toBeGreaterThan(killedAt - 5_000);
  expect(Math.min(...times.filter((it) => it > killedAt))).toBeLessThan(killedAt + GONE_MS + 30_000);
});

/** Every byte of walks on this phone's disk. */
async function walkBytes(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const asked = <T>(request: IDBRequest<T>) =>
      new Promise<T>((done, failed) => {
        request.onsuccess = () => done(request.result);
        request.onerror = () => failed(new Error(String(request.error)));
      });
    const names = (await indexedDB.databases()).map((it) => it.name ?? "");
    const name = names.find((it) => /^walkies-.{36}$/.test(it)) ?? "";
    const db = await asked(indexedDB.open(name));
    const chunks: { bytes: Uint8Array }[] = await asked(
      db.transaction("walk_points").objectStore("walk_points").getAll(),
    );
    db.close();
    return chunks.flatMap((it) => [...it.bytes]);
  });
}

/** A walk's report: what leaves the phone and what does not, who sees what of it, and that it can be taken back. */
import { resolve } from "node:path";
import { signedIn } from "./pages/auth";
import { PastWalkPage, ReportPage } from "./pages/report";
import { ActiveWalkPage } from "./pages/walk";
import { isAccessible } from "./support/axe";
import { day } from "./support/day";
import { unconfirmed } from "./support/disk";
import { test } from "./support/install";
import { walkFor } from "./support/positions";
import { expect } from "./support/test";
import { BRISK_WALK, type Fix, readTrack, withoutTrack } from "./support/tracks";
import { positionsIn, positionsSaid, Traffic } from "./support/traffic";

const PHOTO = resolve(import.meta.dirname, "../../manifest/icon-512.png");
const left_out = withoutTrack(BRISK_WALK);

test("without Share not one position of a walk leaves the phone", async ({ install, network, sitter, office }) => {
  test.skip(left_out !== undefined, left_out);
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "12:00");
  const track = readTrack(BRISK_WALK);
  const page = await install.start(track);
  const traffic = new Traffic(page);
  const schedule = await signedIn(page, sitter);

  await test.step("a whole walk, kept and completed", async () => {
    await (await schedule.open("Rex")).startWalk();
    const walk = await ActiveWalkPage.shown(page);
    await walkFor(page, 240);
    await walk.log("Potty");
    await walk.takePhoto(PHOTO);
    await walkFor(page, 120);
    await walk.note("Met a squirrel");
    await walk.pause();
    await walkFor(page, 30);
    await walk.resume();
    await walkFor(page, 120);
    const finish = await walk.end();
    await finish.addTimes();
    await finish.completeService();
    await schedule.isLoaded();
    await schedule.hasSentEverything();
    await PastWalkPage.open(page, "Rex");
    // The polls of a while, and what the app does on its own when it rests.
    await walkFor(page, 120);
  });
  const said = traffic.take();
  // What was said is recorded, or finding nothing in it would say nothing.
  expect(Buffer.concat(said.map((it) => it.bytes)).toString()).toContain("Met a squirrel");
  expect(said.some((it) => it.to === "/api/sync/push")).toBe(true);
  expect(positionsSaid(said, track)).toEqual([]);
  expect(positionsIn(Buffer.from(network.sent(), "latin1"), track)).toEqual([]);

  await test.step("shared without the map, there is none either", async () => {
    const share = await new PastWalkPage(page).share();
    await share.map.uncheck();
    await share.send();
    await expect(new PastWalkPage(page).states).toHaveText(["Shared"]);
  });
  expect(positionsSaid(traffic.take(), track)).toEqual([]);

  await test.step("shared with the map, the search finds it", async () => {
    await page.getByRole("button", { name: "Change" }).click();
    const dialog = page.getByRole("dialog", { name: "Share report" });
    await dialog.getByLabel("Show the map").check();
    await dialog.getByRole("button", { name: "Share report" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(new PastWalkPage(page).states).toHaveText(["Shared"]);
  });
  const found = positionsSaid(traffic.take(), track);
  expect(found).toContain("/api/sync/push: a polyline");
  expect(found.filter((it) => !it.startsWith("/api/sync/push"))).toEqual([]);
});

test("the search for positions finds every way of writing them", () => {
  const fix: Fix = { at: 0, lat: 40.712_776, lon: -74.005_974, altitude: null };
  const numbers = (write: (bytes: Buffer) => void) => {
    const bytes = Buffer.alloc(40, 7);
    write(bytes);
    return bytes;
  };
  const integers = numbers((it) => {
    it.writeInt32LE(407_127_760, 5);
    it.writeInt32LE(-740_059_740, 9);
  });
  const written: [string, Buffer][] = [
    ["degrees", Buffer.from('{"lat":40.7128,"lng":-74.006}')],
    ["degrees", Buffer.from("GET /api/map/areas?lat=40.71&lng=-74.01")],
    ["scaled degrees", Buffer.from('{"lat_e7":407127760}')],
    ["scaled degrees", Buffer.from("x=-74005974")],
    ["a map tile", Buffer.from("GET /tiles/13/2411/3080.png")],
    ["a map tile", Buffer.from("GET /api/map/tiles/2411-3080-0123456789abcdef")],
    ["a polyline", Buffer.from('{"points":"oc|slAj|}clC??"}')],
    ["binary integers", integers],
    ["binary integers in base64", Buffer.from(`{"log":"${integers.toString("base64")}"}`)],
    [
      "binary floats",
      numbers((it) => {
        it.writeDoubleBE(40.712_776, 3);
        it.writeDoubleBE(-74.005_974, 11);
      }),
    ],
    [
      "binary floats",
      numbers((it) => {
        it.writeFloatLE(-74.005_974, 1);
        it.writeFloatLE(40.712_776, 5);
      }),
    ],
  ];
  for (const [way, bytes] of written) expect(positionsIn(bytes, [fix]), bytes.toString("latin1")).toContain(way);
  const harmless =
    '{"made_at":"2026-11-20T09:00:00.123Z","price":37.5,"rev":1234,"id":"01a1fb5d-0000-7000-8000-000000000001"}';
  expect(positionsIn(Buffer.from(harmless), [fix])).toEqual([]);
});

test("at the end of a walk its report goes along, and is called shared when the server has it @full", async ({
  install,
  network,
  sitter,
  office,
}) => {
  test.skip(left_out !== undefined, left_out);
  const rex = await office.addClient("Dana Reyes", "Rex");
  await office.schedule(rex, day(), "12:00");
  await office.schedule(rex, day(), "13:00");
  const page = await install.start(readTrack(BRISK_WALK));
  const schedule = await signedIn(page, sitter);
  const walkOnce = async (visit: string) => {
    await (await schedule.open(visit)).startWalk();
    const walk = await ActiveWalkPage.shown(page);
    await walkFor(page, 120);
    await walk.log("Potty");
    const finish = await walk.end();
    await finish.sendReport("Dana Reyes");
    await page.getByRole("button", { name: "Complete and share report" }).click();
  };

  await walkOnce("12:00 PM");
  await schedule.says("Report shared");
  await expect
    .poll(async () => (await office.services()).map((it) => it.status).toSorted())
    .toEqual(["completed", "scheduled"]);

  await network.cut();
  await walkOnce("1:00 PM");
  await schedule.says("No connection: the report will be shared when it is back");
  await expect(page.getByText("Report shared")).toHaveCount(0);
  await network.heal();
  await expect(async () => {
    await page.clock.runFor(60_000);
    expect(await schedule.banners.filter({ hasText: "No connection to Walkies" }).count()).toBe(0);
  }).toPass();
  await schedule.hasSentEverything();
  await page.goto("/walks");
  await expect(page.getByText("Shared", { exact: true })).toHaveCount(2);
});

test("a walk with dogs of two clients is shared offline, seen by each in part, and taken back", async ({
  install,
  network,
  sitter,
  office,
  anotherPhone,
}) => {
  test.skip(left_out !== undefined, left_out);
  await office.call("PUT", "/sitters/profile", { business_name: "Mara's Dog Walks" });
  await office.addClient("Dana Reyes", "Rex", "Luna");
  await office.addClient("Kim Waters", "Miso");
  const page = await install.start(readTrack(BRISK_WALK));
  await signedIn(page, sitter);

  await test.step("a walk with all of them, without a network", async () => {
    await page.goto("/walk");
    for (const dog of ["Rex", "Luna", "Miso"]) await page.getByLabel(dog).check();
    await network.cut();
    await page.getByRole("button", { name: "Start walk with Rex, Luna and Miso" }).click();
    const walk = await ActiveWalkPage.shown(page);
    await walkFor(page, 120);
    await walk.takePhoto(PHOTO);
    await walk.log("Water");
    await walkFor(page, 60);
    await walk.note("Miso limps a little");
    await walkFor(page, 120);
    await (await walk.end()).keep();
  });

  const past = await PastWalkPage.open(page, "Rex, Luna and Miso");
  await test.step("shared: each client with what is theirs", async () => {
    const share = await past.share();
    // With several homes on it the map is left out unless somebody wants it.
    await expect(share.map).not.toBeChecked();
    await isAccessible(page, "share report");
    await share.map.check();
    await share.write("Dana Reyes", "Both were brave with the big truck.");
    await share.write("Kim Waters", "Please look at the left paw.");
    await share.show("Photo", "Rex and Luna");
    await share.show("Miso limps a little", "Miso");
    await share.send();
    await expect(past.states).toHaveText(["Waits for a connection", "Waits for a connection"]);
  });

  await test.step("it goes out when the network is back", async () => {
    await network.heal();
    await page.clock.runFor(60_000);
    await expect(past.states).toHaveText(["Shared", "Shared"]);
  });

  const paths = { dana: await past.pathFor("Rex and Luna"), kim: await past.pathFor("Miso") };
  const { page: parent } = await anotherPhone();
  await test.step("Dana sees her dogs and nobody else's", async () => {
    const report = await ReportPage.open(parent, paths.dana);
    await report.isTitled("A walk with Rex and Luna");
    await expect(parent).toHaveTitle("A walk with Rex and Luna · Mara's Dog Walks");
    await expect(report.words).toContainText("Both were brave with the big truck.");
    await expect(report.words).toContainText("Water");
    await expect(report.words).not.toContainText("Miso");
    await expect(report.words).not.toContainText("paw");
    await report.hasPhotos(1);
    await expect(parent.locator(".walk-line").first()).toBeVisible();
    await isAccessible(parent, "shared report");
    // A stranger's phone keeps nothing of it, and is not asked to install anything.
    expect(await parent.evaluate(async () => (await caches.keys()).length)).toBe(0);
    expect(await parent.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  });
  await test.step("Kim sees hers", async () => {
    const report = await ReportPage.open(parent, paths.kim);
    await report.isTitled("A walk with Miso");
    await expect(report.words).toContainText("Miso limps a little");
    await expect(report.words).toContainText("Please look at the left paw.");
    await expect(report.words).not.toContainText(/Rex|Luna|truck/);
    await report.hasPhotos(0);
  });
  await test.step("the sitter's own phone, which has the app, shows the same page", async () => {
    const beside = await page.context().newPage();
    await (await ReportPage.open(beside, paths.kim)).isTitled("A walk with Miso");
    await beside.close();
  });

  await test.step("taken back, its links say so in friendly words", async () => {
    await past.takeBack();
    await expect(past.states).toHaveCount(0);
    // What it waits for to send goes by the clock, which stands still in between.
    await expect.poll(() => page.clock.runFor(2_000).then(() => unconfirmed(page))).toBe(0);
    for (const path of [paths.dana, paths.kim]) {
      const report = await ReportPage.open(parent, path);
      await report.isTitled("This report is no longer shared");
      await expect(report.words).not.toContainText(/Rex|Miso|Mara/);
    }
    await isAccessible(parent, "report taken back");
  });
});

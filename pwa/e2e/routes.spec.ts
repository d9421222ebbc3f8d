/** A loop from a door of the demo business, found and walked with no network, left and found again. */
import { signedIn } from "./pages/auth";
import { isDrawn } from "./pages/map";
import { PastWalkPage, ReportPage } from "./pages/report";
import { plannedLine, RoutesPage } from "./pages/routes";
import { isAccessible } from "./support/axe";
import { DEMO, demoServer } from "./support/demo";
import { DirectionsService } from "./support/directions";
import { test as installed } from "./support/install";
import { metersBetween, type Spot, stand, walkAlong, walkFor } from "./support/positions";
import { Server } from "./support/server";
import { expect } from "./support/test";

const OFF_ROUTE = "You appear to be off your planned route";

/** About the middle of the demo's map, beyond whose edge there is no way back to be found. */
const MIDDLE: Spot = { lat: 60.1705, lon: 24.938 };

// The business whose city the server brings along.
const test = installed.extend<{ server: Server }>({ server: demoServer });

test("a loop is found and walked with no network by someone who strays and returns", async ({ install, network }) => {
  const page = await install.start();
  await stand(page.context(), MIDDLE);
  await signedIn(page, DEMO);

  const routes = await RoutesPage.open(page);
  await routes.pick("15 min");
  await routes.generate();
  await expect(routes.options).toHaveCount(3);
  await page.evaluate(async () => navigator.serviceWorker.ready.then(() => undefined));

  await test.step("with no network, the same and others", async () => {
    await network.cut();
    const again = await RoutesPage.open(page);
    await again.pick("15 min");
    await again.generate();
    await expect(again.options).toHaveCount(3);
    const directions = await again.showTab("Directions");
    await expect(directions.getByRole("listitem").last()).toContainText("You are back where you started");
    await again.others();
    await expect(again.options).toHaveCount(3);
  });

  const walk = await routes.startWalk();
  const route = page.getByRole("region", { name: "Planned route" });
  await expect(route.getByRole("status")).toContainText(/^Walk /);
  const line = await plannedLine(page);
  const half = line.slice(0, furthest(line) + 1);
  await walkAlong(page, half);
  await expect(route.getByRole("status")).toContainText(/in \d+ ft|in \d\.\d mi|now/);

  await test.step("astray", async () => {
    const corner = half.at(-1) ?? { lat: 0, lon: 0 };
    const astray = awayFrom(line, corner);
    await walkAlong(page, [corner, astray]);
    await walkFor(page, 30);
    await expect(route.getByRole("alert")).toContainText(OFF_ROUTE);
    await walkAlong(page, [astray, corner]);
    await expect(route.getByText(OFF_ROUTE)).toHaveCount(0);
  });

  await test.step("astray again, and home another way", async () => {
    const corner = half.at(-1) ?? { lat: 0, lon: 0 };
    const astray = awayFrom(line, corner);
    await walkAlong(page, [corner, astray]);
    await expect(route.getByRole("alert")).toContainText(OFF_ROUTE);
    await route.getByRole("button", { name: "Find a way back" }).click();
    await expect(route.getByText(OFF_ROUTE)).toHaveCount(0);
    await expect.poll(() => plannedLine(page)).not.toEqual(line);
    const back = await plannedLine(page);
    await walkAlong(page, [astray, ...back]);
  });
  await walkFor(page, 10);
  await expect(route.getByRole("status")).toContainText("You are back where you started");

  const finish = await walk.end();
  await finish.keep();
});

/** Returns where in a line its point is that is furthest from its start. */
function furthest(line: readonly Spot[]): number {
  const distances = line.map((it) => metersBetween(it, line[0] ?? it));
  return distances.indexOf(Math.max(...distances));
}

/** So far from a line one is off it, whatever the position's accuracy. */
const OFF_M = 200;

/** So near the start of a route its walker is back there, and off no route any more. */
const BACK_M = 100;

/**
 * Returns the place 300 m from a corner of a line that is off all of it and furthest inside the map, and whose straight
 * way does not lead past the start.
 */
function awayFrom(line: readonly Spot[], corner: Spot): Spot {
  const around = Array.from({ length: 16 }, (_, at) => {
    const angle = (at * Math.PI) / 8;
    const north = (300 * Math.cos(angle)) / 111_320;
    const east = (300 * Math.sin(angle)) / 111_320 / Math.cos((corner.lat * Math.PI) / 180);
    return { lat: corner.lat + north, lon: corner.lon + east };
  });
  const distance = (spot: Spot) => Math.min(...line.map((it) => metersBetween(it, spot)));
  const isPastStart = ({ lat, lon }: Spot) =>
    Array.from({ length: 11 }, (_, at) => at / 10).some((part) => {
      const spot = { lat: corner.lat + (lat - corner.lat) * part, lon: corner.lon + (lon - corner.lon) * part };
      return metersBetween(spot, line[0] ?? corner) < BACK_M;
    });
  const off = around.filter((it) => OFF_M < distance(it) && !isPastStart(it));
  return off.reduce((best, it) => (metersBetween(it, MIDDLE) < metersBetween(best, MIDDLE) ? it : best));
}

test("who has no place to begin is told so beside the button @desktop @full", async ({ page, sitter }) => {
  await signedIn(page, sitter);
  await RoutesPage.open(page);
  await page.getByRole("button", { name: "Generate Route" }).click();
  const alert = page.getByRole("alert");
  await expect(alert).toHaveText("Location not available. Please enable location services.");
  await expect(alert).toBeInViewport({ ratio: 1 });
});

test("results are shown from their top, bent with the keys, and walked with the client's dogs @desktop @full", async ({
  page,
}) => {
  await signedIn(page, DEMO);
  const routes = await RoutesPage.open(page);
  const label = await page.getByRole("option", { name: /^Aino Virtanen/ }).innerText();
  await page.getByLabel("From").selectOption({ label });
  await routes.pick("15 min");
  await page.getByLabel("Start heading").scrollIntoViewIfNeeded();
  await routes.generate();
  await expect(page.getByRole("heading", { level: 1 })).toBeInViewport({ ratio: 1 });
  // What only screen readers see must not make the page around the screen scroll.
  expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0);

  await page.getByRole("application").filter({ visible: true }).press("Enter");
  await page.getByRole("button", { name: "Walk past here" }).press("Enter");
  await routes.says("The route passes there now");

  const finish = await (await routes.startWalk()).end();
  await finish.keep();
  const share = await (await PastWalkPage.open(page, "Nalle")).share();
  await expect(share.dialog).toContainText("With Nalle");
});

test("who opens the report of a walk sees it on the streets of the map @full", async ({ install, anotherPhone }) => {
  const page = await install.start();
  await stand(page.context(), { lat: 60.1703, lon: 24.9414 });
  await signedIn(page, DEMO);
  const routes = await RoutesPage.open(page);
  const label = await page.getByRole("option", { name: /^Aino Virtanen/ }).innerText();
  await page.getByLabel("From").selectOption({ label });
  await routes.pick("15 min");
  await routes.generate();
  const walk = await routes.startWalk();
  const line = await plannedLine(page);
  await walkAlong(page, line.slice(0, Math.ceil(line.length / 3)));
  await (await walk.end()).keep();

  const past = await PastWalkPage.open(page, "Nalle");
  const share = await past.share();
  await share.map.check();
  await share.send();
  await expect(past.states).toHaveText(["Shared"]);
  const path = await past.pathFor("Nalle");
  const { page: parent } = await anotherPhone();
  await ReportPage.open(parent, path);
  await isDrawn(parent);
  await isAccessible(parent, "a report with its map");
});

test("minutes that are typed beside the results are asked for, and kept with the route @full", async ({ page }) => {
  await signedIn(page, DEMO);
  const routes = await RoutesPage.open(page);
  await routes.pick("15 min");
  await routes.generate();
  await routes.pick("Other");
  await page.getByLabel("Minutes").fill("20");
  await routes.generate();
  await expect(page.getByText(/^20 min · /)).toBeVisible();
  await expect(page.getByRole("button", { name: "Other walks" })).toBeVisible();

  // What is saved says its own length again, whatever the form says by then.
  await page.getByRole("button", { name: "Save this route" }).click();
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await routes.pick("60 min");
  await page.getByRole("region", { name: "Saved routes" }).getByRole("button").first().click();
  await expect(page.getByText(/^(19|20|21) min · /)).toBeVisible();
});

test("axe has nothing to say of routes @desktop @full", async ({ page }) => {
  await signedIn(page, DEMO);
  const routes = await RoutesPage.open(page);
  await isAccessible(page, "the form of a route");
  await routes.pick("Other");
  await page.getByLabel("Minutes").fill("20");
  await routes.generate();
  await isAccessible(page, "routes, overview");
  await routes.showTab("Directions");
  await isAccessible(page, "routes, directions");
  await routes.showTab("Safety");
  await isAccessible(page, "routes, safety");
});

const unmapped = installed.extend<{ directions: DirectionsService }>({
  // oxlint-disable-next-line no-empty-pattern
  directions: async ({}, give) => {
    const service = await DirectionsService.start();
    await give(service);
    await service.stop();
  },
  server: async ({ directions }, give) => {
    const server = await Server.start("--directions", `${directions.origin}/directions/v5/walking/{route}&key=k`);
    await give(server);
    await server.stop();
  },
});

unmapped(
  "outside the map a directions service is asked, and its troubles are told @full",
  async ({ page, sitter, office, directions, complaints }) => {
    const elsewhere: string[] = [];
    page.on("request", (it) => {
      if (it.url().startsWith(directions.origin)) elsewhere.push(it.url());
    });
    const home = { name: "Dana Reyes", dogs: [{ name: "Rex" }], lat: 40.75, lng: -73.98 };
    await office.call("POST", "/clients", home);
    await signedIn(page, sitter);
    const routes = await RoutesPage.open(page);
    await page.getByLabel("From").selectOption({ label: "Dana Reyes" });
    await routes.generate();
    await expect(routes.options).toHaveCount(3);
    expect(directions.asked).toHaveLength(3);
    for (const asked of directions.asked)
      expect(asked).toMatch(
        /walking\/-73\.98\d*,40\.75\d*;.*;-73\.98\d*,40\.75\d*\?geometries=geojson.*&steps=true&annotations=duration,distance&key=k$/,
      );

    directions.mood = "no_route";
    await page.getByRole("button", { name: "Other walks" }).click();
    await expect(page.getByRole("alert")).toHaveText("No routes found");
    directions.mood = "broken";
    await page.getByRole("button", { name: "Other walks" }).click();
    await expect(page.getByRole("alert")).toHaveText("Failed to get route from mapping service");
    await expect(routes.options).toHaveCount(3);

    // The server asks, whose key no phone has.
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

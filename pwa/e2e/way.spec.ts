/** The way to a client's door: shown on the map that is on the phone, without a network, from wherever one is. */
import type { Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { isDrawn } from "./pages/map";
import { isAccessible } from "./support/axe";
import { DEMO, demoServer } from "./support/demo";
import { test as base } from "./support/install";
import { stand } from "./support/positions";
import type { Server } from "./support/server";
import { expect } from "./support/test";

const test = base.extend<{ server: Server }>({ server: demoServer });

/** In the middle of the demo's map. */
const YRJONKATU = { lat: 60.169, lon: 24.936 };
const KASARMITORI = { lat: 60.1652, lon: 24.948 };

const way = (page: Page) => page.getByRole("region", { name: "Directions" });

/** The map is on the phone, as it is when the app was open for a while. */
async function withMap(page: Page): Promise<void> {
  await page.goto("/profile#device");
  const section = page.getByRole("region", { name: "Map on this phone" });
  await expect(async () => {
    await page.clock.runFor(5_000);
    await expect(section).toContainText("It works with no network.", { timeout: 1_000 });
  }).toPass();
}

async function showTheWay(page: Page): Promise<void> {
  await page.goto("/clients");
  await page.getByRole("link", { name: "Aino Virtanen", exact: true }).click();
  await page.getByRole("button", { name: "More for Aino Virtanen" }).click();
  await page.getByRole("menuitem", { name: "Directions" }).click();
  await expect(page.getByRole("heading", { name: "To Aino Virtanen" })).toBeVisible();
}

test("the way to a door is found without a network, step by step, and goes along", async ({ install, network }) => {
  const page = await install.start();
  await stand(page.context(), YRJONKATU);
  await signedIn(page, DEMO);
  await withMap(page);
  await network.cut();
  await showTheWay(page);
  await expect(way(page).getByText(/on foot$/)).toBeVisible();
  const steps = way(page).getByRole("listitem");
  await expect(steps.last()).toHaveText("You've arrived");
  expect(await steps.count()).toBeGreaterThan(2);
  await isDrawn(page);
  await isAccessible(page, "the way");
  const first = await steps.first().innerText();
  await page.evaluate(({ lat, lon }) => window.walkTo(lat, lon), KASARMITORI);
  await expect(steps.first()).toContainText("Kasarmikatu");
  expect(first).not.toContain("Kasarmikatu");
  await expect(way(page).getByRole("link", { name: "Navigate" })).toHaveAttribute("href", /^(geo:|https:|maps:)/);
  await way(page).getByRole("button", { name: "Back" }).click();
  await expect(page.getByRole("button", { name: "More for Aino Virtanen" })).toBeVisible();
});

test("a phone that does not say where it is shows the way from where one works, and says so @full", async ({
  install,
}) => {
  const page = await install.start();
  await page.context().addInitScript(() => {
    const refuse = (_: unknown, fail: (error: object) => void) => {
      setTimeout(() => fail({ code: 1, PERMISSION_DENIED: 1 }), 0);
      return 1;
    };
    const geolocation = { watchPosition: refuse, getCurrentPosition: refuse, clearWatch: () => undefined };
    Object.defineProperty(Navigator.prototype, "geolocation", { get: () => geolocation });
  });
  await signedIn(page, DEMO);
  await withMap(page);
  await showTheWay(page);
  await expect(way(page).getByRole("status").first()).toContainText(
    /^Location not available\. Please enable location services\. These are directions from .+\.$/,
  );
  await expect(way(page).getByRole("listitem").last()).toHaveText("You've arrived");
});

test("a way that cannot be shown says why, and the phone's own navigation is still there @full", async ({
  install,
  network,
}) => {
  const page = await install.start();
  await stand(page.context(), { lat: 61.5, lon: 23.76 });
  await signedIn(page, DEMO);
  await withMap(page);
  await network.cut();
  await showTheWay(page);
  await expect(way(page).getByRole("alert")).toHaveText(
    "That is too far to walk. Let your phone's navigation take you there.",
  );
  await expect(way(page).getByRole("link", { name: "Navigate" })).toBeVisible();
});

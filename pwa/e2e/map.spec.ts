/** The map on the phone: it comes once, is drawn with and without a network, light and dark, and can be removed. */
import type { Locator, Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { ClientsPage } from "./pages/clients";
import { isDrawn, look } from "./pages/map";
import { isAccessible } from "./support/axe";
import { DEMO, demoServer } from "./support/demo";
import { test as base } from "./support/install";
import type { Server } from "./support/server";
import { expect } from "./support/test";

const test = base.extend<{ server: Server }>({ server: demoServer });

const mapSection = (page: Page): Locator => page.getByRole("region", { name: "Map on this phone" });

/** The form of a client who lives where the map is, with the map on which the door is set. */
async function openDoor(page: Page): Promise<Locator> {
  await page.goto("/clients");
  await page.getByRole("link", { name: "Aino Virtanen", exact: true }).click();
  await new ClientsPage(page).edit();
  await page.getByRole("button", { name: "Move on the map" }).click();
  return page.getByRole("dialog", { name: "Where is the door?" });
}

/** Lets the clock go on until it is so: the map comes when the first sync is through and the app rests. */
async function inTime(page: Page, isSo: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(5_000);
    await isSo();
  }).toPass();
}

/** How many tiles are on this phone. */
const tilesHere = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((done, failed) => {
        const opening = indexedDB.open("walkies.map");
        opening.onupgradeneeded = () => opening.transaction?.abort();
        opening.onerror = () => done(0);
        opening.onsuccess = () => {
          const counting = opening.result.transaction("tiles").objectStore("tiles").count();
          counting.onerror = () => failed(new Error("The map cannot be counted."));
          counting.onsuccess = () => {
            opening.result.close();
            done(counting.result);
          };
        };
      }),
  );

test("the map comes unasked, is there without a network, and stays away when it was removed @full", async ({
  install,
  network,
}) => {
  const page = await install.start();
  await signedIn(page, DEMO);
  // Nobody has looked at a map, nor asked for one.
  await inTime(page, async () => expect(await tilesHere(page)).toBeGreaterThan(0));
  await page.goto("/profile#device");
  await expect(mapSection(page)).toContainText("It works with no network.");
  const door = await openDoor(page);
  await expect(door.getByText("(c) OpenStreetMap contributors")).toBeVisible();
  await isDrawn(page);
  await expect(door.getByRole("button", { name: "Download map" })).toHaveCount(0);
  const { light } = await look(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(async () => (await look(page)).light).toBeLessThan(light - 80);
  await page.emulateMedia({ colorScheme: "light" });
  await isAccessible(page, "the place of a door");

  await network.cut();
  await install.close();
  const again = await install.start();
  await openDoor(again);
  await isDrawn(again);

  await again.goto("/profile#device");
  await mapSection(again).getByRole("button", { name: "Remove map" }).click();
  await again.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(mapSection(again)).toContainText("No map is on this phone yet.");
  await isAccessible(again, "profile, without a map");
  // Not even with a network does it come back by itself.
  await network.heal();
  await again.goto("/profile#device");
  await again.clock.runFor(60_000);
  await expect(mapSection(again)).toContainText("No map is on this phone yet.");
  const bare = await openDoor(again);
  expect((await look(again)).drawn).toBe(0);
  await expect(bare.getByRole("button", { name: "Download map" })).toBeVisible();
  await network.cut();
  await again.goto("/profile#device");
  await mapSection(again).getByRole("button", { name: "Download map" }).click();
  await expect(mapSection(again)).toContainText("There is no network.");
});

test("a home is set on the map with the keys alone @full", async ({ page }) => {
  await signedIn(page, DEMO);
  const door = await openDoor(page);
  const place = door.getByRole("status");
  await expect(place).toHaveText(/^\d/);
  const before = (await place.innerText()).split(", ").map(Number);
  await door.getByRole("application").focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(async () => Number((await place.innerText()).split(", ")[1])).toBeGreaterThan(before[1] ?? 0);
  await page.keyboard.press("ArrowUp");
  await expect.poll(async () => Number((await place.innerText()).split(", ")[0])).toBeGreaterThan(before[0] ?? 0);
  // The map may still be on its way; where it is when the button is pressed is the place.
  const chosen = await door.evaluate((it) => {
    const use = [...it.querySelectorAll("button")].find((button) => button.textContent === "Use this place");
    const said = it.querySelector<HTMLElement>("[role=status]")?.innerText ?? "";
    use?.click();
    return said;
  });
  await expect(page.getByRole("dialog", { name: "Edit Client" })).toContainText(chosen);
  await page.getByRole("button", { name: "Save Client" }).click();
  await new ClientsPage(page).says("Client updated");
});

test("a place is taken where the map was moved to a door, and not the middle of the service area @full", async ({
  page,
}) => {
  await signedIn(page, DEMO);
  const { dialog } = await (await ClientsPage.open(page)).newClient();
  await dialog.getByRole("button", { name: "Set on the map" }).click();
  const chooser = page.getByRole("dialog", { name: "Where is the door?" });
  const use = chooser.getByRole("button", { name: "Use this place" });
  await expect(chooser.getByRole("application")).toBeVisible();
  await expect(chooser.getByRole("status")).toHaveText(
    "The pin stands in the middle of your service area, not at a door.",
  );
  await expect(use).toBeDisabled();
  await chooser.getByRole("application").focus();
  await page.keyboard.press("ArrowRight");
  await use.click();
  await expect(dialog.getByRole("button", { name: "Move on the map" })).toBeVisible();
});

test("an address is found on the map with no network, and sets the pin", async ({ install, network }) => {
  const page = await install.start();
  await signedIn(page, DEMO);
  await inTime(page, async () => expect(await tilesHere(page)).toBeGreaterThan(0));
  const { dialog } = await (await ClientsPage.open(page)).newClient();
  await network.cut();
  const field = dialog.getByRole("combobox", { name: "Address" });
  await field.fill("aleksanterinkat");
  const option = dialog.getByRole("option", { name: /^Aleksanterinkatu/ }).first();
  await expect(option).toBeVisible();
  await isAccessible(page, "addresses that are proposed");
  await page.keyboard.press("ArrowDown");
  await expect(option).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue(/^Aleksanterinkatu/);
  await expect(dialog.getByText(/The pin is set in the middle of the street/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Move on the map" })).toBeVisible();
});

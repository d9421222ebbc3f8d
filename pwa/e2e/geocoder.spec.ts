/** An address outside the map, found by a geocoder of others: asked by a press, with the words alone. */
import { signedIn } from "./pages/auth";
import { ClientsPage } from "./pages/clients";
import { isAccessible } from "./support/axe";
import { Geocoder } from "./support/geocoder";
import { test as installed } from "./support/install";
import { Server } from "./support/server";
import { expect } from "./support/test";

const test = installed.extend<{ geocoder: Geocoder }>({
  // oxlint-disable-next-line no-empty-pattern
  geocoder: async ({}, give) => {
    const geocoder = await Geocoder.start();
    await give(geocoder);
    await geocoder.stop();
  },
  server: async ({ geocoder }, give) => {
    const server = await Server.start("--geocoder", "photon", "--geocoder-url", geocoder.origin);
    await give(server);
    await server.stop();
  },
});

test("an address outside the map is searched when somebody asks for it @full", async ({
  page,
  sitter,
  office,
  geocoder,
}) => {
  await signedIn(page, sitter);
  const clients = await ClientsPage.open(page);
  const { dialog } = await clients.newClient();
  await dialog.getByLabel("Client name").fill("Dana Reyes");
  const field = dialog.getByRole("combobox", { name: /^Address/ });
  await field.fill("2905 n charles");
  const search = dialog.getByRole("button", { name: "Search with Photon" });
  await expect(search).toBeVisible();
  await isAccessible(page, "an address that a geocoder may find");
  expect(geocoder.asked).toEqual([]);

  geocoder.mood = "broken";
  await search.click();
  await expect(dialog.getByText(/^Photon did not answer/)).toBeVisible();
  geocoder.mood = "nothing";
  // All businesses together ask once a second.
  await expect(async () => {
    await search.click();
    await expect(dialog.getByText(/^Photon found nothing/)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  geocoder.mood = "well";
  const option = dialog.getByRole("option", { name: /^2905 North Charles Street, Baltimore 21218/ });
  await expect(async () => {
    await search.click();
    await expect(option).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await isAccessible(page, "addresses that a geocoder found");
  await option.click();
  await expect(field).toHaveValue("2905 North Charles Street, Baltimore 21218");
  await expect(dialog.getByText(/Found by Photon, data from OpenStreetMap contributors/)).toBeVisible();
  for (const asked of geocoder.asked) expect(asked).toBe("/api?q=2905+n+charles&limit=6");

  expect(await office.call("GET", "/map/geocoder")).toEqual({ name: "Photon" });
});

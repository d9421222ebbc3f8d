/** A new version of the app: it asks, it loses no form, and it waits for the end of a walk. */
import { signedIn } from "./pages/auth";
import { ClientForm, ClientsPage } from "./pages/clients";
import { SchedulePage } from "./pages/schedule";
import { ServicesPage } from "./pages/services";
import { ActiveWalkPage } from "./pages/walk";
import { expect, test } from "./support/test";
import { comeToFront, publishNext, runsNext } from "./support/worker";

test.beforeEach(async ({ page, sitter, server, network }) => {
  await signedIn(page, sitter);
  await publishNext(server, network);
});

test("a new version waits for a yes and loses nothing of an open form", async ({ page }) => {
  await page.goto("/services");
  const services = new ServicesPage(page);
  await services.newOffering();
  await services.enter({ name: "Puppy hour", price: "42.50" });
  await comeToFront(page);
  await expect(services.banners).toContainText("New version ready");
  expect(await runsNext(page)).toBe(false);
  await services.form.getByLabel(/^Description/).fill("Six weeks to six months");
  await page.getByRole("button", { name: "Update" }).click();
  await expect.poll(() => runsNext(page).catch(() => false)).toBe(true);
  await expect(services.banners).toHaveCount(0);
  await services.newOffering();
  await expect(services.form.getByText("Restored what you typed.")).toBeVisible();
  await expect(services.form.getByLabel("Service name")).toHaveValue("Puppy hour");
  await expect(services.form.getByLabel(/^Description/)).toHaveValue("Six weeks to six months");
});

test("a yes in one tab loses nothing of a form in the other", async ({ page, context }) => {
  const other = await context.newPage();
  const clients = await ClientsPage.open(other);
  await (await clients.newClient()).enter({ name: "Dana Reyes", pets: [{ name: "Rex", about: "No chicken" }] });
  await comeToFront(page);
  await page.getByRole("button", { name: "Update" }).click();
  await expect.poll(() => runsNext(page).catch(() => false)).toBe(true);
  await expect.poll(() => runsNext(other).catch(() => false)).toBe(true);
  const form = await ClientForm.shown(other, "Add Client");
  await expect(form.dialog.getByLabel("Client name")).toHaveValue("Dana Reyes");
  await expect(form.dialog.getByLabel(/^About/)).toHaveValue("No chicken");
  await form.save();
  await clients.says("Client added");
});

test("a new version waits for the end of a walk, in whatever tab it is", async ({ page, context }) => {
  const other = await context.newPage();
  await other.goto("/walk");
  await other.getByRole("button", { name: "Start walk without a dog" }).click();
  const walk = await ActiveWalkPage.shown(other);
  await comeToFront(page);
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page.getByText("The new version comes when the walk ends.")).toBeVisible();
  await walk.log("Potty");
  expect(await runsNext(other)).toBe(false);

  await (await walk.end()).keep();
  await page.reload();
  await (await SchedulePage.shown(page)).isLoaded();
  await page.getByRole("button", { name: "Update" }).click();
  await expect.poll(() => runsNext(page).catch(() => false)).toBe(true);
});

/** A new version of the app: it asks, it loses no form, it waits for the end of a walk, and no server keeps it away. */
import { createServer, type Socket } from "node:net";
import type { Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { ClientForm, ClientsPage } from "./pages/clients";
import { SchedulePage } from "./pages/schedule";
import { ServicesPage } from "./pages/services";
import { ActiveWalkPage } from "./pages/walk";
import type { Network } from "./support/network";
import { expect, test } from "./support/test";
import { comeToFront, publishNext, runsNext, update } from "./support/worker";

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
  await expect(services.banners.filter({ hasText: "New version ready" })).toBeVisible();
  expect(await runsNext(page)).toBe(false);
  await services.form.getByLabel(/^Description/).fill("Six weeks to six months");
  await update(page);
  await expect(services.banners).toHaveCount(0);
  await services.newOffering();
  await expect(services.form.getByText("Restored what you typed.")).toBeVisible();
  await expect(services.form.getByLabel("Service name")).toHaveValue("Puppy hour");
  await expect(services.form.getByLabel(/^Description/)).toHaveValue("Six weeks to six months");
});

test("a new version that misses the first word comes all the same @full", async ({ page, server, network }) => {
  const deaf = `let words = 0; self.addEventListener("message", (it) => (words += 1) === 1 && it.stopImmediatePropagation());`;
  await publishNext(server, network, (script) => deaf + script);
  await comeToFront(page);
  await expect(new SchedulePage(page).banners.filter({ hasText: "New version ready" })).toBeVisible();
  await update(page);
});

test("a new version that is overtaken by a newer one comes as that @full", async ({ page, server, network }) => {
  const deaf = `self.addEventListener("message", (it) => it.stopImmediatePropagation());`;
  await publishNext(server, network, (script) => deaf + script);
  await comeToFront(page);
  await expect(new SchedulePage(page).banners.filter({ hasText: "New version ready" })).toBeVisible();
  const comes = update(page);
  await expect(page.getByRole("button", { name: "Update" })).toBeDisabled();
  await publishNext(server, network);
  await comeToFront(page);
  await comes;
});

test("a form that covers the screen is left in peace; the question is there when it is closed @full", async ({
  page,
}) => {
  const clients = await ClientsPage.open(page);
  const { dialog } = await clients.newClient();
  const name = dialog.getByLabel("Client name");
  await name.fill("Dana");
  await comeToFront(page);
  await expect(clients.banners.filter({ hasText: "New version ready" })).toBeVisible();
  await expect(name).toBeFocused();
  await page.keyboard.type(" Reyes");
  await expect(name).toHaveValue("Dana Reyes");
  // Nothing has come over the form, where it could not even be pressed.
  expect(await page.locator("dialog[open], :popover-open").count()).toBe(1);
  expect(await isReachable(page, "Update")).toBe(false);

  await dialog.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => isReachable(page, "Update")).toBe(true);
  await update(page);
  const form = await clients.newClient();
  await expect(form.dialog.getByText("Restored what you typed.")).toBeVisible();
  await expect(form.dialog.getByLabel("Client name")).toHaveValue("Dana Reyes");
});

test("a yes in one tab loses nothing of a form in the other", async ({ page, context }) => {
  const other = await context.newPage();
  const clients = await ClientsPage.open(other);
  await (await clients.newClient()).enter({ name: "Dana Reyes", pets: [{ name: "Rex", about: "No chicken" }] });
  await comeToFront(page);
  await update(page, other);
  const form = await ClientForm.shown(other, "Add Client");
  await expect(form.dialog.getByLabel("Client name")).toHaveValue("Dana Reyes");
  await expect(form.dialog.getByLabel(/^About/)).toHaveValue("No chicken");
  await form.save();
  await clients.says("Client added");
});

test("a new version waits for the end of a walk, in whatever tab it is @full", async ({ page, context }) => {
  const other = await context.newPage();
  await other.goto("/walk");
  await other.getByRole("button", { name: "Start walk without a pet" }).click();
  const walk = await ActiveWalkPage.shown(other);
  await comeToFront(page);
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page.getByText("The new version waits until the walk ends.")).toBeVisible();
  await walk.log("Potty");
  expect(await runsNext(other)).toBe(false);

  await (await walk.end()).keep();
  await expect(page.getByText("New version ready")).toBeVisible();
  await update(page, other);
});

test("a look with no network says nothing, and the next one finds the new version @full", async ({ page, network }) => {
  const schedule = await SchedulePage.shown(page);
  await network.cut();
  await comeToFront(page);
  await expect(schedule.banners).toContainText("No connection to Walkies.");
  await network.heal();
  await comeToFront(page);
  await expect(schedule.banners.filter({ hasText: "New version ready" })).toBeVisible();
});

test("a look that nobody answers does not keep later ones from the new version @full", async ({ page, network }) => {
  const schedule = await SchedulePage.shown(page);
  const letGo = await lookInVain(page, network);
  await comeToFront(page);
  await expect(schedule.banners.filter({ hasText: "New version ready" })).toBeVisible();
  letGo();
});

test("an app that stays open looks every hour @full", async ({ page, network }) => {
  await page.clock.install();
  await page.reload();
  await (await SchedulePage.shown(page)).isLoaded();
  const looks = () => network.sent().split("HEAD /sw.js ").length - 1;
  const before = looks();
  await page.clock.fastForward("01:00:00");
  await expect.poll(looks).toBe(before + 1);
});

/** True if a tap on the middle of the button would reach it, with nothing above it. */
const isReachable = (page: Page, button: string): Promise<boolean> =>
  page.getByRole("button", { name: button }).evaluate((it) => {
    const { x, y, width, height } = it.getBoundingClientRect();
    return it.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });

/** The phone looks for a new version at a server that takes the call and says nothing, ever, until it is let go. */
async function lookInVain(page: Page, network: Network): Promise<() => void> {
  const open: Socket[] = [];
  await network.cut();
  const silent = createServer();
  const asked = new Promise<void>((heard) => {
    silent.on("connection", (phone) => {
      open.push(phone.on("error", () => undefined));
      phone.on("data", (bytes) => bytes.includes(" /sw.js ") && heard());
    });
  });
  const { hostname, port } = new URL(network.origin);
  await new Promise<void>((listens) => silent.listen(Number(port), hostname, listens));
  await comeToFront(page);
  await asked;
  // It takes no more calls; those that it has taken stay open.
  silent.close();
  await network.heal();
  return () => open.forEach((it) => it.destroy());
}

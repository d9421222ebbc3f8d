/** The guided start: a new sitter is led to the first client, the first visit, the map and the app, and then left alone. */
import type { Page } from "@playwright/test";
import { SignInPage, signedIn } from "./pages/auth";
import { ClientsPage } from "./pages/clients";
import { SchedulePage, ServiceForm } from "./pages/schedule";
import { somebody } from "./support/api";
import { isAccessible } from "./support/axe";
import { day } from "./support/day";
import { demoServer } from "./support/demo";
import type { Server } from "./support/server";
import { test as base, expect } from "./support/test";

// The demo's map is on it, beside whoever else comes.
const test = base.extend<{ server: Server }>({ server: demoServer });

const card = (page: Page) => page.getByRole("region", { name: "First steps" });
const step = (page: Page, name: RegExp) => card(page).getByRole("link", { name });

test("a new sitter is led from an empty folder to a phone that is ready", async ({ page, server, api }) => {
  const sitter = somebody();
  const schedule = await (await (await SignInPage.open(page)).join()).signUp(sitter, server);
  await expect(card(page)).toContainText("0 of 4");
  await isAccessible(page, "first steps");

  await test.step("the first client", async () => {
    await step(page, /^Add your first client/).click();
    const clients = new ClientsPage(page);
    await page.getByRole("dialog", { name: "Add Client" }).getByLabel("Client name").fill("Dana Reyes");
    await page.getByRole("dialog", { name: "Add Client" }).getByLabel("Pet name").fill("Rex");
    await page.getByRole("dialog", { name: "Add Client" }).getByRole("button", { name: /^Save/ }).click();
    await clients.says("Client added");
    await clients.goTo("Schedule");
    await expect(card(page)).toContainText("1 of 4");
  });

  await test.step("the first visit: the day's list does not move for it", async () => {
    await step(page, /^Schedule the first visit/).click();
    const form = await ServiceForm.shown(page, "Schedule Service");
    await form.choose({ client: "Dana Reyes", dogs: ["Rex"], start: "2:00 PM" });
    await form.save();
    await expect(card(page)).toContainText("2 of 4");
    await page.goto("/scheduling");
    await expect(schedule.visit("Rex")).toBeVisible();
    const top = await schedule.visit("Rex").evaluate((it) => it.getBoundingClientRect().top);
    await expect(card(page)).toContainText("2 of 4");
    expect(await schedule.visit("Rex").evaluate((it) => it.getBoundingClientRect().top)).toBe(top);
  });

  await test.step("put off, it is taken up again from the profile", async () => {
    await card(page).getByRole("button", { name: "Not now" }).click();
    await expect(card(page)).toHaveCount(0);
    await page.reload();
    await schedule.isLoaded();
    await expect(card(page)).toHaveCount(0);
    await page.goto("/profile#device");
    await expect(card(page)).toContainText("2 of 4 done");
    await card(page).getByRole("button", { name: "Continue the first steps" }).click();
    await expect(card(page)).toContainText("2 of 4");
  });

  await test.step("the map", async () => {
    const office = await api.signIn(sitter);
    await office.call("PUT", "/sitters/service-area", {
      address: "Kluuvi",
      lat: 60.1705,
      lng: 24.945,
      radius_miles: 0.5,
    });
    // So small a map comes unasked, and its step is done by itself.
    await expect(card(page)).toContainText("3 of 4");
  });

  await test.step("the app: with it all is done, for good", async () => {
    await step(page, /^Install the app/).click();
    await expect(page.getByRole("heading", { name: "Install", exact: true })).toBeInViewport();
    // As the browser says that it has done so.
    await page.evaluate(() => dispatchEvent(new Event("appinstalled")));
    await expect(page.getByText("Walkies is installed on this device.")).toBeVisible();
    await new SchedulePage(page).goTo("Schedule");
    await schedule.says("You are all set");
    await expect(card(page)).toHaveCount(0);
    await page.reload();
    await schedule.isLoaded();
    await expect(card(page)).toHaveCount(0);
  });
});

test("who does not want it is not asked again, also after the next sign-in @desktop @full", async ({
  page,
  sitter,
}) => {
  const schedule = await signedIn(page, sitter);
  await card(page).getByRole("button", { name: "Don't show again" }).click();
  await expect(card(page)).toHaveCount(0);
  await page.reload();
  await schedule.isLoaded();
  await expect(card(page)).toHaveCount(0);
  await page.goto("/profile#device");
  await expect(page.getByRole("heading", { name: /^Map on this (phone|device)$/ })).toBeVisible();
  await expect(card(page)).toHaveCount(0);
});

test("who has clients and visits never sees it @full", async ({ page, sitter, office }) => {
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "14:00");
  const schedule = await signedIn(page, sitter);
  await expect(schedule.visit("Rex")).toBeVisible();
  await expect(card(page)).toHaveCount(0);
});

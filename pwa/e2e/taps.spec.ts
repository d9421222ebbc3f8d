/** How many taps the acts of every day take, by a finger on a phone's glass. */
import type { Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { SchedulePage } from "./pages/schedule";
import { ActiveWalkPage } from "./pages/walk";
import { day } from "./support/day";
import { Finger } from "./support/finger";
import { stand } from "./support/positions";
import { countTaps, taps } from "./support/taps";
import { test as base, expect } from "./support/test";

const test = base.extend<{ morning: Page }>({
  /** A phone in the morning of a day with one visit done, one next and one after it. */
  morning: async ({ page, context, sitter, office }, give) => {
    await stand(context, { lat: 60.17, lon: 24.94 });
    const client = await office.addClient("Dana Reyes", "Rex");
    const done = await office.schedule(client, day(), "08:00");
    await office.call("POST", `/scheduled-services/${done.id}/complete`, { notes: "" });
    await office.schedule(client, day(), "12:00");
    await office.schedule(await office.addClient("Kim Waters", "Miso"), day(), "15:00");
    await signedIn(page, sitter);
    await SchedulePage.open(page);
    await countTaps(page);
    await give(page);
  },
});

const next = (page: Page) => page.locator("[data-next]");

/** On the walk with the one who is next. */
async function onWalk(page: Page): Promise<ActiveWalkPage> {
  await next(page).getByRole("link", { name: "Start walk" }).tap();
  return ActiveWalkPage.shown(page);
}

test("who is next, where, and how to get in is seen without a tap @full", async ({ morning: page }) => {
  for (const words of ["Rex", "18 Alder Street", "Key 14, lockbox"]) {
    await expect(next(page).getByText(words)).toBeInViewport({ ratio: 1 });
  }
  expect(await taps(page)).toBe(0);
});

test("a walk is started with one tap", async ({ morning: page }) => {
  await (await onWalk(page)).isWith("Rex", "Dana Reyes");
  expect(await taps(page)).toBe(1);
});

test("a note is added with two taps and its words @full", async ({ morning: page }) => {
  const walk = await onWalk(page);
  await countTaps(page);
  await page.getByRole("button", { name: "Note", exact: true }).tap();
  await walk.dialog.getByLabel("What happened?").pressSequentially("Met a squirrel");
  await walk.dialog.getByRole("button", { name: "Save" }).tap();
  await walk.lastSays("Met a squirrel");
  expect(await taps(page)).toBe(2);
});

test("a walk is ended by holding once", async ({ morning: page }) => {
  await onWalk(page);
  await countTaps(page);
  const finger = await Finger.of(page);
  await finger.down(page.getByRole("button", { name: "Hold to end" }));
  await expect(page.getByRole("heading", { name: "Walk completed!" })).toBeVisible();
  await finger.up();
  expect(await taps(page)).toBe(1);
});

test("the way to the next visit is one tap @full", async ({ morning: page, context, complaints }) => {
  const opened = context.waitForEvent("page");
  const link = next(page).getByRole("link", { name: "Navigate to Dana Reyes" });
  await expect(link).toHaveAttribute("href", /Alder/);
  await link.tap();
  await opened;
  expect(await taps(page)).toBe(1);
  // The maps of others are what was asked for.
  complaints.splice(0);
});

test("a visit that is no walk is completed with one tap @full", async ({ page, sitter, office }) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  const visit = await office.schedule(client, day(), "12:00", { service_type: "dropin" });
  const schedule = await signedIn(page, sitter);
  await SchedulePage.open(page);
  await countTaps(page);
  await next(page).getByRole("button", { name: "Mark Complete" }).tap();
  await schedule.says("Service completed successfully");
  expect(await taps(page)).toBe(1);
  await expect.poll(async () => (await office.services()).find((it) => it.id === visit.id)?.status).toBe("completed");
});

test("at the end of a walk its visit is completed with one tap", async ({ morning: page, office }) => {
  await (await onWalk(page)).end();
  await countTaps(page);
  await page.getByRole("button", { name: "Complete the service" }).tap();
  await expect.poll(async () => (await office.services()).filter((it) => it.status === "completed").length).toBe(2);
  expect(await taps(page)).toBe(1);
});

test("a report is sent with two taps from the end of its walk @full", async ({ morning: page }) => {
  const walk = await onWalk(page);
  await walk.log("Potty");
  await walk.end();
  await countTaps(page);
  await page.getByText("Share the report with Dana Reyes").tap();
  await page.getByRole("button", { name: "Complete and share report" }).tap();
  await new SchedulePage(page).says("Report shared");
  expect(await taps(page)).toBe(2);
});

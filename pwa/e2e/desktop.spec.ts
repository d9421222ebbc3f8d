/** A day at the desk with a mouse: nothing scrolls into blankness, visits are put where they belong by hand. */
import type { Locator, Page } from "@playwright/test";
import { SignInPage, signedIn } from "./pages/auth";
import { ServiceForm } from "./pages/schedule";
import { ServicesPage } from "./pages/services";
import { isAccessible } from "./support/axe";
import { day, ZONE } from "./support/day";
import { Finger } from "./support/finger";
import { keepNotices } from "./support/notices";
import { expect, test } from "./support/test";

const grid = (page: Page): Locator => page.getByRole("group", { name: /^Calendar by the hour/ });
const visit = (page: Page, name: RegExp): Locator => grid(page).getByRole("button", { name });
const column = (page: Page, at: number): Locator =>
  grid(page)
    .getByRole("button", { name: /^New service on/ })
    .nth(at);

/** 120 px an hour. */
const HOUR = 120;

async function boxOf(it: Locator) {
  const box = await it.boundingBox();
  if (!box) throw new Error("There is nothing there.");
  return box;
}

/** Takes hold of something at a place in it; the hand is on it until `page.mouse.up()`. */
async function pull(page: Page, from: { x: number; y: number }, by: { x?: number; y?: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + (by.x ?? 0), from.y + (by.y ?? 0), { steps: 8 });
}

async function middleOf(it: Locator) {
  const { x, y, width } = await boxOf(it);
  return { x: x + width / 2, y: y + 12 };
}

test("an offering is pulled into another category @desktop-only @full", async ({ page, sitter, office }) => {
  for (const { id } of await office.offerings()) await office.call("DELETE", `/sitter-services/${id}`);
  for (const [name, category] of [
    ["Bath", "Grooming"],
    ["Lesson", "Training"],
    ["Class", "Training"],
  ]) {
    await office.call("POST", "/sitter-services", { name, base_price: 30, category });
  }
  await signedIn(page, sitter);
  const services = await ServicesPage.open(page);
  await expect(services.names).toHaveText(["Bath", "Lesson", "Class"]);
  const grip = page.getByRole("button", { name: "Move Class" });
  await expect(grip).not.toHaveAttribute("aria-disabled", "true");
  const [from, to] = [await middleOf(grip), await middleOf(page.getByRole("button", { name: "Move Bath" }))];
  await pull(page, from, { y: to.y - from.y });
  await expect(services.names).toHaveText(["Bath", "Class", "Lesson"]);
  await page.mouse.up();
  const stored = async () =>
    (await office.offerings())
      .toSorted((a, b) => a.display_order - b.display_order)
      .map((it) => `${it.name}, ${it.category}`);
  await expect.poll(stored).toEqual(["Bath, Grooming", "Class, Grooming", "Lesson, Training"]);
});

test("twenty visits scroll in their lists, and the window itself does not @desktop-only @full", async ({
  page,
  sitter,
  office,
}) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  for (let index = 0; index < 20; index += 1) {
    await office.schedule(client, day(), `${11 + Math.floor(index / 2)}:${index % 2 ? 30 : "00"}`);
  }
  const schedule = await signedIn(page, sitter);
  await expect(schedule.today.getByRole("listitem")).toHaveCount(20);
  for (const query of ["", "?days=day", "?days=week", "?view=list", "?view=availability"]) {
    await page.goto(`/scheduling${query}`);
    await schedule.isTitled("Schedule");
    if (query.includes("view=")) await expect(page.getByRole("heading", { name: "This Week" })).toHaveCount(0);
    else await expect(visit(page, /, 11:00 AM/)).toBeVisible();
    const beyond = await page.evaluate(() => {
      const root = document.documentElement;
      // To where nothing is, as far as it goes.
      window.scrollTo(0, 1_000_000);
      const wide = [...document.querySelectorAll("*")]
        .filter((it) => it === root || /auto|scroll/.test(getComputedStyle(it).overflowX))
        .filter((it) => it.scrollWidth > it.clientWidth)
        .map((it) => `${it.tagName} ${it.ariaLabel ?? it.className}: ${it.scrollWidth} in ${it.clientWidth}`);
      return { scrolled: window.scrollY, wide };
    });
    expect(beyond, query).toEqual({ scrolled: 0, wide: [] });
    if (query.includes("view=")) continue;
    // Nor does what holds the calendar: its parts scroll by themselves.
    const main = page.getByRole("main");
    await main.evaluate((it) => it.scrollTo(0, 1_000_000));
    expect(await main.evaluate((it) => it.scrollTop), query).toBe(0);
  }
});

test("a visit is moved by hand to another time and day, and put back @desktop-only", async ({
  page,
  sitter,
  office,
}) => {
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "11:00");
  const schedule = await signedIn(page, sitter);
  await keepNotices(page);
  const rex = visit(page, /Rex/);
  await rex.scrollIntoViewIfNeeded();
  const from = await middleOf(rex);
  const { width } = await boxOf(column(page, 0));
  await pull(page, from, { x: width, y: HOUR / 4 });
  // The time that it would have is said under the hand.
  await expect(grid(page).getByText("11:15 AM - 11:45 AM", { exact: true })).toBeVisible();
  await page.mouse.up();
  await expect.poll(async () => (await office.services())[0]).toMatchObject({ date: day(1), start_time: "11:15" });
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await office.services())[0]).toMatchObject({ date: day(), start_time: "11:00" });
  await schedule.hasSentEverything();

  // What is let go with Escape was never moved, and is not opened either.
  await pull(page, await middleOf(rex), { y: HOUR });
  await expect(grid(page).getByText("12:00 PM - 12:30 PM", { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await expect(grid(page).getByText("12:00 PM - 12:30 PM", { exact: true })).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await office.services()).toMatchObject([{ start_time: "11:00" }]);
  await rex.click();
  await expect(page.getByRole("dialog", { name: "Service Details" })).toBeVisible();
});

test("a visit is made longer by its lower edge @desktop-only @full", async ({ page, sitter, office }) => {
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "11:00");
  await signedIn(page, sitter);
  const rex = visit(page, /Rex/);
  await rex.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await boxOf(rex);
  await pull(page, { x: x + width / 2, y: y + height - 3 }, { y: HOUR / 2 });
  await expect(grid(page).getByText("11:00 AM - 12:00 PM", { exact: true })).toBeVisible();
  await page.mouse.up();
  await expect.poll(async () => (await office.services())[0]).toMatchObject({ duration_minutes: 60, price: 35 });
});

test("what is in the way stays there, and the form is one press away @desktop-only @full", async ({
  page,
  sitter,
  office,
}) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  const other = await office.addClient("Amir Haddad", "Pepper");
  await office.schedule(client, day(), "11:00");
  await office.schedule(other, day(), "13:00");
  await signedIn(page, sitter);
  await keepNotices(page);
  const rex = visit(page, /Rex/);
  await rex.scrollIntoViewIfNeeded();
  await pull(page, await middleOf(rex), { y: 2 * HOUR });
  await page.mouse.up();
  const alert = page.getByRole("alert").filter({ hasText: "Time slot conflict detected" });
  await expect(alert).toContainText("Amir Haddad, 1:00 PM - 1:30 PM");
  await expect(visit(page, /11:00 AM.*Rex/)).toBeVisible();
  await isAccessible(page, "a move turned down");
  await alert.getByRole("button", { name: "Open form" }).click();
  const form = await ServiceForm.shown(page, "Edit Service");
  await expect(form.dialog.getByLabel("Start time")).toHaveValue("13:00");
  await form.scheduleAnyway();
  await expect.poll(async () => (await office.services()).map((it) => it.start_time)).toEqual(["13:00", "13:00"]);
});

test("a new visit is drawn over empty slots @desktop-only @full", async ({ page, sitter, office }) => {
  await office.addClient("Dana Reyes", "Rex");
  await signedIn(page, sitter);
  const { x, y } = await boxOf(column(page, 2));
  // From 8:00 to half past nine.
  await pull(page, { x: x + 20, y: y + 8 * HOUR + 4 }, { y: 1.5 * HOUR - 10 });
  await expect(grid(page).getByText("8:00 AM - 9:30 AM", { exact: true })).toBeVisible();
  await page.mouse.up();
  const form = await ServiceForm.shown(page, "Schedule Service");
  await expect(form.dialog.getByLabel("Date")).toHaveValue(day(2));
  await expect(form.dialog.getByLabel("Start time")).toHaveValue("08:00");
  await expect(form.dialog.getByLabel("Duration")).toHaveValue("90");
  await form.choose({ client: "Dana Reyes" });
  await form.save();
  await expect
    .poll(() => office.services())
    .toMatchObject([{ date: day(2), start_time: "08:00", duration_minutes: 90 }]);
});

test("the whole day, when it was chosen before, opens with six at its upper edge @desktop-only @full", async ({
  page,
  sitter,
  office,
}) => {
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "11:00");
  await page.addInitScript(() => localStorage.setItem("walkies-calendar-density", "whole_day"));
  await signedIn(page, sitter);
  // How far below the days' names the hour begins, in its own heights.
  const below = async () => {
    const names = await boxOf(
      grid(page)
        .getByRole("button", { name: /^\w+day, .*(visit|visits)$/ })
        .first(),
    );
    const [six, seven] = [await boxOf(grid(page).getByText("6 AM")), await boxOf(grid(page).getByText("7 AM"))];
    return (six.y - names.y - names.height) / (seven.y - six.y);
  };
  await expect.poll(below).toBeCloseTo(0, 0);
  await page.reload();
  await expect(visit(page, /Rex/)).toBeVisible();
  await expect.poll(below).toBeCloseTo(0, 0);
});

test("a finger scrolls the hours, and moves no visit @desktop-only @full", async ({
  browser,
  baseURL,
  sitter,
  office,
}) => {
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "11:00");
  const context = await browser.newContext({
    baseURL: baseURL ?? "",
    viewport: { width: 1280, height: 800 },
    hasTouch: true,
    locale: "en-US",
    timezoneId: ZONE,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await signedIn(page, sitter);
  const rex = visit(page, /Rex/);
  await rex.scrollIntoViewIfNeeded();
  const before = await grid(page).evaluate((it) => it.scrollTop);
  await (await Finger.of(page)).swipe(rex, -200);
  await expect.poll(() => grid(page).evaluate((it) => it.scrollTop)).toBeGreaterThan(before + 100);
  expect(await office.services()).toMatchObject([{ start_time: "11:00" }]);
  await context.close();
});

test("the palette is reached by keys and by the sidebar, and axe has nothing to say of it @desktop-only", async ({
  page,
  sitter,
  office,
}) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  await signedIn(page, sitter);
  await page.keyboard.press("Control+k");
  const line = page.getByRole("combobox", { name: "Search or go to" });
  await expect(line).toBeFocused();
  await isAccessible(page, "palette");
  await page.keyboard.type("rex");
  await expect(page.getByRole("option", { name: "Dana Reyes (Rex)", exact: true })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/clients/${client.id}$`));
  await page.getByRole("button", { name: "Search or go to" }).click();
  await expect(line).toBeFocused();
  await page.keyboard.type("tomorrow");
  // What is offered before anything is typed has gone.
  await expect(page.getByRole("option", { name: "Go to today" })).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`date=${day(1)}$`));
});

test("where the menu does not come the screen is there, and the menu can be asked for again @desktop-only @full", async ({
  page,
  network,
  sitter,
  complaints,
}) => {
  // No service worker either: it wants that file, too.
  network.checkIn(/\/assets\/Desktop-/, 404);
  const schedule = await (await SignInPage.open(page)).signIn(sitter);
  await schedule.isLoaded();
  const again = page.getByRole("button", { name: "Load the menu again" });
  await expect(again).toBeVisible();
  await expect(grid(page)).toBeVisible();
  expect(complaints.splice(0).join("\n")).toContain("Failed to fetch dynamically imported module");
  network.checkOut();
  await again.click();
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Clients" })).toBeVisible();
});

test("a desk is no phone, and is not called one @desktop-only @full", async ({ page, network, sitter, office }) => {
  await office.addClient("Dana Reyes", "Rex");
  const schedule = await signedIn(page, sitter);
  await network.cut();
  await schedule.schedule({ client: "Dana Reyes", start: "3:00 PM" });
  await expect(schedule.banners).toContainText("No connection to Walkies. 1 change is safe on this device.");
});

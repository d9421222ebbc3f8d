/** The specification's details of the shell, the schedule, availability and services, to the letter. */
import { SignInPage, signedIn } from "./pages/auth";
import { AvailabilityPage } from "./pages/availability";
import { ClientsPage } from "./pages/clients";
import { SchedulePage, ServiceDetails } from "./pages/schedule";
import { ServicesPage } from "./pages/services";
import { isAccessible } from "./support/axe";
import { day } from "./support/day";
import { keepNotices } from "./support/notices";
import { stand } from "./support/positions";
import { expect, test } from "./support/test";

test("a phone begins with today, one visit under the other, and one row above them @full", async ({
  page,
  sitter,
  office,
}) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  await office.schedule(client, day(), "21:00");
  await office.schedule(client, day(7), "10:00");
  const schedule = await signedIn(page, sitter);
  await schedule.isShown("Day");
  await expect(async () => {
    const header = (await page.locator("header").boundingBox()) ?? { y: 0, height: 0 };
    const first = (await schedule.visit("Rex").boundingBox()) ?? { y: 0 };
    const strip = (await page.getByRole("list", { name: "Days of the week" }).boundingBox()) ?? { height: 0 };
    // Between the head and the first visit there are the days of the week, and air.
    expect(first.y - header.y - header.height - strip.height).toBeLessThan(24);
  }).toPass();

  await page.getByRole("button", { name: "View: Day" }).click();
  await expect(page.getByRole("menuitemradio", { name: "Day", exact: true })).toBeFocused();
  await isAccessible(page, "view menu");
  await page.keyboard.press("Escape");
  await schedule.choose("Next week");
  await expect(page.getByText("10:00 AM")).toBeVisible();
  await schedule.choose("Today");
  await expect(schedule.visit("Rex")).toContainText("9:00 PM");
});

test("a phone on its side is a phone, with the next visit in sight @full", async ({ page, sitter, office }) => {
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "21:00");
  await signedIn(page, sitter);
  await page.setViewportSize({ width: 844, height: 390 });
  await page.reload();
  await expect(page.getByRole("button", { name: "More", exact: true })).toBeInViewport();
  await expect(page.getByRole("heading", { name: "Rex" })).toBeInViewport();
  await expect(page.getByRole("link", { name: "Start walk" })).toBeInViewport();
  await (await SchedulePage.shown(page)).isShown("Day");

  // On the walk what one reads and what one presses stand side by side.
  await stand(page.context(), { lat: 60.1756, lon: 24.9342 });
  await page.getByRole("link", { name: "Start walk" }).click();
  await expect(page.getByRole("button", { name: "Hold to end" })).toBeInViewport({ ratio: 1 });
  await expect(async () => {
    const figures = await page.getByText("distance", { exact: true }).boundingBox();
    const sheet = await page.getByRole("region", { name: "Walk", exact: true }).boundingBox();
    expect((figures?.x ?? 0) + (figures?.width ?? 0)).toBeLessThan(sheet?.x ?? 0);
  }).toPass();
});

test("five days begin with today, at six in the morning @desktop-only @full", async ({ page, sitter }) => {
  await signedIn(page, sitter);
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/scheduling$/);
  await expect(page.getByRole("radio", { name: "Calendar" })).toBeChecked();
  await expect(page.getByRole("radio", { name: "5 Days" })).toBeChecked();
  const grid = page.getByRole("group", { name: /^Calendar by the hour/ });
  await expect(grid.getByRole("button", { name: /visits?$/ })).toHaveCount(5);
  await expect(grid.getByRole("button", { name: /today, 0 visits$/ })).toHaveAttribute("aria-current", "date");
  // 120 px an hour.
  await expect.poll(() => grid.evaluate((it) => it.scrollTop)).toBe(720);
  for (const [jump, top] of [
    ["12 PM", 1440],
    ["6 PM", 2160],
    ["6 AM", 720],
  ] as const) {
    await page.getByRole("button", { name: jump, exact: true }).click();
    await expect.poll(() => grid.evaluate((it) => Math.min(it.scrollTop, it.scrollHeight - it.clientHeight))).toBe(top);
  }
  await page.getByRole("button", { name: "Now", exact: true }).click();
  // An hour before now; it is ten.
  await expect.poll(() => grid.evaluate((it) => it.scrollTop)).toBeGreaterThan(1000);
});

test("lists beside the calendar: today's, and up to eight of the week @full", { tag: "@desktop" }, async ({
  page,
  sitter,
  office,
}) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  for (let n = 0; n < 10; n += 1) await office.schedule(client, day(1 + (n % 3)), `${10 + n}:00`);
  await office.schedule(client, day(8), "10:00");
  const schedule = await signedIn(page, sitter);
  await schedule.showFiveDays();
  await expect(schedule.today).toContainText("Nothing to do today");
  const week = page.getByRole("region", { name: "This Week" });
  await expect(week.getByRole("listitem")).toHaveCount(8);
  await week.getByRole("button", { name: "View 2 more" }).click();
  await schedule.isShown("List");
  await expect(page.getByText(/^10 services/)).toBeVisible();
  await schedule.showFiveDays();
  await schedule.today.getByRole("button", { name: "Add" }).click();
  await expect(page.getByRole("dialog", { name: "Schedule Service" }).getByLabel("Date")).toHaveValue(day());
});

test("a service before six in the morning has its dot, and states have their colors @desktop-only @full", async ({
  page,
  sitter,
  office,
}) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  const early = await office.schedule(client, day(), "05:45");
  const done = await office.schedule(client, day(), "12:00");
  const gone = await office.schedule(client, day(), "15:00");
  // The one before six is overdue at this hour, which has words of its own.
  await office.schedule(client, day(), "18:00");
  await office.call("POST", `/scheduled-services/${done.id}/complete`, { notes: "All well" });
  await office.call("DELETE", `/scheduled-services/${gone.id}`);
  const schedule = await signedIn(page, sitter);
  await schedule.showFiveDays();
  await expect(schedule.visit("5:45 AM").getByText("Overnight")).toBeAttached();
  await expect(schedule.visit("12:00 PM").getByText("Overnight")).toHaveCount(0);
  const color = (status: string) =>
    page
      .getByRole("group", { name: /^Calendar by the hour/ })
      .getByRole("button", { name: new RegExp(`${status}(, overnight)?$`, "i") })
      .evaluate((it) => getComputedStyle(it, "::before").backgroundColor);
  const colors = await Promise.all(["Scheduled", "Completed", "Cancelled"].map(color));
  // Blue, green and red, as `pwa/test/tokens.test.ts` holds of these tokens.
  const tokens = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("i"));
    const named = ["scheduled", "completed", "cancelled", "tag"].map((it) => {
      probe.style.backgroundColor = `var(--color-${it})`;
      return getComputedStyle(probe).backgroundColor;
    });
    probe.remove();
    return named;
  });
  expect(colors).toEqual(tokens.slice(0, 3));
  const dot = schedule.visit("5:45 AM").getByTitle("Overnight: starts before 6 AM");
  await expect(dot).toHaveCSS("background-color", tokens[3] ?? "");

  await page.goto(`/scheduling?service=${early.id}`);
  const details = await ServiceDetails.shown(page);
  await expect(details.dialog.getByText("Overnight").first()).toBeVisible();
  for (const act of ["Edit", "Mark Complete", "Cancel Service"]) {
    await expect(details.dialog.getByRole("button", { name: act })).toBeVisible();
  }
  for (const id of [done.id, gone.id]) {
    await page.goto(`/scheduling?service=${id}`);
    await ServiceDetails.shown(page);
    for (const act of ["Edit", "Mark Complete", "Cancel Service"]) {
      await expect(page.getByRole("dialog").getByRole("button", { name: act })).toHaveCount(0);
    }
    await expect(page.getByRole("dialog").getByRole("button", { name: "Close" })).toHaveCount(2);
  }
});

test("the schedule form says what is missing, and what it costs @full", async ({ page, sitter, office }) => {
  await office.addClient("Dana Reyes", "Rex", "Luna");
  const schedule = await signedIn(page, sitter);
  const form = await schedule.newService();
  const { dialog } = form;
  // Today's first free time depends on the hour of the day.
  await dialog.getByLabel("Date").fill(day(1));
  await expect(dialog.getByLabel("Start time")).toHaveValue("09:00");
  await expect(dialog.getByLabel("Duration")).toHaveValue("30");
  const durations = await dialog
    .getByLabel("Duration")
    .getByRole("option")
    .evaluateAll((all) => all.map((it) => Number((it as HTMLOptionElement).value)));
  expect(durations).toEqual([15, 30, 45, 60, 90, 120, 180, 240]);
  const starts = dialog.getByLabel("Start time").getByRole("option");
  await expect(starts).toHaveCount(64);
  await expect(starts.first()).toHaveText("6:00 AM");
  await expect(starts.last()).toHaveText("9:45 PM");

  await dialog.getByLabel("Date").fill(day(-1));
  await form.submit();
  await expect(dialog.getByRole("alert")).toHaveText("Please fix the form errors");
  for (const text of [
    "Please select a client",
    "Please select at least one dog",
    "Cannot schedule services in the past",
  ]) {
    await expect(dialog.getByText(text)).toBeVisible();
  }
  await form.choose({ client: "Dana Reyes", dogs: ["Rex"], date: day() });
  await expect(form.price).toContainText("$25.00");
  await form.choose({ dogs: ["Luna"], duration: "45 min" });
  await expect(form.price).toContainText("$45.00");
  await form.save();
});

test("availability: seven days, no blocked times, settings that save themselves @full", async ({
  page,
  sitter,
  office,
}) => {
  const patterns = await office.call<{ id: string }[]>("GET", "/availability/patterns");
  for (const { id } of patterns) await office.call("DELETE", `/availability/patterns/${id}`);
  const schedule = await signedIn(page, sitter);
  await schedule.showView("Availability");
  const availability = await AvailabilityPage.shown(page);
  await expect(page.getByText("No availability set")).toHaveCount(7);
  await expect(page.getByRole("tabpanel").getByRole("heading").first()).toHaveText("Sunday");
  await availability.addPattern("Monday", "09:00", "17:00");
  await expect(page.getByText("No availability set")).toHaveCount(6);

  await availability.showTab("Blocked Times");
  await expect(page.getByText('No blocked times set. Click "Block Time" to add one.')).toBeVisible();
  await availability.newBlock();
  await expect(availability.dialog.getByLabel("Start time")).toHaveValue("12:00");
  await expect(availability.dialog.getByLabel("End time")).toHaveValue("13:00");
  await expect(availability.dialog.getByLabel("Type")).toHaveValue("lunch");
  await availability.dialog.getByRole("button", { name: "Block Time" }).click();
  await page.getByRole("button", { name: /^Delete Lunch/ }).click();
  const question = page.getByRole("dialog", { name: "Are you sure you want to delete this blocked time?" });
  await question.getByRole("button", { name: "Delete" }).click();
  await availability.says("Blocked time deleted successfully");

  await availability.showTab("Settings");
  await page.getByLabel("Slot interval").fill("20");
  await expect(page.getByText("Configuration updated successfully")).toBeVisible();
  await expect.poll(() => office.call("GET", "/availability/config")).toMatchObject({ slot_interval_minutes: 20 });
});

test("services: what the banner says, empty, the form's words, deleted or deactivated @full", async ({
  page,
  sitter,
  office,
}) => {
  for (const { id } of await office.offerings()) await office.call("DELETE", `/sitter-services/${id}`);
  await signedIn(page, sitter);
  const services = await ServicesPage.open(page);
  await expect(page.getByText("All services, including the default ones, can be edited or deleted.")).toBeVisible();
  await expect(page.getByText("No services configured yet")).toBeVisible();
  await page.getByRole("button", { name: "Add Your First Service" }).click();
  await expect(services.form.getByLabel("Category")).toHaveValue("Pet Care");
  await services.form.getByLabel("Base price").fill("0");
  await services.form.getByRole("button", { name: "Save Service" }).click();
  await expect(page.getByText("Please fill in all required fields").first()).toBeVisible();
  await services.enter({ name: "Puppy hour", price: "42.50", category: "Training" });
  await services.form.getByLabel("Pricing type").selectOption("duration");
  await expect(services.form.getByLabel("Duration")).toHaveValue("30");
  await services.save();
  await expect(services.names).toHaveText(["Puppy hour"]);
  await page.getByRole("button", { name: "Collapse All" }).click();
  await page.reload();
  await expect(page.getByRole("button", { name: /^Training/ })).toHaveAttribute("aria-expanded", "false");
  await page.getByRole("button", { name: "Expand All" }).click();
  await page.getByRole("switch", { name: /^Puppy hour/ }).click();
  await expect.poll(() => office.offerings()).toMatchObject([{ name: "Puppy hour", is_active: false }]);
});

test("a client needs a name and a pet, and a deleted one comes back with one press @full", async ({
  page,
  sitter,
  office,
}) => {
  await signedIn(page, sitter);
  const clients = await ClientsPage.open(page);
  await expect(page.getByText("No clients yet")).toBeVisible();
  const form = await clients.newClient();
  await form.save();
  await expect(form.dialog.getByText("Client name is required")).toBeVisible();
  await expect(form.dialog.getByText("At least one dog is required")).toBeVisible();
  await form.enter({ name: "Dana Reyes", pets: [{ name: "Rex" }] });
  await form.save();
  await clients.says("Client added");
  await keepNotices(page);
  await page.getByRole("button", { name: "More for Dana Reyes" }).click();
  await page.getByRole("menuitem", { name: "Delete client" }).click();
  await clients.says("Dana Reyes deleted");
  await expect(page.getByText("No clients yet")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("link", { name: "Dana Reyes", exact: true })).toBeVisible();
  await expect.poll(async () => (await office.clients()).map((it) => it.dogs.length)).toEqual([1]);
});

test("the screens are built for those who do not see them @full", async ({ page, sitter, office }) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  await office.schedule(client, day(), "14:00");
  const signIn = await SignInPage.open(page);
  await expect(page.locator("body")).toMatchAriaSnapshot(`
    - main:
      - heading "Sign in" [level=1]
      - textbox "Email"
      - textbox "Password"
      - button "Sign in"
      - link "Forgot password?"
    - contentinfo:
      - link "Join as a sitter"
      - link "About Walkies"
  `);
  await (await signIn.signIn(sitter)).isLoaded();
  await SchedulePage.open(page, "?days=day");
  await expect(page.locator("body")).toMatchAriaSnapshot(`
    - link "Skip to content"
    - main:
      - heading "1 visit today" [level=1]
      - button /^View/
      - button "Schedule Service"
      - list "Days of the week"
      - region "Today":
        - list:
          - listitem:
            - article:
              - heading "Rex" [level=2]
              - link "Start walk"
              - link "Navigate to Dana Reyes"
    - navigation "Main":
      - link "Schedule"
      - link "Messages"
      - link "Clients"
      - button "More"
  `);
  await page.goto(`/clients/${client.id}`);
  await expect(page.locator("body")).toMatchAriaSnapshot(`
    - main:
      - paragraph:
        - link "All clients"
      - heading "Dana Reyes" [level=1]
      - article:
        - link "Schedule"
        - button "Edit"
        - button "More for Dana Reyes"
        - list:
          - listitem:
            - link /Call .* 010-4477/
        - region "Pets"
        - region "Upcoming"
        - region "Rates"
  `);
  await page.goto("/services");
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - heading "Services" [level=1]
    - button "Add New Service"
    - button "Expand All"
    - button "Collapse All"
    - region:
      - heading [level=2]
      - list:
        - listitem:
          - button /^Move/
          - switch
          - button /^More for/
  `);
});

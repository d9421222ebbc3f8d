/** Layout checks: every screen and dialog fits every phone and all eyes, with texts as hard as people make them. */
import type { Page } from "@playwright/test";
import { AnalyticsPage, TABS } from "./pages/analytics";
import { SignInPage, signedIn } from "./pages/auth";
import { AvailabilityPage } from "./pages/availability";
import { ExpensesPage } from "./pages/expenses";
import { ImportPage } from "./pages/importing";
import { InvoiceHistoryPage, InvoicesPage } from "./pages/invoices";
import { PortalPage } from "./pages/portal";
import { PastWalkPage, ReportPage } from "./pages/report";
import { RoutesPage } from "./pages/routes";
import { SchedulePage, ServiceDetails, ServiceForm } from "./pages/schedule";
import { ServicesPage } from "./pages/services";
import { ActiveVisitPage } from "./pages/visit";
import { ActiveWalkPage } from "./pages/walk";
import type { ClientRow } from "./support/api";
import { day } from "./support/day";
import { DEMO, DEMO_PARENT } from "./support/demo";
import { type Filled, fill, LINK, LONG, RIGHT_TO_LEFT } from "./support/filled";
import { fits as fitsAll } from "./support/fitting";
import { follow } from "./support/positions";
import type { Server } from "./support/server";
import { test as base, expect } from "./support/test";

const test = base.extend<{ server: Server }, { filled: Filled }>({
  filled: [
    // Playwright asks for the braces even where nothing is needed.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, give) => {
      const filled = await fill();
      await give(filled);
      await filled.server.stop();
    },
    { scope: "worker" },
  ],
  server: ({ filled }, give) => give(filled.server),
});

const fits = (page: Page, screen: string) => fitsAll(page, screen, RIGHT_TO_LEFT);

/** Opens a path and looks at it once these words, or this part, are there. */
async function opens(page: Page, path: string, words: string | RegExp): Promise<void> {
  await page.goto(path);
  await expect(page.getByText(words).filter({ visible: true }).first()).toBeVisible();
  await fits(page, path);
}

test("before the sign-in everything fits", async ({ page }) => {
  await opens(page, "/", "Join as a sitter");
  const signIn = await SignInPage.open(page);
  await fits(page, "sign in");
  await signIn.send(`${LONG.slice(0, 60)}@example.com`, "not this one");
  await expect(page.getByRole("alert")).toBeVisible();
  await fits(page, "sign in, turned down");
  const joining = await signIn.join();
  await fits(page, "join");
  await joining.ask({ name: "", email: "", password: "" });
  await expect(page.getByLabel("Your name")).toBeFocused();
  await fits(page, "join, with errors");
  const join = page.getByRole("button", { name: "Create account" });
  await page.getByLabel("Your name").fill(LONG);
  await page.getByLabel("Email").fill(`${LONG.slice(0, 60)}@example.com`);
  await page.getByLabel("Password", { exact: true }).fill("seven quiet leashes");
  await join.click();
  await signIn.isTitled("Enter your code");
  await fits(page, "the code of the mail");
  await opens(page, "/auth/forgot-password", "Send link");
  await page.getByLabel("Email").fill("somebody@example.com");
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByRole("button", { name: "Send link" })).toHaveCount(0);
  await fits(page, "a forgotten password, sent");
  await opens(page, "/auth/reset-password?token=none", "Change password");
});

test("the portal of pet parents fits, and the way into it", async ({ page, filled: { office, long } }) => {
  const clients = await office.call<(ClientRow & { client_user_id: string | null })[]>("GET", "/clients");
  const own = clients.find((it) => it.client_user_id);
  if (!own) throw new Error("The demo's pet parent is nobody's client.");
  await office.call("PUT", `/clients/${own.id}`, {
    address: LINK,
    house_instructions: `${LONG} ${LINK}`,
    emergency_contact: LONG,
    vet: "",
    dogs: [...own.dogs.map(({ id }) => ({ id })), { name: LONG, breed: LONG, about: `${LINK} ${LONG}` }],
  });
  const changed = (await office.clients()).find((it) => it.id === own.id) ?? own;
  const visit = await office.schedule(changed, day(), "14:00", { notes: LINK });
  const { link } = await office.call<{ link: string }>("POST", `/clients/${long.id}/invite`, {});
  const { pathname, search } = new URL(link);
  await opens(page, pathname + search, "Create account");
  await opens(page, "/client?client_id=1&code=none", "This invitation is not known");
  await (await SignInPage.open(page)).send(DEMO_PARENT.email, DEMO_PARENT.password);
  await expect(page.getByText("This invitation is not known")).toBeVisible();
  await fits(page, "an invitation that leads nowhere");
  await page.getByRole("button", { name: "To my visits" }).click();
  const portal = await PortalPage.shown(page);
  await fits(page, "the portal");
  await opens(page, `/client/visits/${visit.id}`, LINK);
  const pastVisit = await office.schedule(changed, day(), "06:30");
  await office.call("POST", `/scheduled-services/${pastVisit.id}/complete`, { notes: LINK });
  await office.call("POST", "/invoices/share", { client_id: own.id, services: [pastVisit.id] });
  await opens(page, "/client/invoices", "What it is for");
  await page.getByText("What it is for").first().click();
  await fits(page, "portal, invoices with their lines");
  await opens(page, "/client/pets", LINK);
  const named = changed.dogs.find((it) => it.name === LONG);
  await opens(page, `/client/stream/${named?.id}`, "Open the visit");
  await opens(page, "/client/pets?form=edit", "House instructions");
  await opens(page, "/client/ask", "Several visits");
  await portal.askFor("Several visits");
  await portal.tick(LONG);
  await page.getByRole("button", { name: "Request", exact: true }).click();
  await expect(page.getByText("Please select a date")).toBeVisible();
  await fits(page, "asking, with errors");
  await opens(page, "/client/account", "Change password");
  await opens(page, "/client/attention", "Nothing needs your attention");
});

test("the schedule and availability fit", async ({ page }) => {
  await signedIn(page, DEMO);
  for (const days of ["five_days", "day", "week"]) {
    await page.goto(`/scheduling?days=${days}`);
    await (await SchedulePage.shown(page)).isLoaded();
    if (days !== "day") await expect(page.getByRole("heading", { name: /^Today, / })).toBeVisible();
    await fits(page, `schedule, ${days}`);
  }
  await page.goto("/scheduling?days=day");
  await page.getByRole("button", { name: /^View: / }).click();
  await expect(page.getByRole("menu", { name: "View" })).toBeVisible();
  await fits(page, "the schedule's menu");
  await opens(page, `/scheduling?view=list&date=${day()}`, "Rex");
  await opens(page, "/scheduling?view=availability", LONG);
  const availability = await AvailabilityPage.shown(page);
  await availability.newPattern("Sunday");
  await fits(page, "a new pattern");
  await page.goto("/scheduling?view=availability");
  await page.getByRole("button", { name: `Edit ${LONG}` }).click();
  await expect(availability.dialog.getByLabel("Buffer")).toBeVisible();
  await fits(page, "a pattern");
  await opens(page, "/scheduling?view=availability&tab=blocked", LONG);
  await availability.newBlock();
  await availability.dialog.getByRole("checkbox", { name: "Repeats" }).check();
  await availability.dialog.getByLabel("Start time").fill("");
  await availability.dialog.getByRole("button", { name: "Block Time" }).click();
  await expect(availability.dialog.getByLabel("Start time")).toBeFocused();
  await fits(page, "a block, with errors");
  await opens(page, "/scheduling?view=availability&tab=settings", "Slot interval");
});

test("a visit and what opens above it fits", async ({ page, filled }) => {
  await signedIn(page, DEMO);
  for (const what of ["scheduled", "completed", "cancelled", "mixed"] as const) {
    await page.goto(`/scheduling?service=${filled[what]}`);
    await ServiceDetails.shown(page);
    await fits(page, `details, ${what}`);
  }
  await page.goto(`/scheduling?service=${filled.scheduled}`);
  const details = await ServiceDetails.shown(page);
  await details.dialog.getByRole("button", { name: "Mark Complete" }).click();
  await details.dialog.getByLabel(/^Service notes/).fill(LINK);
  await fits(page, "completing");
  await page.goto(`/scheduling?service=${filled.scheduled}`);
  await (await ServiceDetails.shown(page)).dialog.getByRole("button", { name: "Cancel Service" }).click();
  await expect(page.getByRole("button", { name: "Keep it" })).toBeVisible();
  await fits(page, "a question");
  await page.goto(`/scheduling?edit=${filled.mixed}`);
  await ServiceForm.shown(page, "Edit Service");
  await fits(page, "edit service");
  const form = await (await SchedulePage.open(page)).newService();
  await fits(page, "schedule form");
  await form.submit();
  await expect(form.dialog.getByRole("alert")).toHaveText("Please fix the form errors");
  await fits(page, "schedule form, with errors");
  await form.choose({ client: LONG, dogs: [LONG], start: "10:30 AM" });
  await expect(form.conflict).toBeVisible();
  await fits(page, "schedule form, conflict");
});

test("a series fits, from its form to the client's page", async ({ page, filled: { long } }) => {
  await signedIn(page, DEMO);
  const schedule = await SchedulePage.open(page);
  const form = await schedule.newService();
  await form.choose({ client: LONG, dogs: [LONG], start: "10:30 AM", repeats: "Every day or every few days" });
  await form.dialog.getByRole("button", { name: "Add another time" }).click();
  await form.dialog.getByLabel("Ends").selectOption({ label: "After some visits" });
  await expect(form.takenDates).toBeVisible();
  await fits(page, "schedule form, a series with dates that are taken");
  await form.choose({ repeats: "Every week" });
  await form.dialog.getByRole("button", { name: "Monday to Friday" }).click();
  await fits(page, "schedule form, a weekly series");
  await form.saveSeries();
  await page.goto(`/clients/${long.id}`);
  const links = page.getByRole("region", { name: "Series" }).getByRole("link");
  const series = links.filter({ hasNotText: "visits a day from" }).first();
  await expect(series).toBeVisible();
  await fits(page, "a client with a series");
  await series.click();
  const dialog = page.getByRole("dialog", { name: "Series" });
  await expect(dialog).toBeVisible();
  await fits(page, "a series");
  await dialog.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByLabel(/^Reason/).fill(LONG);
  await fits(page, "pausing a series");
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.goto(`/clients/${long.id}`);
  await series.click();
  await expect(dialog.getByText(LONG).last()).toBeVisible();
  await fits(page, "a series that is paused");
  await dialog.getByRole("button", { name: "Change all to come" }).click();
  await expect(page.getByRole("dialog", { name: "Change all to come" }).getByLabel("Repeats")).toBeVisible();
  await fits(page, "changing a series");
});

test("a trip fits, from its form to its dates @full", async ({ page, filled: { long } }) => {
  await signedIn(page, DEMO);
  const schedule = await SchedulePage.open(page);
  const form = await schedule.newService();
  await form.choose({ client: LONG, dogs: [LONG], start: "10:30 AM", repeats: "Trip: each day until a last day" });
  await expect(form.dialog.getByText(/^The whole trip: /)).toBeVisible();
  await fits(page, "schedule form, a trip");
  await form.saveSeries();
  await page.goto(`/clients/${long.id}`);
  await page
    .getByRole("region", { name: "Series" })
    .getByRole("link", { name: /visits a day from/ })
    .first()
    .click();
  await expect(page.getByRole("dialog", { name: "Trip" })).toBeVisible();
  await fits(page, "a trip");
  await page.getByRole("button", { name: "Change the trip" }).click();
  await expect(page.getByRole("dialog", { name: "Change the trip" })).toBeVisible();
  await fits(page, "changing a trip");
});

test("clients, services and the profile fit", async ({ page, filled }) => {
  await signedIn(page, DEMO);
  await opens(page, "/clients", "Aino Virtanen");
  for (const client of [filled.long, filled.ronit]) {
    await page.goto(`/clients/${client.id}`);
    await expect(page.getByRole("region", { name: "Rates" })).toBeVisible();
    await page.getByText("Access notes").filter({ visible: true }).first().click();
    await fits(page, `client ${client.name.slice(0, 8)}`);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Edit Client" });
    const pet = client.dogs[0]?.name ?? "";
    await dialog.getByRole("button", { name: pet }).first().click();
    await dialog.getByRole("button", { name: `More about ${pet}` }).click();
    await fits(page, `edit client ${client.name.slice(0, 8)}`);
  }
  await page.goto("/clients?form=add");
  await page.getByRole("dialog", { name: "Add Client" }).getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByText("Client name is required")).toBeVisible();
  await fits(page, "add client, with errors");
  await page.goto(`/clients/${filled.long.id}`);
  await page
    .getByRole("button", { name: `More for ${LONG}` })
    .filter({ visible: true })
    .first()
    .click();
  await fits(page, "a client's menu");

  const services = await ServicesPage.open(page);
  await expect(page.getByText(LONG).first()).toBeVisible();
  await fits(page, "services");
  await services.showShortcuts();
  await fits(page, "shortcuts");
  await page.keyboard.press("Escape");
  await services.newOffering();
  await services.form.getByRole("button", { name: "Save Service" }).click();
  await expect(page.getByText("Please fill in all required fields").first()).toBeVisible();
  await fits(page, "service form, with errors");

  await page.goto("/profile");
  await expect(page.getByRole("searchbox", { name: "Search settings" })).toBeVisible();
  await fits(page, "profile");
  for (const at of ["business", "settings", "invoices", "notifications", "device", "plan", "calendars", "data"]) {
    await page.goto(`/profile#${at}`);
    await expect(page.getByRole("region").first()).toBeVisible();
    await fits(page, `profile, ${at}`);
  }
  await page.goto("/profile#security");
  for (const act of ["Change password", "Delete account"]) {
    await page.getByRole("button", { name: act }).click();
    await expect(page.getByRole("dialog", { name: act })).toBeVisible();
    await fits(page, act);
    await page.keyboard.press("Escape");
  }
  await opens(page, "/profile/setup", "Your calendar is ready");
  await opens(page, "/profile/setup?step=profile", "Clients want to know who comes.");
  await opens(page, "/profile/setup?step=service_area", "Use my position");
  await page.getByRole("button", { name: /on the map$/ }).click();
  await expect(page.getByRole("dialog", { name: "Where do you work?" })).toBeVisible();
  await fits(page, "the service area on the map");
  await page.keyboard.press("Escape");
  await opens(page, "/profile/setup?step=documents", /^Skip$/);
  await opens(page, "/profile/setup?step=offerings", "Save and continue");
  await opens(page, "/profile/setup?step=availability", "Finish");
  await opens(page, "/no/such/place", "There is nothing at this address");
  await opens(page, "/requests", "requests wait for you");
  const history = await InvoiceHistoryPage.open(page);
  const card = history.card(new RegExp(LONG)).first();
  await expect(card).toBeVisible();
  await fits(page, "invoice history");
  await card.getByRole("button", { name: /^More for/ }).click();
  await fits(page, "an invoice's menu");
  // On a desktop the list is a table: the menu went with its card.
  await page.keyboard.press("Escape");
  await history.act(card, "Payments");
  await expect(page.getByLabel("Amount")).toBeVisible();
  await fits(page, "payments");
  await page.goto("/invoices?tab=history");
  await history.act(card, "Credit note");
  await expect(page.getByLabel("Reason")).toBeVisible();
  await fits(page, "credit note");
});

test("the import of clients fits @full", async ({ page }) => {
  await signedIn(page, DEMO);
  const importing = await ImportPage.open(page);
  await fits(page, "choosing a file of clients");
  await importing.choose({ text: `Name,Email,${LONG},Pets\n${LONG},${LONG},${LONG},\nKim,,,Bo\n` });
  await fits(page, "columns of a file");
  await importing.showClients();
  await page.getByRole("button", { name: `Edit ${LONG}` }).click();
  await fits(page, "clients of a file, with problems");
  await page.getByRole("button", { name: "Import 1 client" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Import 1 client" }).click();
  await importing.isDone("1 client imported");
  await fits(page, "clients imported");
});

test("the import of a schedule fits @full", async ({ page }) => {
  await signedIn(page, DEMO);
  await page.goto("/scheduling/import");
  await expect(page.getByLabel("Choose a file")).toBeAttached();
  await fits(page, "choosing a file of bookings");
  const buffer = Buffer.from(`Client,Days,Time,${LONG}\n${LONG},${LONG},${LONG},${LONG}\n`);
  await page.getByLabel("Choose a file").setInputFiles({ name: `${LONG}.csv`, mimeType: "text/csv", buffer });
  await expect(page.getByText("Row 2", { exact: true })).toBeVisible();
  await fits(page, "series of a file, with problems");
});

test("analytics fit @full", async ({ page }) => {
  await signedIn(page, DEMO);
  const analytics = await AnalyticsPage.open(page, "?days=365");
  // The tables behind the charts are closed: figures in columns scroll in themselves.
  for (const tab of TABS) {
    await analytics.choose(tab);
    await fits(page, `analytics, ${tab}`);
  }
  await page.getByRole("button", { name: "Export Data" }).filter({ visible: true }).click();
  await expect(analytics.dialog).toBeVisible();
  await fits(page, "exporting analytics");
  await opens(page, "/analytics?from=2015-01-01&to=2015-01-31", "No analytics data available");
});

test("mileage and expenses fit @full", async ({ page }) => {
  await signedIn(page, DEMO);
  const expenses = await ExpensesPage.open(page);
  await page.getByText("How miles count").click();
  await fits(page, "expenses of a month");
  for (const what of ["Add Miles", "Add Expense"]) {
    await page.getByRole("button", { name: what }).filter({ visible: true }).first().click();
    await expect(expenses.dialog.getByLabel("Date")).toBeVisible();
    await fits(page, what);
    await expenses.dialog.getByRole("button", { name: "Cancel" }).click();
  }
  await expenses.showYear();
  await expect(page.getByRole("button", { name: "Download CSV" })).toBeVisible();
  await fits(page, "expenses of a year");
});

test("invoices fit, from the choice of a client to the link", async ({ page, filled: { long } }) => {
  await signedIn(page, DEMO);
  const invoices = await InvoicesPage.open(page);
  await expect(invoices.toBill.first()).toBeVisible();
  await fits(page, "invoices");
  await page.getByRole("button", { name: "Generate Invoice Preview" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await fits(page, "invoices, nothing chosen");
  await page.goto("/invoices?bill=all");
  await expect(page.getByRole("button", { name: "Send all" })).toBeVisible();
  await fits(page, "bill all");
  await page.goto(`/invoices?client=${long.id}`);
  await page
    .getByRole("checkbox", { name: /Not done yet$/ })
    .first()
    .check();
  await page.getByText("Due date, note, extra lines").click();
  await page.getByLabel("Note to the client").fill(`${LONG} ${LINK}`);
  await page.getByRole("button", { name: "Add a discount" }).click();
  await page.getByLabel("Discount for").fill(LONG);
  await page.getByLabel("Taken off").fill("2");
  await fits(page, "an invoice");
  await invoices.preview();
  await fits(page, "an invoice's preview");
  await invoices.dialog.getByRole("button", { name: "Share Invoice" }).click();
  await invoices.link();
  await fits(page, "an invoice that was shared");
});

test("what waits, what was refused, and the ways out fit", async ({ page, network, filled }) => {
  const { office } = filled;
  const schedule = await signedIn(page, DEMO);
  await network.cut();
  await schedule.schedule({ client: LONG, dogs: [LONG], date: day(9), start: "7:00 PM", notes: LINK });
  await expect(schedule.banners.filter({ hasText: "1 change is safe on this phone" })).toBeVisible();
  await fits(page, "no network");
  await page.goto("/attention");
  await expect(page.getByRole("heading", { name: "Waiting to be sent" })).toBeVisible();
  await fits(page, "waiting");
  await page.getByRole("button", { name: "More", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible();
  await fits(page, "menu");
  await page.getByRole("dialog", { name: "Menu" }).getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByRole("dialog", { name: "Not everything is sent yet" })).toBeVisible();
  await fits(page, "signing out");
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await office.schedule(filled.ronit, day(9), "19:00");
  await network.heal();
  await expect(page.getByText("Not done")).toBeVisible();
  await page.getByText("What you entered").click();
  await fits(page, "needs attention");
});

test("a visit from check-in to check-out fits", async ({ page, filled: { office, ronit } }) => {
  const visit = await office.schedule(ronit, day(), "12:00", { service_type: "dropin" });
  await signedIn(page, DEMO);
  await page.goto(`/walk?service=${visit.id}`);
  await expect(page.getByRole("heading", { name: /^Check in with/ })).toBeVisible();
  await fits(page, "is this the visit to check in");
  await page.getByRole("button", { name: "Check in" }).click();
  const active = await ActiveVisitPage.shown(page);
  await active.log("Medication");
  await fits(page, "active visit");
  await active.checkOut();
  await fits(page, "finished visit");
});

test("a walk from its start to its report fits", async ({ page, context, filled }) => {
  const at = (second: number) => ({ at: second * 1000, lat: 60.1653 + second * 1.3e-5, lon: 24.9405, altitude: 12 });
  await follow(
    context,
    Array.from({ length: 600 }, (_, second) => at(second)),
  );
  await signedIn(page, DEMO);
  await opens(page, "/walks", "No walks yet");
  await opens(page, "/walk", "Start a walk");
  await page.goto(`/walk?service=${filled.scheduled}`);
  await expect(page.getByRole("heading", { name: /^Start the walk with/ })).toBeVisible();
  await fits(page, "is this the walk to start");
  await page.getByRole("button", { name: "Start walk" }).click();
  const walk = await ActiveWalkPage.shown(page);
  await walk.note(`${LONG} ${LINK}`);
  await fits(page, "active walk");
  await page.getByRole("button", { name: "Note", exact: true }).click();
  await expect(walk.dialog.getByLabel("What happened?")).toBeVisible();
  await fits(page, "note");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Dark screen for the pocket" }).click();
  await expect(page.getByRole("dialog", { name: "Dark screen" })).toBeVisible();
  await fits(page, "dark screen");
  await page.getByRole("button", { name: "Hold to unlock" }).dispatchEvent("click");
  await page.getByRole("dialog", { name: "Unlock?" }).getByRole("button", { name: "Yes" }).click();
  await page.getByRole("button", { name: "Access and care" }).click();
  await expect(walk.dialog).toBeVisible();
  await fits(page, "at the door");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Hold for emergency" }).dispatchEvent("click");
  await page.getByRole("dialog", { name: "Start emergency mode?" }).getByRole("button", { name: "Yes" }).click();
  await expect(page.getByRole("link", { name: /^Call (112|911)$/ })).toBeVisible();
  await fits(page, "emergency");
  await page.getByRole("button", { name: "Cancel Emergency" }).click();
  await fits(page, "cancelling an emergency");
  await page.getByRole("button", { name: "It is over" }).click();
  await ActiveWalkPage.shown(page);
  await page.goto("/walk");
  await expect(page.getByRole("button", { name: "Still walking" })).toBeVisible();
  await fits(page, "interrupted walk");
  await page.getByRole("button", { name: "Still walking" }).click();
  await ActiveWalkPage.shown(page);
  await page.goto("/scheduling?days=day");
  await expect(page.getByRole("link", { name: /the walk$/ }).first()).toBeVisible();
  await fits(page, "the schedule with a walk");
  await page.goto("/walk");
  await page.getByRole("button", { name: "Still walking" }).click();
  const finish = await (await ActiveWalkPage.shown(page)).end();
  await fits(page, "finished walk");
  await finish.keep();
  await page.goto("/walks");
  await expect(page.getByRole("link", { name: LONG })).toBeVisible();
  await fits(page, "walks");
  const past = await PastWalkPage.open(page, LONG);
  await fits(page, "past walk");
  const share = await past.share();
  await fits(page, "sharing");
  await share.map.check();
  await share.send();
  await expect(past.states).toHaveText(["Shared"]);
  await fits(page, "past walk, shared");
  const path = await past.pathFor(`${LONG} and Rex`);
  const report = await ReportPage.open(page, path);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(LONG);
  await report.hasPhotos(0);
  await fits(page, "the report");
});

test("messages fit", async ({ page, filled }) => {
  await signedIn(page, DEMO);
  await opens(page, "/messages", LONG);
  await page.goto(`/messages/${filled.long.id}`);
  const composer = page.getByRole("textbox", { name: "Message", exact: true });
  await composer.fill(`${LONG} `.repeat(14));
  await expect(page.getByText(/characters$/)).toBeVisible();
  await fits(page, "a conversation");
  await page.getByRole("button", { name: "Quick replies" }).click();
  await expect(page.getByRole("menu", { name: "Quick replies" })).toBeVisible();
  await fits(page, "quick replies");
  await opens(page, "/messages?new=browse", LONG);
  await page.goto(`/clients?message=${filled.long.id}`);
  await expect(page.getByRole("dialog").getByRole("log")).toBeVisible();
  await fits(page, "a message from a client's card");
});

test("routes fit @full", async ({ page }) => {
  await signedIn(page, DEMO);
  const routes = await RoutesPage.open(page);
  await fits(page, "routes");
  await page.getByLabel("From").selectOption({ label: await page.getByRole("option", { name: /^Aino/ }).innerText() });
  await routes.pick("15 min");
  await routes.generate();
  await fits(page, "routes found");
  for (const tab of ["Directions", "Safety"] as const) {
    await routes.showTab(tab);
    await fits(page, `routes, ${tab}`);
  }
  await routes.startWalk();
  await expect(page.getByRole("region", { name: "Planned route" }).getByRole("status")).toBeVisible();
  await fits(page, "a walk along a route");
});

for (const [width, height] of [
  [844, 390],
  [667, 375],
] as const) {
  test(`a phone of ${width} by ${height} on its side opens on the next visit @full`, async ({
    page,
    sitter,
    office,
  }) => {
    const client = await office.addClient("Dana Reyes", "Rex", "Luna");
    const done = await office.schedule(client, day(), "08:00");
    await office.call("POST", `/scheduled-services/${done.id}/complete`, { notes: "" });
    await office.schedule(client, day(), "12:00");
    await page.setViewportSize({ width, height });
    await signedIn(page, sitter);
    await SchedulePage.open(page);
    const next = page.locator("[data-next]");
    const bar = page.getByRole("navigation", { name: "Main" });
    for (const it of [next.getByRole("heading"), next.getByRole("link", { name: "Start walk" })]) {
      await expect(it).toBeInViewport({ ratio: 1 });
      await expect(async () => {
        const bottom = await it.evaluate((el) => el.getBoundingClientRect().bottom);
        expect(bottom).toBeLessThan(await bar.evaluate((el) => el.getBoundingClientRect().top));
      }).toPass();
    }
  });
}

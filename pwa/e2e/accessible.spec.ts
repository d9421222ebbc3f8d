/** Every screen, with content, empty and with errors, light and dark: axe has nothing to say. */
import { AttentionPage } from "./pages/attention";
import { SignInPage, signedIn } from "./pages/auth";
import { AvailabilityPage } from "./pages/availability";
import { ClientsPage } from "./pages/clients";
import { ExpensesPage } from "./pages/expenses";
import { ImportPage } from "./pages/importing";
import { InvoiceHistoryPage } from "./pages/invoices";
import { PortalPage } from "./pages/portal";
import { SchedulePage, ServiceDetails } from "./pages/schedule";
import { ServicesPage } from "./pages/services";
import { ActiveWalkPage } from "./pages/walk";
import type { SignIn } from "./support/api";
import { isAccessible } from "./support/axe";
import { day } from "./support/day";
import { DEMO, DEMO_PARENT, demoServer } from "./support/demo";
import { follow } from "./support/positions";
import type { Server } from "./support/server";
import { expect, test } from "./support/test";

const PARENT: SignIn = { name: "Sam Reyes", email: "sam@example.com", password: "six brave otters" };

const withDemo = test.extend<{ server: Server }>({ server: demoServer });

/** Returns the path of a built asset, whose name carries a hash; the service worker's script lists all of them. */
async function built(server: Server, name: string): Promise<string> {
  const list = await (await fetch(`${server.origin}/sw.js`)).text();
  const [path] = new RegExp(`assets/${name}-[\\w-]+\\.\\w+`).exec(list) ?? [];
  if (!path) throw new Error(`The build has no ${name}.`);
  return `/${path}`;
}

test.describe("axe has nothing to say", { tag: ["@desktop", "@full"] }, () => {
  test("before the sign-in", async ({ page, sitter }) => {
    await page.goto("/");
    await expect(page.getByRole("link", { name: "Join as a sitter" })).toBeVisible();
    await isAccessible(page, "front page");
    const signIn = await SignInPage.open(page);
    await isAccessible(page, "sign in");
    await signIn.send("", "");
    await expect(page.getByLabel("Email")).toBeFocused();
    await isAccessible(page, "sign in, with errors");
    await signIn.send(sitter.email, "not this one");
    await expect(page.getByRole("alert")).toBeVisible();
    await isAccessible(page, "sign in, turned down");
    await page.goto("/sitters/join");
    await expect(page.getByRole("region", { name: "What it costs" })).toBeVisible();
    await isAccessible(page, "join");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByLabel("Your name")).toBeFocused();
    await isAccessible(page, "join, with errors");
    await page.goto("/auth/forgot-password");
    await expect(page.getByRole("button", { name: "Send link" })).toBeVisible();
    await isAccessible(page, "forgotten password");
    await page.goto("/auth/reset-password?token=none");
    await page.getByLabel("New password").fill("six brave otters");
    await page.getByRole("button", { name: "Change password" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await isAccessible(page, "new password, turned down");
  });

  withDemo("after the sign-in of a pet parent", async ({ page }) => {
    const portal = await PortalPage.signedIn(page, DEMO_PARENT);
    await expect(portal.part("Past").getByRole("link").first()).toBeVisible();
    await isAccessible(page, "pet parents' portal");
    await portal.part("Past").getByRole("link").first().click();
    await expect(page.getByRole("region", { name: "Price" })).toBeVisible();
    await isAccessible(page, "portal, a visit");
    await page.goto("/client/invoices");
    await page.getByText("What it is for").first().click();
    await isAccessible(page, "portal, invoices");
    await portal.goTo("Request");
    await page.getByRole("button", { name: "Request", exact: true }).click();
    await expect(page.getByText("Please select a date")).toBeVisible();
    await isAccessible(page, "portal, asking, with errors");
    await page.goto("/client/pets?form=edit");
    await expect(page.getByRole("dialog").getByLabel("House instructions")).toBeVisible();
    await isAccessible(page, "portal, pets and home, editing");
    await page.goto("/client/pets");
    await expect(page.getByRole("region", { name: "Home" })).toBeVisible();
    await isAccessible(page, "portal, pets and home");
    await page.goto("/client/account");
    await portal.isTitled("Account");
    await isAccessible(page, "portal, account");
    await page.goto("/client/attention");
    await expect(page.getByText("Nothing needs your attention")).toBeVisible();
    await isAccessible(page, "portal, nothing needs attention");
  });

  withDemo("messages and requests", async ({ page }) => {
    await signedIn(page, DEMO);
    await page.goto("/messages");
    const found = page.getByRole("list", { name: "Conversations" }).getByRole("link");
    await expect(found.first()).toBeVisible();
    await isAccessible(page, "messages");
    await page.getByRole("searchbox").fill("key");
    await expect(found.first()).toContainText("key");
    await isAccessible(page, "messages, found");
    await page.goto("/messages?new=browse");
    await expect(page.getByRole("searchbox", { name: "Search contacts" })).toBeVisible();
    await isAccessible(page, "contacts");
    await page.goto("/requests?status=pending");
    await page.getByRole("button", { name: "Decline" }).first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await isAccessible(page, "declining a request");
  });

  withDemo("the history of invoices", async ({ page }) => {
    await signedIn(page, DEMO);
    const history = await InvoiceHistoryPage.open(page);
    await history.opened("INV-1");
    await isAccessible(page, "invoice history");
    await history.act(await history.opened("INV-2"), "Payments");
    await expect(page.getByLabel("Amount")).toBeVisible();
    await isAccessible(page, "payments");
    await page.goto("/invoices?tab=history");
    await history.act(await history.opened("INV-2"), "Credit note");
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await expect(page.getByText("Please say why")).toBeVisible();
    await isAccessible(page, "credit note, with errors");
    await page.goto("/invoices?bill=all");
    await expect(page.getByRole("button", { name: "Send all" })).toBeVisible();
    await isAccessible(page, "bill all");
  });

  test("where a screen is broken", async ({ page, server, network, sitter, complaints }) => {
    network.replace(await built(server, "ClientsScreen"), 'throw new Error("broken on purpose");');
    // No service worker: it takes no file that the build has not listed.
    await (await SignInPage.open(page)).signIn(sitter);
    await page.goto("/clients");
    await expect(page.getByRole("alert")).toContainText("Clients Error");
    await isAccessible(page, "broken feature");
    expect(complaints.splice(0).join("\n")).toContain("broken on purpose");
  });

  test("where the whole app is broken", async ({ page, server, network, complaints }) => {
    network.replace(await built(server, "walkies_core_bg"), "not the core");
    await page.goto("/");
    await expect(page.getByRole("alert")).toContainText("Something went wrong");
    await isAccessible(page, "broken app");
    expect(complaints.splice(0).join("\n")).toContain("WebAssembly");
  });

  test("with nothing there yet", async ({ page, sitter, office }) => {
    for (const { id } of await office.offerings()) await office.call("DELETE", `/sitter-services/${id}`);
    await signedIn(page, sitter);
    for (const days of ["five_days", "day", "week"]) {
      await (await SchedulePage.open(page, `?days=${days}`)).isLoaded();
      await isAccessible(page, `schedule, ${days}, empty`);
    }
    await page.goto("/scheduling?view=list");
    await expect(page.getByLabel("Status")).toBeVisible();
    await isAccessible(page, "list, empty");
    await page.goto("/scheduling?view=availability&tab=blocked");
    await expect(page.getByText('No blocked times set. Click "Block Time" to add one.')).toBeVisible();
    await isAccessible(page, "blocked times, empty");
    await page.goto("/clients");
    await expect(page.getByText("No clients yet")).toBeVisible();
    await isAccessible(page, "clients, empty");
    await page.goto("/messages");
    await expect(page.getByText("All your conversations in one place")).toBeVisible();
    await isAccessible(page, "messages, empty");
    await page.goto("/invoices?tab=history");
    await expect(page.getByText("No invoices yet")).toBeVisible();
    await isAccessible(page, "invoice history, empty");
    await page.goto("/analytics");
    await expect(page.getByText("No analytics data available")).toBeVisible();
    await isAccessible(page, "analytics, empty");
    await page.goto("/expenses");
    await expect(page.getByText("Nothing in this month yet")).toBeVisible();
    await isAccessible(page, "expenses, empty");
    await page.goto("/services");
    await expect(page.getByText("No services configured yet")).toBeVisible();
    await isAccessible(page, "services, empty");
    await page.goto("/walks");
    await expect(page.getByRole("heading", { level: 1, name: "Walks" })).toBeVisible();
    await isAccessible(page, "walks, empty");
    await page.goto("/attention");
    await new AttentionPage(page).isEmpty();
    await isAccessible(page, "needs attention, empty");
    await page.goto("/to-send");
    await expect(page.getByText("Nothing to send")).toBeVisible();
    await isAccessible(page, "to send, empty");
    await page.goto("/no/such/place");
    await expect(page.getByText("There is nothing at this address")).toBeVisible();
    await isAccessible(page, "nowhere");
  });

  test("the schedule and its forms", async ({ page, sitter, office }) => {
    const client = await office.addClient("Dana Reyes", "Rex", "Luna");
    const service = await office.schedule(client, day(), "14:00", { internal_notes: "Lead is in the hall" });
    await office.schedule(client, day(), "05:00");
    const done = await office.schedule(client, day(), "08:00");
    await office.call("POST", `/scheduled-services/${done.id}/complete`, { notes: "All well" });
    const gone = await office.schedule(client, day(1), "08:00");
    await office.call("DELETE", `/scheduled-services/${gone.id}`);
    await office.call("PUT", "/sitters/profile", { tells_progress: true });
    await office.call("POST", `/scheduled-services/${service.id}/progress`, { step: "on_the_way" });
    await signedIn(page, sitter);
    for (const days of ["five_days", "day", "week"]) {
      await (await SchedulePage.open(page, `?days=${days}`)).isLoaded();
      const hours = page.getByRole("group", { name: /^Calendar by the hour/ });
      const agenda = page.getByRole("heading", { name: /^Today, / });
      if (days !== "day") await expect(hours.or(agenda)).toBeVisible();
      await isAccessible(page, `schedule, ${days}`);
    }
    await page.goto("/scheduling?view=list");
    await expect(page.getByRole("button", { name: /Rex/ }).first()).toBeVisible();
    await isAccessible(page, "list");
    for (const { id, status } of [service, { ...done, status: "completed" }, { ...gone, status: "cancelled" }]) {
      await page.goto(`/scheduling?service=${id}`);
      await ServiceDetails.shown(page);
      await isAccessible(page, `details, ${status}`);
    }
    await page.goto(`/scheduling?service=${service.id}`);
    const details = await ServiceDetails.shown(page);
    await expect(details.dialog.getByRole("group", { name: "Tell the client" })).toHaveCount(0);
    await details.dialog.getByRole("button", { name: "Mark Complete" }).click();
    await expect(details.dialog.getByLabel(/^Service notes/)).toBeVisible();
    await isAccessible(page, "completing");
    const billed = { client_id: service.client_id, services: [done.id] };
    await office.call("POST", "/invoices/share", billed);
    await page.goto("/to-send");
    await expect(page.getByRole("button", { name: "Copy" })).toBeVisible();
    await isAccessible(page, "to send");
    await page.goto(`/scheduling?service=${service.id}`);
    await (await ServiceDetails.shown(page)).dialog.getByRole("button", { name: "Cancel Service" }).click();
    await expect(page.getByRole("button", { name: "Keep it" })).toBeVisible();
    await isAccessible(page, "question");
    const form = await (await SchedulePage.open(page)).newService();
    await isAccessible(page, "schedule form");
    await form.submit();
    await expect(form.dialog.getByRole("alert")).toHaveText("Please fix the form errors");
    await isAccessible(page, "schedule form, with errors");
    await form.choose({ client: "Dana Reyes", dogs: ["Rex"], start: "2:00 PM" });
    await expect(form.conflict).toBeVisible();
    await isAccessible(page, "schedule form, conflict");
  });

  test("a series, from its form to its end", async ({ page, sitter, office }) => {
    const client = await office.addClient("Dana Reyes", "Rex");
    await office.schedule(await office.addClient("Kim Waters", "Miso"), day(7), "14:00");
    const schedule = await signedIn(page, sitter);
    const form = await schedule.newService();
    await form.choose({ client: "Dana Reyes", start: "2:00 PM", repeats: "Every week" });
    await form.dialog.getByRole("button", { name: "Add another time" }).click();
    await form.dialog.getByRole("checkbox", { name: "Monday" }).check();
    await expect(form.takenDates).toBeVisible();
    await isAccessible(page, "schedule form, a series with a date that is taken");
    await form.takenDates.getByRole("button", { name: "Leave out" }).first().click();
    await expect(form.weeks).toBeVisible();
    await isAccessible(page, "schedule form, a series");
    await form.saveSeries();
    await schedule.showDay();
    await isAccessible(page, "a day with a visit of a series");
    const details = await schedule.open("Rex");
    await expect(details.series).toBeVisible();
    await isAccessible(page, "details of a visit of a series");
    await details.inSeries("Pause");
    await expect(page.getByRole("dialog", { name: "Pause the series" })).toBeVisible();
    await isAccessible(page, "pausing a series");
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await details.inSeries("End the series");
    await expect(page.getByRole("dialog", { name: "End the series" })).toBeVisible();
    await isAccessible(page, "ending a series");
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await details.inSeries("Change all to come");
    await expect(page.getByRole("dialog", { name: "Change all to come" }).getByLabel("Repeats")).toBeVisible();
    await isAccessible(page, "changing a series");
    await page.goto(`/clients/${client.id}`);
    const series = page.getByRole("region", { name: "Series" }).getByRole("link");
    await expect(series).toBeVisible();
    await isAccessible(page, "a client with a series");
    await series.click();
    await expect(page.getByRole("dialog", { name: "Series" })).toBeVisible();
    await isAccessible(page, "a series");
  });

  test("a trip, from its form to cancelling it", async ({ page, sitter, office }) => {
    await office.addClient("Dana Reyes", "Rex");
    const schedule = await signedIn(page, sitter);
    const form = await schedule.newService();
    await form.choose({ client: "Dana Reyes", start: "2:00 PM", repeats: "Trip: each day until a last day" });
    await expect(form.weeks).toBeVisible();
    await isAccessible(page, "schedule form, a trip");
    await form.saveSeries();
    await schedule.showDay();
    const details = await schedule.open("Rex");
    await expect(details.series).toBeVisible();
    await isAccessible(page, "details of a visit of a trip");
    await details.inSeries("Change the trip");
    await expect(page.getByRole("dialog", { name: "Change the trip" })).toBeVisible();
    await isAccessible(page, "changing a trip");
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await details.inSeries("Cancel the trip");
    await expect(page.getByRole("dialog", { name: "Cancel the trip" })).toBeVisible();
    await isAccessible(page, "cancelling a trip");
  });

  test("a visit of a client who is in the portal", async ({ page, server, api, sitter, office }) => {
    await office.call("PUT", "/sitters/profile", { tells_progress: true });
    const client = await office.addClient(PARENT.name, "Rex");
    const { code } = await office.call<{ code: string }>("POST", `/clients/${client.id}/invite`, {});
    const login = { ...PARENT, role: "client", invite_code: code };
    const { confirmation } = await api.call<{ confirmation: string }>("POST", "/auth/signup", login);
    const proof = { confirmation, code: await server.mailedCode(PARENT.email) };
    await api.call("POST", "/auth/signup/confirm", proof);
    await (await api.signIn(PARENT)).call("POST", "/client/link", { client_id: client.id, code });
    const { id } = await office.schedule(client, day(), "14:00");
    await signedIn(page, sitter);
    await page.goto(`/scheduling?service=${id}`);
    const details = await ServiceDetails.shown(page);
    const seen = details.dialog.getByRole("group", { name: "Tell the client" });
    await expect(seen.getByRole("button", { name: "Started" })).toBeVisible();
    await isAccessible(page, "details, before the client sees anything");
    await seen.getByRole("button", { name: "On my way" }).click();
    await expect(seen.getByText("On the way", { exact: true })).toBeVisible();
    await isAccessible(page, "details, with what the client sees");
  });

  test("availability and its forms", async ({ page, sitter }) => {
    await signedIn(page, sitter);
    await page.goto("/scheduling?view=availability");
    const availability = await AvailabilityPage.shown(page);
    await isAccessible(page, "patterns");
    await availability.newPattern("Sunday");
    await availability.dialog.getByLabel("Start time").fill("");
    await availability.dialog.getByRole("button", { name: "Add Pattern" }).click();
    await expect(availability.dialog.getByLabel("Start time")).toBeFocused();
    await isAccessible(page, "pattern form, with errors");
    await page.goto("/scheduling?view=availability");
    await page.getByRole("button", { name: "Edit Monday 9:00 AM - 5:00 PM" }).click();
    await expect(page.getByRole("dialog", { name: "Edit Availability Pattern" }).getByLabel("Buffer")).toBeVisible();
    await isAccessible(page, "pattern form, edit");
    await page.goto("/scheduling?view=availability&tab=blocked");
    await availability.newBlock();
    await isAccessible(page, "block form");
    await availability.dialog.getByRole("checkbox", { name: "Repeats" }).check();
    await availability.dialog.getByLabel("Start time").fill("");
    await availability.dialog.getByRole("button", { name: "Block Time" }).click();
    await expect(availability.dialog.getByLabel("Start time")).toBeFocused();
    await isAccessible(page, "block form, with errors");
    await availability.dialog.getByLabel("Start time").fill("12:00");
    await availability.dialog.getByRole("button", { name: "Block Time" }).click();
    await availability.says("Blocked time created successfully");
    await isAccessible(page, "blocked times");
    await page.goto("/scheduling?view=availability&tab=settings");
    await expect(page.getByLabel("Slot interval")).toBeVisible();
    await isAccessible(page, "settings");
  });

  test("clients, services and the profile", async ({ page, sitter, office }) => {
    const client = await office.addClient("Dana Reyes", "Rex", "Luna");
    await office.schedule(client, day(), "14:00");
    await signedIn(page, sitter);
    const clients = await ClientsPage.open(page);
    await expect(page.getByRole("link", { name: "Dana Reyes", exact: true })).toBeVisible();
    await isAccessible(page, "clients");
    await page.goto(`/clients/${client.id}`);
    await expect(page.getByRole("region", { name: "Rates" })).toBeVisible();
    await isAccessible(page, "client");
    const edit = await clients.edit();
    await edit.dialog.getByRole("button", { name: /^Rex/ }).click();
    await edit.dialog.getByRole("button", { name: "More about Rex" }).click();
    await isAccessible(page, "edit client");
    await ClientsPage.open(page);
    const form = await clients.newClient();
    await form.save();
    await expect(form.dialog.getByText("Client name is required")).toBeVisible();
    await isAccessible(page, "add client, with errors");

    const services = await ServicesPage.open(page);
    await expect(page.getByRole("listitem").first()).toBeVisible();
    await isAccessible(page, "services");
    await services.showShortcuts();
    await isAccessible(page, "shortcuts");
    await page.keyboard.press("Escape");
    await services.newOffering();
    await services.form.getByRole("button", { name: "Save Service" }).click();
    await expect(page.getByText("Please fill in all required fields").first()).toBeVisible();
    await isAccessible(page, "service form, with errors");

    await page.goto("/profile");
    await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
    await isAccessible(page, "profile");
    for (const at of ["business", "settings", "invoices", "notifications", "device", "plan", "calendars", "data"]) {
      await page.goto(`/profile#${at}`);
      await expect(page.getByRole("region").first()).toBeVisible();
      await isAccessible(page, `profile, ${at}`);
    }
    await page.goto("/profile#security");
    for (const act of ["Change password", "Delete account"]) {
      await page.getByRole("button", { name: act }).click();
      await expect(page.getByRole("dialog", { name: act })).toBeVisible();
      await isAccessible(page, act.toLowerCase());
      await page.keyboard.press("Escape");
    }
    for (const [step, words] of [
      ["profile", "Clients want to know who comes."],
      ["service_area", "Use my position"],
      ["documents", /^Skip$/],
      ["offerings", "Save and continue"],
      ["availability", "Breaks, days off and finer hours"],
      ["ready", "Nearly there"],
    ] as const) {
      await page.goto(`/profile/setup?step=${step}`);
      await expect(page.getByText(words)).toBeVisible();
      await isAccessible(page, `profile setup, ${step}`);
    }
  });

  test("mileage and expenses", async ({ page, sitter, office }) => {
    for (const [name, lat] of [
      ["Dana Reyes", 40.01],
      ["Sam Rivers", 40.04],
    ] as const) {
      const client = await office.addClient(name, "Rex");
      await office.call("PUT", `/clients/${client.id}`, { lat, lng: -75 });
      const { id } = await office.schedule(client, day(), lat === 40.01 ? "08:00" : "09:00");
      await office.call("POST", `/scheduled-services/${id}/complete`, {});
    }
    await office.call("POST", "/expenses", { date: day(), category: "supplies", amount: 12.5, note: "Treats" });
    await signedIn(page, sitter);
    const expenses = await ExpensesPage.open(page);
    await expect(page.getByText(/^About 2.7 miles/)).toBeVisible();
    await page.getByText("How miles count").click();
    await isAccessible(page, "expenses of a month");
    await page.getByRole("button", { name: /^Edit Supplies/ }).click();
    await expect(expenses.dialog.getByLabel("Amount")).toBeVisible();
    await isAccessible(page, "an expense");
    await expenses.dialog.getByRole("button", { name: "Close" }).click();
    await expenses.showYear();
    await expect(page.getByText("By month")).toBeVisible();
    await isAccessible(page, "expenses of a year");
  });

  test("the import of clients", async ({ page, sitter, office }) => {
    await office.addClient("Dana Reyes", "Rex");
    await signedIn(page, sitter);
    const importing = await ImportPage.open(page);
    await isAccessible(page, "choosing a file of clients");
    const phone = "(555) 010-4477";
    await importing.choose({ text: `Name,Phone,Pets\nDana,${phone},Rex\nKim,12,Bo\nSam,,Mo\n` });
    await isAccessible(page, "columns of a file");
    await importing.showClients();
    await page.getByRole("button", { name: "Edit Kim" }).click();
    await isAccessible(page, "clients of a file");
    await page.getByLabel("Phone, row 3").fill("");
    await importing.import(2);
    await isAccessible(page, "clients imported");
  });

  test("the import of a schedule, and several visits", async ({ page, sitter, office }) => {
    const client = await office.addClient("Dana Reyes", "Rex");
    await office.schedule(client, day(), "14:00");
    const schedule = await signedIn(page, sitter);
    await page.goto("/scheduling/import");
    const file = page.getByLabel("Choose a file");
    await expect(file).toBeAttached();
    await isAccessible(page, "choosing a file of bookings");
    const buffer = Buffer.from("Client,Days,Time\nDana Reyes,sometimes,12:00\nDana Reyes,weekdays,noon\n");
    await file.setInputFiles({ name: "schedule.csv", mimeType: "text/csv", buffer });
    await expect(page.getByRole("button", { name: "Book 1 series" })).toBeVisible();
    await isAccessible(page, "series of a file");
    await page.goto("/scheduling");
    await expect(schedule.today.getByText("Dana Reyes").first()).toBeVisible();
    await schedule.today.getByRole("button", { name: /Rex/ }).first().focus();
    await page.keyboard.press("x");
    await expect(page.getByRole("region", { name: "Marked visits" })).toBeVisible();
    await isAccessible(page, "a marked visit");
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await expect(page.getByRole("button", { name: "Copy 1 visit" })).toBeVisible();
    await isAccessible(page, "a copy before it is saved");
  });

  test("what waits, what was refused, and the way out", async ({ page, network, sitter, office, isMobile }) => {
    const client = await office.addClient("Dana Reyes", "Rex");
    const schedule = await signedIn(page, sitter);
    await network.cut();
    await schedule.schedule({ client: "Dana Reyes", start: "2:00 PM" });
    await expect(schedule.banners).toContainText(/1 change is safe on this (phone|device)/);
    await isAccessible(page, "no network");
    await page.goto("/attention");
    await expect(page.getByRole("heading", { name: "Waiting to be sent" })).toBeVisible();
    await isAccessible(page, "waiting");
    if (isMobile) await schedule.signOut();
    else {
      await page.getByRole("button", { name: /^User menu/ }).click();
      await expect(page.getByRole("menuitem", { name: "Sign Out" })).toBeVisible();
      await isAccessible(page, "user menu");
      await page.getByRole("menuitem", { name: "Sign Out" }).click();
    }
    await expect(page.getByRole("dialog", { name: "Not everything is sent yet" })).toBeVisible();
    await isAccessible(page, "signing out");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    if (isMobile) {
      await page.getByRole("button", { name: "More", exact: true }).click();
      await expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible();
      await isAccessible(page, "menu");
      await page.getByRole("button", { name: "Close" }).click();
    }
    await office.schedule(client, day(), "14:00");
    await network.heal();
    await expect(page.getByText("Not done")).toBeVisible();
    await isAccessible(page, "needs attention");
  });

  test("a walk from its start to its page", async ({ page, context, sitter, office }) => {
    await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "12:00");
    const at = (second: number) => ({ at: second * 1000, lat: 60.17 + second * 1.3e-5, lon: 24.94, altitude: 12 });
    await follow(
      context,
      Array.from({ length: 600 }, (_, second) => at(second)),
    );
    await signedIn(page, sitter);
    await page.goto("/walk");
    await expect(page.getByRole("heading", { name: "Start a walk" })).toBeVisible();
    await isAccessible(page, "start a walk");
    await page.getByRole("button", { name: "Start walk with Rex" }).click();
    const walk = await ActiveWalkPage.shown(page);
    await walk.log("Potty");
    await isAccessible(page, "active walk");
    await page.getByRole("button", { name: "Note", exact: true }).click();
    await expect(walk.dialog.getByLabel("What happened?")).toBeVisible();
    await isAccessible(page, "note");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Dark screen for the pocket" }).click();
    await expect(page.getByRole("dialog", { name: "Dark screen" })).toBeVisible();
    await isAccessible(page, "dark screen");
    await page.getByRole("button", { name: "Hold to unlock" }).dispatchEvent("click");
    await page.getByRole("dialog", { name: "Unlock?" }).getByRole("button", { name: "Yes" }).click();
    await page.getByRole("button", { name: "Access and care" }).click();
    await expect(walk.dialog).toBeVisible();
    await isAccessible(page, "at the door");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Hold for emergency" }).dispatchEvent("click");
    await page.getByRole("dialog", { name: "Start emergency mode?" }).getByRole("button", { name: "Yes" }).click();
    await expect(page.getByRole("link", { name: /^Call (112|911)$/ })).toBeVisible();
    await isAccessible(page, "emergency");
    await page.getByRole("button", { name: "Cancel Emergency" }).click();
    await expect(page.getByRole("button", { name: "It is over" })).toBeVisible();
    await isAccessible(page, "cancelling an emergency");
    await page.getByRole("button", { name: "It is over" }).click();
    await ActiveWalkPage.shown(page);
    await page.reload();
    await expect(page.getByRole("button", { name: "Still walking" })).toBeVisible();
    await isAccessible(page, "interrupted walk");
    await page.getByRole("button", { name: "Still walking" }).click();
    const finish = await walk.end();
    await isAccessible(page, "finished walk");
    await finish.keep();
    await page.goto("/walks");
    await expect(page.getByRole("link", { name: "Rex" })).toBeVisible();
    await isAccessible(page, "walks");
    await page.getByRole("link", { name: "Rex" }).click();
    await expect(page.getByText("recorded").or(page.getByText("at least")).first()).toBeVisible();
    await isAccessible(page, "past walk");
  });
});

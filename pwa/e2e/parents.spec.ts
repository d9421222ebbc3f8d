/** A sitter and a pet parent, each with a phone: invited, linked, asking, answered, correcting, let go. */
import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { AttentionPage } from "./pages/attention";
import { signedIn } from "./pages/auth";
import { ClientsPage } from "./pages/clients";
import { MessagesPage } from "./pages/messages";
import { InvitationPage, PortalPage } from "./pages/portal";
import { RequestsPage } from "./pages/requests";
import { type Api, type ClientRow, type SignIn, somebody } from "./support/api";
import { isAccessible } from "./support/axe";
import { day, ZONE } from "./support/day";
import { everythingOn } from "./support/disk";
import { expect, test } from "./support/test";

const PARENT: SignIn = { name: "Sam Reyes", email: "sam@example.com", password: "six brave otters" };

const PHOTO = resolve(import.meta.dirname, "../../manifest/icon-512.png");

const heading = (date: string) =>
  new Date(`${date}T12:00:00Z`).toLocaleDateString("en-US", { weekday: "long", month: "long", day: "numeric" });

const shortDate = (date: string) => new Date(`${date}T12:00:00Z`).toLocaleDateString("en-US", { dateStyle: "medium" });

/** The link that a sitter's dialog shows. */
async function invite(page: Page, client: ClientRow): Promise<string> {
  await ClientsPage.open(page, `/clients/${client.id}`);
  await page.getByRole("button", { name: `More for ${client.name}` }).click();
  await page.getByRole("menuitem", { name: "Invite to portal" }).click();
  const words = await page
    .getByRole("dialog")
    .getByText(/\/client\?client_id=/)
    .textContent();
  const [link] = /http\S+/.exec(words ?? "") ?? [];
  expect(link).toBeDefined();
  return link ?? "";
}

/** Takes visits on every day of the week, so that no test meets a weekend. */
async function openEveryDay(office: Api): Promise<void> {
  const hours = { start_time: "09:00", end_time: "17:00", min_advance_hours: 0 };
  for (const day_of_week of [0, 1, 2, 3, 4, 5, 6]) {
    await office.call("POST", "/availability/patterns", { ...hours, day_of_week, priority: 1 });
  }
}

const inviteByCall = async (office: Api, client: ClientRow): Promise<string> =>
  (await office.call<{ link: string }>("POST", `/clients/${client.id}/invite`, {})).link;

test("an invited parent signs up, asks for several visits, and is answered @postgres", async ({
  page,
  server,
  sitter,
  office,
  anotherPhone,
}) => {
  await openEveryDay(office);
  const client = await office.addClient("Sam Reyes", "Rex");
  await signedIn(page, sitter);
  const link = await invite(page, client);
  await isAccessible(page, "inviting");
  await page.getByRole("button", { name: "Close" }).click();

  const { page: theirs } = await anotherPhone();
  const invitation = await InvitationPage.open(theirs, link);
  await invitation.isTitled(/invites you$/);
  await isAccessible(theirs, "invitation");
  const portal = await invitation.signUp(PARENT, server);
  await expect(theirs.getByText("No visits yet")).toBeVisible();
  await isAccessible(theirs, "portal, empty");
  const days = [2, 3, 4].map(day);
  await portal.ask({
    dogs: ["Rex"],
    times: days.map((date) => [date, "10:00 AM"]),
    message: "He is shy",
  });
  for (const date of days) await expect(portal.request(heading(date))).toContainText("Pending");
  await isAccessible(theirs, "portal, asked");
  await portal.hasSentEverything();

  const requests = await RequestsPage.open(page);
  await expect(requests.card("Sam Reyes")).toContainText("He is shy");
  await office.call("POST", "/sitter/requests/" + (await idOf(office, days[0])) + "/approve", {});
  await office.call("POST", "/sitter/requests/" + (await idOf(office, days[1])) + "/decline", { sitter_response: "" });
  await theirs.reload();
  const booked = theirs.getByRole("link", { name: `${heading(days[0] ?? "")}, 10:00 AM - 10:30 AM` });
  await expect(booked).toBeVisible();
  await expect(portal.request(heading(days[1] ?? ""))).toContainText("Sorry, I'm not available at this time.");
  await portal.withdraw(heading(days[2] ?? ""));
  await portal.hasSentEverything();
  expect(await idOf(office, days[2])).toBeUndefined();

  await booked.click();
  await portal.isTitled(heading(days[0] ?? ""));
  await expect(theirs.getByRole("region", { name: "Price" })).toContainText("$25.00");
  await isAccessible(theirs, "portal, a visit");
});

test("a sitter approves, goes round what is in the way, and declines with and without a reason", async ({
  page,
  server,
  sitter,
  office,
  anotherPhone,
}) => {
  await openEveryDay(office);
  const client = await office.addClient("Sam Reyes", "Rex");
  const { page: theirs } = await anotherPhone();
  const portal = await (await InvitationPage.open(theirs, await inviteByCall(office, client))).signUp(PARENT, server);
  const [free, taken, full, last] = [2, 3, 4, 5].map(day) as [string, string, string, string];
  await portal.ask({ dogs: ["Rex"], times: [free, taken, full, last].map((date) => [date, "10:00 AM"]) });
  await portal.hasSentEverything();
  await office.schedule(await office.addClient("Kim Lee", "Luna"), taken, "10:00");

  await signedIn(page, sitter);
  const requests = await RequestsPage.open(page);
  await requests.choose("Pending");
  const card = (date: string) => requests.cardOf("Sam Reyes", heading(date));
  await requests.approve(card(free));
  await expect(card(taken).getByText("This time is not free")).toBeVisible();
  await expect(card(taken).getByText(/Kim Lee, 10:00 AM/)).toBeVisible();
  await card(taken).getByRole("group", { name: "Approve at another time" }).getByRole("button").first().click();
  await requests.says("Walk request approved and scheduled!");
  await requests.decline(card(full), "Full that day");
  await requests.decline(card(last), "");
  await requests.hasSentEverything();

  await theirs.reload();
  await expect(theirs.getByRole("link", { name: `${heading(free)}, 10:00 AM - 10:30 AM` })).toBeVisible();
  const moved = portal.part("Upcoming").getByRole("link", { name: shortDate(taken) });
  await expect(moved).toBeVisible();
  await expect(moved).not.toContainText("10:00 AM");
  await expect(portal.request(heading(full))).toContainText("Full that day");
  await expect(portal.request(heading(last))).toContainText("Sorry, I'm not available at this time.");
});

test("a parent asks for every Tuesday, the sitter approves on the phone, and a pause is asked for and granted", async ({
  page,
  server,
  sitter,
  office,
  anotherPhone,
}) => {
  await openEveryDay(office);
  const client = await office.addClient("Sam Reyes", "Rex");
  const { page: theirs } = await anotherPhone();
  const portal = await (await InvitationPage.open(theirs, await inviteByCall(office, client))).signUp(PARENT, server);
  // The next Tuesday that is not today.
  const first = [1, 2, 3, 4, 5, 6, 7].map(day).find((it) => heading(it).startsWith("Tuesday")) ?? "";
  const weekLater = day(7 + [1, 2, 3, 4, 5, 6, 7].findIndex((n) => day(n) === first) + 1);
  await office.schedule(await office.addClient("Kim Lee", "Luna"), weekLater, "12:00");
  await portal.askEachWeek("Rex", { weekday: "Tuesday", from: first, start: "12:00 PM" });
  await expect(portal.request("Tuesdays at 12:00 PM, until further notice")).toContainText("Pending");
  await isAccessible(theirs, "portal, a series asked for");
  await portal.hasSentEverything();

  await signedIn(page, sitter);
  const requests = await RequestsPage.open(page);
  const card = requests.card("Sam Reyes");
  await expect(card.getByText("Tuesdays at 12:00 PM, until you stop it")).toBeVisible();
  const taken = card.getByRole("region", { name: "Dates that are taken" });
  await expect(taken.getByText(/Kim Lee/)).toBeVisible();
  await isAccessible(page, "a request for a series");
  await taken.getByRole("button", { name: "Leave out" }).first().tap();
  await card.getByRole("button", { name: "Approve" }).tap();
  await requests.says(/^Request approved\. 11 visits from .* are booked\.$/);
  await requests.hasSentEverything();

  await theirs.reload();
  const series = portal.part("Regular visits").getByRole("article", { name: "Tuesdays at 12:00 PM" });
  await expect(series).toContainText("Next: ");
  await expect(portal.part("Answered")).toContainText("Approved");
  await isAccessible(theirs, "portal, a series");
  await series.getByRole("button", { name: "Request a pause" }).tap();
  await portal.dialog.getByLabel("First day without visits").fill(first);
  await portal.dialog.getByLabel("Last day without visits").fill(first);
  await portal.dialog.getByRole("button", { name: "Request" }).tap();
  await portal.says(/saved\. |^Sent to /);
  await expect(series.getByText("Requested", { exact: true })).toBeVisible();
  await portal.hasSentEverything();

  await requests.choose("Pending");
  await expect(card.getByText(/^1 visit on .* will be left out\.$/)).toBeVisible();
  await card.getByRole("button", { name: "Approve" }).tap();
  await requests.says(/^Request approved\. 1 visit on .* is left out\.$/);
  await requests.hasSentEverything();
  await expect(series.getByText(/^Paused on /)).toBeVisible();
});

test("an approval without a network that meets a conflict leads to the request, and whoever answers it settles it", async ({
  page,
  network,
  server,
  sitter,
  office,
  anotherPhone,
}) => {
  await openEveryDay(office);
  const client = await office.addClient("Sam Reyes", "Rex");
  const other = await office.addClient("Kim Lee", "Luna");
  const { page: theirs } = await anotherPhone();
  const portal = await (await InvitationPage.open(theirs, await inviteByCall(office, client))).signUp(PARENT, server);
  const asked = [2, 3].map(day) as [string, string];
  await portal.ask({ dogs: ["Rex"], times: asked.map((date) => [date, "10:00 AM"]) });
  await portal.hasSentEverything();

  await signedIn(page, sitter);
  const requests = await RequestsPage.open(page);
  await requests.choose("Pending");
  await network.cut();
  for (const date of asked) await requests.approve(requests.cardOf("Sam Reyes", heading(date)));
  for (const date of asked) await office.schedule(other, date, "10:00");
  await network.heal();
  const attention = await AttentionPage.open(page);
  const [first, second] = asked.map((date) => attention.item(new RegExp(`Sam Reyes, ${heading(date)}`))) as [
    Locator,
    Locator,
  ];
  await expect(first.getByText(/Kim Lee/)).toBeVisible();
  await first.getByRole("link", { name: "Open the request" }).click();
  const card = requests.cardOf("Sam Reyes", heading(asked[0]));
  await expect(card.getByText("This time is not free")).toBeVisible();
  await isAccessible(page, "a request whose approval was turned down");
  await card.getByRole("group", { name: "Approve at another time" }).getByRole("button").first().click();
  await requests.says("Walk request approved and scheduled!");
  await requests.hasSentEverything();
  // Of the other one nothing more is to be done here once it was answered elsewhere.
  await office.call("POST", `/sitter/requests/${await idOf(office, asked[1])}/decline`, { sitter_response: "" });
  await page.goto("/attention");
  await expect(second.getByText("This request was already declined.")).toBeVisible();
  await expect(second.getByRole("button", { name: "Approve anyway" })).toHaveCount(0);
  await second.getByRole("button", { name: "Discard" }).click();
  await attention.dialog.getByRole("button", { name: "Discard" }).click();
  await attention.isEmpty();
});

test("a parent sees the sitter coming and the visit begin, at home and on the visit's page", async ({
  page,
  server,
  sitter,
  office,
  anotherPhone,
}) => {
  await office.call("PUT", "/sitters/profile", { tells_progress: true });
  const client = await office.addClient("Sam Reyes", "Rex");
  await office.schedule(client, day(), "14:00");
  const { page: theirs } = await anotherPhone();
  await (await InvitationPage.open(theirs, await inviteByCall(office, client))).signUp(PARENT, server);
  const status = theirs.getByRole("main").getByRole("status");
  await expect(status.filter({ hasText: "scheduled" })).toBeVisible();
  await expect(theirs.getByText("$25.00")).toBeVisible();

  const details = await (await signedIn(page, sitter)).open("Rex");
  await details.dialog.getByRole("button", { name: "On my way" }).click();
  await expect(status.filter({ hasText: "On the way" })).toBeVisible();
  await theirs.getByRole("link", { name: /^Today/ }).click();
  await expect(status.filter({ hasText: "On the way" })).toBeVisible();
  await isAccessible(theirs, "portal, a visit under way");
  await details.dialog.getByRole("button", { name: "Started" }).click();
  await expect(status.filter({ hasText: /^Started \d/ })).toBeVisible();
});

test("a walk is seen live at work: its photo comes by itself, and the report takes its place @full", async ({
  server,
  office,
  anotherPhone,
}) => {
  const client = await office.addClient("Sam Reyes", "Rex");
  const visit = await office.schedule(client, day(), "14:00");
  const { page: theirs } = await anotherPhone();
  await (await InvitationPage.open(theirs, await inviteByCall(office, client))).signUp(PARENT, server);
  await expect(theirs.getByText("$25.00")).toBeVisible();

  const form = new FormData();
  form.set("photo", new File([readFileSync(PHOTO)], "rex.png", { type: "image/png" }));
  const { id: photo } = await office.upload<{ id: string }>("/upload", form);
  const at = new Date().toISOString();
  const events = [
    { id: randomUUID(), kind: "photo", at, photo },
    { id: randomUUID(), kind: "note", at, note: "Found a stick" },
  ];
  await office.call("POST", `/scheduled-services/${visit.id}/live`, { events });
  await expect(theirs.getByRole("img", { name: /^Photo, / })).toBeVisible();
  await expect(theirs.getByText("Found a stick")).toBeVisible();
  await isAccessible(theirs, "portal, a photo of a visit under way");
  await theirs.getByRole("link", { name: /^Today/ }).click();
  await expect(theirs.getByRole("img", { name: /^Photo, / })).toBeVisible();
  await isAccessible(theirs, "portal, the page of a visit under way");

  const walk = { started_at: at, ended_at: at, ran_seconds: 1800, events: [{ type: "photo", at, photo }] };
  const report = { client_id: client.id, dog_ids: client.dogs.map((it) => it.id), note: "A good walk" };
  await office.call("POST", "/walks", { walk, reports: [{ ...report, service_ids: [visit.id] }] });
  await expect(theirs.getByRole("link", { name: "Open the report with 1 photo" })).toBeVisible();
  await expect(theirs.getByText("Found a stick")).toHaveCount(0);
  await theirs.goto("/client/pets");
  await theirs.getByRole("link", { name: "Photos and notes of Rex" }).click();
  await expect(theirs.getByText("A good walk")).toBeVisible();
  await isAccessible(theirs, "portal, the photos and notes of a pet");
  await theirs.getByRole("button", { name: /^Photo 1, / }).click();
  await expect(theirs.getByRole("dialog").getByRole("button", { name: "Save" })).toBeEnabled();
});

/** The request for that day. */
async function idOf(office: Api, date: string | undefined): Promise<string | undefined> {
  interface Row {
    id: string;
    requested_date: string;
  }
  const { requests } = await office.call<{ requests: Row[] }>("GET", "/sitter/requests");
  return requests.find((it) => it.requested_date === date)?.id;
}

test("what is asked for without a network and is taken meanwhile is told, with another time as the way out", async ({
  page,
  server,
  network,
  office,
}) => {
  await openEveryDay(office);
  const client = await office.addClient("Sam Reyes", "Rex");
  const other = await office.addClient("Kim Lee", "Luna");
  const invitation = await InvitationPage.open(page, await inviteByCall(office, client));
  const portal = await invitation.signUp(PARENT, server);
  await portal.isInstalled();
  await portal.hasSentEverything();
  await network.cut();
  await portal.ask({ dogs: [], times: [[day(2), "10:00 AM"]] });
  await expect(portal.request(heading(day(2)))).toContainText("Pending");
  await page.reload();
  await expect(portal.request(heading(day(2)))).toContainText("Pending");
  await office.schedule(other, day(2), "10:00");
  await network.heal();
  await portal.banners.getByRole("link", { name: "Review" }).click();
  await expect(page.getByText("Time slot conflict detected. Please choose a different time.")).toBeVisible();
  await expect(page.getByText("Kim")).toHaveCount(0);
  await isAccessible(page, "portal, needs attention");
  await page.getByRole("link", { name: "Choose another time" }).click();
  await page.getByLabel("Start time").selectOption("11:00 AM, suggested");
  await page.getByRole("button", { name: "Request", exact: true }).click();
  await expect(portal.request(heading(day(2)))).toContainText("11:00 AM");
  await portal.hasSentEverything();
  expect(await idOf(office, day(2))).toBeDefined();
});

test("open times that could not be had without a network come when it is back @full", async ({
  page,
  server,
  network,
  office,
}) => {
  await openEveryDay(office);
  const client = await office.addClient("Sam Reyes", "Rex");
  const portal = await (await InvitationPage.open(page, await inviteByCall(office, client))).signUp(PARENT, server);
  await portal.hasSentEverything();
  await portal.goTo("Request");
  await network.cut();
  await page.getByLabel("Date").fill(day(2));
  await expect(page.getByText(/^No connection to Walkies\. We'll check this time/)).toBeVisible();
  await expect(page.getByLabel("Start time").getByRole("option", { name: "6:15 AM" })).toHaveCount(1);
  await expect(portal.banners.filter({ hasText: "No connection to Walkies" })).toBeVisible();
  await network.heal();
  await expect(page.getByLabel("Start time").getByRole("option", { name: "6:15 AM" })).toHaveCount(0);
  await page.getByLabel("Start time").selectOption("10:00 AM");
  await expect(page.getByText(/^No connection to Walkies\. We'll check this time/)).toHaveCount(0);
});

test("a parent corrects home and pets, the sitter sees it, and who is let go keeps nothing", async ({
  page,
  server,
  sitter,
  office,
  anotherPhone,
}) => {
  const client = await office.addClient("Sam Reyes", "Rex");
  await office.schedule(client, day(1), "10:00", { notes: "Use the side gate" });
  const { page: theirs } = await anotherPhone();
  const invitation = await InvitationPage.open(theirs, await inviteByCall(office, client));
  const portal = await invitation.signUp(PARENT, server);
  await portal.goTo("Pets");
  await theirs.getByRole("button", { name: "Edit" }).click();
  await expect(portal.dialog.getByLabel("Vet")).toBeVisible();
  await isAccessible(theirs, "portal, pets and home, editing");
  await portal.dialog.getByLabel("Vet").fill("Dr. Cole, 555 010 0142");
  await portal.dialog.getByLabel("House instructions").fill("Shoes off, please");
  await portal.dialog.getByRole("button", { name: "Save" }).click();
  await portal.says("Saved, and on its way to your sitter.");
  await isAccessible(theirs, "portal, pets and home");
  await portal.hasSentEverything();
  await portal.goTo("Account");
  await portal.isTitled("Account");
  await isAccessible(theirs, "portal, account");
  await test.step("all of the account is saved as one file", async () => {
    // With a chooser of files the browser would ask where to.
    await theirs.evaluate(() => Reflect.deleteProperty(window, "showSaveFilePicker"));
    const download = theirs.waitForEvent("download");
    await theirs.getByRole("button", { name: "Export everything" }).click();
    expect(statSync(await (await download).path()).size).toBeGreaterThan(1_000);
  });

  await signedIn(page, sitter);
  await ClientsPage.open(page);
  const card = page.getByRole("listitem").filter({ hasText: "Sam Reyes" });
  await expect(card.getByText(/^Changed: .*Vet/)).toBeVisible();
  const inBar = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Clients/ });
  await expect(inBar).toContainText("1 with changes from the portal");
  await isAccessible(page, "clients, one has changed something");
  await card.getByRole("link", { name: "Sam Reyes", exact: true }).click();
  await expect(page.getByRole("region", { name: "Home" })).toContainText("Dr. Cole, 555 010 0142");
  await expect(page.getByText("House instructions and Vet")).toBeVisible();
  await isAccessible(page, "what a client changed");
  await page.getByRole("status").getByRole("button", { name: "OK" }).click();
  await expect(inBar).not.toContainText("changes from the portal");
  await page.getByRole("button", { name: "More for Sam Reyes" }).click();
  await page.getByRole("menuitem", { name: "End portal access" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End access" }).click();
  await expect(page.getByText("In the portal", { exact: true })).toHaveCount(0);
  await new ClientsPage(page).hasSentEverything();

  await theirs.goto("/client");
  await expect(theirs.getByText("has ended your access")).toBeVisible();
  await expect(theirs.getByText("No sitter yet")).toBeVisible();
  await isAccessible(theirs, "portal, let go");
  await expect.poll(() => everythingOn(theirs)).not.toContain("Use the side gate");
});

test("a code that is good no longer says so, before and after the sign-in @full", async ({ page, server, office }) => {
  const client = await office.addClient("Sam Reyes", "Rex");
  const link = await inviteByCall(office, client);
  const first = await InvitationPage.open(page, link);
  await first.signUp(PARENT, server);
  await page.getByRole("link", { name: "Account" }).click();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await first.isTitled("Sign in");
  await InvitationPage.open(page, link);
  await expect(page.getByText(/^This invitation was already used/)).toBeVisible();
  await isAccessible(page, "invitation, used");
  // Who it was for is let in all the same.
  const again = await InvitationPage.open(page, link);
  const portal = await again.signIn(PARENT);
  await expect(page.getByText("No visits yet")).toBeVisible();
  expect(await portal.page.evaluate(() => location.search)).toBe("");
  await InvitationPage.open(page, `http://walkies.example/client?client_id=${client.id}&code=0000000000`);
  await expect(page.getByText(/^This invitation is not known/)).toBeVisible();
  await page.getByRole("button", { name: "To my visits" }).click();
  await PortalPage.shown(page);
});

test("what is asked and said without a network reaches the sitter while the parent looks at another one @postgres", async ({
  page,
  server,
  network,
  api,
  office,
}) => {
  const olga = somebody();
  const otherOffice = await api.signUp(olga, ZONE, await server.invite(olga.email));
  for (const [it, business_name] of [
    [office, "Mara's Dog Walks"],
    [otherOffice, "Olga's Pets"],
  ] as const) {
    await openEveryDay(it);
    await it.call("PUT", "/sitters/profile", { business_name });
  }
  const client = await office.addClient("Sam Reyes", "Rex");
  const elsewhere = await otherOffice.addClient("Sam Reyes", "Rex");
  const invitation = await InvitationPage.open(page, await inviteByCall(office, client));
  const portal = await invitation.signUp(PARENT, server);
  await portal.isInstalled();
  // Who is signed in need only follow the link.
  await InvitationPage.open(page, await inviteByCall(otherOffice, elsewhere));
  await portal.isTitled("Olga's Pets");
  await portal.hasSentEverything();

  await test.step("who was not shown since is there without a network", async () => {
    await office.schedule(client, day(1), "10:00", { notes: "Use the side gate" });
    await expect.poll(() => everythingOn(page)).toContain("Use the side gate");
    await network.cut();
    await portal.chooseSitter("Mara's Dog Walks");
    await portal.isTitled("Mara's Dog Walks");
    await expect(page.getByRole("link", { name: heading(day(1)) })).toBeVisible();
  });

  await portal.ask({ dogs: [], times: [[day(2), "10:00 AM"]] });
  await portal.goTo("Messages");
  const messages = new MessagesPage(page);
  await page.getByRole("button", { name: "Write to your sitter" }).first().click();
  await messages.send("Ring twice, please");
  await page.getByRole("button", { name: "Back to conversations" }).click();
  await portal.goTo("Visits");
  await test.step("the menu says what waits", async () => {
    await portal.chooseSitter("Olga's Pets");
    await portal.isTitled("Olga's Pets");
    await portal.openSitters();
    await expect(portal.sitter("Mara's Dog Walks")).toContainText(/[23] to send/);
    await isAccessible(page, "portal, sitters");
    await page.keyboard.press("Escape");
  });

  await network.heal();
  await test.step("the sitter has both, and Olga is still shown", async () => {
    await expect.poll(() => idOf(office, day(2))).toBeDefined();
    await expect(async () => {
      const said = await office.call<{ content: string }[]>("GET", `/conversations/${client.id}/messages`);
      expect(said.map((it) => it.content)).toEqual(["Ring twice, please"]);
    }).toPass();
    await portal.isTitled("Olga's Pets");
  });

  await test.step("what the sitter answers is counted in the menu", async () => {
    await office.call("POST", "/messages", { conversation_id: client.id, content: "I will" });
    await expect(page.getByRole("button", { name: "Sitters 1 new at other sitters" })).toBeVisible();
    await portal.openSitters();
    await expect(portal.sitter("Mara's Dog Walks")).toContainText("1 unread");
    await expect(portal.sitter("Mara's Dog Walks")).not.toContainText("to send");
    await page.keyboard.press("Escape");
  });

  await test.step("where a tap on its notification leads is Mara's, also in the app that shows Olga's", async () => {
    const path = `/client/messages/${client.id}?client_id=${client.id}`;
    await page.evaluate((to) => history.pushState(undefined, "", to), path);
    await expect(messages.message("I will")).toBeVisible();
  });
});

test("a report stands at the visit of its walk, and is read without a network until its person leaves", async ({
  page,
  server,
  network,
  office,
}) => {
  const client = await office.addClient("Sam Reyes", "Rex");
  const walked = await office.schedule(client, day(), "12:00");
  const other = await office.schedule(client, day(), "15:00");
  for (const { id } of [walked, other]) await office.call("POST", `/scheduled-services/${id}/complete`, {});
  const photo = randomUUID();
  const form = new FormData();
  form.set("id", photo);
  form.set("photo", new Blob([readFileSync(PHOTO)], { type: "image/png" }), "photo.png");
  await office.upload("/upload", form);
  const started_at = `${day()}T12:00:00Z`;
  const walk = { started_at, ended_at: `${day()}T12:30:00Z`, ran_seconds: 1800, distance_m: 2000 };
  const event = { type: "photo", at: started_at, note: "", photo, client_ids: [client.id] };
  const report = {
    client_id: client.id,
    dog_ids: client.dogs.map((it) => it.id),
    note: "He found the largest stick",
    service_ids: [walked.id],
  };
  await office.call("POST", "/walks", { walk: { ...walk, events: [event] }, reports: [report] });

  const portal = await (await InvitationPage.open(page, await inviteByCall(office, client))).signUp(PARENT, server);
  await portal.isInstalled();
  const last = page.getByRole("region", { name: "Last visits" });
  await expect(last.getByText("He found the largest stick")).toHaveCount(1);
  await expect.poll(() => everythingOn(page)).toContain("He found the largest stick");

  await network.cut();
  await last.getByRole("link", { name: "12:00 PM" }).click();
  const [opened] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "Open with photos", exact: true }).click(),
  ]);
  await expect(opened.getByRole("heading", { name: "A walk with Rex" })).toBeVisible();
  await expect(opened.getByText("He found the largest stick")).toBeVisible();
  await expect(opened.getByText(/^No connection to Walkies/)).toBeVisible();
  const photos = opened.getByRole("img", { name: /^Photo of/ });
  await expect.poll(() => photos.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0);
  await isAccessible(opened, "report without a network");

  await page.goto("/client/account");
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect.poll(() => everythingOn(page)).not.toContain("He found the largest stick");
  await opened.reload();
  await expect(opened.getByRole("heading", { name: "The report could not be loaded" })).toBeVisible();
});

test("what both sides wrote about a pet without seeing each other's is kept twice until one of them decides", async ({
  page,
  network,
  server,
  sitter,
  office,
  anotherPhone,
}) => {
  const client = await office.addClient("Sam Reyes", "Rex");
  const { page: theirs } = await anotherPhone();
  const portal = await (await InvitationPage.open(theirs, await inviteByCall(office, client))).signUp(PARENT, server);
  await signedIn(page, sitter);
  const clients = await ClientsPage.open(page, `/clients/${client.id}`);
  const form = await clients.edit();
  await form.dialog.getByRole("button", { name: /^Rex/ }).click();
  await network.cut();
  await form.dialog.getByLabel(/^About/).fill("loves cheese");
  await form.save();
  await clients.says("Client updated");

  await portal.goTo("Pets");
  await theirs.getByRole("button", { name: "Edit" }).click();
  await portal.dialog.getByRole("button", { name: /^Rex/ }).click();
  await portal.dialog.getByLabel(/^About/).fill("allergic to chicken");
  await portal.dialog.getByRole("button", { name: "Save" }).click();
  await portal.says("Saved, and on its way to your sitter.");
  await portal.hasSentEverything();
  await network.heal();

  await expect(page.locator("#content").getByText("1 change needs attention")).toBeVisible();
  const attention = await AttentionPage.open(page);
  const item = attention.item(/Rex|Sam Reyes/);
  await expect(item).toContainText("Sam Reyes wrote another text in the meantime. Both are kept");
  await expect(item.getByRole("row", { name: /Rex: About.*loves cheese.*allergic to chicken/ })).toBeVisible();
  await isAccessible(page, "two versions, needs attention");
  await item.getByRole("button", { name: "Decide later" }).click();
  await attention.isEmpty();
  await page.getByRole("status").getByRole("link", { name: "Decide" }).click();
  const choice = page.getByRole("region", { name: "Texts to decide" });
  await expect(choice.getByRole("group", { name: "By Sam Reyes" })).toContainText("allergic to chicken");
  await isAccessible(page, "two versions, at the client");

  await portal.goTo("Visits");
  await theirs.getByRole("status").getByRole("link", { name: "Decide" }).click();
  const theirChoice = theirs.getByRole("region", { name: "Texts to decide" });
  await expect(theirChoice.getByRole("group", { name: "Shown now" })).toContainText("loves cheese");
  await isAccessible(theirs, "two versions, in the portal");
  await theirChoice.getByRole("button", { name: "Keep both" }).click();
  await expect(theirChoice).toHaveCount(0);
  await portal.hasSentEverything();
  await expect(page.getByText(/loves cheese\s+allergic to chicken/)).toBeVisible();
  await expect(choice).toHaveCount(0);
});

test("who has no sitter keeps the account, is told what is still here, and comes back by a typed code @full", async ({
  server,
  office,
  anotherPhone,
}) => {
  const client = await office.addClient("Sam Reyes", "Rex");
  await office.schedule(client, day(1), "10:00", { notes: "Use the side gate" });
  const { page: theirs, network } = await anotherPhone();
  const portal = await (await InvitationPage.open(theirs, await inviteByCall(office, client))).signUp(PARENT, server);
  await portal.isInstalled();
  await expect(theirs.getByText("10:00 AM").first()).toBeVisible();
  await portal.goTo("Pets");
  await network.cut();
  await theirs.getByRole("button", { name: "Edit" }).click();
  await portal.dialog.getByLabel("House instructions").fill("Shoes off, please");
  await portal.dialog.getByRole("button", { name: "Save" }).click();
  await office.call("POST", `/clients/${client.id}/unlink`, {});
  await network.heal();

  await expect(theirs.getByText("Anything you had not sent is still here until you decide on it below.")).toBeVisible();
  await isAccessible(theirs, "portal, let go with something unsent");
  await expect.poll(() => everythingOn(theirs)).not.toContain("Use the side gate");
  await theirs.getByRole("button", { name: "Discard" }).first().click();
  await theirs.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  await expect(theirs.getByText("No sitter yet")).toBeVisible();
  await isAccessible(theirs, "portal, no sitter");
  await theirs.reload();
  await expect(theirs.getByText("has ended your access or left Walkies")).toBeVisible();
  await theirs.getByRole("status").getByRole("button", { name: "OK" }).click();
  await expect(theirs.getByText("has ended your access")).toHaveCount(0);
  await theirs.reload();
  await expect(theirs.getByText("No sitter yet")).toBeVisible();
  await expect(theirs.getByText("has ended your access")).toHaveCount(0);

  await theirs.getByRole("link", { name: "Account" }).click();
  await portal.isTitled("Account");
  await isAccessible(theirs, "account without a sitter");
  await theirs.getByRole("button", { name: "Delete account" }).click();
  await expect(portal.dialog).toContainText("Your sitters keep what they have about you");
  await isAccessible(theirs, "deleting the account of a parent");
  await portal.dialog.getByRole("button", { name: "Cancel" }).click();
  await theirs.getByRole("link", { name: "Back" }).click();
  await theirs.getByLabel("Code or link").fill(await inviteByCall(office, client));
  await theirs.getByRole("button", { name: "Connect" }).click();
  await PortalPage.shown(theirs);
  await expect(theirs.getByText("10:00 AM").first()).toBeVisible();
});

test("two parents of a household see the same, are told apart, and one of them leaves", async ({
  page,
  server,
  sitter,
  office,
  api,
  anotherPhone,
}) => {
  const client = await office.addClient("Sam Reyes", "Rex");
  const { page: theirs } = await anotherPhone();
  const portal = await (await InvitationPage.open(theirs, await inviteByCall(office, client))).signUp(PARENT, server);
  await portal.isInstalled();
  const alex: SignIn = { name: "Alex Reyes", email: "alex@example.com", password: "six brave otters" };
  const { page: others } = await anotherPhone();
  await (await InvitationPage.open(others, await inviteByCall(office, client))).signUp(alex, server);
  await signedIn(page, sitter);
  await ClientsPage.open(page, `/clients/${client.id}`);
  const people = page.getByRole("list", { name: "People with a login" });
  for (const name of ["Sam Reyes", "Alex Reyes"]) await expect(people.getByText(name)).toBeVisible();
  await isAccessible(page, "a client with two logins");

  const parent = await api.signIn(PARENT);
  await test.step("one of them writes, and the other one and the sitter read who", async () => {
    await parent.call("POST", "/messages", { conversation_id: client.id, content: "He has eaten" });
    await others.goto("/client/messages");
    await others.getByText("He has eaten").click();
    await expect(others.getByText("Sam Reyes")).toBeVisible();
  });

  await test.step("the own visits are read by another calendar", async () => {
    const { url } = await parent.call<{ url: string }>("POST", "/client/calendar/address", {});
    expect((await fetch(`${server.origin}${new URL(url).pathname}`)).status).toBe(200);
    await parent.call("GET", "/client/calendar/address");
    await parent.call("DELETE", "/client/calendar/address");
  });

  await test.step("the email is another one once its code came back", async () => {
    await theirs.goto("/client/account");
    await theirs.getByRole("button", { name: "Change email" }).click();
    await portal.dialog.getByLabel("New email").fill("sam.reyes@example.com");
    await portal.dialog.getByLabel("Password", { exact: true }).fill(PARENT.password);
    await portal.dialog.getByRole("button", { name: "Continue" }).click();
    await portal.dialog.getByLabel("Code").fill(await server.mailedCode("sam.reyes@example.com"));
    await portal.dialog.getByRole("button", { name: "Change email" }).click();
    await expect(theirs.getByText("sam.reyes@example.com")).toBeVisible();
  });

  await theirs.getByRole("button", { name: /^Leave / }).click();
  await portal.dialog.getByRole("button", { name: "Leave" }).click();
  await expect(theirs.getByRole("button", { name: /^Leave / })).toHaveCount(0);
  await theirs.goto("/client");
  await expect(theirs.getByText("No sitter yet")).toBeVisible();
  await expect(people.getByText("Sam Reyes")).toHaveCount(0);
  await expect(people.getByText("Alex Reyes")).toBeVisible();
});

/** Data that can be read on a phone after its person has left it: the tests read the whole disk, past the app. */

import { SignInPage, signedIn } from "./pages/auth";
import { ClientForm, ClientsPage } from "./pages/clients";
import { SchedulePage } from "./pages/schedule";
import { ActiveWalkPage } from "./pages/walk";
import { somebody } from "./support/api";
import { ZONE } from "./support/day";
import { dropLocks, everythingOn, hasForgotten, isOnDisk } from "./support/disk";
import { expect, test } from "./support/test";

/** A client of the server, and what the sitter types of another one. */
const CLIENT = "Dana Reyes";
const KNOWN = [CLIENT, "18 Alder Street", "Key 14, lockbox"];
const TYPED = "alarm 0815";

test.beforeEach(async ({ page, office, sitter }) => {
  await office.addClient(CLIENT, "Rex");
  await signedIn(page, sitter);
});

test("after signing out nothing of clients can be read, and all that was typed is there at the next sign-in", async ({
  page,
  network,
  sitter,
  office,
}) => {
  await page.goto("/walk");
  await page.getByRole("button", { name: "Start walk without a pet" }).click();
  await (await (await ActiveWalkPage.shown(page)).end()).keep();
  await (await (await ClientsPage.open(page)).newClient()).enter({ name: TYPED, pets: [{ name: "Rex" }] });
  await isOnDisk(page, TYPED);
  const schedule = await SchedulePage.open(page);
  await network.cut();
  await schedule.schedule({ client: CLIENT, start: "2:00 PM" });
  const before = await everythingOn(page);
  for (const words of [...KNOWN, TYPED]) expect(before).toContain(words);

  await schedule.signOut();
  await page.getByRole("button", { name: "Keep on this phone, locked" }).click();
  const signIn = new SignInPage(page);
  await signIn.isTitled("Sign in");
  await hasForgotten(page, [...KNOWN, TYPED]);
  // Not waited for: a notice goes by itself in a while.
  expect(await page.getByRole("log", { name: "Notices" }).getByRole("button").count()).toBe(0);
  const kept = `1 change, 1 draft and 1 walk of ${sitter.email} wait on this phone for the next sign-in.`;
  await expect(page.getByText(kept)).toBeVisible();

  await network.heal();
  const again = await signIn.signIn(sitter);
  await expect(again.visit("Rex")).toBeVisible();
  await again.hasSentEverything();
  expect(await office.services()).toHaveLength(1);
  const form = await (await ClientsPage.open(page)).newClient();
  await expect(form.dialog.getByLabel("Client name")).toHaveValue(TYPED);
});

test("a phone on which no password was typed calls nothing locked @full", async ({ page, network }) => {
  const schedule = await SchedulePage.open(page);
  await network.cut();
  await schedule.schedule({ client: CLIENT, start: "2:00 PM" });
  await dropLocks(page);
  await schedule.signOut();
  await expect(page.getByText("Walkies cannot lock what stays here")).toBeVisible();
  await page.getByRole("button", { name: "Keep on this phone", exact: true }).click();
  await expect(page.getByText("It is not locked: anyone with this phone could read it.")).toBeVisible();
});

test("being signed out by the server leaves nothing to read; the words of an open form wait for the earlier password", async ({
  page,
  api,
  sitter,
}) => {
  await (await (await ClientsPage.open(page)).newClient()).enter({ name: TYPED, pets: [{ name: "Rex" }] });
  const password = await (await api.signIn(sitter)).changePassword(sitter);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page).toHaveURL(/\/auth\/login\?message=session_expired$/);
  await hasForgotten(page, [...KNOWN, TYPED]);

  await new SignInPage(page).signIn({ ...sitter, password });
  await expect(
    page.getByText("Some of your unsent work is locked on this phone with an earlier password."),
  ).toBeVisible();
  await page.getByRole("button", { name: "Unlock" }).click();
  const dialog = page.getByRole("dialog", { name: "Unlock your work" });
  await dialog.getByLabel("Earlier password").fill("not this one");
  await dialog.getByRole("button", { name: "Unlock" }).click();
  await expect(dialog.getByText("It was locked with another password.")).toBeVisible();
  await dialog.getByLabel("Earlier password").fill(sitter.password);
  await dialog.getByRole("button", { name: "Unlock" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/is locked on this phone/)).toHaveCount(0);
  const form = await (await ClientsPage.open(page)).newClient();
  await expect(form.dialog.getByLabel("Client name")).toHaveValue(TYPED);
});

test("while a second person is signed in nothing of the first can be read", async ({
  page,
  api,
  network,
  server,
  sitter,
}) => {
  const schedule = await SchedulePage.open(page);
  await network.cut();
  await schedule.schedule({ client: CLIENT, start: "2:00 PM" });
  await (await api.signIn(sitter)).changePassword(sitter);
  await network.heal();
  await page.getByRole("link", { name: "Sign in" }).click();
  const other = somebody();
  await api.signUp(other, ZONE, await server.invite(other.email));
  await new SignInPage(page).signIn(other);
  await hasForgotten(page, KNOWN);
});

test("signing out in one tab leaves nothing to read with another one open, whose last words are kept", async ({
  page,
  context,
  sitter,
}) => {
  const other = await context.newPage();
  await (await (await ClientsPage.open(other)).newClient()).enter({ name: TYPED, pets: [{ name: "Rex" }] });
  await (await SchedulePage.open(page)).signOut();
  for (const tab of [page, other]) await new SignInPage(tab).isTitled("Sign in");
  await hasForgotten(page, [...KNOWN, TYPED]);
  await new SignInPage(page).signIn(sitter);
  // The other tab is where it was.
  const form = await ClientForm.shown(other, "Add Client");
  await expect(form.dialog.getByLabel("Client name")).toHaveValue(TYPED);
});

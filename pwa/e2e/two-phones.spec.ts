/** Two phones of one sitter: what each did is kept, and what cannot be is told. */
import type { Page } from "@playwright/test";
import { AttentionPage } from "./pages/attention";
import { signedIn } from "./pages/auth";
import { ClientsPage } from "./pages/clients";
import { day } from "./support/day";
import { expect, test } from "./support/test";

const DANA = "Dana Reyes";
const AMIR = "Amir Haddad";

test("what one phone schedules the other one shows at once @full", async ({ page, anotherPhone, sitter, office }) => {
  await office.addClient("Dana Reyes", "Rex");
  const one = await signedIn(page, sitter);
  const other = await signedIn((await anotherPhone()).page, sitter);
  await one.schedule({ client: DANA, start: "2:00 PM" });
  await expect(other.visit("Rex")).toContainText("2:00 PM");
  expect(await office.services()).toHaveLength(1);
});

test("edits of different fields of one service both survive @full", async ({
  page,
  network,
  anotherPhone,
  sitter,
  office,
}) => {
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "14:00");
  const one = await signedIn(page, sitter);
  const phone = await anotherPhone();
  const other = await signedIn(phone.page, sitter);
  await network.cut();
  await phone.network.cut();

  const form = await (await one.open("Rex")).edit();
  await form.choose({ internal: "Bring the long leash" });
  await form.save();
  const second = await (await other.open("Rex")).edit();
  await second.choose({ duration: "45 min", notes: "We try the new path" });
  await second.save();
  await expect(other.banners).toContainText("No connection to Walkies. 1 change is safe on this phone.");

  await network.heal();
  await one.hasSentEverything();
  await phone.network.heal();
  await other.hasSentEverything();
  await expect
    .poll(() => office.services())
    .toMatchObject([{ internal_notes: "Bring the long leash", notes: "We try the new path", duration_minutes: 45 }]);
  await one.open("Rex");
  await expect(one.dialog).toContainText("We try the new path");
  await expect(one.dialog).toContainText("Walk, 45 min");
});

test("of two edits of one field the later one counts, and both are shown to the one who sent it", async ({
  page,
  network,
  anotherPhone,
  sitter,
  office,
}) => {
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "14:00");
  const one = await signedIn(page, sitter);
  const other = await signedIn((await anotherPhone()).page, sitter);
  await network.cut();
  const form = await (await one.open("Rex")).edit();
  await form.choose({ notes: "Through the park" });
  await form.save();
  const second = await (await other.open("Rex")).edit();
  await second.choose({ notes: "Along the river" });
  await second.save();
  await other.hasSentEverything();

  await network.heal();
  await expect(one.banners).toContainText("1 change needs attention");
  const attention = await AttentionPage.open(page);
  const item = attention.item(/^Change: Walk for Rex/);
  await expect(item).toContainText("Done differently");
  await expect(item.getByRole("row", { name: /Through the park.*Along the river/ })).toBeVisible();
  await item.getByRole("button", { name: "Got it" }).click();
  await attention.isEmpty();
  await expect.poll(() => office.services()).toMatchObject([{ notes: "Through the park" }]);
});

test("of two bookings of one slot the later one needs attention, and goes to a time that is free", async ({
  page,
  network,
  anotherPhone,
  sitter,
  office,
}) => {
  await office.addClient("Dana Reyes", "Rex");
  await office.addClient("Amir Haddad", "Pepper");
  const one = await signedIn(page, sitter);
  const phone = await anotherPhone();
  const other = await signedIn(phone.page, sitter);
  await network.cut();
  await phone.network.cut();
  await one.schedule({ client: DANA, start: "2:00 PM" });
  await other.schedule({ client: AMIR, start: "2:00 PM", internal: "Two towels" });

  await network.heal();
  await one.hasSentEverything();
  await phone.network.heal();
  await expect(other.banners).toContainText("1 change needs attention");
  const attention = await AttentionPage.open(phone.page);
  const item = attention.item(/^Schedule: Walk for Pepper/);
  await expect(item).toContainText("Not done");
  await expect(item).toContainText(/In the way.*Dana Reyes/);
  await expect(item.getByRole("button", { name: "Schedule anyway" })).toBeVisible();

  const form = await attention.chooseAnotherTime();
  await expect(form.dialog.getByLabel(/^Internal notes/)).toHaveValue("Two towels");
  await expect(form.conflict).toBeVisible();
  await form.conflict.getByRole("button", { name: /M$/ }).first().click();
  await expect(form.conflict).toHaveCount(0);
  await form.save();
  await expect(other.banners).toHaveCount(0);
  await other.hasSentEverything();
  const services = await office.services();
  expect(services.map((it) => it.client_name).toSorted()).toEqual(["Amir Haddad", "Dana Reyes"]);
  expect(new Set(services.map((it) => it.start_time)).size).toBe(2);
  await expect(one.visit("Pepper")).toBeVisible();
});

test("a refused booking can be kept all the same @full", async ({ page, network, sitter, office }) => {
  const rex = await office.addClient("Dana Reyes", "Rex");
  await office.addClient("Amir Haddad", "Pepper");
  const schedule = await signedIn(page, sitter);
  await network.cut();
  await schedule.schedule({ client: AMIR, start: "2:00 PM" });
  await office.schedule(rex, day(), "14:00");
  await network.heal();
  const attention = await AttentionPage.open(page);
  await attention
    .item(/Pepper/)
    .getByRole("button", { name: "Schedule anyway" })
    .click();
  await attention.isEmpty();
  await expect.poll(async () => (await office.services()).length).toBe(2);
});

test("a conflict that the form knows is a question, and not an obstacle @full", async ({ page, sitter, office }) => {
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "14:00");
  await office.addClient("Amir Haddad", "Pepper");
  const schedule = await signedIn(page, sitter);
  const form = await schedule.newService();
  await form.choose({ client: AMIR, start: "2:15 PM" });
  await expect(form.conflict).toContainText("Time slot conflict detected. Please choose a different time.");
  await form.submit();
  await expect(form.dialog).toBeVisible();
  await form.scheduleAnyway();
  await schedule.hasSentEverything();
  expect(await office.services()).toHaveLength(2);
});

test("a client that one phone deletes and another has changed is lost to neither @full", async ({
  page,
  network,
  anotherPhone,
  sitter,
  office,
}) => {
  const { id } = await office.addClient(DANA, "Rex");
  const one = await signedIn(page, sitter);
  const phone = await anotherPhone();
  const other = await signedIn(phone.page, sitter);
  const deleted = async (on: Page) => {
    await on.goto(`/clients/${id}`);
    await on.getByRole("button", { name: `More for ${DANA}` }).click();
    await on.getByRole("menuitem", { name: "Delete client" }).click();
    await new ClientsPage(on).says(`${DANA} deleted`);
  };
  const edited = async (on: Page, notes: string) => {
    const clients = await ClientsPage.open(on, `/clients/${id}`);
    const form = await clients.edit();
    await form.dialog.getByLabel(/^Access notes/).fill(notes);
    await form.save();
    await clients.says("Client updated");
  };

  // Who deletes has not seen the change: nothing is deleted.
  await network.cut();
  await deleted(page);
  await edited(phone.page, "Key 15, lockbox");
  await other.hasSentEverything();
  await network.heal();
  await expect(one.banners).toContainText("1 change needs attention");
  let attention = await AttentionPage.open(page);
  const wish = attention.item(/Dana Reyes/);
  await expect(wish).toContainText("It was changed on another device");
  await expect(wish.getByRole("row", { name: /Access notes.*Key 15, lockbox/ })).toBeVisible();
  await wish.getByRole("button", { name: "Delete anyway" }).click();
  await attention.isEmpty();
  await expect.poll(() => office.clients()).toEqual([]);
  await expect(phone.page.getByText("This client is no longer here")).toBeVisible();

  // Who changes has not seen the deletion: the client comes back with the change.
  await office.call("POST", "/clients", { id, name: DANA, dogs: [{ name: "Rex" }] });
  await expect(phone.page.getByText(DANA).first()).toBeVisible();
  await phone.network.cut();
  await edited(phone.page, "Key 16, lockbox");
  await office.call("DELETE", `/clients/${id}`);
  await phone.network.heal();
  await expect(other.banners).toContainText("1 change needs attention");
  attention = await AttentionPage.open(phone.page);
  const change = attention.item(/Dana Reyes/);
  await expect(change).toContainText("The client was deleted in the meantime.");
  await change.getByRole("button", { name: "Bring back with my change" }).click();
  await attention.isEmpty();
  await expect.poll(() => office.clients()).toMatchObject([{ id, name: DANA, access_notes: "Key 16, lockbox" }]);
});

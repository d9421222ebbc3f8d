/** Two tabs of one browser: one phone, one outbox. */
import { signedIn } from "./pages/auth";
import { ClientsPage } from "./pages/clients";
import { SchedulePage } from "./pages/schedule";
import { day } from "./support/day";
import { isOnDisk } from "./support/disk";
import { expect, test } from "./support/test";

test("what is done in one tab stands in the other, also with no network, and is sent once", async ({
  page,
  context,
  network,
  sitter,
  office,
}) => {
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "14:00");
  await office.addClient("Amir Haddad", "Pepper");
  const one = await signedIn(page, sitter);
  const other = await SchedulePage.open(await context.newPage());
  await expect(other.visit("Rex")).toContainText("2:00 PM");

  await one.schedule({ client: "Amir Haddad", start: "3:00 PM" });
  await expect(other.visit("Pepper")).toContainText("3:00 PM");
  await other.hasSentEverything();

  await network.cut();
  const form = await (await one.open("Rex")).edit();
  await form.choose({ start: "4:00 PM" });
  await form.save();
  await expect(other.visit("Rex")).toContainText("4:00 PM");
  const second = await (await other.open("Rex")).edit();
  await second.choose({ notes: "By the back door" });
  await second.save();
  await other.schedule({ client: "Amir Haddad", start: "6:00 PM" });
  for (const tab of [one, other]) {
    await expect(tab.banners).toContainText("No connection to Walkies. 3 changes are safe on this phone.");
  }
  expect(await office.services()).toHaveLength(2);

  await network.heal();
  for (const tab of [one, other]) await tab.hasSentEverything();
  const services = (await office.services()).toSorted((a, b) => a.start_time.localeCompare(b.start_time));
  expect(services).toMatchObject([
    { start_time: "15:00", client_name: "Amir Haddad" },
    { start_time: "16:00", client_name: "Dana Reyes", notes: "By the back door" },
    { start_time: "18:00", client_name: "Amir Haddad" },
  ]);
  for (const tab of [one, other]) await expect(tab.banners).toHaveCount(0);
});

test("signing out in one tab is signing out in the other @full", async ({ page, context, sitter }) => {
  const one = await signedIn(page, sitter);
  const other = await SchedulePage.open(await context.newPage());
  await one.signOut();
  for (const tab of [one, other]) await tab.isTitled("Sign in");
});

test("of the same new form in two tabs the one that is saved takes nothing of the other", async ({
  page,
  context,
  sitter,
  office,
}) => {
  await signedIn(page, sitter);
  const one = await ClientsPage.open(page);
  const first = await one.newClient();
  await first.enter({ name: "Dana Reyes", pets: [{ name: "Rex" }] });
  await isOnDisk(page, "Dana Reyes");
  const other = await context.newPage();
  const second = await (await ClientsPage.open(other)).newClient();
  await expect(second.dialog.getByLabel("Client name")).toHaveValue("");
  await second.enter({ name: "Amir Haddad", pets: [{ name: "Pepper" }] });
  await isOnDisk(other, "Amir Haddad");
  await first.save();
  await one.says("Client added");

  await other.reload();
  await expect(second.dialog.getByLabel("Client name")).toHaveValue("Amir Haddad");
  await second.save();
  await expect
    .poll(async () => (await office.clients()).map((it) => it.name).toSorted())
    .toEqual(["Amir Haddad", "Dana Reyes"]);
  const third = await (await ClientsPage.open(page)).newClient();
  await expect(third.dialog.getByLabel("Client name")).toHaveValue("");
});

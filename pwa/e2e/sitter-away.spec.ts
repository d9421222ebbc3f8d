/** A sitter who falls ill for three days, on the phone, with no network. */
import { signedIn } from "./pages/auth";
import { SchedulePage } from "./pages/schedule";
import { day } from "./support/day";
import { expect, test } from "./support/test";

test("a sitter who is ill for three days blocks them, decides on the visits, and takes it back and does it again", async ({
  page,
  network,
  sitter,
  office,
}) => {
  const dana = await office.addClient("Dana Reyes", "Rex");
  await office.schedule(dana, day(1), "12:00");
  await office.schedule(dana, day(2), "12:00");
  await signedIn(page, sitter);
  await page.evaluate(async () => navigator.serviceWorker.ready.then(() => undefined));
  // From the service worker from here on.
  const schedule = await SchedulePage.open(page);
  await schedule.showView("Availability");
  await page.getByRole("tab", { name: "Blocked Times" }).tap();
  await network.cut();

  const block = async () => {
    await page.getByRole("button", { name: "Block Time" }).first().tap();
    const dialog = page.getByRole("dialog", { name: "Block Time" });
    await dialog.getByLabel("Type").selectOption({ label: "Sick" });
    await dialog.getByLabel("First day").fill(day(1));
    await dialog.getByLabel("Last day").fill(day(3));
    await expect(dialog.getByRole("heading", { name: "2 visits in this time" })).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel all" }).tap();
    await expect(dialog.getByLabel("Message to Dana Reyes")).toHaveValue(/^I am ill from .* are cancelled\.$/);
    await expect(dialog.getByText(/^Dana Reyes is not in the portal/)).toBeVisible();
    await dialog.getByRole("button", { name: "Block Time" }).tap();
    await schedule.says(/^Blocked time created successfully\. 2 visits are cancelled\. 1 message is under To send\.$/);
    await expect(dialog).toHaveCount(0);
  };

  await test.step("blocked, and taken back", async () => {
    await block();
    await page.getByRole("button", { name: "Undo" }).last().tap();
    await schedule.says(/^The time is free again, and the visits are as they were\.$/);
  });
  await test.step("blocked again", block);

  await network.heal();
  await schedule.hasSentEverything();
  await expect.poll(async () => (await office.services()).map((it) => it.status)).toEqual(["cancelled", "cancelled"]);
  expect(await office.call("GET", "/availability/blocked-times")).toMatchObject([
    { block_type: "sick", to_pass_on: [{ client_id: dana.id }] },
  ]);
});

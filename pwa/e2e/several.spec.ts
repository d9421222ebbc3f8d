/** Several visits at once, on a phone with no network. */
import { signedIn } from "./pages/auth";
import { SchedulePage } from "./pages/schedule";
import { day } from "./support/day";
import { expect, test } from "./support/test";

test("a week is copied with no network, taken back, and copied again", async ({ page, network, sitter, office }) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  const { id: original } = await office.schedule(client, day(), "14:00", { notes: "Back door" });
  const schedule = await signedIn(page, sitter);
  await page.evaluate(async () => navigator.serviceWorker.ready.then(() => undefined));
  // From the service worker from here on.
  await SchedulePage.open(page);
  await schedule.showDay();
  await expect(schedule.visit("Rex")).toHaveCount(1);
  await network.cut();
  const copies = async () => (await office.services()).filter((it) => it.id !== original);

  const copy = async () => {
    await schedule.choose("Copy this week");
    const dialog = page.getByRole("dialog", { name: "Copy the week" });
    await expect(dialog.getByText("1 visit will be booked.")).toBeVisible();
    await expect(dialog.getByRole("region", { name: "Preview" }).getByText("$25.00").first()).toBeVisible();
    await dialog.getByRole("button", { name: "Copy 1 visit" }).tap();
    await schedule.says(/^1 visit is booked\./);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  };

  await test.step("copied and taken back", async () => {
    await copy();
    await expect(schedule.banners).toContainText("No connection to Walkies. 1 change is safe on this phone.");
    await schedule.choose("Next week");
    await page.getByRole("button", { name: "Undo" }).last().tap();
    await schedule.says(/^Undone\./);
    await schedule.choose("Previous week");
  });

  await test.step("copied once more", copy);

  await network.heal();
  await expect.poll(async () => (await copies()).length).toBe(1);
  await schedule.hasSentEverything();
  expect(await copies()).toMatchObject([
    { client_id: client.id, date: day(7), start_time: "14:00", status: "scheduled", notes: "Back door" },
  ]);
});

test("visits that were marked are moved and called off together @full", async ({ page, sitter, office }) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  await office.schedule(client, day(), "20:00");
  await office.schedule(client, day(), "20:30");
  const schedule = await signedIn(page, sitter);
  await schedule.showDay();
  await schedule.choose("Select visits");
  const visits = schedule.visit("Rex").getByRole("button", { name: "Rex", exact: true });
  await visits.first().tap();
  await visits.last().tap();
  const bar = page.getByRole("region", { name: "Marked visits" });
  await bar.getByRole("button", { name: "Move" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Move 2 visits" }).tap();
  await schedule.says(/^2 visits are moved\./);
  const starts = async () => (await office.services()).map((it) => it.start_time).toSorted();
  await expect.poll(starts).toEqual(["20:30", "21:00"]);
});

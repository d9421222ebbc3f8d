/** The evening's close on a phone with no network: what was done is marked at once, and is on the server afterwards. */
import { signedIn } from "./pages/auth";
import { isAccessible } from "./support/axe";
import { day } from "./support/day";
import { expect, test } from "./support/test";

test("the day is closed without a network, and one press takes it back before it is sent", async ({
  page,
  network,
  sitter,
  office,
}) => {
  const dana = await office.addClient("Dana Reyes", "Luna");
  const kim = await office.addClient("Kim Lee", "Rex");
  const first = await office.schedule(dana, day(), "06:00");
  const second = await office.schedule(kim, day(), "07:00");
  const schedule = await signedIn(page, sitter);
  await schedule.showDay();
  await expect(page.getByRole("region", { name: "Overdue today" })).toContainText("Not completed");

  await network.cut();
  const close = page.getByRole("button", { name: "Close the day" });
  await close.click();
  await expect(schedule.dialog).toContainText("2 visits still open");
  await isAccessible(page, "close the day");
  await schedule.dialog.getByRole("button", { name: "Complete 2 visits" }).click();
  await expect(page.getByRole("heading", { name: "All 2 visits done" })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("heading", { name: "2 visits today" })).toBeVisible();

  await close.click();
  await schedule.dialog
    .getByRole("group", { name: /^Rex, Today/ })
    .getByRole("radio", { name: "Leave open" })
    .check({ force: true });
  await schedule.dialog.getByRole("button", { name: "Complete 1 visit" }).click();
  await expect(page.getByRole("heading", { name: "1 of 2 visits to go" })).toBeVisible();
  expect(await office.call("GET", `/scheduled-services/${first.id}`)).toMatchObject({ status: "scheduled" });

  await network.heal();
  await schedule.hasSentEverything();
  await expect.poll(() => office.call("GET", `/scheduled-services/${first.id}`)).toMatchObject({ status: "completed" });
  expect(await office.call("GET", `/scheduled-services/${second.id}`)).toMatchObject({ status: "scheduled" });
});

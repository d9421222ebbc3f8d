/** Regular clients, booked and changed on a phone with no network. */
import type { Locator, Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { SchedulePage, ServiceForm } from "./pages/schedule";
import { day } from "./support/day";
import { countTaps, taps } from "./support/taps";
import { expect, test } from "./support/test";

/** Opening the phone's own list, and picking from it. */
const TAPS_OF_A_LIST = 2;

/** Picks from lists, which the phone draws itself, and counts what that takes. */
class Thumb {
  #picks = 0;

  async pick(list: Locator, option: string | RegExp): Promise<void> {
    const value = await list.getByRole("option", { name: option, exact: true }).getAttribute("value");
    await list.selectOption(value);
    this.#picks += 1;
  }

  async taps(page: Page): Promise<number> {
    return (await taps(page)) + this.#picks * TAPS_OF_A_LIST;
  }
}

test("a week of daily walks is booked with no network, loses a date, gets it back, and ends", async ({
  page,
  network,
  sitter,
  office,
}) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  const schedule = await signedIn(page, sitter);
  await page.evaluate(async () => navigator.serviceWorker.ready.then(() => undefined));
  // From the service worker from here on.
  await SchedulePage.open(page);
  await schedule.showDay();
  await network.cut();

  await test.step("booked in less than twelve taps", async () => {
    await countTaps(page);
    const thumb = new Thumb();
    await page.getByRole("button", { name: "Schedule Service" }).first().tap();
    const { dialog, weeks } = await ServiceForm.shown(page, "Schedule Service");
    await thumb.pick(dialog.getByLabel("Client", { exact: true }), /^Dana Reyes/);
    await thumb.pick(dialog.getByLabel("Start time"), "2:00 PM");
    await thumb.pick(dialog.getByLabel("Repeats"), "Every day or every few days");
    await thumb.pick(dialog.getByLabel("Ends"), "After some visits");
    await expect(dialog.getByText("Every day at 2:00 PM, 7 visits")).toBeVisible();
    await expect(weeks.getByText("$25.00").first()).toBeVisible();
    await dialog.getByRole("button", { name: "Schedule Series" }).tap();
    await schedule.says(/^Every day at 2:00 PM, 7 visits\. 7 visits from .* are booked\.$/);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await thumb.taps(page)).toBeLessThan(12);
    await expect(schedule.visit("Rex").getByText("Part of a series")).toBeAttached();
    await expect(schedule.banners).toContainText("No connection to Walkies. 1 change is safe on this phone.");
  });

  await test.step("a date is left out and comes back", async () => {
    await (await schedule.open("Rex")).inSeries("Leave this date out");
    await schedule.says(/ is left out\. 1 visit on .* is removed\.$/);
    await expect(schedule.visit("Rex")).toHaveCount(0);
    await page.getByRole("button", { name: "Undo" }).last().tap();
    await schedule.says(/ takes place again\. 1 visit on .* is booked\.$/);
    await expect(schedule.visit("Rex")).toHaveCount(1);
  });

  await test.step("it ends today", async () => {
    const details = await schedule.open("Rex");
    await details.inSeries("End the series");
    const end = page.getByRole("dialog", { name: "End the series" });
    await end.getByLabel("Ends").selectOption({ label: "On a date" });
    await expect(end.getByLabel("Last day")).toHaveValue(day());
    await expect(end.getByText(/^6 visits from .* will be removed\.$/)).toBeVisible();
    await end.getByRole("button", { name: "End the series" }).tap();
    await schedule.says(/^The end of the series is set\. 6 visits/);
    await schedule.goTo("Clients");
    await page.getByRole("link", { name: "Dana Reyes", exact: true }).click();
    await page.getByRole("region", { name: "Series" }).getByRole("link").tap();
    await expect(page.getByRole("dialog", { name: "Series" }).getByText(/^Every day at 2:00 PM, until /)).toBeVisible();
    await page.getByRole("button", { name: "Close" }).first().tap();
  });

  await network.heal();
  await expect.poll(async () => (await office.services()).length).toBe(1);
  await schedule.hasSentEverything();
  expect(await office.services()).toMatchObject([
    { client_id: client.id, date: day(), start_time: "14:00", status: "scheduled" },
  ]);
});

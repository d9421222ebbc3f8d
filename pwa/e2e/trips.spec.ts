/** A trip of a client, booked, moved and cancelled on a phone with no network. */
import { signedIn } from "./pages/auth";
import { SchedulePage, ServiceForm } from "./pages/schedule";
import { day } from "./support/day";
import { expect, test } from "./support/test";

test("a trip is booked with no network, its flight home is late, and it is cancelled and comes back", async ({
  page,
  network,
  sitter,
  office,
}) => {
  await office.addClient("Dana Reyes", "Rex");
  const schedule = await signedIn(page, sitter);
  await page.evaluate(async () => navigator.serviceWorker.ready.then(() => undefined));
  // From the service worker from here on.
  await SchedulePage.open(page);
  await schedule.showDay();
  await network.cut();

  await test.step("three times a day, evening only on the first day, morning only on the last", async () => {
    await page.getByRole("button", { name: "Schedule Service" }).first().tap();
    const form = await ServiceForm.shown(page, "Schedule Service");
    await form.choose({ client: "Dana Reyes", type: "Drop-in", date: day(1), start: "8:00 AM" });
    const { dialog } = form;
    await dialog.getByLabel("Repeats").selectOption({ label: "Trip: each day until a last day" });
    await dialog.getByLabel("Last day of the trip").fill(day(3));
    await dialog.getByRole("group", { name: "First day" }).getByText("Only 6:00 PM").tap();
    await dialog.getByRole("group", { name: "Last day" }).getByText("Only 8:00 AM").tap();
    await expect(dialog.getByText(/^3 visits a day from .* \(evening\) to .* \(morning\)$/)).toBeVisible();
    await dialog.getByLabel(/^Agreed total/).fill("100");
    await expect(dialog.getByText("The whole trip: 5 visits, $100.00 in all")).toBeVisible();
    await dialog.getByRole("button", { name: "Schedule Trip" }).tap();
    await schedule.says(/^3 visits a day from .* 5 visits from .* are booked\.$/);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(schedule.banners).toContainText("No connection to Walkies. 1 change is safe on this phone.");
  });

  const openTrip = async () => {
    await schedule.goTo("Clients");
    await page.getByRole("link", { name: "Dana Reyes", exact: true }).click();
    await page.getByRole("region", { name: "Series" }).getByRole("link").tap();
    return page.getByRole("dialog", { name: "Trip" });
  };

  await test.step("the last day moves and stays a morning, and the total stays", async () => {
    await (await openTrip()).getByRole("button", { name: "Change the trip" }).tap();
    const change = page.getByRole("dialog", { name: "Change the trip" });
    await change.getByLabel("Last day of the trip").fill(day(4));
    await expect(change.getByText("The whole trip: 8 visits, $100.00 in all")).toBeVisible();
    await change.getByRole("button", { name: "Save Changes" }).tap();
    await schedule.says(/^The trip is changed\./);
  });

  await test.step("cancelled, and taken back", async () => {
    await (await openTrip()).getByRole("button", { name: "Cancel the trip" }).tap();
    const cancel = page.getByRole("dialog", { name: "Cancel the trip" });
    await expect(cancel.getByText(/^8 visits from .* will be removed\.$/)).toBeVisible();
    await cancel.getByRole("button", { name: "Cancel the trip" }).tap();
    await schedule.says(/^The trip is cancelled\. 8 visits/);
    await page.getByRole("button", { name: "Undo" }).last().tap();
    await schedule.says(/^The trip takes place again\. 8 visits/);
  });

  await network.heal();
  await expect.poll(async () => (await office.services()).length).toBe(8);
  await schedule.hasSentEverything();
  const prices = (await office.services()).map((it: { price: number }) => Math.round(it.price * 100));
  expect(prices.reduce((sum, it) => sum + it, 0)).toBe(10_000);
});

/** A hotel's network answers everything with its own page: to the phone that is no network, and never Walkies. */
import { signedIn } from "./pages/auth";
import { ClientsPage } from "./pages/clients";
import { SchedulePage } from "./pages/schedule";
import { day } from "./support/day";
import { expect, test } from "./support/test";
import { comeToFront, publishNext, update } from "./support/worker";

for (const status of [401, 200, 403]) {
  const lane = status === 200 ? "" : " @full";
  test(`its page with status ${status} in place of an answer is no network, and signs nobody out${lane}`, async ({
    page,
    network,
    sitter,
    office,
  }) => {
    const client = await office.addClient("Dana Reyes", "Rex");
    await office.schedule(client, day(), "14:00");
    const schedule = await signedIn(page, sitter);
    await expect(schedule.visit("Rex")).toBeVisible();
    network.checkIn(/^\/api\//, status);
    await comeToFront(page);
    await expect(schedule.banners).toContainText("No connection to Walkies.");
    await schedule.schedule({ client: "Dana Reyes", start: "4:00 PM" });
    await page.reload();
    await expect(schedule.visit("Rex")).toHaveCount(2);
    await expect(schedule.banners).toContainText("No connection to Walkies. 1 change is safe on this phone.");
    network.checkOut();
    await comeToFront(page);
    await schedule.hasSentEverything();
    expect(await office.services()).toHaveLength(2);
  });
}

test("its page among the app's own files is not taken for one of them, at the first visit", async ({
  page,
  network,
  sitter,
}) => {
  network.checkIn(/^\/assets\/ClientsScreen.*\.js$/, 200, 1);
  await page.goto("/auth/login");
  await expect.poll(() => network.hasAnswered()).toBe(true);
  network.checkOut();
  await signedIn(page, sitter);
  await network.cut();
  await page.reload();
  await (await SchedulePage.shown(page)).isLoaded();
  await (await ClientsPage.open(page)).newClient();
});

test("its page among the files of a newer version leaves the one before at work, until that can be fetched @full", async ({
  page,
  network,
  server,
  sitter,
}) => {
  const schedule = await signedIn(page, sitter);
  await publishNext(server, network, (script) =>
    script.replace(/("?revision"?:)"[0-9a-f]+"(,"?url"?:"index\.html")/, '$1"next"$2'),
  );
  network.checkIn(/^\/index\.html/, 200, 1);
  await comeToFront(page);
  await expect.poll(() => network.hasAnswered()).toBe(true);
  await network.cut();
  await page.reload();
  await schedule.isLoaded();
  await expect(schedule.banners.filter({ hasText: "New version ready" })).toHaveCount(0);

  network.checkOut();
  await network.heal();
  await comeToFront(page);
  await update(page);
  await network.cut();
  await page.reload();
  await schedule.isLoaded();
});

/** A phone with no room left, and one whose clock is wrong: it says what is the matter, and loses nothing. */
import type { Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { ClientsPage } from "./pages/clients";
import { SchedulePage } from "./pages/schedule";
import { day } from "./support/day";
import { isOnDisk } from "./support/disk";
import { expect, test } from "./support/test";
import { comeToFront } from "./support/worker";

const FULL = "This phone is full. Remove photos, videos or apps that you do not need, and try again.";

/** From now on the browser stores nothing more, as on a full phone, until it is told otherwise. */
async function fill(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { prototype } = IDBObjectStore;
    const put = Reflect.get(prototype, "put") as (...args: unknown[]) => unknown;
    Reflect.set(prototype, "put", () => {
      throw new DOMException("The disk is full.", "QuotaExceededError");
    });
    Reflect.set(window, "makeRoom", () => Reflect.set(prototype, "put", put));
  });
  return () => page.evaluate(() => (Reflect.get(window, "makeRoom") as () => void)());
}

test("a form on a full phone says so while one types and when one saves, and saves when there is room", async ({
  page,
  sitter,
  office,
}) => {
  await signedIn(page, sitter);
  const clients = await ClientsPage.open(page);
  const form = await clients.newClient();
  const makeRoom = await fill(page);
  await form.enter({ name: "Dana Reyes", pets: [{ name: "Rex" }] });
  await expect(form.dialog.getByText(`What you type is not kept right now. ${FULL}`)).toBeVisible();
  await form.dialog.getByRole("button", { name: /^Save/ }).click();
  await expect(form.dialog.getByRole("alert")).toContainText(FULL);
  expect(await office.clients()).toHaveLength(0);

  await makeRoom();
  await form.dialog.getByLabel("Client name").fill("Dana Reyes jr.");
  await isOnDisk(page, "Dana Reyes jr.");
  await expect(form.dialog.getByText(/^What you type is not kept/)).toHaveCount(0);
  await form.save();
  await clients.says("Client added");
  await expect.poll(async () => (await office.clients()).map((it) => it.name)).toEqual(["Dana Reyes jr."]);
});

test("what changed elsewhere and finds no room is said, and is there when there is room @full", async ({
  page,
  sitter,
  office,
}) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  const schedule = await signedIn(page, sitter);
  const makeRoom = await fill(page);
  await office.schedule(client, day(), "14:00");
  await comeToFront(page);
  await expect(schedule.banners).toContainText(`Changes from elsewhere could not be stored. ${FULL}`);
  await makeRoom();
  await comeToFront(page);
  await expect(schedule.visit("Rex")).toBeVisible();
  await expect(schedule.banners).toHaveCount(0);
});

test("a phone's clock that is hours wrong is said, and forgotten when it is right @full", async ({ page, sitter }) => {
  await page.clock.install({ time: Date.now() + 3 * 3_600_000 });
  await signedIn(page, sitter);
  const schedule = await SchedulePage.open(page);
  await expect(schedule.banners).toContainText("This phone's clock is 3 hours ahead. Times you record will be wrong.");
  await page.clock.setSystemTime(Date.now() - 2 * 86_400_000);
  await comeToFront(page);
  await expect(schedule.banners).toContainText("This phone's clock is 2 days behind.");
  await page.clock.setSystemTime(Date.now());
  await comeToFront(page);
  await expect(schedule.banners).toHaveCount(0);
});

/** Printed pages: whole days and whole lists, and nothing that only a screen can do. */
import { signedIn } from "./pages/auth";
import { day } from "./support/day";
import { expect, test } from "./support/test";

test("a calendar on paper has each visit of its days, and no key @full", async ({ page, sitter, office }) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  // From early to late, as no screen shows at once.
  const hours = ["06:00", "08:00", "12:00", "15:00", "18:00", "21:00"];
  for (const hour of hours) await office.schedule(client, day(), hour);
  await office.schedule(client, day(4), "10:00");
  await office.schedule(client, day(5), "10:00");
  const schedule = await signedIn(page, sitter);
  await expect(schedule.visit("Rex")).toHaveCount(hours.length);
  await schedule.showFiveDays();

  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const sheet = page.getByRole("region", { name: /^\w+day, \w+ \d+$/ });
  await expect(sheet).toHaveCount(5);
  await expect(sheet.getByRole("listitem")).toHaveCount(hours.length + 1);
  await expect(sheet.first().getByRole("listitem").last()).toContainText(/9:00 PM.*Rex · Dana Reyes.*18 Alder Street/s);
  await expect(page.getByText("Key 14")).toHaveCount(0);
  await expect(page.getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("navigation")).toHaveCount(0);
  // All of it lies on the page, and nothing in a part that scrolls.
  const { bottom, height } = await sheet.last().evaluate((it) => ({
    bottom: it.getBoundingClientRect().bottom + scrollY,
    height: document.documentElement.scrollHeight,
  }));
  expect(bottom).toBeLessThanOrEqual(height);

  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(sheet).toHaveCount(0);
});

test("a list on paper has room for names @full", async ({ page, sitter, office }) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  await office.schedule(client, day(), "14:00");
  const schedule = await signedIn(page, sitter);
  await schedule.showView("List");
  // A4 without margins.
  await page.setViewportSize({ width: 794, height: 1123 });
  await page.emulateMedia({ media: "print" });
  const row = page.getByRole("listitem").filter({ hasText: "Rex" });
  await expect(row).toBeVisible();
  await expect(async () => {
    const { width, height } = (await row.boundingBox()) ?? { width: 0, height: 0 };
    expect(width).toBeGreaterThan(600);
    expect(height).toBeLessThan(100);
  }).toPass();
  await expect(page.getByLabel("Status")).toBeHidden();
});

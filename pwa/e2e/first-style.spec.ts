/**
 * The part of the style that the first screens load: all that they show, so that nothing changes when the rest comes.
 */
import type { Page } from "@playwright/test";
import { SignInPage, signedIn } from "./pages/auth";
import { DEMO, demoServer } from "./support/demo";
import { test as base, expect } from "./support/test";

const test = base.extend({ server: demoServer });

/** How every element is drawn, a line each, in order. */
const drawn = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.body.querySelectorAll("*")].map((it) => {
      const style = getComputedStyle(it);
      const values = [...style].filter((name) => !name.startsWith("--")).map((name) => style.getPropertyValue(name));
      return `${it.tagName} ${it.getAttribute("class") ?? ""}: ${values.join("|")}`;
    }),
  );

/** Returns the address of the complete style, as the page's meta element names it. */
const whole = (page: Page): Promise<string | null> => page.locator("meta[name=whole-style]").getAttribute("content");

async function looksTheSameWithAllOfIt(page: Page): Promise<void> {
  const url = await whole(page);
  await expect(page.locator(`link[href="${url}"]`)).toHaveCount(0);
  const before = await drawn(page);
  expect(before.length).toBeGreaterThan(20);
  await page.addStyleTag({ url: url ?? "" });
  expect(await drawn(page)).toEqual(before);
}

test("the sign-in is drawn with the style that it begins with", async ({ page }) => {
  await SignInPage.open(page);
  await looksTheSameWithAllOfIt(page);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`a day is drawn with the style that it begins with (${colorScheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    const schedule = await signedIn(page, DEMO);
    await schedule.isLoaded();
    await looksTheSameWithAllOfIt(page);
  });
}

test("any other screen comes with the whole style", async ({ page }) => {
  await signedIn(page, DEMO);
  await page.goto("/clients");
  await expect(page.getByRole("heading", { name: "Clients & Pets" })).toBeVisible();
  await expect(page.locator(`link[href="${await whole(page)}"]`)).toHaveCount(1);
});

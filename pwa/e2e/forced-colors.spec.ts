/** Forced colors: with the system's own colors, all that is chosen, checked or can be pressed is still told apart. */
import type { Locator } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { SchedulePage } from "./pages/schedule";
import { expect, test } from "./support/test";

const ground = (it: Locator): Promise<string> => it.evaluate((el) => getComputedStyle(el).backgroundColor);

test("with the system's own colors the chosen, the checked and the buttons are seen @full", async ({
  page,
  sitter,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  await signedIn(page, sitter);
  await SchedulePage.open(page, "?days=day");
  const days = page.getByRole("list", { name: "Days of the week" }).getByRole("button");
  const bar = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  for (const [chosen, other] of [
    [days.and(page.locator("[aria-current]")), days.and(page.locator(":not([aria-current])"))],
    [bar.and(page.locator("[aria-current]")), bar.and(page.locator(":not([aria-current])"))],
  ] as const) {
    await expect.poll(async () => (await ground(chosen)) === (await ground(other.first()))).toBe(false);
  }
  // The one of the empty day.
  await expect(page.getByRole("button", { name: "Schedule Service" }).last()).not.toHaveCSS("border-top-width", "0px");

  await page.goto("/routes");
  const pace = page.getByRole("group", { name: "Pace" }).locator("label");
  const [chosen, other] = [pace.filter({ has: page.locator(":checked") }), pace.filter({ hasText: "Slow" })];
  await expect.poll(async () => (await ground(chosen)) === (await ground(other))).toBe(false);

  await page.goto("/services");
  const toggle = page.getByRole("switch").first();
  const knob = toggle.locator("+ *");
  await expect(toggle).toBeChecked();
  const on = await ground(toggle);
  expect(await ground(knob)).not.toBe(on);
  await toggle.click();
  await expect(toggle).not.toBeChecked();
  await expect.poll(() => ground(toggle)).not.toBe(on);
  expect(await ground(knob)).not.toBe(await ground(toggle));
});

/** A day at the desk with the keyboard alone. */
import type { Locator, Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { SchedulePage, ServiceForm } from "./pages/schedule";
import { ServicesPage } from "./pages/services";
import { day } from "./support/day";
import { expect, test } from "./support/test";

/** Tabs until the focus is there; more presses than anybody has patience for is a failure. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await target.evaluate((it) => it === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target).toBeFocused();
}

/** Types the beginning of an option; a browser that waits long for the next letter begins anew, and so does this. */
async function typeChoice(page: Page, select: Locator, text: string): Promise<void> {
  const chosen = () => select.evaluate((it) => (it as HTMLSelectElement).selectedOptions[0]?.label);
  await expect(async () => {
    await page.keyboard.type(text);
    expect(await chosen()).toMatch(new RegExp(`^${text}`));
  }).toPass();
}

test.describe("with the keyboard alone", { tag: ["@desktop", "@desktop-only"] }, () => {
  test("a service is scheduled, changed and left", async ({ page, sitter, office }) => {
    await office.addClient("Amir Haddad", "Pepper");
    await office.addClient("Dana Reyes", "Rex", "Luna");
    const schedule = await signedIn(page, sitter);
    await page.keyboard.press("n");
    const form = await ServiceForm.shown(page, "Schedule Service");
    const { dialog } = form;
    await tabTo(page, dialog.getByLabel("Client", { exact: true }));
    await typeChoice(page, dialog.getByLabel("Client", { exact: true }), "Dana");
    await expect(dialog.getByRole("checkbox", { name: "Luna" })).toBeVisible();
    await tabTo(page, dialog.getByRole("checkbox", { name: "Luna" }));
    await page.keyboard.press("Space");
    await tabTo(page, dialog.getByRole("radio", { name: "Walk" }));
    await page.keyboard.press("ArrowRight");
    await expect(dialog.getByRole("radio", { name: "Drop-in" })).toBeChecked();
    await tabTo(page, dialog.getByLabel("Start time"));
    await typeChoice(page, dialog.getByLabel("Start time"), "2:00 PM");
    await tabTo(page, dialog.getByLabel(/^Internal notes/));
    await page.keyboard.type("Two towels");
    await expect(form.price).toContainText("$30.00");
    await tabTo(page, dialog.getByRole("button", { name: "Schedule Service" }));
    await page.keyboard.press("Enter");
    await form.saved();
    await schedule.hasSentEverything();
    expect(await office.services()).toMatchObject([
      { client_name: "Dana Reyes", dogs: ["Luna"], start_time: "14:00", internal_notes: "Two towels" },
    ]);

    await tabTo(page, schedule.visit("Luna").getByRole("button"));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: "Service Details" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(schedule.visit("Luna").getByRole("button")).toBeFocused();
  });

  test("arrows choose a time in the calendar", async ({ page, sitter, office }) => {
    await office.addClient("Dana Reyes", "Rex");
    await signedIn(page, sitter);
    await tabTo(page, page.getByRole("button", { name: /, 6:00 AM, schedule a service$/ }));
    await page.keyboard.press("ArrowRight");
    // From 6 AM in half hours.
    for (let slots = 0; slots < 5; slots += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const { dialog } = await ServiceForm.shown(page, "Schedule Service");
    await expect(dialog.getByLabel("Date")).toHaveValue(day(1));
    await expect(dialog.getByLabel("Start time")).toHaveValue("08:30");
  });

  test("offerings are put in another order", async ({ page, sitter, office }) => {
    const order = async () =>
      (await office.offerings()).toSorted((a, b) => a.display_order - b.display_order).map((it) => it.name);
    for (const { id } of await office.offerings()) await office.call("DELETE", `/sitter-services/${id}`);
    for (const name of ["One", "Two", "Three"]) {
      await office.call("POST", "/sitter-services", { name, base_price: 30, category: "Training" });
    }
    await signedIn(page, sitter);
    const services = await ServicesPage.open(page);
    await expect(services.names).toHaveText(["One", "Two", "Three"]);
    const handle = page.getByRole("button", { name: "Move One" });
    await expect(handle).not.toHaveAttribute("aria-disabled", "true");
    await tabTo(page, handle);
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await expect(services.names).toHaveText(["Two", "One", "Three"]);
    await page.keyboard.press("Space");
    await expect.poll(order).toEqual(["Two", "One", "Three"]);
    await expect(handle).toBeFocused();

    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await expect(services.names).toHaveText(["Two", "Three", "One"]);
    await page.keyboard.press("Escape");
    await expect(services.names).toHaveText(["Two", "One", "Three"]);

    await tabTo(page, page.getByRole("button", { name: "More for Three" }));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem", { name: "Edit" })).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(order).toEqual(["Two", "Three", "One"]);
  });

  test("one gets past the navigation, through the views, and to the list of keys", async ({ page, sitter, office }) => {
    await office.addClient("Dana Reyes", "Rex");
    await signedIn(page, sitter);
    const schedule = await SchedulePage.open(page);
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
    await tabTo(page, page.getByRole("radio", { name: "Calendar" }));
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("radio", { name: "List" })).toBeChecked();
    await schedule.goTo("Clients");
    const search = page.getByRole("searchbox", { name: "Search clients" });
    await expect(search).toBeVisible();
    await page.keyboard.press("/");
    await expect(search).toBeFocused();
    await page.keyboard.type("nobody");
    await expect(page.getByText("Nobody found for “nobody”")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("link", { name: "Dana Reyes", exact: true })).toBeVisible();
  });
});

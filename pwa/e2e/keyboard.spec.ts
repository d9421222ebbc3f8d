/** A day at the desk with the keyboard alone. */
import type { Locator, Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { MessagesPage } from "./pages/messages";
import { InvitationPage, type PortalPage } from "./pages/portal";
import { SchedulePage, ServiceForm } from "./pages/schedule";
import { ServicesPage } from "./pages/services";
import type { Api, ClientRow, SignIn } from "./support/api";
import { day } from "./support/day";
import { keepNotices } from "./support/notices";
import type { Server } from "./support/server";
import { expect, test } from "./support/test";

const PARENT: SignIn = { name: "Sam Reyes", email: "sam@example.com", password: "six brave otters" };

/** A client who has come into the portal. */
async function joined(page: Page, office: Api, { id }: ClientRow, server: Server): Promise<PortalPage> {
  const { link } = await office.call<{ link: string }>("POST", `/clients/${id}/invite`, {});
  const portal = await (await InvitationPage.open(page, link)).signUp(PARENT, server);
  await portal.isInstalled();
  return portal;
}

/** Tabs until the focus is there; more presses than anybody has patience for is a failure. */
async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await target.evaluate((it) => it === document.activeElement)) return;
    await page.keyboard.press(key);
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
    await tabTo(page, dialog.getByLabel("Type"));
    await typeChoice(page, dialog.getByLabel("Type"), "Drop-in, at the client's rate");
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

  test("arrows choose a time in the calendar @full", async ({ page, sitter, office }) => {
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

  test("offerings are put in another order @full", async ({ page, sitter, office }) => {
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

  test("one gets past the navigation, through the views, and to the list of keys @full", async ({
    page,
    sitter,
    office,
  }) => {
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

  test("a conversation is chosen, read, answered, put away and had back @full", async ({
    page,
    server,
    sitter,
    office,
    anotherPhone,
  }) => {
    const client = await office.addClient("Sam Reyes", "Rex");
    const phone = await anotherPhone();
    await joined(phone.page, office, client, server);
    const theirs = await MessagesPage.open(phone.page, `/client/messages/${client.id}`);
    await theirs.send("Is Rex well?");
    await theirs.hasSentEverything();

    await signedIn(page, sitter);
    const messages = new MessagesPage(page);
    await tabTo(page, page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Messages" }));
    await page.keyboard.press("Enter");
    await tabTo(page, messages.conversation("Sam Reyes"));
    await page.keyboard.press("Enter");
    await expect(messages.composer).toBeFocused();
    await expect(messages.message("Is Rex well?")).toBeVisible();
    await expect(theirs.message("Is Rex well?")).toContainText("Read");
    await page.keyboard.type("He sleeps");
    await page.keyboard.press("Enter");
    await expect(theirs.message("He sleeps")).toBeVisible();
    await expect(messages.composer).toBeFocused();
    await expect(messages.composer).toHaveValue("");

    await keepNotices(page);
    await tabTo(page, page.getByRole("button", { name: "More for Sam Reyes" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem", { name: "Open client" })).toBeFocused();
    await page.keyboard.press("End");
    await expect(page.getByRole("menuitem", { name: "Archive" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(messages.conversation("Sam Reyes")).toHaveCount(0);
    await tabTo(page, page.getByRole("button", { name: "Undo" }));
    await page.keyboard.press("Enter");
    await expect(messages.conversation("Sam Reyes")).toBeVisible();
    await messages.hasSentEverything();

    // In a narrow window there is one at a time.
    await page.setViewportSize({ width: 600, height: 800 });
    await tabTo(page, messages.conversation("Sam Reyes"));
    await page.keyboard.press("Enter");
    await expect(messages.message("He sleeps")).toBeVisible();
    await tabTo(page, page.getByRole("button", { name: "Back to conversations" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await tabTo(page, messages.conversation("Sam Reyes"));
  });

  test("a parent asks for a visit and withdraws it @full", async ({ page, server, office }) => {
    const client = await office.addClient("Sam Reyes", "Rex");
    for (const day_of_week of [0, 1, 2, 3, 4, 5, 6]) {
      const hours = { start_time: "09:00", end_time: "17:00", min_advance_hours: 0 };
      await office.call("POST", "/availability/patterns", { ...hours, day_of_week, priority: 1 });
    }
    const portal = await joined(page, office, client, server);
    await tabTo(page, page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Request" }));
    await page.keyboard.press("Enter");
    await portal.isTitled("Request a visit");
    await tabTo(page, page.getByLabel("Date"));
    const [year, month, date] = day(2).split("-");
    await page.keyboard.type(`${month}${date}${year}`);
    await expect(page.getByLabel("Date")).toHaveValue(day(2));
    const start = page.getByLabel("Start time");
    await expect(start.getByRole("option", { name: "10:00 AM" })).toBeAttached();
    await tabTo(page, start);
    await typeChoice(page, start, "10:00 AM");
    await tabTo(page, page.getByLabel(/^Message/));
    await page.keyboard.type("He is shy");
    await tabTo(page, page.getByRole("main").getByRole("button", { name: "Request", exact: true }));
    await page.keyboard.press("Enter");
    const asked = portal.part("Waiting").getByRole("article");
    await expect(asked).toContainText("Pending");
    await portal.hasSentEverything();
    const wish = { requested_date: day(2), requested_start_time: "10:00", message: "He is shy" };
    expect(await office.call("GET", "/sitter/requests")).toMatchObject({ requests: [wish] });

    await tabTo(page, asked.getByRole("button", { name: "Withdraw" }));
    await page.keyboard.press("Enter");
    const question = page.getByRole("dialog", { name: "Withdraw this request?" });
    await tabTo(page, question.getByRole("button", { name: "Withdraw" }));
    await page.keyboard.press("Enter");
    await expect(asked).toHaveCount(0);
    await portal.hasSentEverything();
    expect(await office.call("GET", "/sitter/requests")).toMatchObject({ requests: [] });
  });
});

/** A stranger becomes a sitter whose calendar can be used, in one go or with breaks, on this phone or on the next. */
import type { Page } from "@playwright/test";
import { SetupPage, SignInPage, SignUpPage } from "./pages/auth";
import { look } from "./pages/map";
import { SchedulePage } from "./pages/schedule";
import { somebody } from "./support/api";
import { isAccessible } from "./support/axe";
import { day } from "./support/day";
import { demoServer } from "./support/demo";
import type { Server } from "./support/server";
import { test as base, expect } from "./support/test";

// The demo's map is on it.
const test = base.extend<{ server: Server }>({ server: demoServer });

const PDF = Buffer.from("%PDF-1.7\n1 0 obj <</Type /Catalog>> endobj\nstartxref\n9\n%%EOF\n");
const CALENDAR = "Your calendar is ready";

/** The rows of documents. */
const documents = (page: Page) => page.getByRole("list", { name: "Your documents" }).getByRole("listitem");

/** The steps from the area on, as somebody who agrees with what is there. */
async function fromArea(page: Page, setup: SetupPage): Promise<void> {
  await page.getByLabel("Service area").fill("Kluuvi, Helsinki");
  await setup.goOn("Next");
  await setup.goOn("Skip");
  await setup.goOn("Save and continue");
  await setup.goOn("Finish");
}

test("a stranger becomes a sitter with a ready calendar @desktop", async ({ page, server, api }) => {
  const who = somebody();
  await page.goto("/");
  await page.getByRole("link", { name: "Join as a sitter" }).click();
  await page.getByRole("button", { name: "Create your account" }).click();
  await expect(page.getByLabel("Your name")).toBeFocused();
  await expect(page.getByRole("heading", { name: "Self-hosted" })).toBeVisible();
  const setup = await (await SignUpPage.shown(page)).enter(who, server);

  await test.step("who comes", async () => {
    await setup.isAt("About you");
    await expect(setup.done).toHaveText([/Services/, /Hours/]);
    await page.getByRole("textbox", { name: "Phone" }).fill("555-0100-300");
    await setup.goOn("Next");
  });
  await test.step("where, on the map", async () => {
    await setup.isAt("Area");
    await page.getByLabel("Service area").fill("Kluuvi, Helsinki");
    await page.getByLabel("Radius").fill("0.2");
    await page.getByRole("button", { name: "Set on the map" }).click();
    const dialog = page.getByRole("dialog", { name: "Where do you work?" });
    await expect(dialog.getByText("(c) OpenStreetMap contributors")).toBeVisible();
    // The demo's map is smaller than the window.
    await expect.poll(async () => (await look(page)).colors).toBeGreaterThan(8);
    await isAccessible(page, "the service area on the map");
    await dialog.getByRole("application").focus();
    await page.keyboard.press("ArrowRight");
    await dialog.getByRole("button", { name: "Use this place" }).click();
    await expect(page.getByText(/60\.\d{3}, 24\.\d{3}/)).toBeVisible();
    await setup.goOn("Next");
  });
  await test.step("a document, for nobody else", async () => {
    await setup.isAt("Documents");
    await page
      .getByLabel("Choose a file")
      .setInputFiles({ name: "insurance.pdf", mimeType: "application/pdf", buffer: PDF });
    await expect(documents(page)).toHaveText([/insurance\.pdf/]);
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download insurance.pdf" }).click();
    expect((await coming).suggestedFilename()).toBe("insurance.pdf");
    await page
      .getByLabel("Choose a file")
      .setInputFiles({ name: "page.pdf", mimeType: "application/pdf", buffer: Buffer.from("<html>") });
    await expect(page.getByRole("alert")).toHaveText(
      "Upload failed: 415 - Unsupported file type (use PDF, JPEG, PNG, or HEIC)",
    );
    await isAccessible(page, "documents");
    await setup.goOn("Next" as const);
  });
  await test.step("services, with one price changed", async () => {
    await setup.isAt("Services");
    await page.getByLabel("Price of 30-Minute Walk").fill("28");
    await page.getByRole("switch", { name: /Overnight Stay/ }).click({ force: true });
    await setup.goOn("Save and continue");
  });
  await test.step("hours", async () => {
    await setup.isAt("Hours");
    await page.getByRole("switch", { name: "Saturday" }).click({ force: true });
    await setup.goOn("Finish");
  });
  await setup.isAt(CALENDAR);
  await expect(setup.done).toHaveCount(5);
  await isAccessible(page, "ready");
  await page.getByRole("link", { name: "Open your calendar" }).click();
  const schedule = await SchedulePage.shown(page);
  await expect(page.getByText("Your profile is not complete yet.")).toHaveCount(0);
  await schedule.hasSentEverything();

  const office = await api.signIn(who);
  const status = await office.call<{ isComplete: boolean; steps: { isDone: boolean }[] }>(
    "GET",
    "/sitters/onboarding-status",
  );
  expect(status.isComplete).toBe(true);
  expect(status.steps.every((it) => it.isDone)).toBe(true);
  const offered = (await office.offerings()).filter((it) => it.is_active);
  expect(offered.map((it) => it.base_price)).toEqual([28, 30, 35, 30]);
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "14:00");
});

test("who is broken off goes on where they were, on another phone as well @full", async ({
  page,
  server,
  anotherPhone,
}) => {
  const who = somebody();
  const join = await (await SignInPage.open(page)).join();
  await join.ask(who);
  await join.isTitled("Enter your code");
  const code = await server.mailedCode(who.email);

  await test.step("the phone has forgotten the page while its person was in the mail", async () => {
    await page.reload();
    const setup = await new SignUpPage(page).confirm(code);
    await setup.isAt("About you");
    await page.getByRole("textbox", { name: "Phone" }).fill("555-0100-300");
    await setup.goOn("Next");
    await setup.isAt("Area");
    await setup.hasSentEverything();
  });

  const other = await anotherPhone();
  const schedule = await (await SignInPage.open(other.page)).signIn(who);
  await schedule.isLoaded();
  await other.page.getByRole("link", { name: "Complete profile" }).click();
  const setup = await SetupPage.shown(other.page);
  await setup.isAt("Area");
  await expect(setup.done).toHaveText([/About you/, /Services/, /Hours/]);
  await fromArea(other.page, setup);
  await setup.isAt(CALENDAR);
  await setup.hasSentEverything();

  await test.step("and the first phone knows it", async () => {
    await page.goto("/profile/setup");
    await (await SetupPage.shown(page)).isAt(CALENDAR);
  });
});

test("with no network all but documents is done, and it is sent when that is back", async ({
  page,
  network,
  server,
  api,
}) => {
  const who = somebody();
  const setup = await (await (await SignInPage.open(page)).join()).enter(who, server);
  await setup.isAt("About you");
  await setup.hasSentEverything();
  await network.cut();
  await page.getByRole("textbox", { name: "Phone" }).fill("555-0100-300");
  await setup.goOn("Next");
  await page.getByLabel("Service area").fill("Kluuvi, Helsinki");
  await setup.goOn("Next");
  await expect(page.getByText(/You need a connection to store documents/)).toBeVisible();
  await setup.goOn("Skip");
  await setup.goOn("Save and continue");
  await setup.goOn("Finish");
  await setup.isAt(CALENDAR);
  await network.heal();
  await setup.hasSentEverything();
  const office = await api.signIn(who);
  expect((await office.call<{ isComplete: boolean }>("GET", "/sitters/onboarding-status")).isComplete).toBe(true);
});

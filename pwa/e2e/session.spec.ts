/** Signing in and out, and a session that the server has forgotten: nothing that was done is lost on the way. */
import type { Page } from "@playwright/test";
import { SignInPage, signedIn } from "./pages/auth";
import { SchedulePage } from "./pages/schedule";
import { expect, test } from "./support/test";

const EXPIRED = "Authentication failed (401). Please sign in again.";

test("with nothing unsent an expired session leads to the sign-in screen, which says why", async ({
  page,
  api,
  sitter,
}) => {
  await signedIn(page, sitter);
  const password = await (await api.signIn(sitter)).changePassword(sitter);
  await page.reload();
  await expect(page).toHaveURL(/\/auth\/login\?message=session_expired$/);
  await expect(page.getByText(EXPIRED)).toBeVisible();
  await new SignInPage(page).signIn({ ...sitter, password });
});

test("an expired session takes nobody away from a password that is being set @full", async ({ page, api, sitter }) => {
  await signedIn(page, sitter);
  await page.goto("/auth/reset-password?token=of-a-mail");
  const password = page.getByLabel("New password", { exact: true });
  await password.fill("a longer one than before");
  const other = await page.context().newPage();
  await (await api.signIn(sitter)).changePassword(sitter);
  await other.goto("/scheduling");
  await new SignInPage(other).isTitled("Sign in");
  await expect(page).toHaveURL(/\/auth\/reset-password\?token=of-a-mail$/);
  await expect(password).toHaveValue("a longer one than before");
});

test("with something unsent an expired session keeps the app in use until the person signs in", async ({
  page,
  network,
  api,
  sitter,
  office,
}) => {
  await office.addClient("Dana Reyes", "Rex");
  const schedule = await signedIn(page, sitter);
  await network.cut();
  await schedule.schedule({ client: "Dana Reyes", start: "2:00 PM" });
  const password = await (await api.signIn(sitter)).changePassword(sitter);
  await network.heal();
  await expect(schedule.banners).toContainText("Signed out. 1 change is safe on this phone. Sign in to send.");

  await schedule.schedule({ client: "Dana Reyes", start: "4:00 PM" });
  await expect(schedule.visit("Rex")).toHaveCount(2);
  await expect(schedule.banners).toContainText("Signed out. 2 changes are safe on this phone. Sign in to send.");
  await page.reload();
  await expect(schedule.visit("Rex")).toHaveCount(2);

  await page.getByRole("link", { name: "Sign in" }).click();
  await expect(page.getByText(EXPIRED)).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(sitter.email);
  await page.getByRole("link", { name: "Not now, back to my day" }).click();
  await SchedulePage.shown(page);
  await page.getByRole("link", { name: "Sign in" }).click();
  await new SignInPage(page).signIn({ ...sitter, password });
  await schedule.hasSentEverything();
  const again = await api.signIn({ ...sitter, password });
  expect((await again.services()).map((it) => it.start_time).toSorted()).toEqual(["14:00", "16:00"]);
});

test("with a walk under way an expired session interrupts nothing", async ({ page, api, sitter }) => {
  await signedIn(page, sitter);
  await page.goto("/walk");
  await page.getByRole("button", { name: "Start walk without a pet" }).click();
  await expect(page.getByRole("button", { name: "Hold to end" })).toBeVisible();
  await (await api.signIn(sitter)).changePassword(sitter);
  await page.getByRole("button", { name: "To the schedule; the walk goes on" }).click();
  const schedule = await SchedulePage.shown(page);
  await expect(schedule.page.getByRole("link", { name: "Back to the walk" })).toBeVisible();
  // The next poll would come by itself.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(schedule.banners).toContainText(
    "Signed out. This phone deletes its copy of your data the next time Walkies opens with a network",
  );
  await expect(page.getByRole("link", { name: "Back to the walk" })).toBeVisible();
});

test.describe("signing out with unsent work", () => {
  test.beforeEach(async ({ page, network, sitter, office }) => {
    await office.addClient("Dana Reyes", "Rex");
    const schedule = await signedIn(page, sitter);
    await network.cut();
    await schedule.schedule({ client: "Dana Reyes", start: "2:00 PM" });
    await schedule.signOut();
    await expect(question(page)).toContainText("1 change on this phone has not reached the server.");
  });

  const question = (page: Page) => page.getByRole("dialog", { name: "Not everything is sent yet" });

  test("can send it first", async ({ page, network, office }) => {
    await question(page).getByRole("button", { name: "Send now and sign out" }).click();
    await expect(question(page).getByRole("alert")).toBeVisible();
    await network.heal();
    await question(page).getByRole("button", { name: "Send now and sign out" }).click();
    await new SignInPage(page).isTitled("Sign in");
    expect(await office.services()).toHaveLength(1);
  });

  test("can keep it on the phone for the next sign-in @full", async ({ page, network, sitter, office }) => {
    await question(page).getByRole("button", { name: "Keep on this phone, locked" }).click();
    const signIn = new SignInPage(page);
    await signIn.isTitled("Sign in");
    await page.reload();
    await expect(page.getByText(`1 change of ${sitter.email} waits on this phone for the next sign-in.`)).toBeVisible();
    await network.heal();
    const schedule = await signIn.signIn(sitter);
    await expect(schedule.visit("Rex")).toBeVisible();
    await schedule.hasSentEverything();
    expect(await office.services()).toHaveLength(1);
  });

  test("can discard it, after a word that nobody types by chance @full", async ({ page, network, sitter, office }) => {
    await question(page).getByRole("button", { name: "Discard" }).click();
    await expect(question(page).getByRole("button", { name: "Discard" })).toBeDisabled();
    await question(page)
      .getByLabel(/type DISCARD/)
      .fill("DISCARD");
    await question(page).getByRole("button", { name: "Discard" }).click();
    const signIn = new SignInPage(page);
    await signIn.isTitled("Sign in");
    await network.heal();
    const schedule = await signIn.signIn(sitter);
    await schedule.isLoaded();
    await expect(schedule.today).toContainText("Nothing to do today");
    expect(await office.services()).toEqual([]);
  });
});

test("an address that was typed goes along from screen to screen @full", async ({ page, sitter }) => {
  await SignInPage.open(page);
  await page.getByLabel("Email").fill(sitter.email);
  for (const link of ["Forgot password?", "Back to sign in", "Join as a sitter"]) {
    await page.getByRole("link", { name: link }).click();
    await expect(page.getByRole("link", { name: link })).toHaveCount(0);
    await expect(page.getByLabel("Email")).toHaveValue(sitter.email);
  }
});

test("a forgotten password is replaced by the link from the mail, and every phone has to sign in again", async ({
  page,
  server,
  anotherPhone,
  sitter,
}) => {
  const other = await anotherPhone();
  await signedIn(other.page, sitter);
  await SignInPage.open(page);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  // The screen before has an e-mail, too.
  await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await page.getByLabel("Email").fill(sitter.email);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByText(`If ${sitter.email} has an account, there is a link now.`)).toBeVisible();
  const link = /\/auth\/reset-password\?token=[\w-]+/;
  await expect.poll(() => server.mail()).toMatch(link);
  await page.goto(link.exec(await server.mail())?.[0] ?? "");
  await page.getByLabel("New password").fill("six brave otters");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Your password is changed.")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await new SignInPage(page).signIn({ ...sitter, password: "six brave otters" });
  await other.page.reload();
  await expect(other.page).toHaveURL(/message=session_expired/);
});

test("a wrong password says so and keeps what was typed", async ({ page, sitter }) => {
  const signIn = await SignInPage.open(page);
  await signIn.send("", "");
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(/required/);
  await expect(page.getByLabel("Email")).toBeFocused();
  await signIn.send(sitter.email, "not this one");
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(sitter.email);
});

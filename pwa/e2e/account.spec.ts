/** Getting in and keeping others out: joining by a code, devices that are signed out from elsewhere, a second factor. */
import { SetupPage, SignInPage, signedIn } from "./pages/auth";
import { SchedulePage } from "./pages/schedule";
import { somebody } from "./support/api";
import { codeOf } from "./support/authenticator";
import { isAccessible } from "./support/axe";
import { Server } from "./support/server";
import { expect, test } from "./support/test";

test("who joins types the code from the mail, and an address that has an account looks the same", async ({
  page,
  server,
  sitter,
}) => {
  const join = await (await SignInPage.open(page)).join();
  await join.ask({ ...sitter, name: "Somebody Else" });
  await join.isTitled("Enter your code");
  await expect(page.getByText(`There is a code for ${sitter.email}.`)).toBeVisible();
  await isAccessible(page, "the code of a sign-up");
  await expect.poll(() => server.mail()).toContain("which has an account already");
  await page.getByRole("button", { name: "Check the address and try again" }).click();
  const other = somebody();
  await join.signUp(other, server);
});

test("an invitation that names the address stands for the mail @full", async ({ page, server }) => {
  const invited = somebody();
  await page.goto(`/sitters/join?invitation=${await server.invite(invited.email)}`);
  await expect(page.getByLabel("Email")).toHaveValue(invited.email);
  await page.getByLabel("Your name").fill(invited.name);
  await page.getByLabel("Password", { exact: true }).fill(invited.password);
  await page.getByRole("button", { name: "Create account" }).click();
  await (await SetupPage.shown(page)).isAt("About you");
});

const closed = test.extend<{ server: Server }>({
  // Playwright asks for the braces even where nothing is needed.
  // oxlint-disable-next-line no-empty-pattern
  server: async ({}, give) => {
    const server = await Server.start("--sign-up", "invite");
    await give(server);
    await server.stop();
  },
});

closed("a server that takes invited people alone says so before anybody types @full", async ({ page }) => {
  await page.goto("/sitters/join");
  await expect(page.getByText("This server takes new accounts by invitation only.")).toBeVisible();
  await expect(page.getByLabel("Your name")).toHaveCount(0);
  await isAccessible(page, "by invitation only");
});

test("another device is signed out from here, at once", async ({ page, anotherPhone, sitter }) => {
  const other = await anotherPhone();
  await signedIn(other.page, sitter);
  await signedIn(page, sitter);
  await page.goto("/profile#security");
  const devices = page.getByRole("region", { name: "Devices" });
  await expect(devices.getByText("This device")).toBeVisible();
  await isAccessible(page, "profile with devices");
  await devices.getByRole("button", { name: "Sign out all others" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out all others" }).click();
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  await expect(other.page).toHaveURL(/message=session_expired/);
  await page.reload();
  await expect(devices.getByText("This device")).toBeVisible();
});

test("with an authenticator app a new phone needs its code, and a recovery code where the app is lost", async ({
  page,
  anotherPhone,
  sitter,
}) => {
  await signedIn(page, sitter);
  await page.goto("/profile#security");
  const section = page.getByRole("region", { name: "Two-step sign-in" });
  await section.getByRole("button", { name: "Set up an authenticator app" }).click();
  const dialog = page.getByRole("dialog", { name: "Authenticator app" });
  await dialog.getByLabel("Your password").fill(sitter.password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByAltText("QR code of the key")).toBeVisible();
  await isAccessible(page, "setting up an authenticator app");
  const key = (await dialog.locator(".select-all").innerText()).replaceAll(" ", "");
  await dialog.getByLabel("Code", { exact: true }).fill(codeOf(key));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  const listed = dialog.getByRole("listitem");
  await expect(listed).toHaveCount(10);
  const codes = await listed.allInnerTexts();
  await isAccessible(page, "recovery codes");
  await dialog.getByRole("button", { name: "I have kept them" }).click();
  await expect(section.getByText("10 recovery codes are left.")).toBeVisible();

  const other = await anotherPhone();
  const signIn = await SignInPage.open(other.page);
  await signIn.send(sitter.email, sitter.password);
  await signIn.isTitled("One more step");
  await isAccessible(other.page, "second step");
  // The code of this half minute may be the one that was used.
  await other.page.getByLabel("Code").fill(codeOf(key, 1));
  await other.page.getByRole("button", { name: "Sign in" }).click();
  const schedule = await SchedulePage.shown(other.page);
  await schedule.signOut();

  await signIn.isTitled("Sign in");
  await signIn.send(sitter.email, sitter.password);
  await signIn.isTitled("One more step");
  await other.page.getByRole("button", { name: "Use a recovery code" }).click();
  await other.page.getByLabel("Recovery code").fill(codes[0] ?? "");
  await other.page.getByRole("button", { name: "Sign in" }).click();
  await SchedulePage.shown(other.page);
});

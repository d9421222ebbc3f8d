/** One person with a business who is a pet parent at another sitter's, too, and switches between the two with one sign-in. */
import { SignInPage, signedIn } from "./pages/auth";
import { ClientsPage } from "./pages/clients";
import { InvitationPage, PortalPage } from "./pages/portal";
import { SchedulePage } from "./pages/schedule";
import { type Api, type ClientRow, type SignIn, somebody } from "./support/api";
import { day, ZONE } from "./support/day";
import { fits } from "./support/fitting";
import type { Server } from "./support/server";
import { expect, test } from "./support/test";

/** Another sitter, of whose client Rex is the pet. */
async function anotherSitter(api: Api, server: Server): Promise<{ theirs: Api; client: ClientRow; link: string }> {
  const mara = { ...somebody(), name: "Mara Lind" };
  const theirs = await api.signUp(mara, ZONE, await server.invite(mara.email));
  const client = await theirs.addClient("Robin Sitter", "Rex");
  await theirs.schedule(client, day(1), "10:00");
  const { link } = await theirs.call<{ link: string }>("POST", `/clients/${client.id}/invite`, {});
  return { theirs, client, link };
}

test("a sitter follows an invitation, sees the own pet, and switches back to an unsent change @postgres", async ({
  page,
  network,
  api,
  server,
  sitter,
  office,
}, info) => {
  const { theirs, client, link } = await anotherSitter(api, server);
  await office.addClient("Dana Reyes", "Luna");
  await signedIn(page, sitter);

  const invitation = await InvitationPage.open(page, link);
  await invitation.isTitled("Mara Lind invites you");
  await expect(page.getByText(`You are signed in as a sitter (${sitter.email}).`, { exact: false })).toBeVisible();
  await fits(page, "invitation of a sitter");
  await page.screenshot({ path: info.outputPath("invitation.png") });
  await page.getByRole("button", { name: "Accept as a pet parent" }).click();
  const portal = await PortalPage.shown(page);
  await portal.goTo("Pets");
  await expect(page.getByRole("link", { name: "Photos and notes of Rex" })).toBeVisible();
  await page.screenshot({ path: info.outputPath("pets.png") });
  expect(await theirs.call("GET", `/clients/${client.id}`)).toMatchObject({ client_user_id: expect.any(String) });

  await test.step("back to the business, by the account", async () => {
    await portal.goTo("Account");
    const business = page.getByRole("region", { name: "Your business" });
    await fits(page, "account of both");
    await page.screenshot({ path: info.outputPath("account.png"), fullPage: true });
    await business.getByRole("button", { name: "Switch to your business" }).click();
    await (await SchedulePage.shown(page)).isLoaded();
  });

  const notice = page.getByRole("log", { name: "Notices" }).locator("> *").filter({ hasText: "until you switch back" });
  await test.step("a change is made without a network and kept while the pet's side is shown", async () => {
    const clients = await ClientsPage.open(page);
    await expect(page.getByText("Dana Reyes").first()).toBeVisible();
    await network.cut();
    await clients.add({ name: "Kim Lee", pets: [{ name: "Otto" }] });
    await page.getByRole("button", { name: "More", exact: true }).click();
    await expect(page.getByRole("button", { name: "Switch to Pet parent" })).toBeVisible();
    await fits(page, "menu of both");
    await page.screenshot({ path: info.outputPath("menu.png") });
    await page.getByRole("button", { name: "Switch to Pet parent" }).click();
    await clients.says("1 change of your business is not sent yet. It stays on this phone until you switch back.");
    // It stays while the focus is in it.
    await notice.getByRole("button", { name: "Dismiss" }).focus();
    await PortalPage.shown(page);
    await portal.goTo("Account");
    await notice.getByRole("button", { name: "Dismiss" }).focus();
    await expect(page.getByRole("region", { name: "Your business" }).getByText("1 change waits there.")).toBeVisible();
    await expect(async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      const foot = await page.getByRole("button", { name: "Delete pet parent account" }).boundingBox();
      const { y } = (await notice.boundingBox()) ?? { y: 0 };
      expect((foot?.y ?? y) + (foot?.height ?? 0), "the foot of the page is above the notice").toBeLessThan(y);
    }).toPass();
    await portal.goTo("Pets");
    await expect(page.getByRole("link", { name: "Photos and notes of Rex" })).toBeVisible();
    await expect(page.getByText("Kim Lee")).toHaveCount(0);
    await portal.goTo("Account");
    await page.screenshot({ path: info.outputPath("account-waits.png"), fullPage: true });
  });

  await page.getByRole("button", { name: "Switch to your business" }).click();
  await SchedulePage.shown(page);
  await expect(notice).toHaveCount(0);
  await network.heal();
  await expect.poll(async () => (await office.clients()).map((it) => it.name)).toContain("Kim Lee");
  const seen = await theirs.clients();
  expect(seen.map((it) => it.name)).toEqual(["Robin Sitter"]);

  await test.step("a new phone asks which side is meant, and the address of either one shows it", async () => {
    await new SchedulePage(page).signOut();
    await new SignInPage(page).isTitled("Sign in");
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await new SignInPage(page).send(sitter.email, sitter.password);
    await new SignInPage(page).isTitled("What do you want to open?");
    await fits(page, "which side");
    await page.screenshot({ path: info.outputPath("choose.png") });
    await page.getByRole("button", { name: "Your pets' visits" }).click();
    await PortalPage.shown(page);
    await page.goto("/clients");
    await expect(page.getByText("Kim Lee").first()).toBeVisible();
    await page.goto("/client/pets");
    await expect(page.getByRole("link", { name: "Photos and notes of Rex" })).toBeVisible();
  });
});

test("a pet parent starts a business with the same sign-in, and deletes it again @full", async ({
  page,
  server,
  office,
}, info) => {
  const client = await office.addClient("Sam Reyes", "Rex");
  const { link } = await office.call<{ link: string }>("POST", `/clients/${client.id}/invite`, {});
  const sam: SignIn = { name: "Sam Reyes", email: "sam@example.com", password: "six brave otters" };
  const portal = await (await InvitationPage.open(page, link)).signUp(sam, server);
  await portal.goTo("Account");
  await page.getByRole("link", { name: "Start a business" }).click();
  await portal.isTitled("Start a business");
  await fits(page, "starting a business");
  await page.screenshot({ path: info.outputPath("start.png") });
  await page.getByRole("button", { name: "Start a business" }).click();
  await portal.isTitled("Complete your profile");
  await page.getByRole("link", { name: "Finish this later" }).click();
  const schedule = await SchedulePage.shown(page);
  await schedule.isLoaded();

  await page.goto("/profile#security");
  await page.getByRole("button", { name: "Delete business" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete business" });
  await expect(dialog).toContainText("You stay signed in as a pet parent");
  await fits(page, "deleting one role");
  await page.screenshot({ path: info.outputPath("delete.png") });
  await dialog.getByLabel("Type DELETE").fill("DELETE");
  await dialog.getByLabel("Your password", { exact: true }).fill(sam.password);
  await dialog.getByRole("button", { name: "Delete business" }).click();
  await PortalPage.shown(page);
  await schedule.says("Your business is deleted. You are still a pet parent.");
  await portal.goTo("Pets");
  await expect(page.getByRole("link", { name: "Photos and notes of Rex" })).toBeVisible();
  await portal.goTo("Account");
  await expect(page.getByRole("link", { name: "Start a business" })).toBeVisible();
});

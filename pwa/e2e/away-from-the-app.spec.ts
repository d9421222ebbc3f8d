/** Stories of pet parents without notifications, of two who write about one pet, and of a sitter who leaves. */
import type { Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { InvitationPage, type PortalPage } from "./pages/portal";
import { ServiceDetails } from "./pages/schedule";
import { type Api, type ClientRow, type SignIn, somebody } from "./support/api";
import { day, ZONE } from "./support/day";
import { everythingOn } from "./support/disk";
import { mailed } from "./support/mailed";
import { type MailServer, wordsOf } from "./support/mailServer";
import { expect, test } from "./support/test";

const PARENT: SignIn = { name: "Sam Reyes", email: "sam@example.com", password: "six brave otters" };
const OTHER: SignIn = { name: "Alex Reyes", email: "alex@example.com", password: "six brave otters" };

const invite = async (office: Api, client: ClientRow): Promise<string> =>
  (await office.call<{ link: string }>("POST", `/clients/${client.id}/invite`, {})).link;

/** The words of a mail to this address whose subject has these words, once it is there. */
async function mailTo(mails: MailServer, email: string, subject: RegExp): Promise<string> {
  const find = () => mails.messages.map(wordsOf).find((it) => it.includes(`To: ${email}`) && subject.test(it));
  await expect.poll(find).toBeDefined();
  return find() ?? "";
}

mailed(
  "a visit of tomorrow that is cancelled is read by mail, and stands crossed out where tomorrow is @full",
  async ({ page, sitter, office, mails, anotherPhone }) => {
    const client = await office.addClient("Sam Reyes", "Rex");
    // A booking that was not told yet is cancelled without a word.
    const { id } = await office.schedule(client, day(1), "10:00");
    const { page: theirs } = await anotherPhone();
    const invitation = await InvitationPage.open(theirs, await invite(office, client));
    const code = async () => /(\d{8}) is your code/.exec(await mailTo(mails, PARENT.email, /is your code/))?.[1] ?? "";
    const portal = await invitation.signUp(PARENT, { mailedCode: code });
    await signedIn(page, sitter);
    await page.goto(`/scheduling?service=${id}`);
    await (await ServiceDetails.shown(page)).cancel();

    await mailTo(mails, PARENT.email, /10:00 AM was cancelled/);
    await portal.goTo("Visits");
    await expect(theirs.getByRole("link", { name: "Request another time" })).toBeVisible();
    await expect(theirs.locator(".line-through").filter({ hasText: "10:00 AM" })).toBeVisible();
  },
);

test("of two parents each keeps what was written about an allergy, until one of them decides @full", async ({
  server,
  office,
  anotherPhone,
}) => {
  const client = await office.addClient("Sam Reyes", "Rex");
  const [one, other] = [await anotherPhone(), await anotherPhone()];
  const join = async (theirs: Page, who: SignIn) =>
    (await InvitationPage.open(theirs, await invite(office, client))).signUp(who, server);
  const portals = [await join(one.page, PARENT), await join(other.page, OTHER)] as const;
  const write = async (portal: PortalPage, text: string) => {
    await portal.goTo("Pets");
    await portal.page.getByRole("button", { name: "Edit" }).click();
    await portal.dialog.getByRole("button", { name: /^Rex/ }).click();
    await portal.dialog.getByLabel(/^About/).fill(text);
    await portal.dialog.getByRole("button", { name: "Save" }).click();
  };
  await portals[1].goTo("Pets");
  await other.network.cut();
  await write(portals[0], "allergic to chicken");
  await portals[0].hasSentEverything();
  await write(portals[1], "loves the beach");
  await other.network.heal();

  const choice = other.page.getByRole("region", { name: "Texts to decide" });
  await expect(choice.getByText("allergic to chicken")).toBeVisible();
  await choice.getByRole("button", { name: "Keep both" }).click();
  await expect(choice).toHaveCount(0);
  await portals[1].hasSentEverything();
  await expect(
    one.page.getByText(/allergic to chicken\s+loves the beach|loves the beach\s+allergic to chicken/),
  ).toBeVisible();
});

test("a sitter who deletes the account leaves word with a parent, which stays until it is read @full", async ({
  server,
  office,
  sitter,
  api,
  anotherPhone,
}) => {
  const client = await office.addClient("Sam Reyes", "Rex");
  const { page: theirs } = await anotherPhone();
  await (await InvitationPage.open(theirs, await invite(office, client))).signUp(PARENT, server);
  await office.schedule(client, day(1), "10:00", { notes: "Use the side gate" });
  await expect(theirs.getByText("10:00 AM").first()).toBeVisible();
  const another = somebody();
  const second = await api.signUp(another, ZONE, await server.invite(another.email));
  const theirRecord = await second.addClient("Sam Reyes", "Rex");
  const parent = await api.signIn(PARENT);
  const code = new URL(await invite(second, theirRecord)).searchParams.get("code");
  await parent.call("POST", "/client/link", { client_id: theirRecord.id, code });

  await office.call("DELETE", "/auth/account", { password: sitter.password });
  await theirs.reload();
  const told = theirs.getByRole("status").filter({ hasText: "has ended your access or left Walkies" });
  await expect(told).toBeVisible();
  await theirs.reload();
  await expect(told).toBeVisible();
  await expect.poll(() => everythingOn(theirs)).not.toContain("Use the side gate");
  await told.getByRole("button", { name: "OK" }).click();
  await theirs.reload();
  await expect(told).toHaveCount(0);
});

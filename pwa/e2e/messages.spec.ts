/** A sitter and a client who write to each other, each with a phone: both ways, with and without a network. */
import type { Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { MessagesPage } from "./pages/messages";
import { InvitationPage } from "./pages/portal";
import type { Api, ClientRow, SignIn } from "./support/api";
import { isAccessible } from "./support/axe";
import type { Network } from "./support/network";
import type { Server } from "./support/server";
import { test as base, expect } from "./support/test";

const PARENT: SignIn = { name: "Sam Reyes", email: "sam@example.com", password: "six brave otters" };

interface Talk {
  client: ClientRow;
  /** The sitter's phone. */
  mine: MessagesPage;
  /** The client's phone. */
  theirs: MessagesPage;
  theirNetwork: Network;
}

async function linked(page: Page, link: string, server: Server): Promise<void> {
  const portal = await (await InvitationPage.open(page, link)).signUp(PARENT, server);
  await portal.isInstalled();
}

const inviteTo = async (office: Api, { id }: ClientRow): Promise<string> =>
  (await office.call<{ link: string }>("POST", `/clients/${id}/invite`, {})).link;

const test = base.extend<{ talk: Talk }>({
  talk: async ({ page, server, sitter, office, anotherPhone }, give) => {
    const client = await office.addClient("Sam Reyes", "Rex");
    const phone = await anotherPhone();
    await linked(phone.page, await inviteTo(office, client), server);
    await signedIn(page, sitter);
    const mine = await MessagesPage.open(page, `/messages/${client.id}`);
    const theirs = await MessagesPage.open(phone.page, `/client/messages/${client.id}`);
    await give({ client, mine, theirs, theirNetwork: phone.network });
  },
});

test("what one writes the other reads, and who wrote it sees that @desktop @postgres", async ({ talk, isMobile }) => {
  const { mine, theirs } = talk;
  // On a phone the word stands above the list.
  if (!isMobile) for (const side of [mine, theirs]) await expect(side.page.getByText(/^Live/)).toBeVisible();
  await mine.send("Rex was a star today");
  await expect(theirs.message("Rex was a star today")).toBeVisible();
  await expect(mine.message("Rex was a star today")).toContainText("Read");
  await theirs.send("Thank you! See https://bones.example/rex");
  const link = mine.message("Thank you!").getByRole("link");
  await expect(link).toHaveAttribute("href", "https://bones.example/rex");
  await expect(theirs.message("Thank you!")).toContainText("Read");
  await isAccessible(mine.page, "conversation");
  await isAccessible(theirs.page, "conversation in the portal");
  if (!isMobile) return;
  await mine.page.getByRole("button", { name: "Back to conversations" }).click();
  await expect(mine.conversation("Sam Reyes")).toContainText("Thank you!");
});

test("that one types is seen by the other, and not for long @full", async ({ talk: { mine, theirs } }) => {
  const sign = mine.page.getByText(/is typing…$/);
  await expect(async () => {
    await theirs.composer.pressSequentially("a");
    await expect(sign).toBeVisible({ timeout: 900 });
  }).toPass();
  await expect(sign).toHaveCount(0);
});

test("what is written with no network waits in order, and arrives in order, once @postgres", async ({ talk }) => {
  const { mine, theirs, theirNetwork } = talk;
  await theirNetwork.cut();
  const said = ["First", "Second", "Third"];
  for (const words of said) await theirs.send(words);
  await expect(theirs.page.getByText(/Sending|Waits for a connection/)).toHaveCount(3);
  // A killed tab loses none of it.
  await theirs.page.reload();
  await expect(theirs.message("Third")).toBeVisible();
  await mine.send("Meanwhile");
  await mine.hasSentEverything();
  await theirNetwork.heal();
  await expect(mine.message("Third")).toBeVisible();
  expect(await mine.words()).toEqual(["Meanwhile", ...said]);
  await expect.poll(() => theirs.words()).toEqual(["Meanwhile", ...said]);
});

test("an image is sent with its words, and shown to the other one @postgres", async ({ talk: { mine, theirs } }) => {
  const bytes = await mine.page.evaluate(async () => {
    const canvas = new OffscreenCanvas(1600, 1200);
    canvas.getContext("2d")?.fillRect(0, 0, 800, 1200);
    const blob = await canvas.convertToBlob({ type: "image/png" });
    return [...new Uint8Array(await blob.arrayBuffer())];
  });
  const input = mine.page.getByLabel("Add an image");
  await input.setInputFiles({ name: "rex.png", mimeType: "image/png", buffer: Buffer.from(bytes) });
  await expect(mine.page.getByAltText("To be sent")).toBeVisible();
  await mine.send("In the sun");
  await theirs.message("In the sun").getByRole("button", { name: "Open the image" }).click();
  const image = theirs.page.getByAltText("Sent with a message");
  await expect(image).toBeVisible();
  await expect.poll(() => image.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBe(1024);
});

test("a message that does not get through stands in its place, and can be sent again", async ({ talk, network }) => {
  const { mine, theirs } = talk;
  await mine.send("Before");
  await mine.hasSentEverything();
  network.checkIn(/\/sync\/push/, 403);
  await mine.send("The key is under the mat");
  const failed = mine.page.getByRole("list", { name: "Not sent" }).getByRole("listitem");
  await expect(failed).toContainText("The key is under the mat");
  await isAccessible(mine.page, "a message that was not sent");
  network.checkOut();
  await failed.getByRole("button", { name: "Send again" }).click();
  await expect(failed).toHaveCount(0);
  await expect(theirs.message("The key is under the mat")).toBeVisible();
  expect(await theirs.words()).toEqual(["Before", "The key is under the mat"]);
});

base(
  "a conversation is begun from the list and from a client's card @desktop @full",
  async ({ page, sitter, office }) => {
    const body = { name: "Dana Reyes", email: "dana@example.com", dogs: [{ name: "Rex" }] };
    const client = await office.call<ClientRow>("POST", "/clients", body);
    await signedIn(page, sitter);
    const messages = await MessagesPage.open(page);
    await messages.start("Dana");
    await messages.send("Hello Dana");
    await page.getByRole("link", { name: "Invite" }).click();
    await expect(page.getByRole("dialog", { name: "Invite Dana Reyes" })).toContainText("They see their visits");
    await page.goto(`/clients/${client.id}`);
    await page.getByRole("button", { name: "Message Dana Reyes" }).filter({ visible: true }).first().click();
    const dialog = page.getByRole("dialog", { name: "Message Dana Reyes" });
    await expect(dialog.getByRole("log")).toContainText("Hello Dana");
    await isAccessible(page, "message from a client");
    await dialog.getByRole("textbox", { name: "Message", exact: true }).fill("And again");
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await expect(dialog.getByRole("log")).toContainText("And again");
    await dialog.getByRole("link", { name: "Open the conversation" }).click();
    await expect(messages.message("And again")).toBeVisible();
  },
);

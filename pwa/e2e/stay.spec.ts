/** A stay over Christmas, between a pet parent and a sitter with a phone each: asked for, approved, moved, cancelled. */
import { signedIn } from "./pages/auth";
import { MessagesPage } from "./pages/messages";
import { InvitationPage } from "./pages/portal";
import { RequestsPage } from "./pages/requests";
import { SchedulePage, ServiceDetails } from "./pages/schedule";
import type { SignIn } from "./support/api";
import { isAccessible } from "./support/axe";
import { day } from "./support/day";
import { expect, test } from "./support/test";

const PARENT: SignIn = { name: "Sam Reyes", email: "sam@example.com", password: "six brave otters" };

/** The next Christmas that is still to come on every day of this story. */
const YEAR = Number(day().slice(0, 4)) + (day().slice(5) < "12-23" ? 0 : 1);
const december = (date: number): string => `${YEAR}-12-${date}`;
const heading = (date: number) =>
  new Date(`${december(date)}T12:00:00Z`).toLocaleDateString("en-US", {
    weekday: "long",
    month: "long",
    day: "numeric",
  });

test("a stay over Christmas is asked for, moved and cancelled", async ({
  page,
  server,
  sitter,
  office,
  anotherPhone,
}) => {
  const offering = { name: "Overnight Stay", base_price: 75, pricing_type: "daily", stay_unit: "nights" };
  await office.call("POST", "/sitter-services", { ...offering, category: "Overnight Care" });
  const client = await office.addClient("Sam Reyes", "Rex");
  const { link } = await office.call<{ link: string }>("POST", `/clients/${client.id}/invite`, {});
  const { page: theirs } = await anotherPhone();
  const portal = await (await InvitationPage.open(theirs, link)).signUp(PARENT, server);

  await test.step("asked for, for three nights", async () => {
    await portal.goTo("Request");
    await theirs.getByLabel("What").selectOption({ label: "Overnight Stay, $75.00 per night" });
    await portal.tick("Rex");
    await theirs.getByLabel("First day").fill(december(24));
    await theirs.getByLabel("Last day").fill(december(27));
    await theirs.getByLabel("Arrival").selectOption("4:00 PM");
    await theirs.getByLabel(/^Departure/).selectOption("10:00 AM");
    await expect(theirs.getByRole("region", { name: "Price" })).toContainText("$225.00");
    await isAccessible(theirs, "portal, a stay is asked for");
    await theirs.getByRole("button", { name: "Request", exact: true }).click();
    await portal.says(/saved\. |^Sent to /);
    await expect(portal.request(new RegExp(heading(24)))).toContainText("Pending");
    await portal.hasSentEverything();
  });

  await signedIn(page, sitter);
  const requests = await RequestsPage.open(page);
  const card = requests.card("Sam Reyes");
  await test.step("approved on the sitter's phone", async () => {
    await expect(card).toContainText("Overnight Stay, 3 nights");
    await expect(card).toContainText("$225.00");
    await requests.approve(card);
    await requests.hasSentEverything();
  });

  const stay = theirs.getByRole("main");
  await test.step("both have the days, and another time of a stay is asked for in a message", async () => {
    await theirs.getByRole("link", { name: new RegExp(heading(24)) }).click();
    await portal.isTitled(heading(24));
    await expect(stay).toContainText("3 nights");
    await expect(stay.getByRole("status")).toHaveText("Scheduled");
    await expect(theirs.getByRole("button", { name: "Request another time" })).toHaveCount(0);
    await expect(theirs.getByText("For other days, write Robin Sitter a message.")).toBeVisible();
    await theirs.getByRole("button", { name: "Message about this visit" }).click();
    const messages = new MessagesPage(theirs);
    await expect(messages.composer).toHaveValue(new RegExp(`^About the visit on ${heading(24)}`));
    await messages.send("Could Rex come a day later, and stay until the 28th?");
    await theirs.getByRole("button", { name: "Back to conversations" }).click();
    await portal.hasSentEverything();
  });

  await test.step("moved by a day, as long as it was", async () => {
    await requests.goTo("Messages");
    const messages = new MessagesPage(page);
    await messages.conversation("Sam Reyes").click();
    await expect(messages.message("Could Rex come a day later")).toBeVisible();
    await RequestsPage.open(page);
    await requests.choose("Approved");
    await card.getByRole("link", { name: "Open the service" }).click();
    const form = await (await ServiceDetails.shown(page)).edit();
    await form.dialog.getByLabel("First day").fill(december(25));
    await expect(form.dialog.getByLabel("Last day")).toHaveValue(december(28));
    await (await form.save()).hasSentEverything();
    await portal.goTo("Visits");
    await theirs.getByRole("link", { name: new RegExp(heading(25)) }).click();
    await portal.isTitled(heading(25));
    await expect(stay).toContainText("$225.00");
  });

  await test.step("cancelled with a reason that its client reads", async () => {
    await SchedulePage.open(page, `?date=${december(25)}`);
    await page.getByRole("button", { name: /Rex/ }).first().click();
    const details = await ServiceDetails.shown(page);
    await details.dialog.getByRole("button", { name: "Cancel Service" }).click();
    const question = page.getByRole("dialog", { name: "Are you sure you want to cancel this scheduled service?" });
    await question.getByLabel(/^Reason/).fill("I have the flu");
    await question.getByRole("switch", { name: "Show the reason to the client" }).click({ force: true });
    await question.getByRole("button", { name: "Cancel Service" }).click();
    await details.says("Service cancelled successfully");
    await details.hasSentEverything();
    await expect(stay.getByRole("status")).toHaveText("Cancelled");
    await expect(stay.getByText(/I have the flu/)).toBeVisible();
    await isAccessible(theirs, "portal, a stay that is cancelled");
    await portal.goTo("Visits");
    await portal.isTitled("Robin Sitter");
    await expect(stay.getByText(/I have the flu/)).toBeVisible();
    await expect(stay.getByRole("link", { name: "Request another time" })).toBeVisible();
  });
});

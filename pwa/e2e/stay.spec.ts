/** A stay over Christmas, between a pet parent and a sitter with a phone each: asked for, approved, moved, cancelled. */
import { signedIn } from "./pages/auth";
import { InvitationPage } from "./pages/portal";
import { RequestsPage } from "./pages/requests";
import { SchedulePage, ServiceDetails } from "./pages/schedule";
import type { SignIn } from "./support/api";
import { isAccessible } from "./support/axe";
import { day } from "./support/day";
import { fits } from "./support/fitting";
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
    await theirs.getByLabel("What").selectOption({ label: "Overnight Stay: $75.00 per night" });
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
  await test.step("both have the days, and other days are asked for with what they come to", async () => {
    await theirs.getByRole("link", { name: new RegExp(heading(24)) }).click();
    await portal.isTitled(heading(24));
    await expect(stay).toContainText("3 nights");
    await expect(stay.getByRole("status")).toHaveText("Scheduled");
    await theirs.getByRole("button", { name: "Request other days" }).click();
    await portal.dialog.getByLabel("First day").fill(december(25));
    await portal.dialog.getByLabel("Last day").fill(december(29));
    await expect(portal.dialog.getByRole("region", { name: "Price" })).toContainText("$300.00");
    await portal.dialog.getByLabel(/^Message/).fill("Could Rex come a day later?");
    await fits(theirs, "portal, other days of a stay are asked for");
    await portal.dialog.getByRole("button", { name: "Request", exact: true }).click();
    await portal.says(/saved\. |^Sent to /);
    await expect(stay.getByText(/^Move to /)).toBeVisible();
    await portal.isTitled(heading(24));
    await portal.hasSentEverything();
  });

  await test.step("the sitter reads the days and the prices of both, and agrees", async () => {
    await RequestsPage.open(page);
    await requests.choose("Pending");
    await expect(card).toContainText(`Move to ${heading(25)}`);
    await expect(card).toContainText(`Now ${heading(24)}`);
    await expect(card).toContainText("$300.00");
    await expect(card).toContainText("instead of $225.00");
    await expect(card).toContainText("It will cost $300.00 instead of $225.00.");
    await fits(page, "a stay that is to move");
    await card.getByRole("button", { name: "Approve" }).click();
    await requests.says(/^Request approved\. The stay from Dec 24 to Dec 27 is moved to Dec 25 to Dec 29\./);
    await requests.hasSentEverything();
    await portal.isTitled(heading(25));
    await expect(stay).toContainText("4 nights");
    await expect(stay).toContainText("$300.00");
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

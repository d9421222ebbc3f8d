/** The live map: a pet parent at work sees the walk while the sitter shows it, and nothing before or after. */
import { signedIn } from "./pages/auth";
import { InvitationPage } from "./pages/portal";
import { ActiveWalkPage } from "./pages/walk";
import type { SignIn } from "./support/api";
import { day } from "./support/day";
import { fits } from "./support/fitting";
import { stand } from "./support/positions";
import { expect, test } from "./support/test";

const PARENT: SignIn = { name: "Sam Reyes", email: "sam@example.com", password: "six brave otters" };
const HELSINKI = { lat: 60.17, lon: 24.94 };

test("a pet parent sees where the dog is while the sitter shows it, and no longer @postgres", async ({
  page,
  server,
  sitter,
  office,
  anotherPhone,
}) => {
  const client = await office.addClient("Sam Reyes", "Rex");
  await office.schedule(client, day(), "14:00");
  const { link } = await office.call<{ link: string }>("POST", `/clients/${client.id}/invite`, {});
  const { page: theirs } = await anotherPhone();
  await (await InvitationPage.open(theirs, link)).signUp(PARENT, server);
  await expect(theirs.getByText("$25.00")).toBeVisible();

  await stand(page.context(), HELSINKI);
  const schedule = await signedIn(page, sitter);
  await (await schedule.open("Rex")).startWalk();
  const walk = await ActiveWalkPage.shown(page);
  const map = theirs.getByRole("region", { name: "Live map" });
  await expect(map).toHaveCount(0);

  await page.getByRole("button", { name: "Show the live map" }).click();
  const question = page.getByRole("dialog", { name: "Show the live map?" });
  await expect(question).toContainText("Sam Reyes sees where you walk, until this walk ends.");
  await fits(page, "the question before a live map");
  await question.getByRole("button", { name: "Show map" }).click();
  await page.evaluate(({ lat, lon }) => window.walkTo(lat + 0.00002, lon), HELSINKI);
  await expect(page.getByText("Sam Reyes sees where you walk")).toBeVisible();
  await fits(page, "walk, with the live map on");

  await theirs.reload();
  await expect(map).toContainText("Live map, as of just now");
  await expect(map.locator(".walk-here")).toBeVisible();
  await fits(theirs, "portal, a live map");
  await theirs.getByRole("link", { name: /^Today/ }).click();
  await expect(map).toBeVisible();

  await page.getByRole("button", { name: "Stop the live map" }).click();
  await expect(page.getByRole("button", { name: "Show the live map" })).toBeVisible();
  await theirs.goto("/client");
  await expect(theirs.getByText("$25.00")).toBeVisible();
  await expect(map).toHaveCount(0);
  await walk.end();
});

/** Running late on a phone with no network: the client reads it once the phone is back, and nobody hears it twice. */
import { signedIn } from "./pages/auth";
import { InvitationPage } from "./pages/portal";
import { type SignIn, somebody } from "./support/api";
import { isAccessible } from "./support/axe";
import { day } from "./support/day";
import { expect, test } from "./support/test";

const PARENT: SignIn = { ...somebody(), name: "Dana Reyes", email: "dana.late@example.com" };

test("clients of the visits that follow are told of the new times when the network is back", async ({
  page,
  network,
  server,
  sitter,
  office,
  anotherPhone,
}) => {
  const dana = await office.addClient("Dana Reyes", "Luna");
  const kim = await office.addClient("Kim Lee", "Rex");
  const { link } = await office.call<{ link: string }>("POST", `/clients/${dana.id}/invite`, {});
  const { page: theirs } = await anotherPhone();
  await (await InvitationPage.open(theirs, link)).signUp(PARENT, server);
  const first = await office.schedule(dana, day(), "14:00");
  await office.schedule(kim, day(), "15:00");
  const schedule = await signedIn(page, sitter);
  await schedule.showDay();
  await expect(schedule.visit("Luna")).toContainText("2:00 PM");

  await network.cut();
  await page.getByRole("button", { name: "Running late" }).click();
  await expect(schedule.dialog.getByRole("textbox", { name: "Dana Reyes" })).toHaveValue(
    "Luna's visit is about 20 minutes later today, around 2:20 PM.",
  );
  await expect(schedule.dialog).toContainText("This waits on this device until it can be sent.");
  await isAccessible(page, "running late");
  await schedule.dialog.getByRole("textbox", { name: "Kim Lee" }).fill("Rex has to wait a bit today.");
  await schedule.dialog.getByRole("button", { name: "Tell 1 client" }).click();
  await schedule.says("1 client is told if this can be sent in time. 1 text waits on To send");
  await expect(schedule.visit("Luna")).toContainText("2:20 PM");
  expect(await office.call("GET", `/scheduled-services/${first.id}`)).toMatchObject({ start_time: "14:00" });

  await network.heal();
  await schedule.hasSentEverything();
  await expect.poll(() => office.call("GET", `/scheduled-services/${first.id}`)).toMatchObject({ start_time: "14:20" });
  const messages = await office.call<{ content: string }[]>("GET", `/conversations/${dana.id}/messages`);
  expect(messages.map((it) => it.content)).toEqual(["Luna's visit is about 20 minutes later today, around 2:20 PM."]);
  await theirs.reload();
  await expect(theirs.getByRole("link", { name: /2:20 PM/ }).first()).toBeVisible();

  await schedule.goTo("To send");
  await expect(page.getByRole("article").filter({ hasText: "Kim Lee" })).toContainText("Rex has to wait a bit today.");
});

test("a program tells of a delay by the API, and takes it back @full", async ({ page, sitter, office }) => {
  const dana = await office.addClient("Dana Reyes", "Luna");
  const { id } = await office.schedule(dana, day(), "14:00");
  const schedule = await signedIn(page, sitter);
  await schedule.showDay();
  const delayed = [{ id, planned: "14:00", start_time: "14:30" }];
  await office.call("POST", "/scheduled-services/delays", { date: day(), delayed, told: [], moves_plan: true });
  await expect(schedule.visit("Luna")).toContainText("2:30 PM");
  await office.call("POST", "/scheduled-services/delays/take-back", { delayed, messages: [] });
  await expect(schedule.visit("Luna")).toContainText("2:00 PM");
});

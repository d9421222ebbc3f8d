/** A drop-in with no network whose browser is killed in the middle: nothing of it is lost, and its report is shared. */
import { resolve } from "node:path";
import { signedIn } from "./pages/auth";
import { PastWalkPage, ReportPage } from "./pages/report";
import { ActiveVisitPage } from "./pages/visit";
import { isAccessible } from "./support/axe";
import { day } from "./support/day";
import { test } from "./support/install";
import { expect } from "./support/test";

const PHOTO = resolve(import.meta.dirname, "../../manifest/icon-512.png");

test("a drop-in is recorded without a network and over a kill, and its report is shared", async ({
  install,
  network,
  sitter,
  office,
  anotherPhone,
}) => {
  await office.call("PUT", "/sitters/profile", { business_name: "Mara's Visits" });
  const visit = await office.schedule(await office.addClient("Kim Waters", "Miso"), day(), "11:00", {
    service_type: "dropin",
  });

  const before = await install.start();
  const schedule = await signedIn(before, sitter);
  await test.step("check-in, a photo and events, with no network", async () => {
    await before.evaluate(async () => navigator.serviceWorker.ready.then(() => undefined));
    await network.cut();
    await (await schedule.open("Miso")).checkIn();
    const active = await ActiveVisitPage.shown(before);
    await active.isWith("Miso");
    await isAccessible(before, "visit");
    await active.takePhoto(PHOTO);
    await active.log("Fed");
    await active.log("Litter");
  });
  await install.kill();

  const page = await install.start();
  await test.step("it goes on with all that was noted", async () => {
    await page.goto("/walk");
    const active = await ActiveVisitPage.shown(page);
    await active.lastSays("Litter");
    await active.log("Medication");
    const finish = await active.checkOut();
    await finish.notes.fill("Miso purred.");
    await page.getByLabel("Only for you").fill("Buy more litter");
    await finish.sendReport("Kim Waters");
    await expect(page.getByLabel("Show the map")).toHaveCount(0);
    await page.getByRole("button", { name: "Complete and share report" }).click();
    await page.waitForURL(({ pathname }) => pathname !== "/walk");
  });

  await test.step("it goes out when the network is back", async () => {
    await network.heal();
    await page.clock.runFor(60_000);
    await page.goto("/walks");
    await page.getByRole("link", { name: "Miso" }).first().click();
    await expect(new PastWalkPage(page).states).toHaveText(["Shared"]);
  });
  const path = await new PastWalkPage(page).pathFor("Miso");
  const { page: parent } = await anotherPhone();
  const report = await ReportPage.open(parent, path);
  await report.isTitled("A visit with Miso");
  for (const said of ["Fed", "Litter", "Medication", "Miso purred."]) await expect(report.words).toContainText(said);
  await expect(report.words).not.toContainText("Buy more litter");
  await expect(report.words).not.toContainText(/\d mi\b/);
  await report.hasPhotos(1);

  const done = (await office.services()).find((it) => it.id === visit.id);
  expect(done).toMatchObject({
    status: "completed",
    completion_notes: "Miso purred.",
    internal_notes: "Buy more litter",
  });
});

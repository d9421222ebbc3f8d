/** A day of drop-ins with no network for a client who is not in the app: what is late is said, and the report is mailed. */
import { resolve } from "node:path";
import { signedIn } from "./pages/auth";
import { ReportPage } from "./pages/report";
import { ActiveVisitPage } from "./pages/visit";
import { day } from "./support/day";
import { mailed } from "./support/mailed";
import { wordsOf } from "./support/mailServer";
import { expect } from "./support/test";

const PHOTO = resolve(import.meta.dirname, "../../manifest/icon-512.png");

mailed(
  "drop-ins are recorded with no network, one is overdue, and the report reaches a client by mail @full",
  async ({ page, network, sitter, office, mails, anotherPhone }) => {
    await office.call("PUT", "/sitters/profile", { business_name: "Mara's Visits" });
    const [kim, dana] = [await office.addClient("Kim Waters", "Miso"), await office.addClient("Dana Reyes", "Luna")];
    await office.call("PUT", `/clients/${kim.id}`, { email: "kim.waters@example.com" });
    const dropIn = { service_type: "dropin" } as const;
    await office.schedule(dana, day(), "06:00", dropIn);
    const visit = await office.schedule(kim, day(), "12:00", dropIn);
    const schedule = await signedIn(page, sitter);
    await schedule.showDay();

    await network.cut();
    await expect(page.getByRole("region", { name: "Overdue today" })).toContainText("Luna");
    await (await schedule.open("Miso")).checkIn();
    const active = await ActiveVisitPage.shown(page);
    await active.takePhoto(PHOTO);
    await active.log("Fed");
    const finish = await active.checkOut();
    await finish.notes.fill("Miso purred.");
    await finish.sendReport("Kim Waters");
    await expect(
      page.getByText(/Kim Waters is not in the portal: a mail goes to kim.waters@example.com/),
    ).toBeVisible();
    await page.getByRole("button", { name: "Complete and share report" }).click();
    await page.waitForURL(({ pathname }) => pathname !== "/walk");
    expect(mails.messages).toEqual([]);

    await network.heal();
    await expect.poll(() => mails.messages.length).toBe(1);
    const words = wordsOf(mails.messages[0] ?? "");
    expect(words).toContain("To: kim.waters@example.com");
    expect(words).toContain("Here is the report of the visit with Miso from Mara's Visits.");
    const path = /https?:\/\/[^/\s]+(\/report\/[^\s<"]+)/.exec(words)?.[1] ?? "";
    await schedule.hasSentEverything();
    await schedule.open("Miso");
    await expect(schedule.dialog).toContainText(/Mailed to kim.waters@example.com/);
    await expect(schedule.dialog).not.toContainText(/Opened on/);

    const { page: theirs } = await anotherPhone();
    const report = await ReportPage.open(theirs, path);
    await report.isTitled("A visit with Miso");
    await expect(report.words).toContainText("Miso purred.");
    await report.hasPhotos(1);
    await expect(schedule.dialog).toContainText(/Opened on/);
    expect((await office.services()).find((it) => it.id === visit.id)).toMatchObject({ status: "completed" });
  },
);

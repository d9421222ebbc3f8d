/** One's own data: out of the server as one archive, gone with a word, and in again. */
import { statSync } from "node:fs";
import { signedIn } from "./pages/auth";
import { isAccessible } from "./support/axe";
import { day } from "./support/day";
import { fits } from "./support/fitting";
import { expect, test } from "./support/test";

test("a business goes out as an archive, is cleared, and comes in again from it", async ({ page, sitter, office }) => {
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "21:00");
  // With a chooser of files the browser would ask where to.
  await page.addInitScript(() => Reflect.deleteProperty(window, "showSaveFilePicker"));
  const schedule = await signedIn(page, sitter);
  await expect(schedule.visit("Rex")).toBeVisible();
  const archive = await test.step("everything is saved as one file", async () => {
    await page.goto("/profile#profile-data");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export everything" }).click();
    const saved = await (await download).path();
    expect(statSync(saved).size).toBeGreaterThan(1_000);
    return saved;
  });
  await test.step("the business is cleared, here and on the server", async () => {
    await page.getByRole("button", { name: "Clear my business" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel("Your password")).toBeVisible();
    await isAccessible(page, "clearing");
    await fits(page, "clearing");
    await dialog.getByLabel("Your password").fill(sitter.password);
    await dialog.getByLabel("Type CLEAR").fill("CLEAR");
    await dialog.getByRole("button", { name: "Clear my business" }).click();
    await expect(page.getByText(/Your business was cleared\. You can undo this until /)).toBeVisible();
    expect(await office.call("GET", "/clients")).toEqual([]);
  });
  await test.step("the archive comes into it", async () => {
    await page.getByLabel("Archive", { exact: true }).setInputFiles(archive);
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel("Your password")).toBeVisible();
    await isAccessible(page, "a cleared business, and an archive that was chosen");
    await dialog.getByLabel("Your password").fill(sitter.password);
    await dialog.getByRole("button", { name: "Send" }).click();
    await expect(dialog.getByText("This is in the archive:")).toBeVisible();
    await isAccessible(page, "an archive that may be imported");
    await fits(page, "an archive that may be imported");
    // What was sent waits on the profile.
    await dialog.getByRole("button", { name: "Later" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("This is in the archive:")).toBeVisible();
    await isAccessible(page, "an archive that waits");
    await fits(page, "an archive that waits");
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await expect(page.getByText("The archive is imported.")).toBeVisible();
    await isAccessible(page, "an archive that was imported");
    await page.getByRole("button", { name: "Done" }).click();
    await expect(page.getByText("The archive is imported.")).toHaveCount(0);
  });
  await page.goto("/scheduling");
  await expect(schedule.visit("Rex")).toBeVisible();
});

test("a cleared business is brought back", async ({ page, sitter, office }) => {
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "21:00");
  await office.call("POST", "/clear", { password: sitter.password, word: "CLEAR" });
  const schedule = await signedIn(page, sitter);
  await page.goto("/profile#profile-data");
  await page.getByRole("button", { name: "Bring it back" }).click();
  await expect(page.getByText(/Your business was cleared/)).toHaveCount(0);
  await page.goto("/scheduling");
  await expect(schedule.visit("Rex")).toBeVisible();
});

test.describe("on a journey", () => {
  // At any time it is another day in one of them.
  const away = ["Pacific/Kiritimati", "Pacific/Niue"].find(
    (timeZone) => new Date().toLocaleDateString("sv-SE", { timeZone }) !== day(),
  );
  test.use({ timezoneId: away });

  test("a file is named by the business's day and not by the phone's", async ({ page, sitter }) => {
    await signedIn(page, sitter);
    await page.goto("/profile#profile-data");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: /Export this/ }).click();
    expect((await download).suggestedFilename()).toBe(`walkies-phone-${day()}.zip`);
  });
});

test("what is on the phone goes out without a network @full", async ({ page, sitter, office }) => {
  await office.addClient("Dana Reyes", "Rex");
  await signedIn(page, sitter);
  await page.goto("/profile#profile-data");
  await page.context().setOffline(true);
  await expect(page.getByRole("button", { name: "Export everything" })).toBeDisabled();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: /Export this/ }).click();
  expect((await download).suggestedFilename()).toMatch(/^walkies-phone-.*\.zip$/);
  await page.context().setOffline(false);
});

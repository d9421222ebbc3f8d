/** One walk at a time, with its name on it: another start asks, and nothing starts by itself. */
import type { Locator, Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { SchedulePage } from "./pages/schedule";
import { ActiveWalkPage, FinishWalkPage } from "./pages/walk";
import type { Api, SignIn } from "./support/api";
import { day } from "./support/day";
import { stand } from "./support/positions";
import { expect, test } from "./support/test";

const HELSINKI = { lat: 60.17, lon: 24.94 };

/** Misse is Dana's, Taika is Kim's, and Misse's walk runs. */
async function onWalkWithMisse(
  page: Page,
  office: Api,
  sitter: SignIn,
): Promise<{ walk: ActiveWalkPage; taika: string }> {
  await office.schedule(await office.addClient("Dana Reyes", "Misse"), day(), "12:00");
  const taika = await office.schedule(await office.addClient("Kim Ito", "Taika"), day(), "13:00");
  await stand(page.context(), HELSINKI);
  const schedule = await signedIn(page, sitter);
  await (await schedule.open("Misse")).startWalk();
  const walk = await ActiveWalkPage.shown(page);
  await walk.isWith("Misse", "Dana Reyes");
  return { walk, taika: taika.id };
}

const question = (page: Page): Locator => page.getByRole("dialog", { name: "A walk is running" });

async function startTaika(page: Page): Promise<void> {
  await page.getByRole("button", { name: "To the schedule; the walk goes on" }).click();
  const schedule = await SchedulePage.shown(page);
  await (await schedule.open("Taika")).startWalk();
  await expect(question(page)).toContainText("Misse (Dana Reyes)");
  await expect(question(page)).toContainText("Taika (Kim Ito)");
}

test("another walk is not begun while one goes on, and not by itself when that is kept", async ({
  page,
  sitter,
  office,
}) => {
  const { walk } = await onWalkWithMisse(page, office, sitter);
  await startTaika(page);
  await question(page).getByRole("button", { name: "Back" }).click();
  const details = page.getByRole("dialog", { name: "Service Details" });
  await expect(details).toContainText("Taika");
  await details.getByRole("link", { name: "Start walk" }).click();

  await question(page).getByRole("button", { name: "End this walk" }).click();
  const finish = new FinishWalkPage(page);
  await finish.isTitled("Walk completed!");
  await expect(page.getByText("Misse (Dana Reyes)")).toBeVisible();
  await expect(page.getByText("Then comes the walk with Taika (Kim Ito).")).toBeVisible();
  await finish.completeService();

  await expect(page.getByRole("heading", { name: "Start the walk with Taika?" })).toBeVisible();
  // Nor does one that is loaded again, or that one comes back to.
  await page.reload();
  await expect(page.getByRole("heading", { name: "Start the walk with Taika?" })).toBeVisible();
  await page.goto("/walks");
  await expect(page.getByRole("link", { name: "Misse" })).toBeVisible();
  await expect(page.getByText("Dana Reyes")).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Start walk" }).click();
  await ActiveWalkPage.shown(page);
  await walk.isWith("Taika", "Kim Ito");
});

test("two visits that are walked together are completed together @full", async ({ page, sitter, office }) => {
  const { walk } = await onWalkWithMisse(page, office, sitter);
  await walk.note("Misse limps");
  await startTaika(page);
  await question(page).getByRole("button", { name: "Walk both" }).click();
  await walk.says("Taika came along");
  await walk.isWith("Misse and Taika", "Dana Reyes and Kim Ito");
  await walk.log("Potty");

  await walk.end();
  await page.getByRole("button", { name: "Different words for each" }).click();
  const notes = (dog: string) => page.getByLabel(`Service notes for ${dog}`);
  for (const dog of ["Misse", "Taika"]) {
    await page.getByRole("button", { name: `Add times and distance for ${dog}` }).click();
    await expect(notes(dog)).toHaveValue(/Potty/);
  }
  // It was noted before Taika came along.
  await expect(notes("Misse")).toHaveValue(/limps/);
  await expect(notes("Taika")).not.toHaveValue(/limps/);
  await notes("Misse").fill("Misse was brave");
  await page.getByRole("button", { name: "Complete both services" }).click();
  await page.waitForURL(({ pathname }) => pathname !== "/walk");
  await expect
    .poll(async () => (await office.services()).map((it) => [it.status, it.completion_notes?.includes("Misse")]))
    .toEqual([
      ["completed", true],
      ["completed", false],
    ]);
});

test("the schedule says which visit is on a walk, in every view and tab, and leads back @full", async ({
  page,
  sitter,
  office,
}) => {
  const { walk, taika } = await onWalkWithMisse(page, office, sitter);
  await page.getByRole("button", { name: "To the schedule; the walk goes on" }).click();
  const schedule = await SchedulePage.shown(page);
  const running = /Walk running since \d+:\d\d (AM|PM)/;
  await expect(schedule.visit("Misse")).toContainText(running);
  await expect(schedule.visit("Taika")).not.toContainText(running);
  await schedule.showView("List");
  await expect(page.getByRole("button").filter({ hasText: "Misse" })).toContainText(running);
  await schedule.showView("Calendar");
  await schedule.showDay();
  const card = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Back to the walk" }) });
  await expect(card).toContainText(running);
  await expect(card).toContainText("Misse");
  await card.getByRole("link", { name: "Back to the walk" }).click();
  await walk.isWith("Misse", "Dana Reyes");

  // Another tab neither takes it for a walk that was interrupted, nor begins a second one.
  const other = await page.context().newPage();
  await other.goto("/scheduling?view=calendar");
  await expect(other.getByText("with Misse (Dana Reyes) is running in another tab.")).toBeVisible();
  await other.goto(`/walk?service=${taika}`);
  await expect(other.getByText("Another tab is tracking this walk. Close it, or continue there.")).toBeVisible();
  await page.close();
  // The browser takes the walk from a tab in its own time after that is gone.
  await expect.poll(() => other.evaluate(isWalkTracked)).toBe(false);
  await other.getByRole("button", { name: "Resume here" }).click();
  await expect(other.getByRole("button", { name: "Hold to end" })).toBeVisible();
});

test("a walk that was ended waits for its last words, also after the app was closed", async ({
  page,
  sitter,
  office,
}) => {
  const { walk } = await onWalkWithMisse(page, office, sitter);
  await walk.end();
  await page.goto("/scheduling");
  await expect(page.getByText("with Misse (Dana Reyes) has ended and is not finished yet.")).toBeVisible();
  await expect((await SchedulePage.shown(page)).visit("Misse")).toContainText("Walk not finished");
  await page.getByRole("link", { name: "Finish it" }).click();
  const finish = new FinishWalkPage(page);
  await finish.isTitled("Walk completed!");
  await finish.completeService();
  await expect.poll(async () => (await office.services())[0]?.status).toBe("completed");
});

/** True if any tab tracks a walk, judged by the Web Locks that the browser lists. */
async function isWalkTracked(): Promise<boolean> {
  const { held } = await navigator.locks.query();
  return held?.some((it) => it.name?.startsWith("walkies-walk-")) ?? false;
}

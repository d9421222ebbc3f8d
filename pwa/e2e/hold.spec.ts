/** Buttons that are held: what comes under the finger is not pressed by it, and who only taps is told to hold. */
import type { Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { ActiveWalkPage } from "./pages/walk";
import type { Api } from "./support/api";
import { day } from "./support/day";
import { Finger } from "./support/finger";
import { stand, stopClock } from "./support/positions";
import { expect, test } from "./support/test";

/** Longer than any button has to be held. */
const HELD_MS = 1_500;

/** A key that is held goes down again and again. */
const REPEATS = [1, 2, 3];

const HELSINKI = { lat: 60.17, lon: 24.94 };

/** On a walk, on a phone whose clock stands still: a hold is as long as the test says, however slow the machine. */
async function onWalk(page: Page, office: Api, sitter: Parameters<typeof signedIn>[1]): Promise<ActiveWalkPage> {
  await office.schedule(await office.addClient("Dana Reyes", "Rex"), day(), "12:00");
  await page.clock.install();
  await stand(page.context(), HELSINKI);
  const schedule = await signedIn(page, sitter);
  await (await schedule.open("Rex")).startWalk();
  const walk = await ActiveWalkPage.shown(page);
  await stopClock(page);
  return walk;
}

interface Press {
  down: (name: string) => Promise<void>;
  up: () => Promise<void>;
}

const ways: Record<string, (page: Page) => Promise<Press>> = {
  finger: async (page) => {
    const finger = await Finger.of(page);
    return {
      down: async (name) => void (await finger.down(page.getByRole("button", { name }))),
      up: () => finger.up(),
    };
  },
  mouse: async (page) => ({
    down: async (name) => {
      await page.getByRole("button", { name }).hover();
      await page.mouse.down();
    },
    up: () => page.mouse.up(),
  }),
  pen: async (page) => {
    const cdp = await page.context().newCDPSession(page);
    const send = async (type: "mousePressed" | "mouseReleased", place: { x: number; y: number }) =>
      cdp.send("Input.dispatchMouseEvent", { type, ...place, button: "left", clickCount: 1, pointerType: "pen" });
    let place = { x: 0, y: 0 };
    return {
      down: async (name) => {
        const box = await page.getByRole("button", { name }).boundingBox();
        if (!box) throw new Error(`${name} is not there`);
        place = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        await send("mousePressed", place);
      },
      up: async () => {
        await send("mouseReleased", place);
      },
    };
  },
  ...Object.fromEntries(
    ["Enter", "Space"].map((key) => [
      key,
      async (page: Page) => ({
        down: async (name: string) => {
          await page.getByRole("button", { name }).focus();
          for (const _ of REPEATS) await page.keyboard.down(key);
        },
        // On what has the focus by then, too.
        up: async () => {
          for (const _ of REPEATS) await page.keyboard.down(key);
          await page.keyboard.up(key);
        },
      }),
    ]),
  ),
};

for (const [way, pressOf] of Object.entries(ways)) {
  // One way by hand and one by key are tried each time.
  const lane = ["finger", "Enter"].includes(way) ? "" : " @full";
  test(`a walk is unlocked, an emergency called and the walk ended by ${way}, and nothing else is pressed${lane}`, async ({
    page,
    sitter,
    office,
  }) => {
    const walk = await onWalk(page, office, sitter);
    const press = await pressOf(page);
    const hold = async (name: string) => {
      await press.down(name);
      await page.clock.runFor(HELD_MS);
    };
    await walk.lastSays("Walk tracking started!");

    await page.getByRole("button", { name: "Dark screen for the pocket" }).click();
    await hold("Hold to unlock");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await press.up();
    await walk.lastSays("Walk tracking started!");
    await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);

    await hold("Hold for emergency");
    await expect(page.getByRole("alertdialog", { name: "Emergency" })).toBeVisible();
    await press.up();
    await expect(page.getByRole("alertdialog", { name: "Emergency" })).toBeVisible();
    await page.getByRole("button", { name: "Cancel Emergency" }).click();
    await page.getByRole("button", { name: "It was a slip" }).click();
    // Nothing of it stays.
    await walk.lastSays("Walk tracking started!");

    await hold("Hold to end");
    await expect(page.getByRole("heading", { name: "Walk completed!" })).toBeVisible();
    await press.up();
    await expect(page.getByRole("heading", { name: "Walk completed!" })).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
}

test("who only taps a button that wants to be held is told so @full", async ({ page, sitter, office }) => {
  const walk = await onWalk(page, office, sitter);
  const finger = await Finger.of(page);
  for (const name of ["Hold to end", "Hold for emergency"]) {
    const button = page.getByRole("button", { name });
    await finger.tap(button);
    await expect(button.getByText("Hold", { exact: true })).toBeVisible();
    await expect(button.locator("+ [aria-live]")).toHaveText("Hold");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.clock.runFor(5_000);
    await expect(button.locator("+ [aria-live]")).toBeEmpty();
  }
  await walk.lastSays("Walk tracking started!");
});

test("what comes under a finger that is down is not pressed when it lifts @full", async ({ page, sitter, office }) => {
  const walk = await onWalk(page, office, sitter);
  const finger = await Finger.of(page);
  await finger.down(page.getByRole("button", { name: "Potty" }));
  // As a notice does that comes at the wrong moment.
  await page.evaluate(() => {
    const notice = document.createElement("button");
    notice.textContent = "Undo nothing";
    notice.style.cssText = "position:fixed;inset:0;z-index:1000";
    notice.addEventListener("click", () => notice.append(", pressed"));
    document.body.append(notice);
  });
  await finger.up();
  const notice = page.getByRole("button", { name: "Undo nothing" });
  await expect(notice).toHaveText("Undo nothing");
  await finger.tap(notice);
  await expect(notice).toHaveText("Undo nothing, pressed");
  await notice.evaluate((it) => it.remove());
  await walk.lastSays("Walk tracking started!");
});

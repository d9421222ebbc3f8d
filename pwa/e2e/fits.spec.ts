/** What fits on a screen: nothing scrolls on into blankness, and nothing sideways. */
import type { Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { DEMO, demoServer } from "./support/demo";
import type { Server } from "./support/server";
import { test as base, expect } from "./support/test";

const test = base.extend<{ server: Server }>({ server: demoServer });

const SIZES = [
  [390, 844],
  [320, 640],
  [844, 390],
  [1280, 800],
] as const;

/** Each with words that are there when it is. */
const SCREENS = [
  ["/scheduling?days=five_days", "Kerttu"],
  ["/scheduling?days=day", "Kerttu"],
  ["/scheduling?days=week", "Kerttu"],
  ["/scheduling?view=list", "Kerttu"],
  ["/scheduling?view=availability", "Add Pattern"],
  ["/scheduling?new=1", "Schedule Service"],
  ["/clients", "Aino Virtanen"],
  ["/clients?form=add", "Add Client"],
  ["/services", "30-Minute Walk"],
  ["/routes", "Generate Route"],
  ["/walks", "No walks yet"],
  ["/profile", "Helsinki Tails"],
  ["/attention", "Nothing needs"],
] as const;

/** Below the last that is seen there may be as much room as a bar has that lies above it. */
const ROOM = 96;

/** Boxes that can be scrolled past all that is seen in them, or sideways. */
function misfits(page: Page): Promise<string[]> {
  return page.evaluate((room) => {
    const isSeen = (it: Element) => {
      const { width, height } = it.getBoundingClientRect();
      return width > 1 && height > 1 && it.checkVisibility({ visibilityProperty: true });
    };
    const whole = document.documentElement;
    const scrolls = (it: Element) => it === whole || /auto|scroll/.test(getComputedStyle(it).overflow);
    /** What moves when `it` is scrolled: what is in a box in it that scrolls by itself does not. */
    const boxOf = (it: Element): Element => {
      const around = it.parentElement ?? whole;
      return scrolls(around) ? around : boxOf(around);
    };
    const bottoms = new Map<Element, number>();
    for (const it of document.body.querySelectorAll("*")) {
      if (!isSeen(it)) continue;
      const box = boxOf(it);
      const top = box === whole ? -scrollY : box.getBoundingClientRect().top - box.scrollTop;
      bottoms.set(box, Math.max(bottoms.get(box) ?? 0, it.getBoundingClientRect().bottom - top));
    }
    return [...bottoms].flatMap(([box, bottom]) => {
      const name = `${box.tagName.toLowerCase()} ${box.ariaLabel ?? box.className.slice(0, 60)}`;
      const isWide = box.scrollWidth > box.clientWidth;
      const isBlank = box.scrollHeight > Math.max(box.clientHeight, bottom) + room;
      return [
        ...(isWide ? [`${name}: ${box.scrollWidth} wide, in ${box.clientWidth}`] : []),
        ...(isBlank ? [`${name}: ${box.scrollHeight} high, ${Math.round(bottom)} of that seen`] : []),
      ];
    });
  }, ROOM);
}

for (const [width, height] of SIZES) {
  test(`every screen fits ${width} by ${height} pixels`, async ({ page }) => {
    await signedIn(page, DEMO);
    await page.setViewportSize({ width, height });
    const found: string[] = [];
    for (const [screen, words] of SCREENS) {
      await page.goto(screen);
      await expect(page.getByText(words).filter({ visible: true }).first()).toBeVisible();
      found.push(...(await misfits(page)).map((it) => `${screen}: ${it}`));
    }
    expect(found).toEqual([]);
  });
}

test("with letters twice as large every screen fits a phone", async ({ page }) => {
  await signedIn(page, DEMO);
  const found: string[] = [];
  for (const [screen, words] of SCREENS) {
    await page.goto(screen);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    await expect(page.getByText(words).filter({ visible: true }).first()).toBeVisible();
    found.push(...(await misfits(page)).map((it) => `${screen}: ${it}`));
  }
  expect(found).toEqual([]);
});

/** Owns asking axe whether everybody can use what is on the screen: WCAG 2.0 to 2.2, A and AA, light and dark. */
import type { Page } from "@playwright/test";
import axe from "axe-core";
import { expect } from "./test";

/** SPEC 9: the mobile breakpoint. */
const PHONE_WIDTH = 768;
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Notes what is wrong, and goes on: one run tells of all screens. Dark has the same screens in other colors, so there
 * colors alone are looked at; and colors do not depend on the size of the window.
 */
export async function isAccessible(page: Page, screen: string): Promise<void> {
  // Once for each document: to read half a megabyte of script takes longer than a look.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  await note(page, RULES, screen);
  if ((page.viewportSize()?.width ?? 0) > PHONE_WIDTH) return;
  await page.emulateMedia({ colorScheme: "dark" });
  // Colors move from the one to the other, if only for a moment.
  await page.evaluate(() => Promise.all(document.getAnimations().map((it) => it.finished.catch(() => undefined))));
  await note(page, ["color-contrast"], `${screen}, dark`);
  await page.emulateMedia({ colorScheme: "light" });
}

async function note(page: Page, runOnly: string[], screen: string): Promise<void> {
  const { violations } = await page.evaluate((options) => window.axe.run(options), {
    runOnly,
    resultTypes: ["violations" as const],
  });
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((it) => `${id}: ${it.html.slice(0, 200)} ${it.failureSummary?.split("\n").slice(1, 3).join(" ")}`),
  );
  expect.soft(found, screen).toEqual([]);
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}

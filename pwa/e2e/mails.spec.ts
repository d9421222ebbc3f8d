/**
 * Owns whether each kind of mail can be read: on a phone and in a window, light and dark. The mails are those that the server's
 * test `mails` composes; their pictures are in `target/mails/`, for people to look at.
 */
import { mkdir, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import axe from "axe-core";

interface Mail {
  kind: string;
  subject: string;
  text: string;
  html: string;
}

const FILE = resolve(import.meta.dirname, "files/mails.json");
const PICTURES = resolve(import.meta.dirname, "../../target/mails");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const WIDTHS = [390, 800];
/** A button in a mail is as high as a finger, in CSS pixels. */
const BUTTON = 44;
const LETTERS = 14;

const mails = async (): Promise<Mail[]> => JSON.parse(await readFile(FILE, "utf8")) as Mail[];

/** The words of a text without spaces, with only the label of a line that is a button. */
const wordsOf = (text: string): string =>
  text
    .split("\n")
    .map((line) => /^(.*): https?:\/\/\S+$/.exec(line)?.[1] ?? line)
    .join("")
    .replaceAll(/\s/g, "");

const linksOf = (text: string): string[] =>
  (text.match(/https?:\/\/\S+/g) ?? []).map((it) => it.replace(/[.,)]+$/, "")).toSorted();

/** Runs in the page: what is too small, or wider than the window. */
function misfits({ button, letters }: { button: number; letters: number }): string[] {
  const found: string[] = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`scrolls sideways, ${scrollWidth} in ${clientWidth}`);
  for (const it of document.body.querySelectorAll("*")) {
    const hasText = [...it.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    const size = Number.parseFloat(getComputedStyle(it).fontSize);
    if (hasText && size < letters) found.push(`letters of ${size} px: ${it.textContent?.slice(0, 40)}`);
  }
  for (const it of document.querySelectorAll("a.act")) {
    const { height } = it.getBoundingClientRect();
    if (height < button) found.push(`a button ${height} px high: ${it.textContent}`);
  }
  return found;
}

async function contrasts(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(
    (runOnly) => window.axe.run({ runOnly, resultTypes: ["violations"] }),
    RULES,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map((it) => `${id}: ${it.html.slice(0, 160)}`));
}

test("each mail is read well on a phone and in a window, light and dark, and says what its text says", async ({
  page,
}) => {
  await mkdir(PICTURES, { recursive: true });
  const all = await mails();
  expect(all.length).toBeGreaterThan(10);
  for (const { kind, subject, text, html } of all) {
    await page.setContent(html);
    await page.evaluate(axe.source);
    const shown = await page.locator("body").textContent();
    const links = await page.locator("a").evaluateAll((it) => it.map((link) => (link as HTMLAnchorElement).href));
    const order = await page.locator("main, footer").allTextContents();
    // The heading is the subject, or the line that says it.
    const hasHeading = wordsOf(text).startsWith(wordsOf(subject));
    expect.soft(wordsOf(order.join("")), kind).toBe((hasHeading ? "" : wordsOf(subject)) + wordsOf(text));
    expect.soft(links.toSorted(), kind).toEqual(linksOf(text));
    for (const amount of text.match(/\$[\d,.]+\d/g) ?? []) expect.soft(shown, kind).toContain(amount);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const seen = `${kind}, ${width} px, ${colorScheme}`;
        expect.soft(await page.evaluate(misfits, { button: BUTTON, letters: LETTERS }), seen).toEqual([]);
        expect.soft(await contrasts(page), seen).toEqual([]);
        const name = `${kind.replaceAll(/[^a-z]+/g, "-")}-${width}-${colorScheme}.png`;
        await page.screenshot({ path: resolve(PICTURES, name), fullPage: true });
      }
    }
  }
});

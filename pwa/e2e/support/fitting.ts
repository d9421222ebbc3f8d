/**
 * Owns the question whether what is on the screen fits every phone and every eye: small, large, on its side, with
 * letters twice as large, with the system's own colors. Nothing scrolls sideways or on into blankness, no text is cut
 * unless it says so by its dots, no word of ours is broken, all that is pressed is as large as a thumb.
 */
import type { Page } from "@playwright/test";
import { isAccessible } from "./axe";
import { expect } from "./test";

interface Eyes {
  name: string;
  width: number;
  height: number;
  /** In percent of the usual ones. */
  letters?: number;
  /** True for a size between two others: the fast lane leaves it out. */
  isBetween?: true;
}

const PHONE = { name: "a phone", width: 390, height: 844 };

/** A window of 1280 pixels at 400 % has 320. */
const ALL_EYES: readonly Eyes[] = [
  { name: "a desktop", width: 1280, height: 800 },
  { name: "a phone on its side", width: 844, height: 390, isBetween: true },
  { name: "a small phone on its side", width: 667, height: 375 },
  { name: "large letters", width: 390, height: 844, letters: 200, isBetween: true },
  { name: "at 400 %, with large letters", width: 320, height: 640, letters: 200 },
  { name: "at 400 %", width: 320, height: 640, isBetween: true },
  PHONE,
];

const EYES = ALL_EYES.filter((it) => process.env.WALKIES_LANE !== "fast" || !it.isBetween);

/** Below the last that is seen there may be as much room as a bar has that lies above it. */
const ROOM = 112;

/**
 * Looks at what is open now with all of them and by axe, and notes what does not fit: one run tells of all screens.
 * `theirs` is what was typed by those who write from right to left.
 */
export async function fits(page: Page, screen: string, theirs: readonly string[] = []): Promise<void> {
  expect.soft(await page.evaluate(mixed, theirs), `${screen}: from right to left`).toEqual([]);
  for (const { name, width, height, letters = 100 } of EYES) {
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, `${letters}%`);
    await page.setViewportSize({ width, height });
    expect.soft(await page.evaluate(lookAt, ROOM), `${screen}: ${name}`).toEqual([]);
  }
  await page.evaluate(noteGrounds);
  await page.emulateMedia({ forcedColors: "active" });
  expect.soft(await page.evaluate(unseen), `${screen}: with the system's own colors`).toEqual([]);
  await page.emulateMedia({ forcedColors: "none" });
  await isAccessible(page, screen);
}

/** Runs in the page. What moves for a moment, as what comes with another size, has so many frames to come to rest. */
async function lookAt(room: number): Promise<string[]> {
  const FRAMES = 40;
  /** Consecutive checks with the same findings after which the page counts as at rest. */
  const AT_REST = 5;
  /** A longer word is a person's own, or a street's. */
  const OUR_WORDS = 14;
  const THUMB = 47.5;
  const GRID = "[aria-label^='Calendar by the hour']";
  /** The seven days of a week share a phone's width. */
  const DAY = 40;

  const whole = document.documentElement;
  const nameOf = (it: Element): string => {
    const text = it.ariaLabel ?? it.textContent?.trim().replaceAll(/\s+/g, " ").slice(0, 40) ?? "";
    return `${it.tagName.toLowerCase()} '${text || it.getAttribute("class")?.slice(0, 60)}'`;
  };
  const isSeen = (it: Element): boolean => {
    const { width, height } = it.getBoundingClientRect();
    return width > 1 && height > 1 && it.checkVisibility({ visibilityProperty: true });
  };
  /** On a phone the page has so much more room below it while toasts lie above its foot. */
  const ofToasts = Number.parseFloat(getComputedStyle(document.body).paddingBottom);
  const scrolls = (it: Element) => it === whole || /auto|scroll/.test(getComputedStyle(it).overflow);

  /** Boxes that can be scrolled past all that is seen in them, or sideways. */
  const misfits = (): string[] => {
    const boxes = new Map<Element, Element>();
    /** Returns the nearest box around `it` that scrolls: that one moves it. Each is looked for once. */
    const boxOf = (it: Element): Element => {
      const around = it.parentElement ?? whole;
      const box = boxes.get(around) ?? (scrolls(around) ? around : boxOf(around));
      boxes.set(around, box);
      return box;
    };
    const bottoms = new Map<Element, number>();
    for (const it of document.body.querySelectorAll("*")) {
      if (!isSeen(it)) continue;
      const box = boxOf(it);
      const top = box === whole ? -scrollY : box.getBoundingClientRect().top - box.scrollTop;
      bottoms.set(box, Math.max(bottoms.get(box) ?? 0, it.getBoundingClientRect().bottom - top));
    }
    return [...bottoms].flatMap(([box, bottom]) => {
      // A row of tabs does so on purpose.
      const isWide = box.scrollWidth > box.clientWidth && !box.matches("[role=tablist]");
      const isBlank = box.scrollHeight > Math.max(box.clientHeight, bottom) + room + (box === whole ? ofToasts : 0);
      return [
        ...(isWide ? [`scrolls sideways, ${box.scrollWidth} in ${box.clientWidth}: ${nameOf(box)}`] : []),
        ...(isBlank ? [`scrolls into blankness, ${box.scrollHeight} of ${Math.round(bottom)}: ${nameOf(box)}`] : []),
      ];
    });
  };

  /** Returns the boxes that cut text on `it`; none where it ends in dots on purpose, or can be scrolled to. */
  const clipsOf = (it: Element): Element[] => {
    const clips: Element[] = [];
    for (let at: Element | null = it; at && at !== whole; at = at.parentElement) {
      const style = getComputedStyle(at);
      const isShort = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
      if (isShort || /auto|scroll/.test(style.overflow)) break;
      const isPaper = /paint|content|strict/.test(style.contain) || style.contentVisibility === "auto";
      if (isPaper || /hidden|clip/.test(style.overflow)) clips.push(at);
      if (style.position === "fixed") break;
    }
    return clips;
  };
  /** True if something around `it` clips or scrolls: text past that edge does not count as beside the window. */
  const isWithin = (it: Element): boolean => {
    for (let at: Element | null = it; at && at !== whole; at = at.parentElement) {
      if (getComputedStyle(at).overflow !== "visible") return true;
    }
    return false;
  };
  const isLost = (text: DOMRect, { left, right, top, bottom }: DOMRect): boolean => {
    // A line's box is higher than its letters.
    const slack = text.height / 5;
    const isPast = text.left < left - 1 || text.right > right + 1;
    return isPast || text.top < top - slack || text.bottom > bottom + slack;
  };
  const texts = (): string[] => {
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement: around, textContent } = node;
      const text = textContent ?? "";
      if (!around || text.trim() === "" || !isSeen(around) || around.closest("select, script, .leaflet-container")) {
        continue;
      }
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter((it) => it.width > 1);
      const boxes = clipsOf(around).map((it) => it.getBoundingClientRect());
      // What is not seen by anybody is a pixel wide.
      if (boxes.some((it) => it.width <= 1 || it.height <= 1)) continue;
      // A column of the calendar has room for the beginning of a name, and none for dots.
      const isOfGrid = around.closest(GRID) !== null;
      if (!isOfGrid && lines.some((line) => boxes.some((box) => isLost(line, box))))
        found.add(`is cut: ${nameOf(around)}`);
      const isBeside = lines.some((it) => it.right > whole.clientWidth + 1 || it.left < -1);
      if (isBeside && !isWithin(around)) found.add(`is beside the window: ${nameOf(around)}`);
      for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}'’]+/gu)) {
        if (word.length < 2 || word.length > OUR_WORDS) continue;
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const [first, ...rest] = range.getClientRects();
        const isBroken = first && rest.some((it) => Math.abs(it.top - first.top) > first.height / 2);
        // A person's is an address, or longer than any line.
        const [head] = /\S*$/.exec(text.slice(0, index)) ?? [""];
        const [tail] = /^\S*/.exec(text.slice(index)) ?? [""];
        const isName = around.closest("bdi") !== null;
        const isOurs = !isName && (head + tail).length <= OUR_WORDS && !/[@/]/.test(head + tail);
        if (isBroken && isOurs) found.add(`'${word}' is broken: ${nameOf(around)}`);
      }
    }
    return [...found];
  };

  const sizeOf = (it: Element): [width: number, height: number] => {
    const own = it.getBoundingClientRect();
    let [width, height] = [own.width, own.height];
    for (const part of ["::before", "::after"]) {
      const style = getComputedStyle(it, part);
      if (style.content === "none" || style.position !== "absolute") continue;
      width = Math.max(width, Number.parseFloat(style.width) || 0);
      height = Math.max(height, Number.parseFloat(style.height) || 0);
    }
    const label = it.closest("label");
    if (!label || label === it) return [width, height];
    const [wide, high] = sizeOf(label);
    return [Math.max(width, wide), Math.max(height, high)];
  };
  const smalls = (): string[] => {
    const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
    const all = top.querySelectorAll("a[href], button, input, select, textarea, summary");
    return [...all].flatMap((it) => {
      const size = isSeen(it) || it.closest("label") ? sizeOf(it) : [THUMB, THUMB];
      const [width = 0, height = 0] = size;
      // What stands in it is as large as it is long.
      const isOfGrid = it.closest(`${GRID}, .leaflet-container`);
      const isPart = it.matches(":disabled, [tabindex='-1']:not([role=tab])") || !it.checkVisibility();
      if (isOfGrid || isPart || it.matches("a[href='#content'], input.sr-only[type=file]")) return [];
      const least = it.closest("[aria-label='Days of the week']") ? DAY : THUMB;
      const isSmall = width < least || height < THUMB;
      return isSmall ? [`is ${Math.round(width)} by ${Math.round(height)}: ${nameOf(it)}`] : [];
    });
  };

  let found: string[] = [];
  let same = 0;
  for (let frame = 0; frame < FRAMES && same < AT_REST; frame += 1) {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const before = found.join();
    found = [...misfits(), ...texts(), ...smalls()];
    if (found.length === 0) break;
    same = found.join() === before ? same + 1 : 0;
  }
  return found;
}

/** Runs in the page: remembers what is known as a button by its ground or its edge. */
function noteGrounds(): void {
  const all = [...document.querySelectorAll<HTMLElement>("button, a[href]:not([href='#content'])")].filter((it) => {
    const { backgroundColor, boxShadow, borderTopWidth } = getComputedStyle(it);
    const isPlain = backgroundColor === "rgba(0, 0, 0, 0)" && boxShadow === "none" && borderTopWidth === "0px";
    return it.checkVisibility() && !isPlain;
  });
  Reflect.set(window, "known", all);
}

/** Runs in the page, with the system's own colors: what cannot be told from what is beside it. */
async function unseen(): Promise<string[]> {
  // Colors move from the one to the other, if only for a moment.
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  await Promise.all(document.getAnimations().map((it) => it.finished.catch(() => undefined)));
  const color = (it: Element) => getComputedStyle(it).backgroundColor;
  const nameOf = (it: Element) => `${it.tagName.toLowerCase()} '${it.ariaLabel ?? it.textContent?.slice(0, 40)}'`;
  const canvas = color(document.documentElement);
  const found: string[] = [];
  const isSeen = (it: Element) => it.checkVisibility() && it.getBoundingClientRect().width > 1;

  for (const it of document.querySelectorAll(
    "[aria-current]:not([aria-current=false]), [aria-selected=true], [aria-pressed=true], label:has(> input[type=radio]:checked)",
  )) {
    if (isSeen(it) && [canvas, "rgba(0, 0, 0, 0)"].includes(color(it)))
      found.push(`is not seen to be chosen: ${nameOf(it)}`);
  }
  for (const it of document.querySelectorAll<HTMLInputElement>("input[type=checkbox]")) {
    if (!isSeen(it)) continue;
    const hasEdge = getComputedStyle(it).borderTopWidth !== "0px";
    if (it.checked ? color(it) === canvas : !hasEdge)
      found.push(`is not seen to be ${it.checked ? "on" : "off"}: ${nameOf(it)}`);
  }
  for (const it of Reflect.get(window, "known") as HTMLElement[]) {
    const { borderTopWidth, outlineStyle } = getComputedStyle(it);
    const isChosen = ![canvas, "rgba(0, 0, 0, 0)"].includes(color(it));
    if (it.isConnected && borderTopWidth === "0px" && outlineStyle === "none" && !isChosen) {
      found.push(`is not seen to be a button: ${nameOf(it)}`);
    }
  }
  return found;
}

/**
 * Runs in the page: text from right to left that is not set apart from what is around it. Numbers and punctuation
 * beside it would change places with it.
 */
function mixed(theirs: readonly string[]): string[] {
  const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
  const found = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    // What is between these two marks is set apart within a sentence.
    const rest = node.textContent?.replaceAll(/\u2068[^\u2069]*\u2069/g, "") ?? "";
    const around = node.parentElement?.closest("bdi, [dir=auto]");
    // An initial stands alone.
    const { parentElement } = node;
    if (!RIGHT_TO_LEFT.test(rest) || parentElement?.closest("textarea, script, [aria-hidden]")) continue;
    const isApart = around && theirs.includes(around.textContent?.trim() ?? "");
    if (!isApart) found.add(`is not set apart: ${node.textContent?.slice(0, 80)}`);
  }
  for (const it of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")) {
    if (RIGHT_TO_LEFT.test(it.value) && it.dir !== "auto") found.add(`is typed from left to right: ${it.name}`);
  }
  return [...found];
}

/** Owns a newer version of the app, as far as a browser can tell: a service worker with other bytes, that says so. */
import { expect, type Page } from "@playwright/test";
import type { Network } from "./network";
import type { Server } from "./server";

const NEXT = `
self.addEventListener("fetch", (it) => new URL(it.request.url).pathname === "/which" && it.respondWith(new Response("next")));`;

/** From now on the network has a newer version of the app, with what else is new in its worker. */
export async function publishNext(
  server: Server,
  network: Network,
  change: (script: string) => string = (script) => script,
): Promise<void> {
  const script = await (await fetch(`${server.origin}/sw.js`)).text();
  network.replace("/sw.js", change(script) + NEXT);
}

/** True if the newer version's service worker controls the page. */
export function runsNext(page: Page): Promise<boolean> {
  // The version before knows nothing of it, and the server does not either.
  return page.evaluate(async () => (await (await fetch("/which")).text()) === "next");
}

/** The app comes to the front, which is when it looks for a newer version. */
export async function comeToFront(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}

/** Says yes to the newer version on this page; it and the others are loaded anew and in its hands after that. */
export async function update(page: Page, ...others: Page[]): Promise<void> {
  const all = [page, ...others];
  for (const it of all) await it.evaluate(() => Reflect.set(window, "isOfTheVersionBefore", true));
  await page.getByRole("button", { name: "Update" }).click();
  for (const it of all) {
    // Not asked of the worker before the page has gone: each question would keep the one before at work.
    const isAnew = () => it.evaluate(() => !Reflect.has(window, "isOfTheVersionBefore")).catch(() => false);
    await expect.poll(isAnew).toBe(true);
    await expect.poll(() => runsNext(it).catch(() => false)).toBe(true);
  }
}

/** Owns a newer version of the app, as far as a browser can tell: a service worker with other bytes, that says so. */
import type { Page } from "@playwright/test";
import type { Network } from "./network";
import type { Server } from "./server";

const NEXT = `
self.addEventListener("message", ({ data, ports }) => data === "which" && ports[0].postMessage("next"));`;

/** From now on the network has a newer version of the app. */
export async function publishNext(server: Server, network: Network): Promise<void> {
  const script = await (await fetch(`${server.origin}/sw.js`)).text();
  network.replace("/sw.js", script + NEXT);
}

/** Whether the page is in the hands of the newer version. */
export function runsNext(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const { controller } = navigator.serviceWorker;
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise<boolean>((done) => {
      port1.onmessage = () => done(true);
      // The version before knows no such question.
      setTimeout(() => done(false), 250);
    });
    controller?.postMessage("which", [port2]);
    return answer;
  });
}

/** The app comes to the front, which is when it looks for a newer version. */
export async function comeToFront(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}

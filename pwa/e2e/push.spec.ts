/**
 * The notifications that the service worker shows for a push message, and the page that a tap opens, with and without a
 * network.
 */
import type { Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { expect, test } from "./support/test";

/**
 * The browser of the tests shows no notifications and ends a worker that counts on its icon: what would be shown is kept,
 * and a tap on the last one is played.
 */
const STAGE = `
const shown = [];
navigator.setAppBadge = () => Promise.resolve();
ServiceWorkerRegistration.prototype.showNotification = (title, { body, data, tag }) => {
  shown.push({ title, body, data, tag });
  return Promise.resolve();
};
self.addEventListener("message", (event) => {
  if (event.data === "SHOWN") event.ports[0].postMessage(shown);
  if (event.data !== "TAP") return;
  const tap = new Event("notificationclick");
  tap.notification = { data: shown.at(-1).data, close: () => {} };
  tap.waitUntil = (it) => event.waitUntil(it);
  self.dispatchEvent(tap);
});
`;

const message = (navigate: string, tag = "t1") =>
  JSON.stringify({
    web_push: 8030,
    notification: { title: "Sam Rivers", body: "Sent you a message", navigate, tag, lang: "en" },
  });

/** Gives what delivers a message as Chromium does when one comes from its push service. */
async function pushTo(page: Page): Promise<(data: string) => Promise<void>> {
  const cdp = await page.context().newCDPSession(page);
  const registered = new Promise<string>((found) => {
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first) found(first.registrationId);
    });
  });
  await cdp.send("ServiceWorker.enable");
  const registrationId = await registered;
  const { origin } = new URL(page.url());
  return async (data) => {
    await cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
  };
}

const shown = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", ({ data }) => done(data));
        port1.start();
        navigator.serviceWorker.controller?.postMessage("SHOWN", [port2]);
      }),
  );

const tap = (page: Page) => page.evaluate(() => navigator.serviceWorker.controller?.postMessage("TAP"));

test.beforeEach(async ({ page, sitter, server, network }) => {
  const script = await (await fetch(`${server.origin}/sw.js`)).text();
  network.replace("/sw.js", STAGE + script);
  await page.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "granted" }));
  await signedIn(page, sitter);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
});

test("a message is shown, and a tap leads to its place in the open app, also with no network", async ({
  page,
  network,
}) => {
  const push = await pushTo(page);
  await push(message(`${network.origin}/requests`));
  const first = { title: "Sam Rivers", body: "Sent you a message", data: "/requests", tag: "t1" };
  await expect.poll(() => shown(page)).toEqual([first]);
  await page.evaluate(() => Reflect.set(window, "isSamePage", true));
  const leadsTo = (path: string) =>
    expect(async () => {
      await tap(page);
      await expect(page).toHaveURL(new RegExp(`${path}$`), { timeout: 2_000 });
    }).toPass();
  await leadsTo("/requests");
  await expect(page.getByRole("heading", { name: "Requests" })).toBeVisible();

  await network.cut();
  await push(message(`${network.origin}/scheduling`, "t2"));
  await expect.poll(() => shown(page)).toEqual([first, { ...first, data: "/scheduling", tag: "t2" }]);
  await leadsTo("/scheduling");
  // Nothing was loaded anew, and so nothing that was being typed is lost.
  expect(await page.evaluate(() => Reflect.has(window, "isSamePage"))).toBe(true);
});

test("every message is shown, and none leads out of the app @full", async ({ page, network }) => {
  const push = await pushTo(page);
  await push("no JSON");
  const plain = { title: "Walkies", body: "There is something new.", data: "/", tag: undefined };
  await expect.poll(() => shown(page)).toEqual([plain]);
  await push("null");
  await push(message("https://evil.example.com/requests"));
  await push(message("javascript:alert(1)"));
  await push(message(`${network.origin}@evil.example.com/`));
  const said = { title: "Sam Rivers", body: "Sent you a message", data: "/", tag: "t1" };
  await expect.poll(() => shown(page)).toEqual([plain, plain, said, said, said]);
});

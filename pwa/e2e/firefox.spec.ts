/** Notifications in a real Firefox: from the server through a push service, sealed, to what is shown. */
import type { Page } from "puppeteer-core";
import { Api, type ClientRow } from "./support/api";
import { DEMO, startDemo } from "./support/demo";
import { startFirefox } from "./support/firefox";
import { PushService } from "./support/pushService";
import type { Server } from "./support/server";
import { test as base, expect } from "./support/test";

const PARENT = { name: "", email: "parent@walkies.example", password: "walkies-demo" };

const test = base.extend<{ push: PushService }>({
  // Playwright asks for the braces even where nothing is needed.
  // oxlint-disable-next-line no-empty-pattern
  push: async ({}, give) => {
    const push = await PushService.start();
    await give(push);
    await push.stop();
  },
  server: async ({ push }, give, info) => {
    const server = await startDemo("--push-local", push.origin);
    await give(server);
    if (info.status !== info.expectedStatus) await info.attach("server", { body: server.log });
    await server.stop();
  },
});

/** Reads the notifications that this device shows at the moment. */
const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map(({ title, body, data }) => ({ title, body, data }) as const);
  });

async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/auth/login`);
  await page.locator("input[type=email]").fill(DEMO.email);
  await page.locator("input[type=password]").fill(DEMO.password);
  await page.locator("button[type=submit]").click();
}

/** Presses a button until another one has come: a page that is just being drawn may not hear of the first press. */
const press = (page: Page, button: string, next: string) =>
  expect(async () => {
    const found = (text: string) => page.locator(`::-p-text(${text})`).setTimeout(3_000);
    await found(button).click();
    await found(next).wait();
  }).toPass();

test("a request reaches a Firefox that is subscribed, and none after that is turned off @full", async ({
  server,
  push,
}) => {
  const parent = await new Api(server.origin).signIn(PARENT);
  const ask = await asker(server, parent);
  const firefox = await startFirefox(push);
  try {
    const page = await firefox.newPage();
    await signIn(page, server.origin);
    await page.waitForFunction(() => location.pathname === "/scheduling");
    await page.goto(`${server.origin}/profile#notifications`);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await press(page, "Turn on notifications", "Show one");
    expect(push.addresses).toHaveLength(1);

    await ask();
    await expect.poll(() => push.delivered).toMatchObject([{ status: 201, codes: [100] }]);
    await expect.poll(() => shown(page)).toHaveLength(1);
    const [request] = await shown(page);
    // One waits in the demo business.
    expect(request?.body).toBe("Asks for 2 visits");
    expect(request?.data).toBe("/requests");

    await press(page, "Turn off here", "Turn on notifications");
    expect(push.addresses).toEqual([]);
    await ask();
    await expect.poll(async () => (await parent.call<unknown[]>("GET", "/client/requests")).length).toBeGreaterThan(1);
    expect(push.delivered).toHaveLength(1);
  } finally {
    await firefox.close();
  }
});

/** Gives what asks for a walk on another day each time, at an hour that is really open. */
async function asker(server: Server, parent: Api): Promise<() => Promise<void>> {
  const [sitter] = await parent.call<{ client_id: string }[]>("GET", "/client/sitters");
  const office = await new Api(server.origin).signIn(DEMO);
  const { dogs } = await office.call<ClientRow>("GET", `/clients/${sitter?.client_id}`);
  let inDays = 0;
  const openSlot = async (): Promise<{ date: string; start: string }> => {
    for (;;) {
      inDays += 1;
      const date = dayAfter(inDays);
      const slots = await parent.call<{ start_time: string }[]>(
        "GET",
        `/client/slots?date=${date}&duration_minutes=30`,
      );
      if (slots[0]) return { date, start: slots[0].start_time };
    }
  };
  return async () => {
    const { date, start } = await openSlot();
    await parent.call("POST", "/client/requests", {
      requested_date: date,
      requested_start_time: start,
      requested_duration_minutes: 30,
      service_type: "walk",
      dog_ids: [dogs[0]?.id],
    });
  };
}

const dayAfter = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

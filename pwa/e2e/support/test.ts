/**
 * Owns what every test begins with: its own server and network, a phone of a browser that reports all that must not be
 * (errors in the console, broken policies, requests to others), and a sitter where one is needed.
 */
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { Api, type SignIn, somebody } from "./api";
import { ZONE } from "./day";
import { Network } from "./network";
import { noteNotices } from "./notices";
import { Server } from "./server";

export { expect };

/** Forbidden things that a phone did; empty at the end of every test. */
export type Complaints = string[];

interface Fixtures {
  server: Server;
  network: Network;
  /** Past the network, without a session. */
  api: Api;
  complaints: Complaints;
  /** A sitter who has just signed up. */
  sitter: SignIn;
  /** The sitter's own calls. */
  office: Api;
  /** Another phone, with nothing on it and with a network of its own. */
  anotherPhone: () => Promise<{ page: Page; network: Network }>;
}

export const test = base.extend<Fixtures>({
  // Playwright asks for the braces even where nothing is needed.
  // oxlint-disable-next-line no-empty-pattern
  server: async ({}, give, info) => {
    const server = await Server.start();
    await give(server);
    if (info.status !== info.expectedStatus) await info.attach("server", { body: server.log });
    await server.stop();
    expect(server.leaks()).toEqual([]);
  },
  network: async ({ server }, give, info) => {
    const network = await Network.open(server.port, info.parallelIndex);
    await give(network);
    await network.cut();
  },
  baseURL: async ({ network }, give) => give(network.origin),
  timezoneId: ZONE,
  api: async ({ server }, give) => give(new Api(server.origin)),
  complaints: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, give) => {
      const complaints: Complaints = [];
      await give(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
  context: async ({ context, network, complaints }, give) => {
    await watch(context, network.origin, complaints);
    await give(context);
  },
  sitter: async ({ api, server }, give) => {
    const sitter = somebody();
    await api.signUp(sitter, ZONE, await server.invite(sitter.email));
    await give(sitter);
  },
  office: async ({ api, sitter }, give) => give(await api.signIn(sitter)),
  anotherPhone: async ({ browser, server, complaints, contextOptions, viewport, hasTouch, isMobile }, give, info) => {
    const opened: { context: BrowserContext; network: Network }[] = [];
    await give(async () => {
      const network = await Network.open(server.port, info.parallelIndex);
      const context = await browser.newContext({
        ...contextOptions,
        viewport,
        hasTouch,
        isMobile,
        locale: "en-US",
        baseURL: network.origin,
        timezoneId: ZONE,
      });
      opened.push({ context, network });
      await watch(context, network.origin, complaints);
      return { page: await context.newPage(), network };
    });
    for (const { context, network } of opened) {
      await context.close();
      await network.cut();
    }
  },
});

/** Notes what a phone does that it must not, and its notices, which do not wait to be read. */
export async function watch(context: BrowserContext, origin: string, complaints: Complaints): Promise<void> {
  await context.addInitScript(noteNotices);
  context.on("console", (message) => {
    if (message.type() !== "error") return;
    // The browser's own note of a request that failed, or that was turned down: what follows from it is the app's.
    if (/^Failed to load resource|^WebSocket connection to/.test(message.text())) return;
    complaints.push(`console: ${message.text()}`);
  });
  context.on("weberror", (error) => complaints.push(`thrown: ${error.error().stack ?? error.error().message}`));
  context.on("request", (request) => {
    const { protocol, origin: to } = new URL(request.url());
    if (protocol.startsWith("http") && to !== origin) complaints.push(`request to ${request.url()}`);
  });
}

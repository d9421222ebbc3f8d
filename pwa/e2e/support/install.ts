/** Owns a browser that is closed, killed and started again with everything that was on its disk. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { ZONE } from "./day";
import { follow } from "./positions";
import { test as base, type Complaints, watch } from "./test";
import type { Fix } from "./tracks";

type Options = Parameters<typeof chromium.launchPersistentContext>[1];

export class Install {
  readonly #folder: string;
  readonly #options: Options;
  readonly #complaints: Complaints;
  #context: BrowserContext | undefined;

  constructor(folder: string, options: Options, complaints: Complaints) {
    this.#folder = folder;
    this.#options = options;
    this.#complaints = complaints;
  }

  /**
   * Starts the browser at `time`; `track` is where it goes. Its clock runs as clocks do, until a test turns it.
   */
  async start(track: readonly Fix[] = [], began?: number, time: number = Date.now()): Promise<Page> {
    const context = await chromium.launchPersistentContext(this.#folder, this.#options);
    this.#context = context;
    await watch(context, this.#options?.baseURL ?? "", this.#complaints);
    await context.addInitScript(() => Reflect.set(window, "timeOfTheMachine", AbortSignal.timeout.bind(AbortSignal)));
    await context.clock.install({ time });
    // Disk and network take the machine's time and not the test's: an hour that goes by at once is no silence of theirs.
    await context.addInitScript(() =>
      Object.defineProperty(AbortSignal, "timeout", { value: Reflect.get(window, "timeOfTheMachine") }),
    );
    await follow(context, track, began);
    // The page that a browser begins with was there before the clock.
    const [blank] = context.pages();
    const page = await context.newPage();
    await blank?.close();
    return page;
  }

  /** As a person closes it. */
  async close(): Promise<void> {
    await this.#context?.close();
    this.#context = undefined;
  }

  /** As a phone does that needs its memory: no last words for anybody. */
  async kill(): Promise<void> {
    const closed = new Promise((done) => this.#context?.once("close", done));
    process.kill(-browserProcess(this.#folder), "SIGKILL");
    await closed;
    this.#context = undefined;
  }
}

/** The browser of a profile; it leads the group of all its processes. */
function browserProcess(folder: string): number {
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    let args: string[];
    try {
      args = readFileSync(`/proc/${entry}/cmdline`, "utf8").split("\0");
    } catch {
      continue; // gone meanwhile
    }
    if (args.includes(`--user-data-dir=${folder}`) && !args.some((it) => it.startsWith("--type="))) {
      return Number(entry);
    }
  }
  throw new Error(`No browser has its profile in ${folder}.`);
}

export const test = base.extend<{ install: Install }>({
  install: async ({ launchOptions, contextOptions, viewport, hasTouch, isMobile, network, complaints }, give) => {
    const folder = await mkdtemp(join(tmpdir(), "walkies-profile-"));
    const options = { ...launchOptions, ...contextOptions, viewport, hasTouch, isMobile, locale: "en-US" };
    const install = new Install(folder, { ...options, baseURL: network.origin, timezoneId: ZONE }, complaints);
    await give(install);
    await install.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
});

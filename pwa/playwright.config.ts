/** Owns how the app and the real server are tested together in Chromium: a phone first, a desktop where it differs. */
import { defineConfig } from "@playwright/test";

/** Chromium without the windows that nobody looks at, which takes a quarter less of the processor. */
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell";

/** Without Chromium's own errands, which a machine without the internet refuses one after the other, and without a
 * process that does as if there were a graphics card: painting without one takes a tenth less. */
const QUIET = [
  "--no-sandbox",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-gpu",
];

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  workers: 3,
  fullyParallel: true,
  // Two cores for three browsers, their servers and this: who fails once in a hundred runs is named, and does not stop the rest.
  retries: process.env.CI ? 1 : 0,
  // Where all is broken, one need not wait for each story to say so.
  maxFailures: process.env.CI ? 12 : 0,
  forbidOnly: Boolean(process.env.CI),
  // How long something that never comes is waited for; what comes is not waited for longer on a machine that has time.
  timeout: 300_000,
  expect: { timeout: 40_000 },
  reporter: [["list"]],
  snapshotPathTemplate: "{testDir}/snapshots/{arg}-{projectName}{ext}",
  use: {
    launchOptions: { executablePath: chromium, args: QUIET },
    locale: "en-US",
    actionTimeout: 40_000,
    navigationTimeout: 60_000,
    // A trace of every test would cost a fifth of the time; `--trace on` records one of those that matter.
    screenshot: "only-on-failure",
    // Playwright's `reducedMotion` also spares each test the time of every animation.
    contextOptions: { reducedMotion: "reduce" },
  },
  projects: [
    {
      name: "phone",
      grepInvert: /@desktop-only/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    {
      name: "desktop",
      grep: /@desktop/,
      use: { viewport: { width: 1280, height: 800 } },
    },
  ],
});

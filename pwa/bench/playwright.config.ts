/** Owns how the phone's figures are measured: one after the other, on a machine that does nothing else. */
import { defineConfig } from "@playwright/test";
import shared from "../playwright.config";

export default defineConfig({
  ...shared,
  testDir: ".",
  testMatch: "*.bench.ts",
  outputDir: "../test-results",
  workers: 1,
  fullyParallel: false,
  timeout: 600_000,
  reporter: [["./lines.ts"]],
  use: {
    ...shared.use,
    // The one that people have.
    launchOptions: { ...shared.use?.launchOptions, executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" },
    trace: "off",
  },
  projects: [
    {
      name: "phone",
      testIgnore: "routes.bench.ts",
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    { name: "routes", testMatch: "routes.bench.ts" },
  ],
});

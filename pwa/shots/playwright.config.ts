/** Owns how the pictures of the join page are taken: of the real app with its demo, with `npm run shots`. */
import { defineConfig } from "@playwright/test";
import shared from "../playwright.config";

export default defineConfig({
  ...shared,
  testDir: ".",
  testMatch: "*.shots.ts",
  outputDir: "../test-results",
  workers: 1,
  retries: 0,
  projects: [
    {
      name: "phone",
      use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
    },
  ],
});

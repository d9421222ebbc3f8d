/** Owns what a test sees around every section: navigation, notices, banners, questions. */
import { expect, type Locator, type Page } from "@playwright/test";
import { unconfirmed } from "../support/disk";
import { hasSaid } from "../support/notices";

export class Screen {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The window above the screen. */
  get dialog(): Locator {
    return this.page.getByRole("dialog").last();
  }

  /** The quiet signs under the title. A header inside `main` has no role of its own. */
  get banners(): Locator {
    return this.page.locator("main > header").getByRole("status");
  }

  /** The short word about what was just done, also where it has gone again by now. */
  async says(text: string | RegExp): Promise<void> {
    await expect.poll(() => hasSaid(this.page, text), `says ${text}`).toBe(true);
  }

  /** Picks one of a few that are all in sight. The input itself is covered by its words. */
  async pick(option: string, within: Locator | Page = this.page): Promise<void> {
    const radio = within.getByRole("radio", { name: option, exact: true });
    await radio.click({ force: true });
    await expect(radio).toBeChecked();
  }

  async isTitled(title: string | RegExp): Promise<void> {
    await expect(this.page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  }

  /** Goes to a section as a thumb does. */
  async goTo(section: string): Promise<void> {
    const bar = this.page.getByRole("navigation", { name: "Main" });
    const link = bar.getByRole("link", { name: section });
    if (await link.isVisible()) {
      await link.click();
      return;
    }
    await bar.getByRole("button", { name: "More" }).click();
    await this.page.getByRole("navigation", { name: "All sections" }).getByRole("link", { name: section }).click();
  }

  /** A phone fetches what hears its keys when it rests: until then one presses once more. */
  async showShortcuts(): Promise<void> {
    const shortcuts = this.page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await expect(async () => {
      if (!(await shortcuts.isVisible())) await this.page.keyboard.press("?");
      await expect(shortcuts).toBeVisible({ timeout: 1_000 });
    }).toPass();
  }

  /** Asks to leave; a question may follow. */
  async signOut(): Promise<void> {
    await this.page.getByRole("button", { name: "More", exact: true }).click();
    await this.page.getByRole("button", { name: "Sign Out" }).click();
  }

  /** Waits until nothing is on its way: not on the disk, since not every screen marks what waits, and no banner counts it. */
  async hasSentEverything(): Promise<void> {
    await expect.poll(() => unconfirmed(this.page), "changes that wait").toBe(0);
    await expect(this.page.getByTitle("Waiting to be sent")).toHaveCount(0);
    await expect(this.banners.filter({ hasText: /safe on this phone/ })).toHaveCount(0);
  }
}

/** Owns Needs attention as a person uses it. */
import { expect, type Locator, type Page } from "@playwright/test";
import { Screen } from "./app";
import { ServiceForm } from "./schedule";

export class AttentionPage extends Screen {
  static async open(page: Page): Promise<AttentionPage> {
    await page.getByRole("link", { name: "Review" }).click();
    const opened = new AttentionPage(page);
    await opened.isTitled("Needs attention");
    return opened;
  }

  /** One change that needs a word. */
  item(sentence: string | RegExp): Locator {
    return this.page.getByRole("article").filter({ has: this.page.getByRole("heading", { name: sentence }) });
  }

  async chooseAnotherTime(): Promise<ServiceForm> {
    await this.page.getByRole("link", { name: "Choose another time" }).click();
    return ServiceForm.shown(this.page, "Schedule Service");
  }

  async isEmpty(): Promise<void> {
    await expect(this.page.getByText(/^Nothing (else )?needs your attention/)).toBeVisible();
  }
}

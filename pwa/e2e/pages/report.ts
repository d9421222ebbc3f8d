/** Owns a walk's report: how the sitter shares it, and the page that a pet parent sees. */
import { expect, type Locator, type Page } from "@playwright/test";
import { Screen } from "./app";

export class PastWalkPage extends Screen {
  static async open(page: Page, title: string): Promise<PastWalkPage> {
    await page.goto("/walks");
    // Beside it there may be one to its report, which opens elsewhere.
    await page
      .locator("a:not([target])")
      .and(page.getByRole("link", { name: title }))
      .click();
    await expect(page.getByRole("button", { name: "More for this walk" })).toBeVisible();
    return new PastWalkPage(page);
  }

  async share(): Promise<ShareDialog> {
    await this.page.getByRole("button", { name: "Share report" }).click();
    const dialog = new ShareDialog(this.page);
    await expect(dialog.dialog.getByRole("heading", { name: "Share report" })).toBeVisible();
    return dialog;
  }

  /** The state of each report. */
  get states(): Locator {
    return this.page.getByText(/^(Shared|Sending|Waits for a connection)$/);
  }

  /** The path of the report for these dogs. */
  async pathFor(dogs: string): Promise<string> {
    const href = await this.page.getByRole("link", { name: `Open the report for ${dogs}` }).getAttribute("href");
    return new URL(href ?? "").pathname;
  }

  async takeBack(): Promise<void> {
    await this.page.getByRole("button", { name: "Take back" }).click();
    await this.dialog.getByRole("button", { name: "Take back" }).click();
    await this.says("Report taken back");
  }
}

export class ShareDialog extends Screen {
  async write(client: string, words: string): Promise<void> {
    await this.dialog.getByLabel(`Message to ${client}`).fill(words);
  }

  /** Shows an event to the client of these dogs. */
  async show(event: string, dogs: string): Promise<void> {
    const choice = this.dialog.getByRole("group", { name: event });
    await choice.getByLabel(dogs).check();
  }

  get map(): Locator {
    return this.dialog.getByLabel("Show the map");
  }

  async send(): Promise<void> {
    await this.dialog.getByRole("button", { name: "Share report" }).click();
    await expect(this.page.getByRole("dialog")).toHaveCount(0);
  }
}

export class ReportPage extends Screen {
  static async open(page: Page, path: string): Promise<ReportPage> {
    await page.goto(path);
    return new ReportPage(page);
  }

  /** Every word of it. */
  get words(): Locator {
    return this.page.locator("body");
  }

  /** There are so many photos, and they have come. */
  async hasPhotos(count: number): Promise<void> {
    const photos = this.page.getByRole("img", { name: /^Photo of/ });
    await expect(photos).toHaveCount(count);
    await expect(async () => {
      const widths = await photos.evaluateAll((all) => all.map((it) => (it as HTMLImageElement).naturalWidth));
      expect(widths.every((it) => it > 0)).toBe(true);
    }).toPass();
  }
}

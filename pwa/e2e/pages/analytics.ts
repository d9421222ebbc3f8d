/** Owns the analytics section as a sitter uses it. */
import { expect, type Locator, type Page } from "@playwright/test";
import { Screen } from "./app";

export const TABS = ["Overview", "Revenue", "Bookings", "Clients", "Performance"] as const;

export class AnalyticsPage extends Screen {
  static async open(page: Page, query = ""): Promise<AnalyticsPage> {
    await page.goto(`/analytics${query}`);
    const analytics = new AnalyticsPage(page);
    await analytics.isTitled("Analytics");
    return analytics;
  }

  async choose(tab: (typeof TABS)[number]): Promise<void> {
    await this.page.getByRole("tab", { name: tab }).click();
    await expect(this.page.getByRole("tab", { name: tab })).toHaveAttribute("aria-selected", "true");
  }

  card(title: string | RegExp): Locator {
    return this.page.getByRole("article", { name: title });
  }

  /** The cursor of a chart. */
  cursor(of: string): Locator {
    return this.page.getByRole("slider", { name: `${of}, point by point` });
  }

  /** Takes the figures out: the file's name and what is in it. */
  async export(format: "CSV" | "JSON"): Promise<{ name: string; text: string }> {
    await this.page.getByRole("button", { name: "Export Data" }).filter({ visible: true }).click();
    await this.dialog.getByRole("radio", { name: format }).check({ force: true });
    const [file] = await Promise.all([
      this.page.waitForEvent("download"),
      this.dialog.getByRole("button", { name: "Export", exact: true }).click(),
    ]);
    await this.says("Analytics data exported successfully");
    await expect(this.dialog).toHaveCount(0);
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    return { name: file.suggestedFilename(), text: Buffer.concat(chunks).toString("utf8") };
  }
}

/** Owns the history of invoices as a sitter uses it. */
import type { Locator, Page } from "@playwright/test";
import { Screen } from "./app";

export class InvoiceHistoryPage extends Screen {
  static async open(page: Page): Promise<InvoiceHistoryPage> {
    await page.goto("/invoices?tab=history");
    const history = new InvoiceHistoryPage(page);
    await history.isTitled("Invoices");
    return history;
  }

  card(name: string | RegExp): Locator {
    return this.page.getByRole("article", { name });
  }

  async markPaid(card: Locator, how: "Cash" | "Transfer" | "Card" | "App"): Promise<void> {
    await card.getByRole("button", { name: "Mark Paid" }).click();
    await this.page.getByRole("menuitem", { name: how, exact: true }).click();
    await this.says(/^Invoice marked as paid! \d+ services updated\.$/);
  }

  /** An act that stands in the card's menu. */
  async act(card: Locator, act: string): Promise<void> {
    await card.getByRole("button", { name: /^More for/ }).click();
    await this.page.getByRole("menuitem", { name: act, exact: true }).click();
  }
}

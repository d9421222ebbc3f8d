/** Owns the invoices' section as a sitter uses it: making one, and the history. */
import { expect, type Locator, type Page } from "@playwright/test";
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

  /** The card of this number; on a desktop its row of the table is opened for it. */
  async opened(number: string): Promise<Locator> {
    const card = this.card(new RegExp(`^${number},`));
    const row = this.page.getByRole("button", { name: number, exact: true, expanded: false });
    await expect(card.or(row)).toBeVisible();
    if (await row.isVisible()) await row.click();
    await expect(card).toBeVisible();
    return card;
  }

  async markPaid(card: Locator, how: "Cash" | "Transfer" | "Card" | "Payment app"): Promise<void> {
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

export class InvoicesPage extends Screen {
  static async open(page: Page, search = ""): Promise<InvoicesPage> {
    await page.goto(`/invoices${search}`);
    const invoices = new InvoicesPage(page);
    await invoices.isTitled("Invoices");
    return invoices;
  }

  /** Clients who owe something, each to be billed for all of it. */
  get toBill(): Locator {
    return this.page.getByRole("region", { name: "To bill" }).getByRole("button");
  }

  get total(): Locator {
    return this.page.getByRole("status").filter({ hasText: "Total" });
  }

  async choose(client: string): Promise<void> {
    const select = this.page.getByLabel("Client", { exact: true });
    const label = await select.getByRole("option").filter({ hasText: client }).textContent();
    await select.selectOption({ label: label ?? "" });
  }

  /** Bills a client for all that is owed. */
  async billAll(client: string): Promise<void> {
    await this.toBill.filter({ hasText: client }).click();
    await this.share();
  }

  async preview(): Promise<void> {
    await this.page.getByRole("button", { name: "Generate Invoice Preview" }).click();
    await expect(this.page.getByRole("dialog", { name: "Invoice preview" })).toBeVisible();
  }

  async share(): Promise<void> {
    await this.preview();
    await this.dialog.getByRole("button", { name: "Share Invoice" }).click();
  }

  /** The address that the client is given. */
  async link(): Promise<string> {
    await expect(this.dialog.getByRole("button", { name: "Copy link" })).toBeVisible();
    return this.dialog.getByLabel("Link for the client").inputValue();
  }
}

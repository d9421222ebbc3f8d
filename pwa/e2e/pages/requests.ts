/** Owns the requests' section as a sitter uses it. */
import type { Locator, Page } from "@playwright/test";
import { Screen } from "./app";

export class RequestsPage extends Screen {
  static async open(page: Page): Promise<RequestsPage> {
    await page.goto("/requests");
    const requests = new RequestsPage(page);
    await requests.isTitled("Requests");
    return requests;
  }

  async choose(tab: "All Requests" | "Pending" | "Approved" | "Declined"): Promise<void> {
    await this.page.getByRole("tab", { name: tab }).click();
  }

  card(client: string): Locator {
    return this.page.getByRole("article", { name: client }).first();
  }

  /** Locates a client's request for a day, such as `Friday, November 20`: a card, or its part of one for several. */
  cardOf(client: string, day: string): Locator {
    const part = "self::section[@aria-label] or (self::article and not(.//section[@aria-label]))";
    const cards = this.page.getByRole("article", { name: client });
    return cards.locator(`xpath=descendant-or-self::*[${part}]`).filter({ hasText: day });
  }

  async approve(card: Locator): Promise<void> {
    await card
      .getByRole("button", { name: /^Approve/ })
      .last()
      .click();
    await this.says("Walk request approved and scheduled!");
  }

  async decline(card: Locator, reason: string): Promise<void> {
    await card.getByRole("button", { name: "Decline" }).click();
    await this.dialog.getByLabel(/^Reason/).fill(reason);
    await this.dialog.getByRole("button", { name: "Decline" }).click();
    await this.says("Walk request declined");
  }
}

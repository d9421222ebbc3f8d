/** Owns messages as both sides of a conversation use them. */
import { expect, type Locator, type Page } from "@playwright/test";
import { Screen } from "./app";

export class MessagesPage extends Screen {
  /** `path` is the client's in the portal. */
  static async open(page: Page, path = "/messages"): Promise<MessagesPage> {
    await page.goto(path);
    const opened = new MessagesPage(page);
    await expect(page.getByRole("textbox", { name: "Message", exact: true }).or(opened.list).first()).toBeVisible();
    return opened;
  }

  get list(): Locator {
    return this.page.getByRole("tablist", { name: "Conversations" });
  }

  get thread(): Locator {
    return this.page.getByRole("log");
  }

  get composer(): Locator {
    return this.page.getByRole("textbox", { name: "Message", exact: true });
  }

  conversation(name: string): Locator {
    return this.page.getByRole("list", { name: "Conversations" }).getByRole("link", { name });
  }

  message(words: string): Locator {
    return this.thread.getByRole("listitem").filter({ hasText: words });
  }

  /** All that stands there, in its order. */
  words(): Promise<string[]> {
    return this.thread.getByRole("listitem").locator("p[dir=auto]").allTextContents();
  }

  async start(name: string): Promise<void> {
    await this.page.getByRole("button", { name: "Start New Conversation" }).first().click();
    await this.page.getByRole("searchbox", { name: "Search contacts" }).fill(name);
    await this.page.getByRole("button", { name }).click();
    await expect(this.composer).toBeEnabled();
  }

  async send(words: string): Promise<void> {
    await this.composer.fill(words);
    await this.composer.press("Enter");
    await expect(this.message(words)).toBeVisible();
  }
}

/** Owns the import of clients as a person uses it. */
import { expect, type Locator, type Page } from "@playwright/test";
import { Screen } from "./app";

export class ImportPage extends Screen {
  /** From the menu of the clients. */
  static async open(page: Page): Promise<ImportPage> {
    await page.goto("/clients");
    await page.getByRole("button", { name: "More for clients" }).click();
    await page.getByRole("menuitem", { name: "Import clients" }).click();
    const opened = new ImportPage(page);
    await opened.isTitled("Import clients");
    return opened;
  }

  /** A file on the disk, or one with this text. */
  async choose(file: string | { text: string }): Promise<void> {
    const mimeType = "text/csv";
    const picked = typeof file === "string" ? file : { name: "clients.csv", mimeType, buffer: Buffer.from(file.text) };
    await this.page.getByLabel("Choose a file").setInputFiles(picked);
    await expect(this.page.getByRole("heading", { name: "What is in the columns?" })).toBeVisible();
  }

  async showClients(): Promise<void> {
    await this.page.getByRole("button", { name: "Show clients" }).click();
    await expect(this.list).toBeVisible();
  }

  get list(): Locator {
    return this.page.getByRole("list", { name: "Clients in the file" });
  }

  /** Shows some of them alone. */
  async filter(name: string): Promise<void> {
    await this.page.getByRole("radio", { name }).check({ force: true });
  }

  /** So many are to come. */
  async counts(text: string): Promise<void> {
    await expect(this.page.getByRole("heading", { name: text })).toBeVisible();
  }

  async import(n: number): Promise<void> {
    await this.page.getByRole("button", { name: `Import ${n} clients` }).click();
    await this.isDone(`${n} clients imported`);
  }

  /** They have come. */
  async isDone(text: string): Promise<void> {
    await expect(this.page.getByText(text, { exact: true })).toBeVisible();
  }

  async undo(): Promise<void> {
    await this.page.getByRole("button", { name: "Undo", exact: true }).click();
    await this.says("Import undone");
  }
}

/** Owns the section of mileage and expenses as a sitter uses it. */
import type { Locator, Page } from "@playwright/test";
import { Screen } from "./app";

interface Spent {
  amount: string;
  category: string;
  date: string;
  note: string;
}

export class ExpensesPage extends Screen {
  static async open(page: Page, query = ""): Promise<ExpensesPage> {
    await page.goto(`/expenses${query}`);
    const expenses = new ExpensesPage(page);
    await expenses.isTitled("Mileage & Expenses");
    return expenses;
  }

  /** The form of an entry: in a dialog, or beside the table of a desktop. */
  override get dialog(): Locator {
    return super.dialog.or(this.page.getByRole("region", { name: /^Edit (Miles|Expense)$/ }));
  }

  /** The card of a day, or its rows in the table of a desktop: `Wednesday, November 18`. */
  day(heading: string): Locator {
    return this.page.getByRole("article", { name: heading }).or(this.page.getByRole("rowgroup", { name: heading }));
  }

  /** All that is said of an entry; `name` is its button's. */
  entryOf(day: Locator, name: RegExp): Locator {
    const has = this.page.getByRole("button", { name });
    return day.getByRole("row").filter({ has }).or(day.getByRole("listitem").filter({ has }));
  }

  entry(name: string): Locator {
    return this.page.getByRole("button", { name: `Edit ${name}` });
  }

  async add({ amount, category, date, note }: Spent): Promise<void> {
    await this.page.getByRole("button", { name: "Add Expense" }).filter({ visible: true }).first().click();
    await this.dialog.getByLabel("Amount").fill(amount);
    await this.dialog.getByLabel("Category").selectOption(category);
    await this.dialog.getByLabel("Date").fill(date);
    await this.dialog.getByLabel("What it was").fill(note);
    await this.dialog.getByRole("button", { name: "Add", exact: true }).click();
    await this.says("Expense added");
  }

  async showYear(): Promise<void> {
    await this.page.getByRole("tab", { name: "Year" }).click();
  }

  /** Takes the year out: the file's name and its bytes. */
  async download(format: "CSV" | "PDF"): Promise<{ name: string; bytes: Buffer }> {
    const [file] = await Promise.all([
      this.page.waitForEvent("download"),
      this.page.getByRole("button", { name: `Download ${format}` }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    return { name: file.suggestedFilename(), bytes: Buffer.concat(chunks) };
  }
}

/** Owns the sitter's offerings as a person uses them. */
import { expect, type Locator, type Page } from "@playwright/test";
import { Screen } from "./app";

export interface OfferingEntry {
  name: string;
  price: string;
  category?: string;
}

export class ServicesPage extends Screen {
  static async open(page: Page, query = ""): Promise<ServicesPage> {
    await page.goto(`/services${query}`);
    return new ServicesPage(page);
  }

  /** The inline form. */
  get form(): Locator {
    return this.page.getByRole("form");
  }

  get names(): Locator {
    return this.page.getByRole("listitem").locator("bdi");
  }

  async newOffering(): Promise<void> {
    await this.page.getByRole("button", { name: "Add New Service" }).filter({ visible: true }).click();
    await expect(this.form).toBeVisible();
  }

  async enter({ name, price, category }: OfferingEntry): Promise<void> {
    await this.form.getByLabel("Service name").fill(name);
    await this.form.getByLabel("Base price").fill(price);
    if (category) await this.form.getByLabel("Category").selectOption(category);
  }

  async save(): Promise<void> {
    await this.form.getByRole("button", { name: /^Save/ }).click();
    await expect(this.form).toHaveCount(0);
  }
}

/** Owns the hours of a sitter's week and the times that are blocked, as a person uses them. */
import { expect, type Page } from "@playwright/test";
import { Screen } from "./app";

export class AvailabilityPage extends Screen {
  static async shown(page: Page): Promise<AvailabilityPage> {
    await expect(page.getByRole("tab", { name: "Blocked Times" })).toBeVisible();
    return new AvailabilityPage(page);
  }

  async newPattern(day: string): Promise<void> {
    await this.page.getByRole("button", { name: `Add a pattern on ${day}` }).click();
    await expect(this.dialog.getByLabel("Day of week")).toBeVisible();
  }

  async addPattern(day: string, start: string, end: string): Promise<void> {
    await this.newPattern(day);
    await this.dialog.getByLabel("Start time").fill(start);
    await this.dialog.getByLabel("End time").fill(end);
    await this.dialog.getByRole("button", { name: /^(Add|Create|Save)/ }).click();
    await this.says("Availability pattern created successfully");
  }

  async showTab(tab: "Patterns" | "Blocked Times" | "Settings"): Promise<void> {
    await this.page.getByRole("tab", { name: tab }).click();
  }

  async newBlock(): Promise<void> {
    await this.page.getByRole("button", { name: "Block Time" }).click();
    await expect(this.dialog.getByLabel("Date", { exact: true })).toBeVisible();
  }

  async block(date: string, reason: string): Promise<void> {
    await this.newBlock();
    await this.dialog.getByLabel("Date", { exact: true }).fill(date);
    await this.dialog.getByLabel(/^Reason/).fill(reason);
    await this.dialog.getByRole("button", { name: "Block Time" }).click();
    await this.says("Blocked time created successfully");
  }
}

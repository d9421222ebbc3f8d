/** Owns a visit that is no walk, from check-in to check-out, as a person uses it. */
import { expect, type Page } from "@playwright/test";
import { Screen } from "./app";
import { FinishWalkPage } from "./walk";

export class ActiveVisitPage extends Screen {
  static async shown(page: Page): Promise<ActiveVisitPage> {
    await expect(page.getByRole("button", { name: "Hold to check out" })).toBeVisible();
    return new ActiveVisitPage(page);
  }

  async isWith(pets: string): Promise<void> {
    await expect(this.page.getByRole("heading", { name: `Visit with ${pets}`, exact: true })).toBeVisible();
  }

  async log(event: "Fed" | "Water" | "Litter" | "Medication" | "Play"): Promise<void> {
    await this.page.getByRole("button", { name: event, exact: true }).click();
    await this.lastSays(event);
  }

  async takePhoto(file: string): Promise<void> {
    await this.page.getByLabel("Take a photo").setInputFiles(file);
    await this.lastSays("Photo");
  }

  async lastSays(text: string): Promise<void> {
    await expect(this.page.getByRole("region", { name: "Visit" }).getByRole("status")).toContainText(text);
  }

  async checkOut(): Promise<FinishWalkPage> {
    // As a switch or a screen reader does it: no hold, a question instead.
    await this.page.getByRole("button", { name: "Hold to check out" }).dispatchEvent("click");
    await this.page.getByRole("dialog", { name: "Check out?" }).getByRole("button", { name: "Yes" }).click();
    const next = new FinishWalkPage(this.page);
    await next.isTitled("Visit completed!");
    return next;
  }
}

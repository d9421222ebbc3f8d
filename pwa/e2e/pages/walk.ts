/** Owns a walk from its start to its page as a person uses it. */
import { expect, type Locator, type Page } from "@playwright/test";
import { Screen } from "./app";

export class ActiveWalkPage extends Screen {
  static async shown(page: Page): Promise<ActiveWalkPage> {
    await expect(page.getByRole("button", { name: "Hold to end" })).toBeVisible();
    return new ActiveWalkPage(page);
  }

  /** Whose walk it is, as it is always said. */
  async isWith(dogs: string, clients: string): Promise<void> {
    await expect(this.page.getByRole("heading", { name: `Walk with ${dogs}`, exact: true })).toBeVisible();
    await expect(this.page.getByText(clients)).toBeVisible();
  }

  /** Time, distance, pace, as large as they are shown. */
  get figures(): Locator {
    return this.page.getByRole("definition");
  }

  /** How far the walk is by now. */
  async miles(): Promise<number> {
    const said = /^([\d.]+) mi$/.exec(await this.figures.nth(1).innerText())?.[1];
    return Number(said);
  }

  async log(event: "Potty" | "Water" | "Break"): Promise<void> {
    await this.page.getByRole("button", { name: event, exact: true }).click();
    await this.lastSays(event);
  }

  async note(text: string): Promise<void> {
    await this.page.getByRole("button", { name: "Note", exact: true }).click();
    await this.dialog.getByLabel("What happened?").fill(text);
    await this.dialog.getByRole("button", { name: "Save" }).click();
    await this.lastSays(text);
  }

  async takePhoto(file: string): Promise<void> {
    await this.page.getByLabel("Take a photo").setInputFiles(file);
    await this.lastSays("Photo");
  }

  async lastSays(text: string): Promise<void> {
    await expect(this.page.getByRole("region", { name: "Walk" }).getByRole("status")).toContainText(text);
  }

  async pause(): Promise<void> {
    await this.page.getByRole("button", { name: "Pause" }).click();
    await expect(this.page.getByText("paused", { exact: true })).toBeVisible();
  }

  async resume(): Promise<void> {
    await this.page.getByRole("button", { name: "Resume" }).click();
  }

  async end(): Promise<FinishWalkPage> {
    // As a switch or a screen reader does it: no hold, a question instead.
    await this.page.getByRole("button", { name: "Hold to end" }).dispatchEvent("click");
    await this.page.getByRole("dialog", { name: "End the walk?" }).getByRole("button", { name: "Yes" }).click();
    const next = new FinishWalkPage(this.page);
    await next.isTitled("Walk completed!");
    return next;
  }
}

export class FinishWalkPage extends Screen {
  get notes(): Locator {
    return this.page.getByLabel("Service notes");
  }

  /** Into the notes, which say nothing by themselves. */
  async addTimes(): Promise<void> {
    await this.page.getByRole("button", { name: /^Add times and distance/ }).click();
  }

  async completeService(): Promise<void> {
    await this.page.getByRole("button", { name: "Complete the service" }).click();
  }

  /** The report goes out together with what the next press does. */
  async sendReport(to: string): Promise<void> {
    await this.page.getByRole("switch", { name: `Share the report with ${to}` }).check();
  }

  async keep(): Promise<void> {
    await this.page.getByRole("button", { name: /^(Done|Complete later)$/ }).click();
    // It is kept when the app has left the page of the walk.
    await this.page.waitForURL(({ pathname }) => pathname !== "/walk");
  }
}

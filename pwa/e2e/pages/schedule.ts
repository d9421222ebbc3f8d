/** Owns the schedule and what opens above it as a person uses them. */
import { expect, type Locator, type Page } from "@playwright/test";
import { Screen } from "./app";

/** Choices in the schedule form; an absent field stays as the form has it. */
export interface ServiceChoice {
  client?: string;
  dogs?: string[];
  type?: "Walk" | "Drop-in";
  date?: string;
  /** As the list says it: `10:30 AM`. */
  start?: string;
  duration?: string;
  /** How it repeats, as the list says it. */
  repeats?: "Every week" | "Every day or every few days" | "Every month" | "Trip: each day until a last day";
  notes?: string;
  internal?: string;
}

export class SchedulePage extends Screen {
  static async open(page: Page, query = ""): Promise<SchedulePage> {
    await page.goto(`/scheduling${query}`);
    return SchedulePage.shown(page);
  }

  static async shown(page: Page): Promise<SchedulePage> {
    const schedule = new SchedulePage(page);
    await expect(schedule.#menu.or(page.getByRole("group", { name: "View" }))).toBeVisible();
    return schedule;
  }

  /** The phone has seen what the server has. */
  async isLoaded(): Promise<void> {
    await expect(this.page.getByRole("heading", { name: "This Week" })).toBeVisible();
  }

  /** The button that opens the list of views on a phone, where there are no toggles. */
  get #menu(): Locator {
    return this.page.getByRole("button", { name: /^View: / });
  }

  /** Today on a phone: one visit under the other. */
  async showDay(): Promise<void> {
    await this.#show("Day");
  }

  /** Today and four more: by the hour, and as lists on a phone. */
  async showFiveDays(): Promise<void> {
    if (!(await this.#menu.isVisible())) await this.pick("Calendar");
    await this.#show("5 Days");
  }

  async showView(view: "Calendar" | "List" | "Availability"): Promise<void> {
    await this.#show(view);
    // The day stays on the screen until the code of the other view is there.
    if (view !== "Calendar") await expect(this.today).toBeHidden();
  }

  /** Asserts that the schedule shows this view. */
  async isShown(view: "Day" | "5 Days" | "Week" | "List"): Promise<void> {
    const toggle = this.page.getByRole("radio", { name: view, exact: true, checked: true });
    await expect(this.#menu.and(this.page.getByLabel(`View: ${view}`)).or(toggle)).toBeAttached();
  }

  async #show(view: string): Promise<void> {
    if (!(await this.#menu.isVisible())) {
      await this.pick(view);
      return;
    }
    // The calendar of a phone is its day, where nothing else was chosen.
    await this.choose(view === "Calendar" ? "Day" : view);
  }

  /** Something of the menu that a phone has in place of toggles. */
  async choose(what: string): Promise<void> {
    await this.#menu.click();
    const { page } = this;
    const item = page.getByRole("menuitemradio", { name: what, exact: true });
    await item.or(page.getByRole("menuitem", { name: what, exact: true })).click();
  }

  /** Today's list: the day itself, or the one beside a calendar of more days. */
  get today(): Locator {
    const { page } = this;
    return page
      .getByRole("region", { name: "Today's Schedule" })
      .or(page.getByRole("region", { name: "Today", exact: true }));
  }

  /** A visit of today's list. */
  visit(what: string | RegExp): Locator {
    return this.today.getByRole("listitem").filter({ hasText: what });
  }

  async newService(): Promise<ServiceForm> {
    await this.page.getByRole("button", { name: "Schedule Service" }).first().click();
    return ServiceForm.shown(this.page, "Schedule Service");
  }

  async schedule(choice: ServiceChoice): Promise<SchedulePage> {
    const form = await this.newService();
    await form.choose(choice);
    return form.save();
  }

  async open(what: string | RegExp): Promise<ServiceDetails> {
    await this.visit(what).getByRole("button").first().click();
    return ServiceDetails.shown(this.page);
  }
}

export class ServiceForm extends Screen {
  static async shown(page: Page, title: "Schedule Service" | "Edit Service"): Promise<ServiceForm> {
    await expect(page.getByRole("dialog", { name: title })).toBeVisible();
    return new ServiceForm(page);
  }

  async choose({ client, dogs, type, date, start, duration, repeats, notes, internal }: ServiceChoice): Promise<void> {
    const { dialog } = this;
    if (client) {
      const select = dialog.getByLabel("Client", { exact: true });
      // Each stands there with the names of its pets, which may be those of other clients.
      const value = await select.getByRole("option", { name: new RegExp(`^${client}`) }).getAttribute("value");
      await select.selectOption(value);
    }
    for (const dog of dogs ?? []) await dialog.getByRole("checkbox", { name: dog }).check();
    if (type)
      await dialog
        .getByLabel("Type")
        .first()
        .selectOption({ label: `${type}, at the client's rate` });
    if (date) await dialog.getByLabel("Date").fill(date);
    if (start) await dialog.getByLabel("Start time").first().selectOption({ label: start });
    if (duration) await dialog.getByLabel("Duration").first().selectOption({ label: duration });
    if (repeats) await dialog.getByLabel("Repeats").selectOption({ label: repeats });
    if (notes !== undefined) await dialog.getByLabel(/^Notes/).fill(notes);
    if (internal !== undefined) await dialog.getByLabel(/^Internal notes/).fill(internal);
  }

  get price(): Locator {
    return this.dialog.getByRole("region", { name: "Price" });
  }

  get conflict(): Locator {
    return this.dialog.getByRole("region", { name: "Conflict" });
  }

  /** Dates of a series that something is in the way of. */
  get takenDates(): Locator {
    return this.dialog.getByRole("region", { name: "Dates that are taken" });
  }

  /** Sums of a series, week by week. */
  get weeks(): Locator {
    return this.dialog.getByRole("list", { name: "Weeks" });
  }

  /** Presses the button, whatever comes of it. */
  async submit(): Promise<void> {
    await this.dialog
      .getByRole("button", { name: /^(Schedule Service|Schedule Series|Schedule Trip|Save Changes)$/ })
      .click();
  }

  async saveSeries(): Promise<SchedulePage> {
    await this.submit();
    await this.says(/ visits from .* are booked\./);
    await expect(this.page.getByRole("dialog")).toHaveCount(0);
    return new SchedulePage(this.page);
  }

  async save(): Promise<SchedulePage> {
    await this.submit();
    return this.saved();
  }

  async scheduleAnyway(): Promise<SchedulePage> {
    await this.conflict.getByRole("button", { name: "Schedule anyway" }).click();
    return this.saved();
  }

  async saved(): Promise<SchedulePage> {
    await this.says(/^Service (scheduled|updated) successfully$/);
    await expect(this.page.getByRole("dialog")).toHaveCount(0);
    return new SchedulePage(this.page);
  }
}

export class ServiceDetails extends Screen {
  static async shown(page: Page): Promise<ServiceDetails> {
    await expect(page.getByRole("dialog", { name: "Service Details" })).toBeVisible();
    return new ServiceDetails(page);
  }

  async edit(): Promise<ServiceForm> {
    await this.dialog.getByRole("button", { name: "Edit" }).click();
    return ServiceForm.shown(this.page, "Edit Service");
  }

  async complete(notes: string): Promise<SchedulePage> {
    await this.dialog.getByRole("button", { name: "Mark Complete" }).click();
    await this.dialog.getByLabel(/^Service notes/).fill(notes);
    await this.dialog.getByRole("button", { name: "Mark Complete" }).click();
    await this.says("Service completed successfully");
    return SchedulePage.shown(this.page);
  }

  async cancel(): Promise<SchedulePage> {
    await this.dialog.getByRole("button", { name: "Cancel Service" }).click();
    const question = this.page.getByRole("dialog", { name: "Are you sure you want to cancel this scheduled service?" });
    await question.getByRole("button", { name: "Cancel Service" }).click();
    await this.says("Service cancelled successfully");
    return SchedulePage.shown(this.page);
  }

  /** The series that it belongs to, in words, with the acts on it. */
  get series(): Locator {
    return this.dialog.getByRole("region", { name: /^(Series|Trip)$/ });
  }

  /** Presses one of the acts of its series. */
  async inSeries(act: string): Promise<void> {
    await this.series.getByRole("button", { name: act, exact: true }).click();
  }

  /** Begins a visit that is no walk. */
  async checkIn(): Promise<void> {
    await this.dialog.getByRole("link", { name: "Check in" }).click();
  }

  /** Goes out with the dogs. */
  async startWalk(): Promise<void> {
    await this.dialog.getByRole("link", { name: "Start walk" }).click();
  }

  async close(): Promise<SchedulePage> {
    await this.dialog.getByRole("button", { name: "Close" }).first().click();
    return SchedulePage.shown(this.page);
  }
}

/** Owns the portal as a pet parent uses it, and the page by which an invited one comes into it. */
import { expect, type Locator, type Page } from "@playwright/test";
import type { SignIn } from "../support/api";
import type { Server } from "../support/server";
import { Screen } from "./app";
import { SignInPage } from "./auth";

export class InvitationPage extends Screen {
  /** Opens the link that the sitter has sent. */
  static async open(page: Page, link: string): Promise<InvitationPage> {
    const { pathname, search } = new URL(link);
    await page.goto(pathname + search);
    return new InvitationPage(page);
  }

  /** Signs up as somebody new, by the code from the mail. */
  async signUp({ name, email, password }: SignIn, server: Pick<Server, "mailedCode">): Promise<PortalPage> {
    await this.page.getByLabel("Your name").fill(name);
    await this.page.getByLabel("Email").fill(email);
    await this.page.getByLabel("Password", { exact: true }).fill(password);
    await this.page.getByRole("button", { name: "Create account" }).click();
    await this.isTitled(/^(Enter your code|Check your email)$/);
    await this.page.getByLabel("Code").fill(await server.mailedCode(email));
    await this.page.getByRole("button", { name: "Join" }).click();
    return PortalPage.shown(this.page);
  }

  /** As somebody who has an account. */
  async signIn({ email, password }: SignIn): Promise<PortalPage> {
    await this.page.getByRole("link", { name: "I have an account" }).click();
    await new SignInPage(this.page).send(email, password);
    return PortalPage.shown(this.page);
  }
}

/** A visit request as a pet parent fills it in. */
export interface Asked {
  dogs: string[];
  /** Days with their starts, as `9:00 AM`. */
  times: [date: string, start: string][];
  message?: string;
}

export class PortalPage extends Screen {
  static async shown(page: Page): Promise<PortalPage> {
    await expect(
      page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Visits", exact: true }),
    ).toBeVisible();
    return new PortalPage(page);
  }

  /** A phone on which the parent is signed in, with the app on it. */
  static async signedIn(page: Page, { email, password }: Pick<SignIn, "email" | "password">): Promise<PortalPage> {
    await (await SignInPage.open(page)).send(email, password);
    const portal = await PortalPage.shown(page);
    await portal.isInstalled();
    return portal;
  }

  /** Resolves when the service worker controls the page, so that the app can start without a network. */
  async isInstalled(): Promise<void> {
    await this.page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      if (navigator.serviceWorker.controller) return;
      await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
    });
  }

  async openSitters(): Promise<void> {
    await this.page.getByRole("button", { name: /^Sitters/ }).click();
  }

  /** In the open menu. */
  sitter(name: string): Locator {
    return this.page.getByRole("menu", { name: "Your sitters" }).getByRole("menuitemradio", { name });
  }

  async chooseSitter(name: string): Promise<void> {
    await this.openSitters();
    await this.sitter(name).click();
  }

  part(title: "Waiting" | "Answered" | "Regular visits" | "Upcoming" | "Past"): Locator {
    return this.page.getByRole("region", { name: title });
  }

  /** Locates a request in the list by its heading, which says what was asked for and when: `Friday, November 20`. */
  request(heading: string | RegExp): Locator {
    return this.page.getByRole("region", { name: /^(Waiting|Answered)$/ }).getByRole("article", { name: heading });
  }

  async ask({ dogs, times, message }: Asked): Promise<void> {
    await this.goTo("Request");
    await this.isTitled("Request a visit");
    for (const dog of dogs) await this.tick(dog);
    if (times.length > 1) await this.askFor("Several visits");
    for (const [place, [date, start]] of times.entries()) {
      if (place > 0) await this.page.getByRole("button", { name: "Add another visit" }).click();
      const row = this.page.getByRole("group", { name: `Visit ${place + 1}` });
      await row.getByLabel("Date").fill(date);
      await row.getByLabel("Start time").selectOption(start);
    }
    if (message) await this.page.getByLabel(/^Message/).fill(message);
    await this.page.getByRole("button", { name: /^Request( \d|$)/ }).click();
    await this.says(/saved\. |^Sent to /);
  }

  /** Asks for a walk each week, on the days of the week of this name. */
  async askEachWeek(
    dog: string,
    { weekday, from, start }: { weekday: string; from: string; start: string },
  ): Promise<void> {
    await this.goTo("Request");
    await this.isTitled("Request a visit");
    await this.tick(dog);
    await this.askFor("Each week");
    await this.page.getByRole("checkbox", { name: weekday }).check();
    await this.page.getByLabel("Start time").selectOption(start);
    await this.page.getByLabel("First day").fill(from);
    await this.page.getByRole("button", { name: "Request", exact: true }).click();
    await this.says(/saved\. |^Sent to /);
  }

  async askFor(often: "Several visits" | "Each week"): Promise<void> {
    // The label, since the radio itself is not to be seen.
    await this.page.getByText(often, { exact: true }).click({ force: true });
  }

  /** The only dog is ticked already. */
  async tick(dog: string): Promise<void> {
    const box = this.page.getByRole("checkbox", { name: dog });
    await box.setChecked(true, { force: true });
  }

  async withdraw(heading: string | RegExp): Promise<void> {
    await this.request(heading).getByRole("button", { name: "Withdraw" }).click();
    await this.dialog.getByRole("button", { name: "Withdraw" }).click();
    await this.says("Request withdrawn");
  }
}

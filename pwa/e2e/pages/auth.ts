/** Owns the screens before the sign-in as a person uses them. */
import { expect, type Locator, type Page } from "@playwright/test";
import type { SignIn } from "../support/api";
import type { Server } from "../support/server";
import { Screen } from "./app";
import { SchedulePage } from "./schedule";

export class SignInPage extends Screen {
  static async open(page: Page): Promise<SignInPage> {
    await page.goto("/auth/login");
    const opened = new SignInPage(page);
    await opened.isTitled("Sign in");
    return opened;
  }

  async send(email: string, password: string): Promise<void> {
    await this.page.getByLabel("Email").fill(email);
    await this.page.getByLabel("Password", { exact: true }).fill(password);
    await this.page.getByRole("button", { name: "Sign in" }).click();
  }

  async signIn({ email, password }: Pick<SignIn, "email" | "password">): Promise<SchedulePage> {
    await this.send(email, password);
    return SchedulePage.shown(this.page);
  }

  async join(): Promise<SignUpPage> {
    await this.page.getByRole("link", { name: "Join as a sitter" }).click();
    return SignUpPage.shown(this.page);
  }
}

export class SignUpPage extends Screen {
  static async shown(page: Page): Promise<SignUpPage> {
    await expect(page.getByRole("heading", { level: 2, name: "Join as a sitter" })).toBeVisible();
    return new SignUpPage(page);
  }

  async ask({ name, email, password }: SignIn): Promise<void> {
    await this.page.getByLabel("Your name").fill(name);
    await this.page.getByLabel("Email").fill(email);
    await this.page.getByLabel("Password", { exact: true }).fill(password);
    await this.page.getByRole("button", { name: "Create account" }).click();
  }

  /** With the code from the mail; what comes next is the set-up. */
  async enter(who: SignIn, server: Server): Promise<SetupPage> {
    await this.ask(who);
    return this.confirm(await server.mailedCode(who.email));
  }

  async confirm(code: string): Promise<SetupPage> {
    await this.isTitled("Enter your code");
    await this.page.getByLabel("Code").fill(code);
    await this.page.getByRole("button", { name: "Join" }).click();
    return SetupPage.shown(this.page);
  }

  /** The same for who sets up later. */
  async signUp(who: SignIn, server: Server): Promise<SchedulePage> {
    return (await this.enter(who, server)).later();
  }
}

export class SetupPage extends Screen {
  static async shown(page: Page): Promise<SetupPage> {
    const setup = new SetupPage(page);
    await setup.isTitled("Complete your profile");
    return setup;
  }

  /** The step that is open has this name. */
  async isAt(step: string): Promise<void> {
    await expect(this.page.getByRole("heading", { level: 2, name: step, exact: true })).toBeVisible();
  }

  /** The steps that are done. */
  get done(): Locator {
    return this.page.getByRole("navigation", { name: "Steps" }).getByRole("button", { name: /, done$/ });
  }

  async goOn(button: "Next" | "Skip" | "Save and continue" | "Finish"): Promise<void> {
    await this.page.getByRole("button", { name: button, exact: true }).click();
  }

  async later(): Promise<SchedulePage> {
    await this.page.getByRole("link", { name: "Finish this later" }).click();
    return SchedulePage.shown(this.page);
  }
}

/** A phone on which the sitter is signed in, with everything that the server knows. */
export async function signedIn(page: Page, who: SignIn): Promise<SchedulePage> {
  const schedule = await (await SignInPage.open(page)).signIn(who);
  await schedule.isLoaded();
  await hasApp(page);
  await expect(page.getByRole("link", { name: "Sign in" })).toHaveCount(0);
  return schedule;
}

/** Waits until the phone has the whole app: before that it cannot start without a network. */
export const hasApp = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    // The first one takes a moment to claim the page.
    if (navigator.serviceWorker.controller) return;
    await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
  });

/** Owns the screens before the sign-in as a person uses them. */
import { expect, type Page } from "@playwright/test";
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
    const next = new SignUpPage(this.page);
    await next.isTitled("Join as a sitter");
    return next;
  }
}

export class SignUpPage extends Screen {
  async ask({ name, email, password }: SignIn): Promise<void> {
    await this.page.getByLabel("Your name").fill(name);
    await this.page.getByLabel("Email").fill(email);
    await this.page.getByLabel("Password", { exact: true }).fill(password);
    await this.page.getByRole("button", { name: "Create account" }).click();
  }

  /** With the code from the mail. */
  async signUp(who: SignIn, server: Server): Promise<SchedulePage> {
    await this.ask(who);
    await this.isTitled("Look into your mail");
    await this.page.getByLabel("Code").fill(await server.mailedCode(who.email));
    await this.page.getByRole("button", { name: "Join" }).click();
    return SchedulePage.shown(this.page);
  }
}

/** A phone on which the sitter is signed in, with everything that the server knows. */
export async function signedIn(page: Page, who: SignIn): Promise<SchedulePage> {
  const schedule = await (await SignInPage.open(page)).signIn(who);
  await schedule.isLoaded();
  // A phone that has not got the app yet cannot start without a network.
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    // The first one takes a moment to claim the page.
    if (navigator.serviceWorker.controller) return;
    await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
  });
  await expect(page.getByRole("link", { name: "Sign in" })).toHaveCount(0);
  return schedule;
}

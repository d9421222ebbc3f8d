/** A plan's limit is reached and lifted by a checkout, a change gives credit, a card fails, against the stand-in for Stripe. */
import type { Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import type { Api } from "./support/api";
import { isAccessible } from "./support/axe";
import { fits } from "./support/fitting";
import { Server } from "./support/server";
import { BAD_CARD, CARD, KEY, SECRET, Stripe } from "./support/stripe";
import { test as base, type Complaints, expect } from "./support/test";

const test = base.extend<{ stripe: Stripe }>({
  // Playwright asks for the braces even where nothing is needed.
  // oxlint-disable-next-line no-empty-pattern
  stripe: async ({}, give) => {
    const stripe = await Stripe.start();
    await give(stripe);
    await stripe.stop();
  },
  server: async ({ stripe }, give, info) => {
    const server = await Server.start(
      "--stripe",
      stripe.origin,
      "--billing-key",
      KEY,
      "--billing-webhook-secrets",
      SECRET,
      "--billing-price-solo",
      "price_solo",
      "--billing-price-pro",
      "price_pro",
    );
    await stripe.reportTo(`${server.origin}/api/billing/webhook`);
    await give(server);
    if (info.status !== info.expectedStatus) await info.attach("server", { body: server.log });
    await server.stop();
    expect(server.leaks()).toEqual([]);
  },
  // Stripe's pages are elsewhere, and lead back to the server's own address.
  complaints: async ({ stripe, server }, give) => {
    const complaints: Complaints = [];
    await give(complaints);
    const others = [stripe.origin, server.origin].map((it) => `request to ${it}/`);
    expect(complaints.filter((it) => !others.some((other) => it.startsWith(other)))).toEqual([]);
  },
});

async function fill(office: Api): Promise<void> {
  for (const name of ["Ana", "Ben", "Cleo", "Dana", "Eli"]) await office.addClient(`${name} Reyes`, "Rex");
}

/** Presses what opens a page of Stripe's, which opens in a tab of its own. */
async function stripePage(page: Page, press: () => Promise<void>): Promise<Page> {
  const [tab] = await Promise.all([page.context().waitForEvent("page"), press()]);
  await tab.getByLabel("Card number").waitFor();
  return tab;
}

async function pay(tab: Page): Promise<void> {
  await tab.getByLabel("Card number").fill(CARD);
  await tab.getByRole("button", { name: "Pay" }).click();
  // It leads back to the app.
  await tab.waitForURL(/\/billing/);
  await tab.close();
}

/** A sitter is on Solo, whose trial is over. */
async function subscribed(page: Page, office: Api, stripe: Stripe): Promise<void> {
  const made = await office.call<{ url: string }>("POST", "/billing/checkout-session", {
    plan_id: "solo",
    price_id: "price_solo",
  });
  await page.goto(made.url);
  await page.getByLabel("Card number").fill(CARD);
  await page.getByRole("button", { name: "Pay" }).click();
  // It leads back to the app once there is something to renew.
  await page.waitForURL(/\/billing/);
  await stripe.renewEverything();
}

test("a limit that is reached is lifted by a checkout", async ({ page, sitter, office }) => {
  await fill(office);
  await signedIn(page, sitter);
  await page.goto("/clients");
  await expect(page.getByText("Client Limit Reached. Your plan has room for 5 clients.")).toBeVisible();
  await page.getByRole("link", { name: "See plans" }).click();
  await expect(page).toHaveURL(/\/billing$/);
  await page.goBack();
  await page.getByRole("button", { name: "Add Client" }).click();
  const prompt = page.getByRole("dialog", { name: "Client Limit Reached" });
  await expect(prompt).toContainText("Nothing that is there goes away");
  await isAccessible(page, "the upgrade prompt");
  await fits(page, "the upgrade prompt");
  await prompt.getByRole("button", { name: "See plans" }).click();
  await expect(page.getByText("$12.00 a month")).toBeVisible();
  await isAccessible(page, "the plans");
  await fits(page, "the plans");
  await page.getByRole("button", { name: "Try Solo for 14 days" }).click();
  await expect(page.getByRole("button", { name: "Go to payment" })).toBeVisible();
  await isAccessible(page, "the step before paying");
  await fits(page, "the step before paying");
  const tab = await stripePage(page, () => page.getByRole("button", { name: "Go to payment" }).click());
  await test.step("a declined card begins nothing", async () => {
    await tab.getByLabel("Card number").fill(BAD_CARD);
    await tab.getByRole("button", { name: "Pay" }).click();
    await expect(tab.getByRole("alert")).toHaveText("Your card was declined.");
  });
  await pay(tab);
  // Nobody has touched it.
  await expect(page.getByText("TRIAL", { exact: true })).toBeVisible();
  await expect(page.getByText("5, unlimited").first()).toBeVisible();
  await isAccessible(page, "the plan in its trial");
  await page.goto("/clients");
  await expect(page.getByText("Ana Reyes", { exact: true })).toBeVisible();
  await expect(page.getByText("Client Limit Reached")).toHaveCount(0);
  await page.getByRole("button", { name: "Add Client" }).click();
  await expect(page.getByRole("dialog", { name: "Add Client" })).toBeVisible();
});

test("a change charges or gives credit, and a card that fails changes nothing @full", async ({
  page,
  stripe,
  sitter,
  office,
}) => {
  await subscribed(page, office, stripe);
  await signedIn(page, sitter);
  await page.goto("/profile#plan");
  await page.getByRole("button", { name: "Manage subscription" }).click();
  const modal = page.getByRole("dialog", { name: "Subscription" });
  await expect(modal.getByText(/^Renews/)).toBeVisible();
  await test.step("the card goes bad", async () => {
    const portal = await stripePage(page, () => modal.getByRole("button", { name: "Card and bills" }).click());
    await portal.getByLabel("Card number").fill(BAD_CARD);
    await portal.getByRole("button", { name: "Save" }).click();
    await portal.close();
  });
  await isAccessible(page, "the subscription in its modal");
  await fits(page, "the subscription in its modal");
  await modal.locator("label", { hasText: "Change Plan" }).click();
  const change = async (to: string) => {
    await modal.getByRole("button", { name: `Choose ${to}` }).click();
    return page.getByRole("dialog", { name: `Change to ${to}?` });
  };
  const charge = await change("Pro");
  await expect(charge).toContainText("You are charged $17.00 now");
  await isAccessible(page, "what a change comes to");
  await fits(page, "what a change comes to");
  await charge.getByRole("button", { name: "Confirm" }).click();
  await expect(modal.getByRole("alert")).toContainText("Your card was declined, so your plan stays as it is.");
  await isAccessible(page, "a declined card");
  await fits(page, "a declined card");
  await test.step("and is mended", async () => {
    const portal = await stripePage(page, () => modal.getByRole("button", { name: "Update card" }).click());
    await portal.getByLabel("Card number").fill(CARD);
    await portal.getByRole("button", { name: "Save" }).click();
    await portal.close();
  });
  await (await change("Pro")).getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("You are on Pro", { exact: true })).toBeVisible();
  await expect(modal.getByText("Pro", { exact: true })).toBeVisible();
  await modal.locator("label", { hasText: "Change Plan" }).click();
  const credit = await change("Solo");
  await expect(credit).toContainText(/You get a credit of \$1[67]\.\d\d toward what you pay next/);
  await credit.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("You are on Solo", { exact: true })).toBeVisible();
  await expect(modal.getByText("Solo", { exact: true })).toBeVisible();
});

test("a plan that ended for want of payment takes nothing away, and comes back by a checkout @full", async ({
  page,
  stripe,
  sitter,
  office,
}) => {
  await subscribed(page, office, stripe);
  await fill(office);
  await office.addClient("Finn Reyes", "Rex");
  await stripe.giveUpEverything();
  await signedIn(page, sitter);
  await page.goto("/clients");
  await expect(page.getByText("Finn Reyes")).toBeVisible();
  await page.getByRole("button", { name: "Add Client" }).click();
  await expect(page.getByRole("dialog", { name: "Client Limit Reached" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.goto("/profile#plan");
  await expect(page.getByText(/Your subscription is inactive\. Everything is still here/)).toBeVisible();
  await page.getByRole("button", { name: "Reactivate" }).click();
  const modal = page.getByRole("dialog", { name: "Subscription" });
  await expect(modal.getByRole("button", { name: "Choose Solo" })).toBeVisible();
  await isAccessible(page, "an inactive plan");
  await fits(page, "an inactive plan");
  await modal.getByRole("button", { name: "Choose Solo" }).click();
  const tab = await stripePage(page, () => modal.getByRole("button", { name: "Go to payment" }).click());
  await pay(tab);
  await expect(page.getByText("6, unlimited").first()).toBeVisible();
  await page.goto("/clients");
  await page.getByRole("button", { name: "Add Client" }).click();
  await expect(page.getByRole("dialog", { name: "Add Client" })).toBeVisible();
});

test("where Stripe does not answer nothing is lost, and everything else works @full", async ({
  page,
  stripe,
  sitter,
  office,
}) => {
  await fill(office);
  await stripe.stop();
  await signedIn(page, sitter);
  await page.goto("/billing");
  // What plans cost was known before.
  await page.getByRole("button", { name: "Try Solo for 14 days" }).click();
  await page.getByRole("button", { name: "Go to payment" }).click();
  await expect(page.getByRole("alert")).toHaveText("Failed to start checkout process. Please try again.");
  await page.getByRole("button", { name: "Back" }).click();
  await page.locator("label", { hasText: "Current Plan" }).click();
  await expect(page.getByText("5 of 5, at the limit")).toBeVisible();
  await isAccessible(page, "a plan at its limit");
  await fits(page, "a plan at its limit");
});

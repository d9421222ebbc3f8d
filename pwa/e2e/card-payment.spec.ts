/** An invoice is paid by card: by a stranger on a phone, with a tip, and the sitter's phone shows it. */
import { signedIn } from "./pages/auth";
import { InvoiceHistoryPage } from "./pages/invoices";
import { InvitationPage } from "./pages/portal";
import type { Api } from "./support/api";
import { isAccessible } from "./support/axe";
import { day } from "./support/day";
import { fits } from "./support/fitting";
import { Server } from "./support/server";
import { BAD_CARD, CARD, KEY, SECRET, Stripe } from "./support/stripe";
import { test as base, expect } from "./support/test";

interface Shared {
  id: string;
  shareId: string;
  paid: boolean;
  payments: { amount: number; method: string }[];
}

const test = base.extend<{ stripe: Stripe }>({
  // Playwright asks for the braces even where nothing is needed.
  // oxlint-disable-next-line no-empty-pattern
  stripe: async ({}, give) => {
    const stripe = await Stripe.start();
    await give(stripe);
    await stripe.stop();
  },
  server: async ({ stripe }, give, info) => {
    const server = await Server.start("--stripe", stripe.origin);
    await give(server);
    if (info.status !== info.expectedStatus) await info.attach("server", { body: server.log });
    await server.stop();
    expect(server.leaks()).toEqual([]);
  },
});

/** An invoice over a walk of today, which is done, and one of tomorrow, at $25.00 each. */
async function share(office: Api): Promise<Shared> {
  const client = await office.addClient("Dana Reyes", "Rex");
  const done = await office.schedule(client, day(), "18:00");
  await office.call("POST", `/scheduled-services/${done.id}/complete`, { notes: "All well" });
  const services = [done.id, (await office.schedule(client, day(1), "18:00")).id];
  return office.call<Shared>("POST", "/invoices/share", { client_id: client.id, services });
}

async function takeCards(office: Api, password: string): Promise<string> {
  const form = { secret_key: KEY, webhook_secrets: [SECRET], password };
  const { webhook_url } = await office.call<{ webhook_url: string }>("PUT", "/invoices/card-payments", form);
  return webhook_url;
}

test("a stranger pays with a tip, and the sitter's phone shows it", async ({
  page,
  browser,
  stripe,
  server,
  sitter,
  office,
  contextOptions,
  viewport,
}) => {
  await stripe.reportTo(await takeCards(office, sitter.password));
  const shared = await share(office);
  const schedule = await signedIn(page, sitter);
  await schedule.open("Rex");
  const details = page.getByRole("dialog", { name: "Service Details" });
  await expect(details.getByText("On INV-1", { exact: true })).toBeVisible();

  // Neither scripts nor an account.
  const stranger = await browser.newContext({ ...contextOptions, viewport, javaScriptEnabled: false });
  const phone = await stranger.newPage();
  await phone.goto(`${server.origin}/invoice/${shared.shareId}?tip=20`);
  await phone.getByRole("button", { name: "Pay $60.00 by card" }).click();
  await test.step("a declined card charges nothing", async () => {
    await expect(phone.getByRole("heading", { name: "Pay $60.00" })).toBeVisible();
    await phone.getByLabel("Card number").fill(BAD_CARD);
    await phone.getByRole("button", { name: "Pay" }).click();
    await expect(phone.getByRole("alert")).toHaveText("Your card was declined.");
  });
  await phone.getByLabel("Card number").fill(CARD);
  await phone.getByRole("button", { name: "Pay" }).click();
  // Whichever comes first, the report or the payer.
  await expect(phone.locator(".state")).toHaveText("Paid");
  await expect(phone.getByRole("button", { name: /by card/ })).toHaveCount(0);
  await stranger.close();

  // Nobody has touched it.
  await expect(details.getByText("Paid with INV-1", { exact: true })).toBeVisible();
  const paid = await office.call<Shared>("GET", `/invoices/${shared.id}`);
  expect(paid.payments).toMatchObject([{ amount: 60, method: "card" }]);

  await test.step("what is given back is owed again", async () => {
    await stripe.refundEverything();
    await expect(details.getByText("On INV-1", { exact: true })).toBeVisible();
  });
});

test("an invoice is paid in the portal", async ({
  page,
  browser,
  stripe,
  server,
  sitter,
  office,
  contextOptions,
  viewport,
}) => {
  await stripe.reportTo(await takeCards(office, sitter.password));
  const shared = await share(office);
  const [client] = await office.clients();
  if (!client) throw new Error("there is no client");
  const { link } = await office.call<{ link: string }>("POST", `/clients/${client.id}/invite`, {});
  // Stripe leads back to the server's own address, and the phones of other stories have the network's.
  const phone = await browser.newContext({ ...contextOptions, viewport, baseURL: server.origin });
  const theirs = await phone.newPage();
  const parent = { name: "Dana Reyes", email: "dana@example.com", password: "six brave otters" };
  const portal = await (await InvitationPage.open(theirs, link)).signUp(parent, server);
  const invoice = theirs.getByRole("article", { name: "Invoice INV-1" });
  /** Presses what leads to Stripe's page, and returns its address. */
  const goToStripe = async (): Promise<string> => {
    await invoice.getByRole("button", { name: "Pay by card" }).click();
    await portal.dialog.getByRole("button", { name: "Pay $50.00" }).click();
    await expect(theirs.getByRole("heading", { name: "Pay $50.00" })).toBeVisible();
    return theirs.url();
  };
  const said = theirs.getByRole("status").filter({ hasText: "Invoice INV-1" });

  await test.step("what is owed stands on top, and leads to the invoice", async () => {
    await theirs.getByRole("link", { name: /^Invoices/ }).click();
    await portal.isTitled("Invoices");
    await expect(theirs.getByText("You owe $50.00")).toBeVisible();
    await expect(invoice).toContainText("Unpaid");
  });

  const address = await goToStripe();
  await test.step("who turns back is in the portal, where nothing was charged, also after a reload", async () => {
    await theirs.getByRole("link", { name: "Back" }).click();
    await portal.isTitled("Invoices");
    await expect(said).toContainText("Nothing was charged");
    await fits(theirs, "portal, back from Stripe without paying");
    await theirs.reload();
    await expect(said).toContainText(/Nothing was charged|not confirmed/);
    await expect(invoice).toContainText("Unpaid");
  });
  await test.step("a second press leads to the same page", async () => {
    expect(await goToStripe()).toBe(address);
  });
  await test.step("a declined card is told there, and changes nothing", async () => {
    await theirs.getByLabel("Card number").fill(BAD_CARD);
    await theirs.getByRole("button", { name: "Pay" }).click();
    await expect(theirs.getByRole("alert")).toHaveText("Your card was declined.");
  });
  await test.step("paid once, and back in the portal it is paid", async () => {
    await theirs.getByLabel("Card number").fill(CARD);
    await theirs.getByRole("button", { name: "Pay" }).click();
    await portal.isTitled("Invoices");
    await expect(said).toContainText("Thank you");
    await expect(theirs.getByText("You owe $50.00")).toHaveCount(0);
    await expect(invoice.getByRole("list", { name: "Payments" })).toContainText(/by card.*-\$50\.00/);
    await expect(invoice.getByRole("link", { name: "View receipt" })).toBeVisible();
    await expect(invoice.getByRole("button", { name: "Pay by card" })).toHaveCount(0);
    await fits(theirs, "portal, an invoice is paid");
    await theirs.reload();
    await expect(said).toContainText(/Thank you/);
    await said.getByRole("button", { name: "Close" }).click();
    await expect(said).toHaveCount(0);
  });
  await test.step("whom nobody knows on another phone comes to the invoice's own page", async () => {
    const beside = await browser.newContext({ ...contextOptions, viewport });
    const tab = await beside.newPage();
    await tab.goto(address);
    await expect(tab.getByRole("button", { name: "Pay" })).toHaveCount(0);
    await tab.goto(`${server.origin}/client/invoices?client_id=${client.id}&card=${shared.shareId}&paid=1`);
    await expect(tab.locator(".state")).toHaveText("Paid");
    await beside.close();
  });
  await test.step("the sitter's books have it", async () => {
    await signedIn(page, sitter);
    const history = await InvoiceHistoryPage.open(page);
    const card = await history.opened("INV-1");
    await expect(card).toContainText(/^Paid on/);
    await history.act(card, "Payments");
    const payments = history.dialog.getByRole("list", { name: "Paid so far" }).getByRole("listitem");
    await expect(payments).toHaveText([/\$50\.00.*Card|Card.*\$50\.00/i]);
    const paid = await office.call<Shared>("GET", `/invoices/${shared.id}`);
    expect(paid.payments).toMatchObject([{ amount: 50, method: "card" }]);
  });

  await test.step("where Stripe does not answer, the portal says that nothing was charged", async () => {
    const walk = await office.schedule(client, day(2), "18:00");
    await office.call("POST", "/invoices/share", { client_id: client.id, services: [walk.id] });
    await stripe.stop();
    const next = theirs.getByRole("article", { name: "Invoice INV-2" });
    await next.getByRole("button", { name: "Pay by card" }).click();
    await portal.dialog.getByRole("button", { name: "Pay $25.00" }).click();
    await expect(portal.dialog.getByRole("alert")).toContainText("Nothing was charged");
    await isAccessible(theirs, "portal, Stripe does not answer");
  });
  await phone.close();
});

test("where Stripe does not answer the page says so, and has the other ways to pay @full", async ({
  browser,
  stripe,
  server,
  sitter,
  office,
  viewport,
}) => {
  await office.call("PUT", "/sitters/profile", { invoicing: { prefix: "INV-", pay_to: { venmo: "robins-walks" } } });
  await takeCards(office, sitter.password);
  const shared = await share(office);
  await stripe.stop();
  const stranger = await browser.newContext({ viewport });
  const phone = await stranger.newPage();
  await phone.goto(`${server.origin}/invoice/${shared.shareId}`);
  await isAccessible(phone, "an invoice that takes cards");
  await phone.getByRole("button", { name: "Pay $50.00 by card" }).click();
  await expect(phone.getByRole("status")).toContainText("Nothing was charged");
  await expect(phone.getByRole("link", { name: /with Venmo/ })).toBeVisible();
  await isAccessible(phone, "an invoice after a card was not taken");
  await stranger.close();
});

test("a sitter takes cards with keys of the own, and takes no more @full", async ({
  page,
  browser,
  server,
  sitter,
  office,
  viewport,
}) => {
  const { shareId } = await share(office);
  const stranger = await browser.newContext({ viewport });
  const phone = await stranger.newPage();
  const button = phone.getByRole("button", { name: "Pay $50.00 by card" });
  await signedIn(page, sitter);
  await page.goto("/profile#invoices");
  const cards = page.getByRole("region", { name: "Card payments" });
  await cards.getByRole("button", { name: "Take cards with Stripe" }).click();
  const form = page.getByRole("dialog", { name: "Take cards with Stripe" });
  await expect(form.getByLabel("Signing secret")).toBeVisible();
  await isAccessible(page, "keys of Stripe");
  await form.getByLabel("Restricted or secret key").fill(KEY);
  await form.getByLabel("Signing secret").fill(SECRET);
  await form.getByLabel("Your password").fill("no such leash");
  await form.getByRole("button", { name: "Turn on" }).click();
  await expect(form.getByLabel("Your password")).toHaveAccessibleDescription("This is not your password");
  await form.getByLabel("Your password").fill(sitter.password);
  await form.getByRole("button", { name: "Turn on" }).click();
  await expect(cards).toContainText(`Key ends in ${KEY.slice(-4)}`);
  await phone.goto(`${server.origin}/invoice/${shareId}`);
  await expect(button).toBeVisible();

  await cards.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("dialog", { name: "Take no more cards?" }).getByRole("button", { name: "Turn off" }).click();
  await expect(cards.getByRole("button", { name: "Take cards with Stripe" })).toBeVisible();
  await phone.reload();
  await expect(phone.getByRole("heading", { level: 1, name: /^Invoice/ })).toBeVisible();
  await expect(button).toHaveCount(0);
  await stranger.close();
});

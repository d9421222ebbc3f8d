/** The end of a month as one story: what was walked is billed with no network, read by strangers, paid, asked for and taken back. */
import { signedIn } from "./pages/auth";
import { InvoiceHistoryPage, InvoicesPage } from "./pages/invoices";
import type { Api } from "./support/api";
import { day } from "./support/day";
import { expect, test, watch } from "./support/test";

interface InvoiceRow {
  id: string;
  clientData: { name: string };
  paid: boolean;
  payments: { amount: number; method: string }[];
}

/** A client for whom two walks were done, $50 together. */
async function walked(office: Api, name: string, dog: string): Promise<void> {
  const client = await office.addClient(name, dog);
  const email = `${dog.toLowerCase()}@example.com`;
  await office.call("PUT", `/clients/${client.id}`, { email, walk_rate_30min: 25 });
  for (const start of ["08:00", "09:00"]) {
    const { id } = await office.schedule(client, day(), start);
    await office.call("POST", `/scheduled-services/${id}/complete`, { notes: "All well" });
  }
}

test("a month is billed with no network, read and tipped by a stranger, paid on two phones at once, asked for and taken back @postgres", async ({
  page,
  network,
  sitter,
  office,
  server,
  browser,
  anotherPhone,
  complaints,
  contextOptions,
  viewport,
  hasTouch,
  isMobile,
}) => {
  await office.call("PUT", "/sitters/profile", {
    invoicing: { prefix: "INV-", due_days: 14, pay_to: { venmo: "robins-walks" }, tips: [10, 15, 20] },
  });
  await walked(office, "Dana Reyes", "Rex");
  await walked(office, "Sam Rivers", "Luna");
  await signedIn(page, sitter);
  const invoices = await InvoicesPage.open(page);
  await network.cut();
  await invoices.billAll("Sam Rivers");
  await invoices.dialog.getByRole("button", { name: "Close" }).last().click();
  await invoices.billAll("Dana Reyes");
  await network.heal();
  const link = await invoices.link();
  await invoices.dialog.getByRole("button", { name: "Close" }).last().click();

  // Neither scripts nor an account.
  const options = { ...contextOptions, viewport, hasTouch, isMobile, javaScriptEnabled: false };
  const context = await browser.newContext(options);
  await watch(context, network.origin, complaints);
  const stranger = await context.newPage();
  await test.step("a stranger reads it, and would pay with a tip", async () => {
    await stranger.goto(link);
    const pay = stranger.getByRole("link", { name: /with Venmo$/ });
    await expect(pay).toHaveText("Pay $50.00 with Venmo");
    await expect(stranger.getByRole("row")).toHaveCount(3);
    await stranger.getByRole("link", { name: /^15%/ }).click();
    await expect(pay).toHaveText("Pay $57.50 with Venmo");
    expect(await pay.getAttribute("href")).toContain("57.50");
  });

  const one = await InvoiceHistoryPage.open(page);
  await test.step("marked as paid on two phones at the same time it is paid once", async () => {
    const phone = await anotherPhone();
    await signedIn(phone.page, sitter);
    const other = await InvoiceHistoryPage.open(phone.page);
    const [here, there] = [one.card(/Dana Reyes/), other.card(/Dana Reyes/)];
    await expect(here).toContainText("Unpaid");
    await expect(there).toContainText("Unpaid");
    await Promise.all([network.cut(), phone.network.cut()]);
    await one.markPaid(here, "Cash");
    await other.markPaid(there, "Transfer");
    await Promise.all([network.heal(), phone.network.heal()]);
    await Promise.all([one.hasSentEverything(), other.hasSentEverything()]);
    const [paid] = (await office.call<InvoiceRow[]>("GET", "/invoices")).filter(
      (it) => it.clientData.name === "Dana Reyes",
    );
    expect(paid).toMatchObject({ paid: true, payments: [{ amount: 50 }] });
    for (const card of [here, there]) {
      await expect(card).toContainText("Paid on");
      await expect(card).not.toContainText("tip");
    }
    await stranger.reload();
    await expect(stranger.locator(".state")).toContainText("Paid");
    await expect(stranger.getByRole("link", { name: /with Venmo$/ })).toHaveCount(0);
  });

  await test.step("another one is asked for by mail, and gone once it is deleted", async () => {
    const card = one.card(/Sam Rivers/);
    const path = (await card.getByRole("link", { name: "View Invoice" }).getAttribute("href")) ?? "";
    const rows = await office.call<InvoiceRow[]>("GET", "/invoices");
    const { id } = rows.find((it) => it.clientData.name === "Sam Rivers") ?? { id: "" };
    await office.call("POST", `/invoices/${id}/remind`, {});
    await expect.poll(() => server.mail()).toContain(`${path}\n`);
    await stranger.goto(path.startsWith("/") ? network.origin + path : path);
    await expect(stranger.getByRole("heading", { level: 1, name: /^Invoice INV-/ })).toBeVisible();
    // What this phone has not read of the invoice yet would refuse its deletion.
    await expect(card).toContainText("reminded");
    await expect(card).toContainText("Opened on");
    await one.act(card, "Delete");
    await one.says("Invoice deleted successfully");
    await one.hasSentEverything();
    await stranger.reload();
    await expect(stranger.getByRole("heading", { name: "This invoice is no longer shared" })).toBeVisible();
    const address = `${server.origin}${new URL(path, server.origin).pathname}`;
    for (const end of ["", "/pdf"]) expect((await fetch(address + end)).status).toBe(404);
  });
  await context.close();
});

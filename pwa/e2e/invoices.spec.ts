/** Invoices as a sitter makes them, with and without a network, and what becomes of them on the server. */
import { AttentionPage } from "./pages/attention";
import { signedIn } from "./pages/auth";
import { InvoicesPage } from "./pages/invoices";
import { Api } from "./support/api";
import { isAccessible } from "./support/axe";
import { day } from "./support/day";
import { DEMO, demoServer } from "./support/demo";
import type { Server } from "./support/server";
import { expect, test } from "./support/test";

interface InvoiceRow {
  id: string;
  number: number | null;
  prefix: string;
  shareId: string | null;
  total: number;
  servicesData: { id: string }[];
}

const withDemo = test.extend<{ server: Server }>({ server: demoServer });

const invoicesOf = (office: Api) => office.call<InvoiceRow[]>("GET", "/invoices");

withDemo(
  "all that a client owes is billed without a network, and gets its number and link with it @desktop",
  async ({ page, network, server }) => {
    const office = await new Api(server.origin).signIn(DEMO);
    const before = new Set((await invoicesOf(office)).map((it) => it.id));
    await signedIn(page, DEMO);
    const invoices = await InvoicesPage.open(page);
    await isAccessible(page, "invoices");
    await network.cut();
    await invoices.toBill.first().click();
    const total = ((await invoices.total.textContent()) ?? "").replace("Total", "");
    await isAccessible(page, "an invoice");
    await invoices.preview();
    await isAccessible(page, "an invoice's preview");
    await expect(invoices.dialog).toContainText(total);
    await invoices.dialog.getByRole("button", { name: "Share Invoice" }).click();
    await expect(invoices.dialog).toContainText("No connection to Walkies: the invoice waits");
    await isAccessible(page, "an invoice that waits");
    await network.heal();
    const link = await invoices.link();
    await isAccessible(page, "an invoice that was shared");

    const [invoice] = (await invoicesOf(office)).filter((it) => !before.has(it.id));
    expect(link).toMatch(new RegExp(`/invoice/${invoice?.shareId}$`));
    await expect(invoices.dialog).toContainText(`Invoice ${invoice?.prefix}${invoice?.number}, ${total}`);
    expect(Number(total.replaceAll(/[$,]/g, ""))).toBe(invoice?.total);
  },
);

test("what has another price by now is not shared, and goes out when its person has seen that", async ({
  page,
  network,
  sitter,
  office,
}) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  const first = await office.schedule(client, day(), "14:00");
  await office.schedule(client, day(), "16:00");
  await signedIn(page, sitter);
  const invoices = await InvoicesPage.open(page);
  await invoices.choose("Dana Reyes");
  await page.getByRole("button", { name: "Tick all" }).click();
  await expect(invoices.total).toContainText("$50.00");
  await network.cut();
  await invoices.share();
  await expect(invoices.dialog).toContainText("No connection to Walkies: the invoice waits");
  await invoices.dialog.getByRole("button", { name: "Close" }).last().click();
  await office.call("PUT", `/scheduled-services/${first.id}`, { duration_minutes: 60 });
  await network.heal();

  await expect(invoices.banners).toContainText("1 change needs attention");
  expect(await invoicesOf(office)).toEqual([]);
  const attention = await AttentionPage.open(page);
  const item = attention.item(/Share an invoice for Dana Reyes/);
  await expect(item).toContainText("$60.00");
  await expect(item).toContainText("$50.00");
  await item.getByRole("button", { name: "Share at $60.00" }).click();
  await attention.hasSentEverything();
  await expect.poll(() => invoicesOf(office)).toMatchObject([{ number: 1, total: 60 }]);
});

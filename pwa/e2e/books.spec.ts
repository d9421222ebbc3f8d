/** The books of a month with no network: a payment beyond what is owed, its credit on the next invoice, and all clients billed at once. */
import { signedIn } from "./pages/auth";
import { InvoiceHistoryPage, InvoicesPage } from "./pages/invoices";
import type { Api, ClientRow } from "./support/api";
import { day } from "./support/day";
import { expect, test } from "./support/test";

interface InvoiceRow {
  clientData: { name: string };
  total: number;
  payments: { amount: number }[];
}

async function walked(office: Api, client: ClientRow, start: string): Promise<void> {
  const { id } = await office.schedule(client, day(), start);
  await office.call("POST", `/scheduled-services/${id}/complete`, { notes: "All well" });
}

test("with no network an overpayment is credit for the next invoice, and all clients are billed at once", async ({
  page,
  network,
  sitter,
  office,
}) => {
  const dana = await office.addClient("Dana Reyes", "Rex");
  const sam = await office.addClient("Sam Rivers", "Luna");
  for (const client of [dana, sam]) await office.call("PUT", `/clients/${client.id}`, { walk_rate_30min: 25 });
  await walked(office, dana, "08:00");
  await signedIn(page, sitter);
  const invoices = await InvoicesPage.open(page);
  await invoices.billAll("Dana Reyes");
  await invoices.dialog.getByRole("button", { name: "Close" }).last().click();
  const history = await InvoiceHistoryPage.open(page);
  const first = await history.opened("INV-1");
  await walked(office, dana, "09:00");
  await walked(office, sam, "09:30");
  await InvoicesPage.open(page);
  await expect(invoices.toBill).toHaveCount(2);
  await InvoiceHistoryPage.open(page);
  await history.opened("INV-1");

  await network.cut();
  await test.step("$60 on $25 is credit of $35", async () => {
    await history.act(first, "Payments");
    const { dialog } = history;
    await dialog.getByLabel("Amount").fill("60");
    await expect(dialog.getByRole("radio", { name: "Credit for next time" })).toBeChecked();
    await dialog.getByRole("button", { name: "Record" }).click();
    await history.says("Payment recorded");
  });
  await test.step("all are billed, Dana with the credit", async () => {
    await history.page.getByRole("link", { name: "Bill all" }).click();
    // In the first days of a month the one before is proposed.
    const month: Intl.DateTimeFormatOptions = { month: "long", year: "numeric", timeZone: "UTC" };
    const label = new Date(day()).toLocaleDateString("en-US", month);
    await page.getByLabel("Days to bill").selectOption({ label });
    const clients = page.getByRole("list", { name: "Clients to bill" }).getByRole("listitem");
    await expect(clients).toHaveCount(2);
    await expect(clients.filter({ hasText: "Dana Reyes" })).toContainText("$25.00 credit");
    await page.getByRole("button", { name: "Send all" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send all" }).click();
    await expect(page.getByRole("list", { name: "Invoices" }).getByRole("listitem")).toHaveCount(2);
  });
  expect((await office.call<InvoiceRow[]>("GET", "/invoices")).length).toBe(1);
  await network.heal();
  await expect
    .poll(async () => {
      const made = await office.call<InvoiceRow[]>("GET", "/invoices");
      const lines = made.map(
        (it) => `${it.clientData.name} ${it.total} ${it.payments.map((paid) => String(paid.amount)).join()}`,
      );
      return lines.toSorted((one, other) => one.localeCompare(other));
    })
    .toEqual(["Dana Reyes 25 25", "Dana Reyes 25 60", "Sam Rivers 25 "]);
});

/** The balance of a client on the real core and a real IndexedDB, with no network at all. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { AtScreen } from "../../../test/At";
import { AT, aClient, closePhone, type FeedRow, openPhone, rowsOf, saved } from "../../../test/phone";
import { type Client, type Invoice, loadRest, newId } from "../../core";
import ClientsScreen from "./ClientsScreen";

let dana: Client;

beforeEach(async () => {
  await loadRest();
  await page.viewport(390, 844);
  dana = aClient({ name: "Dana Reyes" });
});
afterEach(closePhone);

const anInvoice = (number: number, total: number, change: Partial<Invoice> = {}): Invoice => ({
  id: newId(),
  client_id: dana.id,
  number,
  prefix: "INV-",
  shareId: `aShareIdOfTwentyTwoCh${number}`,
  paid: false,
  issued_on: `2026-01-0${number}`,
  due_date: null,
  clientData: { name: dana.name, dogName: "", dogPhoto: null },
  servicesData: [],
  invoiceData: { startDate: "2026-01-01", endDate: "2026-01-02" },
  total,
  payments: [],
  shared_at: AT,
  ...change,
});

async function show(invoices: Invoice[]): Promise<void> {
  await openPhone([...rowsOf(dana), ...invoices.map((d): FeedRow => ({ t: "invoice", d }))]);
  await render(
    <AtScreen path={`/clients/${dana.id}`} route="/clients/*?">
      <ClientsScreen />
    </AtScreen>,
  );
}

const balance = page.getByRole("region", { name: "Balance" });
const dialog = page.getByRole("dialog", { name: "Record a payment" });

test("the balance is said with the entries that it is made of", async () => {
  const payments: Invoice["payments"] = [
    { id: newId(), amount: 10, method: "cash", paid_on: "2026-01-05", note: "At the door" },
  ];
  await show([anInvoice(1, 25, { payments }), anInvoice(2, 30)]);
  await expect.element(balance.getByText("$45.00 is owed")).toBeVisible();
  const entries = balance.getByRole("list", { name: "Entries" }).getByRole("listitem");
  await expect.element(entries.nth(0)).toHaveTextContent(/Payment on INV-1 in cash.*Jan 5, 2026 · At the door.*45/);
  await expect.element(entries.nth(1)).toHaveTextContent(/Invoice INV-2.*30/);
  await expect.element(entries.nth(2)).toHaveTextContent(/Invoice INV-1.*25/);
});

test("one payment pays the oldest invoices first, with parts that can be changed and one undo", async () => {
  const [first, second] = [anInvoice(1, 25), anInvoice(2, 30)];
  await show([first, second]);
  await balance.getByRole("button", { name: "Record a payment" }).click();
  await dialog.getByLabelText("Amount").fill("40");
  await expect.element(dialog.getByLabelText("INV-1")).toHaveValue("25.00");
  await expect.element(dialog.getByLabelText("INV-2")).toHaveValue("15.00");
  await dialog.getByLabelText("INV-1").fill("20");
  await dialog.getByRole("button", { name: "Record" }).click();
  const wrong = "The parts come to $35.00, and the amount is $40.00";
  await expect.element(dialog.getByText(wrong).first()).toBeVisible();
  await dialog.getByLabelText("INV-2").fill("20");
  await dialog.getByRole("button", { name: "Record" }).click();
  await expect.element(page.getByText("Payment recorded")).toBeVisible();
  await expect.element(balance.getByText("$15.00 is owed")).toBeVisible();
  const parts = [
    { invoice_id: first.id, amount: 20 },
    { invoice_id: second.id, amount: 20 },
  ];
  expect(saved()).toMatchObject([{ name: "record_payments", args: { parts, method: "cash" } }]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(balance.getByText("$55.00 is owed")).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
});

test("a refused part is marked at its own invoice", async () => {
  await show([anInvoice(1, 25), anInvoice(2, 30)]);
  await balance.getByRole("button", { name: "Record a payment" }).click();
  await dialog.getByLabelText("INV-1").fill("0");
  await dialog.getByLabelText("INV-2").fill("200000000");
  await dialog.getByLabelText("Amount").fill("200000000");
  await dialog.getByLabelText("INV-1").fill("0");
  await dialog.getByLabelText("INV-2").fill("200000000");
  await dialog.getByRole("button", { name: "Record" }).click();
  await page.getByRole("dialog", { name: "Please check" }).getByRole("button", { name: "Record it" }).click();
  await expect.element(dialog.getByLabelText("INV-2")).toHaveAttribute("aria-invalid", "true");
  await expect.element(dialog.getByLabelText("INV-1")).not.toHaveAttribute("aria-invalid", "true");
  expect(saved()).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test("a payment that was typed and not recorded is there when its form comes back", async () => {
  await show([anInvoice(1, 25), anInvoice(2, 30)]);
  await balance.getByRole("button", { name: "Record a payment" }).click();
  await dialog.getByLabelText("Amount").fill("40");
  await dialog.getByLabelText("Note").fill("At the door");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await balance.getByRole("button", { name: "Record a payment" }).click();
  await expect.element(dialog.getByLabelText("Amount")).toHaveValue("40.00");
  await dialog.getByRole("button", { name: "Record" }).click();
  await expect.element(page.getByText("Payment recorded")).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(saved()).toMatchObject([{ name: "record_payments", args: { note: "At the door" } }]);
  await balance.getByRole("button", { name: "Record a payment" }).click();
  await expect.element(dialog.getByLabelText("Amount")).toHaveValue("15.00");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test("a payment for what was written off is recorded", async () => {
  const write_off = { amount: 25, written_off_on: "2026-01-20", note: "" };
  await show([anInvoice(1, 25, { write_off })]);
  await balance.getByRole("button", { name: "Record a payment" }).click();
  await expect.element(dialog.getByText("Issued Jan 1, 2026, $25.00 written off")).toBeVisible();
  await expect.element(dialog.getByLabelText("Amount")).toHaveValue("25.00");
  await dialog.getByRole("button", { name: "Record" }).click();
  await expect.element(page.getByText("Payment recorded")).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(saved()).toMatchObject([{ name: "record_payments", args: { parts: [{ amount: 25 }] } }]);
});

test("a client who was never billed has no balance", async () => {
  await show([]);
  await expect.element(page.getByRole("heading", { name: "Upcoming" })).toBeVisible();
  expect(balance.elements()).toHaveLength(0);
});

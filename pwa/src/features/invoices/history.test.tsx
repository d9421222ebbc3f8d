/** The history of invoices on the real core and a real IndexedDB, with no network at all. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import {
  AT,
  aClient,
  aPet,
  aService,
  closePhone,
  type FeedRow,
  fillThisDisk,
  openPhone,
  pullReach,
  rowsOf,
  saved,
  signInOnPhone,
} from "../../../test/phone";
import {
  type Client,
  type Invoice,
  type InvoicePayment,
  loadRest,
  newId,
  type Pet,
  type Service,
  transportError,
} from "../../core";
import { business } from "../../data";
import { setSession } from "../../data/session/session";
import { startSyncing, stopSyncing } from "../../data/sync/sync";
import { ConfirmHost, ToastHost } from "../../ui";
import InvoicesScreen from "./InvoicesScreen";

let dana: Client;
let rex: Pet;
let walk: Service;

beforeEach(async () => {
  await loadRest();
  await page.viewport(390, 844);
  vi.spyOn(window, "fetch").mockRejectedValue(new TypeError("no network"));
  dana = aClient({ name: "Dana Reyes", phone: "+1 555 0100", email: "dana@example.com" });
  rex = aPet(dana, { name: "Rex" });
  walk = aService(dana, rex, { status: "completed", date: "2026-01-01" });
});
afterEach(closePhone);

/** One for a walk of $25 that was due long ago. */
function anInvoice(change: Partial<Invoice> = {}): Invoice {
  const { id, date, price } = walk;
  const times = { startTime: "11:00", endTime: "11:30", duration: 30 } as const;
  return {
    id: newId(),
    client_id: dana.id,
    number: 12,
    prefix: "INV-",
    shareId: "aShareIdOfTwentyTwoChr",
    paid: false,
    issued_on: "2026-01-02",
    due_date: "2026-01-09",
    clientData: { name: dana.name, dogName: "Rex", dogPhoto: null },
    servicesData: [
      { id, type: "walk", date, price, name: "", notes: "", ...times, dogs: [{ id: rex.id, name: "Rex" }] },
    ],
    invoiceData: { startDate: "2026-01-01", endDate: "2026-01-02" },
    total: 25,
    payments: [],
    shared_at: AT,
    ...change,
  };
}

const aPayment = (change: Partial<InvoicePayment> = {}): InvoicePayment => ({
  id: newId(),
  amount: 25,
  method: "cash",
  paid_on: "2026-01-05",
  note: "",
  ...change,
});

const invoiceRow = (d: Invoice): FeedRow => ({ t: "invoice", d });

async function show(invoices: Invoice[], at = "/invoices?tab=history", billed = walk): Promise<void> {
  const onInvoice = { ...billed, invoice_id: invoices[0]?.id ?? null };
  await openPhone([...rowsOf(dana, rex), { t: "service", d: onInvoice }, ...invoices.map(invoiceRow)]);
  await render(
    <At path={at}>
      <InvoicesScreen />
      <ConfirmHost />
      <ToastHost />
    </At>,
  );
}

const card = (name = "INV-12, Dana Reyes") => page.getByRole("article", { name });
const button = (name: string | RegExp) => page.getByRole("button", { name });
const kinds = page.getByRole("group", { name: "Invoices by state" });
const kind = (name: RegExp) => kinds.getByText(name);
const item = (name: string) => page.getByRole("menuitem", { name, exact: true });

test("a card says whose, for which days, how much and where it stands, and leads to the page", async () => {
  await show([anInvoice()]);
  for (const words of ["Overdue by", "Rex", "Jan 1 - Jan 2, 2026", "Due Jan 9, 2026", "$25.00"]) {
    await expect.element(card().getByText(words)).toBeVisible();
  }
  await expect
    .element(page.getByText(/^\$25\.00 owed by 1 client, \$25\.00 of it overdue, the oldest for/))
    .toBeVisible();
  const link = card().getByRole("link", { name: "View Invoice" });
  await expect.element(link).toHaveAttribute("href", "/invoice/aShareIdOfTwentyTwoChr");
  await expect.element(link).toHaveAttribute("target", "_blank");
});

test("an invoice is marked as paid with how, its services are counted, and a slip is undone", async () => {
  await show([anInvoice()]);
  await button("Mark Paid").click();
  await item("Transfer").click();
  await expect.element(page.getByText("Invoice marked as paid! 1 services updated.")).toBeVisible();
  await expect.element(card().getByText(/^Paid on/)).toBeVisible();
  await expect.element(page.getByText("Nothing is owed")).toBeVisible();
  await button("Undo").click();
  await expect.element(card().getByText(/^Overdue by/)).toBeVisible();
  const [paid, undone] = saved();
  expect(paid).toMatchObject({ name: "record_invoice_payment", args: { amount: null, method: "transfer" } });
  expect(undone?.name).toBe("remove_invoice_payment");
});

test("an invoice is deleted with a way back, and deleted ones are found and restored", async () => {
  await show([anInvoice()]);
  await button(/^More for/).click();
  await item("Delete").click();
  await expect.element(page.getByText("Invoice deleted successfully")).toBeVisible();
  await button("Undo").click();
  await expect.element(card()).toBeVisible();
  await button(/^More for/).click();
  await item("Delete").click();
  await expect.element(page.getByText("No invoices here")).toBeVisible();
  await kind(/^Deleted/).click();
  await card().getByRole("button", { name: "Restore" }).click();
  await button("Show all invoices").click();
  await expect.element(card()).toBeVisible();
  const names = saved().map((it) => it.name);
  expect(names).toEqual(["delete_invoice", "restore_invoice", "delete_invoice", "restore_invoice"]);
});

test("what fails on the disk says what it was, and why", async () => {
  await show([anInvoice()]);
  fillThisDisk();
  await button("Mark Paid").click();
  await item("Transfer").click();
  await expect.element(page.getByText(/^Failed to mark invoice as paid: This .* is full/)).toBeVisible();
  await button(/^More for/).click();
  await item("Delete").click();
  await expect.element(page.getByText(/^Failed to delete invoice: This .* is full/)).toBeVisible();
  await expect.element(card().getByText(/^Overdue by/)).toBeVisible();
});

test("a part is paid, stands in the list of payments, and is removed again", async () => {
  await show([anInvoice()]);
  await button(/^More for/).click();
  await item("Payments").click();
  await expect.element(page.getByText("Nothing is paid yet.")).toBeVisible();
  await page.getByLabelText("Amount").fill("10");
  await page.getByLabelText("How it was paid").selectOptions("Card");
  await page.getByLabelText(/^Note/).fill("The rest on Friday");
  await button("Record").click();
  await expect.element(page.getByText("Payment recorded")).toBeVisible();
  await expect.element(card().getByText("$15.00 still owed")).toBeVisible();
  await button(/^More for/).click();
  await item("Payments").click();
  const paid = page.getByRole("list", { name: "Paid so far" });
  await expect.element(paid).toHaveTextContent("$10.00");
  await expect.element(paid).toHaveTextContent("The rest on Friday");
  await button("Remove the payment of $10.00").click();
  await expect.element(page.getByText("Nothing is paid yet.")).toBeVisible();
});

test("an amount that is none is told in the core's words, and what was typed stays", async () => {
  await show([anInvoice()]);
  await button(/^More for/).click();
  await item("Payments").click();
  await page.getByLabelText("Amount").fill("0");
  await page.getByLabelText(/^Note/).fill("A slip");
  await button("Record").click();
  await expect.element(page.getByText("The amount must be more than 0")).toBeVisible();
  await expect.element(page.getByLabelText(/^Note/)).toHaveValue("A slip");
  expect(saved()).toEqual([]);
});

test("a payment that cannot be read is said at its field", async () => {
  await show([anInvoice()]);
  await button(/^More for/).click();
  await item("Payments").click();
  await page.getByLabelText("Amount").fill("12.345");
  await button("Record").click();
  await expect.element(page.getByText("Enter dollars and cents, such as 12.50")).toBeVisible();
  await expect.element(page.getByLabelText("Amount")).toHaveValue("12.345");
  expect(saved()).toEqual([]);
});

test("what has changed since is shown, and given back by a credit note of as much", async () => {
  await show([anInvoice()], "/invoices?tab=history", { ...walk, price: 18 });
  await expect.element(card().getByText("Jan 1, 2026: billed $25.00, now $18.00")).toBeVisible();
  await button("Give $7.00 back").click();
  await expect.element(page.getByLabelText("Amount")).toHaveValue("7.00");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect.element(page.getByText("Please say why")).toBeVisible();
  await page.getByLabelText("Reason").fill("A shorter walk");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect.element(page.getByText(/^Credit note (shared|saved\. )/)).toBeVisible();
  await expect.element(card().getByText("$18.00 still owed")).toBeVisible();
  await expect.element(button("Give $7.00 back")).not.toBeInTheDocument();
  expect(saved()).toMatchObject([{ name: "credit_invoice", args: { amount: 7, note: "A shorter walk" } }]);
});

test("what is dearer now leads to the client's next invoice", async () => {
  await show([anInvoice()], "/invoices?tab=history", { ...walk, price: 32 });
  const link = card().getByRole("link", { name: "Bill $7.00 with the next one" });
  await expect.element(link).toHaveAttribute("href", `/invoices?client=${dana.id}`);
});

test("a client whom neither mail nor notification reaches is not reminded by the server", async () => {
  await show([anInvoice()]);
  await button(/^More for/).click();
  await expect.element(item("Credit note")).toBeVisible();
  expect(item("Remind").elements()).toHaveLength(0);
});

test("a client is reminded after a question, and the card says that it waits to be sent", async () => {
  await show([anInvoice()]);
  await pullReach({ sends_mail: true });
  await button(/^More for/).click();
  await item("Remind").click();
  await button("Cancel").click();
  expect(saved()).toEqual([]);
  await button(/^More for/).click();
  await item("Remind").click();
  await page.getByRole("dialog", { name: "Remind Dana Reyes?" }).getByRole("button", { name: "Remind" }).click();
  await expect.element(page.getByText("The reminder goes to Dana Reyes")).toBeVisible();
  // It waits to be sent, and nobody is reminded before.
  await expect.element(card().getByText("Waiting to be sent")).toBeInTheDocument();
  await expect.element(card().getByText(/^reminded/)).not.toBeInTheDocument();
  expect(saved()).toMatchObject([{ name: "remind_of_invoice" }]);
  await button(/^More for/).click();
  await expect.element(item("Credit note")).toBeVisible();
  await expect.poll(() => item("Remind").elements()).toHaveLength(0);
});

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

test("a client who was reminded within the hour cannot be reminded again yet, and the card says why", async () => {
  await show([anInvoice({ reminded_at: minutesAgo(20) })]);
  await pullReach({ sends_mail: true });
  await expect.element(card().getByText(/^reminded 20m ago, at most once an hour$/)).toBeVisible();
  await button(/^More for/).click();
  await expect.element(item("Credit note")).toBeVisible();
  expect(item("Remind").elements()).toHaveLength(0);
});

test("a client who was reminded more than an hour ago can be reminded again", async () => {
  await show([anInvoice({ reminded_at: minutesAgo(70) })]);
  await pullReach({ sends_mail: true });
  await expect.element(card().getByText(/^reminded/)).toBeVisible();
  await expect.element(card().getByText(/once an hour/)).not.toBeInTheDocument();
  await button(/^More for/).click();
  await expect.element(item("Remind")).toBeVisible();
});

test("of one that is paid nobody is reminded", async () => {
  await show([anInvoice({ paid: true, payments: [aPayment({ amount: 30, tip: 5 })] })]);
  await expect.element(card().getByText("Paid on Jan 5, 2026")).toBeVisible();
  await expect.element(card().getByText("$5.00 tip")).toBeVisible();
  expect(button("Mark Paid").elements()).toHaveLength(0);
  await button(/^More for/).click();
  await expect.element(item("Credit note")).toBeVisible();
  expect(item("Remind").elements()).toHaveLength(0);
});

test("a credit note on a paid invoice is owed back, and the refund is recorded with its day and way", async () => {
  const credit = aPayment({ amount: 10, method: "credit", paid_on: "2026-02-01" });
  await show([anInvoice({ paid: true, payments: [aPayment(), credit] })]);
  await expect.element(card().getByText("Paid on Jan 5, 2026")).toBeVisible();
  await expect.element(card().getByText("$10.00 is owed back to Dana Reyes")).toBeVisible();
  await expect.element(page.getByText("$10.00 to pay back to clients")).toBeVisible();
  expect(button("It is a tip").elements()).toHaveLength(0);
  await button("Record a refund").click();
  await expect.element(page.getByLabelText("Amount")).toHaveValue("10.00");
  await page.getByLabelText("Amount").fill("10.01");
  await page.getByRole("button", { name: "Record", exact: true }).click();
  await expect.element(page.getByText("A refund cannot be more than what was overpaid")).toBeVisible();
  await page.getByLabelText("Amount").fill("10");
  await page.getByLabelText("How you refunded it").selectOptions("Transfer");
  await page.getByRole("button", { name: "Record", exact: true }).click();
  await expect.element(page.getByText("Refund recorded")).toBeVisible();
  await expect.element(card().getByText(/is owed back/)).not.toBeInTheDocument();
  await button("Undo").click();
  await expect.element(card().getByText("$10.00 is owed back to Dana Reyes")).toBeVisible();
  const [refund, undone] = saved();
  expect(refund).toMatchObject({ name: "record_invoice_refund", args: { amount: 10, method: "transfer" } });
  expect(undone?.name).toBe("remove_invoice_refund");
});

test("what was paid too much is asked about, and what is said can be undone", async () => {
  await show([anInvoice({ paid: true, payments: [aPayment({ amount: 60 })] })]);
  await expect
    .element(card().getByText("Dana Reyes paid $35.00 more than was owed. What is the extra for?"))
    .toBeVisible();
  await button("Keep as credit").click();
  await expect.element(card().getByText("$35.00 kept as credit")).toBeVisible();
  await button("Undo").click();
  await button("It is a tip").click();
  await expect.element(card().getByText("$35.00 tip")).toBeVisible();
  expect(saved().map((it) => it.args)).toMatchObject([
    { tip: 0, kept: 35 },
    { tip: 0, kept: 0 },
    { tip: 35, kept: 0 },
  ]);
});

test("an invoice that money and credit pay says why it cannot be deleted", async () => {
  const credit = aPayment({ amount: 10, method: "unknown", from: newId(), from_number: "INV-11" });
  await show([anInvoice({ paid: true, payments: [credit, aPayment({ amount: 15 })] })]);
  await button(/^More for/).click();
  await item("Delete").click();
  await expect.element(page.getByText(/It was paid, so please write a credit note instead/)).toBeVisible();
  expect(saved()).toEqual([]);
});

test("more than what is owed asks what the rest is", async () => {
  await show([anInvoice()]);
  await button(/^More for/).click();
  await item("Payments").click();
  await page.getByLabelText("Amount").fill("60");
  await expect.element(page.getByText("What should happen with the amount over $25.00?")).toBeVisible();
  await expect.element(page.getByRole("radio", { name: "Credit for next time" })).toBeChecked();
  await button("Record").click();
  await expect.element(page.getByText("Payment recorded")).toBeVisible();
  await expect.element(card().getByText("$35.00 kept as credit")).toBeVisible();
  expect(saved()).toMatchObject([{ args: { amount: 60, beyond: "credit" } }]);
});

test("ten times what is owed is asked about first", async () => {
  await show([anInvoice()]);
  await button(/^More for/).click();
  await item("Payments").click();
  await page.getByLabelText("Amount").fill("250");
  await button("Record").click();
  await expect.element(page.getByText("You typed $250.00, and $25.00 is owed. Is that right?")).toBeVisible();
  const question = page.getByRole("dialog", { name: "Please check" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect.element(question).not.toBeInTheDocument();
  await page.getByLabelText("Amount").fill("25");
  await button("Record").click();
  await expect.element(page.getByText("Payment recorded")).toBeVisible();
  expect(saved()).toMatchObject([{ args: { amount: 25 } }]);
});

test("what will never be paid is written off, and is owed again with undo", async () => {
  await show([anInvoice({ payments: [aPayment({ amount: 10 })] })]);
  await button(/^More for/).click();
  await item("Write off").click();
  await expect.element(card().getByText("Written off", { exact: true })).toBeVisible();
  await expect.element(card().getByText("$15.00 written off")).toBeVisible();
  await expect.element(page.getByText("Nothing is owed")).toBeVisible();
  await button("Undo").click();
  await expect.element(card().getByText("$15.00 still owed")).toBeVisible();
  expect(saved().map((it) => it.args)).toMatchObject([{ written_off: true }, { written_off: false }]);
});

const LOST = { amount: 25, written_off_on: "2026-01-20", note: "" };

test("a payment on a written-off invoice is recorded, with what was written off as its amount", async () => {
  await show([anInvoice({ write_off: LOST })]);
  await button(/^More for/).click();
  await item("Payments").click();
  await expect.element(page.getByLabelText("Amount")).toHaveValue("25.00");
  await button("Record").click();
  await expect.element(page.getByText("Payment recorded")).toBeVisible();
  await expect.element(card().getByText("$25.00 written off")).not.toBeInTheDocument();
  expect(saved()).toMatchObject([{ name: "record_invoice_payment", args: { amount: 25 } }]);
});

test("a written-off invoice is marked as paid", async () => {
  await show([anInvoice({ write_off: LOST })]);
  await button("Mark Paid").click();
  await item("Cash").click();
  await expect.element(page.getByText(/^Invoice marked as paid!/)).toBeVisible();
  await expect.element(card().getByText(/^Paid on/)).toBeVisible();
});

test("an invoice whose credit pays a later one is not deleted, and nothing is asked", async () => {
  const later = newId();
  const refunds = [{ id: newId(), amount: 10, method: "credit", refunded_on: "2026-01-06", note: "", to: later }];
  const payment = aPayment({ amount: 35, kept: 10 });
  await show([anInvoice({ paid: true, payments: [payment], refunds: refunds as Invoice["refunds"] })]);
  await button(/^More for/).click();
  await item("Delete").click();
  await expect.element(page.getByText(/Failed to delete invoice: Its credit pays a later invoice/)).toBeVisible();
  expect(page.getByRole("dialog").elements()).toHaveLength(0);
  expect(saved()).toEqual([]);
});

test("an invoice that was paid is not deleted, and what to do instead is said", async () => {
  await show([anInvoice({ paid: true, payments: [aPayment()] })]);
  await button(/^More for/).click();
  await item("Delete").click();
  const said = /Failed to delete invoice: It was paid, so please write a credit note instead/;
  await expect.element(page.getByText(said)).toBeVisible();
  expect(page.getByRole("dialog").elements()).toHaveLength(0);
  expect(saved()).toEqual([]);
});

test("an invoice that credit pays is deleted only after a question", async () => {
  await show([anInvoice({ paid: true, payments: [aPayment({ from: newId(), from_number: "INV-7" })] })]);
  await button(/^More for/).click();
  await item("Delete").click();
  const question = page.getByRole("dialog", { name: /^Delete invoice INV-12/ });
  await expect.element(question.getByText(/Restore brings both back, unless its credit is used/)).toBeVisible();
  await question.getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByText("Invoice deleted successfully")).toBeVisible();
  expect(saved().map((it) => it.name)).toEqual(["delete_invoice"]);
});

test("what is credited in full says so and bills nothing", async () => {
  const credit = aPayment({ amount: 25, method: "credit" });
  await show([anInvoice({ payments: [credit] })]);
  await expect.element(card().getByText("Credited", { exact: true })).toBeVisible();
  await expect.element(kinds).toHaveTextContent("All 1Credited 1");
  await expect.element(page.getByText("Nothing is owed")).toBeVisible();
});

test("what waits to be sent has no page and no number yet", async () => {
  await show([anInvoice({ number: null, shareId: null })]);
  await expect.element(card("Dana Reyes").getByText("Waiting to be sent")).toBeVisible();
  expect(page.getByRole("link", { name: "View Invoice" }).elements()).toHaveLength(0);
});

test("the list is of one kind and of one client, each with how many there are", async () => {
  const sam = aClient({ name: "Sam Ito" });
  const paid = { paid: true, payments: [aPayment()] };
  const invoices = [
    anInvoice(),
    anInvoice({ number: 13, ...paid, shareId: "2" }),
    anInvoice({ number: 14, client_id: sam.id, clientData: { name: "Sam Ito" }, shareId: "3" }),
  ];
  await show(invoices);
  await expect.element(kinds).toHaveTextContent("All 3Unpaid 2Overdue 2Paid 1");
  await kind(/^Paid/).click();
  await expect.poll(() => page.getByRole("article").elements().length).toBe(1);
  await expect.element(card("INV-13, Dana Reyes")).toBeVisible();
  await kind(/^All/).click();
  await page.getByLabelText("Client").selectOptions("Sam Ito");
  await expect.element(page.getByRole("article")).toHaveAccessibleName("INV-14, Sam Ito");
  await expect.element(kinds).toHaveTextContent("All 1Unpaid 1Overdue 1");
});

test("a long history comes page by page", async () => {
  const invoices = Array.from({ length: 65 }, (_, at) => anInvoice({ number: at + 1, shareId: `${at}` }));
  await show(invoices);
  const all = page.getByRole("article");
  await expect.poll(() => all.elements().length).toBe(30);
  await button("View 30 more").click();
  await expect.poll(() => all.elements().length).toBe(60);
  await button("View 5 more").click();
  await expect.poll(() => all.elements().length).toBe(65);
});

test("with none it says what to do", async () => {
  await show([]);
  await expect.element(page.getByText("No invoices yet")).toBeVisible();
  await expect.element(page.getByText(/Choose a client and what is unpaid/)).toBeVisible();
});

test("before anything has come five cards are on their way", async () => {
  await openPhone("nothing pulled");
  await render(
    <At path="/invoices?tab=history">
      <InvoicesScreen />
    </At>,
  );
  const loading = page.getByRole("status", { name: "Loading invoices" });
  await expect.element(loading).toBeVisible();
  expect(loading.element().children).toHaveLength(5);
});

test("without a network the history says why it is not here, and another try is offered", async () => {
  const fetched = vi.mocked(window.fetch);
  await openPhone("nothing pulled");
  await signInOnPhone();
  startSyncing(business());
  await render(
    <At path="/invoices?tab=history">
      <InvoicesScreen />
    </At>,
  );
  const failure = page.getByText(`Failed to load invoice history: ${transportError(0, "")}`);
  await expect.element(failure).toBeVisible();
  fetched.mockClear();
  await button("Try Again").click();
  await expect.poll(() => fetched.mock.calls.length).toBeGreaterThan(0);
  await stopSyncing();
  await setSession(undefined);
});

test("a card says what became of the mail and when its page was opened", async () => {
  const mailed = { to: "dana@example.com", state: "sent", at: "2026-01-02T10:00:00Z" } as const;
  await show([anInvoice({ mailed, opened_at: "2026-01-03T09:30:00Z" })]);
  await expect.element(card().getByText("Mailed to dana@example.com on Jan 2, 2026")).toBeVisible();
  await expect.element(card().getByText(/^Opened on Jan 3, 2026 at /)).toBeVisible();
});

test("a mail that could not be delivered is said on the card", async () => {
  const mailed = { to: "dana@example.com", state: "failed", at: "2026-01-02T10:00:00Z" } as const;
  await show([anInvoice({ mailed })]);
  await expect.element(card().getByText(/^The mail to dana@example.com could not be delivered/)).toBeVisible();
});

test("a search finds by number, client and amount, and says where nothing is", async () => {
  const other = anInvoice({ id: newId(), number: 120, total: 70, servicesData: [] });
  await show([anInvoice(), other]);
  const search = page.getByRole("searchbox", { name: "Search invoices" });
  await search.fill("INV-12");
  await expect.element(card("INV-120, Dana Reyes")).not.toBeInTheDocument();
  await expect.element(card()).toBeVisible();
  await search.fill("dana 70");
  await expect.element(card("INV-120, Dana Reyes")).toBeVisible();
  await expect.element(card()).not.toBeInTheDocument();
  await search.fill("nobody");
  await expect.element(page.getByText("Nothing found for “nobody”")).toBeVisible();
});

test("a search that finds nothing under a state goes on over all invoices", async () => {
  await show([
    anInvoice(),
    anInvoice({ id: newId(), number: 7, paid: true, payments: [aPayment()], servicesData: [] }),
  ]);
  await kind(/^Unpaid/).click();
  await page.getByRole("searchbox", { name: "Search invoices" }).fill("INV-7");
  await expect.element(page.getByText("Nothing found for “INV-7” under Unpaid")).toBeVisible();
  await button("Search all invoices").click();
  await expect.element(card("INV-7, Dana Reyes")).toBeVisible();
  await expect.element(page.getByRole("searchbox", { name: "Search invoices" })).toHaveValue("INV-7");
});

test("on a desktop it is a table whose rows open", async () => {
  await page.viewport(1280, 800);
  const other = anInvoice({ id: newId(), number: 13, total: 70, servicesData: [], due_date: null });
  await show([anInvoice(), other]);
  const row = page.getByRole("row", { name: /^INV-12/ });
  for (const words of ["Dana Reyes", "Jan 2, 2026", "Jan 9, 2026", "$25.00"]) {
    await expect.element(row).toHaveTextContent(words);
  }
  await expect.element(card()).not.toBeInTheDocument();
  await row.getByRole("button", { name: "INV-12", exact: true }).click();
  await expect.element(card()).toBeVisible();
  await row.getByRole("button", { name: "INV-12", exact: true }).click();
  await expect.element(card()).not.toBeInTheDocument();
});

test("on a wide desktop an invoice stands beside the table, and another row shows its own there", async () => {
  await page.viewport(1440, 900);
  const other = anInvoice({ id: newId(), number: 13, total: 70, servicesData: [], due_date: null });
  await show([anInvoice(), other]);
  const table = page.getByRole("table");
  const isBeside = (name: string) => {
    const [list, shown] = [table, card(name)].map((it) => it.element().getBoundingClientRect());
    return list !== undefined && shown !== undefined && list.right < shown.left && shown.top < list.bottom;
  };
  const press = (number: string) => table.getByRole("button", { name: number, exact: true });
  // The first is there without a press, since the room is.
  const [first, second] = ["INV-13", "INV-12"];
  await expect.element(card(`${first}, Dana Reyes`)).toBeVisible();
  expect(isBeside(`${first}, Dana Reyes`)).toBe(true);
  await expect.element(press(first ?? "")).toHaveAttribute("aria-expanded", "true");
  await press(second ?? "").click();
  await expect.element(card(`${second}, Dana Reyes`)).toBeVisible();
  expect(isBeside(`${second}, Dana Reyes`)).toBe(true);
  await expect.element(card(`${first}, Dana Reyes`)).not.toBeInTheDocument();
  // Pressed again it stays: nothing else needs the room.
  await press(second ?? "").click();
  await expect.element(card(`${second}, Dana Reyes`)).toBeVisible();
  await expect.element(table.getByRole("columnheader", { name: "Issued" })).not.toBeInTheDocument();
});

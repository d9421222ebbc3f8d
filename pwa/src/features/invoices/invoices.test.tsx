/** The sitter's invoices on the real core and a real IndexedDB, with no network at all. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import {
  AT,
  aClient,
  aPet,
  aPicture,
  aService,
  closePhone,
  type FeedRow,
  fillThisDisk,
  openPhone,
  pullRows,
  rowsOf,
  saved,
} from "../../../test/phone";
import {
  type AttentionEntry,
  type Client,
  type Invoice,
  loadRest,
  newId,
  type Pet,
  type Phone,
  type Service,
  type Sitter,
} from "../../core";
import { business, flushDrafts } from "../../data";
import { ConfirmHost, ToastHost } from "../../ui";
import InvoicesScreen from "./InvoicesScreen";
import { awaitLink } from "./news";

const show = (at = "/invoices") =>
  render(
    <At path={at}>
      <InvoicesScreen />
      <ConfirmHost />
      <ToastHost />
    </At>,
  );

let dana: Client;
let rex: Pet;

const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Done so many days ago, at 25 dollars. */
const done = (days: number, change: Partial<Service> = {}): Service =>
  aService(dana, rex, { date: ago(days), status: "completed", ...change });

const mara: Sitter = {
  id: "00000000-0000-7000-8000-000000000001",
  name: "Mara",
  service_area_radius_miles: 3,
  business_name: "Mara's Dog Walks",
  email: "mara@example.com",
  phone: "(555) 010-1200",
  time_zone: "UTC",
  created_at: AT,
};

const open = (services: Service[], attention: AttentionEntry[] = [], sitter = mara) => {
  const rows = services.map((d): FeedRow => ({ t: "service", d }));
  return openPhone([{ t: "sitter", d: sitter }, ...rowsOf(dana, rex), ...rows], attention);
};

const total = () => page.getByRole("status").filter({ hasText: "Total" });
const preview = page.getByRole("button", { name: "Generate Invoice Preview" });
const dialog = () => page.getByRole("dialog");

const toBill = (unbilled: string) =>
  page.getByRole("region", { name: "To bill" }).getByRole("button").filter({ hasText: unbilled });

beforeEach(async () => {
  await loadRest();
  dana = aClient({ name: "Dana Reyes", phone: "(555) 010-4477" });
  rex = aPet(dana, { name: "Rex" });
  await page.viewport(390, 844);
});
afterEach(closePhone);

test("without clients it leads to the first one", async () => {
  await openPhone([]);
  await show();
  await expect.element(page.getByText("No clients yet")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Add your first client" })).toBeVisible();
});

test("what a client has paid too much before is used, unless the sitter leaves it for later", async () => {
  const billed = done(20, { paid: true });
  const { id, date, price } = billed;
  const times = { startTime: "11:00", endTime: "11:30", duration: 30 } as const;
  const earlier: Invoice = {
    id: newId(),
    client_id: dana.id,
    number: 7,
    prefix: "INV-",
    shareId: "aShareIdOfTwentyTwoChr",
    paid: true,
    issued_on: ago(19),
    due_date: null,
    clientData: { name: dana.name, dogName: "Rex", dogPhoto: null },
    servicesData: [{ id, type: "walk", date, price, name: "", notes: "", ...times, dogs: [] }],
    invoiceData: { startDate: date, endDate: date },
    total: 25,
    payments: [{ id: newId(), amount: 35, method: "cash", paid_on: ago(18), note: "", kept: 10 }],
    shared_at: AT,
  };
  const onEarlier: Service = { ...billed, invoice_id: earlier.id };
  await openPhone([
    { t: "sitter", d: mara },
    ...rowsOf(dana, rex),
    { t: "service", d: onEarlier },
    { t: "service", d: done(2) },
    { t: "invoice", d: earlier },
  ]);
  await show(`/invoices?client=${dana.id}`);
  const credit = page.getByRole("checkbox", { name: "Use $10.00 credit" });
  await expect.element(credit).toBeChecked();
  await preview.click();
  await expect.element(dialog().getByText("Credit from INV-7")).toBeVisible();
  await expect.element(dialog().getByText("$15.00").first()).toBeVisible();
  await dialog().getByRole("button", { name: "Share Invoice" }).click();
  await expect.element(dialog().getByText(/is being shared/)).toBeVisible();
  expect(saved()).toMatchObject([
    { name: "share_invoice", args: { total: 25, credits: [{ invoice_id: earlier.id, amount: 10 }] } },
  ]);
  await dialog().getByRole("button", { name: "Close" }).last().click();
});

test("everything that a client owes is shared with three presses, at the total that was seen", async () => {
  const services = [done(40), done(2, { price: 30 })];
  await open(services);
  await show();
  await toBill("2 visits, $55.00 unbilled").click();
  await expect.element(total()).toHaveTextContent("$55.00");
  await preview.click();
  await expect.element(dialog().getByText("Dana Reyes")).toBeVisible();
  await dialog().getByRole("button", { name: "Share Invoice" }).click();
  await expect.element(dialog().getByText(/is being shared/)).toBeVisible();
  expect(saved()).toMatchObject([
    {
      name: "share_invoice",
      args: { client_id: dana.id, services: services.map((it) => it.id), start_date: ago(40), total: 55 },
    },
  ]);
  await dialog().getByRole("button", { name: "Close" }).last().click();
  await expect.element(page.getByText("Everything is billed")).toBeVisible();
});

test("each service and each extra line has its tax rate, and the sums say what each comes to", async () => {
  const services = [done(3), done(2)];
  const invoicing = {
    tax: { name: "Sales tax", rate: 887, rate_thousandths: 5 },
    more_taxes: [{ name: "City tax", rate: 662, rate_thousandths: 5 }],
  };
  await open(services, [], { ...mara, invoicing });
  await show();
  await toBill("2 visits, $50.00 unbilled").click();
  await expect.element(total()).toHaveTextContent("$54.44");
  await page.getByText("Due date, note, extra lines, tax").click();
  const taxes = page.getByRole("group", { name: "Tax on each service" });
  await taxes.getByRole("combobox").nth(1).selectOptions("City tax 6.625%");
  await expect.element(total()).toHaveTextContent("$53.88");
  await page.getByRole("button", { name: "Add a line" }).click();
  await page.getByLabelText("Extra line").fill("Key fob");
  await page.getByLabelText("Amount").fill("5");
  await page.getByLabelText("Tax", { exact: true }).selectOptions("No tax");
  await expect.element(total()).toHaveTextContent("$58.88");
  await preview.click();
  await expect.element(dialog().getByText("City tax 6.625% on $25.00")).toBeVisible();
  await expect.element(dialog().getByText("Key fob · No tax")).toBeVisible();
  await dialog().getByRole("button", { name: "Share Invoice" }).click();
  await expect.element(dialog().getByText(/is being shared/)).toBeVisible();
  expect(saved()).toMatchObject([
    {
      args: {
        service_taxes: [{ id: services[1]?.id, tax_name: "City tax" }],
        extras: [{ label: "Key fob", amount: 5, tax_name: "" }],
        total: 58.88,
      },
    },
  ]);
  await dialog().getByRole("button", { name: "Close" }).last().click();
});

test("a tax rate that was removed since is named at its line, and another one can be chosen", async () => {
  const invoicing = { tax: { name: "Sales tax", rate: 1000 }, more_taxes: [{ name: "City tax", rate: 2000 }] };
  await open([done(3)], [], { ...mara, invoicing });
  await show();
  await toBill("1 visit, $25.00 unbilled").click();
  await page.getByText("Due date, note, extra lines, tax").click();
  const taxes = page.getByRole("group", { name: "Tax on each service" });
  await taxes.getByRole("combobox").selectOptions("City tax 20%");
  await expect.element(total()).toHaveTextContent("$30.00");
  const without: Sitter = { ...mara, invoicing: {} };
  await pullRows({ t: "sitter", d: without });
  await expect.element(taxes.getByRole("combobox")).toHaveDisplayValue("City tax, no longer one of your rates");
  await preview.click();
  await expect.element(taxes.getByText("Your settings have no tax rate of this name")).toBeVisible();
  await taxes.getByRole("combobox").selectOptions("No tax");
  await preview.click();
  await expect.element(dialog().getByRole("button", { name: "Share Invoice" })).toBeVisible();
  await dialog().getByRole("button", { name: "Close" }).last().click();
});

test("the last seven days come first; what is paid is checked off, disabled and in no total", async () => {
  const paid = done(1, { price: 40, paid: true });
  const coming = aService(dana, rex, { date: ago(0), start_time: "23:30" });
  await open([done(20), done(2), paid, coming]);
  await show();
  await page.getByLabelText("Client", { exact: true }).selectOptions("Dana Reyes (Rex): 2 visits, $50.00 unbilled");
  const boxes = page.getByRole("checkbox");
  await expect.element(boxes.nth(0)).toBeChecked();
  await expect.element(boxes.nth(1)).toBeChecked();
  await expect.element(boxes.nth(1)).toBeDisabled();
  await expect.element(boxes.nth(2)).not.toBeChecked();
  expect(boxes.elements()).toHaveLength(3);
  await expect.element(total()).toHaveTextContent("$25.00");
  await boxes.nth(2).click();
  await expect.element(total()).toHaveTextContent("$50.00");
  await page.getByRole("button", { name: "Everything unpaid" }).click();
  await expect.element(boxes.nth(3)).toBeInTheDocument();
  await expect.element(total()).toHaveTextContent("$50.00");
  await page.getByRole("button", { name: "Tick all" }).click();
  await expect.element(total()).toHaveTextContent("$75.00");
  await page.getByRole("button", { name: "Untick all" }).click();
  await expect.element(total()).toHaveTextContent("$0.00");
});

test("with nothing to bill nobody is said to owe nothing: an invoice may be unpaid", async () => {
  await open([]);
  await show();
  await page.getByLabelText("Client", { exact: true }).selectOptions("Dana Reyes (Rex)");
  await expect.element(page.getByText("Nothing is unbilled from before either.")).toBeVisible();
});

test("visits that are not marked done are named at their client, and the schedule shows them", async () => {
  await open([done(3), done(2, { status: "scheduled" }), done(1, { status: "scheduled" })]);
  await show();
  const owed = toBill("$25.00");
  await expect.element(owed).toHaveTextContent("2 visits not marked done");
  const part = page.getByRole("region", { name: "To bill" });
  await expect.element(part.getByText(/^Visits that are not marked done are not counted yet\./)).toBeVisible();
  const link = part.getByRole("link", { name: "Show overdue visits" });
  await expect.element(link).toHaveAttribute("href", "/scheduling?view=list&range=overdue");
});

test("a client of whom only visits that are not marked done are open is listed, too", async () => {
  await open([done(1, { status: "scheduled" })]);
  await show();
  const part = page.getByRole("region", { name: "To bill" });
  await expect.element(part.getByRole("button")).toHaveTextContent(/^Dana Reyes \(Rex\)1 visit not marked done$/);
  await expect.element(part.getByRole("link", { name: "Show overdue visits" })).toBeVisible();
});

test("where every visit is marked done nothing is said of overdue ones", async () => {
  await open([done(3)]);
  await show();
  await expect.element(toBill("$25.00")).toBeVisible();
  expect(page.getByRole("link", { name: "Show overdue visits" }).query()).toBeNull();
});

test("the preview says what the page will say", async () => {
  const invoicing = { due_days: 14, tips: [15, 20], tip_nudge: "For treats.", pay_to: { venmo: "maras-walks" } };
  await open([done(2, { notes: "Rex was brave", duration_minutes: 45 })], [], { ...mara, invoicing });
  await show();
  await toBill("1 visit, $25.00 unbilled").click();
  await preview.click();
  const article = dialog().getByRole("article");
  await expect.element(article.getByRole("heading", { name: "Invoice", exact: true })).toBeVisible();
  for (const words of ["Mara's Dog Walks", "(555) 010-1200", "For treats.", "@maras-walks", "Rex was brave"]) {
    await expect.element(article.getByText(words)).toBeVisible();
  }
  await expect.element(article.getByText("11:00 AM - 11:45 AM · 45 min")).toBeVisible();
  await expect.element(article.getByRole("list", { name: "Tips" })).toHaveTextContent("15%$3.7520%$5.00");
});

test("with nothing chosen the preview is refused with the specification's words", async () => {
  await open([done(2)]);
  await show();
  await preview.click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("Please select a client and at least one service");
  await expect.element(dialog()).not.toBeInTheDocument();
});

test("extra lines and discounts count, and what is wrong with one is unfolded", async () => {
  await open([done(2)]);
  await show();
  await toBill("1 visit, $25.00 unbilled").click();
  await page.getByText("Due date, note, extra lines").click();
  await page.getByRole("button", { name: "Add a line" }).click();
  for (const text of [/^Note to the client/, "Extra line"]) {
    await expect
      .element(page.getByLabelText(text))
      .toHaveAccessibleDescription("Your client sees this, and so does anyone with the invoice's link");
  }
  await page.getByLabelText("Extra line").fill("Key fob");
  await page.getByLabelText("Amount").fill("12.50");
  await page.getByRole("button", { name: "Add a discount" }).click();
  await page.getByText("Due date, note, extra lines").click();
  await preview.click();
  await expect.element(page.getByLabelText("Taken off")).toHaveFocus();
  await page.getByLabelText("Taken off").fill("2.50");
  await expect.element(total()).toHaveTextContent("$35.00");
  await preview.click();
  await expect.element(dialog().getByText("Key fob")).toBeVisible();
  await expect.element(dialog().getByText("-$2.50")).toBeVisible();
});

test("an amount that is none is said at its field, unfolded, and the form stays whole", async () => {
  await open([done(2)]);
  await show();
  await toBill("1 visit, $25.00 unbilled").click();
  await page.getByText("Due date, note, extra lines").click();
  await page.getByRole("button", { name: "Add a line" }).click();
  await page.getByLabelText("Extra line").fill("Key fob");
  await page.getByLabelText("Amount").fill("12.345");
  await page.getByText("Due date, note, extra lines").click();
  await expect.element(total()).toHaveTextContent("$25.00");
  await preview.click();
  await expect.element(page.getByLabelText("Amount")).toHaveFocus();
  await expect.element(page.getByText("Enter dollars and cents, such as 12.50")).toBeVisible();
  await expect.element(dialog()).not.toBeInTheDocument();
  await page.getByLabelText("Amount").fill("1,012.34");
  await expect.element(total()).toHaveTextContent("$1,037.34");
  await preview.click();
  await expect.element(dialog().getByText("Key fob")).toBeVisible();
});

test("what was typed is there after the tab was killed, and is gone when it was shared", async () => {
  await open([done(2)]);
  const screen = await show();
  await toBill("1 visit, $25.00 unbilled").click();
  await page.getByText("Due date, note, extra lines").click();
  await page.getByLabelText("Note to the client").fill("Rex was brave");
  await flushDrafts();
  await screen.unmount();
  await show();
  await expect.element(page.getByText("Restored what you typed.")).toBeVisible();
  await preview.click();
  await expect.element(dialog().getByText("Rex was brave")).toBeVisible();
  await dialog().getByRole("button", { name: "Share Invoice" }).click();
  await dialog().getByRole("button", { name: "Close" }).last().click();
  await expect.element(page.getByText("Restored what you typed.")).not.toBeInTheDocument();
  expect(saved()).toMatchObject([{ args: { note: "Rex was brave" } }]);
});

test("from a client's page the client is chosen already", async () => {
  await open([done(2)]);
  await show(`/invoices?client=${dana.id}`);
  await expect.element(total()).toHaveTextContent("$25.00");
});

test("photos that were chosen for one client are no other's, and come back with the slip undone", async () => {
  const amir = aClient({ name: "Amir Haddad" });
  const services = [done(2)].map((d): FeedRow => ({ t: "service", d }));
  await openPhone([{ t: "sitter", d: mara }, ...rowsOf(dana, rex), ...rowsOf(amir), ...services]);
  await show(`/invoices?client=${dana.id}`);
  await userEvent.upload(page.getByLabelText("Add photos"), await aPicture("rex.png"));
  await expect.element(page.getByRole("img", { name: "Photo 1" })).toBeVisible();
  await userEvent.selectOptions(page.getByLabelText("Client", { exact: true }), "Amir Haddad");
  await expect.element(page.getByRole("img", { name: "Photo 1" })).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(page.getByRole("img", { name: "Photo 1" })).toBeVisible();
  await expect.element(total()).toHaveTextContent("$25.00");
});

test("photos of a draft are not lost where another client's page leads to the form", async () => {
  const amir = aClient({ name: "Amir Haddad" });
  const services = [done(2)].map((d): FeedRow => ({ t: "service", d }));
  await openPhone([{ t: "sitter", d: mara }, ...rowsOf(dana, rex), ...rowsOf(amir), ...services]);
  const before = await show(`/invoices?client=${dana.id}`);
  await userEvent.upload(page.getByLabelText("Add photos"), await aPicture("rex.png"));
  await expect.element(page.getByRole("img", { name: "Photo 1" })).toBeVisible();
  await flushDrafts();
  await before.unmount();
  await show(`/invoices?client=${amir.id}`);
  await expect.element(page.getByLabelText("Client", { exact: true })).toHaveDisplayValue(/^Amir Haddad/);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(page.getByRole("img", { name: "Photo 1" })).toBeVisible();
  await expect.element(total()).toHaveTextContent("$25.00");
});

test("one that was turned down shows what was seen and what it comes to, and goes out at that", async () => {
  const [service, other] = [done(2, { price: 30 }), done(1)];
  const id = newId();
  const args = {
    id: newId(),
    client_id: dana.id,
    services: [service.id],
    start_date: ago(6),
    end_date: ago(0),
    total: 25,
  };
  const refused: AttentionEntry = {
    entry: {
      mutation: { id, seq: 1, v: 1, made_at: AT, base_rev: 1, name: "share_invoice", args },
      sentence: "Share an invoice for Dana Reyes",
      photos: [],
    },
    outcome: {
      id,
      outcome: "rejected",
      rev: 2,
      adjustments: [],
      refusal: { code: "invoice_changed", quoted: 25, total: 30 },
    },
  };
  await open([service, other], [refused]);
  await show(`/invoices?fix=${id}`);
  await expect.element(page.getByText(/you saw \$25\.00, .* \$30\.00/)).toBeVisible();
  await expect.element(total()).toHaveTextContent("$30.00");
  await preview.click();
  await dialog().getByRole("button", { name: "Share Invoice" }).click();
  await dialog().getByRole("button", { name: "Close" }).last().click();
  expect(business().phone.attentionCount()).toBe(0);
  expect(saved()).toMatchObject([{ args: { id: args.id, services: [service.id], total: 30 } }]);
});

test.each([
  ["INV-12", 1, "INV-12 already bills one of these visits.", "Show INV-12"],
  ["", 2, "another invoice already bills 2 of these visits.", "Show the invoice"],
])(
  "one that was turned down because invoice '%s' bills its visits leads to that one",
  async (number, services, reason, link) => {
    const [billed, free] = [done(2), done(1)];
    const [id, invoice_id] = [newId(), newId()];
    const args = {
      id: newId(),
      client_id: dana.id,
      services: [billed.id, free.id],
      start_date: ago(6),
      end_date: ago(0),
      total: 50,
    };
    const refused: AttentionEntry = {
      entry: {
        mutation: { id, seq: 1, v: 1, made_at: AT, base_rev: 1, name: "share_invoice", args },
        sentence: "Share an invoice for Dana Reyes",
        photos: [],
      },
      outcome: {
        id,
        outcome: "rejected",
        rev: 2,
        adjustments: [],
        refusal: { code: "invoice_changed", quoted: 50, total: 25, elsewhere: { invoice_id, number, services } },
      },
    };
    const other: Invoice = {
      id: invoice_id,
      client_id: dana.id,
      number: 12,
      prefix: "INV-",
      shareId: "aShareIdOfTwentyTwoChr",
      paid: false,
      issued_on: ago(1),
      clientData: { name: dana.name, dogName: "Rex" },
      servicesData: [],
      invoiceData: { startDate: ago(2), endDate: ago(1) },
      total: 25,
      shared_at: AT,
    };
    const rows = [{ ...billed, invoice_id }, free].map((d): FeedRow => ({ t: "service", d }));
    await openPhone([{ t: "sitter", d: mara }, ...rowsOf(dana, rex), ...rows, { t: "invoice", d: other }], [refused]);
    await show(`/invoices?fix=${id}`);
    await expect.element(page.getByText(`It was not shared: ${reason}`)).toBeVisible();
    await page.getByRole("link", { name: link, exact: true }).click();
    await expect.element(page.getByRole("article", { name: "INV-12, Dana Reyes" })).toBeVisible();
  },
);

test("where services cannot be shown the reason stands in their place, with another try", async () => {
  await open([done(2)]);
  // React and the browser both report what is caught here on purpose.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(window, "reportError").mockImplementation(() => undefined);
  const broken = vi.spyOn(business().phone as Phone, "checkInvoice").mockImplementation(() => {
    throw new Error("the core broke");
  });
  await show();
  await expect.element(page.getByText("Failed to load services: the core broke")).toBeVisible();
  broken.mockRestore();
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect.element(preview).toBeVisible();
});

test("on a full disk it says that it was not shared, and why", async () => {
  await open([done(2)]);
  await show();
  await toBill("1 visit, $25.00 unbilled").click();
  await preview.click();
  fillThisDisk();
  await dialog().getByRole("button", { name: "Share Invoice" }).click();
  await expect.element(dialog().getByText(/^Failed to share invoice: This .* is full/)).toBeVisible();
});

test.each([
  ["is taken", () => Promise.resolve(), "Invoice shared! URL copied to clipboard"],
  [
    "is not",
    () => Promise.reject(new DOMException("", "NotAllowedError")),
    "Invoice shared! Copy its link for the client",
  ],
])("the link that was waited for goes to the clipboard; where it %s, that is said", async (_, write, words) => {
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockImplementation(write);
  const invoice = sharedInvoice();
  await openPhone([...rowsOf(dana, rex), { t: "invoice", d: invoice }]);
  awaitLink(invoice.id);
  await show(`/invoices?shared=${invoice.id}`);
  await expect.element(page.getByText(words)).toBeVisible();
  const url = `${location.origin}/invoice/AAAAAAAAAAAAAAAAAAAAAA`;
  expect(copied).toHaveBeenCalledExactlyOnceWith(url);
  await expect.element(dialog().getByLabelText("Link for the client")).toHaveValue(url);
});

/** An unpaid invoice of $75, with its number and its link. */
const sharedInvoice = () => ({
  id: newId(),
  client_id: dana.id,
  number: 12,
  prefix: "INV-",
  shareId: "AAAAAAAAAAAAAAAAAAAAAA",
  paid: false,
  issued_on: ago(0),
  clientData: { name: "Dana Reyes" },
  servicesData: [],
  invoiceData: { startDate: ago(6), endDate: ago(0) },
  total: 75,
  shared_at: AT,
});

test("when the link has come it can be copied, written and shared", async () => {
  const invoice = sharedInvoice();
  await openPhone([...rowsOf(dana, rex), { t: "invoice", d: invoice }]);
  await show(`/invoices?shared=${invoice.id}`);
  await expect.element(page.getByRole("dialog", { name: "Invoice INV-12, $75.00" })).toBeVisible();
  const url = `${location.origin}/invoice/AAAAAAAAAAAAAAAAAAAAAA`;
  await expect.element(dialog().getByLabelText("Link for the client")).toHaveValue(url);
  await expect.element(dialog().getByRole("button", { name: "Copy link" })).toBeVisible();
  const text = dialog().getByRole("link", { name: "Text" });
  await expect
    .element(text)
    .toHaveAttribute("href", `sms:5550104477?&body=${encodeURIComponent(`Invoice INV-12, $75.00: ${url}`)}`);
});

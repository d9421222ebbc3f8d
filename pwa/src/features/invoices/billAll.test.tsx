/** 'Bill all' on the real core and a real IndexedDB, with no network at all. */
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
  openPhone,
  pullRows,
  rowsOf,
} from "../../../test/phone";
import {
  type AttentionEntry,
  type Client,
  type Invoice,
  loadRest,
  newId,
  type Pet,
  type Service,
  type Sitter,
} from "../../core";
import { business, save } from "../../data";
import { ConfirmHost, ToastHost } from "../../ui";
import InvoicesScreen from "./InvoicesScreen";

const show = () =>
  render(
    <At path="/invoices?bill=all">
      <InvoicesScreen />
      <ConfirmHost />
      <ToastHost />
    </At>,
  );

let dana: Client;
let kim: Client;
let rex: Pet;
let bo: Pet;

/** Done at 25 dollars. */
const done = (client: Client, pet: Pet, date: string, change: Partial<Service> = {}): Service =>
  aService(client, pet, { date, status: "completed", ...change });

const MARA = "00000000-0000-7000-8000-000000000001";

const aSitter = (invoicing: Sitter["invoicing"] = {}): FeedRow => {
  const d: Sitter = {
    id: MARA,
    name: "Mara",
    email: "mara@example.com",
    service_area_radius_miles: 5,
    time_zone: "UTC",
    created_at: AT,
    invoicing,
  };
  return { t: "sitter", d };
};

const open = (services: Service[]) => {
  const rows = services.map((d): FeedRow => ({ t: "service", d }));
  return openPhone([aSitter(), ...rowsOf(dana, rex), ...rowsOf(kim, bo), ...rows]);
};

const clients = () => page.getByRole("list", { name: "Clients to bill" });
const sum = () => page.getByRole("status").filter({ hasText: "$" });
const sendAll = page.getByRole("button", { name: "Send all" });
const dialog = () => page.getByRole("dialog");

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-12-02T10:00:00Z") });
  await loadRest();
  dana = aClient({ name: "Dana Reyes" });
  rex = aPet(dana, { name: "Rex" });
  kim = aClient({ name: "Kim Park", phone: "" });
  bo = aPet(kim, { name: "Bo" });
});

afterEach(async () => {
  await closePhone();
  vi.useRealTimers();
});

test("a month is billed in one go, without those who are left out", async () => {
  await open([
    done(dana, rex, "2026-11-02"),
    done(dana, rex, "2026-11-27"),
    done(kim, bo, "2026-11-05"),
    aService(kim, bo, { date: "2026-11-06" }),
  ]);
  await show();
  await expect.element(page.getByLabelText("Days to bill")).toHaveDisplayValue("November 2026");
  await expect.element(clients()).toHaveTextContent("2 visits, Nov 2 - Nov 27, 2026");
  await expect.element(clients()).toHaveTextContent("1 visit not marked done");
  await expect.element(sum()).toHaveTextContent("2 invoices$75.00");
  await page.getByRole("checkbox", { name: /Kim Park/ }).click();
  await expect.element(sum()).toHaveTextContent("1 invoice$50.00");
  await sendAll.click();
  await dialog().getByRole("button", { name: "Send all" }).click();
  await expect.element(page.getByRole("status").filter({ hasText: "1 invoice waits to be sent" })).toBeVisible();
  // What was pressed is gone: the keyboard goes on from what has taken its place.
  await expect.poll(() => document.activeElement?.textContent).toContain("1 invoice waits to be sent");
  expect(business().phone.outbox()).toMatchObject([
    { mutation: { name: "share_invoice", args: { client_id: dana.id, total: 50 } } },
  ]);
  await page.getByRole("button", { name: "Done" }).click();
  await expect.element(sum()).toHaveTextContent("1 invoice$25.00");
});

test("an invoice of the list can be adjusted, and the change taken back", async () => {
  await open([done(dana, rex, "2026-11-02"), done(dana, rex, "2026-11-27")]);
  await show();
  await page.getByRole("button", { name: "Change the invoice for Dana Reyes (Rex)" }).click();
  await dialog()
    .getByRole("checkbox", { name: /Nov 27/ })
    .click();
  await dialog().getByRole("button", { name: "Add a line" }).click();
  await dialog().getByLabelText("Extra line").fill("Keys");
  await dialog().getByLabelText("Amount").fill("10");
  await dialog().getByRole("button", { name: "Use these changes" }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(sum()).toHaveTextContent("1 invoice$35.00");
  await expect.element(clients()).toHaveTextContent("1 visit, Nov 2, 2026, changed by you");
  await page.getByRole("button", { name: "Change the invoice for Dana Reyes (Rex)" }).click();
  await dialog().getByRole("button", { name: "Undo" }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(sum()).toHaveTextContent("1 invoice$50.00");
});

test("credit of a client is used unless it is left for later", async () => {
  const kept: Invoice = {
    id: newId(),
    client_id: dana.id,
    number: 3,
    prefix: "INV-",
    shareId: "aShareIdOfTwentyTwoChr",
    paid: true,
    issued_on: "2026-10-02",
    clientData: { name: dana.name, dogName: "Rex", dogPhoto: null },
    servicesData: [],
    invoiceData: { startDate: "2026-10-01", endDate: "2026-10-01" },
    total: 25,
    payments: [{ id: newId(), amount: 35, method: "cash", paid_on: "2026-10-03", note: "", kept: 10 }],
    shared_at: "2026-10-02T10:00:00.000Z",
  };
  await openPhone([
    aSitter(),
    ...rowsOf(dana, rex),
    { t: "invoice", d: kept },
    { t: "service", d: done(dana, rex, "2026-11-02") },
  ]);
  await show();
  await expect.element(clients()).toHaveTextContent("1 visit, Nov 2, 2026. Uses $10.00 credit");
  await page.getByRole("button", { name: "Change the invoice for Dana Reyes (Rex)" }).click();
  const credit = dialog().getByRole("checkbox", { name: "Use $10.00 credit" });
  await expect.element(credit).toBeChecked();
  await credit.click();
  await dialog().getByRole("button", { name: "Use these changes" }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(clients()).toHaveTextContent("1 visit, Nov 2, 2026, changed by you");
});

test("of many clients a page is drawn, and all of them are billed", async () => {
  const many = Array.from({ length: 40 }, (_, index) => aClient({ name: `Robin ${String(index).padStart(2, "0")}` }));
  const rows = many.flatMap((it): FeedRow[] => {
    const pet = aPet(it, { name: "Max" });
    return [...rowsOf(it, pet), { t: "service", d: done(it, pet, "2026-11-05") }];
  });
  await openPhone([aSitter(), ...rows]);
  await show();
  await expect.element(sum()).toHaveTextContent("40 invoices$1,000.00");
  expect(clients().getByRole("listitem").elements()).toHaveLength(30);
  await page.getByRole("button", { name: "View 10 more" }).click();
  await expect.poll(() => clients().getByRole("listitem").elements().length).toBe(40);
});

test("nothing to bill says so", async () => {
  await open([]);
  await show();
  await expect.element(page.getByText("Nothing to bill: November 2026")).toBeVisible();
  await expect.element(sendAll).toBeDisabled();
});

const change = () => page.getByRole("button", { name: "Change the invoice for Dana Reyes (Rex)" });

/** Adds a line of $10 in the dialog that is open. */
async function addLine(label: string): Promise<void> {
  await dialog().getByRole("button", { name: "Add a line" }).click();
  await dialog().getByLabelText("Extra line").fill(label);
  await dialog().getByLabelText("Amount").fill("10");
}

test("an invoice of the list is adjusted with its tax rates", async () => {
  await open([done(dana, rex, "2026-11-02")]);
  await pullRows(aSitter({ tax: { name: "Sales tax", rate: 1000 }, more_taxes: [{ name: "City tax", rate: 2000 }] }));
  await show();
  await expect.element(sum()).toHaveTextContent("1 invoice$27.50");
  await change().click();
  const taxes = dialog().getByRole("group", { name: "Tax on each service" });
  await taxes.getByRole("combobox").selectOptions("City tax 20%");
  await dialog().getByRole("button", { name: "Use these changes" }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(sum()).toHaveTextContent("1 invoice$30.00");
});

test("changes that were not used are named, belong to their days, and go with what is sent", async () => {
  await open([done(dana, rex, "2026-11-02"), done(dana, rex, "2026-10-02")]);
  await show();
  await change().click();
  await addLine("Keys");
  await dialog().getByRole("button", { name: "Close" }).last().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(clients()).toHaveTextContent("Changes not used");
  await expect.element(sum()).toHaveTextContent("1 invoice$25.00");
  await page.getByLabelText("Days to bill").selectOptions("October 2026");
  await expect.element(clients()).not.toHaveTextContent("Changes not used");
  await page.getByLabelText("Days to bill").selectOptions("November 2026");
  await expect.element(clients()).toHaveTextContent("Changes not used");
  await sendAll.click();
  await dialog().getByRole("button", { name: "Send all" }).click();
  await expect.element(page.getByRole("button", { name: "Done" })).toBeVisible();
  expect((await business().store.draftKeys()).filter((it) => it.startsWith("bill-all:"))).toEqual([]);
});

test("what was adjusted for an invoice that could not be saved is there for the next attempt", async () => {
  await open([done(dana, rex, "2026-11-02"), done(kim, bo, "2026-11-05")]);
  await show();
  await change().click();
  await addLine("Keys");
  await dialog().getByRole("button", { name: "Use these changes" }).click();
  await expect.element(sum()).toHaveTextContent("2 invoices$60.00");
  const { store } = business();
  const append = store.append.bind(store);
  vi.spyOn(store, "append").mockImplementation((entry, extras) =>
    JSON.stringify(entry).includes("Keys")
      ? Promise.reject(new DOMException("full", "QuotaExceededError"))
      : append(entry, extras),
  );
  await sendAll.click();
  await dialog().getByRole("button", { name: "Send all" }).click();
  const summary = page.getByRole("status").filter({ hasText: "1 invoice was not shared" });
  await expect.element(summary).toHaveTextContent("1 invoice waits to be sent");
  await expect.element(page.getByRole("list", { name: "Not shared" })).toHaveTextContent("Dana Reyes");
  vi.restoreAllMocks();
  await page.getByRole("button", { name: "Done" }).click();
  await expect.element(sum()).toHaveTextContent("1 invoice$35.00");
  await expect.element(clients()).toHaveTextContent("changed by you");
});

test("an invoice that was saved before the app was closed is not saved twice", async () => {
  await open([]);
  const id = newId();
  const invoice = { id, client_id: dana.id, services: [], extras: [{ label: "Keys", amount: 10 }], total: 10 };
  const { store, phone } = business();
  const value = { range: null, left_out: [], adjusted: [invoice], ids: { [dana.id]: id }, sent: [], not_saved: [] };
  await store.putDraft({ key: "bill-all", value, base_rev: phone.cursor(), saved_at: Date.now() });
  await save({ name: "share_invoice", args: invoice }, "Share an invoice");
  await show();
  await expect.element(page.getByRole("status").filter({ hasText: "1 invoice waits to be sent" })).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  await expect.element(page.getByText("Nothing to bill: November 2026")).toBeVisible();
});

/** The screen after these invoices were saved. */
async function showSent(ids: string[], rows: FeedRow[], attention: AttentionEntry[] = []): Promise<void> {
  await openPhone([aSitter(), ...rowsOf(dana, rex), ...rowsOf(kim, bo), ...rows], attention);
  const value = { range: null, left_out: [], adjusted: [], sent: ids, not_saved: [] };
  await business().store.putDraft({ key: "bill-all", value, base_rev: 0, saved_at: Date.now() });
  await show();
}

const aSharedInvoice = (client: Client, number: number): FeedRow & { d: Invoice } => ({
  t: "invoice",
  d: {
    id: newId(),
    client_id: client.id,
    number,
    prefix: "INV-",
    shareId: `aShareIdOfTwentyTwoC${number}`,
    paid: false,
    issued_on: "2026-12-02",
    due_date: null,
    clientData: { name: client.name, dogName: "", dogPhoto: null },
    servicesData: [],
    invoiceData: { startDate: "2026-11-01", endDate: "2026-11-30" },
    total: 25,
    payments: [],
    shared_at: "2026-12-02T10:00:00.000Z",
  },
});

test("links that the person has to pass on are counted after all are billed", async () => {
  dana = { ...dana, phone: "+1 555 0100" };
  kim = { ...kim, phone: "+1 555 0101" };
  const rows = [aSharedInvoice(dana, 11), aSharedInvoice(kim, 12)];
  await showSent(
    rows.map((it) => it.d.id),
    rows,
  );
  await expect.element(page.getByText("2 invoices are shared")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Send 2 links" })).toBeVisible();
});

test("invoices that are gone since leave a sentence and a way on", async () => {
  await showSent([newId()], []);
  await expect.element(page.getByText("These invoices are no longer here")).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  await expect.element(page.getByText("Nothing to bill: November 2026")).toBeVisible();
});

test("what was billed by itself is told above what is left to bill", async () => {
  const visit = done(dana, rex, "2026-12-01");
  const invoicing = { bill_day: 2 };
  await openPhone([aSitter(invoicing), ...rowsOf(dana, rex), { t: "service", d: visit }]);
  await show();
  const told = page.getByRole("region", { name: "Billing by itself" });
  await expect.element(told).toHaveTextContent("On day 2 of each month, the month before is billed by itself.");
  await expect.element(told.getByRole("link", { name: "Change" })).toBeVisible();
  await expect.element(told.getByRole("button", { name: "See who got what" })).not.toBeInTheDocument();
});

function aRefusal(args: object): AttentionEntry {
  const id = newId();
  return {
    entry: {
      mutation: { id, seq: 1, v: 1, made_at: AT, base_rev: 1, name: "share_invoice", args },
      sentence: "Share an invoice for Dana Reyes",
      photos: [],
    },
    outcome: { id, outcome: "rejected", rev: 2, adjustments: [], refusal: { code: "gone" } },
  };
}

test("an invoice that the server refused says why and leads to Needs attention", async () => {
  const args = { id: newId(), client_id: dana.id, services: [], extras: [{ label: "Keys", amount: 10 }], total: 10 };
  await showSent([args.id], [], [aRefusal(args)]);
  await expect.element(page.getByText("1 invoice was not shared")).toBeVisible();
  await expect.element(page.getByRole("list", { name: "Invoices" })).toHaveTextContent("Dana Reyes");
  await expect.element(page.getByRole("link", { name: "Needs attention" })).toBeVisible();
});

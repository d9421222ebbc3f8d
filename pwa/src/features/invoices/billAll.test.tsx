/** 'Bill all' on the real core and a real IndexedDB, with no network at all. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { aClient, aPet, aService, closePhone, type FeedRow, openPhone, rowsOf } from "../../../test/phone";
import { type Client, type Invoice, loadRest, newId, type Pet, type Service } from "../../core";
import { business } from "../../data";
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

const open = (services: Service[]) => {
  const rows = services.map((d): FeedRow => ({ t: "service", d }));
  return openPhone([...rowsOf(dana, rex), ...rowsOf(kim, bo), ...rows]);
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
  await dialog().getByRole("button", { name: "Take changes back" }).click();
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
  await openPhone(rows);
  await show();
  await expect.element(sum()).toHaveTextContent("40 invoices$1,000.00");
  expect(clients().getByRole("listitem").elements()).toHaveLength(30);
  await page.getByRole("button", { name: "View 10 more" }).click();
  await expect.poll(() => clients().getByRole("listitem").elements().length).toBe(40);
});

test("nothing to bill says so", async () => {
  await open([]);
  await show();
  await expect.element(page.getByRole("heading", { name: "Nothing to bill: November 2026" })).toBeVisible();
  await expect.element(sendAll).toBeDisabled();
});

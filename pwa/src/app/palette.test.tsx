/** The command palette above a real screen, on the real core and a real IndexedDB. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../test/At";
import { AT, aClient, aPet, closePhone, openPhone, rowsOf } from "../../test/phone";
import { type Invoice, loadRest, newId } from "../core";
import { setSession } from "../data/session/session";
import { Shell } from "./Shell";
import { sectionAt } from "./sections";

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-24T10:05:00Z") });
  await page.viewport(1280, 800);
  await loadRest();
});

afterEach(async () => {
  await closePhone();
  localStorage.clear();
  vi.useRealTimers();
});

async function show(at = "/clients") {
  const client = aClient({ name: "Dana Reyes" });
  const others = Array.from({ length: 30 }, (_, index) => aClient({ name: `Robin ${index}` }));
  await openPhone([...rowsOf(client, aPet(client, { name: "Rex" })), ...others.flatMap((it) => rowsOf(it))]);
  const section = sectionAt(at);
  await render(<At path={at}>{section ? <Shell section={section} /> : <Shell />}</At>);
  return client;
}

const line = () => page.getByRole("combobox", { name: "Search or go to" });
const option = (name: string | RegExp) => page.getByRole("option", { name });
/** The entry that Enter would activate. */
const chosen = () => document.getElementById(line().element().getAttribute("aria-activedescendant") ?? "");

const open = async () => {
  await userEvent.keyboard("{Control>}k{/Control}");
  await expect.element(line()).toHaveFocus();
};

test("keys open it over whatever is typed in, arrows choose, and Enter goes there", async () => {
  const client = await show();
  await page.getByRole("searchbox", { name: "Search clients" }).click();
  await open();
  await userEvent.keyboard("rex");
  await expect.element(option(/^Dana Reyes/)).toHaveAttribute("aria-selected", "true");
  await userEvent.keyboard("{ArrowDown}");
  expect(chosen()?.textContent).toBe("Schedule a visit for Dana Reyes (Rex)");
  await userEvent.keyboard("{ArrowDown}");
  expect(chosen()?.textContent).toBe("Dana Reyes (Rex)");
  await userEvent.keyboard("{Enter}");
  await expect.element(line()).not.toBeInTheDocument();
  expect(location.pathname).toBe(`/clients/${client.id}`);
});

test("the sidebar has a way to it, and of many clients it names a few", async () => {
  await show();
  await page.getByRole("button", { name: "Search or go to" }).click();
  await expect.element(line()).toHaveFocus();
  await userEvent.keyboard("robin");
  await expect.element(option("Robin 0")).toBeVisible();
  expect(option(/^Robin/).elements()).toHaveLength(8);
  await userEvent.keyboard("{Escape}");
  await expect.element(line()).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Search or go to" })).toHaveFocus();
});

test("a day is found as it is said, and a visit can be scheduled on it", async () => {
  await show();
  await open();
  await userEvent.keyboard("nov 30");
  await expect.element(option(/^Monday, November 30$/)).toHaveAttribute("aria-selected", "true");
  await userEvent.keyboard("{ArrowDown}");
  expect(chosen()?.textContent).toBe("Schedule a visit on Monday, November 30");
  await userEvent.keyboard("{ArrowUp}{Enter}");
  await expect.poll(() => location.pathname + location.search).toBe("/scheduling?date=2026-11-30");
});

test("sections and what one begins most often are there before anything is typed", async () => {
  await show();
  await open();
  for (const name of ["Schedule a visit", "Add a client", "Go to today", "Services", "Profile"]) {
    await expect.element(option(name)).toBeInTheDocument();
  }
  await userEvent.keyboard("serv{Enter}");
  await expect.poll(() => location.pathname).toBe("/services");
});

test("an act and a setting are found by their words", async () => {
  await show();
  await open();
  await userEvent.keyboard("block");
  await expect.element(option("Block time")).toHaveAttribute("aria-selected", "true");
  await userEvent.keyboard("{Control>}a{/Control}iban");
  await expect.element(option("Bank account (Invoices and payments)")).toHaveAttribute("aria-selected", "true");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => location.pathname + location.hash).toBe("/profile#profile-invoicing");
});

test("a person with both roles switches by it, and nobody else", async () => {
  const user = { id: newId(), email: "robin@example.com", name: "Robin", role: "sitter" as const, sitter_id: newId() };
  await show();
  await setSession({ token: "token", user, needs_auth: false });
  await open();
  await userEvent.keyboard("switch");
  await expect.element(page.getByText("Nothing found for “switch”")).toBeVisible();
  await setSession({ token: "token", user: { ...user, roles: ["sitter", "client"] }, needs_auth: false });
  await expect.element(option("Switch to Pet parent")).toHaveAttribute("aria-selected", "true");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => location.pathname).toBe("/client");
  await setSession(undefined);
});

test("a phone has it in its menu", async () => {
  await page.viewport(390, 844);
  await show();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("dialog", { name: "Menu" }).getByRole("button", { name: "Search or go to" }).click();
  await expect.element(line()).toHaveFocus();
  await expect.element(page.getByRole("dialog", { name: "Menu" })).not.toBeInTheDocument();
  await expect.element(option("Block time")).toBeVisible();
  expect(option("Keyboard shortcuts").query()).toBeNull();
  await userEvent.keyboard("rex{Enter}");
  await expect.poll(() => location.pathname).toMatch(/^\/clients\/./);
});

test("where nothing is found it says so, and Enter does nothing", async () => {
  await show();
  await open();
  await userEvent.keyboard("qqq{Enter}");
  await expect.element(page.getByText("Nothing found for “qqq”")).toBeVisible();
  expect(location.pathname).toBe("/clients");
  await userEvent.keyboard("{Control>}k{/Control}");
  await expect.element(line()).not.toBeInTheDocument();
});

test("'every' begins a booking that repeats, with what was typed filled in", async () => {
  const client = await show();
  await open();
  await userEvent.keyboard("every mon 12:00 rex");
  const found = "Repeat on Mon at 12:00 PM for Dana Reyes (Rex)";
  await expect.element(option(found)).toHaveAttribute("aria-selected", "true");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => location.pathname).toBe("/scheduling");
  const fields = { new: "1", every: "1", on: "2026-11-30", at: "12:00", client: client.id };
  expect(Object.fromEntries(new URLSearchParams(location.search))).toEqual(fields);
});

test("'every' alone begins one for each week", async () => {
  await show();
  await open();
  await userEvent.keyboard("every");
  await expect.element(option("Repeat every week")).toHaveAttribute("aria-selected", "true");
  await userEvent.keyboard(" tue and thu");
  await expect.element(option("Repeat on Tue and Thu")).toHaveAttribute("aria-selected", "true");
  await userEvent.keyboard("{Escape}");
  await expect.element(line()).not.toBeInTheDocument();
});

test("the number of an invoice leads to it", async () => {
  const client = aClient({ name: "Dana Reyes" });
  const invoice: Invoice = {
    id: newId(),
    client_id: client.id,
    number: 10,
    prefix: "INV-",
    shareId: "aShareIdOfTwentyTwoChr",
    paid: false,
    issued_on: "2026-11-20",
    clientData: { name: client.name, dogName: "Rex" },
    servicesData: [],
    invoiceData: { startDate: "2026-11-20", endDate: "2026-11-20" },
    total: 25,
    shared_at: AT,
  };
  await openPhone([...rowsOf(client), { t: "invoice", d: invoice }]);
  const section = sectionAt("/clients");
  await render(<At path="/clients">{section ? <Shell section={section} /> : <Shell />}</At>);
  await open();
  await userEvent.keyboard("inv-10");
  await expect.element(option("INV-10, Dana Reyes, $25.00")).toHaveAttribute("aria-selected", "true");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => location.pathname + location.search).toBe("/invoices?tab=history&search=INV-10");
});

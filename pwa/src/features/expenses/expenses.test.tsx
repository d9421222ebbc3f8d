/** Mileage and expenses on the real core and a real IndexedDB, with no network at all. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { countAdded } from "../../../test/drawn";
import {
  AT,
  aClient,
  aPet,
  aService,
  closePhone,
  type FeedRow,
  openPhone,
  rowsOf,
  saved,
  signInOnPhone,
} from "../../../test/phone";
import { type Client, type Expense, loadRest, newId, type Service, transportError } from "../../core";
import { setSession } from "../../data/session/session";
import { putWalk } from "../../data/walks/walkLog";
import type { WalkRow } from "../../data/walks/walks";
import { ToastHost } from "../../ui";
import ExpensesScreen from "./ExpensesScreen";
import { milesText } from "./words";

beforeEach(async () => {
  await loadRest();
  await page.viewport(390, 844);
  vi.spyOn(window, "fetch").mockRejectedValue(new TypeError("no network"));
});
afterEach(closePhone);

const anExpense = (change: Partial<Expense>): FeedRow => ({
  t: "expense",
  d: { id: newId(), date: "2026-11-18", category: "mileage", created_at: AT, ...change },
});

/** A client who lives so many thousandths of a degree north of the others, with a visit that is done. */
function visited(name: string, north: number, change: Partial<Service>): FeedRow[] {
  const client: Client = aClient({ name, lat: 40 + north / 1000, lng: -75 });
  const pet = aPet(client, { name: "Rex" });
  const visit = aService(client, pet, { status: "completed", date: "2026-11-18", ...change });
  return [...rowsOf(client, pet), { t: "service", d: visit }];
}

const twoVisits = () => [
  ...visited("Dana", 10, { start_time: "09:00" }),
  ...visited("Sam", 40, { start_time: "11:00" }),
];

async function open(rows: readonly FeedRow[], query = "?month=2026-11-18"): Promise<void> {
  await openPhone(rows);
  await render(
    <At path={`/expenses${query}`}>
      <ExpensesScreen />
      <ToastHost />
    </At>,
  );
}

const expectSaved = (changes: unknown[]) => vi.waitFor(() => expect(saved()).toEqual(changes));

const day = () => page.getByRole("article", { name: "Wednesday, November 18" });

test("the miles between a day's visits are taken with one tap, and the tap is undone with another", async () => {
  await open(twoVisits());
  await expect.element(day()).toHaveTextContent("About 2.7 miles between 2 visits");
  await day().getByRole("button", { name: "Add 2.7 miles" }).click();
  await expect.element(day().getByRole("button", { name: /^Edit Mileage/ })).toHaveTextContent("2.7 mi at 76¢");
  await expect.element(day()).not.toHaveTextContent("About");
  const expense = { date: "2026-11-18", category: "mileage", miles: 2.7, note: "2 visits" };
  await expectSaved([{ name: "create_expense", args: { id: expect.any(String), expense } }]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(day()).toHaveTextContent("About 2.7 miles between 2 visits");
});

/** A walk of a mile on November 18 that was kept. */
function aWalk(at_least: boolean): WalkRow {
  const started_at = Date.parse("2026-11-18T15:00:00Z");
  const ran_ms = 1_800_000;
  const ended_at = started_at + ran_ms;
  return {
    id: newId(),
    title: "Rex",
    service_id: null,
    client_name: null,
    dogs: ["Rex"],
    planned_minutes: null,
    started_at,
    ended_at,
    summary: {
      started_at,
      ended_at,
      ran_ms,
      moving_ms: ran_ms,
      distance_m: 1609.344,
      at_least,
      gap_ms: at_least ? 60_000 : 0,
      line: [],
      n_events: 0,
      notes: "",
    },
    imported: false,
  };
}

test("a day says how far was walked, and 'at least' once a part of one walk was not recorded", async () => {
  await open([anExpense({ miles: 2 })]);
  await putWalk(aWalk(false));
  await expect.element(day().getByText("1.0 mi walked", { exact: true })).toBeVisible();
  await putWalk(aWalk(true));
  await expect.element(day().getByText("at least 2.0 mi walked", { exact: true })).toBeVisible();
});

test("one mile is one, in a month as in a year", async () => {
  await open([...visited("Dana", 10, { start_time: "09:00" }), ...visited("Sam", 21, { start_time: "11:00" })]);
  await day().getByRole("button", { name: "Add 1 mile" }).click();
  await expect.element(page.getByText("1 mile added")).toBeVisible();
  await page.getByRole("tab", { name: "Year" }).click();
  await expect.element(page.getByText("1 mile at 76¢: $0.76")).toBeVisible();
  await expect.element(page.getByText("1 mile: $0.76 · Expenses: $0.00")).toBeVisible();
});

test("thousands of miles have a comma, and tenths a point", async () => {
  await open([anExpense({ miles: 1204.5 }), anExpense({ miles: 1000 })]);
  await expect.element(page.getByText("2,204.5 miles: ", { exact: false })).toBeVisible();
  expect([0, 1, 999.9, 1000, 1_234_567].map((it) => milesText(it))).toEqual([
    "0 miles",
    "1 mile",
    "999.9 miles",
    "1,000 miles",
    "1,234,567 miles",
  ]);
});

test("proposed miles are corrected before they are added", async () => {
  await open(twoVisits());
  await day()
    .getByRole("button", { name: /^Correct the miles/ })
    .click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByLabelText("Miles")).toHaveValue("2.7");
  await dialog.getByLabelText("Miles").fill("4.1");
  await expect.element(dialog.getByText("4.1 mi at 76¢: $3.12")).toBeVisible();
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect.element(day().getByRole("button", { name: /^Edit Mileage/ })).toHaveTextContent("4.1 mi at 76¢");
});

test("an expense is added with its category, and all that is wrong with it is said at once", async () => {
  await open([]);
  await page.getByRole("button", { name: "Add Expense" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabelText("Date").fill("");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect.element(dialog.getByText("The amount must be more than 0")).toBeVisible();
  await expect.element(dialog.getByText("Date is required")).toBeVisible();
  await dialog.getByLabelText("Amount").fill("12.50");
  await dialog.getByLabelText("Category").selectOptions("Insurance");
  await expect.element(dialog.getByText("Schedule C: 15 Insurance")).toBeVisible();
  await dialog.getByLabelText("Date").fill("2026-11-19");
  const note = dialog.getByLabelText("What it was");
  await expect.element(note).toHaveAccessibleDescription("Only you see this");
  await note.fill("Liability");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  const thursday = page.getByRole("article", { name: "Thursday, November 19" });
  await expect.element(thursday).toHaveTextContent("Insurance");
  await expect.element(thursday).toHaveTextContent("$12.50");
  const expense = { date: "2026-11-19", category: "insurance", miles: null, amount: 12.5, note: "Liability" };
  await expectSaved([{ name: "create_expense", args: { id: expect.any(String), expense } }]);
});

test("a correction names what was touched, and a deletion is undone with all that there was", async () => {
  const row = anExpense({ category: "supplies", amount: 9.95, note: "Treats" });
  await open([row]);
  const entry = page.getByRole("button", { name: "Edit Supplies and food, Nov 18, 2026, $9.95" });
  await entry.click();
  await page.getByRole("dialog").getByLabelText("Amount").fill("8");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expectSaved([{ name: "update_expense", args: { id: row.d.id, changes: { amount: 8 } } }]);
  await page.getByRole("button", { name: /^Edit Supplies/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByText("Nothing in this month yet")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(page.getByRole("button", { name: /^Edit Supplies/ })).toHaveTextContent("Treats");
});

test("a month says what it comes to, and the one before is a tap away", async () => {
  await open([
    anExpense({ miles: 100 }),
    anExpense({ category: "phone", amount: 30 }),
    anExpense({ category: "phone", amount: 31, date: "2026-10-03" }),
  ]);
  await expect.element(page.getByText("$106.00", { exact: true })).toBeVisible();
  await expect.element(page.getByText("100 miles: $76.00 · Expenses: $30.00")).toBeVisible();
  await page.getByRole("button", { name: "Month before" }).click();
  await expect.element(page.getByRole("heading", { name: "October 2026" })).toBeVisible();
  await expect.element(page.getByText("0 miles: $0.00 · Expenses: $31.00")).toBeVisible();
});

test("a year stands by line of the tax form, by rate and by month, and its table is made without a network", async () => {
  await open(
    [
      anExpense({ miles: 100, date: "2026-01-05" }),
      anExpense({ miles: 50, date: "2026-07-01" }),
      anExpense({ category: "insurance", amount: 120, date: "2026-03-01" }),
    ],
    "?tab=year&year=2026",
  );
  await expect.element(page.getByText("Mileage and expenses: $230.50")).toBeVisible();
  await expect
    .element(page.getByRole("listitem").filter({ hasText: "31 Net profit or loss" }))
    .toHaveTextContent("-$230.50");
  await expect.element(page.getByText("100 miles at 72.5¢: $72.50")).toBeVisible();
  await expect.element(page.getByText("50 miles at 76¢: $38.00")).toBeVisible();
  await expect.element(page.getByText("15 Insurance")).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "Expenses by month" })).toBeVisible();
  const made: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    made.push(blob as Blob);
    return "blob:made";
  });
  const link = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  await page.getByRole("button", { name: "Download CSV" }).click();
  await vi.waitFor(() => expect(link).toHaveBeenCalledOnce());
  expect(await made[0]?.text()).toContain("2026-03-01,Insurance,15 Insurance,,,120.00,");
  await page.getByRole("button", { name: "Schedule C as CSV" }).click();
  await vi.waitFor(() => expect(link).toHaveBeenCalledTimes(2));
  expect(await made[1]?.text()).toContain("15 Insurance");
  await page.getByRole("button", { name: "Download PDF" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent(transportError(401, ""));
  vi.spyOn(window, "fetch").mockImplementation(() => Promise.resolve(new Response("", { status: 503 })));
  await signInOnPhone();
  await page.getByRole("button", { name: "Download PDF" }).click();
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent(`The PDF is made on the server. ${transportError(503, "")} The tables are made on this phone.`);
  await setSession(undefined);
});

test("the days of a month are drawn a screenful at once, and all of them in the end", async () => {
  const days = Array.from({ length: 30 }, (_, n) => `2026-11-${String(n + 1).padStart(2, "0")}`);
  const added = countAdded("article[aria-labelledby^=day-]");
  await open(days.map((date) => anExpense({ category: "supplies", amount: 5, date })));
  await expect.element(page.getByRole("article", { name: "Sunday, November 1", exact: true })).toBeInTheDocument();
  expect(added()).toBe(24);
});

test("on a desktop a month is a table, and an entry is corrected beside it", async () => {
  await page.viewport(1280, 800);
  await open([...twoVisits(), anExpense({ category: "supplies", amount: 12.5, note: "Treats" })]);
  const rows = page.getByRole("rowgroup", { name: "Wednesday, November 18" });
  await expect.element(rows.getByRole("row").nth(0)).toHaveTextContent(/Supplies and food.*Treats.*\$12\.50/);
  await expect.element(page.getByRole("heading", { name: "How miles count" })).toBeVisible();
  await rows.getByRole("button", { name: "Add 2.7 miles" }).click();
  await expect.element(rows.getByRole("button", { name: /^Edit Mileage/ })).toBeVisible();

  const entry = rows.getByRole("button", { name: /^Edit Supplies and food/ });
  await entry.click();
  const pane = page.getByRole("region", { name: "Edit Expense" });
  await expect.element(pane.getByRole("heading", { name: "Edit Expense" })).toHaveFocus();
  await expect.element(entry).toHaveAttribute("aria-current", "true");
  await pane.getByLabelText("Amount").fill("14");
  await pane.getByRole("button", { name: "Save" }).click();
  await expect.element(pane).not.toBeInTheDocument();
  await expect.element(entry).toHaveFocus();
  await expect.element(rows).toHaveTextContent(/\$14\.00/);
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  expect(saved().at(-1)).toMatchObject({ name: "update_expense", args: { changes: { amount: 14 } } });

  await rows.getByRole("button", { name: /^Edit Mileage/ }).click();
  await page.getByRole("region", { name: "Edit Miles" }).getByRole("button", { name: "Close" }).click();
  await expect.element(rows.getByRole("button", { name: /^Edit Mileage/ })).toHaveFocus();
});

test("the form beside the table goes with the month, and comes back in no dialog", async () => {
  await page.viewport(1280, 800);
  await open([anExpense({ category: "supplies", amount: 12.5 })]);
  await page.getByRole("button", { name: /^Edit Supplies and food/ }).click();
  await expect.element(page.getByRole("region", { name: "Edit Expense" })).toBeVisible();
  await page.getByRole("tab", { name: "Year" }).click();
  await expect.element(page.getByRole("region", { name: "Edit Expense" })).not.toBeInTheDocument();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});

test("miles that cannot be proposed say what is missing on the map", async () => {
  const away: Client = aClient({ name: "Kim" });
  const miso = aPet(away, { name: "Miso" });
  const done = { status: "completed", date: "2026-11-18" } as const;
  await open([...rowsOf(away, miso), { t: "service", d: aService(away, miso, done) }]);
  await expect.element(page.getByText("Miles to and from Kim are missing: the home is not on the map.")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Set the position" }))
    .toHaveAttribute("href", `/clients/${away.id}`);
  await expect.element(page.getByText(/your service area is not on the map/)).toBeVisible();
});

/** A day's miles and what it cost, written down in a street with no signal, and the year for the taxes. */
import { execFileSync } from "node:child_process";
import { signedIn } from "./pages/auth";
import { ExpensesPage } from "./pages/expenses";
import type { Api } from "./support/api";
import { day } from "./support/day";
import { keepNotices } from "./support/notices";
import { expect, test } from "./support/test";

const HEADING = new Intl.DateTimeFormat("en-US", { weekday: "long", month: "long", day: "numeric", timeZone: "UTC" });
const heading = HEADING.format(new Date(day()));
const year = day().slice(0, 4);

/** A client who lives so many thousandths of a degree north of the others, with a visit of today that is done. */
async function visited(office: Api, name: string, north: number, start: string): Promise<void> {
  const client = await office.addClient(name, "Rex");
  await office.call("PUT", `/clients/${client.id}`, { lat: 40 + north / 1000, lng: -75 });
  const { id } = await office.schedule(client, day(), start);
  await office.call("POST", `/scheduled-services/${id}/complete`, { notes: "All well" });
}

test("a day's miles are taken with no network, an expense is added, corrected, deleted and brought back, and the year is taken out @postgres", async ({
  page,
  network,
  sitter,
  office,
}) => {
  await visited(office, "Dana Reyes", 10, "08:00");
  await visited(office, "Sam Rivers", 40, "09:00");
  await signedIn(page, sitter);
  await network.cut();
  const expenses = await ExpensesPage.open(page);
  const today = expenses.day(heading);

  await test.step("the miles between two homes are one tap", async () => {
    await expect(today).toContainText("About 2.7 miles between 2 visits");
    await today.getByRole("button", { name: "Add 2.7 miles" }).click();
    await expect(expenses.entryOf(today, /^Edit Mileage/)).toContainText("2.7 mi at");
  });

  await test.step("an expense is added, corrected, deleted by a slip and brought back", async () => {
    await expenses.add({ amount: "12.50", category: "Supplies and food", date: day(), note: '=Treats, "soft"' });
    const entry = today.getByRole("button", { name: /^Edit Supplies and food/ });
    const said = expenses.entryOf(today, /^Edit Supplies and food/);
    await entry.click();
    await expenses.dialog.getByLabel("Amount").fill("14");
    await expenses.dialog.getByRole("button", { name: "Save" }).click();
    await expect(said).toContainText("$14.00");
    await keepNotices(page);
    await entry.click();
    await expenses.dialog.getByRole("button", { name: "Delete" }).click();
    await expect(entry).toHaveCount(0);
    await expenses.says(/ deleted$/);
    await page.getByRole("button", { name: "Undo" }).last().click();
    await expect(said).toContainText("$14.00");
  });

  await test.step("the year's table is made without a network and no cell of it is a formula", async () => {
    await expenses.showYear();
    await expect(page.getByText("9 Car and truck expenses")).toBeVisible();
    const { name, bytes } = await expenses.download("CSV");
    expect(name).toBe(`expenses-${year}.csv`);
    const lines = bytes.toString("utf8").split("\r\n");
    expect(lines[1]).toMatch(
      new RegExp(`^${day()},Mileage,9 Car and truck expenses,2\\.7,0\\.\\d{3},\\d+\\.\\d{2},2 visits$`),
    );
    expect(lines[2]).toBe(`${day()},Supplies and food,22 Supplies,,,14.00,"'=Treats, ""soft"""`);
    await page.getByRole("button", { name: "Download PDF" }).click();
    await expect(page.getByRole("alert")).toContainText("The PDF is made on the server");
  });

  await test.step("with the network back the server has the same, and prints it", async () => {
    await network.heal();
    await expect.poll(async () => (await office.call<unknown[]>("GET", "/expenses")).length).toBe(2);
    const { name, bytes } = await expenses.download("PDF");
    expect(name).toBe(`expenses-${year}.pdf`);
    const text = execFileSync("pdftotext", ["-layout", "-", "-"], { input: bytes, encoding: "utf8" });
    const words = text.replace(/\s+/g, " ");
    expect(words).toContain("Net profit or loss Income and expenses");
    expect(words).toContain("22 Supplies Supplies and food $14.00");
    const about = execFileSync("pdfinfo", ["-"], { input: bytes, encoding: "utf8" });
    expect(about).toMatch(/Tagged: +yes/);
    expect(about).toMatch(/Title: +Income and expenses/);
  });
});

test("what another program writes down is on the phone, and comes to the same there @full", async ({
  page,
  sitter,
  office,
}) => {
  await signedIn(page, sitter);
  const expenses = await ExpensesPage.open(page);
  await expect(page.getByText("Nothing in this month yet")).toBeVisible();
  const spent = { date: day(), category: "insurance", amount: 120, note: "Liability" };
  const { id } = await office.call<{ id: string }>("POST", "/expenses", spent);
  const entry = expenses.entryOf(expenses.day(heading), /^Edit Insurance/);
  await expect(entry).toContainText("$120.00");
  await office.call("PUT", `/expenses/${id}`, { amount: 99.5 });
  await expect(entry).toContainText("$99.50");
  const { sums } = await office.call<{ sums: { total: number } }>("GET", `/expenses/summary?year=${year}`);
  expect(sums.total).toBe(99.5);
  await expenses.showYear();
  await expect(page.getByText("15 Insurance")).toBeVisible();
  const { bytes } = await expenses.download("CSV");
  expect(bytes.toString("utf8")).toBe(await office.text(`/expenses/summary?year=${year}&format=csv`));
  await office.call("DELETE", `/expenses/${id}`);
  await expect(page.getByText(`Nothing in ${year} yet`)).toBeVisible();
});

/** Analytics on the real core and a real IndexedDB, with no network at all. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { aClient, aPet, aService, closePhone, type FeedRow, openPhone, pullRows, rowsOf } from "../../../test/phone";
import { type Client, loadRest, type Pet, type Service } from "../../core";
import { loadAnalyticsCore } from "../../core/analytics";
import { ToastHost } from "../../ui";
import AnalyticsScreen from "./AnalyticsScreen";

let dana: Client;
let rex: Pet;

beforeEach(async () => {
  await Promise.all([loadRest(), loadAnalyticsCore()]);
  await page.viewport(390, 844);
  vi.spyOn(window, "fetch").mockRejectedValue(new TypeError("no network"));
  dana = aClient({ name: "Dana Reyes" });
  rex = aPet(dana, { name: "Rex" });
});
afterEach(closePhone);

/** So many days from today, in UTC as the test's business is. */
const day = (from: number): string => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);

const done = (from: number, change: Partial<Service> = {}): FeedRow => ({
  t: "service",
  d: aService(dana, rex, { status: "completed", date: day(from), ...change }),
});

async function open(rows: readonly FeedRow[], query = ""): Promise<void> {
  await openPhone([...rowsOf(dana, rex), ...rows]);
  await render(
    <At path={`/analytics${query}`}>
      <ToastHost />
      <AnalyticsScreen />
    </At>,
  );
}

/** Chooses one of a few that are all in sight; what is pressed is the radio's label. */
async function choose(name: string): Promise<void> {
  const radio = page.getByRole("radio", { name, exact: true });
  await expect.element(radio).toBeInTheDocument();
  (radio.element() as HTMLElement).click();
}

/** Locates the slider whose value is the bar under the chart's cursor. */
const cursor = (name: string) => page.getByRole("slider", { name });

test("the last thirty days are added up and compared with those before", async () => {
  await open([done(-1), done(-2, { paid: true }), done(-40)]);
  const trend = page.getByRole("article", { name: "Revenue by day" });
  await expect.element(trend.getByText("$50.00 with 2 services, 100% more than the 30 days before")).toBeVisible();
  await expect.element(page.getByText("up 100%").first()).toBeVisible();
  await expect.element(page.getByText("50%")).toBeVisible();
});

test("a year is read while somebody looks at the first figures, and says the same", async () => {
  performance.clearMarks();
  await open([done(-1), done(-300), done(-500)]);
  await vi.waitUntil(() => performance.getEntriesByName("analytics-read-ahead").length > 0);
  await choose("365 d");
  await expect.element(page.getByText(/with 2 services/).first()).toBeVisible();
});

test("arrows move over the days of a chart, whose values are read out", async () => {
  await open([done(-1), done(-2, { price: 40 })]);
  const slider = cursor("Revenue, point by point");
  await expect.element(slider).toHaveAttribute("aria-valuetext", expect.stringContaining(": $0.00,"));
  slider.element().focus();
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(slider).toHaveAttribute("aria-valuetext", expect.stringContaining(": $25.00,"));
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(slider).toHaveAttribute("aria-valuetext", expect.stringContaining(": $40.00,"));
});

test("how fast ways are taken to be is said in the business's units", async () => {
  await open([done(-1)], "?tab=clients");
  await expect.element(page.getByText(/straight line, at 9\.3 mi an hour\./)).toBeVisible();
});

test("money stands by date of work and by date of money, and revenue by what is sold", async () => {
  await open([done(-1, { paid: true, offering_name: "Taxi", price: 20 }), done(-2)], "?tab=revenue");
  const money = page.getByRole("article", { name: "Money received" });
  const line = money.getByRole("listitem").filter({ hasText: "Paid without an invoice" });
  await expect.element(line).toHaveTextContent("By date of work $20.00By date of money $20.00");
  await expect.element(money.getByText(/have no date of payment, so they count on their own day\.$/)).toBeVisible();
  await expect.element(page.getByText(/^Owed on .*, on all invoices$/)).toBeVisible();
  await expect.element(page.getByText("More than 90 days overdue")).toBeVisible();
  const sold = page.getByRole("article", { name: "By what is sold" });
  await expect.element(sold.getByText("Taxi", { exact: true }).first()).toBeVisible();
});

test("the days and the tab stand in the address", async () => {
  await open([done(-1), done(-100)], "?days=180&tab=clients");
  await expect.element(page.getByRole("tab", { name: "Clients" })).toHaveAttribute("aria-selected", "true");
  await expect.element(page.getByText("Dana Reyes brings the most: $50.00, 100% of the revenue")).toBeVisible();
  await choose("7 d");
  await expect.poll(() => location.search).toBe("?days=7&tab=clients");
  await expect.element(page.getByText("Dana Reyes brings the most: $25.00, 100% of the revenue")).toBeVisible();
  await page.getByRole("tab", { name: "Performance" }).click();
  await expect.poll(() => location.search).toBe("?days=7&tab=performance");
});

test("two dates are looked at together, and the last one cannot be before the first", async () => {
  await open([done(-1), done(-100)]);
  await page.getByLabelText("From").fill(day(-110));
  await expect.poll(() => location.search).toBe(`?from=${day(-110)}&to=${day(0)}`);
  await expect.element(page.getByText("$50.00 with 2 services; the 111 days before had nothing")).toBeVisible();
  await page.getByLabelText("To").fill(day(-120));
  const to = page.getByLabelText("To");
  await expect.element(to).toHaveAccessibleDescription("The end date cannot be before the start date");
  await expect.element(page.getByText("$50.00 with 2 services; the 111 days before had nothing")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Export Data" })).not.toBeInTheDocument();
});

test("figures stay while a year is typed", async () => {
  await open([done(-1)]);
  const said = page.getByText("$25.00 with 1 service; the 30 days before had nothing");
  await expect.element(said).toBeVisible();
  await page.getByLabelText("From").fill("0002-01-01");
  await expect.element(page.getByText("At most 1,830 days can be looked at together")).toBeVisible();
  await expect.element(said).toBeVisible();
});

test("an export that cannot be made says so", async () => {
  await open([done(-1)]);
  await page.getByRole("button", { name: "Export Data" }).first().click();
  vi.spyOn(URL, "createObjectURL").mockImplementation(() => {
    throw new Error("no room");
  });
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("Failed to export analytics data");
});

test("what the days have in common with a month is not said of the month", async () => {
  const rows = [done(0, { date: "2025-10-30" }), done(0, { date: "2025-11-10" })];
  await open(rows, "?from=2025-10-28&to=2025-11-26&tab=revenue");
  const said = "$25.00 in Oct 28, 2025 - Oct 31, 2025 and $25.00 in Nov 1, 2025 - Nov 26, 2025";
  await expect.element(page.getByRole("article", { name: "By month" }).getByText(said)).toBeVisible();
});

test("who is deleted is named and leads nowhere", async () => {
  const lou = aClient({ name: "Lou" });
  await open([done(-1), done(-2, { client_id: lou.id, client_name: "Lou" })], "?tab=clients");
  const top = page.getByRole("list", { name: "Revenue by client" });
  await expect.element(top.getByText("Lou")).toBeVisible();
  await expect.element(top.getByRole("link", { name: "Dana Reyes" })).toBeVisible();
  await expect.element(top.getByRole("link", { name: "Lou" })).not.toBeInTheDocument();
});

test("a finger that slides over a chart is followed wherever it begins", async () => {
  await open([done(-1)]);
  const slider = cursor("Revenue, point by point");
  await expect.element(slider).toBeInTheDocument();
  const input = slider.element() as HTMLInputElement;
  const { left, top, width } = input.getBoundingClientRect();
  const touch = (type: string, part: number) =>
    input.dispatchEvent(
      new PointerEvent(type, {
        pointerType: "touch",
        bubbles: true,
        clientX: left + part * width,
        clientY: top + 20,
      }),
    );
  touch("pointerdown", 0.05);
  await expect.poll(() => input.value).toBe("1");
  touch("pointermove", 0.5);
  await expect.poll(() => input.value).toBe("15");
});

test("what changes on this phone is counted", async () => {
  await open([done(-1)]);
  await expect.element(page.getByText("$25.00 with 1 service; the 30 days before had nothing")).toBeVisible();
  await pullRows(done(-2));
  await expect.element(page.getByText("$50.00 with 2 services; the 30 days before had nothing")).toBeVisible();
});

test("where there is nothing it says so", async () => {
  await open([]);
  await expect.element(page.getByText("No analytics data available")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Reload" })).toBeVisible();
});

test("what is only scheduled leaves the days empty, and its month is worth something", async () => {
  const next = new Date();
  next.setUTCMonth(next.getUTCMonth() + 1, 10);
  await open([done(0, { status: "scheduled", date: next.toISOString().slice(0, 10) })]);
  await expect.element(page.getByText("No analytics data available")).toBeVisible();
  await expect.element(page.getByRole("article", { name: "Already in the calendar" })).toBeVisible();
});

/** Returns the place of the article of this name. */
const placeOf = (name: string) => page.getByRole("article", { name }).element().getBoundingClientRect();

test("a desktop shows charts in two columns below the first, which has both, and a phone shows one column", async () => {
  await page.viewport(1440, 900);
  await open([done(-1, { paid: true }), done(-2)], "?tab=revenue");
  await expect.element(page.getByRole("article", { name: "By what is sold" })).toBeVisible();
  const [kinds, sold] = ["By kind of service", "By what is sold"];
  const beside = () => {
    const [first, left, right] = ["Revenue by day", kinds ?? "", sold ?? ""].map(placeOf);
    if (!first || !left || !right) throw new Error("a chart is missing");
    return {
      isSameRow: Math.abs(left.top - right.top) < 1 && left.right < right.left,
      isFirstWhole: Math.abs(first.left - left.left) < 1 && Math.abs(first.right - right.right) < 1,
      isFirstAbove: first.bottom < left.top,
    };
  };
  await expect.poll(beside).toEqual({ isSameRow: true, isFirstWhole: true, isFirstAbove: true });
  await page.viewport(390, 844);
  const below = () => placeOf(kinds ?? "").bottom <= placeOf(sold ?? "").top;
  await expect.poll(below).toBe(true);
  expect(placeOf(kinds ?? "").left).toBe(placeOf(sold ?? "").left);
});

test("each chart has the table behind it", async () => {
  await open([done(-1)], "?tab=revenue");
  await page.getByText("Show as table").nth(1).click();
  await expect.element(page.getByRole("row", { name: "Dog Walks $25.00 1 100%" })).toBeVisible();
});

test("what is exported is made on this phone", async () => {
  const files: { name: string; blob: Promise<string> }[] = [];
  const blobs = new Map<string, Blob>();
  const makeUrl = URL.createObjectURL.bind(URL);
  vi.spyOn(URL, "createObjectURL").mockImplementation((it) => {
    const url = makeUrl(it);
    blobs.set(url, it as Blob);
    return url;
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    files.push({ name: this.download, blob: blobs.get(this.href)?.text() ?? Promise.resolve("") });
  });
  dana.name = "=cmd()";
  await open([done(-1)]);
  await page.getByRole("button", { name: "Export Data" }).first().click();
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await expect.element(page.getByText("Analytics data exported successfully")).toBeVisible();
  const [file] = files;
  expect(file?.name).toBe("analytics-export.csv");
  expect(await file?.blob).toContain(`${day(-1)},11:00,30,"'=cmd()",Walk,Completed,25.00,No`);
  await page.getByRole("button", { name: "Export Data" }).first().click();
  await choose("JSON");
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await expect.poll(() => files[1]?.name).toBe("analytics-export.json");
  expect(JSON.parse((await files[1]?.blob) ?? "")).toMatchObject({
    performance: { performanceSummary: { total_revenue: 25 } },
    services: [{ client: "=cmd()", price: 25 }],
  });
});

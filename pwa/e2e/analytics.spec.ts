/** Analytics of the demo's year: the same figures without a network as the server has, to look at and to take out. */
import { AnalyticsPage, TABS } from "./pages/analytics";
import { signedIn } from "./pages/auth";
import { Api } from "./support/api";
import { isAccessible } from "./support/axe";
import { DEMO, demoDay, demoServer } from "./support/demo";
import type { Server } from "./support/server";
import { test as base, expect } from "./support/test";

const test = base.extend<{ server: Server }>({ server: demoServer });

interface Dashboard {
  performance: { performanceSummary: { total_services: number } };
  sentences: { revenue: string; topClients: string };
}

test("a year is looked at without a network, and says what the server says @desktop", async ({
  page,
  network,
  server,
}) => {
  const office = await new Api(server.origin).signIn(DEMO);
  const all = await office.call<Dashboard>(
    "GET",
    `/analytics/dashboard?startDate=${demoDay(-364)}&endDate=${demoDay()}`,
  );
  expect(all.performance.performanceSummary.total_services).toBeGreaterThan(250);
  await signedIn(page, DEMO);
  await network.cut();
  const analytics = await AnalyticsPage.open(page, "?days=365");
  await expect(analytics.card("Revenue by month")).toContainText(all.sentences.revenue);
  await analytics.choose("Clients");
  await expect(analytics.card("Who brings the most")).toContainText(all.sentences.topClients);
  // A reload finds the same days and the same tab.
  await page.reload();
  await expect(analytics.card("Who brings the most")).toContainText(all.sentences.topClients);
});

test("what is taken out without a network is what the server gives @full", async ({ page, network, server }) => {
  const office = await new Api(server.origin).signIn(DEMO);
  const path = `/analytics/export?startDate=${demoDay(-29)}&endDate=${demoDay()}`;
  const json = await office.call<unknown>("GET", path);
  const csv = await office.text(`${path}&format=csv`);
  await signedIn(page, DEMO);
  await network.cut();
  const analytics = await AnalyticsPage.open(page);
  const table = await analytics.export("CSV");
  expect(table.name).toBe("analytics-export.csv");
  expect(table.text).toBe(csv);
  const whole = await analytics.export("JSON");
  expect(whole.name).toBe("analytics-export.json");
  expect(JSON.parse(whole.text)).toEqual(json);
});

test("arrow keys and a finger move over a chart and read its values out @full", async ({ page }) => {
  await signedIn(page, DEMO);
  const analytics = await AnalyticsPage.open(page, "?days=90");
  const cursor = analytics.cursor("Revenue");
  await expect(cursor).toHaveAttribute("aria-valuetext", /, in the days before \$/);
  const last = await cursor.getAttribute("aria-valuetext");
  await cursor.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(cursor).not.toHaveAttribute("aria-valuetext", last ?? "");
  const box = await cursor.boundingBox();
  if (!box) throw new Error("The chart is not there.");
  await page.touchscreen.tap(box.x + 4, box.y + box.height / 2);
  await expect(cursor).toHaveJSProperty("value", "0");
  await page.touchscreen.tap(box.x + box.width - 4, box.y + box.height / 2);
  await expect(cursor).toHaveAttribute("aria-valuetext", last ?? "");
});

test("every tab is accessible @desktop @full", async ({ page }) => {
  await signedIn(page, DEMO);
  const analytics = await AnalyticsPage.open(page, "?days=365");
  for (const tab of TABS) {
    await analytics.choose(tab);
    await page.getByText("Show as table").first().click();
    await isAccessible(page, `analytics, ${tab}`);
  }
  await page.getByRole("button", { name: "Export Data" }).filter({ visible: true }).click();
  await expect(analytics.dialog).toBeVisible();
  await isAccessible(page, "exporting analytics");
});

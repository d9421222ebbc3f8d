/** Links to pass on to clients outside the portal, on the real core and a real IndexedDB, with no network at all. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { aClient, aPet, closePhone, type FeedRow, openPhone, rowsOf, saved } from "../../../test/phone";
import { type Client, loadRest, newBlockedTime, newId, type Report } from "../../core";
import { business } from "../../data";
import { ToastHost } from "../../ui";
import ToSendScreen from "./ToSendScreen";

beforeEach(async () => {
  await loadRest();
  await page.viewport(390, 844);
  vi.spyOn(window, "fetch").mockRejectedValue(new TypeError("no network"));
});
afterEach(closePhone);

const mikko = aClientOf("Mikko Aalto", { phone: "+1 555 0100", email: "mikko@example.com" });
const kim = aClientOf("Kim Ito", {});
const dana = aClientOf("Dana Reyes", { client_user_id: "0196f0a0-0000-7000-8000-00000000000b" });

function aClientOf(name: string, change: Partial<Client>): () => Client {
  let made: Client | undefined;
  return () => (made ??= aClient({ name, phone: "", email: "", ...change }));
}

const aReport = (client: Client, shareId: string): FeedRow => {
  const at = new Date(Date.now() - 60_000).toISOString();
  const report: Report = {
    id: newId(),
    walk_id: newId(),
    client_id: client.id,
    dogs: ["Rex"],
    started_at: at,
    share_id: shareId,
    shared_at: at,
  };
  return { t: "report", d: report };
};

async function show(...clients: Client[]): Promise<void> {
  const rows = clients.flatMap((it) => [...rowsOf(it, aPet(it, { name: "Rex" })), aReport(it, `share-${it.name}`)]);
  await openPhone(rows);
  await render(
    <At path="/to-send">
      <ToSendScreen />
      <ToastHost />
    </At>,
  );
}

const entry = (name: string) => page.getByRole("article").filter({ hasText: name });

test("a report for a client outside the portal waits with text, mail and copy, and one in the portal does not", async () => {
  await show(mikko(), kim(), dana());
  await expect.element(entry("Mikko Aalto")).toBeVisible();
  expect(entry("Dana Reyes").query()).toBeNull();
  const words = "Hello Mikko! Here is the report of the walk with Rex:";
  const text = entry("Mikko Aalto").getByRole("link", { name: "Text" }).element() as HTMLAnchorElement;
  expect(decodeURIComponent(text.href)).toBe(
    `sms:+15550100?&body=${words} ${location.origin}/report/share-Mikko Aalto`,
  );
  const mail = entry("Mikko Aalto").getByRole("link", { name: "Email" }).element() as HTMLAnchorElement;
  expect(mail.href).toContain("mailto:mikko%40example.com?subject=Report%20of%20the%20walk%20with%20Rex&body=Hello");
  // Neither is known of Kim.
  expect(entry("Kim Ito").getByRole("link", { name: "Text" }).query()).toBeNull();
  await expect.element(entry("Kim Ito").getByRole("button", { name: "Copy link" })).toBeVisible();
});

test("what the sitter has sent leaves the list on every phone, and comes back with Undo", async () => {
  await show(mikko());
  expect(business().phone.toSendCount(Date.now())).toBe(1);
  await entry("Mikko Aalto").getByRole("button", { name: "Mark as sent" }).click();
  await expect.element(page.getByText("Nothing to send")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(entry("Mikko Aalto")).toBeVisible();
  const marks = saved().map(({ name, args }) => [name, (args as { passed_on: boolean }).passed_on]);
  expect(marks).toEqual([
    ["mark_passed_on", true],
    ["mark_passed_on", false],
  ]);
});

test("all are marked as sent at once, and Undo brings all back", async () => {
  await show(mikko(), kim());
  await expect.element(entry("Kim Ito")).toBeVisible();
  await page.getByRole("button", { name: "Mark all 2 as sent" }).click();
  await expect.element(page.getByText("Nothing to send")).toBeVisible();
  await expect.element(page.getByText("Marked 2 as sent")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(entry("Mikko Aalto")).toBeVisible();
  await expect.element(entry("Kim Ito")).toBeVisible();
  const marks = saved().map(({ name, args }) => [name, (args as { passed_on: boolean }).passed_on]);
  expect(marks).toEqual([true, true, false, false].map((it) => ["mark_passed_on", it]));
});

test("one entry alone is marked by its own button", async () => {
  await show(mikko());
  await expect.element(entry("Mikko Aalto")).toBeVisible();
  expect(page.getByRole("button", { name: /^Mark all/ }).query()).toBeNull();
});

test("a message about a time off waits with its words and without a link", async () => {
  const client = mikko();
  const note = { client_id: client.id, content: "Tuesday is cancelled.", written_at: new Date().toISOString() };
  const block = { ...newBlockedTime(newId(), "2026-11-24"), to_pass_on: [note] };
  await openPhone([...rowsOf(client), { t: "blocked_time", d: block }]);
  await render(
    <At path="/to-send">
      <ToSendScreen />
      <ToastHost />
    </At>,
  );
  await expect.element(entry("Mikko Aalto")).toHaveTextContent("Visits on Nov 24");
  await expect.element(entry("Mikko Aalto").getByText("Tuesday is cancelled.")).toBeVisible();
  const text = entry("Mikko Aalto").getByRole("link", { name: "Text" }).element() as HTMLAnchorElement;
  expect(decodeURIComponent(text.href)).toBe("sms:+15550100?&body=Tuesday is cancelled.");
  await entry("Mikko Aalto").getByRole("button", { name: "Mark as sent" }).click();
  await expect.element(page.getByText("Nothing to send")).toBeVisible();
  expect(saved()).toMatchObject([
    { name: "mark_passed_on", args: { id: block.id, what: "time_off", passed_on: true, client_id: client.id } },
  ]);
});

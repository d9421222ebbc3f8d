/** The requests' screen on the real core and a real IndexedDB, with no network at all. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import {
  AT,
  aClient,
  aPet,
  aRequest,
  aService,
  closePhone,
  type FeedRow,
  fillThisDisk,
  openPhone,
  pullRemoval,
  rowsOf,
  signInOnPhone,
} from "../../../test/phone";
import {
  type AttentionEntry,
  type Client,
  type Command,
  loadRest,
  newBlockedTime,
  newId,
  type Pet,
  type SeriesRule,
  type WalkRequest,
} from "../../core";
import { business } from "../../data";
import { setSession } from "../../data/session/session";
import { startSyncing, stopSyncing } from "../../data/sync/sync";
import { ConfirmHost, ToastHost } from "../../ui";
import RequestsScreen from "./RequestsScreen";

const show = (at = "/requests") =>
  render(
    <At path={at}>
      <RequestsScreen />
      <ConfirmHost />
      <ToastHost />
    </At>,
  );

let client: Client;
let rex: Pet;

const request = (change: Partial<WalkRequest> = {}): FeedRow => ({
  t: "walk_request",
  d: aRequest(client, [rex], { message: "The side gate is open", ...change }),
});

const open = (...requests: FeedRow[]) => openPhone([...rowsOf(client, rex), ...requests]);

/** Commands that wait to be sent. */
const waiting = (): Command[] =>
  business()
    .phone.outbox()
    .map(({ mutation: { name, args } }) => ({ name, args }) as Command);

const card = () => page.getByRole("article", { name: "Dana Reyes" });

beforeEach(async () => {
  await loadRest();
  client = aClient({ name: "Dana Reyes", address: "4 Elm Street" });
  rex = aPet(client, { name: "Rex", breed: "Collie" });
  await page.viewport(390, 844);
});
afterEach(closePhone);

test("with none it says what would stand here, and each tab says that it has none", async () => {
  await open();
  await show();
  await expect.element(page.getByText("No walk requests yet")).toBeVisible();
  for (const status of ["Pending", "Approved", "Declined"]) {
    await page.getByRole("tab", { name: status }).click();
    await expect.element(page.getByText(`No ${status.toLowerCase()} requests`)).toBeVisible();
  }
});

test("a card says whose, when, for how much and in which words, and only one that waits can be answered", async () => {
  await open(request(), request({ status: "declined", message: "", sitter_response: "Full that day" }));
  await show();
  await expect.element(page.getByRole("tab", { name: /^All Requests/ })).toHaveTextContent("All Requests2");
  await page.getByRole("tab", { name: /^Pending/ }).click();
  for (const words of ["Rex", "Collie", "4 Elm Street", "Tuesday, January 1", "9:00 AM - 9:30 AM", "$25.00"]) {
    await expect.element(card().getByText(words)).toBeVisible();
  }
  await expect.element(card().getByText("The side gate is open")).toBeVisible();
  await expect.element(card().getByRole("button", { name: "Approve" })).toBeVisible();
  await page.getByRole("tab", { name: /^Declined/ }).click();
  await expect.element(card().getByText("Full that day")).toBeVisible();
  expect(card().getByRole("button").elements()).toHaveLength(0);
});

/** Three requests that were made at once, the latest day first. */
const atOnce = (): FeedRow[] => {
  const group_id = newId();
  return ["2199-01-05", "2199-01-03", "2199-01-04"].map((requested_date) =>
    request({ id: newId(), requested_date, group_id }),
  );
};

test("requests that were made at once are one card in order, with one message, and are approved by one tap", async () => {
  const rows = atOnce();
  await open(...rows);
  await show();
  await expect.element(card().getByText("3 requests, made at once")).toBeVisible();
  expect(card().getByText("The side gate is open").elements()).toHaveLength(1);
  const parts = card().getByRole("region").elements();
  expect(parts.map((it) => it.getAttribute("aria-label")?.split(", ")[1])).toEqual([
    "January 3",
    "January 4",
    "January 5",
  ]);
  await card().getByRole("button", { name: "Approve all 3" }).click();
  await expect.element(page.getByText(/^3 requests approved and scheduled!/)).toBeVisible();
  const approvals = rows.map(() => ({ sitter_response: "", overlap_ok: false, price: 25 }));
  expect(waiting()).toMatchObject([{ name: "approve_requests", args: { approvals } }]);
  await expect.element(card().getByText("3 requests, made at once")).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(page.getByText("The 3 requests wait again")).toBeVisible();
  await expect.element(card().getByText("3 requests, made at once")).toBeVisible();
});

test("one of several requests that were made at once is answered by itself", async () => {
  await open(...atOnce());
  await show("/requests?status=pending");
  const of = (day: string) => card().getByRole("region", { name: new RegExp(day) });
  await of("January 4").getByRole("button", { name: "Approve" }).click();
  await expect.element(card().getByText("2 requests, made at once")).toBeVisible();
  await expect.element(of("January 4")).not.toBeInTheDocument();
  expect(waiting()).toMatchObject([{ name: "approve_request" }]);
});

test("a wish says that its time is not offered", async () => {
  await open(request({ is_wish: true }));
  await show();
  await expect.element(card().getByText("This was none of the open times when the request arrived.")).toBeVisible();
});

test("an approval makes the service at once and waits to be sent", async () => {
  await open(request());
  await show();
  await card().getByRole("button", { name: "Approve" }).click();
  await expect.element(page.getByText("Walk request approved and scheduled!")).toBeVisible();
  await expect.element(card().getByText("Approved")).toBeVisible();
  await expect.element(card().getByText("Waiting to be sent")).toBeInTheDocument();
  await expect.element(card().getByRole("link", { name: "Open the service" })).toBeVisible();
  const [approval, ...others] = waiting();
  expect(others).toEqual([]);
  // The price that was shown holds, also where the rates have changed on another phone.
  expect(approval).toMatchObject({ name: "approve_request", args: { price: 25 } });
  if (approval?.name !== "approve_request") throw new Error("no approval waits");
  const service = business().phone.service(approval.args.service_id);
  expect(service?.price).toBe(25);
  // By the rates of this phone it is the usual price, and no agreed one.
  expect(service?.price_override ?? null).toBeNull();
});

test("an approval is undone: its visit goes, and the request waits again, before those that were answered", async () => {
  await open(request(), request({ id: newId(), status: "declined", created_at: "2099-01-01T00:00:00.000Z" }));
  await show();
  const articles = page.getByRole("article");
  await expect.element(articles.first().getByText("Pending")).toBeVisible();
  await articles.first().getByRole("button", { name: "Approve" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(page.getByText("The request waits again")).toBeVisible();
  await expect.element(articles.first().getByRole("button", { name: "Approve" })).toBeVisible();
  const [approval, undo] = waiting();
  if (approval?.name !== "approve_request") throw new Error("no approval waits");
  const { id, service_id } = approval.args;
  expect(undo).toEqual({ name: "undo_approval", args: { id, service_id } });
  expect(business().phone.service(service_id)).toBeUndefined();
});

test("the undo of an approval makes a client inactive again whom the approval made active", async () => {
  client.inactive_since = "2026-10-01";
  await open(request());
  await show();
  await page.getByRole("article").getByRole("button", { name: "Approve" }).click();
  await vi.waitFor(() => expect(business().phone.client(client.id)?.client.inactive_since ?? null).toBeNull());
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(page.getByText("The request waits again")).toBeVisible();
  expect(business().phone.client(client.id)?.client.inactive_since).toBe("2026-10-01");
});

test("what a client has booked without asking is undone on its card, once", async () => {
  const at = aService(client, rex, { date: "2199-01-01", start_time: "09:00" });
  const answered_at = new Date().toISOString();
  const booked = { status: "approved", booked_at_once: true, scheduled_service_id: at.id, answered_at } as const;
  await open({ t: "service", d: at }, request(booked));
  await show();
  await expect.element(card().getByText("Booked without asking")).toBeVisible();
  await card().getByRole("button", { name: "Undo the booking" }).click();
  await expect.element(page.getByText(/^The booking is undone: it waits as a request\./)).toBeVisible();
  await expect.element(card().getByRole("button", { name: "Approve" })).toBeVisible();
  await expect.element(card().getByRole("button", { name: "Undo the booking" })).not.toBeInTheDocument();
  expect(business().phone.service(at.id)).toBeUndefined();
  expect(waiting()).toMatchObject([{ name: "undo_approval", args: { service_id: at.id } }]);
});

test("a booking of long ago, and one that the sitter has approved, have no undo on their cards", async () => {
  const at = aService(client, rex, { date: "2199-01-01", start_time: "09:00" });
  const of = { status: "approved", scheduled_service_id: at.id } as const;
  const now = new Date().toISOString();
  await open(
    { t: "service", d: at },
    request({ ...of, booked_at_once: true, answered_at: AT }),
    request({ ...of, id: newId(), answered_at: now }),
  );
  await show("/requests?status=approved");
  await expect.element(card().first().getByRole("link", { name: "Open the service" })).toBeVisible();
  expect(page.getByRole("button", { name: "Undo the booking" }).elements()).toHaveLength(0);
});

test("a request that costs another price by now says both, and is approved at the one that is chosen", async () => {
  const asked = request({ estimated_price: 25 });
  client.walk_rate_30min = 60;
  await open(asked, request({ id: newId(), estimated_price: 60, requested_start_time: "11:00" }));
  await show();
  const both = card().filter({ hasText: "9:00 AM" });
  await expect.element(both.getByText(/Asked for at \$25\.00\. By your rates it is now \$60\.00\./)).toBeVisible();
  expect(page.getByRole("group", { name: "Price to approve at" }).elements()).toHaveLength(1);
  await expect.element(both.getByRole("radio", { name: "$25.00, as asked" })).toBeChecked();
  (both.getByRole("radio", { name: "$60.00, by your rates" }).element() as HTMLElement).click();
  await both.getByRole("button", { name: "Approve" }).click();
  await expect.element(page.getByText("Walk request approved and scheduled!")).toBeVisible();
  await card().filter({ hasText: "11:00 AM" }).getByRole("button", { name: "Approve" }).click();
  await vi.waitFor(() => expect(waiting()).toHaveLength(2));
  expect(waiting().map(({ args }) => (args as { price?: number | null }).price)).toEqual([60, 60]);
});

test("what is in the way is shown, and a free time of that day is one press away", async () => {
  await open(request(), request({ id: newId(), requested_start_time: "09:15" }));
  await show();
  await page.getByRole("button", { name: "Approve" }).first().click();
  await page.getByRole("tab", { name: /^Pending/ }).click();
  await expect.element(card().getByText("This time is not free")).toBeVisible();
  await expect.element(card().getByText(/Dana Reyes, 9:\d\d AM/)).toBeVisible();
  await expect.element(card().getByRole("button", { name: "Approve anyway" })).toBeVisible();
  const times = card().getByRole("group", { name: "Approve at another time" });
  await times.getByRole("button").first().click();
  await expect.element(page.getByText("No pending requests")).toBeVisible();
  expect(waiting()[1]).toMatchObject({ name: "approve_request", args: { overlap_ok: false } });
});

test("what was approved for another time shows the service's, and the one that was asked for", async () => {
  const at = aService(client, rex, { date: "2199-01-01", start_time: "11:30" });
  await open({ t: "service", d: at }, request({ status: "approved", scheduled_service_id: at.id }));
  await show("/requests?status=approved");
  await expect.element(card().getByText("11:30 AM - 12:00 PM")).toBeVisible();
  await expect.element(card().getByText("Asked for: Tuesday, January 1, 9:00 AM - 9:30 AM")).toBeVisible();
});

test("a declination asks for a reason, and leaving the question declines nothing", async () => {
  await open(request());
  await show();
  await card().getByRole("button", { name: "Decline" }).click();
  const dialog = page.getByRole("dialog", { name: "Decline this request?" });
  await dialog.getByLabelText(/^Reason/).fill("Full that day");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(waiting()).toEqual([]);

  await card().getByRole("button", { name: "Decline" }).click();
  await expect.element(dialog.getByLabelText(/^Reason/)).toHaveValue("Full that day");
  await dialog.getByRole("button", { name: "Decline" }).click();
  await expect.element(page.getByText("Walk request declined")).toBeVisible();
  await expect.element(card().getByText("Full that day")).toBeVisible();
});

test("an answer that the disk does not take is told, and the request waits on", async () => {
  await open(request());
  await show();
  fillThisDisk();
  await card().getByRole("button", { name: "Approve" }).click();
  await expect.element(page.getByText("Failed to approve request")).toBeVisible();
  await card().getByRole("button", { name: "Decline" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  await expect.element(page.getByText("Failed to decline request")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect.element(card().getByRole("button", { name: "Approve" })).toBeVisible();
});

test("Refresh asks the server", async () => {
  const fetched = vi.spyOn(window, "fetch").mockRejectedValue(new TypeError("no network"));
  await open();
  await signInOnPhone();
  startSyncing(business());
  await show();
  await expect.poll(() => fetched.mock.calls.length).toBeGreaterThan(0);
  await expect.element(page.getByRole("button", { name: "Refresh" })).toBeEnabled();
  fetched.mockClear();
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect.poll(() => fetched.mock.calls.length).toBeGreaterThan(0);
  await stopSyncing();
  await setSession(undefined);
});

test("without a reason the client is told the usual words", async () => {
  await open(request());
  await show();
  await card().getByRole("button", { name: "Decline" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  await expect.element(card().getByText("Sorry, I'm not available at this time.")).toBeVisible();
});

test("on a full day it says that nothing else is free, and the client is written to from the card", async () => {
  client = aClient({ name: "Dana Reyes", email: "dana@example.com" });
  rex = aPet(client, { name: "Rex" });
  const block = { ...newBlockedTime(newId(), "2199-01-01"), start_time: "00:00", end_time: "23:59" };
  await open(request(), { t: "blocked_time", d: block });
  await show("/requests?status=pending");
  await expect.element(card().getByText("Nothing else is free on that day.")).toBeVisible();
  await expect.element(card().getByRole("group", { name: "Approve at another time" })).not.toBeInTheDocument();
  await card().getByRole("button", { name: "Write", exact: true }).click();
  await expect.element(page.getByRole("dialog", { name: "Message Dana Reyes" })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await expect.element(page.getByRole("tab", { name: /^Pending/, selected: true })).toBeVisible();
});

test("a request of a client who was deleted can only be declined", async () => {
  await openPhone([request()]);
  await show();
  const orphan = page.getByRole("article", { name: "A client who was deleted" });
  await expect.element(orphan.getByText("The client was deleted, so it can only be declined.")).toBeVisible();
  await expect.element(orphan.getByRole("button", { name: /Approve/ })).not.toBeInTheDocument();
  await orphan.getByRole("button", { name: "Decline" }).click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByText("Nobody is told: the client was deleted.")).toBeVisible();
  await dialog.getByRole("button", { name: "Decline" }).click();
  await expect.element(page.getByText("Walk request declined")).toBeVisible();
});

test("whoever answers a request whose approval was turned down settles that", async () => {
  const wanted = request();
  const older = request({ requested_date: "2199-01-02", created_at: "2026-02-01T00:00:00.000Z" });
  const id = newId();
  const args = { id: wanted.d.id, service_id: newId(), sitter_response: "", overlap_ok: false };
  const mutation = { id, seq: 1, v: 1, made_at: AT, base_rev: 1, name: "approve_request", args };
  const refused: AttentionEntry = {
    entry: { mutation, sentence: "Approve", photos: [] },
    outcome: { id, outcome: "rejected", rev: 2, adjustments: [], refusal: { code: "conflict", with: [], free: [] } },
  };
  await openPhone([...rowsOf(client, rex), wanted, older], [refused]);
  await show(`/requests?status=pending&fix=${id}`);
  const first = page.getByRole("article").first();
  await expect.element(first).toHaveTextContent("Tuesday, January 1");
  await first.getByRole("button", { name: "Decline" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  await expect.element(page.getByText("Walk request declined")).toBeVisible();
  expect(business().phone.attentionCount()).toBe(0);
});

test("who declines what was withdrawn meanwhile is told so", async () => {
  const wanted = request();
  await open(wanted);
  await show();
  await card().getByRole("button", { name: "Decline" }).click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByLabelText(/^Reason/)).toBeVisible();
  await pullRemoval(wanted);
  await dialog.getByRole("button", { name: "Decline" }).click();
  await expect.element(dialog.getByText("The client has withdrawn this request.")).toBeVisible();
});

test("a request whose day is over can only be declined", async () => {
  await open(request({ requested_date: "2020-01-01" }));
  await show();
  await expect.element(card().getByText("Its day is over, so it can only be declined.")).toBeVisible();
  await expect.element(card().getByRole("button", { name: "Decline" })).toBeVisible();
  expect(
    card()
      .getByRole("button", { name: /Approve/ })
      .elements(),
  ).toHaveLength(0);
});

const DAY = "2199-01-01";

/** A series of the client's, each Tuesday at noon, with two of its visits. */
function seriesRows(): { id: string; slot: string; rows: FeedRow[] } {
  const [id, slot] = [newId(), newId()];
  const slots = [{ id: slot, start_time: "12:00", duration_minutes: 30, service_type: "walk" }];
  const rule = { kind: "weekly", every: 1, weekdays: [2] };
  const from = "2198-12-25";
  const phases = [{ from, anchor: from, rule, slots, dog_ids: [rex.id] }];
  const series = { id, client_id: client.id, end: { kind: "never" }, phases, made_until: "2199-01-31", created_at: AT };
  const visits = [DAY, "2199-01-08"].map((date): FeedRow => {
    const of = { series_id: id, series_slot: slot, series_date: date };
    return { t: "service", d: aService(client, rex, { date, start_time: "12:00", ...of }) };
  });
  return { id, slot, rows: [{ t: "series", d: series }, ...visits] };
}

test("a pause that is asked for says what will happen, and is granted like the sitter's own", async () => {
  const series = seriesRows();
  const subject = { kind: "pause_series", series_id: series.id, from: DAY, to: "2199-01-10" } as const;
  const asked = request({ subject, estimated_price: 0, requested_date: "2199-01-10", message: "" });
  await open(...series.rows, asked);
  await show();
  await expect.element(card().getByText("Pause from Jan 1 to Jan 10")).toBeVisible();
  await expect.element(card().getByText("Tuesdays at 12:00 PM, until you stop it")).toBeVisible();
  await expect.element(card().getByText("2 visits from Jan 1 to Jan 8 will be left out.")).toBeVisible();
  await expect.element(card()).not.toHaveTextContent("estimated");
  await card().getByRole("button", { name: "Approve" }).click();
  await expect.element(page.getByText(/^Request approved\. 2 visits from Jan 1 to Jan 8 are left out\./)).toBeVisible();
  await expect.element(card().getByText("Approved")).toBeVisible();
  expect(waiting()).toMatchObject([{ name: "grant_request", args: { id: asked.d.id } }]);
  const pauses = (await business().wholePhone()).seriesView(series.id, Date.now())?.pauses;
  expect(pauses).toEqual(["Paused from Jan 1, 2199 to Jan 10, 2199"]);
});

test("a cancellation that is asked for is granted, and one of a visit that is done can only be declined", async () => {
  const visit = aService(client, rex, { date: DAY });
  const done = aService(client, rex, { date: DAY, start_time: "15:00", status: "completed" });
  const asked = (service_id: string, requested_start_time: string) =>
    request({ id: newId(), subject: { kind: "cancel_service", service_id }, requested_start_time, estimated_price: 0 });
  await open({ t: "service", d: visit }, { t: "service", d: done }, asked(visit.id, "11:00"), asked(done.id, "15:00"));
  await show();
  const of = (time: string) => card().filter({ hasText: time });
  await expect.element(of("3:00 PM").getByText("The visit is done, so it can only be declined.")).toBeVisible();
  expect(of("3:00 PM").getByRole("button", { name: "Approve" }).query()).toBeNull();
  await of("3:00 PM").getByRole("button", { name: "Decline" }).click();
  const dialog = page.getByRole("dialog", { name: "Decline this request?" });
  await dialog.getByRole("button", { name: "Decline" }).click();
  await expect.element(page.getByText("Request declined", { exact: true })).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(of("3:00 PM").getByText("Sorry, this cannot be changed.")).toBeVisible();
  await expect.element(of("11:00 AM").getByText("1 visit on Jan 1 will be cancelled.")).toBeVisible();
  await of("11:00 AM").getByRole("button", { name: "Approve" }).click();
  await expect.element(page.getByText(/^Request approved\. 1 visit on Jan 1 is cancelled\./)).toBeVisible();
  expect(business().phone.service(visit.id)?.status).toBe("cancelled");
});

test("a stay that is asked to move says both its days and its prices, and the approval is undone", async () => {
  const nights = {
    id: newId(),
    name: "Overnight",
    description: "",
    icon: "moon",
    base_price: 60,
    pricing_type: "daily",
    stay_unit: "nights",
    category: "Boarding",
    is_active: true,
    display_order: 0,
    created_at: AT,
  };
  const stay = aService(client, rex, {
    date: DAY,
    end_date: "2199-01-03",
    service_type: "dropin",
    price: 120,
    offering_id: nights.id,
    offering_name: "Overnight",
    stay_terms: { unit: "nights" },
    pricing_breakdown: { ...aService(client, rex).pricing_breakdown, baseDogPrice: 120, total: 120 },
  });
  const days = { date: "2199-01-02", end_date: "2199-01-05", start_time: "10:00" };
  const subject = { kind: "move_service", service_id: stay.id, ...days } as const;
  const asked = request({ subject, estimated_price: 180, requested_end_date: "2199-01-03" });
  await open({ t: "offering", d: nights }, { t: "service", d: stay }, asked);
  await show();
  await expect.element(card().getByText(/^Move to Wednesday, January 2, 10:00 AM - Jan 5, 2199/)).toBeVisible();
  await expect.element(card().getByText(/^Now Tuesday, January 1, 11:00 AM - Jan 3, 2199/)).toBeVisible();
  await expect.element(card().getByText("$180.00", { exact: true })).toBeVisible();
  await expect.element(card().getByText("instead of $120.00", { exact: true })).toBeVisible();
  await expect.element(card().getByText(/It will cost \$180\.00 instead of \$120\.00\.$/)).toBeVisible();
  await card().getByRole("button", { name: "Approve" }).click();
  await expect.element(page.getByText(/The stay from Jan 1 to Jan 3 is moved to Jan 2 to Jan 5\./)).toBeVisible();
  await expect.element(card()).not.toHaveTextContent("estimated");
  expect(business().phone.service(stay.id)).toMatchObject({ ...days, price: 180 });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(page.getByText("The request waits again")).toBeVisible();
  await expect.element(card().getByRole("button", { name: "Approve" })).toBeVisible();
  expect(business().phone.service(stay.id)).toMatchObject({ date: DAY, end_date: "2199-01-03", price: 120 });
  expect(waiting()).toMatchObject([{ name: "grant_request" }, { name: "undo_approval" }]);
});

test("a visit moves to the time that is asked for, also where that is taken", async () => {
  const visit = aService(client, rex, { date: DAY });
  const other = aService(client, rex, { date: "2199-01-02", start_time: "15:00" });
  const subject = { kind: "move_service", service_id: visit.id, date: "2199-01-02", start_time: "15:00" } as const;
  await open({ t: "service", d: visit }, { t: "service", d: other }, request({ subject, estimated_price: 0 }));
  await show();
  await expect.element(card().getByText("Move to Wednesday, January 2, 3:00 PM")).toBeVisible();
  await expect.element(card().getByText("The new time is not free")).toBeVisible();
  await expect.element(card().getByText("The visit on Jan 1 will move to Jan 2, 3:00 PM.")).toBeVisible();
  await card().getByRole("button", { name: "Approve anyway" }).click();
  await expect
    .element(page.getByText(/^Request approved\. The visit on Jan 1 is moved to Jan 2, 3:00 PM\./))
    .toBeVisible();
  expect(waiting()).toMatchObject([{ name: "grant_request", args: { overlap_ok: true } }]);
  expect(business().phone.service(visit.id)).toMatchObject({ date: "2199-01-02", start_time: "15:00" });
});

test("a series that is asked for shows the dates in the way, and is booked without those that are left out", async () => {
  const rule: SeriesRule = { kind: "weekly", every: 1, weekdays: [2] };
  const asked = request({ subject: { kind: "series", rule, last_day: "2199-01-15" }, requested_date: DAY });
  const other = aService(client, rex, { date: "2199-01-08", start_time: "09:00" });
  await open(asked, { t: "service", d: other });
  await show();
  await expect.element(card().getByText("Tuesdays at 9:00 AM, until Jan 15, 2199")).toBeVisible();
  await expect.element(card()).toHaveTextContent("estimated for each visit");
  const taken = card().getByRole("region", { name: "Dates that are taken" });
  await expect.element(taken.getByText("1 of 3 dates is taken")).toBeVisible();
  await taken.getByRole("button", { name: "Leave out" }).click();
  await expect.element(taken.getByText("All decided")).toBeVisible();
  await card().getByRole("button", { name: "Approve" }).click();
  await expect.element(page.getByText(/^Request approved\. 2 visits from Jan 1 to Jan 15 are booked\./)).toBeVisible();
  const choices = [{ date: "2199-01-08", slot: asked.d.id, way: "leave_out" }];
  expect(waiting()).toMatchObject([{ name: "grant_request", args: { id: asked.d.id, start_time: null, choices } }]);
  const phone = await business().wholePhone();
  expect(phone.seriesView(asked.d.id, Date.now())?.sentence).toContain("Tuesdays at 9:00 AM");
});

test("a series is approved with another time", async () => {
  const rule: SeriesRule = { kind: "weekly", every: 1, weekdays: [2] };
  const asked = request({ subject: { kind: "series", rule, last_day: "2199-01-15" }, requested_date: DAY });
  await open(asked);
  await show();
  await card().getByLabelText("Start time").selectOptions("2:00 PM");
  await expect.element(card().getByText("Asked for: 9:00 AM")).toBeVisible();
  await card().getByRole("button", { name: "Approve" }).click();
  await expect.element(page.getByText(/^Request approved\. 3 visits/)).toBeVisible();
  expect(waiting()).toMatchObject([{ args: { start_time: "14:00" } }]);
});

test("a request of an inactive client says what approving does, and approving makes the client active", async () => {
  client = { ...client, inactive_since: "2026-01-05" };
  await open(request());
  await show();
  const remark = card().getByText("Dana Reyes is inactive. Approving makes Dana Reyes active again.");
  await expect.element(remark).toBeVisible();
  await card().getByRole("button", { name: "Approve" }).click();
  await expect.element(remark).not.toBeInTheDocument();
  expect(business().phone.client(client.id)?.client.inactive_since).toBeUndefined();
});

/** The pet parents' screens on the real core and a real IndexedDB, with a server that answers for open times alone. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Route, Switch } from "wouter";
import { At } from "../../../test/At";
import { aConversation } from "../../../test/conversation";
import {
  AT,
  aClient,
  aPet,
  aPicture,
  aRequest,
  aService,
  closePhone,
  type FeedRow,
  openPhone,
  pullConfirmed,
  pullRemoval,
  rowsOf,
  saved,
  signInOnPhone,
} from "../../../test/phone";
import {
  type Client,
  type Invoice,
  loadRest,
  newId,
  type Pet,
  type Series,
  type Service,
  type Sitter,
  type WalkRequest,
} from "../../core";
import type { ReportPage } from "../../core/walk";
import { business, save } from "../../data";
import { setSession } from "../../data/session/session";
import { changeUser } from "../../data/session/sessionDb";
import { encodeBlobs } from "../../data/store/blobs";
import { ConfirmHost, ToastHost } from "../../ui";
import MessagesScreen from "../messages/MessagesScreen";
import { useAfterPaying } from "./AfterPaying";
import { PayDialog } from "./PayByCard";
import PortalAsk from "./PortalAsk";
import PortalHome from "./PortalHome";
import PortalInvoices from "./PortalInvoices";
import PortalPets from "./PortalPets";
import PortalStream from "./PortalStream";
import PortalVisit from "./PortalVisit";
import { isNamed } from "./StreamPhotos";

const DAY = "2199-01-01";
const SITTER = "0196f0a0-0000-7000-8000-00000000000a";

let sam: Client;
let rex: Pet;
let luna: Pet;
/** The open starts of every day; with nothing there is no network. */
let open: string[] | undefined;
let suggestedStarts: readonly string[];
/** Failure that the server answers with in place of them. */
let refused: { status: number; said: string } | undefined;
/** True if the server says why a day is closed. */
let hasReasons: boolean;

beforeEach(async () => {
  await loadRest();
  await page.viewport(390, 844);
  // Whoever has left for Stripe's page in another test is back.
  window.dispatchEvent(new PageTransitionEvent("pageshow"));
  localStorage.clear();
  const contacts = { emergency_contact: "Lee", vet: "Dr. Cole" };
  sam = aClient({ name: "Sam Reyes", address: "4 Elm Street", client_user_id: newId(), ...contacts });
  rex = aPet(sam, { name: "Rex", breed: "Collie" });
  luna = aPet(sam, { name: "Luna", display_order: 1 });
  open = ["09:00", "11:30"];
  suggestedStarts = [];
  refused = undefined;
  hasReasons = true;
  vi.spyOn(window, "fetch").mockImplementation((input) => {
    const path = input as string;
    if (open && hasReasons && path.startsWith("/api/client/closed-day?")) {
      const data = { reason: "Every time on this day is taken.", next: { date: "2199-01-03", start_time: "10:30" } };
      return Promise.resolve(Response.json({ success: true, data }));
    }
    if (open && path.startsWith("/api/client/open-days?")) {
      const isLater = path.includes("from=");
      const [first, until] = isLater ? ["2199-01-11", "2199-01-20"] : [DAY, "2199-01-10"];
      const days = isLater ? ["2199-01-12"] : [DAY, "2199-01-02"];
      const data = { first, until, last: "2199-01-20", days };
      return Promise.resolve(Response.json({ success: true, data }));
    }
    if (!open || !path.startsWith("/api/client/slots?")) return Promise.reject(new TypeError("no network"));
    expect(path).toContain(`sitter_id=${SITTER}`);
    const data = open.map((start_time) => {
      const suggested = suggestedStarts.includes(start_time);
      return { start_time, end_time: start_time, pattern_id: newId(), suggested };
    });
    const headers = { "Content-Type": "application/json" };
    if (refused) {
      const { status, said } = refused;
      const failure = { success: false, code: "failed", error: said };
      // It is not asked again within seconds, which the test would wait for.
      const later = { ...headers, "Retry-After": "60" };
      return Promise.resolve(new Response(JSON.stringify(failure), { status, headers: later }));
    }
    return Promise.resolve(new Response(JSON.stringify({ success: true, data }), { headers }));
  });
});
afterEach(async () => {
  await closePhone();
  for (const name of ["canShare", "share"]) Reflect.deleteProperty(navigator, name);
});

const request = (change: Partial<WalkRequest> = {}): FeedRow => ({
  t: "walk_request",
  d: aRequest(sam, [rex], { requested_date: DAY, created_at: new Date().toISOString(), ...change }),
});

async function show(screen: React.ReactNode, at: string, ...rows: FeedRow[]): Promise<void> {
  await openPhone([...rowsOf(sam, rex, luna), ...rows], [], { sitter_id: SITTER, client_id: sam.id });
  await render(
    <At path={at}>
      {screen}
      <ConfirmHost />
      <ToastHost />
    </At>,
  );
}

const fill = (name: string, value: string, nth = 0) => page.getByLabelText(name, { exact: true }).nth(nth).fill(value);
const start = (nth = 0) => page.getByLabelText("Start time", { exact: true }).nth(nth);
const often = (name: string) => page.getByRole("radio", { name });
/** The label, since the radio itself is not to be seen. */
const choose = (name: string) => page.getByText(name, { exact: true }).click({ force: true });

test("a visit that was never marked done is told neither as done nor as still to come", async () => {
  const missed = aService(sam, rex, { date: "2026-01-05" });
  await show(<PortalHome />, "/client", { t: "service", d: missed });
  const past = page.getByRole("region", { name: "Past" });
  await expect.element(past.getByText("Not marked done yet")).toBeVisible();
  expect(page.getByText("Scheduled", { exact: true }).query()).toBeNull();
  await closePhone();
  await show(<PortalVisit />, `/client/visits/${missed.id}`, { t: "service", d: missed });
  await expect.element(page.getByRole("status").getByText("Not marked done yet")).toBeVisible();
});

test("a visit is asked for at an open time, with the price that was seen", async () => {
  await show(<PortalAsk />, "/client/ask");
  await page.getByText("Rex").click({ force: true });
  await fill("Date", DAY);
  await start().selectOptions("11:30 AM");
  await page.getByLabelText(/^Message/).fill("He is shy");
  await expect.element(page.getByRole("region", { name: "Price" })).toHaveTextContent("$25.00");
  await page.getByText("Luna").click({ force: true });
  await expect.element(page.getByRole("region", { name: "Price" })).toHaveTextContent("$37.50");
  await page.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(page.getByText("Request saved")).toBeVisible();
  expect(saved()).toEqual([
    {
      name: "ask_for_service",
      args: {
        id: expect.any(String),
        request: {
          requested_date: DAY,
          requested_start_time: "11:30",
          requested_duration_minutes: 30,
          service_type: "walk",
          dog_ids: [rex.id, luna.id],
          message: "He is shy",
        },
        quoted_price: 37.5,
      },
    },
  ]);
});

/** Makes one request of Rex's walk by the form, with a sitter whom the person knows as Mara. */
async function requestOfMara(): Promise<void> {
  const mara: Sitter = {
    id: SITTER,
    name: "Mara",
    email: "",
    service_area_radius_miles: 5,
    time_zone: "UTC",
    created_at: AT,
  };
  await show(<PortalAsk />, "/client/ask", { t: "sitter", d: mara });
  await page.getByText("Rex").click({ force: true });
  await fill("Date", DAY);
  await start().selectOptions("11:30 AM");
  await page.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(page.getByText("Request saved. Mara sees it once it is sent.")).toBeVisible();
}

test("a request is called sent to the sitter only once the server has it", async () => {
  await requestOfMara();
  expect(page.getByText("Sent to Mara").query()).toBeNull();
  await pullConfirmed(request({ requested_start_time: "11:30" }));
  await expect.element(page.getByText("Sent to Mara", { exact: true })).toBeVisible();
  await expect.element(page.getByText(/^Request saved/)).not.toBeInTheDocument();
});

test("a request that the server turns down is never called sent", async () => {
  await requestOfMara();
  const [entry] = business().phone.outbox();
  if (!entry) throw new Error("nothing waits");
  const { id, seq } = entry.mutation;
  const { meta } = await business().store.load();
  await business().apply({
    expect_cursor: meta.cursor ?? 0,
    expect_device_id: meta.device_id,
    expect_backend_id: meta.backend_id ?? null,
    clear: false,
    put: [],
    delete: [],
    outbox_remove: [seq],
    outbox_put: [],
    confirmed: [],
    attention_put: [
      { entry, outcome: { id, outcome: "rejected", rev: 2, refusal: { code: "gone" }, adjustments: [] } },
    ],
    meta: { ...meta, cursor: (meta.cursor ?? 0) + 1 },
    renumber: false,
  });
  await expect.element(page.getByText(/^Request saved/)).not.toBeInTheDocument();
  expect(business().phone.attentionCount()).toBe(1);
  expect(page.getByText("Sent to Mara").query()).toBeNull();
});

test("a day with nothing open says why, and the nearest open time is one press away", async () => {
  open = [];
  await show(<PortalAsk />, "/client/ask");
  await fill("Date", DAY);
  await expect.element(page.getByText("Every time on this day is taken.")).toBeVisible();
  open = ["10:30"];
  await page.getByRole("button", { name: "Take Jan 3, 2199, 10:30 AM" }).click();
  await expect.element(page.getByLabelText("Date", { exact: true })).toHaveValue("2199-01-03");
  await expect.element(start()).toHaveValue("10:30");
});

test("several days are asked for at once, one request each", async () => {
  await show(<PortalAsk />, "/client/ask");
  await page.getByText("Rex").click({ force: true });
  await fill("Date", DAY);
  await start().selectOptions("9:00 AM");
  await choose("Several visits");
  await page.getByRole("button", { name: "Add another visit" }).click();
  await fill("Date", "2199-01-02", 1);
  await expect.element(start(1)).toHaveValue("09:00");
  await expect.element(page.getByText("2 visits at $25.00")).toBeVisible();
  await page.getByRole("button", { name: "Request 2 visits" }).click();
  await expect.element(page.getByText("2 requests saved")).toBeVisible();
  const days = saved().map(({ args }) => (args as { request: WalkRequest }).request.requested_date);
  expect(days).toEqual([DAY, "2199-01-02"]);
  const groups = saved().map(({ args }) => (args as { group_id?: string }).group_id);
  expect(groups[0]).toBeTruthy();
  expect(groups[1]).toBe(groups[0]);
});

const dayOf = (name: string) => page.getByRole("button", { name, exact: true });

test("while one visit is asked for a tap on another day moves it", async () => {
  await show(<PortalAsk />, "/client/ask");
  await expect.element(often("One visit")).toBeChecked();
  expect(page.getByRole("button", { name: "Add another visit" }).elements()).toHaveLength(0);
  await dayOf("Wednesday, January 2, open").click();
  await start().selectOptions("9:00 AM");
  await dayOf("Tuesday, January 1, open").click();
  await expect.element(page.getByLabelText("Date", { exact: true })).toHaveValue(DAY);
  await expect.element(start()).toHaveValue("09:00");
  await expect.element(page.getByRole("button", { name: "Request", exact: true })).toBeVisible();
  await expect.element(dayOf("Wednesday, January 2, open")).toHaveAttribute("aria-pressed", "false");
});

test("days are chosen on a calendar that shows which are open and how far it goes", async () => {
  await show(<PortalAsk />, "/client/ask");
  await expect.element(page.getByText("Days with a dot have open times.")).toBeVisible();
  await expect.element(page.getByText(/takes requests up to Jan 20, 2199\.$/)).toBeVisible();
  await choose("Several visits");
  await dayOf("Wednesday, January 2, open").click();
  await expect.element(page.getByLabelText("Date", { exact: true })).toHaveValue("2199-01-02");
  await start().selectOptions("9:00 AM");
  await dayOf("Tuesday, January 1, open").click();
  await expect.element(page.getByLabelText("Date", { exact: true }).nth(0)).toHaveValue(DAY);
  await expect.element(page.getByLabelText("Date", { exact: true }).nth(1)).toHaveValue("2199-01-02");
  await expect.element(start(1)).toHaveValue("09:00");
  await expect.element(page.getByRole("button", { name: "Request 2 visits" })).toBeVisible();
  await dayOf("Wednesday, January 2, open").click();
  await expect.element(page.getByRole("button", { name: "Request", exact: true })).toBeVisible();
  await expect.element(page.getByLabelText("Date", { exact: true })).toHaveValue(DAY);
  await expect.element(often("Several visits")).toBeChecked();
  await page.getByRole("button", { name: "Show later days" }).click();
  await expect.element(dayOf("Saturday, January 12, open")).toBeVisible();
  await expect.element(dayOf("Sunday, January 13, nothing open")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Show later days" })).not.toBeInTheDocument();
});

test("a time that is not offered is asked for as a wish", async () => {
  open = [];
  await show(<PortalAsk />, "/client/ask");
  await page.getByText("Rex").click({ force: true });
  await fill("Date", DAY);
  await expect.element(page.getByText("Every time on this day is taken.")).toBeVisible();
  await page.getByRole("checkbox", { name: "Request a time that is not offered" }).click({ force: true });
  await expect.element(page.getByText(/sees that this time is not offered, and decides\.$/)).toBeVisible();
  await expect.element(page.getByRole("button", { name: /^Take / })).not.toBeInTheDocument();
  await start().selectOptions("8:15 PM");
  await page.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(page.getByText("Request saved")).toBeVisible();
  expect(saved()).toMatchObject([{ args: { is_wish: true, request: { requested_start_time: "20:15" } } }]);
});

test("another time of a visit is asked for, which stays where it is", async () => {
  const visit = aService(sam, rex, { date: DAY, start_time: "10:00" });
  await show(<PortalVisit />, `/client/visits/${visit.id}`, { t: "service", d: visit });
  await page.getByRole("button", { name: "Request to move this visit" }).click();
  const dialog = page.getByRole("dialog", { name: "Request to move this visit" });
  await dialog.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(dialog.getByText("Please select a date")).toBeVisible();
  await dialog.getByRole("button", { name: "Wednesday, January 2, open", exact: true }).click();
  await dialog.getByLabelText("Start time").selectOptions("11:30 AM");
  await dialog.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(page.getByText("Request saved")).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText("Move to Wednesday, January 2, 11:30 AM")).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "Tuesday, January 1" })).toBeVisible();
  const change = { kind: "move_service", service_id: visit.id, date: "2199-01-02", start_time: "11:30" };
  expect(saved()).toMatchObject([{ name: "ask_for_change", args: { change } }]);
  // One new time at once; it can be withdrawn for another one.
  await expect.element(page.getByRole("button", { name: "Request to move this visit" })).not.toBeInTheDocument();
});

test("arrow keys go from day to day of the calendar", async () => {
  await show(<PortalAsk />, "/client/ask");
  const first = dayOf("Tuesday, January 1, open");
  await expect.element(first).toBeVisible();
  (first.element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowRight}{ArrowDown}");
  await expect.element(dayOf("Wednesday, January 9, nothing open")).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}");
  await expect.element(dayOf("Wednesday, January 9, nothing open")).toHaveFocus();
});

test("a walk is offered for dogs alone, and the other pets wait for something else", async () => {
  luna = { ...luna, pet_type: "cat" };
  await show(<PortalAsk />, "/client/ask");
  await expect.element(page.getByRole("checkbox", { name: "Rex" })).toBeVisible();
  await expect.element(page.getByRole("checkbox", { name: "Luna" })).not.toBeInTheDocument();
  await page.getByText("Drop-in", { exact: true }).click({ force: true });
  await page.getByText("Luna").click({ force: true });
  await page.getByText("Walk", { exact: true }).click({ force: true });
  await expect.element(page.getByRole("region", { name: "Price" })).toHaveTextContent("Choose who it is for");
  await page.getByText("Drop-in", { exact: true }).click({ force: true });
  await expect.element(page.getByRole("checkbox", { name: "Luna" })).toBeChecked();
});

test("all that is missing is told at once and in the core's words, and nothing is saved", async () => {
  await show(<PortalAsk />, "/client/ask");
  await page.getByRole("button", { name: "Request", exact: true }).click();
  for (const text of ["Please select at least one dog", "Please select a date", "Please select a start time"]) {
    await expect.element(page.getByText(text)).toBeVisible();
  }
  expect(saved()).toEqual([]);
});

test("without a network any time can be asked for, and it says that a closed one is turned down later", async () => {
  open = undefined;
  await show(<PortalAsk />, "/client/ask");
  await page.getByText("Rex").click({ force: true });
  await fill("Date", DAY);
  const unknown = "No connection to Walkies. We'll check this time when your request is sent.";
  await expect.element(page.getByText(unknown)).toBeVisible();
  await start().selectOptions("6:15 AM");
  await page.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(page.getByText("Request saved")).toBeVisible();
  expect(saved()).toHaveLength(1);
});

test("times that are suggested are marked, and nothing is said of other clients", async () => {
  open = ["11:30", "09:00"];
  suggestedStarts = ["11:30"];
  await show(<PortalAsk />, "/client/ask");
  await fill("Date", DAY);
  await expect.element(start()).toHaveTextContent("Select a start time11:30 AM, suggested9:00 AM");
  expect(page.getByText(/other visits/).query()).toBeNull();
});

test("a day on which nothing is open says so where its reason cannot be had", async () => {
  open = [];
  hasReasons = false;
  await show(<PortalAsk />, "/client/ask");
  await fill("Date", DAY);
  await expect.element(page.getByText("No times are open on this day. Please choose another day.")).toBeVisible();
});

test("what waits is withdrawn once that was confirmed, and what was declined says why", async () => {
  const answer = { status: "declined", sitter_response: "I am away that week", requested_start_time: "15:00" } as const;
  const pending = request();
  await show(<PortalHome />, "/client", pending, request(answer));
  await expect.element(page.getByText("I am away that week")).toBeVisible();
  await page.getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  await expect.element(page.getByText("Request withdrawn")).toBeVisible();
  expect(saved()).toEqual([{ name: "withdraw_request", args: { id: pending.d.id } }]);
  await expect.element(page.getByText("Pending")).not.toBeInTheDocument();
});

test("a withdrawal that cannot be sent yet says so, and what happens if the sitter approves first", async () => {
  const pending = request();
  await show(<PortalHome />, "/client", pending);
  await signInOnPhone(true);
  await page.getByRole("button", { name: "Withdraw" }).click();
  const question = page.getByRole("dialog");
  await expect.element(question.getByText(/If they approve it before that, their answer counts/)).toBeVisible();
  await question.getByRole("button", { name: "Withdraw" }).click();
  await expect.element(page.getByText("Withdrawn here. Your sitter will see it once it is sent.")).toBeVisible();
  await setSession(undefined);
});

test("withdrawing a request that is booked once sent says that the booking counts", async () => {
  sam = { ...sam, books_at_once: true };
  await show(<PortalHome />, "/client");
  const { requested_date, requested_start_time, requested_duration_minutes, service_type, dog_ids } = aRequest(
    sam,
    [rex],
    { requested_date: DAY, requested_start_time: "11:30" },
  );
  const wanted = { requested_date, requested_start_time, requested_duration_minutes, service_type, dog_ids };
  const args = { id: newId(), request: wanted, quoted_price: 25 };
  await save({ name: "ask_for_service", args }, "Request a walk");
  await expect.element(page.getByText(/^It is booked once sent, if that is still possible\./)).toBeVisible();
  // It waits for no answer yet.
  expect(page.getByText("Pending", { exact: true }).query()).toBeNull();
  await page.getByRole("button", { name: "Withdraw" }).click();
  const question = page.getByRole("dialog");
  await expect.element(question.getByText(/Then the visit stays booked/)).toBeVisible();
  await question.getByRole("button", { name: "Withdraw" }).click();
  await expect.element(page.getByText("Withdrawn here. If the visit is booked first, it stays booked.")).toBeVisible();
});

test("a request that was declined is told for a week after the answer, however long ago it was asked", async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString();
  const declined = { status: "declined", created_at: daysAgo(20) } as const;
  const late = request({ ...declined, sitter_response: "Full that day", answered_at: daysAgo(1) });
  const old = request({ ...declined, sitter_response: "Long ago", answered_at: daysAgo(8) });
  await show(<PortalHome />, "/client", late, old);
  await expect.element(page.getByText("Full that day")).toBeVisible();
  await expect.element(page.getByText("Long ago")).not.toBeInTheDocument();
});

test("an answer leaves the first screen a day after this device has shown it", async () => {
  const answered_at = new Date(Date.now() - 3 * 24 * 3_600_000).toISOString();
  const told = request({ status: "declined", sitter_response: "Full that day", answered_at });
  const dayAgo = Date.now() - 25 * 3_600_000;
  localStorage.setItem("walkies-answers-seen", JSON.stringify({ [told.d.id]: dayAgo }));
  const waiting = request();
  await show(<PortalHome />, "/client", told, waiting);
  await expect.element(page.getByRole("region", { name: "Waiting" }).getByText("Pending")).toBeVisible();
  expect(page.getByText("Full that day").query()).toBeNull();
});

test("an answer that is shown is noted with its time, and leaves the first screen a day later", async () => {
  const answered_at = new Date().toISOString();
  const told = request({ status: "declined", sitter_response: "Full that day", answered_at });
  const waiting = request();
  const before = Date.now();
  await show(<PortalHome />, "/client", told, waiting);
  await expect.element(page.getByText("Full that day")).toBeVisible();
  const note = () => JSON.parse(localStorage.getItem("walkies-answers-seen") ?? "{}") as Record<string, number>;
  await expect.poll(() => Object.keys(note())).toEqual([told.d.id]);
  expect(note()[told.d.id]).toBeGreaterThanOrEqual(before);
  expect(note()[told.d.id]).toBeLessThanOrEqual(Date.now());
  await closePhone();
  // Within the day it is there again.
  await show(<PortalHome />, "/client", told, waiting);
  await expect.element(page.getByText("Full that day")).toBeVisible();
  await closePhone();
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 25 * 3_600_000);
  await show(<PortalHome />, "/client", told, waiting);
  await expect.element(page.getByRole("region", { name: "Waiting" }).getByText("Pending")).toBeVisible();
  expect(page.getByText("Full that day").query()).toBeNull();
  clock.mockRestore();
});

test("a cancelled visit stays where it was, crossed out, with another time as the way on", async () => {
  const cancelled = aService(sam, rex, { date: DAY, status: "cancelled" });
  await show(<PortalHome />, "/client", { t: "service", d: cancelled });
  await expect.element(page.getByRole("heading", { name: /Tuesday, January 1/ })).toBeVisible();
  await expect.element(page.getByText("Cancelled", { exact: true })).toBeVisible();
  expect(page.getByRole("region", { name: "Past" }).query()).toBeNull();
  const another = page.getByRole("link", { name: "Request another time" });
  await expect.element(another).toHaveAttribute("href", `/client/ask?like=${cancelled.id}`);
});

test("the page of a cancelled visit that was not billed has no price, since nothing is owed", async () => {
  const cancelled = aService(sam, rex, { date: DAY, status: "cancelled" });
  await show(<PortalVisit />, `/client/visits/${cancelled.id}`, { t: "service", d: cancelled });
  await expect.element(page.getByText("Cancelled", { exact: true })).toBeVisible();
  expect(page.getByRole("region", { name: "Price" }).query()).toBeNull();
});

test("a later visit that is cancelled says why, and asks for the same at another time", async () => {
  const next = aService(sam, rex, { date: DAY });
  const cancelled = aService(sam, rex, {
    date: "2199-01-05",
    status: "cancelled",
    cancel_reason: "Down with the flu",
    tells_cancel_reason: true,
  });
  await show(<PortalHome />, "/client", { t: "service", d: next }, { t: "service", d: cancelled });
  const upcoming = page.getByRole("region", { name: "Upcoming" });
  await expect.element(upcoming.getByText(/: Down with the flu$/)).toBeVisible();
  const another = upcoming.getByRole("link", { name: "Request another time" });
  await expect.element(another).toHaveAttribute("href", `/client/ask?like=${cancelled.id}`);
});

test("what was booked without asking stands there as booked, with its visit", async () => {
  sam = { ...sam, books_at_once: true };
  const visit = aService(sam, rex, { date: DAY });
  const asked = { status: "approved", booked_at_once: true, answered_at: new Date().toISOString() } as const;
  const booked = request({ ...asked, scheduled_service_id: visit.id });
  await show(<PortalHome />, "/client", booked, { t: "service", d: visit });
  const item = page.getByRole("region", { name: "Answered" });
  await expect.element(item.getByText("Booked", { exact: true })).toBeVisible();
  await expect.element(item.getByRole("link", { name: "Open the visit" })).toBeVisible();
});

test("a client who books without asking is told so, and that it counts once it is sent", async () => {
  sam = { ...sam, books_at_once: true };
  await show(<PortalAsk />, "/client/ask");
  await page.getByText("Rex").click({ force: true });
  await fill("Date", DAY);
  await start().selectOptions("11:30 AM");
  await expect.element(page.getByText(/lets you book open times without asking\./)).toBeVisible();
  // On a wish the sitter decides.
  const wish = page.getByRole("checkbox", { name: "Request a time that is not offered" });
  await wish.click({ force: true });
  await expect.element(page.getByRole("button", { name: "Request", exact: true })).toBeVisible();
  await wish.click({ force: true });
  await start().selectOptions("11:30 AM");
  await page.getByRole("button", { name: "Book", exact: true }).click();
  await expect.element(page.getByText(/^Saved\. It is booked once sent, if that is still possible\./)).toBeVisible();
  expect(saved()).toMatchObject([{ name: "ask_for_service", args: { quoted_price: 25 } }]);
});

test("a visit that has just ended says how it went, and the same again a week later is two taps", async () => {
  const completed_at = new Date().toISOString();
  const ended = aService(sam, rex, {
    date: "2026-01-02",
    status: "completed",
    completion_notes: "A good walk",
    completed_at,
  });
  await show(<PortalHome />, "/client", { t: "service", d: ended });
  const last = page.getByRole("region", { name: "Last visit" });
  await expect.element(last.getByText("A good walk")).toBeVisible();
  const again = last.getByRole("link", { name: "Request the same again" });
  await expect.element(again).toHaveAttribute("href", `/client/ask?like=${ended.id}&week=next`);
  await closePhone();
  await show(<PortalAsk />, `/client/ask?like=${ended.id}&week=next`, { t: "service", d: ended });
  const asked = page.getByLabelText("Date", { exact: true });
  // A Friday again, within a week from today.
  await expect.element(asked).toHaveValue(expect.stringMatching(/^\d{4}-\d\d-\d\d$/));
  const date = new Date(`${(asked.element() as HTMLInputElement).value}T12:00:00Z`);
  expect(date.getUTCDay()).toBe(5);
  expect(date.getTime() - Date.now()).toBeLessThan(8 * 24 * 3_600_000);
  await expect.element(page.getByRole("checkbox", { name: "Rex" })).toBeChecked();
});

test("the same again next week is requested with two taps", async () => {
  const ended = aService(sam, rex, {
    date: "2026-01-02",
    start_time: "11:30",
    status: "completed",
    completed_at: new Date().toISOString(),
  });
  const screens = (
    <Switch>
      <Route path="/client">
        <PortalHome />
      </Route>
      <Route path="/client/ask">
        <PortalAsk />
      </Route>
    </Switch>
  );
  await show(screens, "/client", { t: "service", d: ended });
  await page.getByRole("link", { name: "Request the same again" }).click();
  await page.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(page.getByText(/^Request saved/)).toBeVisible();
  expect(saved()).toMatchObject([
    {
      name: "ask_for_service",
      args: {
        request: {
          requested_start_time: "11:30",
          requested_duration_minutes: 30,
          service_type: "walk",
          dog_ids: [rex.id],
        },
        quoted_price: 25,
      },
    },
  ]);
  const [day = ""] = saved().map(({ args }) => (args as { request: WalkRequest }).request.requested_date);
  const asked = new Date(`${day}T12:00:00Z`);
  expect(asked.getUTCDay()).toBe(5);
  expect(asked.getTime()).toBeGreaterThan(Date.now());
  expect(asked.getTime() - Date.now()).toBeLessThan(8 * 24 * 3_600_000);
});

/** A report of a walk with Rex today, which the server shows at `/report/secret`. */
const sharedReport = (): FeedRow => {
  const at = new Date().toISOString();
  const of = { client_id: sam.id, dogs: ["Rex"], share_id: "secret" };
  return { t: "report", d: { id: newId(), walk_id: newId(), ...of, started_at: at, shared_at: at } as { id: string } };
};

/** Page of that report, with so many photos. */
const reportPage = (n_photos: number): ReportPage => ({
  business_name: "Mara",
  has_logo: false,
  title: "A walk with Rex",
  kind: "walk",
  date: "Friday, January 2",
  duration: "30 min",
  times: "11:00 AM to 11:30 AM",
  distance: null,
  distance_label: "recorded",
  not_recorded: null,
  n_photos,
  events: Array.from({ length: n_photos }, (_, photo) => ({
    type: "photo",
    time: "11:05 AM",
    text: "Photo",
    dogs: null,
    photo,
    place: null,
  })),
  note: "Rex met a friend",
  map: null,
});

/** Keeps the page and its photos on this phone for the person who is signed in, as `keepReports` does with a network. */
async function keepReport(report: ReportPage): Promise<void> {
  const { store } = business();
  const user = {
    id: store.userId,
    email: "sam@example.com",
    name: "Sam Reyes",
    role: "client",
    sitter_id: null,
  } as const;
  await setSession({ token: "token", user, needs_auth: false });
  await changeUser(user.id, () => ({ databases: [store.name] }));
  const names = Array.from({ length: report.n_photos }, (_, at) => String(at));
  const photos = await Promise.all(
    names.map(async (name) => encodeBlobs({ share_id: "secret", name, blob: await aPicture(`${name}.png`) })),
  );
  await store.run(async (db) => {
    await db.put("reports", { share_id: "secret", page: report, kept_at: Date.now() });
    for (const it of photos) await db.put("report_photos", it);
  });
}

test("the first photos of the last visit's report are on the first screen and open the report", async () => {
  const rows = [...rowsOf(sam, rex, luna), justEnded(), sharedReport()];
  await openPhone(rows, [], { sitter_id: SITTER, client_id: sam.id });
  await keepReport(reportPage(5));
  await render(
    <At path="/client">
      <PortalHome />
    </At>,
  );
  const last = page.getByRole("region", { name: "Last visit" });
  await expect.element(last.getByText("Rex met a friend")).toBeVisible();
  const photos = last.getByRole("link", { name: "Open the report with 5 photos" });
  await expect.element(photos).toHaveAttribute("href", "/report/secret");
  for (const name of ["Photo 1", "Photo 2", "Photo 3"]) {
    const photo = photos.getByRole("img", { name });
    await expect.element(photo).toBeInViewport({ ratio: 0.99 });
    // As large as the picture that this phone keeps.
    await expect.poll(() => (photo.element() as HTMLImageElement).naturalWidth).toBe(60);
  }
  expect(photos.getByRole("img").elements()).toHaveLength(3);
  await setSession(undefined);
});

/** A walk of Rex that was completed today. */
const justEnded = (): FeedRow => {
  const completed_at = new Date().toISOString();
  return {
    t: "service",
    d: aService(sam, rex, { date: completed_at.slice(0, 10), status: "completed", completed_at }),
  };
};
const thanks = page.getByRole("button", { name: "Say thanks" });

test("thanks are one tap, say how far they are, and can be taken back", async () => {
  const ended = justEnded();
  await show(<PortalVisit />, `/client/visits/${ended.d.id}`, ended);
  await thanks.click();
  await expect.element(page.getByText(/^“Thank you!” to /)).toBeVisible();
  const said = page.getByRole("status").filter({ hasText: "You said thanks" });
  await expect.element(said).toHaveTextContent(/(Sending|Waits .*)$/);
  await expect.element(thanks).not.toBeInTheDocument();
  expect(saved()).toMatchObject([
    { name: "send_message", args: { conversation_id: sam.id, content: "Thank you!", photo: null } },
  ]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(thanks).toBeVisible();
  await expect.element(said).not.toBeInTheDocument();
});

test("thanks are not offered twice, nor before a visit is done", async () => {
  const ended = justEnded();
  await show(<PortalHome />, "/client", ended);
  await page.getByRole("region", { name: "Last visit" }).getByRole("button", { name: "Say thanks" }).click();
  await expect.element(page.getByText("You said thanks")).toBeVisible();
  const said = aConversation(sam, [{ by: "client", content: "Thank you!", at: new Date().toISOString() }]);
  const later: FeedRow = { t: "service", d: aService(sam, rex, { date: DAY }) };
  for (const rows of [[ended, ...said], [later]] as const) {
    await closePhone();
    await show(<PortalVisit />, `/client/visits/${rows[0].d.id}`, ...rows);
    await expect.element(page.getByRole("button", { name: "Message about this visit" })).toBeVisible();
    expect(thanks.elements()).toHaveLength(0);
  }
});

test("times say in which zone they are where this device's clock shows another one", async () => {
  const at = (time_zone: string): FeedRow => {
    const d: Sitter = {
      id: SITTER,
      name: "Mara",
      email: "",
      service_area_radius_miles: 5,
      time_zone,
      created_at: AT,
    };
    return { t: "sitter", d };
  };
  const visit: FeedRow = { t: "service", d: aService(sam, rex, { date: DAY }) };
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  await show(<PortalHome />, "/client", visit, at(here));
  await expect.element(page.getByText("$25.00")).toBeVisible();
  expect(page.getByText(/^Times are in/).query()).toBeNull();
  await closePhone();
  const away = here === "Asia/Kathmandu" ? "America/New_York" : "Asia/Kathmandu";
  await show(<PortalHome />, "/client", visit, at(away));
  await expect.element(page.getByText(/^Times are in .+ Time\.$/)).toBeVisible();
});

/** An offering that is sold by the night. */
const overnight = () => ({
  id: newId(),
  name: "Overnight Stay",
  description: "At my place, with a garden",
  icon: "moon",
  base_price: 75,
  pricing_type: "daily",
  duration_minutes: null,
  stay_unit: "nights",
  category: "Boarding",
  is_active: true,
  display_order: 0,
  created_at: AT,
});

test("a stay is asked for from one day to another, with what it is and what it comes to", async () => {
  const stay = overnight();
  await show(<PortalAsk />, "/client/ask", { t: "offering", d: stay });
  await page.getByLabelText("What", { exact: true }).selectOptions("Overnight Stay: $75.00 per night");
  await expect.element(page.getByText("At my place, with a garden")).toBeVisible();
  await page.getByText("Rex").click({ force: true });
  const price = page.getByRole("region", { name: "Price" });
  await expect.element(price).toHaveTextContent("Choose the days to see the price.");
  await dayOf("Tuesday, January 1, free").click();
  await dayOf("Thursday, January 3, may be taken").click();
  await expect.element(page.getByLabelText("Last day")).toHaveValue("2199-01-03");
  await expect.element(price).toHaveTextContent("$150.00");
  await page.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(page.getByText("Please select an arrival time")).toBeVisible();
  await page.getByLabelText("Arrival").selectOptions("5:00 PM");
  await page.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(page.getByText("Request saved")).toBeVisible();
  const wish = { requested_date: DAY, requested_start_time: "17:00", requested_end_date: "2199-01-03" };
  expect(saved()).toMatchObject([{ args: { request: { ...wish, offering_id: stay.id }, quoted_price: 150 } }]);
});

test("other days of a stay are asked for with their price, and it keeps its days", async () => {
  const offering = overnight();
  const stay = aService(sam, rex, {
    date: DAY,
    end_date: "2199-01-03",
    start_time: "17:00",
    service_type: "dropin",
    offering_id: offering.id,
    offering_name: offering.name,
    stay_terms: { unit: "nights" },
    price: 150,
  });
  await show(<PortalVisit />, `/client/visits/${stay.id}`, { t: "offering", d: offering }, { t: "service", d: stay });
  await expect.element(page.getByRole("button", { name: "Request to cancel this stay" })).toBeVisible();
  await page.getByRole("button", { name: "Request other days" }).click();
  const dialog = page.getByRole("dialog", { name: "Request other days for this stay" });
  await dialog.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(dialog.getByText("The stay is on these days already.")).toBeVisible();
  await dialog.getByLabelText("First day").fill("");
  await dialog.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(dialog.getByLabelText("First day")).toHaveAccessibleDescription(/^Please select a date/);
  await dialog.getByLabelText("First day").fill("2199-01-05");
  await dialog.getByLabelText("Last day").fill("2199-01-08");
  await dialog.getByLabelText(/^Departure/).selectOptions("11:00 AM");
  const price = dialog.getByRole("region", { name: "Price" });
  await expect.element(price).toHaveTextContent("$225.00");
  await expect.element(price).toHaveTextContent("Booked at $150.00");
  await dialog.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(page.getByText("Request saved")).toBeVisible();
  await expect.element(page.getByText(/^Move to Saturday, January 5, 5:00 PM - Jan 8, 2199, 11:00 AM/)).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "Tuesday, January 1" })).toBeVisible();
  const days = { date: "2199-01-05", end_date: "2199-01-08", start_time: "17:00", departure_time: "11:00" };
  const change = { kind: "move_service", service_id: stay.id, ...days };
  expect(saved()).toMatchObject([{ name: "ask_for_change", args: { change, quoted_price: 225 } }]);
  await expect.element(page.getByRole("button", { name: "Request other days" })).not.toBeInTheDocument();
});

test("in place of a declined request another time is asked for, with all else as it was", async () => {
  const answered_at = new Date().toISOString();
  const declined = { status: "declined", sitter_response: "Full that day", answered_at } as const;
  const of = { requested_start_time: "09:00", requested_duration_minutes: 45, message: "The gate is open" };
  const asked = request({ ...declined, ...of });
  await show(<PortalHome />, "/client", asked);
  const again = page.getByRole("link", { name: "Request another time" });
  await expect.element(again).toHaveAttribute("href", `/client/ask?request=${asked.d.id}`);
  await closePhone();
  await show(<PortalAsk />, `/client/ask?request=${asked.d.id}`, asked);
  await expect.element(page.getByRole("checkbox", { name: "Rex" })).toBeChecked();
  await expect.element(page.getByLabelText("Duration")).toHaveValue("45");
  await expect.element(page.getByLabelText(/^Message/)).toHaveValue("The gate is open");
  await expect.element(page.getByLabelText("Date", { exact: true })).toHaveValue("");
});

test("a declined request to move a visit leads to asking for another time of it", async () => {
  const visit = aService(sam, rex, { date: DAY });
  const subject = { kind: "move_service", service_id: visit.id, date: "2199-01-02", start_time: "11:30" } as const;
  const declined = request({ status: "declined", subject, answered_at: new Date().toISOString() });
  await show(<PortalHome />, "/client", { t: "service", d: visit }, declined);
  const again = page.getByRole("link", { name: "Request another time" });
  await expect.element(again).toHaveAttribute("href", `/client/visits/${visit.id}?move`);
  await closePhone();
  await show(<PortalVisit />, `/client/visits/${visit.id}?move`, { t: "service", d: visit }, declined);
  await expect.element(page.getByRole("dialog", { name: "Request to move this visit" })).toBeVisible();
  // Closed and reloaded, it stays closed.
  expect(location.search).toBe("");
});

test("another time of a visit is asked for once at a time, also in place of a declined one", async () => {
  const visit = aService(sam, rex, { date: DAY });
  const subject = { kind: "move_service", service_id: visit.id, date: "2199-01-02", start_time: "11:30" } as const;
  const declined = request({ status: "declined", subject, answered_at: new Date().toISOString() });
  const waiting = request({ subject: { ...subject, start_time: "09:00" } });
  await show(<PortalHome />, "/client", { t: "service", d: visit }, declined, waiting);
  await expect.element(page.getByRole("region", { name: "Answered" })).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Request another time" })).not.toBeInTheDocument();
  await closePhone();
  await show(<PortalVisit />, `/client/visits/${visit.id}?move`, { t: "service", d: visit }, declined, waiting);
  await expect.element(page.getByText("Move to Wednesday, January 2, 9:00 AM")).toBeVisible();
  await pullRemoval(waiting);
  await expect.element(page.getByRole("button", { name: "Request to move this visit" })).toBeVisible();
  expect(page.getByRole("dialog").query()).toBeNull();
});

test("no price is shown before anybody is chosen for whom it would be", async () => {
  await show(<PortalAsk />, "/client/ask");
  const price = page.getByRole("region", { name: "Price" });
  await expect.element(price).toHaveTextContent("Choose who it is for to see the price.");
  await expect.element(price).not.toHaveTextContent("$");
});

test("what nobody has answered says so once its day is over, and can be removed", async () => {
  const yesterday = new Date(Date.now() - 36 * 3_600_000).toISOString().slice(0, 10);
  const missed = request({ requested_date: yesterday });
  await show(<PortalHome />, "/client", missed);
  await expect.element(page.getByText("Not answered")).toBeVisible();
  expect(page.getByRole("region", { name: "Waiting" }).query()).toBeNull();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog", { name: "Remove this request?" }).getByRole("button", { name: "Remove" }).click();
  await expect.element(page.getByText("Request removed")).toBeVisible();
  expect(saved()).toEqual([{ name: "withdraw_request", args: { id: missed.d.id } }]);
});

test("what was approved for another time says so, with the time that was asked for", async () => {
  const visit = aService(sam, rex, { date: DAY, start_time: "11:30" });
  const moved = { status: "approved", scheduled_service_id: visit.id, answered_at: new Date().toISOString() } as const;
  await show(<PortalHome />, "/client", { t: "service", d: visit }, request(moved));
  const item = page.getByRole("region", { name: "Answered" });
  await expect.element(item).toHaveTextContent("11:30 AM - 12:00 PM");
  await expect.element(item.getByText("You asked for Tuesday, January 1, 9:00 AM - 9:30 AM")).toBeVisible();
  // What is booked costs what it says.
  await expect.element(item).toHaveTextContent("$25.00");
  await expect.element(item).not.toHaveTextContent("estimated");
  const link = item.getByRole("link", { name: "Open the visit" });
  await expect.element(link).toHaveAttribute("href", `/client/visits/${visit.id}`);
});

test("what comes and what was stands by itself, and a report at the visit of its day", async () => {
  const coming = aService(sam, rex, { date: DAY, start_time: "10:00" });
  const done = aService(sam, rex, { date: "2026-01-01", status: "completed", completion_notes: "A good walk" });
  const d = {
    id: newId(),
    walk_id: newId(),
    client_id: sam.id,
    dogs: ["Rex"],
    started_at: AT,
    share_id: "secret",
    shared_at: AT,
  };
  const rows = [coming, done].map((it): FeedRow => ({ t: "service", d: it }));
  await show(<PortalHome />, "/client", ...rows, { t: "report", d });
  const past = page.getByRole("region", { name: "Past" });
  await expect.element(page.getByRole("heading", { name: "Tuesday, January 1, 10:00 AM - 10:30 AM" })).toBeVisible();
  await expect.element(past).toHaveTextContent("Report");
  await expect.element(past.getByRole("link")).toHaveAttribute("href", `/client/visits/${done.id}`);
});

test("a visit shows its price and how that came about, and what was told of it", async () => {
  const done = aService(sam, rex, { status: "completed", completion_notes: "A good walk", paid: true });
  await show(<PortalVisit />, `/client/visits/${done.id}`, { t: "service", d: done });
  for (const text of ["$25.00 for 1 dog", "Paid", "A good walk"]) {
    await expect.element(page.getByText(text, { exact: true })).toBeVisible();
  }
});

test("a visit says when it was started and marked done, and a message about it begins with the visit", async () => {
  const progress = { step: "started", at: "2026-01-02T09:04:00.000Z" } as const;
  const completed_at = "2026-01-02T09:36:00.000Z";
  const done = aService(sam, rex, { date: "2026-01-02", status: "completed", progress, completed_at });
  await show(<PortalVisit />, `/client/visits/${done.id}`, { t: "service", d: done });
  await expect.element(page.getByText(/^Started .*, marked done /)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Report a problem" })).toBeVisible();
  await page.getByRole("button", { name: "Message about this visit" }).click();
  await vi.waitFor(() => expect(location.pathname).toBe(`/client/messages/${sam.id}`));
  const drafts = await business().store.run((db) => db.getAll("drafts"));
  expect(JSON.stringify(drafts)).toContain("About the visit on Friday, January 2, 11:00 AM - 11:30 AM (Rex): ");
});

/** A visit, and a message that was begun about another one, with what was typed after it. */
async function showBegun(typed: string): Promise<void> {
  const done = aService(sam, rex, { date: "2026-01-02", status: "completed" });
  await show(<PortalVisit />, `/client/visits/${done.id}`, { t: "service", d: done });
  const begun = "About the visit on Thursday, January 1, 10:00 AM - 10:30 AM (Rex): ";
  const value = { content: begun + typed, images: [], begun };
  await business().store.putDraft({ key: `message-${sam.id}`, value, base_rev: 0, saved_at: 1 });
  await page.getByRole("button", { name: "Message about this visit" }).click();
  await vi.waitFor(() => expect(location.pathname).toBe(`/client/messages/${sam.id}`));
}

test("a message about a visit takes the place of one that was only begun for another visit", async () => {
  await showBegun("");
  const drafts = await business().store.run((db) => db.getAll("drafts"));
  expect(drafts).toHaveLength(1);
  expect(JSON.stringify(drafts)).toContain("About the visit on Friday, January 2");
});

test("a message about a visit does not take the place of what was typed", async () => {
  await showBegun("Rex limps");
  const drafts = await business().store.run((db) => db.getAll("drafts"));
  expect(drafts).toHaveLength(1);
  expect(JSON.stringify(drafts)).toContain("Rex limps");
});

test("a report of no visit stands on the first screen, and promises neither photos nor a map that nobody has seen", async () => {
  const shared_at = new Date().toISOString();
  const report = { id: newId(), walk_id: newId(), client_id: sam.id, dogs: ["Rex"], share_id: "secret", shared_at };
  await show(<PortalHome />, "/client", { t: "report", d: { ...report, started_at: shared_at } as { id: string } });
  const news = page.getByRole("region", { name: "New report" });
  await expect.element(news.getByText(/^A walk with Rex/)).toBeVisible();
  await expect.element(news.getByRole("link", { name: "Open the report" })).toHaveAttribute("href", "/report/secret");
});

test("a pet's photos and notes stand by months, with the visits behind them, and one without any says so", async () => {
  const words = (date: string, completion_notes: string): FeedRow => ({
    t: "service",
    d: aService(sam, rex, { date, status: "completed", completion_notes }),
  });
  const [older, newer] = [words("2026-01-02", "A good walk"), words("2026-03-02", "Found a stick")];
  await show(<PortalStream />, `/client/stream/${rex.id}`, older, newer);
  await expect.element(page.getByRole("heading", { name: "Rex" })).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "January 2026" })).toBeVisible();
  const latest = page.getByRole("article").first();
  await expect.element(latest).toHaveTextContent("Monday, March 2Found a stick");
  await expect.element(latest.getByRole("link")).toHaveAttribute("href", `/client/visits/${newer.d.id}`);
  await closePhone();
  await show(<PortalStream />, `/client/stream/${luna.id}`, older);
  await expect.element(page.getByText("No photos or notes yet")).toBeVisible();
});

/** Has the browser offer an app that takes files, or none; what is shared with it is collected. */
function offerSharing(takesFiles: boolean): ShareData[] {
  const shared: ShareData[] = [];
  Object.defineProperty(navigator, "canShare", { value: () => takesFiles, configurable: true });
  Object.defineProperty(navigator, "share", {
    value: (data: ShareData) => Promise.resolve(void shared.push(data)),
    configurable: true,
  });
  return shared;
}

/** Opens the photo in Rex's stream, which the server has. */
async function openStreamPhoto() {
  const photo = await aPicture("photo.png");
  const known = vi.mocked(window.fetch).getMockImplementation();
  vi.spyOn(window, "fetch").mockImplementation((input, init) => {
    if (input === "/api/public/reports/secret")
      return Promise.resolve(Response.json({ success: true, data: reportPage(1) }));
    if (input === "/api/public/reports/secret/photos/0") {
      return Promise.resolve(new Response(photo, { headers: { "Content-Type": "image/png" } }));
    }
    return known?.(input, init) ?? Promise.reject(new TypeError("no network"));
  });
  const ended = justEnded();
  await show(<PortalStream />, `/client/stream/${rex.id}`, ended, sharedReport());
  await page.getByRole("button", { name: /^Photo 1, / }).click();
  return page.getByRole("dialog", { name: /^Rex, / });
}

test("a photo in a pet's stream is shared as a file with the pet's name and the day", async () => {
  const shared = offerSharing(true);
  const dialog = await openStreamPhoto();
  const title = dialog.element().querySelector("h2")?.textContent ?? "";
  expect(title).toMatch(/^Rex, \w+, \w+ \d+$/);
  await dialog.getByRole("button", { name: "Share" }).click();
  await expect.poll(() => shared).toHaveLength(1);
  const [{ title: named, files = [] } = {}] = shared;
  expect(named).toBe(title);
  expect(files.map((it) => [it.name, it.type])).toEqual([[`${title}, 1.jpg`, "image/png"]]);
  expect(files[0]?.size).toBe((await aPicture("photo.png")).size);
});

test("a photo in a pet's stream is only saved where the browser shares no files", async () => {
  offerSharing(false);
  const dialog = await openStreamPhoto();
  await expect.element(dialog.getByRole("button", { name: "Save" })).toBeEnabled();
  expect(dialog.getByRole("button", { name: "Share" }).query()).toBeNull();
});

test("a photo is of a pet whose whole name the report gives", () => {
  expect(["Rex", "Pepper and Rex", "Rex, Luna and Pepper"].map((list) => isNamed("Rex", list))).toEqual([
    true,
    true,
    true,
  ]);
  expect(["Rexy", "Rexy and Luna", "T-Rex, Luna and Rexy"].map((list) => isNamed("Rex", list))).toEqual([
    false,
    false,
    false,
  ]);
});

/** A visit to which the sitter is on the way. */
const underWay = () =>
  aService(sam, rex, { date: DAY, progress: { step: "on_the_way", at: new Date().toISOString() } });

test("the next visit shows its price and how far it is", async () => {
  await show(<PortalHome />, "/client", { t: "service", d: underWay() });
  await expect.element(page.getByText("$25.00")).toBeVisible();
  await expect.element(page.getByRole("status").getByText("On the way")).toBeVisible();
});

test("a visit says when the sitter should be there, and since when the sitter is on the way once that has passed", async () => {
  const at = new Date().toISOString();
  const expected = (ms: number) => new Date(Date.now() + ms).toISOString();
  const coming = underWay();
  coming.progress = { step: "on_the_way", at, expected_at: expected(3_600_000) };
  await show(<PortalHome />, "/client", { t: "service", d: coming });
  await expect.element(page.getByRole("status").getByText(/^On the way, there about /)).toBeVisible();
  await closePhone();
  coming.progress = { step: "on_the_way", at, expected_at: expected(-61_000) };
  await show(<PortalHome />, "/client", { t: "service", d: coming });
  await expect.element(page.getByRole("status").getByText(/^On the way since /)).toBeVisible();
});

test("what was sent of a visit under way stands with its time where the first screen begins, and all of it on its page", async () => {
  const photo = { id: newId(), kind: "photo", at: AT, photo: newId() } as const;
  const found = { id: newId(), kind: "note", at: "2026-01-01T00:05:00.000Z", note: "Found a stick" } as const;
  const visit = { t: "service", d: aService(sam, rex, { date: DAY, live: [photo, found] }) };
  await show(<PortalHome />, "/client", visit);
  await expect.element(page.getByText(/^Photo, /)).toBeVisible();
  await expect.element(page.getByText("Found a stick")).toBeVisible();
  await closePhone();
  await show(<PortalVisit />, `/client/visits/${visit.d.id}`, visit);
  const sent = page.getByRole("region", { name: /^From / });
  await expect.element(sent.getByText(/^Photo, /)).toBeVisible();
  await expect.element(sent.getByText("Found a stick")).toBeVisible();
});

test("a visit's own page shows how far it is", async () => {
  const visit = underWay();
  await show(<PortalVisit />, `/client/visits/${visit.id}`, { t: "service", d: visit });
  await expect.element(page.getByRole("status").getByText("On the way")).toBeVisible();
});

test("what the sitter still needs is asked for gently, and waits when it is told to", async () => {
  await show(<PortalHome />, "/client");
  const question = page.getByText(/still needs: house instructions\.$/);
  await expect.element(question).toBeVisible();
  await page.getByRole("button", { name: "Later" }).click();
  await expect.element(question).not.toBeInTheDocument();
  await closePhone();
  await show(<PortalHome />, "/client");
  await expect.element(page.getByText("No visits yet")).toBeVisible();
  await expect.element(question).not.toBeInTheDocument();
});

test("what one sitter needs waits, and what another one needs is asked for all the same", async () => {
  await show(<PortalHome />, "/client");
  await page.getByRole("button", { name: "Later" }).click();
  await closePhone();
  sam = aClient({ name: "Sam Reyes", emergency_contact: "Lee" });
  await show(<PortalHome />, "/client");
  await expect.element(page.getByText(/still needs: your vet/)).toBeVisible();
});

for (const [status, said, words] of [
  [403, "You are no client here.", "You are no client here."],
  [429, "Too many requests.", "HTTP 429: Too many requests."],
  [503, "", "Backend service temporarily unavailable (503). Please try again in a moment."],
] as const) {
  test(`a ${status} in place of the open times is called what it is, and can be tried again`, async () => {
    refused = { status, said };
    await show(<PortalAsk />, "/client/ask");
    await fill("Date", DAY);
    await expect.element(page.getByText(words)).toBeVisible();
    await expect.element(page.getByText(/No connection|No network/)).not.toBeInTheDocument();
    refused = undefined;
    await page.getByRole("button", { name: "Try Again" }).click();
    await start().selectOptions("11:30 AM");
    await expect.element(page.getByText(words)).not.toBeInTheDocument();
  });
}

test("a change that a parent cannot send yet is not said to be on its way", async () => {
  await show(<PortalPets />, "/client/pets?form=edit");
  await signInOnPhone(true);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabelText("House instructions").fill("Shoes off");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByText("Saved on this phone. Your sitter will see it once it is sent.")).toBeVisible();
  await setSession(undefined);
});

test("a parent adds a pet, and takes out only one that was never saved", async () => {
  await show(<PortalPets />, "/client/pets?form=edit");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add another pet" }).click();
  const remove = dialog.getByRole("button", { name: /^Remove/ });
  await expect.element(remove).toBeVisible();
  expect(remove.elements()).toHaveLength(1);
  await remove.click();
  await expect.element(remove).not.toBeInTheDocument();
  await dialog.getByRole("button", { name: "Add another pet" }).click();
  await dialog.getByLabelText("Pet name").last().fill("Bo");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByText(/^Saved/)).toBeVisible();
  const pet = { id: expect.any(String), is_new: true, changes: { name: "Bo" } };
  expect(saved()).toEqual([
    { name: "update_client", args: { id: sam.id, changes: {}, dogs: [pet], removed_dogs: [] } },
  ]);
});

test("home and pets are corrected, and what is the sitter's is not asked", async () => {
  await show(<PortalPets />, "/client/pets?form=edit");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabelText("House instructions").fill("Shoes off");
  await dialog.getByRole("button", { name: /^Rex/ }).click();
  await dialog.getByLabelText("Breed").first().fill("Beagle");
  await expect.element(dialog.getByLabelText("Client name")).not.toBeInTheDocument();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByText(/^Saved/)).toBeVisible();
  expect(saved()).toEqual([
    {
      name: "update_client",
      args: {
        id: sam.id,
        changes: { house_instructions: "Shoes off" },
        dogs: [{ id: rex.id, is_new: false, changes: { breed: "Beagle" } }],
        removed_dogs: [],
      },
    },
  ]);
  expect(business().phone.attentionCount()).toBe(0);
});

test("how to get in says who reads it, is sent as what was given, and is closed on the screen", async () => {
  sam = { ...sam, how_to_get_in: "Code 7731" };
  await show(<PortalPets />, "/client/pets");
  const given = page.getByRole("region", { name: "How to get in" });
  await expect.element(given.getByText("Code 7731")).not.toBeVisible();
  await given.getByText("How to get in").click();
  await expect.element(given.getByText("Code 7731")).toBeVisible();
  await expect.element(given.getByText("Only your sitter reads this.")).toBeVisible();
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByLabelText("How to get in");
  await expect.element(field).toHaveAccessibleDescription(/Only your sitter reads this\.$/);
  await field.fill("Code 8842");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByText(/^Saved/)).toBeVisible();
  const changes = { how_to_get_in: "Code 8842" };
  expect(saved()).toEqual([{ name: "update_client", args: { id: sam.id, changes, dogs: [], removed_dogs: [] } }]);
});

/** One for a walk of Rex. */
const invoice = (visit: FeedRow, change: Partial<Invoice> = {}): FeedRow => {
  const service = { id: visit.d.id, type: "walk", date: "2026-01-01", startTime: "11:00", endTime: "11:30" } as const;
  const d: Invoice = {
    id: newId(),
    client_id: sam.id,
    number: 12,
    prefix: "INV-",
    shareId: "aShareIdOfTwentyTwoChr",
    paid: false,
    issued_on: "2026-01-02",
    clientData: { name: sam.name, dogName: "Rex" },
    servicesData: [{ ...service, duration: 30, price: 25, dogs: [{ id: rex.id, name: "Rex" }] }],
    invoiceData: { startDate: "2026-01-01", endDate: "2026-01-02" },
    total: 25,
    shared_at: AT,
    ...change,
  };
  return { t: "invoice", d };
};

test("invoices say what is owed and what for without a network, and lead to their pages", async () => {
  const visit: FeedRow = { t: "service", d: aService(sam, rex, { status: "completed" }) };
  const payment = { id: newId(), amount: 25, method: "cash", paid_on: "2026-01-03" } as const;
  const paid = { number: 11, paid: true, payments: [payment] };
  await show(<PortalInvoices />, "/client/invoices", visit, invoice(visit), invoice(visit, paid));
  await expect.element(page.getByText(/^You owe \$25\.00/)).toBeVisible();
  const owed = page.getByRole("article", { name: "Invoice INV-12" });
  for (const words of ["Unpaid", "Jan 1 - Jan 2, 2026", "$25.00"]) {
    await expect.element(owed.getByText(words)).toBeVisible();
  }
  await owed.getByText("What it is for").click();
  await expect.element(owed.getByText("Jan 1, 2026, 11:00 AM - 11:30 AM: Walk for Rex")).toBeVisible();
  const link = owed.getByRole("link", { name: "View invoice" });
  await expect.element(link).toHaveAttribute("href", "/invoice/aShareIdOfTwentyTwoChr");
  const done = page.getByRole("article", { name: "Invoice INV-11" });
  await expect.element(done.getByText("Paid on Jan 3, 2026")).toBeVisible();
  const receipt = done.getByRole("list", { name: "Payments" });
  await expect.element(receipt).toHaveTextContent(/^Paid Jan 3, 2026 in cash-\$25\.00$/);
  await expect.element(done.getByRole("link", { name: "View receipt" })).toBeVisible();
});

test("a credit note names its invoice, and the invoice its credit note", async () => {
  const visit: FeedRow = { t: "service", d: aService(sam, rex, { status: "completed" }) };
  const id = newId();
  const credit = { id, amount: 10, method: "credit", paid_on: "2026-01-03" } as const;
  const billed = invoice(visit, { payments: [credit] });
  const note = invoice(visit, { id, number: 13, total: 10, paid: true, servicesData: [], credits: billed.d.id });
  await show(<PortalInvoices />, "/client/invoices", visit, billed, note);
  const credited = page.getByRole("article", { name: "Invoice INV-12" });
  await expect.element(credited.getByText("Credit note INV-13 of Jan 3, 2026")).toBeVisible();
  const shown = page.getByRole("article", { name: "Credit note INV-13" });
  await expect.element(shown.getByText("Credit note for INV-12")).toBeVisible();
});

test("a card pays what is owed with a chosen tip on the page that the server names", async () => {
  const visit: FeedRow = { t: "service", d: aService(sam, rex, { status: "completed" }) };
  const billed = invoice(visit);
  const tips = { ...billed.d, invoiceData: { startDate: "2026-01-01", endDate: "2026-01-02", tips: [20] } };
  await openPhone([...rowsOf(sam, rex, luna), visit, { t: "invoice", d: tips }], [], {
    sitter_id: SITTER,
    client_id: sam.id,
  });
  const card = (await business().wholePhone()).parentInvoices(1, Date.now()).cards[0];
  if (!card?.by_card) throw new Error("nothing is offered");
  const bodies: unknown[] = [];
  const answers = [
    { success: false, code: "unavailable", error: "Paying by card does not work right now. Nothing was charged." },
    { success: true, data: { url: "https://checkout.stripe.com/pay/1" } },
  ];
  vi.spyOn(window, "fetch").mockImplementation((input, init) => {
    expect(input).toBe(`/api/client/invoices/${card.id}/card-page`);
    bodies.push(JSON.parse(init?.body as string));
    const status = bodies.length === 1 ? 503 : 200;
    return Promise.resolve(Response.json(answers[bodies.length - 1], { status }));
  });
  const [onClose, leave] = [vi.fn(), vi.fn()];
  await render(
    <At path="/client/invoices">
      <PayDialog card={card} offer={card.by_card} onClose={onClose} leave={leave} />
    </At>,
  );
  await page.getByText("20% $5.00").click({ force: true });
  await page.getByRole("button", { name: "Pay $30.00" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("Nothing was charged.");
  expect(leave).not.toHaveBeenCalled();
  await page.getByRole("button", { name: "Pay $30.00" }).click();
  await vi.waitFor(() => expect(leave).toHaveBeenCalledWith("https://checkout.stripe.com/pay/1"));
  expect(onClose).toHaveBeenCalled();
  expect(bodies).toEqual([
    { sitter_id: SITTER, tip: 20 },
    { sitter_id: SITTER, tip: 20 },
  ]);
  // The browser's own way back from there asks what has become of it.
  expect(location.search).toBe(`?client_id=${sam.id}&card=aShareIdOfTwentyTwoChr`);
});

/** The server answers each question about a payment with the next of these; without one there is no network. */
function answerOnPayment(...said: { progress: string; says: string }[]): string[] {
  const asked: string[] = [];
  vi.spyOn(window, "fetch").mockImplementation((input) => {
    const path = input as string;
    if (!path.includes("/card-payment?")) return Promise.reject(new TypeError("no network"));
    asked.push(path);
    const data = said.length > 1 ? said.shift() : said[0];
    return data ? Promise.resolve(Response.json({ success: true, data })) : Promise.reject(new TypeError("no network"));
  });
  return asked;
}

const BACK = "/client/invoices?card=aShareIdOfTwentyTwoChr";

test("who is back from paying is told what Stripe says until the invoice is paid, and does not pay twice", async () => {
  const visit: FeedRow = { t: "service", d: aService(sam, rex, { status: "completed" }) };
  const asked = answerOnPayment(
    { progress: "unconfirmed", says: "Not confirmed yet." },
    { progress: "paid", says: "Thank you!" },
  );
  const billed = invoice(visit);
  await show(<PortalInvoices />, `${BACK}&paid=1`, visit, billed);
  const said = page.getByRole("status").filter({ hasText: "Invoice INV-12" });
  await expect.element(said).toHaveTextContent("Not confirmed yet.");
  expect(asked[0]).toContain(`/client/invoices/${billed.d.id}/card-payment?paid=true`);
  await expect.element(page.getByRole("button", { name: "Pay by card" })).not.toBeInTheDocument();
  // It looks again when the person does.
  document.dispatchEvent(new Event("visibilitychange"));
  await expect.element(said).toHaveTextContent("Thank you!");
  await said.getByRole("button", { name: "Close" }).click();
  await expect.element(said).not.toBeInTheDocument();
  expect(location.search).toBe("");
});

test("who is back without a network is told that nothing is known, and who has paid before that it is paid", async () => {
  const visit: FeedRow = { t: "service", d: aService(sam, rex, { status: "completed" }) };
  answerOnPayment();
  await show(<PortalInvoices />, BACK, visit, invoice(visit));
  const said = page.getByRole("status").filter({ hasText: "Invoice INV-12" });
  await expect.element(said).toHaveTextContent("Once Walkies can be reached, this shows whether your payment");
  await closePhone();
  const payment = { id: newId(), amount: 25, paid_on: "2026-01-05", method: "card" } as const;
  await show(<PortalInvoices />, BACK, visit, invoice(visit, { paid: true, payments: [payment] }));
  await expect.element(said.last()).toHaveTextContent("Paid");
});

/** Waits until the browser has drawn what is known by now. */
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

/** Has the app's own pauses pass at once. */
function skipPauses(): void {
  const wait = window.setTimeout.bind(window);
  const shortened = (then: () => void, ms = 0) => wait(then, ms >= 5_000 ? 0 : ms);
  vi.spyOn(window, "setTimeout").mockImplementation(shortened as typeof window.setTimeout);
}

/** A failure that is not asked again within the call. */
const unavailable = () =>
  Response.json({ success: false, code: "unavailable" }, { status: 503, headers: { "Retry-After": "600" } });

test("who presses Pay is told nothing of the payment before they are back", async () => {
  const visit: FeedRow = { t: "service", d: aService(sam, rex, { status: "completed" }) };
  const billed = invoice(visit);
  await show(null, "/client/invoices", visit, billed);
  const card = (await business().wholePhone()).parentInvoices(1, Date.now()).cards[0];
  if (!card?.by_card) throw new Error("nothing is offered");
  const asked = answerOnPayment({ progress: "not_paid", says: "You left without paying." });
  const answers = vi.mocked(window.fetch).getMockImplementation();
  vi.spyOn(window, "fetch").mockImplementation((input, init) =>
    (input as string).endsWith("/card-page")
      ? Promise.resolve(Response.json({ success: true, data: { url: "https://checkout.stripe.com/pay/1" } }))
      : (answers?.(input, init) ?? Promise.reject(new TypeError("no network"))),
  );
  const leave = vi.fn();
  await render(
    <At path="/client/invoices">
      <PortalInvoices />
      <PayDialog card={card} offer={card.by_card} onClose={() => undefined} leave={leave} />
    </At>,
  );
  await page.getByRole("button", { name: "Pay $25.00" }).click();
  await vi.waitFor(() => expect(leave).toHaveBeenCalled());
  expect(location.search).toContain("card=");
  // What the new address would ask is asked once it is drawn.
  await drawn();
  expect(asked).toEqual([]);
  expect(page.getByText("You left without paying.").query()).toBeNull();
  window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  await expect.element(page.getByText("You left without paying.")).toBeVisible();
});

test("a payment that could not be asked about is asked about again by itself", async () => {
  skipPauses();
  const visit: FeedRow = { t: "service", d: aService(sam, rex, { status: "completed" }) };
  const asked: string[] = [];
  vi.spyOn(window, "fetch").mockImplementation((input) => {
    const path = input as string;
    if (!path.includes("/card-payment?")) return Promise.reject(new TypeError("no network"));
    asked.push(path);
    if (asked.length <= 3) return Promise.resolve(unavailable());
    return Promise.resolve(Response.json({ success: true, data: { progress: "paid", says: "Thank you!" } }));
  });
  await show(<PortalInvoices />, `${BACK}&paid=1`, visit, invoice(visit));
  await expect.element(page.getByRole("status").filter({ hasText: "Invoice INV-12" })).toHaveTextContent("Thank you!");
  expect(asked).toHaveLength(4);
});

function MayBePaid() {
  return <p>{useAfterPaying()?.mayBePaid ? "may be paid" : "may be owed"}</p>;
}

test("a payment on its way stays known where the next question about it fails", async () => {
  const visit: FeedRow = { t: "service", d: aService(sam, rex, { status: "completed" }) };
  let answer = () => Response.json({ success: true, data: { progress: "on_its_way", says: "On its way." } });
  const asked: string[] = [];
  vi.spyOn(window, "fetch").mockImplementation((input) => {
    const path = input as string;
    if (!path.includes("/card-payment?")) return Promise.reject(new TypeError("no network"));
    asked.push(path);
    return Promise.resolve(answer());
  });
  const both = (
    <>
      <PortalInvoices />
      <MayBePaid />
    </>
  );
  await show(both, BACK, visit, invoice(visit));
  const said = page.getByRole("status").filter({ hasText: "Invoice INV-12" });
  await expect.element(said).toHaveTextContent("On its way.");
  await expect.element(page.getByText("may be paid")).toBeVisible();
  answer = unavailable;
  const before = asked.length;
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(before));
  // What the failed answer would say is drawn by then.
  await drawn();
  await expect.element(page.getByText("may be paid")).toBeVisible();
  await expect.element(said).toHaveTextContent("On its way.");
});

test("an invoice that is none of the person's is left to its own page", async () => {
  answerOnPayment();
  await show(<PortalInvoices />, `${BACK}&paid=1`);
  const link = page.getByRole("link", { name: "Open the invoice" });
  await expect.element(link).toHaveAttribute("href", "/invoice/aShareIdOfTwentyTwoChr?paid=1");
});

test("before anything has come nobody is told that there are no invoices", async () => {
  await openPhone("nothing pulled", [], { sitter_id: SITTER, client_id: sam.id });
  await render(
    <At path="/client/invoices">
      <PortalInvoices />
    </At>,
  );
  await expect.element(page.getByRole("status", { name: "Loading your invoices" })).toBeVisible();
  await expect.element(page.getByText("No invoices yet")).not.toBeInTheDocument();
});

test("a parent without invoices is told where they will be", async () => {
  await show(<PortalInvoices />, "/client/invoices");
  await expect.element(page.getByText("No invoices yet")).toBeVisible();
  const words = "Invoices from your sitter show up here, with what you have paid.";
  await expect.element(page.getByText(words, { exact: true })).toBeVisible();
});

test("a visit says on which invoice it stands, and the first screen what is owed", async () => {
  const visit: FeedRow = { t: "service", d: aService(sam, rex, { status: "completed" }) };
  const billed = invoice(visit);
  const onInvoice: FeedRow = { t: "service", d: { ...visit.d, invoice_id: billed.d.id } as FeedRow["d"] };
  await show(<PortalVisit />, `/client/visits/${visit.d.id}`, onInvoice, billed);
  const link = page.getByRole("link", { name: "On invoice INV-12" });
  await expect.element(link).toHaveAttribute("href", "/client/invoices");
});

test("where nothing was billed the first screen has no word of invoices", async () => {
  await show(<PortalHome />, "/client", request());
  await expect.element(page.getByRole("region", { name: "Waiting" })).toBeVisible();
  expect(page.getByRole("link", { name: /Invoices/ }).elements()).toHaveLength(0);
});

test("the first screen says what is owed", async () => {
  const visit: FeedRow = { t: "service", d: aService(sam, rex, { status: "completed", date: "2026-01-01" }) };
  await show(<PortalHome />, "/client", visit, invoice(visit));
  const link = page.getByRole("link", { name: /^Invoices/ });
  await expect.element(link).toHaveTextContent("You owe $25.00");
});

/** Invoice of a walk with these payments: nothing is owed on it. */
const settled = (...payments: { amount: number; method: "cash" | "credit" }[]): FeedRow[] => {
  const visit: FeedRow = { t: "service", d: aService(sam, rex, { status: "completed", date: "2026-01-01" }) };
  const lines = payments.map((it) => ({ id: newId(), paid_on: "2026-01-03", ...it }));
  return [visit, invoice(visit, { paid: true, payments: lines })];
};

test("an invoice that was credited and never paid is not called paid on the first screen", async () => {
  await show(<PortalHome />, "/client", ...settled({ amount: 25, method: "credit" }));
  const link = page.getByRole("link", { name: /^Invoices/ });
  await expect.element(link).toHaveTextContent(/^InvoicesYou owe nothing$/);
});

test("the first screen says what is owed back to the client", async () => {
  const rows = settled({ amount: 25, method: "cash" }, { amount: 10, method: "credit" });
  await show(<PortalHome />, "/client", ...rows);
  const link = page.getByRole("link", { name: /^Invoices/ });
  await expect.element(link).toHaveTextContent(/^InvoicesYou owe nothing\$10\.00 is owed back to you$/);
});

test("the list of invoices says what is owed back to the client", async () => {
  const rows = settled({ amount: 25, method: "cash" }, { amount: 10, method: "credit" });
  await show(<PortalInvoices />, "/client/invoices", ...rows);
  await expect.element(page.getByText("You owe nothing", { exact: true })).toBeVisible();
  await expect.element(page.getByText("$10.00 is owed back to you", { exact: true })).toBeVisible();
});

test("a pet's text of which there are two versions is decided on by the parent, with pet and person named", async () => {
  const about = "loves cheese";
  const other_texts = [{ field: "about", content: "allergic to chicken", by: "client" as const, at: AT }];
  rex = { ...rex, about, other_texts };
  await show(<PortalPets />, "/client/pets");
  const choice = page.getByRole("region", { name: "Texts to decide" });
  await expect.element(choice.getByRole("heading")).toHaveTextContent("Rex: About, 2 versions");
  await expect.element(choice.getByRole("group", { name: "Shown now" })).toHaveTextContent(about);
  const theirs = choice.getByRole("group", { name: "By Sam Reyes" });
  await expect.element(theirs).toHaveTextContent("allergic to chicken");
  await choice.getByRole("button", { name: "Keep both" }).click();
  await expect.element(choice).not.toBeInTheDocument();
  expect(saved()).toEqual([
    {
      name: "settle_text",
      args: {
        id: rex.id,
        client_id: sam.id,
        field: "about",
        content: "loves cheese\n\nallergic to chicken",
        settled: ["loves cheese", "allergic to chicken"],
      },
    },
  ]);
  await expect.element(page.getByText(/loves cheese\s+allergic to chicken/)).toBeVisible();
});

/** A series of Sam's with Rex, each Tuesday at noon. */
const aSeries = (): FeedRow & { d: Series } => ({
  t: "series",
  d: {
    id: newId(),
    client_id: sam.id,
    end: { kind: "never" },
    phases: [
      {
        from: "2026-01-06",
        anchor: "2026-01-06",
        rule: { kind: "weekly", every: 1, weekdays: [2] },
        slots: [{ id: newId(), start_time: "12:00", duration_minutes: 30, service_type: "walk", offering_id: null }],
        dog_ids: [rex.id],
        notes: "",
        internal_notes: "",
        price_override: null,
      },
    ],
    pauses: [{ id: newId(), from: "2198-12-24", to: "2198-12-31", reason: "" }],
    left_out: [],
    waiting: [],
    trip: null,
    client_name: sam.name,
    made_until: "2199-01-31",
    due_on: null,
    created_at: AT,
  },
});

/** Its visit on the first Tuesday of 2199. */
const aVisitOf = ({ d: { id, phases } }: ReturnType<typeof aSeries>) => {
  const series_slot = phases[0]?.slots[0]?.id ?? "";
  return aService(sam, rex, { date: DAY, start_time: "12:00", series_id: id, series_slot, series_date: DAY });
};

test("a series is said as its sentence with what is next and its pauses, and a pause is asked for and withdrawn", async () => {
  const series = aSeries();
  const visit = aVisitOf(series);
  await show(<PortalHome />, "/client", series, { t: "service", d: visit });
  const item = page.getByRole("region", { name: "Regular visits" }).getByRole("article");
  await expect.element(item).toHaveTextContent("Tuesdays at 12:00 PM, until further notice");
  await expect.element(item).toHaveTextContent("Next: Jan 1");
  await expect.element(item).toHaveTextContent("Paused from Dec 24, 2198 to Dec 31, 2198");
  await item.getByRole("button", { name: "Request a pause" }).click();
  const dialog = page.getByRole("dialog", { name: "Request a pause" });
  await dialog.getByLabelText("First day without visits").fill(DAY);
  await dialog.getByLabelText("Last day without visits").fill("2199-01-10");
  await dialog.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(item.getByText("Requested", { exact: true })).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  const change = { kind: "pause_series", series_id: series.d.id, from: DAY, to: "2199-01-10" };
  expect(saved()).toMatchObject([{ name: "ask_for_change", args: { change, message: "" } }]);
  // Nothing has changed yet.
  await expect.element(item).toHaveTextContent("Next: Jan 1");
  // It lies above the button.
  await page.getByRole("button", { name: "Dismiss" }).click();
  await item.getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  await expect.element(page.getByText("Request withdrawn")).toBeVisible();
  await expect.element(item.getByText("Requested", { exact: true })).not.toBeInTheDocument();
});

test("a visit says which series it belongs to, and is asked to be left out once", async () => {
  const series = aSeries();
  const visit = aVisitOf(series);
  await show(<PortalVisit />, `/client/visits/${visit.id}`, series, { t: "service", d: visit });
  const part = page.getByRole("region", { name: "Regular visit" });
  await expect.element(part).toHaveTextContent("Tuesdays at 12:00 PM, until further notice");
  await part.getByRole("button", { name: "Request to leave out this visit" }).click();
  const dialog = page.getByRole("dialog", { name: "Request to leave out this visit" });
  await dialog.getByLabelText(/^Message/).fill("We are away");
  await dialog.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(part.getByText("Requested", { exact: true })).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(part.getByRole("button", { name: "Request to leave out this visit" })).not.toBeInTheDocument();
  const slot = visit.series_slot;
  const change = { kind: "leave_out_date", series_id: series.d.id, date: DAY, slot };
  expect(saved()).toMatchObject([{ name: "ask_for_change", args: { change, message: "We are away" } }]);
});

test("a single visit is asked to be cancelled, and one that is done or billed is not", async () => {
  const visit = aService(sam, rex, { date: DAY });
  const billed = aService(sam, rex, { date: DAY, start_time: "15:00", invoice_id: newId() });
  const rows = [visit, billed].map((it): FeedRow => ({ t: "service", d: it }));
  await show(<PortalVisit />, `/client/visits/${visit.id}`, ...rows);
  await page.getByRole("button", { name: "Request to cancel this visit" }).click();
  const dialog = page.getByRole("dialog", { name: "Request to cancel this visit" });
  await dialog.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(page.getByText("Requested", { exact: true })).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(saved()).toMatchObject([{ args: { change: { kind: "cancel_service", service_id: visit.id } } }]);
  await closePhone();
  await show(<PortalVisit />, `/client/visits/${billed.id}`, ...rows);
  await expect.element(page.getByRole("region", { name: "Price" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: /^Request to cancel/ })).not.toBeInTheDocument();
});

test("a visit that is under way is not asked to be cancelled or moved", async () => {
  const rows = (["on_the_way", "started"] as const).map((step): FeedRow & { d: Service } => ({
    t: "service",
    d: aService(sam, rex, { date: DAY, progress: { step, at: new Date().toISOString() } }),
  }));
  for (const { d: visit } of rows) {
    await show(<PortalVisit />, `/client/visits/${visit.id}`, ...rows);
    await expect.element(page.getByRole("region", { name: "Price" })).toBeVisible();
    await expect.element(page.getByRole("button", { name: "Message about this visit" })).toBeVisible();
    expect(page.getByRole("button", { name: /^Request (to cancel|another time)/ }).elements()).toHaveLength(0);
    await closePhone();
  }
});

test("what was granted is told as the answer to it", async () => {
  const subject = { kind: "pause_series", series_id: newId(), from: DAY, to: "2199-01-10" } as const;
  const answered_at = new Date().toISOString();
  const answer = { status: "approved", subject, answered_at, sitter_response: "Have a good time" } as const;
  await show(<PortalHome />, "/client", request(answer));
  const item = page.getByRole("region", { name: "Answered" });
  await expect.element(item).toHaveTextContent("Pause from Jan 1 to Jan 10");
  await expect.element(item).toHaveTextContent("Have a good time");
  await expect.element(item.getByText("Approved")).toBeVisible();
  // It costs nothing and has no time of the day.
  await expect.element(item).not.toHaveTextContent("estimated");
  await expect.element(item).not.toHaveTextContent("AM");
});

test("every Tuesday is asked for with its days, its first and its last day", async () => {
  await show(<PortalAsk />, "/client/ask");
  await page.getByText("Rex").click({ force: true });
  await choose("Each week");
  await start().selectOptions("12:00 PM");
  await fill("First day", DAY);
  await page.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(page.getByText("Please select at least one day of the week")).toBeVisible();
  await page.getByRole("checkbox", { name: "Tuesday" }).click({ force: true });
  await page.getByLabelText(/^Last day/).fill("2199-03-01");
  await expect.element(page.getByRole("region", { name: "Price" })).toHaveTextContent("$25.00for each visit");
  await page.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(page.getByText("Request saved")).toBeVisible();
  expect(saved()).toMatchObject([
    {
      name: "ask_for_service",
      args: {
        request: { requested_date: DAY, requested_start_time: "12:00" },
        repeats: { rule: { kind: "weekly", every: 1, weekdays: [2] }, last_day: "2199-03-01" },
      },
    },
  ]);
});

test("single times and weekdays are both kept while the other way is looked at", async () => {
  await show(<PortalAsk />, "/client/ask");
  await page.getByText("Rex").click({ force: true });
  await fill("Date", DAY);
  await choose("Several visits");
  await page.getByRole("button", { name: "Add another visit" }).click();
  await expect.element(page.getByRole("button", { name: "Request 2 visits" })).toBeVisible();
  await choose("One visit");
  await expect.element(page.getByLabelText("Date", { exact: true })).toHaveValue(DAY);
  await expect.element(page.getByRole("button", { name: "Request", exact: true })).toBeVisible();
  await choose("Each week");
  await page.getByRole("checkbox", { name: "Tuesday" }).click({ force: true });
  await page.getByLabelText(/^Last day/).fill("2199-03-01");
  await choose("Several visits");
  await expect.element(page.getByRole("button", { name: "Request 2 visits" })).toBeVisible();
  await choose("Each week");
  await expect.element(page.getByRole("checkbox", { name: "Tuesday" })).toBeChecked();
  await expect.element(page.getByLabelText(/^Last day/)).toHaveValue("2199-03-01");
});

test("the same as a past visit is asked for again with its pets, kind, length and time", async () => {
  const past = aService(sam, luna, {
    date: "2026-01-05",
    status: "completed",
    service_type: "dropin",
    start_time: "11:30",
    duration_minutes: 45,
  });
  await show(<PortalVisit />, `/client/visits/${past.id}`, { t: "service", d: past });
  const again = page.getByRole("link", { name: "Request the same again" });
  await expect.element(again).toHaveAttribute("href", `/client/ask?like=${past.id}&week=next`);
  await closePhone();
  await show(<PortalAsk />, `/client/ask?like=${past.id}&week=next`, { t: "service", d: past });
  await expect.element(page.getByRole("radio", { name: "Drop-in" })).toBeChecked();
  await expect.element(page.getByRole("checkbox", { name: "Luna" })).toBeChecked();
  await expect.element(page.getByRole("checkbox", { name: "Rex" })).not.toBeChecked();
  await fill("Date", DAY);
  await expect.element(start()).toHaveValue("11:30");
  await page.getByRole("button", { name: "Request", exact: true }).click();
  await expect.element(page.getByText("Request saved")).toBeVisible();
  const wish = { requested_start_time: "11:30", requested_duration_minutes: 45, service_type: "dropin" };
  expect(saved()).toMatchObject([{ args: { request: { ...wish, dog_ids: [luna.id] } } }]);
});

test("a pet that is no longer with us is shown apart to its people, who cannot change that", async () => {
  luna = { ...luna, gone_on: "2026-01-05" };
  await show(<PortalPets />, "/client/pets");
  const apart = page.getByRole("region", { name: "No longer with us" });
  await expect.element(apart.getByText("No longer with us since Jan 5, 2026")).toBeVisible();
  await expect.element(apart).toHaveTextContent("Luna");
  await expect.element(page.getByRole("region", { name: "Pets", exact: true })).not.toHaveTextContent("Luna");
  // Who comes and goes is the sitter's to say.
  expect(apart.getByRole("button").elements()).toHaveLength(0);
});

test("a parent has nobody to choose from to write to, and no archive in the way", async () => {
  await show(<MessagesScreen userType="client" />, "/client/messages");
  await expect.element(page.getByRole("button", { name: "Write to your sitter" })).toBeVisible();
  for (const name of ["Browse Contacts", "Start New Conversation"]) {
    expect(page.getByRole("button", { name }).elements()).toHaveLength(0);
  }
  expect(page.getByRole("tab", { name: "Archived" }).elements()).toHaveLength(0);
});

test("a request that stays open over midnight begins with the days of the new day", async () => {
  await show(<PortalAsk />, "/client/ask");
  const asked = () =>
    vi.mocked(window.fetch).mock.calls.filter(([it]) => (it as string).startsWith("/api/client/open-days?")).length;
  await expect.poll(asked).toBeGreaterThan(0);
  await expect.element(page.getByText("Days with a dot have open times.")).toBeVisible();
  const before = asked();
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 86_400_000);
  document.dispatchEvent(new Event("visibilitychange"));
  await expect.poll(asked).toBe(before + 1);
  clock.mockRestore();
});

test("in a household of two the other parent's request and login are named", async () => {
  const alex = newId();
  const dana = sam.client_user_id ?? newId();
  sam = {
    ...sam,
    parents: [
      { user_id: dana, name: "Dana", email: "", linked_at: null },
      { user_id: alex, name: "Alex", email: "", linked_at: AT },
    ],
  };
  await show(<PortalHome />, "/client", request({ asked_by: alex }));
  const waiting = page.getByRole("region", { name: "Waiting" });
  await expect.element(waiting.getByText("Requested by Alex")).toBeVisible();
  await closePhone();
  await show(<PortalPets />, "/client/pets");
  await expect.element(page.getByText("Logins of your household: Dana and Alex")).toBeVisible();
});

/** Availability on the real core and a real IndexedDB, with no network at all. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import {
  AT,
  aClient,
  aPet,
  aService,
  closePhone,
  type FeedRow,
  fillThisDisk,
  openPhone,
  rowsOf,
  saved,
} from "../../../test/phone";
import {
  type AvailabilityConfig,
  type BlockedTime,
  loadRest,
  newBlockedTime,
  newId,
  type Pattern,
  type Service,
  type TimeOffWay,
} from "../../core";
import { business } from "../../data";
import { ConfirmHost, ToastHost } from "../../ui";
import AvailabilityView from "./AvailabilityView";

await loadRest();

const show = (query = "") =>
  render(
    <At path={`/scheduling?view=availability${query}`}>
      <AvailabilityView />
      <ConfirmHost />
      <ToastHost />
    </At>,
  );

const config: AvailabilityConfig = {
  id: "00000000-0000-7000-8000-000000000001",
  default_slot_duration_minutes: 30,
  slot_interval_minutes: 30,
  default_buffer_minutes: 20,
  show_slots_days_ahead: 14,
  enable_smart_suggestions: true,
  prefer_block_scheduling: false,
};
const configRow: FeedRow = { t: "availability_config", d: config };

const aPattern = (change: Partial<Pattern> = {}): Pattern => ({
  id: newId(),
  day_of_week: 1,
  start_time: "09:00",
  end_time: "17:00",
  service_types: ["walk", "dropin"],
  max_concurrent_services: 1,
  buffer_minutes: 15,
  min_advance_hours: 24,
  max_advance_days: 30,
  is_active: true,
  priority: 1,
  ...change,
});
const aBlock = (change: Partial<BlockedTime> = {}): BlockedTime => ({
  ...newBlockedTime(newId(), "2100-01-01"),
  ...change,
});
const pattern = (d: Pattern): FeedRow => ({ t: "availability_pattern", d });
const block = (d: BlockedTime): FeedRow => ({ t: "blocked_time", d });

/** The disk takes a moment, and a toast of the test before may still be shown. */
const expectSaved = (changes: unknown[]) => vi.waitFor(() => expect(saved()).toEqual(changes));

beforeEach(async () => {
  await loadRest();
  await page.viewport(1280, 800);
});
afterEach(closePhone);

test("the week begins on Sunday, and a day without hours says so", async () => {
  await openPhone([pattern(aPattern({ pattern_name: "Mornings" }))]);
  await show();
  await expect.element(page.getByRole("heading", { name: "Sunday" })).toBeVisible();
  const days = page.getByRole("heading", { level: 2 }).elements();
  expect(days.map((it) => it.textContent)).toEqual([
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
  ]);
  await expect.element(page.getByRole("region", { name: "Sunday" })).toHaveTextContent("No availability set");
  const monday = page.getByRole("region", { name: "Monday" });
  await expect.element(monday).toHaveTextContent("9:00 AM - 5:00 PM");
  await expect.element(monday).toHaveTextContent("Mornings");
});

test("new hours begin with the defaults on the day that was pointed at", async () => {
  await openPhone([configRow]);
  await show();
  await page.getByRole("button", { name: "Add a pattern on Wednesday" }).click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByLabelText("Day of week")).toHaveValue("3");
  await expect.element(dialog.getByLabelText("Start time")).toHaveValue("09:00");
  await expect.element(dialog.getByLabelText("End time")).toHaveValue("17:00");
  await expect.element(dialog.getByLabelText("Max visits at a time")).toHaveValue("1");
  await expect.element(dialog.getByLabelText("Buffer")).toHaveValue("20");
  await expect.element(dialog.getByLabelText("Min advance")).toHaveValue("24");
  await expect.element(dialog.getByLabelText("Max advance")).toHaveValue("30");
  await expect.element(dialog.getByLabelText("Priority")).toHaveValue("1");
  await expect.element(dialog.getByRole("checkbox", { name: "Active" })).toBeChecked();
  for (const text of [/^Pattern name/, /^Notes/]) {
    await expect.element(dialog.getByLabelText(text)).toHaveAccessibleDescription("Only you see this");
  }
  await dialog.getByRole("button", { name: "Add Pattern" }).click();
  await expect.element(page.getByText("Availability pattern created successfully")).toBeVisible();
  await expect.element(page.getByRole("region", { name: "Wednesday" })).toHaveTextContent("Waiting to be sent");
  await expectSaved([{ name: "create_pattern", args: { id: expect.any(String), pattern: { day_of_week: 3 } } }]);
});

test("everything that is wrong with hours is said at once and nothing is saved", async () => {
  await openPhone([configRow]);
  await show();
  await page.getByRole("button", { name: "Add Pattern" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabelText("Start time").fill("");
  await dialog.getByLabelText("Buffer").fill("");
  await dialog.getByLabelText("Priority").fill("0");
  await dialog.getByRole("button", { name: "Add Pattern" }).click();
  for (const text of ["Start time is required", "Buffer minutes must be at least 0", "Priority must be at least 1"]) {
    await expect.element(dialog.getByText(text)).toBeVisible();
  }
  await expect.element(dialog.getByLabelText("Start time")).toHaveFocus();
  expect(saved()).toEqual([]);
});

test("hours that end before they begin are taken, with a word about it", async () => {
  await openPhone([configRow]);
  await show();
  await page.getByRole("button", { name: "Add Pattern" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabelText("End time").fill("08:00");
  await expect.element(dialog.getByText("It ends before it begins, so nothing can be booked in it.")).toBeVisible();
  await dialog.getByRole("button", { name: "Add Pattern" }).click();
  await expect.element(page.getByText("Availability pattern created successfully")).toBeVisible();
});

test("hours that are switched on are green, and grey when they are not", async () => {
  const on = aPattern();
  await openPhone([configRow, pattern(on), pattern(aPattern({ day_of_week: 2, is_active: false }))]);
  await show();
  await expect.element(page.getByRole("button", { name: /^Active/ })).toHaveClass("text-completed");
  await expect.element(page.getByRole("button", { name: /^Inactive/ })).toHaveClass("text-other");
});

test("hours for no kind of service are taken, with a word about it", async () => {
  await openPhone([configRow]);
  await show();
  await page.getByRole("button", { name: "Add Pattern" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: "Walk" }).click();
  await dialog.getByRole("checkbox", { name: "Drop-in" }).click();
  await expect.element(dialog.getByText("None is chosen, so nothing can be booked in it.")).toBeVisible();
  await dialog.getByRole("button", { name: "Add Pattern" }).click();
  await expect.element(page.getByText("Availability pattern created successfully")).toBeVisible();
});

test("an edit sends what was touched, and is restored after a killed tab", async () => {
  const known = aPattern();
  await openPhone([pattern(known)]);
  const first = await show();
  await page.getByRole("button", { name: "Edit Monday 9:00 AM - 5:00 PM" }).click();
  await page.getByRole("dialog").getByLabelText("Notes").fill("Not on holidays");
  await first.unmount();
  await show();
  await page.getByRole("button", { name: "Edit Monday 9:00 AM - 5:00 PM" }).click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByText("Restored what you typed.")).toBeVisible();
  await expect.element(dialog.getByLabelText("Notes")).toHaveValue("Not on holidays");
  await dialog.getByRole("button", { name: "Save Pattern" }).click();
  await expect.element(page.getByText("Availability pattern updated successfully")).toBeVisible();
  await expectSaved([{ name: "update_pattern", args: { id: known.id, changes: { notes: "Not on holidays" } } }]);
});

test("starting over leaves neither the words of an earlier time nor what was wrong with them", async () => {
  await openPhone([configRow]);
  const first = await show();
  await page.getByRole("button", { name: "Add Pattern" }).click();
  await page.getByRole("dialog").getByLabelText("Start time").fill("");
  await first.unmount();
  await show();
  await page.getByRole("button", { name: "Add Pattern" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add Pattern" }).click();
  await expect.element(dialog.getByText("Start time is required")).toBeVisible();
  await dialog.getByRole("button", { name: "Start over" }).click();
  await expect.element(dialog.getByLabelText("Start time")).toHaveValue("09:00");
  await expect.element(dialog.getByText("Start time is required")).not.toBeInTheDocument();
  await expect.element(dialog.getByText("Restored what you typed.")).not.toBeInTheDocument();
});

/** A color of the theme as the browser computes it. */
function colorOf(token: string): string {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = `var(--color-${token})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

test("a button switches hours off, and they turn grey", async () => {
  const known = aPattern();
  await openPhone([pattern(known)]);
  await show();
  const active = page.getByRole("button", { name: /^Active/ });
  // SPEC 4: green; `pwa/test/tokens.test.ts` holds what these colors are.
  await expect.element(active).toHaveStyle({ color: colorOf("completed") });
  await active.click();
  await expect.element(page.getByText("Pattern status updated")).toBeVisible();
  await expect.element(page.getByRole("button", { name: /^Inactive/ })).toHaveStyle({ color: colorOf("other") });
  await expectSaved([{ name: "update_pattern", args: { id: known.id, changes: { is_active: false } } }]);
});

test("hours are deleted only after the question", async () => {
  await openPhone([pattern(aPattern())]);
  await show();
  const remove = page.getByRole("button", { name: "Delete Monday 9:00 AM - 5:00 PM" });
  await remove.click();
  await expect
    .element(page.getByRole("dialog", { name: "Are you sure you want to delete this availability pattern?" }))
    .toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  expect(saved()).toEqual([]);
  await remove.click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByText("Availability pattern deleted successfully")).toBeVisible();
  await expect.element(page.getByRole("region", { name: "Monday" })).toHaveTextContent("No availability set");
});

const press = (name: string | RegExp) => page.getByRole("button", { name }).click();
const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name }).click();

const FAILURES: [string, string, () => Promise<void>][] = [
  ["Failed to update pattern status", "", () => press(/^Active/)],
  ["Failed to create availability pattern", "", () => press("Add Pattern").then(() => inDialog("Add Pattern"))],
  [
    "Failed to update availability pattern",
    "",
    async () => {
      await press("Edit Monday 9:00 AM - 5:00 PM");
      await page.getByRole("dialog").getByLabelText("Buffer").fill("5");
      await inDialog("Save Pattern");
    },
  ],
  [
    "Failed to delete availability pattern",
    "",
    () => press("Delete Monday 9:00 AM - 5:00 PM").then(() => inDialog("Delete")),
  ],
  ["Failed to create blocked time", "&tab=blocked", () => press("Block Time").then(() => inDialog("Block Time"))],
  [
    "Failed to delete blocked time",
    "&tab=blocked",
    () => press("Delete Lunch, Friday, Jan 1, 2100").then(() => inDialog("Delete")),
  ],
];

test.each(FAILURES)("what the disk does not take is told as '%s'", async (words, query, act) => {
  await openPhone([configRow, pattern(aPattern()), block(aBlock())]);
  await show(query);
  fillThisDisk().mockRejectedValue(new Error("a disk of no known fault"));
  await act();
  await expect.element(page.getByText(words)).toBeVisible();
});

test("without blocked times the list invites to block one, and the form begins with lunch for both services", async () => {
  await openPhone([]);
  await show("&tab=blocked");
  await expect.element(page.getByText('No blocked times set. Click "Block Time" to add one.')).toBeVisible();
  await page.getByRole("button", { name: "Block Time" }).click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByLabelText("Start time")).toHaveValue("12:00");
  await expect.element(dialog.getByLabelText("End time")).toHaveValue("13:00");
  await expect.element(dialog.getByLabelText("Type")).toHaveValue("lunch");
  await expect.element(dialog.getByLabelText(/^Reason/)).toHaveAccessibleDescription("Only you see this");
  await expect.element(dialog.getByRole("checkbox", { name: "Walk" })).toBeChecked();
  await expect.element(dialog.getByRole("checkbox", { name: "Drop-in" })).toBeChecked();
  await expect.element(dialog.getByRole("checkbox", { name: "Allow emergencies" })).not.toBeChecked();
  await expect.element(dialog.getByRole("checkbox", { name: "Repeats" })).not.toBeChecked();
  await dialog.getByRole("checkbox", { name: "Repeats" }).click();
  await dialog.getByLabelText("Date").fill("2100-01-01");
  await dialog.getByRole("textbox", { name: "Until" }).fill("2099-12-31");
  await dialog.getByRole("button", { name: "Block Time" }).click();
  await expect.element(dialog.getByText("The last day cannot be before the first")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Until" }).fill("2100-02-05");
  await dialog.getByRole("button", { name: "Block Time" }).click();
  await expect.element(page.getByText("Blocked time created successfully")).toBeVisible();
  await expect.element(page.getByText("Every Friday from Jan 1, 2100 until Feb 5, 2100")).toBeVisible();
  await expectSaved([
    {
      name: "create_blocked_time",
      args: {
        id: expect.any(String),
        blocked_time: {
          block_date: "2100-01-01",
          is_recurring: true,
          recurrence_pattern: "weekly",
          recurrence_end_date: "2100-02-05",
        },
      },
    },
  ]);
});

test("a blocked time needs a date, a start and an end", async () => {
  await openPhone([]);
  await show("&tab=blocked");
  await page.getByRole("button", { name: "Block Time" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabelText("Date").fill("");
  await dialog.getByLabelText("Start time").fill("");
  await dialog.getByLabelText("End time").fill("");
  await dialog.getByRole("button", { name: "Block Time" }).click();
  for (const text of ["Date is required", "Start time is required", "End time is required"]) {
    await expect.element(dialog.getByText(text)).toBeVisible();
  }
  expect(saved()).toEqual([]);
});

test("a blocked time is deleted after the question; what is over is folded away", async () => {
  await openPhone([
    block(aBlock({ reason: "Dentist" })),
    block(aBlock({ block_date: "2020-01-01", reason: "Moving" })),
  ]);
  await show("&tab=blocked");
  await expect.element(page.getByText("Dentist")).toBeVisible();
  await expect.element(page.getByText("Moving")).not.toBeVisible();
  await page.getByRole("button", { name: "Delete Lunch, Friday, Jan 1, 2100" }).click();
  await expect
    .element(page.getByRole("dialog", { name: "Are you sure you want to delete this blocked time?" }))
    .toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByText("Blocked time deleted successfully")).toBeVisible();
  await expect.element(page.getByText("Dentist")).not.toBeInTheDocument();
});

test("a setting is saved by itself once it is typed", async () => {
  await openPhone([configRow]);
  await show("&tab=settings");
  await page.getByLabelText("Slot interval").fill("45");
  await expect.element(page.getByText("Configuration updated successfully")).toBeVisible();
  await expectSaved([{ name: "update_availability_config", args: { changes: { slot_interval_minutes: 45 } } }]);
  await page.getByRole("switch", { name: "Prefer block scheduling" }).click({ force: true });
  await vi.waitFor(() => expect(saved()).toHaveLength(2));
  await expect.element(page.getByRole("switch", { name: "Prefer block scheduling" })).toBeChecked();
});

test("leaving a field saves it at once, also by another tab", async () => {
  await openPhone([configRow]);
  await show("&tab=settings");
  await page.getByLabelText("Show slots ahead").fill("21");
  await page.getByRole("tab", { name: "Availability Patterns" }).click();
  const phone = await business().wholePhone();
  await vi.waitFor(() => expect(phone.availabilityConfig()?.show_slots_days_ahead).toBe(21));
});

test("a setting that is out of bounds says so, keeps what was typed over a killed tab, and saves nothing", async () => {
  await openPhone([configRow]);
  const first = await show("&tab=settings");
  await page.getByLabelText("Slot interval").fill("2");
  await userEvent.tab();
  await expect.element(page.getByText("Must be between 5 and 480")).toBeVisible();
  await expect.element(page.getByLabelText("Slot interval")).toHaveAttribute("aria-invalid", "true");
  await first.unmount();
  await show("&tab=settings");
  await expect.element(page.getByLabelText("Slot interval")).toHaveValue("2");
  await expect.element(page.getByText("Must be between 5 and 480")).toBeVisible();
  expect(saved()).toEqual([]);
  await page.getByLabelText("Slot interval").fill("15");
  await expect.element(page.getByText("Configuration updated successfully")).toBeVisible();
  await expect.element(page.getByText("Must be between 5 and 480")).not.toBeInTheDocument();
});

test("a setting that the disk does not take stays in its field with the reason", async () => {
  await openPhone([configRow]);
  await show("&tab=settings");
  fillThisDisk();
  await page.getByLabelText("Default buffer").fill("25");
  await expect.element(page.getByText("Failed to update configuration")).toBeVisible();
  await expect.element(page.getByLabelText("Default buffer")).toHaveValue("25");
});

test("hours that the server turned down come back with their words and their errors, and answer the entry", async () => {
  const id = newId();
  const made = newId();
  const fields = [{ field: "priority", text: "Priority must be at least 1" }];
  const pattern = { day_of_week: 2, priority: 0 };
  await openPhone(
    [configRow],
    [
      {
        entry: {
          mutation: { id, seq: 1, v: 1, made_at: AT, base_rev: 1, name: "create_pattern", args: { id: made, pattern } },
          sentence: "Add hours: Tuesday",
          photos: [],
        },
        outcome: { id, outcome: "rejected", rev: 2, adjustments: [], refusal: { code: "invalid", fields } },
      },
    ],
  );
  await show(`&fix=${id}`);
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByLabelText("Day of week")).toHaveValue("2");
  await expect.element(dialog.getByText("Priority must be at least 1")).toBeVisible();
  await dialog.getByLabelText("Priority").fill("2");
  await dialog.getByRole("button", { name: "Save and send again" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(business().phone.attentionCount()).toBe(0);
  await expectSaved([{ name: "create_pattern", args: { id: made, pattern: { day_of_week: 2, priority: 2 } } }]);
});

const dana = aClient({ name: "Dana Reyes", client_user_id: "0196f0a0-0000-7000-8000-00000000000b" });
const rex = aPet(dana, { name: "Rex" });
const mikko = aClient({ name: "Mikko Aalto", phone: "555 0100" });
const luna = aPet(mikko, { name: "Luna" });

const visitsInJanuary = () => [
  aService(dana, rex, { date: "2100-01-04", start_time: "12:00" }),
  aService(dana, rex, { date: "2100-01-05", start_time: "12:00" }),
  aService(mikko, luna, { date: "2100-01-05", start_time: "15:00" }),
  aService(mikko, luna, { date: "2100-01-06", start_time: "15:00", paid: true }),
];

const rowsWith = (visits: Service[]): FeedRow[] => [
  configRow,
  ...rowsOf(dana, rex),
  ...rowsOf(mikko, luna),
  ...visits.map((d): FeedRow => ({ t: "service", d })),
];

test("a vacation is from a first day to a last one, and its list says so", async () => {
  await openPhone([configRow]);
  await show("&tab=blocked&block=1");
  const dialog = page.getByRole("dialog");
  await userEvent.selectOptions(dialog.getByLabelText("Type"), "vacation");
  await expect.element(dialog.getByRole("checkbox", { name: "Repeats" })).not.toBeInTheDocument();
  await dialog.getByLabelText("First day").fill("2100-01-04");
  await expect.element(dialog.getByLabelText("Last day")).toHaveValue("2100-01-04");
  await dialog.getByLabelText("Last day").fill("2100-01-08");
  await dialog.getByRole("button", { name: "Block Time" }).click();
  await expect.element(page.getByText("Jan 4, 2100 to Jan 8, 2100")).toBeVisible();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  expect(new URLSearchParams(location.search).get("block")).toBeNull();
});

test("hours are copied to other days as they are saved", async () => {
  await openPhone([configRow]);
  await show();
  await page.getByRole("button", { name: "Add a pattern on Monday" }).click();
  const dialog = page.getByRole("dialog");
  const copies = dialog.getByRole("group", { name: "Copy to other days" });
  await copies.getByRole("checkbox", { name: "Tuesday" }).click();
  await copies.getByRole("checkbox", { name: "Friday" }).click();
  expect(copies.getByRole("checkbox", { name: "Monday" }).query()).toBeNull();
  await dialog.getByRole("button", { name: "Add Pattern" }).click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expect
    .poll(() => saved().map((it) => [it.name, dayOf(it.args as object)]))
    .toEqual([
      ["create_pattern", 1],
      ["create_pattern", 2],
      ["create_pattern", 5],
    ]);
});

const dayOf = (args: object): unknown => (args as { pattern?: { day_of_week?: number } }).pattern?.day_of_week;

/** Opens the form for a sitter who is ill from January 4 to 6, with two visits of Dana and one of Mikko then. */
async function fallIll(): Promise<ReturnType<typeof page.getByRole>> {
  await openPhone(rowsWith(visitsInJanuary()));
  await show("&tab=blocked");
  await page.getByRole("button", { name: "Block Time" }).click();
  const dialog = page.getByRole("dialog");
  await userEvent.selectOptions(dialog.getByLabelText("Type"), "sick");
  await dialog.getByLabelText("First day").fill("2100-01-04");
  await dialog.getByLabelText("Last day").fill("2100-01-06");
  await expect.element(dialog.getByRole("heading", { name: "4 visits in this time" })).toBeVisible();
  return dialog;
}

const DANAS = "I am ill from Jan 4 to Jan 6. Your visits on Mon Jan 4, 12:00 PM and Tue Jan 5, 12:00 PM are cancelled.";

test("who blocks a time decides on its visits, writes to their clients, and takes it all back", async () => {
  await page.viewport(390, 844);
  const dialog = await fallIll();
  await expect.element(dialog.getByRole("heading", { name: "Monday, January 4" })).toBeVisible();
  await expect.element(dialog.getByText("Under way, invoiced or paid: it stays as it is.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel all" }).click();
  await expect.element(dialog.getByLabelText("Message to Dana Reyes")).toHaveValue(DANAS);
  const mikkos = dialog.getByRole("group", { name: "Mikko Aalto, 3:00 PM - 3:30 PM" }).first();
  (mikkos.getByRole("radio", { name: "Move" }).element() as HTMLElement).click();
  await expect.element(dialog.getByText("Moves to Thu Jan 7, 3:00 PM")).toBeVisible();
  await expect
    .element(dialog.getByText("Mikko Aalto is not in the portal: pass the message on under To send."))
    .toBeVisible();
  await dialog.getByLabelText("Message to Mikko Aalto").fill("Thursday then, sorry!");
  await dialog.getByRole("button", { name: "Block Time" }).click();
  await expect
    .element(
      page.getByText(
        "Blocked time created successfully. 2 visits are cancelled. 1 visit is moved. 1 message is under To send.",
      ),
    )
    .toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  const [act] = saved();
  expect(act).toMatchObject({
    name: "take_time_off",
    args: {
      visits: [
        { date: "2100-01-04", way: "cancel" },
        { date: "2100-01-05", way: "cancel" },
        { way: "move", to_date: "2100-01-07", to_start_time: "15:00" },
        { way: "keep" },
      ],
      messages: [
        { client_id: dana.id, content: DANAS },
        { client_id: mikko.id, content: "Thursday then, sorry!" },
      ],
    },
  });
  const phone = await business().wholePhone();
  expect(phone.toSend(Date.now())).toMatchObject([{ client_id: mikko.id, words: "Thursday then, sorry!" }]);
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect.element(page.getByText(/Messages to clients are not taken back: write to them again\.$/)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Write again" })).toBeVisible();
  expect(saved().map((it) => it.name)).toEqual(["take_time_off", "undo_time_off"]);
  expect(phone.toSend(Date.now())).toEqual([]);
});

test("without messages nobody is written to, and kept visits stay without a word", async () => {
  const dialog = await fallIll();
  await dialog.getByRole("button", { name: "Cancel all" }).click();
  await dialog.getByRole("switch", { name: "Write to the 2 clients" }).click({ force: true });
  await expect.element(dialog.getByLabelText("Message to Dana Reyes")).not.toBeInTheDocument();
  await dialog.getByRole("button", { name: "Keep all" }).click();
  await expect.element(dialog.getByRole("switch", { name: /^Write to/ })).not.toBeInTheDocument();
  await dialog.getByRole("button", { name: "Block Time" }).click();
  await expect.element(page.getByText("Blocked time created successfully", { exact: true })).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(saved().map((it) => it.name)).toEqual(["create_blocked_time"]);
});

const CHECK_TIMES = "Check the times: they have changed since you wrote this.";

test("an edited message stays when decisions change, with a hint to check the times", async () => {
  const dialog = await fallIll();
  await dialog.getByRole("button", { name: "Cancel all" }).click();
  await dialog.getByLabelText("Message to Dana Reyes").fill("No walks on Monday and Tuesday, sorry!");
  await expect.element(dialog.getByText(CHECK_TIMES)).not.toBeInTheDocument();
  const danas = dialog.getByRole("group", { name: "Dana Reyes, 12:00 PM - 12:30 PM" }).last();
  (danas.getByRole("radio", { name: "Keep" }).element() as HTMLElement).click();
  await expect.element(dialog.getByText(CHECK_TIMES)).toBeVisible();
  await expect
    .element(dialog.getByLabelText("Message to Dana Reyes"))
    .toHaveValue("No walks on Monday and Tuesday, sorry!");
  (danas.getByRole("radio", { name: "Cancel" }).element() as HTMLElement).click();
  await expect.element(dialog.getByText(CHECK_TIMES)).not.toBeInTheDocument();
  await dialog.getByLabelText("Message to Dana Reyes").fill(DANAS);
  (danas.getByRole("radio", { name: "Keep" }).element() as HTMLElement).click();
  await expect
    .element(dialog.getByLabelText("Message to Dana Reyes"))
    .toHaveValue("I am ill from Jan 4 to Jan 6. Your visit on Mon Jan 4, 12:00 PM is cancelled.");
  await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

/** Opens the form on a refused time off that cancels three visits and has these messages. */
async function fixTimeOff(messages: { client_id: string; content: string }[]) {
  const visits = visitsInJanuary();
  const id = newId();
  const cancel: TimeOffWay = "cancel";
  const args = {
    id: newId(),
    blocked_time: {
      block_date: "2100-01-04",
      start_time: "00:00",
      end_time: "23:59",
      block_type: "sick" as const,
      is_recurring: true,
      recurrence_pattern: "daily" as const,
      recurrence_end_date: "2100-01-06",
    },
    visits: visits
      .slice(0, 3)
      .map(({ id, client_id, date, start_time }) => ({ id, client_id, date, start_time, way: cancel })),
    messages: messages.map((it) => ({ id: newId(), ...it })),
  };
  await openPhone(rowsWith(visits), [
    {
      entry: {
        mutation: { id, seq: 1, v: 1, made_at: AT, base_rev: 1, name: "take_time_off", args },
        sentence: "Block time: January 4",
        photos: [],
      },
      outcome: {
        id,
        outcome: "rejected",
        rev: 2,
        adjustments: [],
        refusal: { code: "invalid", fields: [{ field: "visits.0.to_date", text: "That time is taken" }] },
      },
    },
  ]);
  await show(`&tab=blocked&fix=${id}`);
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByRole("heading", { name: "4 visits in this time" })).toBeVisible();
  return dialog;
}

test("a refused time off comes back with edited messages, and the others follow new decisions", async () => {
  const dialog = await fixTimeOff([
    { client_id: dana.id, content: DANAS },
    { client_id: mikko.id, content: "No walk, sorry!" },
  ]);
  await expect.element(dialog.getByLabelText("Message to Dana Reyes")).toHaveValue(DANAS);
  const danas = dialog.getByRole("group", { name: "Dana Reyes, 12:00 PM - 12:30 PM" }).last();
  (danas.getByRole("radio", { name: "Keep" }).element() as HTMLElement).click();
  const followed = "I am ill from Jan 4 to Jan 6. Your visit on Mon Jan 4, 12:00 PM is cancelled.";
  await expect.element(dialog.getByLabelText("Message to Dana Reyes")).toHaveValue(followed);
  await expect.element(dialog.getByText(CHECK_TIMES)).not.toBeInTheDocument();
  const mikkos = dialog.getByRole("group", { name: "Mikko Aalto, 3:00 PM - 3:30 PM" }).first();
  (mikkos.getByRole("radio", { name: "Move" }).element() as HTMLElement).click();
  await expect.element(dialog.getByText(CHECK_TIMES)).toBeVisible();
  await expect.element(dialog.getByLabelText("Message to Mikko Aalto")).toHaveValue("No walk, sorry!");
  await dialog.getByLabelText("Message to Mikko Aalto").fill("Thursday then, sorry!");
  await dialog.getByRole("button", { name: "Save and send again" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(saved()).toMatchObject([
    {
      name: "take_time_off",
      args: {
        messages: [
          { client_id: dana.id, content: followed },
          { client_id: mikko.id, content: "Thursday then, sorry!" },
        ],
      },
    },
  ]);
});

test("a client who was left out of a refused time off stays so", async () => {
  const dialog = await fixTimeOff([{ client_id: dana.id, content: DANAS }]);
  await expect.element(dialog.getByLabelText("Message to Mikko Aalto")).toHaveValue("");
  await dialog.getByRole("button", { name: "Save and send again" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(saved()).toMatchObject([
    { name: "take_time_off", args: { messages: [{ client_id: dana.id, content: DANAS }] } },
  ]);
});

test("a new time that is taken says so, and is not saved", async () => {
  const dialog = await fallIll();
  const mikkos = dialog.getByRole("group", { name: "Mikko Aalto, 3:00 PM - 3:30 PM" }).first();
  (mikkos.getByRole("radio", { name: "Move" }).element() as HTMLElement).click();
  await dialog.getByLabelText("New day").fill("2100-01-05");
  await expect.element(dialog.getByText("Tue Jan 5, 3:00 PM is taken")).toBeVisible();
  await dialog.getByRole("button", { name: "Block Time" }).click();
  await expect
    .element(dialog.getByText("Some visits have no free time yet. Choose one, or cancel or keep them."))
    .toBeVisible();
  expect(saved()).toEqual([]);
  (mikkos.getByRole("radio", { name: "Keep" }).element() as HTMLElement).click();
  await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test("the weeks that series are booked ahead are twelve until someone says otherwise", async () => {
  await openPhone([configRow]);
  await show("&tab=settings");
  await expect.element(page.getByLabelText("Book series ahead")).toHaveValue("12");
  await page.getByLabelText("Book series ahead").fill("26");
  await expect.element(page.getByText("Configuration updated successfully")).toBeVisible();
  await expectSaved([{ name: "update_availability_config", args: { changes: { series_weeks_ahead: 26 } } }]);
});

/** The schedule on a real IndexedDB and the real core, with no network at all. */
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import {
  AT,
  aClient,
  anOffering,
  aPet,
  aService,
  closePhone,
  fillThisDisk,
  openPhone as openWith,
  pullReach,
  pullRows,
  rowsOf,
  saved,
  signInOnPhone,
} from "../../../test/phone";
import { beginOnFriday, showSchedule as show, TODAY } from "../../../test/schedule";
import { loadRest, newId, plusDays, type Service, type Sitter } from "../../core";
import { business } from "../../data/business/openBusiness";
import { setSession } from "../../data/session/session";
import { startSyncing, stopSyncing } from "../../data/sync/sync";

await loadRest();

const client = aClient({
  name: "Amir Haddad",
  address: "18 Alder Street",
  phone: "(555) 010-4477",
  access_notes: "Key 14, lockbox",
});
const rex = aPet(client, { name: "Rex", about: "No chicken treats" });
const pepper = aPet(client, { name: "Pepper", display_order: 1 });
const bath = anOffering({ name: "Bath", base_price: 40, category: "Grooming" });
const overnight = anOffering({ name: "Overnight", base_price: 65, pricing_type: "daily", category: "Boarding" });
const retired = anOffering({ name: "Nail trim", is_active: false });

const service = (change: Partial<Service> = {}): Service => aService(client, rex, change);

/** A phone that has pulled a client with two dogs and these services. */
const openPhone = (...services: Service[]): Promise<void> =>
  openWith([
    ...rowsOf(client, rex, pepper),
    ...[bath, overnight, retired].map((d) => ({ t: "offering", d })),
    ...services.map((d) => ({ t: "service", d })),
  ]);

const mara: Sitter = {
  id: newId(),
  name: "Mara",
  service_area_radius_miles: 3,
  business_name: "Mara's Dog Walks",
  email: "mara@example.com",
  phone: "(555) 010-1200",
  time_zone: "UTC",
  created_at: AT,
};

const dialog = () => page.getByRole("dialog").first();

beginOnFriday(390, 844);

test("an empty form says everything that is wrong at once, and where", async () => {
  await openPhone();
  const screen = await show("/scheduling?new=1");
  await dialog().getByRole("button", { name: "Schedule Service" }).click();
  await expect.element(screen.getByText("Please fix the form errors")).toBeVisible();
  await expect.element(dialog().getByLabelText("Client")).toHaveAccessibleDescription(/^Please select a client/);
  await expect.element(dialog().getByLabelText("Client")).toHaveFocus();
  await expect.element(screen.getByText("Please select at least one dog")).toBeVisible();
  expect(saved()).toEqual([]);
});

test("a visit is scheduled with its price, and stands in the day when it is safe on the phone", async () => {
  await openPhone();
  const screen = await show("/scheduling?days=day");
  await screen.getByRole("button", { name: "Schedule Service" }).first().click();
  await userEvent.selectOptions(dialog().getByLabelText("Client"), "Amir Haddad (Rex and Pepper)");
  await dialog().getByRole("checkbox", { name: /Rex/ }).click();
  await expect.element(dialog().getByRole("region", { name: "Price" })).toHaveTextContent("$25.00");
  await dialog()
    .getByRole("checkbox", { name: /Pepper/ })
    .click();
  await expect.element(dialog().getByText("$25.00 for the first dog, $12.50 for 1 more")).toBeVisible();
  await userEvent.selectOptions(dialog().getByLabelText("Start time"), "11:00 AM");
  await dialog().getByRole("button", { name: "Schedule Service" }).click();
  await expect.element(screen.getByText("Service scheduled successfully")).toBeVisible();
  await expect.element(screen.getByRole("heading", { name: "1 visit today" })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Rex & Pepper" }).first()).toBeVisible();
  await expect.poll(saved).toMatchObject([
    {
      name: "schedule_service",
      args: { service: { start_time: "11:00", dog_ids: [rex.id, pepper.id] }, overlap_ok: false, quoted_price: 37.5 },
    },
  ]);
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  // What was saved is no draft any more.
  await screen.getByRole("button", { name: "Schedule Service" }).first().click();
  await expect.element(dialog().getByText("Choose a client to see their pets.")).toBeVisible();
  expect(screen.getByText("Restored what you typed.").query()).toBeNull();
});

test("what was never started says that it is overdue, and what earlier days left open stands on top", async () => {
  const before = Array.from({ length: 5 }, () => service({ date: plusDays(TODAY, -1), start_time: "12:00" }));
  const walked = service({ start_time: "08:00" });
  await openPhone(...before, walked, service({ start_time: "09:30" }), service({ start_time: "11:00" }));
  const screen = await show("/scheduling?days=day");
  await expect.element(screen.getByText("Friday, November 20 · 2 overdue")).toBeVisible();
  const left = screen.getByRole("region", { name: "5 overdue since Nov 19" });
  await expect.element(left.getByText("Not completed").first()).toBeVisible();
  await expect.element(left.getByText("Thu 19").first()).toBeVisible();
  const late = screen.getByRole("region", { name: "Overdue today" });
  expect(late.getByText("Not completed").elements()).toHaveLength(1);
  // Its time has come and is not over: it is what to do now, and says that it is late.
  const today = screen.getByRole("list", { name: "Friday, November 20" });
  expect(today.getByText("Start not recorded").elements()).toHaveLength(1);
  await left.getByRole("button", { name: "Mark Rex complete" }).first().click();
  await expect.element(screen.getByRole("region", { name: "4 overdue since Nov 19" })).toBeVisible();
  await expect.poll(saved).toMatchObject([{ name: "complete_service" }]);
  await screen.getByRole("button", { name: "View all" }).click();
  await expect.element(screen.getByText("6 services", { exact: true })).toBeVisible();
  await expect.element(screen.getByRole("combobox", { name: "Status" })).toHaveValue("overdue");
});

test("what is in the way is named, a free start is one press away, and so is going ahead", async () => {
  await openPhone(service());
  const screen = await show(`/scheduling?new=1&at=11:15&client=${client.id}`);
  const conflict = dialog().getByRole("region", { name: "Conflict" });
  await expect.element(conflict).toHaveTextContent("Time slot conflict detected. Please choose a different time.");
  await expect.element(conflict).toHaveTextContent("Amir Haddad, 11:00 AM - 11:30 AM");
  await conflict.getByRole("button", { name: "11:30 AM" }).click();
  await expect.element(dialog().getByLabelText("Start time")).toHaveValue("11:30");
  expect(conflict.query()).toBeNull();
  await userEvent.selectOptions(dialog().getByLabelText("Start time"), "11:00 AM");
  await dialog()
    .getByRole("checkbox", { name: /Pepper/ })
    .click();
  await dialog().getByRole("button", { name: "Schedule Service" }).click();
  await expect.element(conflict).toBeVisible();
  expect(saved()).toEqual([]);
  await conflict.getByRole("button", { name: "Schedule anyway" }).click();
  await expect.element(screen.getByText("Service scheduled successfully")).toBeVisible();
  await expect.poll(saved).toMatchObject([{ args: { overlap_ok: true, service: { start_time: "11:00" } } }]);
});

test("a day that was emptied is asked for, also after the form was closed", async () => {
  await openPhone();
  const screen = await show(`/scheduling?new=1&client=${client.id}`);
  await dialog().getByRole("checkbox", { name: /Rex/ }).click();
  const date = dialog().getByLabelText("Date", { exact: true });
  await date.fill("");
  await dialog().getByRole("button", { name: "Schedule Service" }).click();
  await expect.element(date).toHaveAccessibleDescription(/^Please select a date/);
  await dialog().getByRole("button", { name: "Close" }).click();
  await screen.getByRole("button", { name: "Schedule Service" }).first().click();
  await expect.element(date).toHaveValue(TODAY);
  await dialog().getByRole("button", { name: "Schedule Service" }).click();
  await expect.element(screen.getByText("Service scheduled successfully")).toBeVisible();
});

test("words that were typed come back after the form was closed, until one starts over", async () => {
  await openPhone();
  const screen = await show("/scheduling?new=1");
  await userEvent.type(dialog().getByLabelText(/Internal notes/), "Gate code 4411");
  await userEvent.keyboard("{Escape}");
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  await screen.getByRole("button", { name: "Schedule Service" }).first().click();
  await expect.element(dialog().getByText("Restored what you typed.")).toBeVisible();
  await expect.element(dialog().getByLabelText(/Internal notes/)).toHaveValue("Gate code 4411");
  await dialog().getByRole("button", { name: "Start over" }).click();
  await expect.element(dialog().getByLabelText(/Internal notes/)).toHaveValue("");
});

test("the only pet of a client goes along, also where the form was left with another client's", async () => {
  const kim = aClient({ name: "Kim Ito" });
  const miso = aPet(kim, { name: "Miso", pet_type: "cat" });
  await openWith([...rowsOf(client, rex, pepper), ...rowsOf(kim, miso)]);
  const screen = await show("/scheduling?new=1");
  await userEvent.selectOptions(dialog().getByLabelText("Client"), "Amir Haddad (Rex and Pepper)");
  await dialog().getByRole("checkbox", { name: /Rex/ }).click();
  await userEvent.keyboard("{Escape}");
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  await screen.unmount();
  await show(`/scheduling?new=1&client=${kim.id}`);
  const pets = dialog().getByRole("group", { name: "Pets" });
  await expect.element(pets.getByRole("checkbox", { name: /Miso/ })).toBeChecked();
  expect(pets.getByRole("checkbox").elements()).toHaveLength(1);
  await userEvent.type(dialog().getByLabelText(/Internal notes/), "Back door");
  await expect.element(pets.getByRole("checkbox", { name: /Miso/ })).toBeChecked();
});

test("an edit sends only what was touched", async () => {
  const visit = service({ notes: "Ring twice" });
  await openPhone(visit);
  const screen = await show(`/scheduling?edit=${visit.id}`);
  const notes = dialog().getByLabelText(/^Notes/);
  await expect.element(notes).toHaveValue("Ring twice");
  await expect
    .element(notes)
    .toHaveAccessibleDescription(
      "Also on the invoice, unless you write how it went. Your client sees this, and so does anyone with the invoice's link",
    );
  const internal = dialog().getByLabelText(/Internal notes/);
  await expect.element(internal).toHaveAccessibleDescription("Only you see this");
  await userEvent.type(internal, "Alarm off");
  await dialog().getByRole("button", { name: "Save Changes" }).click();
  await expect.element(screen.getByText("Service updated successfully")).toBeVisible();
  await expect
    .poll(saved)
    .toEqual([
      { name: "update_service", args: { id: visit.id, changes: { internal_notes: "Alarm off" }, overlap_ok: false } },
    ]);
});

test("a phone begins with the day, and another choice is remembered on it", async () => {
  await openPhone(service());
  const screen = await show();
  await screen.getByRole("button", { name: "View: Day" }).click();
  await expect.element(screen.getByRole("menuitemradio", { name: "Day", exact: true })).toBeChecked();
  await screen.getByRole("menuitemradio", { name: "5 Days" }).click();
  await expect.element(screen.getByRole("heading", { name: "Today, Friday, November 20" })).toBeVisible();
  await screen.unmount();
  const again = await show();
  await expect.element(again.getByRole("button", { name: "View: 5 Days" })).toBeVisible();
});

test("several days are lists on a phone, with whole names where visits overlap, and a day's name leads to it", async () => {
  const tomorrow = plusDays(TODAY, 1);
  await openPhone(
    service({ start_time: "23:00" }),
    service({ date: tomorrow, start_time: "11:00" }),
    service({ date: tomorrow, start_time: "11:15", dog_ids: [pepper.id], dogs: ["Pepper"], overlap_ok: true }),
  );
  const screen = await show("/scheduling?days=week");
  await expect.element(screen.getByRole("region", { name: "Today" }).getByText("Rex")).toBeVisible();
  const saturday = screen.getByRole("region", { name: "Saturday, November 21" });
  expect(
    saturday
      .getByRole("listitem")
      .elements()
      .map((it) => (it as HTMLElement).innerText),
  ).toEqual([
    expect.stringMatching(/^11:00 AM\s+Rex\s+Amir Haddad · 18 Alder Street\s+Walk, 30 min$/),
    expect.stringMatching(/^11:15 AM\s+Pepper\s+Amir Haddad · 18 Alder Street\s+Walk, 30 min$/),
  ]);
  await saturday.getByRole("button", { name: "Saturday, November 21", exact: true }).click();
  await expect.element(screen.getByRole("button", { name: "View: Day" })).toBeVisible();
  expect(new URLSearchParams(location.search).get("date")).toBe(tomorrow);
});

test("lists below a phone's day leave out today, also below another day", async () => {
  await openPhone(service({ start_time: "23:00" }), service({ date: plusDays(TODAY, 2) }));
  const screen = await show(`/scheduling?days=day&date=${plusDays(TODAY, 1)}`);
  const week = screen.getByRole("region", { name: "This Week" });
  await expect.element(week).toHaveTextContent(/^This WeekSun 22/);
  expect(week.getByRole("listitem").elements()).toHaveLength(1);
  expect(screen.getByRole("region", { name: "Today's Schedule" }).query()).toBeNull();
});

test("a wipe over the days of the week goes to the next ones", async () => {
  await openPhone(service());
  const screen = await show();
  const days = screen.getByRole("list", { name: "Days of the week" });
  const touch = (type: string, x: number) => {
    const it = new Touch({ identifier: 1, target: days.element(), clientX: x });
    const touches = type === "touchend" ? [] : [it];
    days.element().dispatchEvent(new TouchEvent(type, { bubbles: true, touches, changedTouches: [it] }));
  };
  touch("touchstart", 200);
  touch("touchend", 180);
  await expect.element(screen.getByText("1 visit today")).toBeVisible();
  touch("touchstart", 200);
  touch("touchend", 120);
  await expect.element(screen.getByText("Friday, November 27")).toBeVisible();
  touch("touchstart", 120);
  touch("touchend", 200);
  await expect.element(screen.getByText("1 visit today")).toBeVisible();
});

test("the next visit is open with all that one needs at the door", async () => {
  await openPhone(
    service({ start_time: "08:00", status: "completed", completed_at: "2026-11-20T08:34:00.000Z" }),
    service(),
    service({ start_time: "13:15", dog_ids: [pepper.id], dogs: [pepper.name] }),
  );
  const screen = await show("/scheduling?days=day");
  await expect.element(screen.getByText("Done 8:34 AM")).toBeVisible();
  await expect.element(screen.getByText("Key 14, lockbox")).toBeVisible();
  await expect.element(screen.getByText("No chicken treats")).toBeVisible();
  const start = screen.getByRole("link", { name: "Start walk" });
  expect(start.elements()).toHaveLength(1);
  expect(start.element().getAttribute("href")).toMatch(/^\/walk\?service=/);
  expect(screen.getByRole("link", { name: "Text Amir Haddad" }).element().getAttribute("href")).toBe("sms:5550104477");
});

test("a day that is half done opens at the next visit, and a day that begins at its beginning", async () => {
  const starts = ["06:00", "06:30", "07:00", "07:30", "08:00", "08:15", "08:30", "08:45"];
  const done = starts.map((start_time) =>
    service({ start_time, status: "completed", completed_at: "2026-11-20T08:50:00.000Z" }),
  );
  await openPhone(...done, service());
  const screen = await show("/scheduling?days=day");
  const next = screen.getByRole("link", { name: "Start walk" });
  await expect.element(next).toBeInViewport();
  await expect.element(screen.getByRole("heading", { level: 1 })).not.toBeInViewport();
  await screen.unmount();
  await closePhone();
  await openPhone(service());
  const early = await show("/scheduling?days=day");
  await expect.element(early.getByRole("link", { name: "Start walk" })).toBeInViewport();
  await expect.element(early.getByRole("heading", { level: 1 })).toBeInViewport();
});

test("a visit is completed with notes and is read-only from then on", async () => {
  const visit = service();
  await openPhone(visit);
  const screen = await show(`/scheduling?service=${visit.id}`);
  await dialog().getByRole("button", { name: "Mark Complete" }).click();
  const notes = dialog().getByLabelText(/Service notes/);
  await expect
    .element(notes)
    .toHaveAccessibleDescription(/Your client sees this, and so does anyone with the invoice's link$/);
  await userEvent.type(notes, "Two laps of the park");
  await dialog().getByRole("button", { name: "Mark Complete" }).click();
  await expect.element(screen.getByText("Service completed successfully")).toBeVisible();
  await screen.getByRole("button", { name: "Rex" }).first().click();
  await expect.element(dialog().getByText("Two laps of the park")).toBeVisible();
  expect(dialog().getByRole("button", { name: "Edit" }).query()).toBeNull();
  expect(dialog().getByRole("button", { name: "Cancel Service" }).query()).toBeNull();
});

test("the client is let know of a visit on its day, where the profile says so and the client is in the portal, and it can be taken back", async () => {
  const visit = service();
  await openPhone(visit);
  const silent = await show(`/scheduling?service=${visit.id}`);
  await expect.element(dialog().getByRole("button", { name: "Mark Complete" })).toBeVisible();
  expect(dialog().getByRole("group", { name: "Tell the client" }).query()).toBeNull();
  await silent.unmount();
  await closePhone();

  const sitter = {
    id: newId(),
    name: "Mara",
    email: "",
    time_zone: "America/New_York",
    tells_progress: true,
    service_area_radius_miles: 5,
    created_at: AT,
  };
  const tomorrow = service({ date: plusDays(TODAY, 1) });
  await openWith([
    { t: "sitter", d: sitter },
    ...rowsOf({ ...client, client_user_id: null, phone: "555 0100" }, rex),
    ...[visit, tomorrow].map((d) => ({ t: "service", d })),
  ]);
  const unseen = await show(`/scheduling?service=${visit.id}`);
  await expect.element(dialog().getByRole("button", { name: "Mark Complete" })).toBeVisible();
  expect(dialog().getByRole("group", { name: "Tell the client" }).query()).toBeNull();
  // Whoever sees nothing in the portal is texted.
  await expect.element(dialog().getByText(/ is not in the portal and sees nothing of it\.$/)).toBeVisible();
  const text = dialog().getByRole("link", { name: "Text that you are on your way" });
  await expect.element(text).toHaveAttribute("href", expect.stringMatching(/^sms:5550100\?&body=Hello.*on%20my%20way/));
  await unseen.unmount();
  await closePhone();

  await openWith([
    { t: "sitter", d: sitter },
    ...rowsOf({ ...client, client_user_id: newId() }, rex),
    ...[visit, tomorrow].map((d) => ({ t: "service", d })),
  ]);
  const screen = await show(`/scheduling?service=${visit.id}`);
  const seen = dialog().getByRole("group", { name: "Tell the client" });
  await seen.getByRole("button", { name: "On my way" }).click();
  await expect.element(seen).toHaveTextContent("On the way");
  await seen.getByRole("button", { name: "Started" }).click();
  await expect.element(seen).toHaveTextContent(/Started \d/);
  await seen.getByRole("button", { name: "Undo" }).click();
  await expect.element(seen.getByRole("button", { name: "On my way" })).toBeVisible();
  expect(saved()).toEqual(
    ["on_the_way", "started", null].map((step) => ({ name: "mark_progress", args: { id: visit.id, step } })),
  );
  await screen.unmount();
  await show(`/scheduling?service=${tomorrow.id}`);
  await expect.element(dialog().getByRole("button", { name: "Mark Complete" })).toBeVisible();
  expect(seen.query()).toBeNull();
});

test("a sitter who comes from another home tells when to be there, and sees what the client reads", async () => {
  const home = (lat: number) => ({ lat, lng: -74 });
  const dana = aClient({ name: "Dana Reyes", ...home(40) });
  const luna = aPet(dana, { name: "Luna" });
  const completed_at = new Date(Date.now() - 60_000).toISOString();
  const before = aService(dana, luna, { date: TODAY, start_time: "08:00", status: "completed", completed_at });
  const visit = service({ start_time: "12:00" });
  const sitter = { ...mara, time_zone: "America/New_York", tells_progress: true };
  await openWith([
    { t: "sitter", d: sitter },
    ...rowsOf({ ...client, client_user_id: newId(), ...home(40.01) }, rex),
    ...rowsOf(dana, luna),
    ...[before, visit].map((d) => ({ t: "service", d })),
  ]);
  localStorage.removeItem("walkies-way-there");
  await show(`/scheduling?service=${visit.id}`);
  const seen = dialog().getByRole("group", { name: "Tell the client" });
  const pick = (name: string) => (seen.getByRole("radio", { name }).element() as HTMLElement).click();
  await expect.element(seen.getByRole("radio", { name: "By car or bicycle" })).toBeChecked();
  pick("No time");
  await expect.element(seen.getByText(/Amir Haddad.? sees: On the way$/)).toBeVisible();
  pick("By car or bicycle");
  await expect.element(seen.getByText(/Amir Haddad.? sees: On the way, there about \d+:\d[05] [AP]M$/)).toBeVisible();
  await seen.getByRole("button", { name: "On my way" }).click();
  await expect.element(seen).toHaveTextContent(/On the way, there about \d+:\d[05] [AP]M/);
  const args = { id: visit.id, step: "on_the_way", way_minutes: 6 };
  await expect.poll(saved).toEqual([{ name: "mark_progress", args }]);
  localStorage.removeItem("walkies-way-there");
});

test("a step that waits on the phone is not said to be seen by the client", async () => {
  const visit = service();
  const sitter = { ...mara, time_zone: "America/New_York", tells_progress: true };
  await openWith([
    { t: "sitter", d: sitter },
    ...rowsOf({ ...client, client_user_id: newId() }, rex),
    { t: "service", d: visit },
  ]);
  await signInOnPhone(true);
  await show(`/scheduling?service=${visit.id}`);
  const seen = dialog().getByRole("group", { name: /^Tell the client/ });
  await expect.element(seen.getByText("Tell the client", { exact: true })).toBeVisible();
  await seen.getByRole("button", { name: "On my way" }).click();
  await expect.element(seen).toHaveTextContent("On the way");
  await expect.element(seen.getByText("Tell the client: seen once this is sent")).toBeVisible();
  await setSession(undefined);
});

test("one tap on the card completes a visit that is no walk, and undoes it", async () => {
  const visit = service({ service_type: "dropin" });
  await openPhone(visit);
  const screen = await show("/scheduling?days=day");
  await screen.getByRole("button", { name: "Mark Complete" }).click();
  await expect.element(screen.getByText("Service completed successfully")).toBeVisible();
  await expect.element(screen.getByText("1 visit done")).toBeVisible();
  await screen.getByRole("button", { name: "Undo" }).click();
  await expect.element(screen.getByText("Rex is scheduled again")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Mark Complete" })).toBeVisible();
  expect(saved()).toMatchObject([{ name: "complete_service" }, { name: "reopen_service", args: { id: visit.id } }]);
});

test("a visit that was missed is completed from its card, and one that is still to come is not", async () => {
  await openPhone(
    service({ service_type: "dropin", start_time: "06:30" }),
    service({ service_type: "dropin" }),
    service({ date: plusDays(TODAY, 1), service_type: "dropin" }),
  );
  const screen = await show("/scheduling?days=day");
  await expect.element(screen.getByRole("button", { name: "Mark Complete" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Mark Rex complete" }).elements()).toHaveLength(1);
  await screen.getByRole("button", { name: /Saturday, November 21/ }).click();
  await expect.element(screen.getByRole("heading", { name: "1 visit" })).toBeVisible();
  expect(screen.getByRole("button", { name: /omplete$/ }).query()).toBeNull();
});

test("an offering is booked by its name, with its price and kind", async () => {
  await openPhone();
  await show(`/scheduling?new=1&client=${client.id}`);
  await dialog().getByRole("checkbox", { name: "Rex" }).click();
  const types = dialog().getByRole("combobox", { name: "Type" });
  await expect
    .element(types)
    .toHaveTextContent("Walk, at the client's rateDrop-in, at the client's rateBath: $40.00Overnight: $65.00 per day");
  const own = types.element().querySelector("optgroup");
  expect(own?.label).toBe("Your services, at their own price");
  expect(own?.children).toHaveLength(2);
  await userEvent.selectOptions(types, "Bath: $40.00");
  await expect.element(dialog().getByRole("paragraph").getByText("Bath: $40.00", { exact: true })).toBeVisible();
  await userEvent.selectOptions(types, "Overnight: $65.00 per day");
  await dialog().getByLabelText("First day").fill("2026-11-23");
  await dialog().getByLabelText("Last day").fill("2026-11-25");
  await expect.element(dialog().getByText("Overnight, $65.00 per day, 3 days: $195.00")).toBeVisible();
  // A stay that is put off stays as long as it was.
  await dialog().getByLabelText("First day").fill("2026-11-24");
  await expect.element(dialog().getByLabelText("Last day")).toHaveValue("2026-11-26");
  await dialog().getByRole("button", { name: "Schedule Service" }).click();
  await expect.poll(() => saved().length).toBe(1);
  const [plan] = business().phone.dayPlan("2026-11-24", Date.now()).stays;
  const stay = plan?.view;
  expect(stay).toMatchObject({ kind: "Overnight", service_type: "dropin", end_date: "2026-11-26", price: 195 });
  await expect.poll(() => page.getByRole("dialog").query()).toBeNull();
});

test("a stay by the night says how its count came about, and has an arrival and a departure", async () => {
  const nights = anOffering({ name: "House sitting", base_price: 80, pricing_type: "daily", stay_unit: "nights" });
  await openWith([...rowsOf(client, rex), { t: "offering", d: nights }]);
  await show(`/scheduling?new=1&client=${client.id}`);
  await userEvent.selectOptions(dialog().getByRole("combobox", { name: "Type" }), "House sitting: $80.00 per night");
  await dialog().getByLabelText("First day").fill("2026-11-27");
  await dialog().getByLabelText("Last day").fill("2026-11-29");
  await dialog()
    .getByLabelText(/^Departure/)
    .fill("07:00");
  await expect.element(dialog().getByText("2 nights, Fri Nov 27 to Sun Nov 29")).toBeVisible();
  await expect.element(dialog().getByText("House sitting, $80.00 per night, 2 nights: $160.00")).toBeVisible();
  await dialog().getByRole("button", { name: "Schedule Service" }).click();
  await expect.poll(() => saved().length).toBe(1);
  const [plan] = business().phone.dayPlan("2026-11-28", Date.now()).stays;
  expect(plan?.place).toBe("night 2 of 2");
  expect(plan?.view).toMatchObject({ departure_time: "07:00", price: 160, length: "2 nights" });
  await expect.poll(() => page.getByRole("dialog").query()).toBeNull();
});

test("a stay lies above the visits of each of its days", async () => {
  const stay = service({
    service_type: "dropin",
    date: plusDays(TODAY, -1),
    end_date: plusDays(TODAY, 1),
    offering_id: overnight.id,
    offering_name: "Overnight",
  });
  await openPhone(stay, service());
  const screen = await show("/scheduling?days=day");
  await expect.element(screen.getByRole("heading", { name: "1 visit today" })).toBeVisible();
  const band = screen.getByRole("button", { name: /^Overnight, Rex, Amir Haddad, day 2 of 3/ });
  await expect.element(band).toBeVisible();
  await band.click();
  await expect.element(dialog().getByText("Overnight, 3 days")).toBeVisible();
});

test("a stay by the night is named by its night", async () => {
  const stay = service({
    service_type: "dropin",
    date: TODAY,
    end_date: plusDays(TODAY, 2),
    stay_terms: { unit: "nights" },
    offering_id: overnight.id,
    offering_name: "Overnight",
  });
  await openPhone(stay, service());
  const screen = await show("/scheduling?days=day");
  await expect
    .element(screen.getByRole("button", { name: /^Overnight, Rex, Amir Haddad, night 1 of 2/ }))
    .toBeVisible();
});

test("what began before today and goes on stands in the lists beside the calendar", async () => {
  await page.viewport(1280, 800);
  const stay = service({
    service_type: "dropin",
    date: plusDays(TODAY, -1),
    end_date: plusDays(TODAY, 1),
    offering_id: overnight.id,
    offering_name: "Overnight",
  });
  await openPhone(stay, service());
  const screen = await show();
  const rows = ["All day Rex Amir Haddad · Overnight Day 2 of 3", "11:00 AM Rex Amir Haddad · Walk"];
  const texts = (name: string) =>
    screen
      .getByRole("region", { name })
      .getByRole("listitem")
      .elements()
      .map((it) => (it as HTMLElement).innerText.replaceAll(/\s+/g, " "));
  expect(texts("Today's Schedule")).toEqual(rows);
  expect(texts("This Week")).toEqual(rows.map((it) => `Today ${it}`));
});

test("a visit over midnight stands in the list of the day after", async () => {
  await openPhone(service({ date: plusDays(TODAY, -1), start_time: "23:45", duration_minutes: 60 }));
  const screen = await show("/scheduling?days=day");
  await expect.element(screen.getByRole("heading", { name: "No visits today" })).toBeVisible();
  const visit = screen.getByRole("listitem").filter({ hasText: "Since yesterday" }).first();
  await expect.element(visit).toHaveTextContent(/11:45 PM.*Rex/);
});

test("another price for one visit needs a reason, and is shown as such", async () => {
  const visit = service();
  await openPhone(visit);
  await show(`/scheduling?edit=${visit.id}`);
  await dialog().getByRole("button", { name: "Change price" }).click();
  await dialog().getByLabelText("Price for this service").fill("20");
  await dialog().getByRole("button", { name: "Save Changes" }).click();
  await expect.element(dialog().getByText("Please say why")).toBeVisible();
  await dialog().getByRole("textbox", { name: "Reason" }).fill("Friends");
  // What was written for oneself is shown to nobody by a slip.
  const shows = dialog().getByRole("switch", { name: "Show the reason to the client" });
  await shows.click();
  await page.getByRole("button", { name: "Keep it private" }).click();
  await expect.element(shows).not.toBeChecked();
  const said = "$20.00 agreed: Friends; usually $25.00 for 1 dog";
  await expect.element(dialog().getByText(said)).toBeVisible();
  await dialog().getByRole("button", { name: "Save Changes" }).click();
  await expect.poll(() => saved().length).toBe(1);
  expect(saved()[0]?.args).toMatchObject({ changes: { price_override: { amount: 20, reason: "Friends" } } });
  await page.getByRole("button", { name: "Rex" }).first().click();
  await expect.element(dialog().getByText(said)).toBeVisible();
});

test("a walk that costs less than a shorter one is said before it is booked", async () => {
  await openPhone();
  const screen = await show(`/scheduling?new=1&client=${client.id}`);
  const warning = dialog().getByText(/^4 h for \$30\.00 is less than 60 min for \$35\.00\./);
  await expect.element(dialog().getByRole("region", { name: "Price" })).toBeVisible();
  expect(warning.query()).toBeNull();
  await userEvent.selectOptions(dialog().getByRole("combobox", { name: "Duration" }), "240");
  await expect.element(warning).toBeVisible();
  await screen.unmount();
});

test("a visit that is done leads to its report, and says who has it", async () => {
  const visit = service({ status: "completed", completed_at: AT });
  const at = AT;
  const report = {
    id: newId(),
    walk_id: newId(),
    client_id: client.id,
    dogs: ["Rex"],
    service_ids: [visit.id],
    started_at: at,
    share_id: "share",
    shared_at: at,
    mailed: { to: "dana@example.com", state: "sent", at: "2026-11-20T15:00:00Z" },
    opened_at: "2026-11-20T16:30:00Z",
  };
  await openWith([...rowsOf(client, rex), { t: "service", d: visit }, { t: "report", d: report }]);
  const screen = await show(`/scheduling?service=${visit.id}`);
  const part = dialog().getByRole("region", { name: "Report" });
  await expect
    .element(part)
    .toHaveTextContent("Mailed to dana@example.com on Nov 20, 2026. Opened on Nov 20, 2026 at 4:30 PM.");
  // Its walk is on another phone.
  await expect
    .element(part.getByRole("link", { name: "Open the report" }))
    .toHaveAttribute("href", expect.stringMatching(/\/report\/share$/));
  await screen.unmount();
});

test("a dog that was removed since can be left out of a visit", async () => {
  const visit = service({ dog_ids: [rex.id, newId()], dogs: ["Rex", "Luna"] });
  await openPhone(visit);
  await show(`/scheduling?edit=${visit.id}`);
  await dialog()
    .getByRole("checkbox", { name: /^Luna no longer here/ })
    .click();
  await expect.element(dialog().getByRole("checkbox", { name: /^Luna/ })).not.toBeInTheDocument();
  await dialog().getByRole("button", { name: "Save Changes" }).click();
  await expect.poll(() => saved()[0]?.args).toMatchObject({ changes: { dog_ids: [rex.id] } });
});

test("a phone's day goes to a time of it", async () => {
  const hours = Array.from({ length: 12 }, (_, n) => `${String(n + 6).padStart(2, "0")}:00`);
  await openPhone(...hours.map((start_time) => service({ start_time })));
  const screen = await show("/scheduling?days=day");
  await screen.getByRole("button", { name: "View: Day" }).click();
  await screen.getByRole("menuitem", { name: "12 PM" }).click();
  const row = () => document.activeElement?.closest<HTMLElement>("[data-start]");
  await expect.poll(() => row()?.dataset.start).toBe("12:00");
  await expect.element(page.elementLocator(row() as HTMLElement)).toBeInViewport();
});

test("availability has something to show once the sitter's own row is here", async () => {
  await openPhone();
  const screen = await show("/scheduling?view=availability");
  await expect.element(screen.getByRole("heading", { level: 1 })).toBeVisible();
  expect(screen.getByRole("tab").elements()).toHaveLength(0);
  await pullRows({ t: "sitter", d: mara });
  await expect.element(screen.getByRole("tab", { name: "Availability Patterns" })).toBeVisible();
  expect(screen.getByRole("tab").elements()).toHaveLength(3);
});

test("how one gets in is closed in the details until the visit is near", async () => {
  const [near, far] = [service(), service({ date: plusDays(TODAY, 2) })];
  await openPhone(near, far);
  const screen = await show(`/scheduling?service=${far.id}`);
  await expect.element(dialog().getByText("Access notes")).toBeVisible();
  await expect.element(dialog().getByText("Key 14, lockbox")).not.toBeVisible();
  await dialog().getByText("Access notes").click();
  await expect.element(dialog().getByText("Key 14, lockbox")).toBeVisible();
  await screen.unmount();
  await show(`/scheduling?service=${near.id}`);
  await expect.element(dialog().getByText("Key 14, lockbox")).toBeVisible();
});

test("the details say what became of the last mail about a visit", async () => {
  const mailed = (state: "sent" | "failed", start_time: string) =>
    service({
      start_time,
      mailed: { client_id: client.id, to: "amir@example.com", state, at: "2026-11-20T08:04:00.000Z" },
    });
  const [sent, failed] = [mailed("sent", "12:00"), mailed("failed", "13:00")];
  await openPhone(sent, failed);
  const screen = await show(`/scheduling?service=${sent.id}`);
  await expect.element(dialog().getByText("Mailed to amir@example.com on Nov 20, 2026 at 8:04 AM")).toBeVisible();
  await screen.unmount();
  await show(`/scheduling?service=${failed.id}`);
  await expect.element(dialog().getByText("The mail to amir@example.com could not be delivered")).toBeVisible();
});

test("the list opens on today, with what was above it", async () => {
  await openPhone(service({ date: plusDays(TODAY, -2) }), service());
  const screen = await show("/scheduling?view=list");
  await expect.element(screen.getByRole("heading", { name: "Today, Friday, November 20" })).toBeVisible();
  await expect.element(screen.getByText(/^2 services/)).toBeVisible();
  expect(screen.getByRole("heading", { name: "Wednesday, November 18" }).query()).toBeNull();
  await screen.getByRole("button", { name: "Show 1 earlier" }).click();
  const days = screen.getByRole("heading", { level: 2 }).elements();
  expect(days.map((it) => it.textContent)).toEqual(["Wednesday, November 18", "Today, Friday, November 20"]);
});

test("cancelling can be undone, and asks first", async () => {
  const visit = service();
  await openPhone(visit);
  const screen = await show(`/scheduling?service=${visit.id}`);
  const question = page.getByRole("dialog", { name: "Are you sure you want to cancel this scheduled service?" });
  await dialog().getByRole("button", { name: "Cancel Service" }).click();
  await question.getByRole("button", { name: "Keep it" }).click();
  expect(saved()).toEqual([]);
  // Esc leaves the question, and the details stay.
  await dialog().getByRole("button", { name: "Cancel Service" }).click();
  await expect.element(question).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(page.getByRole("dialog", { name: "Service Details" })).toBeVisible();
  await dialog().getByRole("button", { name: "Cancel Service" }).click();
  await question.getByRole("button", { name: "Cancel Service" }).click();
  await expect.element(screen.getByText("Service cancelled successfully")).toBeVisible();
  await expect.poll(saved).toMatchObject([{ name: "cancel_service", args: { id: visit.id } }]);
  await screen.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => business().phone.service(visit.id)?.status).toBe("scheduled");
  await expect
    .element(screen.getByText(/^Rex is scheduled again\. Nobody is told: .* is not in the portal\.$/))
    .toBeVisible();
});

test("undoing a cancellation says that the client is notified of that, too", async () => {
  const visit = service();
  await openWith([...rowsOf({ ...client, client_user_id: newId() }, rex), { t: "service", d: visit }]);
  await pullReach({ notified: [client.id] });
  await show(`/scheduling?service=${visit.id}`);
  await dialog().getByRole("button", { name: "Cancel Service" }).click();
  const question = page.getByRole("dialog", { name: "Are you sure you want to cancel this scheduled service?" });
  await question.getByRole("button", { name: "Cancel Service" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(page.getByText(/^Rex is scheduled again\. .* is notified/)).toBeVisible();
});

test("undoing a cancellation that waits on the phone says of nobody that they are notified", async () => {
  const visit = service();
  await openWith([...rowsOf({ ...client, client_user_id: newId() }, rex), { t: "service", d: visit }]);
  await pullReach({ notified: [client.id] });
  await signInOnPhone(true);
  await show(`/scheduling?service=${visit.id}`);
  await dialog().getByRole("button", { name: "Cancel Service" }).click();
  const question = page.getByRole("dialog", { name: "Are you sure you want to cancel this scheduled service?" });
  await question.getByRole("button", { name: "Cancel Service" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(page.getByText("Rex is scheduled again", { exact: true })).toBeVisible();
  await setSession(undefined);
});

test("a cancellation has a reason, and says who reads it", async () => {
  const visit = service();
  await openWith([...rowsOf({ ...client, client_user_id: newId() }, rex), { t: "service", d: visit }]);
  await show(`/scheduling?service=${visit.id}`);
  await dialog().getByRole("button", { name: "Cancel Service" }).click();
  const question = page.getByRole("dialog", { name: "Are you sure you want to cancel this scheduled service?" });
  await expect.element(question.getByText("Only you see this")).toBeVisible();
  await question.getByLabelText(/^Reason/).fill("Down with the flu");
  await question.getByRole("switch", { name: "Show the reason to the client" }).click({ force: true });
  await expect.element(question.getByText("Amir Haddad reads this.")).toBeVisible();
  await question.getByRole("button", { name: "Cancel Service" }).click();
  await expect.element(page.getByText("Service cancelled successfully")).toBeVisible();
  expect(saved()).toMatchObject([
    { name: "cancel_service", args: { id: visit.id, reason: "Down with the flu", tells_reason: true } },
  ]);
  expect(business().phone.service(visit.id)?.cancel_reason).toBe("Down with the flu");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => business().phone.service(visit.id)?.status).toBe("scheduled");
  expect(business().phone.service(visit.id)?.cancel_reason ?? "").toBe("");
});

test("the form says who is told of a change, and nothing of what concerns nobody", async () => {
  const visit = service();
  await openPhone(visit);
  await show(`/scheduling?edit=${visit.id}`);
  const told = dialog().getByText(/^Nobody is told: .* is not in the portal\.$/);
  await userEvent.type(dialog().getByLabelText(/Internal notes/), "Alarm off");
  expect(told.query()).toBeNull();
  await userEvent.type(dialog().getByLabelText(/^Notes/), "Ring twice");
  await expect.element(told).toBeVisible();
});

test("a change that waits on the phone is not said to have reached the client", async () => {
  const visit = service();
  await openWith([...rowsOf({ ...client, client_user_id: newId() }, rex), { t: "service", d: visit }]);
  await signInOnPhone(true);
  const screen = await show(`/scheduling?edit=${visit.id}`);
  await userEvent.type(dialog().getByLabelText(/^Notes/), "Ring twice");
  const told = "Amir Haddad sees it in the portal once this is sent.";
  await expect.element(dialog().getByText(told)).toBeVisible();
  await screen.unmount();
  const details = await show(`/scheduling?service=${visit.id}`);
  await dialog().getByRole("button", { name: "Cancel Service" }).click();
  await expect.element(details.getByText(new RegExp(told))).toBeVisible();
  await details.getByRole("button", { name: "Keep it" }).click();
  await setSession(undefined);
});

test("a disk that fails loses nothing and says so", async () => {
  const visit = service();
  await openPhone(visit);
  fillThisDisk();
  const screen = await show(`/scheduling?edit=${visit.id}`);
  await userEvent.type(dialog().getByLabelText(/Internal notes/), "Alarm off");
  await dialog().getByRole("button", { name: "Save Changes" }).click();
  await expect.element(screen.getByText("Failed to update service").first()).toBeVisible();
  await expect.element(dialog().getByLabelText(/Internal notes/)).toHaveValue("Alarm off");
});

test("what is done with a service and fails on the disk says what it was", async () => {
  const visit = service();
  await openPhone(visit);
  fillThisDisk();
  const screen = await show(`/scheduling?service=${visit.id}`);
  await dialog().getByRole("button", { name: "Cancel Service" }).click();
  const question = page.getByRole("dialog", { name: "Are you sure you want to cancel this scheduled service?" });
  await question.getByRole("button", { name: "Cancel Service" }).click();
  await expect.element(screen.getByText("Failed to cancel service")).toBeVisible();
  await question.getByRole("button", { name: "Keep it" }).click();
  await dialog().getByRole("button", { name: "Mark Complete" }).click();
  await expect.element(dialog().getByLabelText(/^Service notes/)).toBeVisible();
  await dialog().getByRole("button", { name: "Mark Complete" }).click();
  await expect.element(screen.getByText("Failed to complete service")).toBeVisible();
});

test("a new service that fails on the disk says so and keeps what was chosen", async () => {
  await openPhone();
  fillThisDisk();
  const screen = await show("/scheduling?new=1");
  await userEvent.selectOptions(dialog().getByLabelText("Client"), "Amir Haddad (Rex and Pepper)");
  await dialog().getByRole("checkbox", { name: /Rex/ }).click();
  await dialog().getByRole("button", { name: "Schedule Service" }).click();
  await expect.element(screen.getByText("Failed to schedule service").first()).toBeVisible();
  await expect.element(dialog().getByRole("checkbox", { name: /Rex/ })).toBeChecked();
});

test.each([
  ["no network", () => Promise.reject(new TypeError("no network"))],
  ["a server that fails", () => Promise.resolve(new Response("", { status: 503 }))],
])("a refresh that meets %s says so", async (_, answer) => {
  await page.viewport(1280, 800);
  vi.spyOn(window, "fetch").mockImplementation(answer);
  await openPhone(service());
  await signInOnPhone();
  startSyncing(business());
  const screen = await show("/scheduling?view=list");
  await screen.getByRole("button", { name: "Refresh" }).click();
  await expect.element(screen.getByText("Failed to refresh services")).toBeVisible();
  await stopSyncing();
  await setSession(undefined);
});

test("on a desktop a click on an empty slot begins a service there, and so do arrows and Enter", async () => {
  await page.viewport(1280, 800);
  await openPhone(service());
  const screen = await show();
  await expect.element(screen.getByRole("radio", { name: "5 Days" })).toBeChecked();
  const grid = screen.getByRole("group", { name: /Calendar by the hour/ });
  await expect.element(grid).toBeVisible();
  // The grid begins at 6 AM.
  await expect.poll(() => grid.element().scrollTop).toBe(6 * 120);
  const column = screen.getByRole("button", { name: "New service on Saturday, November 21" });
  await column.click({ position: { x: 20, y: 7 * 120 + 70 } });
  await expect.element(dialog().getByLabelText("Start time")).toHaveValue("07:30");
  await expect.element(dialog().getByLabelText("Date")).toHaveValue("2026-11-21");
  await userEvent.keyboard("{Escape}");
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  grid.element().focus();
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowRight}{ArrowRight}{Enter}");
  await expect.element(dialog().getByLabelText("Start time")).toHaveValue("07:00");
  await expect.element(dialog().getByLabelText("Date")).toHaveValue("2026-11-22");
});

test("visits at the same time lie side by side", async () => {
  await page.viewport(1280, 800);
  await openPhone(service(), service({ start_time: "11:15", dogs: ["Pepper"], overlap_ok: true }));
  const screen = await show("/scheduling?days=day");
  const grid = screen.getByRole("group", { name: /Calendar by the hour/ });
  await expect.element(grid).toBeVisible();
  const box = (name: RegExp) => grid.getByRole("button", { name }).element().getBoundingClientRect();
  const [left, right] = [box(/Walk for Rex/), box(/Walk for Pepper/)];
  expect(left.right).toBeLessThanOrEqual(right.left);
  expect(right.top).toBeGreaterThan(left.top);
});

test("n opens the form, and this week names eight of what comes and how many more", async () => {
  await page.viewport(1280, 800);
  const days = [0, 1, 2, 3, 4];
  await openPhone(
    ...days.flatMap((day) =>
      ["12:00", "14:00"].map((start_time) => service({ date: plusDays(TODAY, day), start_time })),
    ),
  );
  const screen = await show();
  const week = screen.getByRole("region", { name: "This Week" });
  await expect.poll(() => week.getByRole("listitem").elements().length).toBe(8);
  await week.getByRole("button", { name: "View 2 more" }).click();
  await expect.element(screen.getByText("10 services, Nov 20, 2026 to Nov 26, 2026")).toBeVisible();
  await userEvent.keyboard("n");
  await expect.element(screen.getByRole("dialog", { name: "Schedule Service" })).toBeVisible();
});

test("the list of ten thousand services shows fifty and how many there are", async () => {
  await openPhone(
    ...Array.from({ length: 10_000 }, (_, n) =>
      service({ date: plusDays(TODAY, (n % 700) - 650), status: n % 2 === 0 ? "completed" : "scheduled" }),
    ),
  );
  const screen = await show("/scheduling?view=list");
  await userEvent.selectOptions(screen.getByLabelText("Days"), "All days");
  await expect.element(screen.getByText("10,000 services")).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText("Status"), "Completed");
  await expect.element(screen.getByText("5,000 services")).toBeVisible();
  expect(screen.getByRole("listitem").elements()).toHaveLength(50);
  await screen.getByRole("button", { name: "Show 50 more" }).click();
  await expect.poll(() => screen.getByRole("listitem").elements().length).toBe(100);
});

test("a refused change opens with its words, and its answer takes it off the list", async () => {
  await openPhone(service());
  const refused = newId();
  const { meta } = await business().store.load();
  const mutation = {
    id: refused,
    seq: 1,
    v: 1,
    made_at: AT,
    base_rev: 1,
    name: "schedule_service",
    args: {
      id: newId(),
      service: { client_id: client.id, dog_ids: [rex.id], date: TODAY, start_time: "11:00", notes: "Back gate" },
      overlap_ok: false,
    },
  };
  await business().apply({
    expect_cursor: 1,
    expect_device_id: meta.device_id,
    clear: false,
    put: [],
    delete: [],
    outbox_remove: [],
    outbox_put: [],
    confirmed: [],
    attention_put: [
      {
        entry: { mutation, sentence: "Schedule", photos: [] },
        outcome: { id: refused, outcome: "rejected", refusal: { code: "conflict", with: [], free: [] }, rev: 2 },
      },
    ],
    meta: { ...meta, cursor: 2 },
    renumber: false,
  });
  const screen = await show(`/scheduling?fix=${refused}`);
  await expect.element(dialog().getByLabelText(/^Notes/)).toHaveValue("Back gate");
  await expect.element(dialog().getByRole("region", { name: "Conflict" })).toBeVisible();
  await userEvent.selectOptions(dialog().getByLabelText("Start time"), "3:00 PM");
  await dialog().getByRole("button", { name: "Schedule Service" }).click();
  await expect.poll(saved).toMatchObject([{ args: { id: mutation.args.id, service: { start_time: "15:00" } } }]);
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  expect(business().phone.attentionCount()).toBe(0);
});

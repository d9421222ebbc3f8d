/** The profile on the real core and a real IndexedDB; only the network, the position and the disk's answers are played. */
import { openDB } from "idb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Route, Switch } from "wouter";
import { At } from "../../../test/At";

import {
  AT,
  anOffering,
  closePhone,
  type FeedRow,
  openPhone,
  pullReach,
  saved,
  signInOnPhone,
} from "../../../test/phone";
import { signal } from "../../../test/support/testing";
import { type DocumentAnswer, formatTime, loadRest, newId, type Pattern, type Sitter } from "../../core";
import { business, save } from "../../data";
import { preparePhoto } from "../../data/photos/preparePhoto";
import { setSession } from "../../data/session/session";
import { MAP_DATABASE } from "../../data/store/mapDatabase";
import { SETTINGS_GROUPS } from "../../parts/account/settings";
import { navigateLink } from "../../parts/contact/navigation";
import { ConfirmHost, ToastHost } from "../../ui";
import { AreaDialog } from "./AreaDialog";
import ProfileScreen from "./ProfileScreen";
import ProfileSetupScreen from "./ProfileSetupScreen";

const me = (change: Partial<Sitter> = {}): Sitter => ({
  id: "00000000-0000-7000-8000-000000000001",
  name: "Mara",
  business_name: "Mara's Dog Walks",
  email: "mara@example.com",
  phone: "555-0100-200",
  photo: null,
  time_zone: "America/New_York",
  units: "imperial",
  service_area_address: "Park Slope",
  service_area_lat: null,
  service_area_lng: null,
  service_area_radius_miles: 5,
  created_at: AT,
  ...change,
});
const row = (d: Sitter): FeedRow => ({ t: "sitter", d });
const hours = (day_of_week: number): Pattern => ({
  id: newId(),
  day_of_week,
  start_time: "09:00",
  end_time: "17:00",
  service_types: ["walk", "dropin"],
  max_concurrent_services: 1,
  buffer_minutes: 15,
  min_advance_hours: 24,
  max_advance_days: 30,
  is_active: true,
  priority: 1,
});

/** At a page of the profile, such as `#invoices`, or another path. */
const show = (path: string) =>
  render(
    <At path={path.startsWith("#") ? `/profile${path}` : path}>
      <Switch>
        <Route path="/profile">
          <ProfileScreen />
        </Route>
        <Route path="/profile/setup">
          <ProfileSetupScreen />
        </Route>
        <Route path="/scheduling">
          <h1>Schedule</h1>
        </Route>
        <Route path="/">
          <h1>Welcome</h1>
        </Route>
      </Switch>
      <ConfirmHost />
      <ToastHost />
    </At>,
  );

/** Plays the server with `answer`; returns the requests as they were sent. */
function server(answer: (path: string) => { status: number; body: unknown }) {
  const sent: { path: string; method: string | undefined; body: unknown }[] = [];
  vi.spyOn(window, "fetch").mockImplementation((input, init) => {
    const path = input instanceof Request ? input.url : String(input);
    // What some of the sections ask for by themselves has its own tests.
    const list = {
      "/api/auth/sessions": [],
      "/api/auth/factors": { factors: [], recovery_codes_left: 0 },
      "/api/invoices/card-payments": { is_on: false },
      "/api/calendar/address": { created_at: null, url: null },
      "/api/clear": null,
      "/api/import": null,
      "/api/map/geocoder": { name: null },
    }[path];
    if (list !== undefined) return Promise.resolve(Response.json({ success: true, data: list }));
    sent.push({ path, method: init?.method, body: JSON.parse((init?.body as string | undefined) ?? "null") });
    const { status, body } = answer(path);
    return Promise.resolve(Response.json(body, { status }));
  });
  return sent;
}

/** The disk takes a moment, and a toast of the test before may still be shown. */
const expectSaved = (changes: unknown[]) => vi.waitFor(() => expect(saved()).toEqual(changes));

beforeEach(async () => {
  await loadRest();
  await page.viewport(1280, 800);
  server(() => ({ status: 503, body: {} }));
});
afterEach(async () => {
  await closePhone();
  await setSession(undefined);
  localStorage.removeItem("walkies-theme");
});

test("a phone begins with an index of the settings, and each page leads back to it", async () => {
  await page.viewport(390, 844);
  await openPhone([row(me())]);
  await show("/profile");
  const index = page.getByRole("navigation", { name: "Settings" });
  expect(page.getByRole("region").elements()).toHaveLength(0);
  await index.getByRole("link", { name: /^Invoices and payments/ }).click();
  await expect.element(page.getByRole("region", { name: "Card payments" })).toBeVisible();
  expect(index.query()).toBeNull();
  await page.getByRole("link", { name: "All settings" }).click();
  await expect.element(index).toBeVisible();
});

test("a setting is found by its name or by another word for it, and a desktop has the index beside the page", async () => {
  await page.viewport(1280, 800);
  await openPhone([row(me())]);
  await show("/profile");
  const index = page.getByRole("navigation", { name: "Settings" });
  await expect.element(page.getByRole("region", { name: "You and your business" })).toBeVisible();
  await index.getByRole("searchbox", { name: "Search settings" }).fill("2fa");
  await index.getByRole("link", { name: /^Two-step sign-in/ }).click();
  await expect.element(page.getByRole("region", { name: "Two-step sign-in" })).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "Two-step sign-in" })).toHaveFocus();
  await index.getByRole("searchbox", { name: "Search settings" }).fill("mail report");
  await expect.element(index.getByRole("link", { name: /^Mail reports to clients/ })).toBeVisible();
  await index.getByRole("searchbox", { name: "Search settings" }).fill("qqq");
  await expect.element(index.getByText("No setting found for “qqq”")).toBeVisible();
  await page.viewport(390, 844);
});

test("each section that the index of settings names is on its page", async () => {
  await page.viewport(1280, 800);
  await openPhone([row(me())]);
  for (const { id, sections } of SETTINGS_GROUPS) {
    const screen = await show(`#${id}`);
    // The guided start has a section only while it is folded.
    for (const section of sections.filter((it) => it !== "profile-start")) {
      await expect.poll(() => document.getElementById(section)?.tagName).toBe("H2");
    }
    await screen.unmount();
  }
  await page.viewport(390, 844);
});

test("the profile is saved with what was touched and nothing else", async () => {
  await openPhone([row(me())]);
  await show("#business");
  const button = page.getByRole("button", { name: "Save Profile" });
  await expect.element(button).toBeDisabled();
  await expect.element(page.getByLabelText("Email", { exact: true })).toBeDisabled();
  await page.getByRole("textbox", { name: "Phone" }).fill("+1 (555) 010-0300");
  await button.click();
  await expect.element(page.getByText("Profile saved")).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Phone" })).toHaveValue("+1 (555) 010-0300");
  await expect.element(button).toBeDisabled();
  await expectSaved([{ name: "update_profile", args: { changes: { phone: "+1 (555) 010-0300" } } }]);
});

test("the profile says who reads each of its texts", async () => {
  await openPhone([row(me())]);
  const screen = await show("#business");
  const links = /Your clients see this, and so does anyone with a link you share$/;
  for (const name of [/^Your name/, /^Business name/, /^Phone/]) {
    await expect.element(page.getByRole("textbox", { name })).toHaveAccessibleDescription(links);
  }
  await expect
    .element(page.getByRole("combobox", { name: /^Service area/ }))
    .toHaveAccessibleDescription(/Only you see this$/);
  await screen.unmount();
  await show("#invoices");
  const invoicing = page.getByRole("region", { name: "Invoices and payments" });
  const prefix = invoicing.getByLabelText(/^Numbers begin with/);
  await expect
    .element(prefix)
    .toHaveAccessibleDescription(
      "Shown on new invoices. Your clients see this, and so does anyone with a link you share",
    );
});

test("what is wrong is said in its place, and what was typed survives a killed tab", async () => {
  await openPhone([row(me())]);
  const first = await show("#business");
  await page.getByRole("textbox", { name: "Phone" }).fill("12");
  await page.getByLabelText("Your name").fill("");
  await page.getByLabelText("Radius").fill("500");
  await page.getByRole("button", { name: "Save Profile" }).click();
  await expect.element(page.getByText("Name is required")).toBeVisible();
  await expect.element(page.getByText("Invalid phone format")).toBeVisible();
  await expect.element(page.getByText("Radius must be from 0 to 100 miles")).toBeVisible();
  await expect.element(page.getByLabelText("Your name")).toHaveFocus();
  await first.unmount();
  await show("#business");
  await expect.element(page.getByText("Restored what you typed.")).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Phone" })).toHaveValue("12");
  await page.getByRole("button", { name: "Start over" }).click();
  await expect.element(page.getByRole("textbox", { name: "Phone" })).toHaveValue("555-0100-200");
  expect(saved()).toEqual([]);
});

test("a full disk keeps the form and says so", async () => {
  await openPhone([row(me())]);
  await show("#business");
  vi.spyOn(business().store, "append").mockRejectedValue(new DOMException("full", "QuotaExceededError"));
  await page.getByLabelText("Business name").fill("Paws");
  await page.getByRole("button", { name: "Save Profile" }).click();
  await expect.element(page.getByText("Failed to save profile")).toBeVisible();
  await expect.element(page.getByLabelText("Business name")).toHaveValue("Paws");
});

test("a time zone is found by its name and by its city", async () => {
  await openPhone([row(me())]);
  await show("#business");
  await page.getByRole("button", { name: "Time zone: America / New York" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabelText("Search time zones").fill("pacific los");
  await dialog.getByRole("button", { name: /America \/ Los Angeles/ }).click();
  await page.getByRole("button", { name: "Save Profile" }).click();
  await expect.element(page.getByRole("button", { name: "Time zone: America / Los Angeles" })).toBeVisible();
  await expectSaved([{ name: "update_profile", args: { changes: { time_zone: "America/Los_Angeles" } } }]);
});

test("the radius is typed in the units that one has chosen, and the units take effect at once", async () => {
  await openPhone([row(me())]);
  const settings = await show("#settings");
  await page.getByText("Kilometers, kg").click({ force: true });
  await vi.waitFor(() => expect(saved()).toHaveLength(1));
  await settings.unmount();
  await show("#business");
  await expect.element(page.getByLabelText("Radius")).toHaveValue("8");
  await page.getByLabelText("Radius").fill("10");
  await page.getByRole("button", { name: "Save Profile" }).click();
  await vi.waitFor(() =>
    expect(saved().map((it) => it.args)).toEqual([
      { changes: { units: "metric" } },
      { changes: { service_area_radius_miles: 6.215 } },
    ]),
  );
  await expect.element(page.getByLabelText("Radius")).toHaveValue("10");
});

test("one setting says how times of day are written everywhere", async () => {
  await openPhone([row(me())]);
  await show("#settings");
  expect(formatTime("14:05")).toBe("2:05 PM");
  await page.getByText("09:30", { exact: true }).click({ force: true });
  await expectSaved([{ name: "update_profile", args: { changes: { hour_cycle: "h23" } } }]);
  expect(formatTime("14:05")).toBe("14:05");
});

test("clients see when the sitter comes only where the sitter says so", async () => {
  await openPhone([row(me())]);
  await show("#settings");
  const choice = page.getByRole("switch", { name: /Clients see when you come/ });
  await expect.element(choice).not.toBeChecked();
  await choice.click();
  await expectSaved([{ name: "update_profile", args: { changes: { tells_progress: true } } }]);
  await expect.element(choice).toBeChecked();
});

test("the position is asked for on request, kept to about 100 yards, and can be removed", async () => {
  await openPhone([row(me())]);
  const ask = vi.spyOn(navigator.geolocation, "getCurrentPosition").mockImplementation((found) => {
    found({ coords: { latitude: 40.678_178, longitude: -73.944_158 } } as GeolocationPosition);
  });
  await show("#business");
  expect(ask).not.toHaveBeenCalled();
  await page.getByRole("button", { name: "Use my position" }).click();
  await expect.element(page.getByText("40.678, -73.944")).toBeVisible();
  expect(ask.mock.calls[0]?.[2]).toMatchObject({ timeout: 10_000 });
  await page.getByRole("button", { name: "Save Profile" }).click();
  await expectSaved([
    { name: "update_profile", args: { changes: { service_area_lat: 40.678, service_area_lng: -73.944 } } },
  ]);
  await page.getByRole("button", { name: "Remove the position" }).click();
  await expect.element(page.getByText("40.678, -73.944")).not.toBeInTheDocument();
});

test("a position that is not to be had says why", async () => {
  await openPhone([row(me())]);
  vi.spyOn(navigator.geolocation, "getCurrentPosition").mockImplementation((_, failed) => {
    failed?.({ code: 1 } as GeolocationPositionError);
  });
  await show("#business");
  await page.getByRole("button", { name: "Use my position" }).click();
  await expect.element(page.getByText("Location not available. Please enable location services.")).toBeVisible();
});

test("the theme is chosen for this device", async () => {
  await openPhone([row(me())]);
  await show("#settings");
  await page.getByText("Dark", { exact: true }).click({ force: true });
  expect(document.documentElement.dataset.theme).toBe("dark");
  await page.getByText("System", { exact: true }).click({ force: true });
  expect(document.documentElement.dataset.theme).toBeUndefined();
  expect(saved()).toEqual([]);
});

test("who leads the way to a door is chosen for this device", async () => {
  await openPhone([row(me())]);
  const screen = await show("#settings");
  const choice = screen.getByLabelText("Navigate with");
  await expect.element(choice).toHaveDisplayValue("This phone's own");
  await choice.selectOptions("Google Maps");
  expect(navigateLink({ lat: 60.17, lng: 24.94 })).toContain("google.com/maps");
  await screen.unmount();
  const again = await show("#settings");
  await expect.element(again.getByLabelText("Navigate with")).toHaveDisplayValue("Google Maps");
  await again.getByLabelText("Navigate with").selectOptions("This phone's own");
  expect(navigateLink({ lat: 60.17, lng: 24.94 })).not.toContain("google");
});

test("what is on this phone is counted, and a browser that does not promise to keep it is normal", async () => {
  await openPhone([row(me())]);
  vi.spyOn(navigator.storage, "persisted").mockResolvedValue(false);
  vi.spyOn(navigator.storage, "persist").mockResolvedValue(false);
  vi.spyOn(navigator.storage, "estimate").mockResolvedValue({ usage: 2_000_000, quota: 1_000_000_000 });
  await save({ name: "update_profile", args: { changes: { name: "Mara L." } } }, "Change the profile");
  await show("#device");
  const box = page.getByRole("region", { name: /^On this (phone|device)$/ });
  await expect.element(box).toHaveTextContent("Records1");
  await expect.element(box).toHaveTextContent("Waiting changes1");
  await expect.element(box).toHaveTextContent("2.0 MB of 1.0 GB used");
  await page.getByRole("button", { name: "Keep my data" }).click();
  const answer = page.getByText(/^Not yet, which is normal/);
  await expect.element(answer).toHaveTextContent(/your changes are sent whenever Walkies can be reached/);
});

test("what waits comes out as one file, with the words and the photos", async () => {
  await openPhone([row(me())]);
  const canvas = new OffscreenCanvas(8, 8);
  canvas.getContext("2d")?.fillRect(0, 0, 8, 8);
  const taken = await canvas.convertToBlob({ type: "image/jpeg" });
  const prepared = await preparePhoto(new File([taken], "me.jpg", { type: "image/jpeg" }));
  if (!prepared.ok) throw new Error(prepared.text);
  const { photo } = prepared;
  await save({ name: "update_profile", args: { changes: { photo: photo.id } } }, "Change the profile", {
    photos: [photo],
  });
  await business().store.putDraft({ key: "client:new", value: { name: "Dana" }, base_rev: 1, saved_at: 0 });
  const { exportLocalData } = await import("../../data/localData");
  const file = JSON.parse(await (await exportLocalData()).text());
  expect(file.outbox).toMatchObject([{ sentence: "Change the profile", mutation: { name: "update_profile" } }]);
  expect(file.drafts).toMatchObject([{ key: "client:new", value: { name: "Dana" } }]);
  expect(file.photos).toMatchObject([{ id: photo.id, full: expect.stringMatching(/^data:image\/jpeg;base64,/) }]);
  expect(file.attention).toEqual([]);
  expect(file.walks).toEqual([]);
});

test("a new password is the server's to take, and its reasons stand at their fields", async () => {
  await openPhone([row(me())]);
  await signInOnPhone();
  const sent = server(() => ({
    status: 422,
    body: { success: false, code: "invalid", error: "x", fields: { current_password: "This is not your password" } },
  }));
  await show("#security");
  await page.getByRole("button", { name: "Change password" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabelText("Current password").fill("wrong");
  await dialog.getByLabelText("New password").fill("a long new one");
  await dialog.getByRole("button", { name: "Change", exact: true }).click();
  await expect.element(dialog.getByText("This is not your password")).toBeVisible();
  expect(sent).toEqual([
    {
      path: "/api/auth/change-password",
      method: "POST",
      body: { current_password: "wrong", new_password: "a long new one" },
    },
  ]);
});

test("an account is deleted by its password and the word, and nothing less", async () => {
  await openPhone([row(me())]);
  await signInOnPhone();
  const sent = server(() => ({ status: 200, body: { success: true, data: {} } }));
  await save({ name: "update_profile", args: { changes: { name: "Mara L." } } }, "Change the profile");
  await show("#security");
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByText("1 change was never sent.")).toBeVisible();
  const button = dialog.getByRole("button", { name: "Delete account" });
  await dialog.getByLabelText("Your password").fill("secret words");
  await dialog.getByLabelText("Type DELETE").fill("delete");
  await expect.element(button).toBeDisabled();
  await dialog.getByLabelText("Type DELETE").fill("DELETE");
  await button.click();
  // What sections read as they come into sight is another matter.
  const acts = () => sent.filter((it) => it.method !== "GET");
  await vi.waitFor(() =>
    expect(acts()).toEqual([{ path: "/api/auth/account", method: "DELETE", body: { password: "secret words" } }]),
  );
  await expect.element(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
});

test("deleting an account counts what only the phone has, and removes its map and settings", async () => {
  await openPhone([row(me())]);
  await signInOnPhone();
  server(() => ({ status: 200, body: { success: true, data: {} } }));
  await business().store.putDraft({ key: "ask", value: {}, base_rev: 0, saved_at: 0 });
  localStorage.setItem("walkies-route-wishes", "{}");
  localStorage.setItem("walkies-calendar-density", "compact");
  const map = await openDB(MAP_DATABASE, 1, { blocking: (_, __, event) => (event.target as IDBDatabase).close() });
  expect(map.name).toBe(MAP_DATABASE);
  await show("#security");
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByText(/^Only on this (phone|device): 1 draft\.$/)).toBeVisible();
  await dialog.getByLabelText("Your password").fill("secret words");
  await dialog.getByLabelText("Type DELETE").fill("DELETE");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect.element(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
  const names = async () => (await indexedDB.databases()).map((it) => it.name);
  await expect.poll(names).not.toContain(MAP_DATABASE);
  expect(Object.keys(localStorage).filter((it) => it.startsWith("walkies-"))).toEqual(["walkies-devices"]);
});

test("an account is not deleted while a walk is tracked in another tab", async () => {
  await openPhone([row(me())]);
  await signInOnPhone();
  const ended = signal();
  const held = signal();
  const otherTab = navigator.locks.request("held", { mode: "shared" }, () => {
    held.give();
    return ended.given;
  });
  await held.given;
  await show("#security");
  await page.getByRole("button", { name: "Delete account" }).click();
  await expect.element(page.getByText("A walk is being tracked. End it before you delete the account.")).toBeVisible();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  ended.give();
  await otherTab;
});

/** The steps as a new business finds them: all rows are there, the person and the area are not. */
const begun = () => {
  const [monday, walk] = [hours(1), anOffering({ name: "30-Minute Walk", base_price: 25 })];
  const rows = [
    row(me({ phone: "", business_name: "", service_area_address: "" })),
    { t: "availability_pattern", d: monday },
    { t: "offering", d: walk },
  ];
  return { rows, monday, walk };
};

/** Plays a server that has stored these documents. */
const documents = (...list: DocumentAnswer[]) => server(() => ({ status: 200, body: { success: true, data: list } }));

const done = () =>
  page
    .getByRole("navigation", { name: "Steps" })
    .getByRole("button", { name: /, done$/ })
    .elements()
    .map((it) => it.textContent.replace(", done", ""));

test("a new sitter goes through all steps to a ready calendar, and each saves what it asked for", async () => {
  documents();
  const { rows, monday, walk } = begun();
  await openPhone(rows);
  await show("/profile/setup");
  expect(done()).toEqual(["Services", "Hours"]);
  await page.getByRole("button", { name: "Next" }).click();
  await expect.element(page.getByText("Phone is required")).toBeVisible();
  await page.getByRole("textbox", { name: "Phone" }).fill("555-0100-300");
  await page.getByRole("button", { name: "Next" }).click();
  await expect.element(page.getByRole("heading", { name: "Area" })).toHaveFocus();
  await page.getByRole("button", { name: "Next" }).click();
  await expect.element(page.getByText("Service area is required")).toBeVisible();
  await page.getByLabelText("Service area").fill("Park Slope");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Skip" }).click();
  await page.getByLabelText("Price of 30-Minute Walk").fill("27.50");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByRole("switch", { name: "Monday" }).click({ force: true });
  await page.getByRole("switch", { name: "Saturday" }).click({ force: true });
  await page.getByLabelText("Saturday from").fill("10:00");
  await page.getByRole("button", { name: "Finish" }).click();
  await expect.element(page.getByRole("heading", { name: "Your calendar is ready" })).toHaveFocus();
  await expectSaved([
    { name: "update_profile", args: { changes: { phone: "555-0100-300" } } },
    { name: "update_profile", args: { changes: { service_area_address: "Park Slope" } } },
    { name: "update_offering", args: { id: walk.id, changes: { base_price: 27.5 } } },
    { name: "update_pattern", args: { id: monday.id, changes: { is_active: false } } },
    {
      name: "create_pattern",
      args: {
        id: expect.any(String),
        pattern: { day_of_week: 6, start_time: "10:00", end_time: "17:00" },
      },
    },
  ]);
  expect(business().phone.profileStatus().isComplete).toBe(true);
  await expect.element(page.getByText("All that is needed is done")).toBeVisible();
  await page.getByRole("link", { name: "Open your calendar" }).click();
  await expect.element(page.getByRole("heading", { name: "Schedule" })).toBeVisible();
});

test("who comes back goes on at the first step that is left", async () => {
  documents();
  const { rows } = begun();
  await openPhone([...rows, row(me({ service_area_address: "" }))]);
  await show("/profile/setup");
  await expect.element(page.getByRole("heading", { name: "Area" })).toBeVisible();
  expect(done()).toEqual(["About you", "Services", "Hours"]);
  await expect.element(page.getByRole("button", { name: "Documents (optional)" })).toBeVisible();
  await expect.element(page.getByText("3 of 4 done. Next: Area")).toBeVisible();
});

test("what was left out is named at the end, and the end leads to it", async () => {
  documents();
  await openPhone(begun().rows);
  await show("/profile/setup?step=availability");
  await page.getByRole("button", { name: "Finish" }).click();
  await expect.element(page.getByRole("heading", { name: "Nearly there" })).toBeVisible();
  await page
    .getByRole("listitem")
    .getByRole("button", { name: /^Area Where you work/ })
    .click();
  await expect.element(page.getByLabelText("Service area")).toBeVisible();
});

test("nothing for sale and no hours are not called ready", async () => {
  documents();
  await openPhone([row(me())]);
  await show("/profile/setup");
  await expect.element(page.getByRole("heading", { name: "Services" })).toBeVisible();
  expect(business().phone.profileStatus()).toMatchObject({
    hasProfile: true,
    isComplete: false,
    stepsLeft: ["offerings", "availability"],
  });
});

test("a price that is none stays on the step and says of what", async () => {
  documents();
  await openPhone(begun().rows);
  await show("/profile/setup?step=offerings");
  await page.getByLabelText("Price of 30-Minute Walk").fill("0");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await expect.element(page.getByText("30-Minute Walk: Please fill in all required fields")).toBeVisible();
  expect(saved()).toEqual([]);
});

test("a document is sent with its name, listed, and taken back after a question", async () => {
  const stored: DocumentAnswer = {
    id: newId(),
    name: "licence.pdf",
    media_type: "application/pdf",
    size_bytes: 2048,
    created_at: AT,
  };
  let list: DocumentAnswer[] = [];
  const sent: { method: string; form?: FormData }[] = [];
  vi.spyOn(window, "fetch").mockImplementation((input, init) => {
    const method = init?.method ?? "GET";
    if (!(input as string).startsWith("/api/sitters/")) return Promise.resolve(new Response(null, { status: 503 }));
    if (method === "POST") list = [stored];
    if (method === "DELETE") list = [];
    if (method !== "GET") sent.push({ method, ...(init?.body && { form: init.body as FormData }) });
    return Promise.resolve(Response.json({ success: true, data: method === "POST" ? stored : list }));
  });
  await openPhone(begun().rows);
  await show("/profile/setup?step=documents");
  const file = new File(["%PDF-1.7 %%EOF"], "licence.pdf", { type: "application/pdf" });
  await page.getByLabelText("Choose a file").upload(file);
  await expect.element(page.getByText("2 kB")).toBeVisible();
  const sentFile = sent[0]?.form?.get("document");
  expect(sentFile instanceof File && sentFile.name).toBe("licence.pdf");
  expect(done()).toContain("Documents");
  await page.getByRole("button", { name: "Delete licence.pdf" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByRole("button", { name: "Skip" })).toBeVisible();
  expect(sent.map((it) => it.method)).toEqual(["POST", "DELETE"]);
});

test("hours without a start stay on the step and say which day", async () => {
  await openPhone([row(me()), { t: "availability_pattern", d: hours(1) }]);
  await show("/profile/setup?step=availability");
  await page.getByLabelText("Monday from").fill("");
  await page.getByRole("button", { name: "Finish" }).click();
  await expect.element(page.getByText("Monday: Start time is required")).toBeVisible();
  expect(saved()).toEqual([]);
});

test("how invoices are made is saved as one setting, and what is wrong stands at its field", async () => {
  await openPhone([row(me())]);
  await show("#invoices");
  const section = page.getByRole("region", { name: "Invoices and payments" });
  await section.getByLabelText("Venmo").fill("mara walks");
  await section.getByRole("switch", { name: "Tax on invoices" }).click();
  await section.getByRole("button", { name: "Save settings" }).click();
  await expect.element(section.getByText("This is not the name of an account")).toBeVisible();
  await expect.element(section.getByText("The rate must be more than 0")).toBeVisible();
  await expect.element(section.getByLabelText("Venmo")).toHaveFocus();
  await section.getByLabelText("Venmo").fill("@maras-walks");
  await section.getByLabelText("Rate").fill("8.875");
  await section.getByLabelText("Email on invoices").fill("hello@walks.example");
  await section.getByLabelText("Due after").fill("14");
  await section.getByRole("switch", { name: "Offer tips" }).click();
  await section.getByLabelText("Tip 1").fill("");
  await section.getByLabelText("3 days after").click();
  await section.getByRole("button", { name: "Save settings" }).click();
  await expect.element(page.getByText("Settings saved")).toBeVisible();
  expect(business().phone.sitter()?.invoicing).toMatchObject({
    due_days: 14,
    tax: { name: "Sales tax", rate: 887, rate_thousandths: 5, included: false },
    contact_email: "hello@walks.example",
    pay_to: { venmo: "maras-walks" },
    tips: [15, 20],
    reminder_days: [3],
  });
  await expect.element(section.getByLabelText("Venmo")).toHaveValue("maras-walks");
});

test("the rates come back where tax is switched off and on again", async () => {
  const invoicing = { tax: { name: "Sales tax", rate: 887 }, more_taxes: [{ name: "Reduced", rate: 500 }] };
  await openPhone([row(me({ invoicing }))]);
  await show("#invoices");
  const section = page.getByRole("region", { name: "Invoices and payments" });
  const tax = section.getByRole("switch", { name: "Tax on invoices" });
  await tax.click();
  await expect.element(section.getByRole("group", { name: "Rate 2" })).not.toBeInTheDocument();
  await tax.click();
  await expect.element(section.getByRole("group", { name: "Rate 2" }).getByLabelText("Called")).toHaveValue("Reduced");
  await section.getByRole("button", { name: "Save settings" }).click();
  await expect.element(page.getByText("Settings saved")).toBeVisible();
  expect(business().phone.sitter()?.invoicing).toMatchObject(invoicing);
});

test("a month is billed by itself from a day on, or looked at first, until that is switched off", async () => {
  await openPhone([row(me())]);
  await show("#invoices");
  const section = page.getByRole("region", { name: "Invoices and payments" });
  const itself = section.getByRole("switch", { name: "Bill each month by itself" });
  const save = async () => {
    await section.getByRole("button", { name: "Save settings" }).click();
    await expect.element(section.getByRole("button", { name: "Save settings" })).toBeDisabled();
  };
  await expect.element(itself).not.toBeChecked();
  await itself.click();
  await section.getByLabelText("Day of the month").fill("31");
  await section.getByRole("button", { name: "Save settings" }).click();
  await expect.element(section.getByLabelText("Day of the month")).toHaveAttribute("aria-invalid", "true");
  await section.getByLabelText("Day of the month").fill("3");
  await expect
    .element(section.getByText(/^Next: \w+ 20\d\d, on \w+ 3\.$|^Next: \w+ 20\d\d\. Its day has come/))
    .toBeVisible();
  // A radio is in its label's place, and has none of its own to be clicked at.
  (section.getByRole("radio", { name: "Tell me to look first" }).element() as HTMLElement).click();
  await expect.element(section.getByText(/^Nothing is shared until you do so/)).toBeVisible();
  await save();
  expect(business().phone.sitter()?.invoicing).toMatchObject({ bill_day: 3, bill_waits: true });
  await itself.click();
  await save();
  expect(business().phone.sitter()?.invoicing?.bill_day).toBeUndefined();
});

test("reports are no longer mailed once that is switched off", async () => {
  await openPhone([row(me())]);
  await show("#settings");
  const mail = page.getByRole("switch", { name: "Mail reports to clients" });
  await expect.element(page.getByRole("switch", { name: "Clients see when you come" })).toBeVisible();
  // This server sends no mail.
  await expect.element(mail).not.toBeInTheDocument();
  await pullReach({ sends_mail: true });
  await expect.element(mail).toBeChecked();
  await mail.click();
  await expect.element(mail).not.toBeChecked();
  expect(business().phone.sitter()).toMatchObject({ keeps_report_mail_off: true });
});

test("clients outside the portal are mailed of visits once that is switched on", async () => {
  await openPhone([row(me())]);
  await show("#settings");
  const mail = page.getByRole("switch", { name: "Mail visits to clients outside the portal" });
  await expect.element(page.getByRole("switch", { name: "Clients see when you come" })).toBeVisible();
  // This server sends no mail.
  await expect.element(mail).not.toBeInTheDocument();
  await pullReach({ sends_mail: true });
  await expect.element(mail).not.toBeChecked();
  await mail.click();
  await expect.element(mail).toBeChecked();
  expect(business().phone.sitter()).toMatchObject({ mails_changes: true });
});

test("invoices are no longer mailed once that is switched off", async () => {
  await openPhone([row(me())]);
  await show("#invoices");
  const section = page.getByRole("region", { name: "Invoices and payments" });
  const mail = section.getByRole("switch", { name: "Mail invoices to clients" });
  await expect.element(section.getByRole("button", { name: "Save settings" })).toBeVisible();
  // This server sends no mail.
  await expect.element(mail).not.toBeInTheDocument();
  await pullReach({ sends_mail: true });
  await expect.element(mail).toBeChecked();
  await mail.click();
  await section.getByRole("button", { name: "Save settings" }).click();
  await expect.element(page.getByText("Settings saved")).toBeVisible();
  expect(business().phone.sitter()?.invoicing).toMatchObject({ keeps_mail_off: true });
});

test("a business has several tax rates, one of them the default, and says who it is and where its account is", async () => {
  await openPhone([row(me())]);
  await show("#invoices");
  const section = page.getByRole("region", { name: "Invoices and payments" });
  await section.getByRole("switch", { name: "Tax on invoices" }).click();
  await section.getByLabelText("Rate").fill("8.875");
  await section.getByRole("button", { name: "Add another rate" }).click();
  const further = section.getByRole("group", { name: "Rate 2" });
  await further.getByLabelText("Called").fill("Reduced");
  await further.getByLabelText("Rate").fill("6.625");
  await further.getByRole("button", { name: "Make it the default" }).click();
  // A radio is in its label's place, and has none of its own to be clicked at.
  (section.getByRole("radio", { name: "Included in prices" }).element() as HTMLElement).click();
  await section.getByLabelText("Postal address").fill("1 Elm Street\nSpringfield");
  await section.getByLabelText("Tax or VAT number").fill("DE123456789");
  await section.getByLabelText("Payment terms").fill("Within 14 days");
  await section.getByLabelText("Digits of the number").selectOptions("Four: 0012");
  await section.getByRole("switch", { name: "Year in the number" }).click();
  await section.getByLabelText("IBAN").fill("DE89 3704 0044 0532 0130 01");
  await section.getByRole("button", { name: "Save settings" }).click();
  await expect.element(section.getByText("This IBAN has a typo: please check its letters and digits")).toBeVisible();
  await section.getByLabelText("IBAN").fill("DE89 3704 0044 0532 0130 00");
  await section.getByRole("button", { name: "Save settings" }).click();
  await expect.element(page.getByText("Settings saved")).toBeVisible();
  expect(business().phone.sitter()?.invoicing).toMatchObject({
    tax: { name: "Reduced", rate: 662, rate_thousandths: 5, included: true },
    more_taxes: [{ name: "Sales tax", rate: 887, rate_thousandths: 5, included: true }],
    issuer: { postal_address: "1 Elm Street\nSpringfield", tax_id: "DE123456789" },
    terms: "Within 14 days",
    number_digits: 4,
    number_year: true,
    pay_to: { iban: "DE89370400440532013000" },
  });
});

test("that a server has no map is said by the server alone", async () => {
  const choose = { open: true, place: undefined, miles: 5, onClose: () => undefined, onChoose: () => undefined };
  server(() => ({ status: 404, body: "<p>Hotel</p>" }));
  const screen = await render(<AreaDialog {...choose} />);
  await expect.element(page.getByText(/The server does not answer, so there is no map to show/)).toBeVisible();
  await expect.element(page.getByText(/has no map yet/)).not.toBeInTheDocument();
  await screen.unmount();
  vi.mocked(window.fetch).mockImplementation(() =>
    Promise.resolve(Response.json({ success: true, data: { areas: [], tiles: [], pictures: null } })),
  );
  await render(<AreaDialog {...choose} />);
  await expect.element(page.getByText(/This server has no map yet/)).toBeVisible();
  await expect.element(page.getByText(/Type your neighborhood, or use your position/)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Use this place" })).not.toBeInTheDocument();
});

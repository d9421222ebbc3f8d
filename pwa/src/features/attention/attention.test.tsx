/** Needs attention on the real core and a real IndexedDB, with no network at all. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Route, Switch, useLocation, useSearch } from "wouter";
import { At } from "../../../test/At";
import {
  AT,
  aClient,
  anOffering,
  aPet,
  aRequest,
  closePhone,
  type FeedRow,
  openPhone,
  rowsOf,
  saved,
  signInOnPhone,
} from "../../../test/phone";
import { type AttentionEntry, type Command, loadRest, newId, type Outcome, type Refusal } from "../../core";
import { business, save } from "../../data";
import { setSession } from "../../data/session/session";
import { startSyncing, stopSyncing } from "../../data/sync/sync";
import { putVideo } from "../../data/videos/videos";
import { ConfirmHost, ToastHost } from "../../ui";
import ClientsScreen from "../clients/ClientsScreen";
import ServicesScreen from "../services/ServicesScreen";
import AttentionScreen from "./AttentionScreen";

const Place = () => {
  const [path] = useLocation();
  const search = useSearch();
  return <output aria-label="place">{search ? `${path}?${search}` : path}</output>;
};

const show = () =>
  render(
    <At path="/attention">
      <Switch>
        <Route path="/attention">
          <AttentionScreen />
        </Route>
        <Route path="/clients/*?">
          <ClientsScreen />
        </Route>
        <Route path="/services">
          <ServicesScreen />
        </Route>
        <Route>
          <Place />
        </Route>
      </Switch>
      <ConfirmHost />
      <ToastHost />
    </At>,
  );

let seq = 0;

function entry(sentence: string, command: Command, outcome: Partial<Outcome>): AttentionEntry {
  const id = newId();
  seq += 1;
  return {
    entry: { mutation: { id, seq, v: 1, made_at: AT, base_rev: 1, ...command }, sentence, photos: [] },
    outcome: { id, outcome: "rejected", rev: 2, adjustments: [], ...outcome },
  };
}

const dana = () => aClient({ name: "Dana" });

const aService = (change: object = {}) => ({
  id: newId(),
  client_id: newId(),
  client_name: "Dana",
  dog_ids: [newId()],
  dogs: ["Rex"],
  service_type: "walk",
  date: "2199-01-01",
  start_time: "09:00",
  duration_minutes: 30,
  status: "scheduled",
  price: 25,
  pricing_breakdown: { baseDogPrice: 25, additionalDogsCount: 0, additionalDogsCharge: 0, total: 25, explanation: "" },
  paid: false,
  created_at: AT,
  ...change,
});

beforeEach(async () => {
  await loadRest();
  await page.viewport(390, 844);
});
afterEach(closePhone);

test("with nothing refused and nothing waiting all is said to be well", async () => {
  await openPhone([]);
  await show();
  await expect.element(page.getByText("Nothing needs your attention")).toBeVisible();
  await expect.element(page.getByText("All your changes are on the server.", { exact: true })).toBeVisible();
});

test("work that is on the phone alone is not said to be on the server", async () => {
  await openPhone([]);
  await business().store.putDraft({ key: "client:new", value: {}, base_rev: 0, saved_at: 0 });
  await business().store.run((db) => db.put("routes", { id: newId(), saved_at: 0 }));
  await show();
  const words = "All your changes are on the server. Only on this phone: 1 saved route and 1 draft.";
  await expect.element(page.getByText(words)).toBeVisible();
});

test("a change that waits with a video does not say that it is a photo", async () => {
  await openPhone([]);
  const video = newId();
  const photo = newId();
  vi.spyOn(business().phone, "outbox").mockReturnValue([
    {
      ...entry("Share the invoice", { name: "share_invoice", args: { id: newId(), videos: [video] } }, {}).entry,
      photos: [photo, video],
    },
  ]);
  await show();
  await expect.element(page.getByText(/^1 photo and 1 video · /)).toBeVisible();
});

test("a refused client is fixed in its form, with its words, and leaves the list only when saved", async () => {
  const id = newId();
  const refused = entry(
    "Add Dana",
    {
      name: "create_client",
      args: {
        id,
        client: { name: "Dana", email: "nobody" },
        dogs: [{ id: newId(), is_new: true, changes: { name: "Rex", about: "No chicken" } }],
      },
    },
    { refusal: { code: "invalid", fields: [{ field: "email", text: "Invalid email format" }] } },
  );
  await openPhone([], [refused]);
  await show();
  await expect.element(page.getByText("Invalid email format")).toBeVisible();
  await page.getByRole("link", { name: "Fix and resend" }).click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByLabelText("Client name")).toHaveValue("Dana");
  await expect.element(dialog.getByLabelText("About")).toHaveValue("No chicken");
  await expect.element(dialog.getByText("Invalid email format")).toBeVisible();
  expect(business().phone.attentionCount()).toBe(1);
  await dialog.getByLabelText("Email").fill("dana@example.com");
  await dialog.getByRole("button", { name: "Save and send again" }).click();
  await expect.element(page.getByRole("heading", { name: "Dana" }).first()).toBeVisible();
  expect(business().phone.attentionCount()).toBe(0);
  expect(saved()).toMatchObject([{ name: "create_client", args: { id, client: { email: "dana@example.com" } } }]);
});

test("a refused offering is fixed in its inline form", async () => {
  const walk = anOffering({ name: "Walk" });
  const refused = entry(
    "Change Walk",
    { name: "update_offering", args: { id: walk.id, changes: { base_price: 31, name: "Long walk" } } },
    { refusal: { code: "invalid", fields: [{ field: "category", text: "Category is not valid" }] } },
  );
  await openPhone([{ t: "offering", d: walk }], [refused]);
  await show();
  await page.getByRole("link", { name: "Fix and resend" }).click();
  await expect.element(page.getByLabelText("Service name")).toHaveValue("Long walk");
  await expect.element(page.getByLabelText("Base price")).toHaveValue("31.00");
  await page.getByRole("button", { name: "Save and send again" }).click();
  await vi.waitFor(() => expect(business().phone.attentionCount()).toBe(0));
  expect(saved()).toEqual([
    { name: "update_offering", args: { id: walk.id, changes: { name: "Long walk", base_price: 31 } } },
  ]);
});

test("a conflict shows what is in the way, and can be scheduled anyway or at another time", async () => {
  const client = dana();
  const rex = aPet(client, { name: "Rex" });
  const command: Command = {
    name: "schedule_service",
    args: {
      id: newId(),
      service: { client_id: client.id, dog_ids: [rex.id], date: "2199-01-01", start_time: "09:00" },
    },
  };
  const refused = entry("Schedule: walk for Rex", command, {
    refusal: {
      code: "conflict",
      with: [
        {
          kind: "service",
          id: newId(),
          client_name: "Amir",
          date: "2199-01-01",
          start_time: "09:00",
          duration_minutes: 30,
        },
      ],
      free: ["10:00"],
    },
  });
  await openPhone(rowsOf(client, rex), [refused]);
  await show();
  await expect.element(page.getByText("Time slot conflict detected. Please choose a different time.")).toBeVisible();
  await expect.element(page.getByText("Amir, Jan 1, 2199, 9:00 AM - 9:30 AM")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Choose another time" }))
    .toHaveAttribute("href", `/scheduling?fix=${refused.outcome.id}`);
  await page.getByRole("button", { name: "Schedule anyway" }).click();
  await vi.waitFor(() => expect(business().phone.attentionCount()).toBe(0));
  expect(saved()).toMatchObject([{ name: "schedule_service", args: { overlap_ok: true } }]);
});

test("an approval that met a conflict leads to its request, and says when that was answered meanwhile", async () => {
  const client = dana();
  const request = aRequest(client, []);
  const args = { id: request.id, service_id: newId(), sitter_response: "", start_time: null, overlap_ok: false };
  const conflict: Refusal = { code: "conflict", with: [], free: [] };
  const refused = entry("Approve the request", { name: "approve_request", args }, { refusal: conflict });
  await openPhone([...rowsOf(client), { t: "walk_request", d: request }], [refused]);
  await show();
  await expect.element(page.getByRole("button", { name: "Approve anyway" })).toBeVisible();
  const link = page.getByRole("link", { name: "Open the request" });
  await expect.element(link).toHaveAttribute("href", `/requests?status=pending&fix=${refused.entry.mutation.id}`);
  await save({ name: "decline_request", args: { id: request.id, sitter_response: "" } }, "Decline the request");
  await expect.element(page.getByText("This request was already declined.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Approve anyway" })).not.toBeInTheDocument();
  await expect.element(link).not.toBeInTheDocument();
});

test("a completion that met a cancellation is kept as completed with its notes, or left cancelled", async () => {
  const service = aService({ status: "cancelled" });
  const command: Command = {
    name: "complete_service",
    args: { id: service.id, notes: "Rex was a star", despite_cancel: false },
  };
  const refused = entry("Complete: walk for Rex", command, { refusal: { code: "was_cancelled", at: AT } });
  await openPhone([{ t: "service", d: service }], [refused]);
  await show();
  await expect.element(page.getByRole("button", { name: "Keep cancelled" })).toBeVisible();
  await page.getByRole("button", { name: "Keep as completed" }).click();
  await vi.waitFor(() => expect(business().phone.attentionCount()).toBe(0));
  expect(saved()).toEqual([
    { name: "complete_service", args: { id: service.id, notes: "Rex was a star", despite_cancel: true } },
  ]);
  expect(business().phone.service(service.id)).toMatchObject({
    status: "completed",
    completion_notes: "Rex was a star",
  });
});

test.each([
  [1, "1 thing to sort out"],
  [2, "2 things to sort out"],
])("%i refused changes are counted as %s", async (count, words) => {
  const refused = Array.from({ length: count }, () => {
    const args = { id: newId(), changes: { access_notes: "Key 14" } };
    return entry("Change Dana", { name: "update_client", args }, { refusal: { code: "gone" } });
  });
  await openPhone([], refused);
  await show();
  await expect.element(page.getByRole("banner").getByText(words, { exact: true })).toBeVisible();
});

test("discarding asks once and shows the words that will be lost", async () => {
  const client = dana();
  const change: Command = { name: "update_client", args: { id: client.id, changes: { access_notes: "Key 14" } } };
  await openPhone([], [entry("Change Dana", change, { refusal: { code: "gone" } })]);
  await show();
  await expect.element(page.getByText("The client was deleted in the meantime.")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Fix and resend" })).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Discard" }).click();
  const question = page.getByRole("dialog", { name: "Discard this change and these words?" });
  await expect.element(question.getByText("Key 14")).toBeVisible();
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(business().phone.attentionCount()).toBe(1);
  await page.getByRole("button", { name: "Discard" }).click();
  await question.getByRole("button", { name: "Discard" }).click();
  await expect.element(page.getByText("Nothing needs your attention")).toBeVisible();
});

test("a full phone that cannot discard says what helps", async () => {
  const client = dana();
  const change: Command = { name: "update_client", args: { id: client.id, changes: { access_notes: "Key 14" } } };
  await openPhone([], [entry("Change Dana", change, { refusal: { code: "gone" } })]);
  vi.spyOn(business().store, "resolve").mockRejectedValue(new DOMException("", "QuotaExceededError"));
  await show();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("This phone is full. Remove photos");
});

test("what was done differently shows both values and is let go with a word", async () => {
  const client = dana();
  const done = entry(
    "Change Dana",
    { name: "update_client", args: { id: client.id, changes: { phone: "555 010 4477" } } },
    {
      outcome: "adjusted",
      adjustments: [{ code: "overwritten", field: "phone", theirs: "555 010 9999", yours: "555 010 4477" }],
    },
  );
  await openPhone(rowsOf(client, aPet(client, { name: "Rex" })), [done]);
  await show();
  await expect.element(page.getByRole("columnheader", { name: "Yours" })).toBeVisible();
  await expect.element(page.getByRole("cell", { name: "555 010 4477" })).toBeVisible();
  await expect.element(page.getByRole("cell", { name: "555 010 9999" })).toBeVisible();
  await page.getByRole("button", { name: "Got it" }).click();
  await expect.element(page.getByText("Nothing needs your attention")).toBeVisible();
});

test("what followed from a refused client stands under it and waits for it", async () => {
  const id = newId();
  const petId = newId();
  const client = entry(
    "Add Dana",
    {
      name: "create_client",
      args: { id, client: { name: "Dana", email: "x" }, dogs: [{ id: petId, is_new: true, changes: { name: "Rex" } }] },
    },
    { refusal: { code: "invalid", fields: [{ field: "email", text: "Invalid email format" }] } },
  );
  const visit = entry(
    "Schedule: walk for Rex",
    {
      name: "schedule_service",
      args: { id: newId(), service: { client_id: id, dog_ids: [petId], date: "2199-01-01", start_time: "09:00" } },
    },
    { refusal: { code: "gone" } },
  );
  await openPhone([], [client, visit]);
  await show();
  const group = page.getByRole("region", { name: "Dana" });
  await expect.element(group.getByRole("heading", { name: "Schedule: walk for Rex" })).toBeVisible();
  await expect.element(group.getByText("Settle the change above first, then send this one again.")).toBeVisible();
  await expect.element(group.getByRole("button", { name: "Send again" })).not.toBeInTheDocument();

  await save(
    {
      name: "create_client",
      args: { id, client: { name: "Dana" }, dogs: [{ id: petId, is_new: true, changes: { name: "Rex" } }] },
    },
    "Add Dana",
    { resolves: client.outcome.id },
  );
  await page.getByRole("button", { name: "Send again" }).click();
  await vi.waitFor(() => expect(business().phone.attentionCount()).toBe(0));
  expect(saved().map((it) => it.name)).toEqual(["create_client", "schedule_service"]);
});

test("what is turned down again says so and stays", async () => {
  const client = dana();
  const rex = aPet(client, { name: "Rex" });
  const visit = aService({ client_id: client.id, dog_ids: [rex.id] });
  const rows: FeedRow[] = [...rowsOf(client, rex), { t: "service", d: visit }];
  const refused = entry(
    "Delete Dana",
    { name: "delete_client", args: { id: client.id } },
    { refusal: { code: "has_future_services", count: 2 } },
  );
  await openPhone(rows, [refused]);
  await show();
  await page.getByRole("button", { name: "Send again" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("1 upcoming");
  expect(business().phone.attentionCount()).toBe(1);
});

test("an edit of a client that was deleted meanwhile brings it back with the change", async () => {
  const client = dana();
  const rex = aPet(client, { name: "Rex" });
  const change: Command = { name: "update_client", args: { id: client.id, changes: { access_notes: "Key 14" } } };
  const refused = entry("Change Dana", change, { refusal: { code: "gone" } });
  refused.entry.bring_back = {
    name: "restore_client",
    args: {
      id: client.id,
      client: { ...client, access_notes: "Key 14" },
      dogs: [{ id: rex.id, is_new: true, changes: rex }],
    },
  };
  await openPhone([], [refused]);
  await show();
  await page.getByRole("button", { name: "Bring back with my change" }).click();
  await vi.waitFor(() => expect(business().phone.attentionCount()).toBe(0));
  expect(business().phone.client(client.id)).toMatchObject({ client: { name: "Dana", access_notes: "Key 14" } });
});

test("a deletion that would wipe what another has changed is asked again, and can be kept from", async () => {
  const client = dana();
  const wish: Command = { name: "delete_client", args: { id: client.id } };
  const changes = [{ field: "access_notes", theirs: "Key 14", yours: null }];
  const refused = () => entry("Delete Dana", wish, { refusal: { code: "changed_meanwhile", changes } });
  await openPhone(rowsOf(client, aPet(client, { name: "Rex" })), [refused(), refused()]);
  await show();
  await expect.element(page.getByText(/was changed on another device/).first()).toBeVisible();
  await expect.element(page.getByRole("cell", { name: "Key 14" }).first()).toBeVisible();
  await page.getByRole("button", { name: "Keep it" }).first().click();
  await vi.waitFor(() => expect(business().phone.attentionCount()).toBe(1));
  expect(saved()).toEqual([]);
  await page.getByRole("button", { name: "Delete anyway" }).click();
  await vi.waitFor(() => expect(business().phone.attentionCount()).toBe(0));
  expect(business().phone.outbox()).toMatchObject([{ mutation: { name: "delete_client", base_rev: 1 } }]);
});

test("a photo that the server does not take is shown with its words and its ways out", async () => {
  const client = dana();
  const rex = aPet(client, { name: "Rex" });
  const photo = newId();
  const change: Command = {
    name: "update_client",
    args: { id: client.id, changes: {}, dogs: [{ id: rex.id, is_new: false, changes: { photo } }] },
  };
  const text = "Photo storage is not configured";
  const refused = entry("Photo: Change Dana", change, { refusal: { code: "photo_refused", photo, text } });
  refused.entry.photos = [photo];
  await openPhone(rowsOf(client, rex), [refused]);
  const full = new Blob(["photo"], { type: "image/jpeg" });
  await business().store.putPhoto({ id: photo, full, waiting: true, stored_at: 0 });
  await show();
  await expect.element(page.getByText(`The server does not take the photo: ${text}`)).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Choose another photo" })).toBeVisible();
  await page.getByRole("button", { name: "Leave out" }).click();
  const question = page.getByRole("dialog", { name: "Leave this photo out?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Try Again" }).click();
  await vi.waitFor(() => expect(business().phone.attentionCount()).toBe(0));
  expect(business().phone.outbox()).toMatchObject([{ photos: [photo] }]);
});

test("an invoice that is shared at what it comes to now takes its photo and its video along that still wait", async () => {
  const client = dana();
  const pet = aPet(client, { name: "Rex" });
  const walk = { ...aService({ status: "completed", price: 30 }), client_id: client.id, dog_ids: [pet.id] };
  const [photo, sent, video] = [newId(), newId(), newId()];
  const media = { photos: [photo, sent], videos: [video] };
  const args = { id: newId(), client_id: client.id, services: [walk.id], total: 25, ...media };
  const refusal: Refusal = { code: "invoice_changed", quoted: 25, total: 30 };
  const refused = entry("Share an invoice for Dana", { name: "share_invoice", args }, { refusal });
  refused.entry.photos = [photo, sent, video];
  await openPhone([...rowsOf(client, pet), { t: "service", d: walk }], [refused]);
  const { store } = business();
  await store.putPhoto({ id: photo, full: new Blob(["photo"]), waiting: true, stored_at: 0 });
  await putVideo(store, { id: video, name: "film.mp4", type: "video/mp4", size: 9, waiting: true, stored_at: 0 });
  await show();
  await page.getByRole("button", { name: "Share at $30.00" }).click();
  await vi.waitFor(() => expect(business().phone.attentionCount()).toBe(0));
  expect(business().phone.outbox()).toMatchObject([
    { mutation: { name: "share_invoice", args: { total: 30, ...media } }, photos: [photo, video] },
  ]);
});

test.each([
  ["INV-12", "Already on INV-12", "Show INV-12", "search=INV-12"],
  ["", "Already on another invoice", "Show the invoice", "client="],
])("an invoice of visits that invoice '%s' bills already leads to that one", async (number, reason, link, place) => {
  const client = dana();
  const args = { id: newId(), client_id: client.id, services: [newId()], total: 25 };
  const elsewhere = { invoice_id: newId(), number, services: 1 };
  const refusal: Refusal = { code: "invoice_changed", quoted: 25, total: 0, elsewhere };
  const refused = entry("Share an invoice for Dana", { name: "share_invoice", args }, { refusal });
  await openPhone(rowsOf(client), [refused]);
  await show();
  await expect.element(page.getByText(reason)).toBeVisible();
  await page.getByRole("link", { name: link, exact: true }).click();
  await expect
    .element(page.getByLabelText("place"))
    .toHaveTextContent(`/invoices?tab=history&${place}${number ? "" : client.id}`);
});

test("what a restored server has forgotten is sent again at once, in its order and under its ids", async () => {
  const id = newId();
  const petId = newId();
  const client = entry(
    "Add Dana",
    {
      name: "create_client",
      args: { id, client: { name: "Dana" }, dogs: [{ id: petId, is_new: true, changes: { name: "Rex" } }] },
    },
    { refusal: { code: "forgotten" } },
  );
  const visit = entry(
    "Schedule: walk for Rex",
    {
      name: "schedule_service",
      args: { id: newId(), service: { client_id: id, dog_ids: [petId], date: "2199-01-01", start_time: "09:00" } },
    },
    { refusal: { code: "forgotten" } },
  );
  await openPhone([], [client, visit]);
  await show();
  await expect.element(page.getByRole("heading", { name: "The server was restored" })).toBeVisible();
  await page.getByRole("button", { name: "Send all again" }).click();
  await expect.element(page.getByText("Nothing needs your attention")).toBeVisible();
  const ids = business()
    .phone.outbox()
    .map((it) => it.mutation.id);
  expect(ids).toEqual([client.outcome.id, visit.outcome.id]);
});

test("what waits to be sent is listed in its order, with a way to send it now", async () => {
  const client = dana();
  await openPhone(rowsOf(client, aPet(client, { name: "Rex" })));
  const change = (name: string): Command => ({ name: "update_client", args: { id: client.id, changes: { name } } });
  await save(change("Dana W"), "Change Dana");
  await save(change("Dana Whitfield"), "Change Dana W");
  await show();
  const list = page.getByRole("region", { name: "Waiting to be sent" }).getByRole("listitem");
  await expect.element(list.nth(0)).toHaveTextContent("Change Dana");
  await expect.element(list.nth(1)).toHaveTextContent("Change Dana W");
  await expect.element(page.getByRole("button", { name: "Send now" })).toBeEnabled();
});

test.each([
  [true, "No connection to Walkies. They are safe on this phone and are sent once there is a connection."],
  [false, "No network. They are safe on this phone and are sent once there is a connection."],
])("waiting changes say which connection is missing: network %s", async (hasNetwork, words) => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(hasNetwork);
  vi.spyOn(window, "fetch").mockRejectedValue(new TypeError("no answer"));
  const client = dana();
  await openPhone(rowsOf(client, aPet(client, { name: "Rex" })));
  await signInOnPhone();
  await save({ name: "update_client", args: { id: client.id, changes: { name: "Dana W" } } }, "Change Dana");
  startSyncing(business());
  await show();
  await expect.element(page.getByText(words)).toBeVisible();
  await stopSyncing();
  await setSession(undefined);
});

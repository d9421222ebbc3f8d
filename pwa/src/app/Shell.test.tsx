/** The shell's counts, on the real core and a real IndexedDB. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../test/At";
import { aConversation } from "../../test/conversation";
import {
  AT,
  aClient,
  aPet,
  aRequest,
  aService,
  closePhone,
  type FeedRow,
  openPhone,
  rowsOf,
  saved,
  signInOnPhone,
} from "../../test/phone";
import { newRecords, pull, push } from "../../test/support/standIn";
import { type AttentionEntry, loadRest, newId, type PushRequest, type WalkRequest } from "../core";
import { business, save } from "../data";
import { setSession } from "../data/session/session";
import { clearStorageTrouble, reportStorageTrouble } from "../data/store/storage";
import { startSyncing, stopSyncing, syncStatus } from "../data/sync/sync";
import { putWalk } from "../data/walks/walkLog";
import { ToastHost, toast } from "../ui";
import { Banners } from "./Banners";
import { Shell } from "./Shell";

beforeEach(loadRest);
afterEach(async () => {
  await closePhone();
  localStorage.clear();
  vi.useRealTimers();
});

const links = () =>
  page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link")
    .elements()
    .map((it) => it.textContent);

const show = (at: string) =>
  render(
    <At path={at}>
      <Shell />
    </At>,
  );

test("the bell counts the requests that wait, 9+ above nine", async () => {
  const client = aClient({ name: "Dana Reyes" });
  const request = (status: WalkRequest["status"]): FeedRow => ({
    t: "walk_request",
    d: aRequest(client, [], { status }),
  });
  await openPhone([...rowsOf(client), ...Array.from({ length: 10 }, () => request("pending")), request("declined")]);
  await show("/no/such/place");
  const bell = page.getByRole("link", { name: "Requests, 10 pending" });
  await expect.element(bell.getByText("9+")).toBeVisible();
});

const inMenu = (name: RegExp) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });

test.each([
  [1, "1 pending request", "1 unread message"],
  [2, "2 pending requests", "2 unread messages"],
])("counts of %i in the menu are read out as %s and %s", async (count, pending, unread) => {
  await page.viewport(390, 844);
  const client = aClient({ name: "Dana Reyes" });
  const requests = Array.from({ length: count }, (): FeedRow => ({ t: "walk_request", d: aRequest(client, []) }));
  const said = Array.from({ length: count }, () => ({ by: "client" as const, content: "Hello", at: AT }));
  await openPhone([...rowsOf(client), ...requests, ...aConversation(client, said)]);
  await show("/no/such/place");
  await expect.element(inMenu(/^Requests/)).toHaveAccessibleName(`Requests ${pending}`);
  await expect.element(inMenu(/^Messages/)).toHaveAccessibleName(`Messages ${unread}`);
});

test("the schedule's tab counts overdue visits that are not under way, and what needs attention beside them", async () => {
  await page.viewport(390, 844);
  const client = aClient({ name: "Dana Reyes" });
  const rex = aPet(client, { name: "Rex" });
  const date = new Date(Date.now() - 2 * 24 * 3_600_000).toISOString().slice(0, 10);
  const [first, second, begun] = ["09:00", "11:00", "13:00"].map((start_time) =>
    aService(client, rex, { date, start_time }),
  );
  const others = [
    aService(client, rex, { date, status: "completed" }),
    aService(client, rex, { date, status: "cancelled" }),
    aService(client, rex, { date: "2199-01-01" }),
  ];
  const rows = [first, second, begun, ...others].map((d) => ({ t: "service", d }) as FeedRow);
  await openPhone([...rowsOf(client, rex), ...rows]);
  const screen = await show("/no/such/place");
  await expect.element(inMenu(/^Schedule/)).toHaveAccessibleName("Schedule 3 overdue");
  await putWalk({
    id: newId(),
    kind: "visit",
    title: "Rex",
    service_id: begun?.id ?? "",
    client_name: "Dana Reyes",
    dogs: ["Rex"],
    planned_minutes: 30,
    started_at: Date.now(),
    summary: null,
    imported: false,
  });
  await expect.element(inMenu(/^Schedule/)).toHaveAccessibleName("Schedule 2 overdue");
  await screen.unmount();
  await closePhone();

  const id = newId();
  const mutation = { id, seq: 1, v: 1, made_at: AT, base_rev: 1, name: "delete_client", args: { id: client.id } };
  const refused = { outcome: { id, outcome: "rejected", rev: 2, refusal: { code: "gone" }, adjustments: [] } };
  const entry = { entry: { mutation, sentence: "Delete Dana", photos: [] }, ...refused } as AttentionEntry;
  await openPhone([...rowsOf(client, rex), ...rows.slice(0, 2)], [entry]);
  await show("/no/such/place");
  const words = "Schedule 3 in all: 2 overdue, 1 change needs attention";
  await expect.element(inMenu(/^Schedule/)).toHaveAccessibleName(words);
});

test("a notice's act goes with the business that it would change", async () => {
  await openPhone([]);
  await render(<ToastHost />);
  const screen = await show("/no/such/place");
  toast.success("Client deleted", { label: "Undo", onAction: () => undefined });
  await expect.element(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await screen.unmount();
  await expect.element(page.getByRole("button", { name: "Undo" })).not.toBeInTheDocument();
});

test("the browser is asked to keep the data once there is a first client, and not before", async () => {
  const persisted = vi.spyOn(navigator.storage, "persisted").mockResolvedValue(false);
  const persist = vi.spyOn(navigator.storage, "persist").mockResolvedValue(true);
  await openPhone([]);
  const screen = await show("/no/such/place");
  await expect.element(page.getByText("There is nothing at this address")).toBeVisible();
  expect(persist).not.toHaveBeenCalled();
  await screen.unmount();
  await closePhone();
  await openPhone(rowsOf(aClient({ name: "Dana Reyes" })));
  await show("/no/such/place");
  await expect.poll(() => persist.mock.calls.length).toBe(1);
  persisted.mockRestore();
  persist.mockRestore();
});

test("an installed app asks the browser to keep the data at once", async () => {
  const persisted = vi.spyOn(navigator.storage, "persisted").mockResolvedValue(false);
  const persist = vi.spyOn(navigator.storage, "persist").mockResolvedValue(false);
  await openPhone([]);
  await show("/no/such/place");
  dispatchEvent(new Event("appinstalled"));
  await expect.poll(() => persist.mock.calls.length).toBe(1);
  persisted.mockRestore();
  persist.mockRestore();
});

test("without a network nothing is promised of a phone that does not store what is done", async () => {
  vi.spyOn(window, "fetch").mockRejectedValue(new TypeError("no network"));
  await openPhone(rowsOf(aClient({ name: "Dana Reyes" })));
  await signInOnPhone();
  startSyncing(business());
  reportStorageTrouble(new DOMException("full", "QuotaExceededError"));
  await render(
    <At path="/clients">
      <Banners />
    </At>,
  );
  await expect.element(page.getByText("No connection to Walkies.", { exact: true })).toBeVisible();
  await expect.element(page.getByText(/This phone is full/)).toBeVisible();
  clearStorageTrouble();
  await expect.element(page.getByText("No connection to Walkies. What you do is kept on this phone.")).toBeVisible();
  await stopSyncing();
  await setSession(undefined);
});

test("Try now sends at once what waited for a connection", async () => {
  const wait = window.setTimeout.bind(window);
  // No round begins by itself: what is sent is sent by the press.
  const onlyShort = (then: () => void, ms = 0) => (ms < 1_000 ? wait(then, ms) : 0);
  const timers = vi.spyOn(window, "setTimeout").mockImplementation(onlyShort as typeof window.setTimeout);
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const records = newRecords(1);
  const server = newId();
  let isThere = true;
  vi.spyOn(window, "fetch").mockImplementation((input, init) => {
    const { pathname, searchParams } = new URL(input as string, location.href);
    const done = (data: unknown) => Promise.resolve(Response.json({ success: true, data }));
    if (isThere && pathname === "/api/sync/pull") return done(pull(records, searchParams, server));
    if (isThere && pathname === "/api/sync/push") {
      return done(push(records, JSON.parse(init?.body as string) as PushRequest, server));
    }
    return Promise.reject(new TypeError("no network"));
  });
  await openPhone("nothing pulled");
  await signInOnPhone();
  startSyncing(business());
  // A phone that does not know its server yet sends nothing.
  await expect.poll(() => business().phone.hasLoaded()).toBe(true);
  isThere = false;
  await save({ name: "create_offering", args: { id: newId(), offering: { name: "Taxi" } } }, "Add Taxi");
  await render(
    <At path="/services">
      <Banners />
    </At>,
  );
  const banner = page.getByText(/^No network\. 1 change is safe on this (phone|device)\.$/);
  await expect.element(banner).toBeVisible();
  // The round of the save is over, and no timer waits to begin another one.
  await expect.poll(syncStatus).toMatchObject({ busy: false, online: false });
  timers.mockRestore();
  isThere = true;
  await page.getByRole("button", { name: "Try now" }).click();
  await expect.element(banner).not.toBeInTheDocument();
  await expect.poll(saved).toEqual([]);
  expect([...records.feed.values()].map((it) => it.d)).toMatchObject([{ name: "Taxi" }]);
  await stopSyncing();
  await setSession(undefined);
});

test("the sections stand in their order, and requests with how many wait", async () => {
  await page.viewport(1280, 800);
  const client = aClient({ name: "Dana Reyes" });
  const requests = Array.from({ length: 10 }, (): FeedRow => ({ t: "walk_request", d: aRequest(client, []) }));
  await openPhone([...rowsOf(client), ...requests]);
  await show("/no/such/place");
  await expect
    .poll(links)
    .toEqual([
      "Walkies",
      "Schedule",
      "Requests9+10 pending requests",
      "Messages",
      "Clients",
      "Services",
      "Routes",
      "Walks",
      "Invoices",
      "Expenses",
      "Analytics",
      "Profile",
    ]);
});

test("the sidebar is 256 pixels wide, 64 when it is collapsed, and stays as it was left", async () => {
  await page.viewport(1280, 800);
  await openPhone(rowsOf(aClient()));
  const sidebar = page.getByRole("navigation", { name: "Main" });
  const width = () => sidebar.element().getBoundingClientRect().width;
  const first = await show("/no/such/place");
  await page.getByRole("button", { name: "Collapse sidebar" }).click();
  await expect.poll(width).toBe(64);
  await first.unmount();

  await show("/no/such/place");
  await expect.element(page.getByRole("button", { name: "Expand sidebar" })).toBeVisible();
  expect(width()).toBe(64);
  await page.getByRole("button", { name: "Expand sidebar" }).click();
  await expect.poll(width).toBe(256);
});

test("the user menu leads to the profile", async () => {
  await page.viewport(1280, 800);
  await openPhone(rowsOf(aClient()));
  await show("/services");
  await page.getByRole("button", { name: /^User menu/ }).click();
  await page.getByRole("menuitem", { name: "Profile Settings" }).click();
  await expect.poll(() => location.pathname).toBe("/profile");
});

test("clients whose parents have changed something are counted until that was read, here or in another tab", async () => {
  const at = new Date().toISOString();
  const dana = aClient({ name: "Dana Reyes", parent_changes: [{ what: "Vet", at }] });
  await openPhone([...rowsOf(dana), ...rowsOf(aClient())]);
  await show("/no/such/place");
  const clients = page
    .getByRole("navigation")
    .getByRole("link", { name: /^Clients/ })
    .first();
  await expect.element(clients).toHaveTextContent("1 with changes from the portal");
  localStorage.setItem("walkies-parent-changes", JSON.stringify({ [dana.id]: at }));
  dispatchEvent(new StorageEvent("storage"));
  await expect.element(clients).not.toHaveTextContent("with changes");
});

test("the reminder of an incomplete profile is put off for a week", async () => {
  await openPhone(rowsOf(aClient()));
  const reminder = page.getByText("Your profile is not complete yet.");
  const first = await show("/no/such/place");
  await page.getByRole("button", { name: "Later" }).click();
  await expect.element(reminder).not.toBeInTheDocument();
  await first.unmount();

  const second = await show("/no/such/place");
  await expect.element(page.getByRole("link", { name: /Requests/ }).first()).toBeVisible();
  await expect.element(reminder).not.toBeInTheDocument();
  await second.unmount();

  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7 * 24 * 3_600_000 });
  await show("/no/such/place");
  await expect.element(reminder).toBeVisible();
});

test("the menu closes when one goes to where one already is", async () => {
  await page.viewport(390, 844);
  await openPhone(rowsOf(aClient()));
  await show("/clients");
  await page.getByRole("button", { name: "More" }).click();
  const menu = page.getByRole("dialog", { name: "Menu" });
  const here = menu.getByRole("link", { name: "Clients" });
  await expect.element(here).toHaveAttribute("aria-current", "page");
  await here.click();
  await expect.element(menu).not.toBeInTheDocument();
});

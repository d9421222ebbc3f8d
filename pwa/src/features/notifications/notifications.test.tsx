/** Notifications as a person turns them on and off; the browser's push service and the server's answers are played. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";

import { closePhone, openPhone, signInOnPhone } from "../../../test/phone";
import { loadRest, type PushChoice, type PushPreferences } from "../../core";

import { signOut } from "../../data/account/auth";
import { currentSession, setSession } from "../../data/session/session";
import type { SessionUser } from "../../data/session/sessionDb";
import { Offer } from "../../parts/notifications/Offer";
import { useQuietUntil } from "../../parts/notifications/useQuietUntil";
import { ToastHost } from "../../ui";
import { keepNotifications } from "./ahead";
import { NotificationsSection } from "./NotificationsSection";

const KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const OTHER_KEY = `${KEY.slice(0, -1)}8`;
const CHOICE: PushChoice = {
  kinds: ["new_request", "message", "upcoming_service"],
  preferences: { off: [], quiet_hours: null, time_zone: "" },
  quiet_until: null,
};

const bytesOf = (key: string) =>
  Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (it) => it.codePointAt(0) ?? 0).buffer;

/** A browser with this permission; what it was asked for. */
function browser(permission: NotificationPermission, answer: NotificationPermission, subscribedWith?: string) {
  let granted = permission;
  let key = subscribedWith;
  const asked: string[] = [];
  const subscription = () => ({
    options: { applicationServerKey: bytesOf(key ?? "") },
    toJSON: () => ({ endpoint: `https://push.example.com/${key}`, keys: { p256dh: "p", auth: "a" } }),
    unsubscribe: () => {
      asked.push("unsubscribe");
      key = undefined;
      return Promise.resolve(true);
    },
  });
  const pushManager = {
    getSubscription: () => Promise.resolve(key ? subscription() : null),
    subscribe: (options: { applicationServerKey: string; userVisibleOnly: boolean }) => {
      asked.push("subscribe");
      expect(options.userVisibleOnly).toBe(true);
      key = options.applicationServerKey;
      return Promise.resolve(subscription());
    },
  };
  const showNotification = () => {
    asked.push("show");
    return Promise.resolve();
  };
  const close = () => asked.push("close");
  const getNotifications = () => Promise.resolve([{ close }]);
  const registration = {
    active: {},
    pushManager,
    showNotification,
    getNotifications,
  } as unknown as ServiceWorkerRegistration;
  vi.spyOn(navigator.serviceWorker, "getRegistration").mockImplementation(() => Promise.resolve(registration));
  vi.spyOn(Notification, "permission", "get").mockImplementation(() => granted);
  vi.spyOn(Notification, "requestPermission").mockImplementation(() => {
    asked.push("permission");
    granted = answer;
    return Promise.resolve(answer);
  });
  return asked;
}

/** A server with this key; what it was sent. */
function server(refusal?: string, choice: Partial<PushChoice> = {}) {
  const sent: { method: string; path: string; body: unknown }[] = [];
  let { preferences } = { ...CHOICE, ...choice };
  vi.spyOn(window, "fetch").mockImplementation((input, init) => {
    const path = (input as string).replace("/api", "");
    const method = init?.method ?? "GET";
    const body = JSON.parse((init?.body as string | undefined) ?? "null") as unknown;
    const done = (data: unknown) => Promise.resolve(Response.json({ success: true, data }));
    if (method !== "GET") sent.push({ method, path, body });
    if (path === "/push/public-key") return done({ public_key: KEY });
    if (path === "/push/subscriptions") return done({ id: "s1" });
    if (path !== "/push/preferences") return done({});
    if (method === "PUT" && refusal) {
      const failure = { success: false, code: "invalid", error: refusal, message: refusal, fields: {} };
      return Promise.resolve(Response.json(failure, { status: 422 }));
    }
    if (method === "PUT") preferences = body as PushPreferences;
    return done({ ...CHOICE, ...choice, preferences });
  });
  return sent;
}

const show = () =>
  render(
    <At path="/profile">
      <NotificationsSection />
      <ToastHost />
    </At>,
  );

beforeEach(async () => {
  await loadRest();
  await openPhone([]);
  await signInOnPhone();
});
afterEach(async () => {
  localStorage.clear();
  await closePhone();
  await setSession(undefined);
  vi.useRealTimers();
});

test("nothing is asked before a press, and then once", async () => {
  const asked = browser("default", "granted");
  const sent = server();
  await show();
  const turnOn = page.getByRole("button", { name: "Turn on notifications" });
  await expect.element(turnOn).toBeVisible();
  expect([asked, sent]).toEqual([[], []]);
  await turnOn.click();
  await expect.element(page.getByRole("switch", { name: "Messages" })).toBeChecked();
  await expect.element(page.getByRole("switch", { name: "Invoices" })).not.toBeInTheDocument();
  expect(asked).toEqual(["permission", "subscribe"]);
  const body = { endpoint: `https://push.example.com/${KEY}`, keys: { p256dh: "p", auth: "a" }, public_key: KEY };
  expect(sent).toEqual([{ method: "POST", path: "/push/subscriptions", body }]);
  told({ type: "OPEN", path: "/requests" });
  expect(location.pathname).toBe("/requests");
});

/** Delivers a message of the service worker to an open app. */
const told = (data: unknown) => navigator.serviceWorker.dispatchEvent(new MessageEvent("message", { data }));

test("a no stays a no, and it is said how to take it back", async () => {
  browser("default", "denied");
  const sent = server();
  await show();
  await page.getByRole("button", { name: "Turn on notifications" }).click();
  await expect.element(page.getByText(/^Notifications are blocked/)).toBeVisible();
  await expect.element(page.getByRole("button")).not.toBeInTheDocument();
  expect(sent).toEqual([]);
});

test("what one is told of, and when, is saved with each press", async () => {
  browser("granted", "granted", KEY);
  const sent = server();
  await show();
  await page.getByRole("switch", { name: "Messages" }).click();
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const put = (changes: object) => ({
    method: "PUT",
    path: "/push/preferences",
    body: { off: ["message"], quiet_hours: null, time_zone, ...changes },
  });
  await expect.poll(() => sent).toEqual([put({})]);
  // What is worth nothing by their end is never sent.
  await expect
    .element(page.getByText("Those that would be late by then, such as the reminder of a visit,"))
    .toBeVisible();
  await page.getByRole("switch", { name: "Quiet hours" }).click();
  await expect.element(page.getByLabelText("From")).toHaveValue("22:00");
  await page.getByLabelText("To").fill("06:30");
  await expect.poll(() => sent.at(-1)).toEqual(put({ quiet_hours: { from: "22:00", to: "06:30" } }));
});

test("until when it is quiet is known where this phone is told, and for as long as it is quiet", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval"], now: new Date("2026-11-20T23:10:00Z") });
  const quiet = {
    preferences: { off: [], quiet_hours: { from: "22:00", to: "07:00" }, time_zone: "UTC" },
    quiet_until: "2026-11-21T07:00:00Z",
  };
  browser("granted", "granted");
  server(undefined, quiet);
  const Quiet = () => <p>Quiet until {useQuietUntil() ?? "no time"}</p>;
  const screen = await render(<Quiet />);
  await expect.element(page.getByText("Quiet until no time")).toBeVisible();
  await screen.unmount();
  browser("granted", "granted", KEY);
  await render(<Quiet />);
  await expect.element(page.getByText("Quiet until 7:00 AM")).toBeVisible();
  vi.setSystemTime(new Date("2026-11-21T07:00:00Z"));
  document.dispatchEvent(new Event("visibilitychange"));
  await expect.element(page.getByText("Quiet until no time")).toBeVisible();
});

test("what the server refuses is said and taken back", async () => {
  browser("granted", "granted", KEY);
  server("Unknown time zone");
  await show();
  await page.getByRole("switch", { name: "Messages" }).click();
  await expect.element(page.getByText("Unknown time zone")).toBeVisible();
  await expect.element(page.getByRole("switch", { name: "Messages" })).toBeChecked();
});

test("turned off, neither the browser nor the server knows this phone", async () => {
  const asked = browser("granted", "granted", KEY);
  const sent = server();
  await show();
  await page.getByRole("button", { name: "Show one" }).click();
  await expect.poll(() => asked).toEqual(["show"]);
  await page.getByRole("button", { name: "Turn off here" }).click();
  await expect.element(page.getByRole("button", { name: "Turn on notifications" })).toBeVisible();
  expect(asked).toEqual(["show", "unsubscribe"]);
  expect(sent.at(-1)).toEqual({ method: "DELETE", path: "/push/subscriptions/s1", body: null });
});

test("an open app subscribes anew when the server has another key, and goes where a tap leads", async () => {
  const asked = browser("granted", "granted", OTHER_KEY);
  const sent = server();
  await render(<At path="/profile">here</At>);
  keepNotifications();
  await expect.poll(() => sent.length).toBe(1);
  expect(asked).toEqual(["unsubscribe", "subscribe"]);
  expect(sent[0]?.body).toMatchObject({ public_key: KEY });
  told({ type: "OTHER", path: "/clients" });
  expect(location.pathname).toBe("/profile");
  told({ type: "OPEN", path: "/requests" });
  expect(location.pathname).toBe("/requests");
});

const PARENT: Partial<PushChoice> = {
  kinds: ["message", "upcoming_service"],
  mailed: ["message"],
  mails_to: "sam@example.com",
};

const showToParent = () =>
  render(
    <At path="/client/account">
      <NotificationsSection />
      <ToastHost />
    </At>,
  );

test("a pet parent without notifications chooses what comes by mail", async () => {
  browser("denied", "denied");
  const sent = server(undefined, PARENT);
  await showToParent();
  await expect
    .element(page.getByText("Where no device of yours shows notifications, these go to sam@example.com."))
    .toBeVisible();
  await expect.element(page.getByText("By notification only, never by mail.")).toBeVisible();
  // A radio is in its label's place, and has none of its own to be clicked at.
  (page.getByRole("radio", { name: "Never" }).element() as HTMLElement).click();
  await expect.element(page.getByText("None of this is mailed.")).toBeVisible();
  await expect.poll(() => sent.at(-1)?.body).toMatchObject({ mail: "never", off: [] });
  await page.getByRole("switch", { name: "Messages" }).click();
  await expect.poll(() => sent.at(-1)?.body).toMatchObject({ mail: "never", off: ["message"] });
});

test("a sitter without notifications chooses what comes by mail", async () => {
  browser("denied", "denied");
  const sent = server(undefined, {
    kinds: ["new_request", "visit_overdue"],
    mailed: ["new_request"],
    mails_to: "mara@example.com",
  });
  await show();
  await expect
    .element(page.getByText("Where no device of yours shows notifications, these go to mara@example.com."))
    .toBeVisible();
  await expect.element(page.getByText("By notification only, never by mail.")).toBeVisible();
  await page.getByRole("switch", { name: "New requests" }).click();
  await expect.poll(() => sent.at(-1)?.body).toMatchObject({ off: ["new_request"] });
  // A radio is in its label's place, and has none of its own to be clicked at.
  (page.getByRole("radio", { name: "Never" }).element() as HTMLElement).click();
  await expect.element(page.getByText("None of this is mailed.", { exact: true })).toBeVisible();
});

test("a stopped address is named in place of the choice of mail", async () => {
  browser("granted", "granted", KEY);
  server(undefined, { ...PARENT, has_stopped_mail: true });
  await showToParent();
  await expect.element(page.getByText("You stopped mail from Walkies to sam@example.com.")).toBeVisible();
  await expect.element(page.getByRole("radio")).not.toBeInTheDocument();
});

test("mail is not mentioned on a server that sends none", async () => {
  browser("default", "granted");
  server(undefined, { kinds: ["message"] });
  await showToParent();
  await expect.element(page.getByRole("button", { name: "Turn on notifications" })).toBeVisible();
  await expect.element(page.getByText("By mail")).not.toBeInTheDocument();
  await expect.element(page.getByRole("switch")).not.toBeInTheDocument();
});

test("who signs out is told nothing more, without a network too, and is told again once signed in", async () => {
  const asked = browser("default", "granted");
  const sent = server();
  await show();
  await page.getByRole("button", { name: "Turn on notifications" }).click();
  await expect.element(page.getByRole("button", { name: "Turn off here" })).toBeVisible();
  asked.length = 0;
  vi.spyOn(window, "fetch").mockRejectedValue(new TypeError("no network"));
  const { user } = currentSession();
  await signOut("keep");
  expect(asked).toEqual(["close", "unsubscribe"]);

  vi.mocked(window.fetch).mockRestore();
  sent.push(...server());
  await setSession({ token: "token", user: user as SessionUser, needs_auth: false });
  keepNotifications();
  await expect.poll(() => asked).toEqual(["close", "unsubscribe", "subscribe"]);
});

test("who waits for something is offered to be told, until they say no", async () => {
  const asked = browser("default", "granted");
  server();
  const offer = () => render(<Offer>Get notified when your sitter replies.</Offer>);
  const screen = await offer();
  await screen.getByRole("button", { name: "Not now" }).click();
  await expect.element(page.getByText("Get notified")).not.toBeInTheDocument();
  await screen.unmount();
  await offer();
  await expect.poll(() => document.querySelector("button")).toBeNull();
  expect(asked).toEqual([]);
});

test("the offer is taken with one press", async () => {
  const asked = browser("default", "granted");
  server();
  await render(<Offer>Get notified when your sitter replies.</Offer>);
  await page.getByRole("button", { name: "Turn on notifications" }).click();
  await expect.element(page.getByText("Get notified")).not.toBeInTheDocument();
  expect(asked).toEqual(["permission", "subscribe"]);
});

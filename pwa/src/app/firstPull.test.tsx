/** A new phone whose first pull fails: it says why, offers another try, and shows no place that is coming for ever. */
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../test/At";
import { closePhone, openPhone, pullRows, signInOnPhone } from "../../test/phone";
import { loadRest, transportError } from "../core";
import { loadWalkCore } from "../core/walk";
import { business } from "../data";
import { setSession } from "../data/session/session";
import { startSyncing, stopSyncing } from "../data/sync/sync";
import AnalyticsScreen from "../features/analytics/AnalyticsScreen";
import BillingScreen from "../features/billing/BillingScreen";
import ClientsScreen from "../features/clients/ClientsScreen";
import InvoicesScreen from "../features/invoices/InvoicesScreen";
import MessagesScreen from "../features/messages/MessagesScreen";
import PortalAsk from "../features/portal/PortalAsk";
import PortalPets from "../features/portal/PortalPets";
import PortalVisit from "../features/portal/PortalVisit";
import ProfileScreen from "../features/profile/ProfileScreen";
import RequestsScreen from "../features/requests/RequestsScreen";
import WayScreen from "../features/routes/WayScreen";
import SchedulingScreen from "../features/scheduling/SchedulingScreen";
import ServicesScreen from "../features/services/ServicesScreen";

const REFUSALS: [string, () => Promise<Response>][] = [
  ["there is no network", () => Promise.reject(new TypeError("no network"))],
  ["the server fails", () => Promise.resolve(new Response("", { status: 503 }))],
];

const SOME_ID = "00000000-0000-7000-8000-000000000001";

const SCREENS: [string, string, ReactNode, string | RegExp][] = [
  ["the schedule", "/scheduling", <SchedulingScreen key="day" />, "Failed to load scheduling data"],
  [
    "the availability",
    "/scheduling?view=availability",
    <SchedulingScreen key="hours" />,
    "Failed to load availability data",
  ],
  ["the clients", "/clients", <ClientsScreen key="clients" />, "Failed to load clients: "],
  ["the profile", "/profile", <ProfileScreen key="profile" />, "Failed to load your profile"],
  ["the services", "/services", <ServicesScreen key="services" />, /^Failed to (load|fetch) services\. /],
  ["the form of an invoice", "/invoices", <InvoicesScreen key="invoice" />, "Failed to load clients: "],
  ["the invoices", "/invoices?tab=history", <InvoicesScreen key="history" />, "Failed to load invoice history: "],
  ["the requests", "/requests", <RequestsScreen key="requests" />, "Failed to load walk requests"],
  ["the analytics", "/analytics", <AnalyticsScreen key="analytics" />, "Failed to load analytics data"],
  [
    "the list of conversations",
    "/messages",
    <MessagesScreen key="list" />,
    "Failed to load conversations. Please try again.",
  ],
  [
    "a conversation",
    `/messages/${SOME_ID}`,
    <MessagesScreen key="conversation" />,
    "Failed to load conversation. Please try again.",
  ],
  [
    "whom to write to",
    "/messages?new=browse",
    <MessagesScreen key="contacts" />,
    "Failed to load available clients. Please try again.",
  ],
  [
    "what a parent can ask for",
    "/client/ask",
    <PortalAsk key="ask" />,
    "What you can request could not be loaded yet.",
  ],
  [
    "a parent's visit",
    `/client/visits/${SOME_ID}`,
    <PortalVisit key="visit" />,
    "This visit is not on this phone yet.",
  ],
  ["a client", `/clients/${SOME_ID}`, <ClientsScreen key="client" />, "This client is not on this phone yet."],
  ["the way to a client", `/way/${SOME_ID}`, <WayScreen key="way" />, "This client is not on this phone yet."],
  ["the plan", "/billing", <BillingScreen key="plan" />, "Failed to load billing information. "],
  ["a parent's pets", "/client/pets", <PortalPets key="pets" />, "Your pets could not be loaded yet."],
];

/** Words that only a phone can say that knows its rows. */
const COUNT =
  /(^|[A-Za-z\s])0($|[A-Za-z\s,])|No requests wait for you|Self-hosted|Everything is free|[Nn]ot here|Add a client first/;

/** The page's text without what this device has stored, which it can count without the server. */
function unknownText(): string {
  const stored = document.querySelector<HTMLElement>("[aria-labelledby=profile-storage]");
  return document.body.innerText.replace(stored?.innerText ?? "", "");
}

beforeEach(async () => {
  // Before a test plays the network.
  await Promise.all([loadRest(), loadWalkCore()]);
  await page.viewport(390, 844);
});
afterEach(async () => {
  await stopSyncing();
  await setSession(undefined);
  await closePhone();
});

for (const [why, answer] of REFUSALS) {
  for (const [name, path, screen, words] of SCREENS) {
    test(`where ${why} before the first pull, ${name} says so and offers another try`, async () => {
      const fetched = vi.spyOn(window, "fetch").mockImplementation(answer);
      await openPhone("nothing pulled");
      await signInOnPhone();
      startSyncing(business());
      await render(<At path={path}>{screen}</At>);
      await expect.element(page.getByText(words).first()).toBeVisible();
      expect(unknownText(), "no count before it is known").not.toMatch(COUNT);
      fetched.mockClear();
      await page.getByRole("button", { name: "Try Again" }).first().click();
      await expect.poll(() => fetched.mock.calls.length).toBeGreaterThan(0);
    });
  }
}

test("before the first pull nobody is told that there are no visits", async () => {
  await openPhone("nothing pulled");
  await render(
    <At path="/scheduling?days=day">
      <SchedulingScreen />
    </At>,
  );
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent("Schedule");
});

test("where the session has ended before the first pull, the way to sign in again stands there", async () => {
  await openPhone("nothing pulled");
  await signInOnPhone(true);
  await render(
    <At path="/clients">
      <ClientsScreen />
    </At>,
  );
  await expect.element(page.getByText(`Failed to load clients: ${transportError(401, "")}`)).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Sign in" })).toHaveAttribute("href", "/auth/login");
});

const MISSING: [string, string, ReactNode][] = [
  ["visit", `/client/visits/${SOME_ID}`, <PortalVisit key="visit" />],
  ["client", `/clients/${SOME_ID}`, <ClientsScreen key="client" />],
  ["client", `/way/${SOME_ID}`, <WayScreen key="way" />],
  ["service", `/scheduling?service=${SOME_ID}`, <SchedulingScreen key="details" />],
  ["service", `/scheduling?edit=${SOME_ID}`, <SchedulingScreen key="form" />],
];

for (const [what, path, screen] of MISSING) {
  test(`only a pull since the address was opened tells that a ${what} at ${path.slice(0, 16)} was deleted`, async () => {
    await openPhone([]);
    await render(<At path={path}>{screen}</At>);
    await expect.element(page.getByRole("status", { name: `Loading the ${what}` })).toBeVisible();
    expect(document.body.innerText).not.toMatch(/not here/i);
    await pullRows();
    await expect.element(page.getByText(`This ${what} is no longer here`)).toBeVisible();
  });
}

test("before the first pull the form of a service does not say that there are no clients", async () => {
  await openPhone("nothing pulled");
  await render(
    <At path="/scheduling?new=1">
      <SchedulingScreen />
    </At>,
  );
  await expect.element(page.getByRole("dialog").getByRole("status", { name: "Loading clients" })).toBeVisible();
  await pullRows();
  await expect.element(page.getByText("Add a client first")).toBeVisible();
});

/** The sitter's screens about the plan; only the server's answers are played. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { closePhone, openPhone, signInOnPhone } from "../../../test/phone";
import { loadRest, type PlanOffer, type Sitter, type Subscription } from "../../core";
import { setSession } from "../../data/session/session";
import { ConfirmHost, ToastHost } from "../../ui";
import { Billing } from "./Billing";
import { Usage } from "./Usage";

const offer = (id: string, name: string, limit: number, price: number | null): PlanOffer => ({
  id,
  display_name: name,
  clients: limit < 0 ? -1 : 5,
  dogs: limit < 0 ? -1 : 10,
  services_a_month: limit < 0 ? -1 : 30,
  trial_days: price === null ? 0 : 14,
  stripe_price_id: price === null ? null : `price_${id}`,
  price: price === null ? null : { amount: price, every: "month", words: `$${price}.00 a month` },
});
const PLANS = [offer("free", "Free", 5, null), offer("solo", "Solo", -1, 12), offer("pro", "Pro", -1, 29)];

const sitter = (subscription: Partial<Subscription> | null): Sitter => ({
  id: "00000000-0000-0000-0000-000000000001",
  name: "Mara",
  business_name: "",
  email: "mara@example.com",
  phone: "",
  photo: null,
  time_zone: "UTC",
  units: "imperial",
  hour_cycle: "h12",
  tells_progress: false,
  invoicing: {
    prefix: "",
    due_days: null,
    tax: null,
    pay_to: { venmo: "", paypal: "", cash_app: "", zelle: "" },
    tips: [],
    tip_nudge: "",
    reminder_days: [],
  },
  service_area_address: "",
  service_area_lat: null,
  service_area_lng: null,
  service_area_radius_miles: 5,
  created_at: "2026-01-01T00:00:00Z",
  ...(subscription && {
    subscription: {
      plan_id: "free",
      status: "active",
      trial_ends_at: null,
      period_ends_at: null,
      cancels: false,
      ...subscription,
    },
  }),
});

type Played = Record<string, () => Response>;

const done = (data: unknown) => Response.json({ success: true, data });
/** An answer after which nothing is asked again within seconds, which a test would wait for. */
const refused = (status: number, code: string, text: string) => {
  const headers = { "Retry-After": "60" };
  return Response.json({ success: false, code, error: text, message: text }, { status, headers });
};

/** A server with these answers; what it was sent. */
function server(played: Played = {}) {
  const sent: { path: string; body: unknown }[] = [];
  vi.spyOn(window, "fetch").mockImplementation((url, init) => {
    const path = new URL(url as string, location.origin).pathname.replace("/api/billing/", "");
    const body = JSON.parse((init?.body as string | undefined) ?? "null") as unknown;
    if (init?.method === "POST") sent.push({ path, body });
    const answers: Played = {
      dashboard: () => done({ has_portal: true, may_try: true, sells_plans: true }),
      plans: () => done(PLANS),
      ...played,
    };
    return Promise.resolve(answers[path]?.() ?? refused(404, "not_found", "x"));
  });
  return sent;
}

async function show(subscription: Partial<Subscription> | null) {
  await openPhone([{ t: "sitter", d: sitter(subscription) }]);
  await signInOnPhone();
  await render(
    <At path="/billing">
      <Billing />
      <ConfirmHost />
      <ToastHost />
    </At>,
  );
}

const button = (name: string | RegExp) => page.getByRole("button", { name });
/** A tab that the browser opens. */
function newTab() {
  const body = { textContent: "" };
  const tab = { closed: false, close: vi.fn(), location: { replace: vi.fn() }, opener: window, document: { body } };
  vi.spyOn(window, "open").mockReturnValue(tab as unknown as Window);
  return tab;
}

/** The radio lies under its label. */
const look = async (at: string) => {
  const label = page.getByText(at, { exact: true });
  await expect.element(label).toBeVisible();
  label.element().closest("label")?.click();
};
const PAID = { plan_id: "solo", period_ends_at: "2027-01-20T12:00:00Z" } as const;

beforeEach(async () => {
  await loadRest();
});
afterEach(async () => {
  await closePhone();
  await setSession(undefined);
  vi.restoreAllMocks();
});

test("without plans that are sold everything is self-hosted and unlimited", async () => {
  server();
  await show(null);
  await expect.element(page.getByText("Self-hosted")).toBeVisible();
  await expect.element(page.getByText("0, unlimited").first()).toBeVisible();
  expect(page.getByRole("button").elements()).toEqual([]);
});

test("who is on Free begins with the plans and their prices, and hears what is paid before the page opens", async () => {
  const tab = newTab();
  const sent = server({ "checkout-session": () => done({ url: "https://checkout.stripe.com/c/1" }) });
  await show({});
  await expect.element(page.getByRole("radio", { name: "Change Plan" })).toBeChecked();
  await expect.element(page.getByText("$29.00 a month")).toBeVisible();
  await expect.element(page.getByText("30 services a month")).toBeVisible();
  await button("Try Solo for 14 days").click();
  await expect.element(page.getByText(/You pay nothing today\. After 14 days it is \$12\.00 a month/)).toBeVisible();
  expect(window.open).not.toHaveBeenCalled();
  await button("Go to payment").click();
  await expect.element(page.getByText(/Finish in the tab that has opened/)).toBeVisible();
  expect(tab.location.replace).toHaveBeenCalledWith("https://checkout.stripe.com/c/1");
  expect(tab.opener).toBeNull();
  expect(tab.document.body.textContent).toMatch(/on its way/);
  const form = { plan_id: "solo", price_id: "price_solo", return_url: `${location.origin}/billing` };
  expect(sent).toEqual([{ path: "checkout-session", body: form }]);
});

test("where the browser blocks the tab the person is asked", async () => {
  vi.spyOn(window, "open").mockReturnValue(null);
  server({ "checkout-session": () => done({ url: "https://checkout.stripe.com/c/1" }) });
  await show({});
  await button("Try Pro for 14 days").click();
  await button("Go to payment").click();
  const question = page.getByRole("dialog", { name: "Open the payment page here?" });
  await expect.element(question.getByText(/has blocked the new tab/)).toBeVisible();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect.element(button("Go to payment")).toBeEnabled();
  expect(page.getByText(/Finish in the tab/).elements()).toEqual([]);
});

test("a checkout that fails says so, and can be tried again", async () => {
  const tab = newTab();
  server({ "checkout-session": () => refused(503, "unavailable", "x") });
  await show({});
  await button("Try Solo for 14 days").click();
  await button("Go to payment").click();
  await expect.element(page.getByText("Failed to start checkout process. Please try again.")).toBeVisible();
  expect(tab.close).toHaveBeenCalled();
  await expect.element(button("Go to payment")).toBeEnabled();
});

test("a trial has its tag, the days that are left, and an upgrade", async () => {
  server();
  const ends = new Date(Date.now() + 3 * 86_400_000).toISOString();
  await show({ plan_id: "solo", status: "trialing", trial_ends_at: ends, period_ends_at: ends });
  await expect.element(page.getByRole("radio", { name: "Current Plan" })).toBeChecked();
  await expect.element(page.getByText("TRIAL", { exact: true })).toBeVisible();
  await expect.element(page.getByText(/3 days left/)).toBeVisible();
  await expect.element(button("Upgrade")).toBeVisible();
});

test("who pays is offered no upgrade, and confirms a charge before a change", async () => {
  const words = "You are charged $8.50 now for what is left of this period, then $29.00 a month from Jan 20, 2027.";
  const sent = server({
    "preview-change": () => done({ immediate_charge: 8.5, proration_date: 1_800_000_000, words }),
    "update-subscription": () => done({}),
  });
  await show(PAID);
  await expect.element(page.getByText("Renews Jan 20, 2027.")).toBeVisible();
  expect(button("Upgrade").elements()).toEqual([]);
  await look("Change Plan");
  await expect.element(page.getByText("Your plan", { exact: true })).toBeVisible();
  await button("Choose Pro").click();
  const question = page.getByRole("dialog", { name: "Change to Pro?" });
  await expect.element(question.getByText(words)).toBeVisible();
  await question.getByRole("button", { name: "Not now" }).click();
  expect(sent.map((it) => it.path)).toEqual(["preview-change"]);
  await button("Choose Pro").click();
  await question.getByRole("button", { name: "Confirm" }).click();
  await expect.element(page.getByText("You are on Pro")).toBeVisible();
  expect(sent.at(-1)).toEqual({
    path: "update-subscription",
    body: { current_plan_id: "solo", plan_id: "pro", proration_date: 1_800_000_000 },
  });
});

test("a declined card changes nothing, and leads to where it is mended", async () => {
  const tab = newTab();
  server({
    "preview-change": () => done({ immediate_charge: 8.5, proration_date: 1, words: "You are charged $8.50 now." }),
    "update-subscription": () => refused(402, "card_declined", "Your card was declined."),
    "portal-session": () => done({ url: "https://billing.stripe.com/p/1" }),
  });
  await show(PAID);
  await look("Change Plan");
  await button("Choose Pro").click();
  await button("Confirm").click();
  await expect.element(page.getByText("Failed to update subscription. Your card was declined.")).toBeVisible();
  await button("Update card").click();
  await vi.waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith("https://billing.stripe.com/p/1"));
});

test("an inactive subscription warns, and is reactivated among the plans", async () => {
  server();
  await show({ plan_id: "solo", status: "inactive" });
  await look("Current Plan");
  await expect.element(page.getByText(/Your subscription is inactive\. Everything is still here/)).toBeVisible();
  await button("Reactivate").click();
  await expect.element(button("Try Solo for 14 days")).toBeVisible();
});

test("who could not pay may stay on Free", async () => {
  const sent = server({
    "preview-change": () => done({ immediate_charge: 0, proration_date: 1, words: "Nothing is charged." }),
    "update-subscription": () => done({}),
  });
  await show({ plan_id: "solo", status: "inactive" });
  await button("Stay on Free").click();
  const question = page.getByRole("dialog", { name: "Stay on Free?" });
  await question.getByRole("button", { name: "Stay on Free" }).click();
  await expect.element(page.getByText("You are on Free")).toBeVisible();
  expect(sent.map((it) => it.path)).toEqual(["preview-change", "update-subscription"]);
});

test("whose last payment did not go through is led to the card", async () => {
  const tab = newTab();
  server({ "portal-session": () => done({ url: "https://billing.stripe.com/p/1" }) });
  await show({ ...PAID, status: "past_due" });
  expect(button("Upgrade").elements()).toEqual([]);
  await button("Update card").click();
  await vi.waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith("https://billing.stripe.com/p/1"));
});

test("a bank that asks is answered on a page for that change", async () => {
  newTab();
  const sent = server({
    "preview-change": () => done({ immediate_charge: 8.5, proration_date: 1, words: "You are charged $8.50 now." }),
    "update-subscription": () => refused(402, "bank_asks", "Your bank asks you to confirm this payment."),
    "portal-session": () => done({ url: "https://billing.stripe.com/p/1" }),
  });
  await show(PAID);
  await look("Change Plan");
  await button("Choose Pro").click();
  await button("Confirm").click();
  await button("Confirm with my bank").click();
  await vi.waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ plan_id: "pro" }));
});

test("where the server does not say what the plan is, that is said, and nothing of when one pays", async () => {
  let isDown = true;
  const seen = () => done({ has_portal: true, may_try: true, sells_plans: true });
  server({ dashboard: () => (isDown ? refused(503, "unavailable", "x") : seen()) });
  await show({});
  await expect.element(page.getByText("Failed to load billing information")).toBeVisible();
  await button("Choose Solo").click();
  await expect.element(page.getByText(/a page of Stripe/)).toBeVisible();
  expect(page.getByText(/You pay \$12|You pay nothing/).elements()).toEqual([]);
  await button("Back").click();
  await look("Current Plan");
  expect(button("Card and bills").elements()).toEqual([]);
  isDown = false;
  await button("Try Again").click();
  await expect.element(button("Card and bills")).toBeVisible();
});

test("what cannot be loaded is said and tried again, and a portal that does not open is told of", async () => {
  let isDown = true;
  server({ plans: () => (isDown ? refused(503, "unavailable", "x") : done(PLANS)) });
  await show({});
  await expect.element(page.getByText("Failed to load billing information")).toBeVisible();
  isDown = false;
  await button("Try Again").click();
  await expect.element(page.getByText("$12.00 a month")).toBeVisible();
  vi.spyOn(window, "open").mockReturnValue(null);
  await look("Current Plan");
  await button("Card and bills").click();
  await expect.element(page.getByText(/^Failed to open billing portal/)).toBeVisible();
});

test("the bar of a limit warns where the plan's rule does, however full it is", async () => {
  const of = { what: "clients", name: "Clients", words: "", banner: null, title: "", room: "" } as const;
  await render(
    <Usage
      usage={[
        { ...of, name: "Clients", status: "fine", share: 0.9 },
        { ...of, name: "Dogs", status: "near_limit", share: 0.5 },
        { ...of, name: "Services", status: "at_limit", share: 1 },
      ]}
    />,
  );
  const bar = (name: string) => page.getByRole("progressbar", { name }).element().firstElementChild;
  expect(bar("Clients")).not.toHaveClass("bg-tag");
  expect(bar("Dogs")).toHaveClass("bg-tag");
  expect(bar("Services")).toHaveClass("bg-tag");
});

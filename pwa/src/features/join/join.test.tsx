/** The public page says what is true for the server that it comes from; only the server's answer is played. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { loadRest, type PlanOffer, type SignUpRules } from "../../core";
import JoinScreen from "./JoinScreen";

const plan = (change: Partial<PlanOffer>): PlanOffer => ({
  id: "self_hosted",
  display_name: "Self-hosted",
  clients: -1,
  dogs: -1,
  services_a_month: -1,
  trial_days: 0,
  stripe_price_id: null,
  price: null,
  ...change,
});

const rules: SignUpRules = { mode: "open", sends_mail: true, is_invited: false, email: null, plans: [plan({})] };

const show = (change: Partial<SignUpRules> = {}, query = "") => {
  vi.spyOn(window, "fetch").mockImplementation(() =>
    Promise.resolve(Response.json({ success: true, data: { ...rules, ...change } })),
  );
  return render(
    <At path={`/sitters/join${query}`}>
      <JoinScreen />
    </At>,
  );
};

beforeEach(() => loadRest());
afterEach(() => sessionStorage.clear());

test("a server on which nothing is paid says that it is free and unlimited", async () => {
  await show();
  const plans = page.getByRole("region", { name: "What it costs" });
  await expect.element(plans.getByRole("heading", { name: "Self-hosted" })).toBeVisible();
  await expect.element(plans.getByText("Unlimited clients")).toBeVisible();
  await expect.element(plans.getByText(/Everything is free on this server/)).toBeVisible();
  await expect.element(plans.getByText(/Try it/)).not.toBeInTheDocument();
});

test("a server that sells plans names their limits and the time to try them", async () => {
  const free = plan({ id: "free", display_name: "Free", clients: 5, dogs: 10, services_a_month: 30 });
  const price = { amount: 12, every: "month", words: "$12.00 a month" };
  const solo = plan({ id: "solo", display_name: "Solo", trial_days: 14, stripe_price_id: "price_solo", price });
  await show({ plans: [free, solo, plan({ id: "pro", trial_days: 14, stripe_price_id: "price_pro" })] });
  const plans = page.getByRole("region", { name: "What it costs" });
  await expect.element(plans.getByText("5 clients")).toBeVisible();
  await expect.element(plans.getByText("30 services a month")).toBeVisible();
  await expect.element(plans.getByText("Try it for 14 days").first()).toBeVisible();
  await expect.element(plans.getByText("$12.00 a month")).toBeVisible();
  await expect.element(plans.getByText("The price is said before anything is charged.")).toBeVisible();
  await expect.element(plans.getByText(/Everything is free on this server/)).not.toBeInTheDocument();
});

test("the button leads to the form, by keys as well", async () => {
  await show();
  await page.getByRole("button", { name: "Create your account" }).click();
  await expect.element(page.getByLabelText("Your name")).toHaveFocus();
});

test("each picture says what is on it, and only the first is loaded at once", async () => {
  await show();
  await expect.element(page.getByRole("img", { name: /^The day on a phone/ })).toBeInTheDocument();
  const pictures = [...document.querySelectorAll<HTMLImageElement>(".join-shot img")];
  expect(pictures.every((it) => it.alt.length > 20)).toBe(true);
  expect(pictures.map((it) => it.loading)).toEqual(["eager", "lazy", "lazy", "lazy", "lazy"]);
});

test("a closed server says so, and offers no price and no form", async () => {
  await show({ mode: "closed" });
  await expect.element(page.getByText(/takes no new accounts/)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Create your account" })).not.toBeInTheDocument();
  await expect.element(page.getByRole("region", { name: "What it costs" })).not.toBeInTheDocument();
});

test("who comes with an invitation has the form first", async () => {
  await show({ is_invited: true, email: "mara@example.com" }, "?invitation=secret");
  await expect.element(page.getByLabelText("Email")).toHaveValue("mara@example.com");
  const headings = [...document.querySelectorAll("h1, h2")].map((it) => it.textContent);
  expect(headings[0]).toBe("Join as a sitter");
});

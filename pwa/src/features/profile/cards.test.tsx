/** How a sitter turns card payments on and off; only the server's answers are played. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";

import { closePhone, openPhone, signInOnPhone } from "../../../test/phone";
import { type CardPayments, loadRest } from "../../core";

import { setSession } from "../../data/session/session";
import { ConfirmHost, ToastHost } from "../../ui";
import { CardsSection } from "./CardsSection";

const OFF: CardPayments = {
  is_on: false,
  is_live: false,
  key_ends_with: "",
  fault: null,
  webhook_url: "https://walkies.example.com/api/invoices/stripe/1/webhook",
  webhook_events: ["checkout.session.completed", "charge.refunded"],
  fees: "Stripe takes about 2.9% and $0.30 of each payment.",
};
const ON: CardPayments = { ...OFF, is_on: true, is_live: true, key_ends_with: "qRsT" };

/** A server that keeps the keys of one business; what it was sent. */
function server(known: CardPayments) {
  const sent: { method: string; body: unknown }[] = [];
  let now = known;
  vi.spyOn(window, "fetch").mockImplementation((_, init) => {
    const body = JSON.parse((init?.body as string | undefined) ?? "null") as { password?: string } | null;
    const method = init?.method ?? "GET";
    if (method !== "GET") sent.push({ method, body });
    if (body?.password === "wrong") {
      const fields = { password: "This is not your password" };
      const failure = { success: false, code: "invalid", error: "x", message: "x", fields };
      return Promise.resolve(Response.json(failure, { status: 422 }));
    }
    if (method === "PUT") now = ON;
    if (method === "DELETE") now = OFF;
    return Promise.resolve(Response.json({ success: true, data: now }));
  });
  return sent;
}

const show = () =>
  render(
    <At path="/">
      <CardsSection />
      <ConfirmHost />
      <ToastHost />
    </At>,
  );

beforeEach(async () => {
  await loadRest();
  await openPhone([]);
  await signInOnPhone();
});
afterEach(async () => {
  await closePhone();
  await setSession(undefined);
});

test("cards are taken with a key, a signing secret and the password, after the fee was said", async () => {
  const sent = server(OFF);
  await show();
  await expect.element(page.getByText("2.9%")).toBeVisible();
  await page.getByRole("button", { name: "Take cards with Stripe" }).click();
  const dialog = page.getByRole("dialog", { name: "Take cards with Stripe" });
  await expect.element(dialog.getByText(OFF.webhook_url)).toBeVisible();
  await dialog.getByLabelText("Restricted or secret key").fill(" rk_live_abcqRsT ");
  await dialog.getByLabelText("Signing secret").fill("whsec_abc");
  await dialog.getByLabelText("Your password", { exact: true }).fill("wrong");
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect.element(dialog.getByText("This is not your password")).toBeVisible();
  await dialog.getByLabelText("Your password", { exact: true }).fill("seven quiet leashes");
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect.element(page.getByText("On, with Stripe")).toBeVisible();
  await expect.element(page.getByText("Key ends in qRsT")).toBeVisible();
  const keys = { secret_key: "rk_live_abcqRsT", webhook_secrets: ["whsec_abc"] };
  expect(sent.at(-1)).toEqual({ method: "PUT", body: { ...keys, password: "seven quiet leashes" } });
});

test("cards are turned off after a question", async () => {
  const sent = server(ON);
  await show();
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  expect(sent).toEqual([]);
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await expect.element(page.getByRole("button", { name: "Take cards with Stripe" })).toBeVisible();
  expect(sent).toEqual([{ method: "DELETE", body: null }]);
});

test("what Stripe has against the key is said, and that test mode moves no money", async () => {
  server({ ...ON, is_live: false, fault: "Stripe does not know the key" });
  await show();
  await expect.element(page.getByText("On, in Stripe’s test mode")).toBeVisible();
  await expect.element(page.getByText(/Stripe does not know the key\. Nobody can pay/)).toBeVisible();
});

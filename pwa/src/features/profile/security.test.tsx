/** The devices and the second factor as a person handles them; only the server's answers are played. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";

import { AT, closePhone, openPhone, signInOnPhone } from "../../../test/phone";
import { type DeviceSession, type Factors, loadRest, newId } from "../../core";

import { setSession } from "../../data/session/session";
import { ConfirmHost, ToastHost } from "../../ui";
import { DevicesSection } from "./DevicesSection";
import { FactorsSection } from "./FactorsSection";

const device = (name: string, is_current = false): DeviceSession => ({
  id: newId(),
  name,
  created_at: AT,
  last_used_at: AT,
  is_current,
});
const factor = { id: "f1", kind: "totp" as const, name: "Pixel", created_at: AT, last_used_at: AT };
const CODES = Array.from({ length: 10 }, (_, n) => `abcd-efgh-jk${n}m`);

/** A server that keeps devices and factors; what it was sent besides lists. */
function server(devices: DeviceSession[], factors: Factors) {
  const sent: { path: string; method: string; body: unknown }[] = [];
  let left = devices;
  let known = factors;
  const answer = (path: string, method: string, body: { password?: string; code?: string } | null): Response => {
    const done = (data: unknown) => Response.json({ success: true, data });
    const wrong = (fields: Record<string, string>) =>
      Response.json({ success: false, code: "invalid", error: "x", message: "x", fields }, { status: 422 });
    if (method === "GET") return done(path === "/auth/sessions" ? left : known);
    sent.push({ path, method, body });
    if (path === "/auth/sessions") left = left.filter((it) => it.is_current);
    else if (method === "DELETE" && path.startsWith("/auth/factors/")) known = NONE;
    else if (path.startsWith("/auth/sessions/")) left = left.filter((it) => !path.endsWith(it.id));
    else if (body?.password === "wrong") return wrong({ password: "This is not your password" });
    else if (path === "/auth/factors/totp") {
      return done({ id: "f1", secret: "ABCDEFGHIJKLMNOP", uri: "otpauth://totp/x", qr_svg: "<svg/>" });
    } else if (path.endsWith("/confirm") && body?.code !== "123456") {
      return wrong({ code: "This code is wrong, or was used before" });
    }
    return done({ recovery_codes: CODES });
  };
  vi.spyOn(window, "fetch").mockImplementation((input, init) => {
    const path = (input as string).replace("/api", "");
    const body = JSON.parse((init?.body as string | undefined) ?? "null") as { password?: string } | null;
    return Promise.resolve(answer(path, init?.method ?? "GET", body));
  });
  return sent;
}

const show = () =>
  render(
    <At path="/">
      <DevicesSection />
      <FactorsSection />
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

const NONE: Factors = { factors: [], recovery_codes_left: 0 };

test("one device is signed out after a question, and this one cannot be", async () => {
  const tablet = device("Chrome on Android");
  const sent = server([tablet, device("Safari on iPhone", true), device("Firefox on Linux")], NONE);
  await show();
  await expect.element(page.getByText("This device")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Sign out Safari on iPhone" })).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Sign out Chrome on Android" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  expect(sent).toEqual([]);
  await page.getByRole("button", { name: "Sign out Chrome on Android" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await expect.element(page.getByRole("button", { name: "Sign out Chrome on Android" })).not.toBeInTheDocument();
  // What was pressed has gone: a reader goes on at the heading.
  await expect.element(page.getByRole("heading", { name: "Devices" })).toHaveFocus();
  expect(sent).toEqual([{ path: `/auth/sessions/${tablet.id}`, method: "DELETE", body: null }]);
});

test("all others are signed out at once", async () => {
  const sent = server(
    [device("Chrome on Android"), device("Safari on iPhone", true), device("Firefox on Linux")],
    NONE,
  );
  await show();
  await page.getByRole("button", { name: "Sign out all others" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out all others" }).click();
  await expect.element(page.getByText("Firefox on Linux")).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Sign out all others" })).not.toBeInTheDocument();
  expect(sent).toEqual([{ path: "/auth/sessions", method: "DELETE", body: null }]);
});

test("an authenticator app is set up with the password, its key and a code, and gives recovery codes", async () => {
  server([device("Safari on iPhone", true)], NONE);
  await show();
  await page.getByRole("button", { name: "Set up an authenticator app" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabelText("Your password").fill("wrong");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect.element(dialog.getByText("This is not your password")).toBeVisible();
  await dialog.getByLabelText("Your password").fill("right");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect.element(dialog.getByAltText("QR code of the key")).toBeVisible();
  await expect.element(dialog.getByLabelText("Code", { exact: true })).toHaveFocus();
  await expect.element(dialog.getByText("ABCD EFGH IJKL MNOP")).toBeVisible();
  await dialog.getByLabelText("Code", { exact: true }).fill("000000");
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect.element(dialog.getByText("This code is wrong, or was used before")).toBeVisible();
  await dialog.getByLabelText("Code", { exact: true }).fill("123456");
  await dialog.getByRole("button", { name: "Turn on" }).click();
  for (const code of CODES) await expect.element(dialog.getByText(code)).toBeVisible();
  await expect.element(dialog.getByText("Keep these where you find them")).toHaveFocus();
  // It would lie over the last codes.
  await expect.element(page.getByText("Two-step sign-in is on")).not.toBeInTheDocument();
  await dialog.getByRole("button", { name: "I have kept them" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText("Two-step sign-in is on")).toBeVisible();
});

test("recovery codes stay in sight while the session or the network goes", async () => {
  server([device("Safari on iPhone", true)], { factors: [factor], recovery_codes_left: 1 });
  await show();
  await page.getByRole("button", { name: "New recovery codes" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabelText("Your password").fill("right");
  await dialog.getByRole("button", { name: "Make new codes" }).click();
  for (const code of CODES) await expect.element(dialog.getByText(code)).toBeVisible();
  await signInOnPhone(true);
  await expect.element(page.getByText("Sign in again to change how you sign in.")).toBeInTheDocument();
  for (const code of CODES) await expect.element(dialog.getByText(code)).toBeVisible();
});

test("an app with a long name can be told from others on a phone, and when it was used is said as a sentence", async () => {
  await page.viewport(390, 844);
  const name = "Authenticator app of the old Pixel 9 Pro";
  const factors = [{ ...factor, name, last_used_at: new Date().toISOString() }];
  server([device("Safari on iPhone", true)], { factors, recovery_codes_left: 1 });
  await show();
  await expect.element(page.getByText("Last used just now")).toBeVisible();
  const shown = page.getByText(name).element();
  expect(shown.scrollWidth).toBeLessThanOrEqual(shown.clientWidth);
});

test("an authenticator app is removed by the password", async () => {
  const sent = server([device("Safari on iPhone", true)], { factors: [factor], recovery_codes_left: 1 });
  await show();
  await expect.element(page.getByText("1 recovery code is left.")).toBeVisible();
  await page.getByRole("button", { name: "Remove Pixel" }).click();
  await page.getByRole("dialog").getByLabelText("Your password").fill("right");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Remove Pixel" })).not.toBeInTheDocument();
  await expect.element(page.getByRole("heading", { name: "Two-step sign-in" })).toHaveFocus();
  expect(sent).toEqual([{ path: "/auth/factors/f1", method: "DELETE", body: { password: "right" } }]);
});

/** How a sitter gives other calendars the schedule, and takes it back; only the server's answers are played. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { closePhone, openPhone, signInOnPhone } from "../../../test/phone";
import { type CalendarAddress, loadRest } from "../../core";
import { setSession } from "../../data/session/session";
import { ConfirmHost, ToastHost } from "../../ui";
import { CalendarSection } from "./CalendarSection";

const NONE: CalendarAddress = { created_at: null, url: null };
const address = (n: number) => `https://walkies.example.com/api/calendar/secret${n}.ics`;

/** A server that gives each address once; the methods that it was called with beside reads. */
function server(known: CalendarAddress) {
  const sent: string[] = [];
  let now = known;
  vi.spyOn(window, "fetch").mockImplementation((_, init) => {
    const method = init?.method ?? "GET";
    if (method === "GET") return Promise.resolve(Response.json({ success: true, data: { ...now, url: null } }));
    sent.push(method);
    now = method === "POST" ? { created_at: new Date().toISOString(), url: address(sent.length) } : NONE;
    return Promise.resolve(Response.json({ success: true, data: now }));
  });
  return sent;
}

const show = () =>
  render(
    <At path="/">
      <CalendarSection />
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

test("an address is made, seen once and copied", async () => {
  const sent = server(NONE);
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const shown = await show();
  await page.getByRole("button", { name: "Make an address" }).click();
  await expect.element(page.getByText(address(1))).toBeVisible();
  await page.getByRole("button", { name: "Copy address" }).click();
  expect(copied).toHaveBeenCalledWith(address(1));
  expect(sent).toEqual(["POST"]);
  await shown.unmount();
  await show();
  await expect.element(page.getByRole("button", { name: "Make a new address" })).toBeVisible();
  expect(document.body.textContent).not.toContain(address(1));
});

test("a new address is made after a question, in place of the one of before", async () => {
  const sent = server({ created_at: "2026-11-20T09:00:00.000Z", url: null });
  await show();
  await page.getByRole("button", { name: "Make a new address" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  expect(sent).toEqual([]);
  await page.getByRole("button", { name: "Make a new address" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make a new one" }).click();
  await expect.element(page.getByText(address(1))).toBeVisible();
});

test("an address is ended after a question", async () => {
  const sent = server({ created_at: "2026-11-20T09:00:00.000Z", url: null });
  await show();
  await page.getByRole("button", { name: "End the address" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End it" }).click();
  await expect.element(page.getByRole("button", { name: "Make an address" })).toBeVisible();
  expect(sent).toEqual(["DELETE"]);
});

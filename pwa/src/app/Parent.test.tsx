/** The shell of pet parents' screens on the real core and a real IndexedDB, with a server that says whose client the person is. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { cleanup, render } from "vitest-browser-react";
import { At } from "../../test/At";
import { AT } from "../../test/phone";
import { newRecords, pull, type SitterRecords } from "../../test/support/standIn";
import { emptyPhone } from "../../test/support/testing";
import { loadRest, newClient, newId, type SitterOfClient } from "../core";
import { enterPlace } from "../data/account/auth";
import type { FormerSitter } from "../data/portal/portal";
import { setSession } from "../data/session/session";
import { changeUser, type SessionUser, userOnThisPhone } from "../data/session/sessionDb";
import { ConfirmHost, ToastHost } from "../ui";
import Parent from "./Parent";

let sam: SessionUser;
let olga: SitterOfClient;
let records: SitterRecords;

const sitter = (name: string): SitterOfClient => ({
  sitter_id: newId(),
  client_id: newId(),
  name,
  business_name: "",
  phone: "",
});

beforeEach(async () => {
  await loadRest();
  await emptyPhone();
  await page.viewport(390, 844);
  localStorage.clear();
  sam = { id: newId(), email: "sam@example.com", name: "Sam Reyes", role: "client", sitter_id: null };
  olga = sitter("Olga");
  records = newRecords(1);
  const d = { ...newClient(olga.client_id), created_at: AT, emergency_contact: "Lee", vet: "Dr. Cole" };
  records.feed.set("client", { t: "client", id: d.id, rev: 1, d });
  vi.spyOn(window, "fetch").mockImplementation((input) => {
    const { pathname, searchParams } = new URL(input as string, location.href);
    const done = (data: unknown) => Promise.resolve(Response.json({ success: true, data }));
    if (pathname === "/api/client/sitters") return done([olga]);
    if (pathname === "/api/sync/pull") return done(pull(records, searchParams, olga.sitter_id));
    return Promise.reject(new TypeError("no network"));
  });
});
afterEach(async () => {
  await cleanup();
  await setSession(undefined);
  await enterPlace(sam.id, undefined);
});

/** Opens the app of the person, who knows Olga and has not been told of these former sitters yet. */
async function show(...left: FormerSitter[]): Promise<void> {
  await setSession({ token: "token", user: sam, needs_auth: false });
  await changeUser(sam.id, () => ({ sitters: [olga], left }));
  await render(
    <At path="/client">
      <Parent />
      <ConfirmHost />
      <ToastHost />
    </At>,
  );
  await expect.element(page.getByText("No visits yet")).toBeVisible();
}

test("an ended access is told beside another sitter's screens, with the booked visit, until it was read", async () => {
  await show({ ...sitter("Dana"), n_booked: 1, first_booked: "2199-01-01" });
  const banner = page.getByRole("status").filter({ hasText: "has ended your access" });
  await expect.element(banner).toHaveTextContent("Dana has ended your access or left Walkies.");
  const booked = "1 visit was booked with Dana, on Jan 1, 2199. Ask them whether it takes place.";
  await expect.element(banner).toHaveTextContent(booked);
  const navigation = page.getByRole("navigation", { name: "Main" });
  await navigation.getByRole("link", { name: "Pets" }).click();
  await expect.element(page.getByRole("heading", { name: "Pets & home" })).toBeVisible();
  await expect.element(banner).toBeVisible();
  await banner.getByRole("button", { name: "OK" }).click();
  await expect.element(banner).not.toBeInTheDocument();
  await navigation.getByRole("link", { name: "Visits" }).click();
  await expect.element(page.getByText("No visits yet")).toBeVisible();
  expect(banner.query()).toBeNull();
  expect((await userOnThisPhone(sam.id))?.left).toEqual([]);
});

test.each([
  [1, "1 unread message"],
  [2, "2 unread messages"],
])("a count of %i at a parent's messages is read out as %s", async (sitter_count, words) => {
  const d = { id: olga.client_id, created_at: AT, sitter_count, last_message_sender_type: "sitter" };
  records.feed.set("conversation", { t: "conversation", id: d.id, rev: 1, d });
  await show();
  const messages = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Messages/ });
  await expect.element(messages).toHaveAccessibleName(new RegExp(`${words}$`));
});

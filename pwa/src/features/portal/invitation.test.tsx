/** The page of an invitation for a sitter who is signed in. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { AtScreen } from "../../../test/At";
import { aClient, closePhone, openPhone, pullRows, rowsOf } from "../../../test/phone";
import { loadCore, loadRest, newId } from "../../core";
import { rolesOf } from "../../data";
import { currentSession, setSession } from "../../data/session/session";
import Invitation from "./Invitation";

await loadCore();

const CODE = "KXV3CODE";
const theirs = newId();
const own = aClient({ name: "Dana" });
const user = { id: newId(), email: "robin@example.com", name: "Robin", role: "sitter" as const, sitter_id: newId() };
const added = vi.fn();
/** The record that the code is for. */
let invited: string;

beforeEach(async () => {
  invited = theirs;
  await loadRest();
  await page.viewport(390, 844);
  await openPhone(rowsOf(own));
  await setSession({ token: "token", user, needs_auth: false });
  vi.spyOn(window, "fetch").mockImplementation((input, init) => {
    const path = (input as string).replace("/api", "");
    const done = (data: unknown) => Promise.resolve(Response.json({ success: true, data }));
    if (path.startsWith("/invites/")) return done({ client_id: invited, sitter_name: "Mara Lind", business_name: "" });
    added(path, JSON.parse((init?.body as string | null) ?? "null"));
    return done({ ...user, role: "client", roles: ["sitter", "client"], sitter_id: null });
  });
});
afterEach(async () => {
  await setSession(undefined);
  sessionStorage.clear();
  await closePhone();
  added.mockReset();
});

const show = () =>
  render(
    <AtScreen path={`/client?client_id=${invited}&code=${CODE}`} route="/client">
      <Invitation />
    </AtScreen>,
  );

test("a sitter is told who invites, and becomes a pet parent, too, with the same email", async () => {
  await show();
  await expect.element(page.getByRole("heading", { name: "Mara Lind invites you" })).toBeVisible();
  await expect.element(page.getByText(/You are signed in as a sitter \(robin@example\.com\)/)).toBeVisible();
  await page.getByRole("button", { name: "Accept as a pet parent" }).click();
  await vi.waitFor(() => expect(rolesOf(currentSession().user ?? user)).toEqual(["sitter", "client"]));
  expect(added.mock.calls).toEqual([["/auth/roles", { role: "client" }]]);
  expect(JSON.parse(sessionStorage.getItem("walkies-invite") ?? "null")).toEqual({ client_id: theirs, code: CODE });
});

test("'Not now' goes back to the day and changes nothing", async () => {
  await show();
  await page.getByRole("button", { name: "Not now" }).click();
  await vi.waitFor(() => expect(sessionStorage.getItem("walkies-invite")).toBeNull());
  expect(added).not.toHaveBeenCalled();
});

const accept = () => page.getByRole("button", { name: "Accept as a pet parent" });
const isKept = () => sessionStorage.getItem("walkies-invite") !== null;

test("an invitation of the own business is for somebody else, and is left with the page", async () => {
  invited = own.id;
  await show();
  await expect.element(page.getByText("You sent this invitation yourself. It is for your client.")).toBeVisible();
  expect(accept().query()).toBeNull();
  await vi.waitFor(() => expect(isKept()).toBe(true));
  await page.getByRole("link", { name: "Back to my day" }).click();
  expect(isKept()).toBe(false);
});

test("whose an invitation is has to be known before it is offered", async () => {
  await closePhone();
  await openPhone("nothing pulled");
  invited = own.id;
  await show();
  await expect.element(page.getByRole("heading", { name: "Invitation" })).toBeVisible();
  await vi.waitFor(() => expect(isKept()).toBe(true));
  await expect.element(page.getByRole("status", { name: "Loading your clients" })).toBeVisible();
  expect(accept().query()).toBeNull();
  await pullRows(...rowsOf(own));
  await expect.element(page.getByText("You sent this invitation yourself. It is for your client.")).toBeVisible();
});

test("an invitation that is good no longer is left with the page", async () => {
  vi.mocked(window.fetch).mockImplementation(() =>
    Promise.resolve(Response.json({ success: false, code: "gone", error: "Gone" }, { status: 410 })),
  );
  await show();
  await vi.waitFor(() => expect(isKept()).toBe(true));
  await page.getByRole("link", { name: "Back to my day" }).click();
  expect(isKept()).toBe(false);
});

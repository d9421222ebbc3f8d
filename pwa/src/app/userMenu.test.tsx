/** The user menu and the switch of a person with both roles, on a real IndexedDB; the server is played. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../test/At";
import { closePhone, openPhone } from "../../test/phone";
import { newId } from "../core";
import { business, type Role } from "../data";
import { mayShow, refreshRoles } from "../data/account/roles";
import { setSession } from "../data/session/session";
import { ToastHost } from "../ui";
import { UserMenu } from "./UserMenu";

let user: { id: string; email: string; name: string; role: Role; roles: Role[]; sitter_id: string };

beforeEach(async () => {
  await page.viewport(1280, 800);
  await openPhone([]);
  const id = business().store.userId;
  user = { id, email: "mara@example.com", name: "Mara", role: "sitter", roles: ["sitter"], sitter_id: newId() };
  vi.spyOn(window, "fetch").mockImplementation((input) => {
    if (input !== "/api/auth/user") return Promise.reject(new TypeError("no network"));
    return Promise.resolve(Response.json({ success: true, data: { ...user, roles: ["sitter", "client"] } }));
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await closePhone();
  await setSession(undefined);
});

const change = () => page.getByRole("menuitem", { name: "Switch to Pet parent" });

async function open(roles: Role[]): Promise<void> {
  await setSession({ token: "token", user: { ...user, roles }, needs_auth: false });
  await render(
    <At path="/scheduling">
      <UserMenu />
      <ToastHost />
    </At>,
  );
  await page.getByRole("button", { name: "User menu of Mara" }).click();
}

test("a role that was added on another device is offered once the user menu is opened", async () => {
  await open(["sitter"]);
  await expect.element(change()).toBeVisible();
});

test("a switch that is pressed twice happens once", async () => {
  await open(["sitter", "client"]);
  await expect.element(change()).toBeVisible();
  const push = vi.spyOn(history, "pushState");
  const button = change().element() as HTMLElement;
  button.click();
  button.click();
  await vi.waitFor(() => expect(location.pathname).toBe("/client"));
  // What the second press had begun would be through with the disk by now.
  await mayShow("client");
  expect(push).toHaveBeenCalledTimes(1);
});

test("a switch says why it does not happen where the phone's storage fails", async () => {
  await open(["sitter", "client"]);
  await expect.element(change()).toBeVisible();
  vi.spyOn(indexedDB, "open").mockImplementation(() => {
    throw new DOMException("broken", "UnknownError");
  });
  await change().click();
  await expect.element(page.getByText(/could not store that\. Is it full\?$/)).toBeVisible();
  expect(location.pathname).toBe("/scheduling");
});

test("roles that this phone could not store are nothing that breaks: they are asked again the next time", async () => {
  await setSession({ token: "token", user, needs_auth: false });
  const broken = vi.spyOn(indexedDB, "open").mockImplementation(() => {
    throw new DOMException("broken", "UnknownError");
  });
  await expect(refreshRoles()).resolves.toBeUndefined();
  expect(broken).toHaveBeenCalled();
});

/** The screens of a pet parent without a sitter: following a typed code, and the account. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { AT } from "../../../test/phone";
import { loadRest, newId } from "../../core";
import { type FormerSitter, startPortal } from "../../data/portal/portal";
import { currentSession, setSession } from "../../data/session/session";
import { changeUser } from "../../data/session/sessionDb";
import { codeIn } from "../../parts/account/CodeForm";
import { ConfirmHost, ToastHost } from "../../ui";
import { NoSitter } from "./NoSitter";

const CODE = "kXv3-code";
const CLIENT = "0196f0a0-0000-7000-8000-00000000000c";

beforeEach(async () => {
  await loadRest();
  await page.viewport(390, 844);
  const user = { id: newId(), email: "sam@example.com", name: "Sam Reyes", role: "client" as const, sitter_id: null };
  await setSession({ token: "token", user, needs_auth: false });
  vi.spyOn(window, "fetch").mockImplementation((input) => {
    const path = (input as string).replace("/api", "");
    const done = (data: unknown) => Promise.resolve(Response.json({ success: true, data }));
    if (path === `/invites/${CODE}`) return done({ client_id: CLIENT, sitter_name: "Mara", business_name: "" });
    if (path === "/auth/sessions") {
      return done([{ id: newId(), name: "Pixel", created_at: AT, last_used_at: AT, is_current: false }]);
    }
    if (path === "/auth/factors") return done({ factors: [], recovery_codes_left: 0 });
    const error = "This invitation is not known.";
    return Promise.resolve(
      Response.json({ success: false, code: "not_found", error, message: error }, { status: 404 }),
    );
  });
});
afterEach(() => setSession(undefined));

const onInvite = vi.fn();

const show = (path: string) =>
  render(
    <At path={path}>
      <NoSitter onInvite={onInvite} />
      <ConfirmHost />
      <ToastHost />
    </At>,
  );

test("a code is typed, and a wrong one is told where it was typed", async () => {
  await show("/client");
  const field = page.getByLabelText("Code or link");
  await field.fill("nonsense");
  await page.getByRole("button", { name: "Connect" }).click();
  await expect.element(page.getByText("This invitation is not known.")).toBeVisible();
  expect(onInvite).not.toHaveBeenCalled();
  await field.fill(
    `Hello Sam! With this link: https://walkies.test/client?client_id=${CLIENT}&code=${CODE} It is good`,
  );
  await page.getByRole("button", { name: "Connect" }).click();
  await expect.poll(() => onInvite.mock.calls).toEqual([[{ client_id: CLIENT, code: CODE }]]);
});

test("the code is found in a whole message, in a link, and alone", () => {
  const link = `https://walkies.test/client?client_id=${CLIENT}&code=${CODE}`;
  expect([` ${CODE} `, link, `See ${link} It works for 14 days.`].map(codeIn)).toEqual([CODE, CODE, CODE]);
});

test("who has no sitter has an account all the same: export, devices, second factor, password, and its end", async () => {
  await show("/client");
  await page.getByRole("link", { name: "Account" }).click();
  await expect.element(page.getByRole("heading", { name: "Account", level: 1 })).toBeVisible();
  for (const name of ["Export everything", "Change password", "Sign out Pixel"]) {
    await expect.element(page.getByRole("button", { name })).toBeVisible();
  }
  await expect.element(page.getByRole("heading", { name: "Two-step sign-in" })).toBeVisible();
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete account" });
  await expect.element(dialog).toHaveTextContent("Your sitters keep what they have about you");
  await expect.element(dialog).not.toHaveTextContent("mileage");
});

test("the email is changed by the password and the code for the new address", async () => {
  const user = { id: newId(), email: "sam@example.com", name: "Sam Reyes", role: "client" as const, sitter_id: null };
  await setSession({ token: "token", user, needs_auth: false });
  const known = window.fetch;
  const sent: unknown[] = [];
  vi.spyOn(window, "fetch").mockImplementation((input, init) => {
    const path = (input as string).replace("/api", "");
    if (!path.startsWith("/auth/email")) return known(input, init);
    sent.push(JSON.parse(init?.body as string));
    const data = path === "/auth/email" ? { token: "T" } : { ...user, email: "new@example.com" };
    return Promise.resolve(Response.json({ success: true, data }));
  });
  await show("/client/account");
  await page.getByRole("button", { name: "Change email" }).click();
  const dialog = page.getByRole("dialog", { name: "Change email" });
  await dialog.getByLabelText("New email").fill("new@example.com");
  await dialog.getByLabelText("Password", { exact: true }).fill("secret words");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect.element(dialog.getByText(/The code for new@example\.com has eight digits/)).toBeVisible();
  await dialog.getByLabelText("Code").fill("12345678");
  await dialog.getByRole("button", { name: "Change email" }).click();
  await expect.element(page.getByText("Email changed")).toBeVisible();
  await expect.element(page.getByText("new@example.com", { exact: true })).toBeVisible();
  expect(sent).toEqual([
    { email: "new@example.com", password: "secret words" },
    { token: "T", code: "12345678" },
  ]);
});

/** Shows the first screen of somebody without a sitter, who has not been told of these former ones yet. */
async function showFormer(...left: FormerSitter[]): Promise<void> {
  const known = vi.mocked(window.fetch).getMockImplementation();
  vi.spyOn(window, "fetch").mockImplementation((input, init) =>
    input === "/api/client/sitters"
      ? Promise.resolve(Response.json({ success: true, data: [] }))
      : (known?.(input, init) ?? Promise.reject(new TypeError("no network"))),
  );
  await changeUser(currentSession().user?.id ?? "", () => ({ left }));
  await startPortal(null);
  await show("/client");
}

const former = (name: string, booked: Partial<FormerSitter> = {}): FormerSitter => ({
  sitter_id: newId(),
  client_id: newId(),
  name,
  business_name: "",
  phone: "",
  ...booked,
});

test("an ended access says how many visits were booked with each sitter, and when the next is", async () => {
  const two = { n_booked: 2, first_booked: "2199-01-01" };
  const one = { n_booked: 1, first_booked: "2199-02-03" };
  await showFormer(former("Dana", two), former("Kim", one), former("Olga"));
  const banner = page.getByRole("status").filter({ hasText: "ended your access" });
  await expect
    .element(banner)
    .toHaveTextContent(
      "Dana, Kim, Olga have ended your access or left Walkies. Their information is no longer here. " +
        "2 visits were booked with Dana, the next on Jan 1, 2199. Ask them whether they take place. " +
        "1 visit was booked with Kim, on Feb 3, 2199. Ask them whether it takes place. " +
        "If you did not expect it, ask them.",
    );
  await banner.getByRole("button", { name: "OK" }).click();
  await expect.element(banner).not.toBeInTheDocument();
});

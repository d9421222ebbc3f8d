/** Joining and signing in step by step; only the server's answers are played. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { loadRest, type SignUpRules } from "../../core";
import { currentSession, setSession } from "../../data/session/session";
import JoinScreen from "../join/JoinScreen";
import ForgotPasswordScreen from "./ForgotPasswordScreen";
import SignInScreen from "./SignInScreen";

const OPEN: SignUpRules = { mode: "open", sends_mail: true, is_invited: false, email: null, plans: [] };
const entered = {
  token: "token",
  device: "a secret of this phone",
  user: {
    id: "00000000-0000-7000-8000-000000000001",
    email: "mara@example.com",
    name: "Mara",
    role: "client",
    sitter_id: null,
  },
};

/** A server that knows one code; what it was sent. */
function server(rules: SignUpRules, answers: Record<string, unknown> = {}) {
  const sent: { path: string; body: Record<string, unknown> }[] = [];
  vi.spyOn(window, "fetch").mockImplementation((input, init) => {
    const path = (input as string).replace("/api", "");
    if (!init?.body) return Promise.resolve(Response.json({ success: true, data: rules }));
    const body = JSON.parse(init.body as string) as Record<string, unknown>;
    sent.push({ path, body });
    const isRight = body.code === undefined || body.code === "12345678";
    const fields = { code: "That code is wrong or has expired" };
    return Promise.resolve(
      isRight
        ? Response.json({ success: true, data: answers[path] ?? entered })
        : Response.json({ success: false, code: "invalid", error: "x", message: "x", fields }, { status: 422 }),
    );
  });
  return sent;
}

const show = (screen: "join" | "login", query = "") =>
  render(<At path={`/${screen}${query}`}>{screen === "join" ? <JoinScreen /> : <SignInScreen />}</At>);

/** The sign-up that was waited for is over: some time after somebody is in, and not while the next test waits for its own. */
const forgotten = () => vi.waitFor(() => expect(sessionStorage).toHaveLength(0));

async function fillJoin(): Promise<void> {
  await page.getByLabelText("Your name").fill("Mara");
  await page.getByLabelText("Password", { exact: true }).fill("seven quiet leashes");
  await page.getByRole("button", { name: "Create account" }).click();
}

beforeEach(() => loadRest());
afterEach(async () => {
  await setSession(undefined);
  localStorage.clear();
  sessionStorage.clear();
});

test("who joins types the code from the mail, and a wrong one is said", async () => {
  const sent = server(OPEN, { "/sitters/register": { confirmation: "c", expires_in_seconds: 1800 } });
  await show("join");
  await page.getByLabelText("Email").fill("mara@example.com");
  await fillJoin();
  await expect.element(page.getByText("We've emailed a code to mara@example.com.")).toBeVisible();
  expect(currentSession().state).not.toBe("signed_in");
  await page.getByLabelText("Code").fill("00000000");
  await page.getByRole("button", { name: "Join" }).click();
  await expect.element(page.getByText("That code is wrong or has expired")).toBeVisible();
  await page.getByLabelText("Code").fill("12345678");
  await page.getByRole("button", { name: "Join" }).click();
  await vi.waitFor(() => expect(currentSession().state).toBe("signed_in"));
  expect(sent.at(-1)).toEqual({ path: "/sitters/verify-email", body: { confirmation: "c", code: "12345678" } });
  await forgotten();
});

test("who was in the mail while the page was forgotten goes on at the code", async () => {
  const sent = server(OPEN, { "/sitters/register": { confirmation: "c", expires_in_seconds: 1800 } });
  const first = await show("join");
  await page.getByLabelText("Email").fill("mara@example.com");
  await fillJoin();
  await expect.element(page.getByText("We've emailed a code to mara@example.com.")).toBeVisible();
  expect(JSON.stringify(sessionStorage)).not.toContain("seven quiet leashes");
  await first.unmount();
  await show("join");
  await page.getByLabelText("Code").fill("12345678");
  await page.getByRole("button", { name: "Join" }).click();
  await vi.waitFor(() => expect(currentSession().state).toBe("signed_in"));
  expect(sent.at(-1)).toEqual({ path: "/sitters/verify-email", body: { confirmation: "c", code: "12345678" } });
  await forgotten();
});

test("a code that is not good any more is not waited for", async () => {
  server(OPEN, { "/sitters/register": { confirmation: "c", expires_in_seconds: 0 } });
  const first = await show("join");
  await page.getByLabelText("Email").fill("mara@example.com");
  await fillJoin();
  await expect.element(page.getByText("We've emailed a code to mara@example.com.")).toBeVisible();
  await first.unmount();
  await show("join");
  await expect.element(page.getByRole("button", { name: "Create account" })).toBeVisible();
});

test("who goes back from the code is at the address", async () => {
  server(OPEN, { "/sitters/register": { confirmation: "c", expires_in_seconds: 1800 } });
  await show("join");
  await page.getByLabelText("Email").fill("mara@example.com");
  await fillJoin();
  await page.getByRole("button", { name: "No email? Check the address and try again" }).click();
  await expect.element(page.getByLabelText("Email")).toHaveFocus();
});

test("who goes back from the second step is at the password", async () => {
  server(OPEN, { "/auth/signin": { challenge: "c", factors: ["totp"] } });
  await show("login");
  await page.getByLabelText("Email").fill("mara@example.com");
  await page.getByLabelText("Password", { exact: true }).fill("seven quiet leashes");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Back" }).click();
  await expect.element(page.getByLabelText("Password", { exact: true })).toHaveFocus();
});

test("a server with mail sends the person to the email", async () => {
  server(OPEN, { "/sitters/register": { confirmation: "c", expires_in_seconds: 1800 } });
  await show("join");
  await page.getByLabelText("Email").fill("mara@example.com");
  await fillJoin();
  await expect.element(page.getByRole("heading", { name: "Check your email", level: 1 })).toBeVisible();
  await expect.element(page.getByText(/administrator/)).not.toBeInTheDocument();
});

test("a server without mail says where the code is", async () => {
  server({ ...OPEN, sends_mail: false }, { "/sitters/register": { confirmation: "c", expires_in_seconds: 1800 } });
  await show("join");
  await page.getByLabelText("Email").fill("mara@example.com");
  await fillJoin();
  await expect.element(page.getByText(/Ask its administrator for your code/)).toBeVisible();
  await expect.element(page.getByText("There is a code for mara@example.com.")).toBeVisible();
  await expect.element(page.getByText(/emailed|Check your email|code from the mail/)).not.toBeInTheDocument();
});

test("an invitation names the address and needs no code", async () => {
  const sent = server({ ...OPEN, mode: "invite", is_invited: true, email: "mara@example.com" });
  await show("join", "?invitation=secret");
  await expect.element(page.getByLabelText("Email")).toHaveValue("mara@example.com");
  await expect.element(page.getByLabelText("Email")).toBeDisabled();
  await fillJoin();
  await vi.waitFor(() => expect(currentSession().state).toBe("signed_in"));
  expect(sent[0]?.body).toMatchObject({ email: "mara@example.com", invitation: "secret" });
});

test.each([
  ["closed", "", "This server takes no new accounts."],
  ["invite", "", "This server takes new accounts by invitation only."],
  ["open", "?invitation=old", "This invitation is no longer valid."],
] as const)("sign-up that is %s says so instead of a form%s", async (mode, query, said) => {
  server({ ...OPEN, mode });
  await show("join", query);
  await expect.element(page.getByText(said)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Create account" })).not.toBeInTheDocument();
});

test("a second factor is asked for after the password, and a phone is known from then on", async () => {
  const sent = server(OPEN, { "/auth/signin": { challenge: "ch", factors: ["totp"], expires_in_seconds: 300 } });
  const first = await show("login");
  const signIn = async () => {
    await page.getByLabelText("Email").fill("mara@example.com");
    await page.getByLabelText("Password", { exact: true }).fill("seven quiet leashes");
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await signIn();
  await expect.element(page.getByRole("heading", { name: "One more step" })).toBeVisible();
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await expect.element(page.getByLabelText("Recovery code")).toHaveFocus();
  await page.getByRole("button", { name: "Back" }).click();
  await signIn();
  await page.getByLabelText("Code").fill("12345678");
  await page.getByRole("button", { name: "Sign in" }).click();
  await vi.waitFor(() => expect(currentSession().state).toBe("signed_in"));
  expect(sent.at(-1)).toEqual({ path: "/auth/signin/factor", body: { challenge: "ch", code: "12345678" } });
  expect(JSON.stringify(localStorage)).not.toContain("mara@example.com");

  await setSession(undefined);
  await first.unmount();
  await show("login");
  await signIn();
  await vi.waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ device: "a secret of this phone" }));
});

test("what a password must be is said before it is typed", async () => {
  server(OPEN, {});
  await show("join");
  const password = page.getByLabelText("Password", { exact: true });
  await expect.element(password).toHaveAccessibleDescription(/^At least 8 characters\./);
});

test("a forgotten password says where its link is, also on a server that sends no mail", async () => {
  for (const [sends_mail, said] of [
    [true, "If mara@example.com has an account, a link is on its way."],
    [false, "Email isn't set up on this server"],
  ] as const) {
    server({ ...OPEN, sends_mail });
    const screen = await render(
      <At path="/auth/forgot-password">
        <ForgotPasswordScreen />
      </At>,
    );
    await page.getByLabelText("Email").fill("mara@example.com");
    await page.getByRole("button", { name: "Send link" }).click();
    await expect.element(page.getByText(said)).toBeVisible();
    await screen.unmount();
  }
});

test("a pet parent who forgot the password stays in the pet parents' app", async () => {
  server(OPEN);
  await render(
    <At path="/auth/forgot-password">
      <ForgotPasswordScreen side="parent" />
    </At>,
  );
  await expect.element(page.getByRole("link", { name: "Walkies" })).toHaveAttribute("href", "/client");
});

test("the sign-in of the pet parents' app offers nothing of a sitter's", async () => {
  await render(
    <At path="/client">
      <SignInScreen side="parent" />
    </At>,
  );
  await expect.element(page.getByText("See your pet's visits and reports, and write to your sitter.")).toBeVisible();
  await expect.element(page.getByText(/^New here\? Your sitter sends you a link/)).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Join as a sitter" })).not.toBeInTheDocument();
});

test("a pet parent without an account enters a code that was read out", async () => {
  const CLIENT = "0196f0a0-0000-7000-8000-00000000000c";
  vi.spyOn(window, "fetch").mockImplementation((input) => {
    const data = { client_id: CLIENT, sitter_name: "Mara", business_name: "" };
    if (input === "/api/invites/kXv3") return Promise.resolve(Response.json({ success: true, data }));
    const error = "This invitation is not known.";
    const failure = { success: false, code: "not_found", error, message: error };
    return Promise.resolve(Response.json(failure, { status: 404 }));
  });
  await render(
    <At path="/client">
      <SignInScreen side="parent" />
    </At>,
  );
  await page.getByRole("button", { name: "Enter a code" }).click();
  const dialog = page.getByRole("dialog", { name: "Your sitter's invitation" });
  await dialog.getByLabelText("Code or link").fill("kXv4");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await expect.element(dialog.getByText("This invitation is not known.")).toBeVisible();
  await dialog.getByLabelText("Code or link").fill("kXv3");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await expect.poll(() => location.pathname + location.search).toBe(`/client?client_id=${CLIENT}&code=kXv3`);
});

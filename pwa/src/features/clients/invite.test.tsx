/** Inviting to the portal, and what the client fills in there, too: on the real core, with a server of one call. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { AT, aClient, aPet, closePhone, openPhone, pullConfirmed, pullReach, rowsOf, saved } from "../../../test/phone";
import { type Client, loadRest } from "../../core";
import { ConfirmHost, ToastHost } from "../../ui";
import ClientsScreen from "./ClientsScreen";

const CODE = "ABCDE12345";

/** Bodies of the calls to the server, oldest first; it has no network while `isReachable` is false. */
let asked: object[];
let isReachable: boolean;
/** Why the server mails nothing. */
let notMailed: string | undefined;

beforeEach(async () => {
  await loadRest();
  await page.viewport(390, 844);
  asked = [];
  isReachable = true;
  sendsMail = true;
  notMailed = undefined;
  vi.spyOn(window, "fetch").mockImplementation((input, init) => {
    expect(input).toMatch(/^\/api\/clients\/[^/]+\/invite$/);
    if (!isReachable) return Promise.reject(new TypeError("no network"));
    const form = JSON.parse(init?.body as string) as { send_email: boolean };
    asked.push(form);
    const headers = { "Content-Type": "application/json" };
    if (form.send_email && notMailed) {
      const failure = { success: false, code: "mail_stopped", error: notMailed, message: notMailed };
      return Promise.resolve(new Response(JSON.stringify(failure), { status: 409, headers }));
    }
    const link = `https://walkies.example/client?client_id=1&code=${CODE}`;
    const data = {
      link,
      code: CODE,
      qr: link,
      qr_svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
      text: `Hello Dana! ${link}`,
      expires_at: AT,
      emailed: form.send_email,
      // The client's row on the server, which this phone may not have yet.
      mailed_to: form.send_email ? "dana@new.example.com" : null,
    };
    return Promise.resolve(new Response(JSON.stringify({ success: true, data }), { status: 201, headers }));
  });
});
afterEach(async () => {
  localStorage.removeItem("walkies-invites");
  await closePhone();
});

let sendsMail = true;

/** The client's page, or the list. */
async function show(change: Partial<Client>, at: (id: string) => string = (id) => `/clients/${id}`): Promise<Client> {
  const dana = aClient({ name: "Dana Reyes", ...change });
  await openPhone(rowsOf(dana, aPet(dana, { name: "Rex" })));
  await pullReach({ sends_mail: sendsMail });
  await render(
    <At path={at(dana.id)}>
      <ClientsScreen />
      <ConfirmHost />
      <ToastHost />
    </At>,
  );
  return dana;
}

const dialog = () => page.getByRole("dialog").first();
const choose = async (item: string) => {
  await page.getByRole("button", { name: "More for Dana Reyes" }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

test("text, mail and QR code carry the same link, and the mail makes no other code", async () => {
  await show({ email: "dana@example.com", phone: "(555) 010-4477" });
  await choose("Invite to portal");
  await expect.element(dialog().getByText(`code=${CODE}`)).toBeVisible();
  const link = `https://walkies.example/client?client_id=1&code=${CODE}`;
  await expect
    .element(dialog().getByRole("link", { name: "Text" }))
    .toHaveAttribute("href", `sms:5550104477?&body=${encodeURIComponent(`Hello Dana! ${link}`)}`);
  await expect.element(dialog().getByRole("img", { name: "QR code of the invitation" })).toBeVisible();
  await expect
    .element(dialog().getByText("Or read them this code"))
    .toHaveTextContent(`Or read them this code: ${CODE}. They enter it at https://walkies.example/client.`);
  await dialog().getByRole("button", { name: "Email" }).click();
  await expect.element(page.getByText("The invitation goes to dana@new.example.com by mail.")).toBeVisible();
  expect(asked).toEqual([{ send_email: false }, { code: CODE, send_email: true }]);
});

test("a sitter whose mail does not go out is told why, and the link stays there to be sent otherwise", async () => {
  notMailed = "dana@example.com asked not to get mail from Walkies. Please send the link yourself.";
  await show({ email: "dana@example.com" });
  await choose("Invite to portal");
  await dialog().getByRole("button", { name: "Email" }).click();
  await expect.element(dialog().getByText(notMailed)).toBeVisible();
  await expect.element(dialog().getByText(`code=${CODE}`)).toBeVisible();
  expect(page.getByText("The invitation goes to").elements()).toHaveLength(0);
});

test("who opens the dialog again gets the same code", async () => {
  await show({});
  for (const _ of ["to send a text", "to show the QR code"]) {
    await choose("Invite to portal");
    await expect.element(dialog().getByText(`code=${CODE}`)).toBeVisible();
    await dialog().getByRole("button", { name: "Close" }).click();
  }
  expect(asked).toEqual([{ send_email: false }, { code: CODE, send_email: false }]);
});

test("from the client's card in a wide list it is the same dialog, above the list", async () => {
  await page.viewport(1280, 800);
  await show({}, () => "/clients");
  await page.getByRole("button", { name: "Invite to portal: Dana Reyes" }).click();
  await expect.element(dialog().getByText(`code=${CODE}`)).toBeVisible();
  await dialog().getByRole("button", { name: "Close" }).click();
  await expect.element(page.getByRole("list", { name: "Clients" })).toBeVisible();
});

test("who is in the portal already is not invited from the list", async () => {
  await show({ client_user_id: "0196f0a0-0000-7000-8000-000000000001" }, () => "/clients");
  await expect.element(page.getByRole("link", { name: "Dana Reyes" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: /^Invite/ })).not.toBeInTheDocument();
});

test("a client without an email is not mailed, and the dialog says why", async () => {
  await show({}, (id) => `/clients/${id}?invite=${id}`);
  await expect.element(dialog().getByRole("button", { name: "Email" })).toBeDisabled();
  await expect.element(dialog().getByText("Add an email to this client")).toBeVisible();
});

test("without a network there is no code, and it is tried again", async () => {
  isReachable = false;
  await show({}, (id) => `/clients/${id}?invite=${id}`);
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Unable to connect to server");
  isReachable = true;
  await dialog().getByRole("button", { name: "Try Again" }).click();
  await expect.element(dialog().getByText(`code=${CODE}`)).toBeVisible();
});

test("a linked client is let go, once that was confirmed", async () => {
  const dana = await show({ client_user_id: "0196f0a0-0000-7000-8000-000000000001" });
  await expect.element(page.getByText("In the portal")).toBeVisible();
  await choose("End portal access");
  await dialog().getByRole("button", { name: "End access" }).click();
  await expect.element(page.getByText("Dana Reyes's access ends when this is sent")).toBeVisible();
  expect(saved()).toEqual([{ name: "unlink_client", args: { id: dana.id } }]);
  await expect.element(page.getByText("In the portal")).not.toBeInTheDocument();
  const portal = page.getByRole("region", { name: "Portal" });
  await expect.element(portal).toHaveTextContent("Dana Reyes still has a login. It ends once this is sent.");
  const isGone = page.getByText("Dana Reyes is no longer in the portal");
  await expect.element(isGone).not.toBeInTheDocument();
  await pullConfirmed(...rowsOf({ ...dana, client_user_id: null }));
  await expect.element(isGone).toBeVisible();
  await expect.element(portal).toHaveTextContent("Dana Reyes has no login.");
});

test("two parents of a household are named with when they came, and one of them is let go alone", async () => {
  const [first, second] = ["0196f0a0-0000-7000-8000-000000000001", "0196f0a0-0000-7000-8000-000000000002"];
  const parents = [
    { user_id: first, name: "Dana", email: "", linked_at: null },
    { user_id: second, name: "Alex", email: "alex@example.com", linked_at: AT },
  ];
  const dana = await show({ client_user_id: first, parents });
  const people = page.getByRole("list", { name: "People with a login" });
  await expect.element(people.getByText(/^alex@example\.com, joined/)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Invite another parent" })).toBeVisible();
  await page.getByRole("button", { name: "End access of Alex" }).click();
  await expect.element(dialog().getByText(/Others of the household keep theirs\./)).toBeVisible();
  await dialog().getByRole("button", { name: "End access" }).click();
  await expect.element(page.getByText("Alex's access ends when this is sent")).toBeVisible();
  expect(saved()).toEqual([{ name: "unlink_client", args: { id: dana.id, user_id: second } }]);
  await expect.element(page.getByText("In the portal")).toBeVisible();
  await expect.element(people.getByText("Alex")).not.toBeInTheDocument();
  await expect.element(page.getByText(/a login that you ended works until this is sent/)).toBeVisible();
});

test("house, emergency contact and vet are kept with the client and shown", async () => {
  const dana = await show({}, (id) => `/clients/${id}?form=edit`);
  await dialog().getByLabelText("House instructions").fill("Food is in the pantry");
  await dialog().getByLabelText("Emergency contact").fill("Lee, 555 010 0101");
  await dialog().getByLabelText("Vet").fill("Dr. Cole");
  await dialog().getByRole("button", { name: "Save Client" }).click();
  const home = page.getByRole("region", { name: "Home" });
  for (const words of ["Food is in the pantry", "Lee, 555 010 0101", "Dr. Cole"]) {
    await expect.element(home.getByText(words)).toBeVisible();
  }
  const changes = {
    house_instructions: "Food is in the pantry",
    emergency_contact: "Lee, 555 010 0101",
    vet: "Dr. Cole",
  };
  expect(saved()).toEqual([{ name: "update_client", args: { id: dana.id, changes, dogs: [], removed_dogs: [] } }]);
});

test("vet, vet after hours and emergency contact are called from the client's page", async () => {
  await show({
    vet: "Dr. Cole (212) 555-0142, after hours (212) 555-0143",
    emergency_contact: "Lee, +1 555 010 0101",
    house_instructions: "Alarm company 212 555 0199",
  });
  const home = page.getByRole("region", { name: "Home" });
  await expect.element(home.getByRole("link", { name: "Call Vet, Dr. Cole" })).toBeVisible();
  const calls = home.getByRole("link").elements();
  expect(calls.map((it) => [it.textContent.trim(), it.getAttribute("href")])).toEqual([
    ["Call Vet, Dr. Cole", "tel:2125550142"],
    ["Call Vet, after hours", "tel:2125550143"],
    ["Call Emergency contact, Lee", "tel:+15550100101"],
  ]);
});

test("what the client changed in the portal is told until it was read", async () => {
  localStorage.clear();
  const at = new Date().toISOString();
  await show({
    parent_changes: [
      { what: "Phone", at: AT },
      { what: "Vet", at },
      { what: "Rex: Breed", at },
    ],
  });
  const news = page.getByText("Vet and Rex: Breed", { exact: true });
  await expect.element(news).toBeVisible();
  await page.getByRole("button", { name: "OK" }).click();
  await expect.element(news).not.toBeInTheDocument();
});

test("an invitation is a mail of the sitter's own on a server that sends none", async () => {
  sendsMail = false;
  await show({ email: "dana@example.com" });
  await choose("Invite to portal");
  const mail = dialog().getByRole("link", { name: "Email" });
  const link = `https://walkies.example/client?client_id=1&code=${CODE}`;
  await expect
    .element(mail)
    .toHaveAttribute(
      "href",
      `mailto:dana%40example.com?subject=Your%20invitation%20to%20Walkies&body=${encodeURIComponent(`Hello Dana! ${link}`)}`,
    );
  expect(asked).toEqual([{ send_email: false }]);
});

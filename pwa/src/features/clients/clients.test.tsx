/** Clients on the real core and a real IndexedDB, with no network at all. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { AtScreen } from "../../../test/At";
import { countAdded } from "../../../test/drawn";
import { AT, aClient, aPet, aService, closePhone, openPhone, pullRows, rowsOf, saved } from "../../../test/phone";
import { loadRest, newId, newOffering } from "../../core";
import { business } from "../../data";
import ClientsScreen from "./ClientsScreen";

const show = (path = "/clients") =>
  render(
    <AtScreen path={path} route="/clients/*?">
      <ClientsScreen />
    </AtScreen>,
  );

const dialog = () => page.getByRole("dialog").first();
const field = (name: string) => dialog().getByLabelText(name, { exact: false }).first();
const send = () => dialog().getByRole("button", { name: "Save Client" }).click();

beforeEach(async () => {
  await loadRest();
  await page.viewport(390, 844);
});
afterEach(closePhone);

test("an empty list invites to add the first client", async () => {
  await openPhone([]);
  await show();
  await page.getByRole("button", { name: "Add your first client" }).click();
  await expect.element(dialog().getByRole("heading", { name: "Add Client" })).toBeVisible();
});

test("a client without a pet says so, and its pet is named by one tap", async () => {
  const kim = aClient({ name: "Kim" });
  await openPhone(rowsOf(kim));
  await show();
  await expect.element(page.getByText("No pet yet")).toBeVisible();
  await page.getByRole("link", { name: /Name the pet/ }).click();
  await field("Pet name").fill("Rex");
  await send();
  await expect.element(page.getByText("No pet yet")).not.toBeInTheDocument();
  // The form covers the list until it is saved.
  await expect
    .poll(saved)
    .toMatchObject([
      { name: "update_client", args: { id: kim.id, dogs: [{ is_new: true, changes: { name: "Rex" } }] } },
    ]);
});

test("an address for invoices is typed in the form and stands on the client's page", async () => {
  const kim = aClient({ name: "Kim" });
  await openPhone(rowsOf(kim, aPet(kim, { name: "Bo" })));
  await show(`/clients/${kim.id}?form=edit`);
  await field("Billing address").fill("Kim Ltd\n1 Elm Street");
  await send();
  const address = page.getByRole("region", { name: "Billing address" });
  await expect.element(address).toHaveTextContent("Kim Ltd 1 Elm Street");
  expect(saved()).toMatchObject([{ args: { changes: { billing_address: "Kim Ltd\n1 Elm Street" } } }]);
});

test("the sitter chooses for a client in the portal what is sent while a visit is under way, and for nobody else", async () => {
  const kim = aClient({ name: "Kim", client_user_id: newId() });
  const dana = aClient({ name: "Dana" });
  await openPhone([...rowsOf(kim, aPet(kim, { name: "Bo" })), ...rowsOf(dana, aPet(dana, { name: "Rex" }))]);
  await show(`/clients/${kim.id}`);
  const choice = page.getByRole("group", { name: "Send photos while under way" });
  await expect.element(choice.getByRole("radio", { name: "Ask me" })).toBeChecked();
  await choice.getByText("On", { exact: true }).click({ force: true });
  await expect.element(choice.getByRole("radio", { name: "On" })).toBeChecked();
  const changed = { name: "update_client", args: { id: kim.id, changes: { sends_live: "on" } } };
  expect(saved()).toMatchObject([changed]);
  await closePhone();
  await openPhone(rowsOf(dana, aPet(dana, { name: "Rex" })));
  await show(`/clients/${dana.id}`);
  await expect.element(page.getByRole("button", { name: "Invite to portal" })).toBeVisible();
  expect(choice.query()).toBeNull();
});

test("the sitter lets a client in the portal book open times without asking, and takes that back", async () => {
  const kim = aClient({ name: "Kim", client_user_id: newId() });
  await openPhone(rowsOf(kim, aPet(kim, { name: "Bo" })));
  await show(`/clients/${kim.id}`);
  const choice = page.getByRole("switch", { name: /^Let Kim book open times without asking/ });
  await expect.element(choice).not.toBeChecked();
  await expect.element(page.getByText(/Kim reads this in the form for a new visit\.$/)).toBeVisible();
  await choice.click({ force: true });
  await expect.element(choice).toBeChecked();
  await choice.click({ force: true });
  await expect.element(choice).not.toBeChecked();
  expect(saved()).toMatchObject([
    { name: "update_client", args: { id: kim.id, changes: { books_at_once: true } } },
    { name: "update_client", args: { id: kim.id, changes: { books_at_once: false } } },
  ]);
});

test("a client who left the portal is not said to read that open times can be booked", async () => {
  const kim = aClient({ name: "Kim", books_at_once: true });
  await openPhone(rowsOf(kim, aPet(kim, { name: "Bo" })));
  await show(`/clients/${kim.id}`);
  await expect.element(page.getByText(/This counts once Kim has a login\.$/)).toBeVisible();
});

test("before the first pull nothing is said to be empty", async () => {
  await openPhone("nothing pulled");
  await show();
  await expect.element(page.getByRole("status", { name: "Loading clients" })).toBeVisible();
});

test("all errors of a new client are shown at once and in place, the first with the focus", async () => {
  await openPhone([]);
  await show("/clients?form=add");
  await field("Email").fill("nobody");
  await send();
  await expect.element(dialog().getByText("Client name is required")).toBeVisible();
  await expect.element(dialog().getByText("Invalid email format")).toBeVisible();
  await expect.element(dialog().getByText("At least one dog is required")).toBeVisible();
  await expect.element(field("Client name")).toHaveFocus();
  expect(saved()).toEqual([]);
});

test("a client with two pets is saved with what was touched and nothing else", async () => {
  await openPhone([]);
  await show("/clients?form=add");
  await field("Client name").fill("Dana Whitfield");
  await field("Pet name").fill("Biscuit");
  await dialog().getByRole("button", { name: "Add another pet" }).click();
  await dialog().getByLabelText("Pet name").nth(1).fill("Rex");
  await send();
  await expect.element(page.getByRole("heading", { name: "Dana Whitfield" }).first()).toBeVisible();
  expect(saved()).toEqual([
    {
      name: "create_client",
      args: {
        id: expect.any(String),
        client: { name: "Dana Whitfield" },
        dogs: [
          { id: expect.any(String), is_new: true, changes: { name: "Biscuit" } },
          { id: expect.any(String), is_new: true, changes: { name: "Rex" } },
        ],
      },
    },
  ]);
});

test("a pet of which nothing was entered is none beside one with a name", async () => {
  await openPhone([]);
  await show("/clients?form=add");
  await field("Client name").fill("Dana Whitfield");
  await dialog().getByRole("button", { name: "Add another pet" }).click();
  await dialog().getByRole("button", { name: "Add another pet" }).click();
  await dialog().getByLabelText("Pet name").nth(1).fill("Rex");
  await dialog().getByLabelText("Breed").nth(2).fill("Beagle");
  await send();
  // The one without a name that has something else is asked for it.
  await expect.element(dialog().getByLabelText("Pet name").nth(2)).toHaveFocus();
  await expect.element(dialog().getByText("Pet name is required")).toBeVisible();
  await dialog().getByLabelText("Breed").nth(2).fill("");
  await send();
  await expect.element(page.getByRole("heading", { name: "Dana Whitfield" }).first()).toBeVisible();
  expect(business().phone.clients("")).toMatchObject([{ dogs: [{ name: "Rex" }] }]);
});

test("the example under the rates is the core's price while they are typed", async () => {
  await openPhone([]);
  await show("/clients?form=add");
  const example = dialog().getByRole("definition").first();
  await expect.element(example).toHaveTextContent("$37.50");
  // What nobody has set is no mistake of theirs.
  expect(
    dialog()
      .getByText(/is less than/)
      .query(),
  ).toBeNull();
  await field("Longer walk").fill("20");
  const warning = dialog().getByText("a longer walk for $20.00 is less than 60 min for $35.00");
  await expect.element(warning).toBeVisible();
  await field("Longer walk").fill("60");
  await expect.element(warning).not.toBeInTheDocument();
  await field("30 min walk").fill("40");
  await expect.element(example).toHaveTextContent("$60.00");
  await dialog().getByText("No charge").click({ force: true });
  await expect.element(example).toHaveTextContent("$40.00");
});

test("an edit sends the touched fields of the touched pet alone", async () => {
  const dana = aClient({ name: "Dana" });
  const [rex, luna] = [aPet(dana, { name: "Rex" }), aPet(dana, { name: "Luna", display_order: 1 })];
  await openPhone(rowsOf(dana, rex, luna));
  await show(`/clients/${dana.id}?form=edit`);
  await dialog().getByRole("button", { name: /^Luna/ }).click();
  await dialog().getByLabelText("Breed").nth(1).fill("Beagle");
  await field("Phone").fill("(555) 010-4477");
  await send();
  await expect.element(page.getByText("Client updated")).toBeVisible();
  expect(saved()).toEqual([
    {
      name: "update_client",
      args: {
        id: dana.id,
        changes: { phone: "(555) 010-4477" },
        dogs: [{ id: luna.id, is_new: false, changes: { breed: "Beagle" } }],
        removed_dogs: [],
      },
    },
  ]);
});

test("what was typed is there again after the form was closed, and can be thrown away", async () => {
  await openPhone([]);
  const first = await show("/clients?form=add");
  await field("Client name").fill("Half a na");
  await first.unmount();
  await show("/clients?form=add");
  await expect.element(field("Client name")).toHaveValue("Half a na");
  await dialog().getByRole("button", { name: "Start over" }).click();
  await expect.element(field("Client name")).toHaveValue("");
});

test("a file that is no photo is turned down in the specification's words", async () => {
  await openPhone([]);
  await show("/clients?form=add");
  await dialog()
    .getByLabelText("Choose photo")
    .upload(new File(["words"], "notes.txt", { type: "text/plain" }));
  await expect.element(dialog().getByText("Unsupported file type (use JPEG, PNG, or HEIC)")).toBeVisible();
});

test("a picked photo is shown at once and saved with the pet", async () => {
  await openPhone([]);
  await show("/clients?form=add");
  await field("Client name").fill("Dana");
  await field("Pet name").fill("Rex");
  await dialog()
    .getByLabelText("Choose photo")
    .upload(new File([await aPicture()], "rex.png", { type: "image/png" }));
  await expect.element(dialog().getByRole("button", { name: "Remove", exact: true })).toBeVisible();
  await vi.waitFor(() => expect(document.querySelector("dialog img")).not.toBeNull());
  await send();
  await vi.waitFor(() => expect(business().phone.photosToUpload()).toHaveLength(1));
});

test("a client's page has the newest invoices, the reports, the way into the portal, and weekdays", async () => {
  const dana = aClient({ name: "Dana" });
  const rex = aPet(dana, { name: "Rex" });
  const invoices = [1, 2, 3, 4].map((number) => ({
    id: newId(),
    client_id: dana.id,
    number,
    prefix: "INV-",
    shareId: `aShareIdOfTwentyTwoCh${number}`,
    paid: false,
    issued_on: `2026-11-0${number}`,
    clientData: { name: dana.name, dogName: "Rex" },
    servicesData: [],
    invoiceData: { startDate: "2026-11-01", endDate: "2026-11-01" },
    total: 25,
    shared_at: AT,
  }));
  const visit = aService(dana, rex, { date: "2100-01-01" });
  await openPhone([...rowsOf(dana, rex), { t: "service", d: visit }, ...invoices.map((d) => ({ t: "invoice", d }))]);
  await show(`/clients/${dana.id}`);
  const listed = page.getByRole("region", { name: "Invoices" });
  await expect.element(listed.getByRole("link", { name: /^INV-4/ })).toBeVisible();
  expect(listed.getByRole("listitem").elements()).toHaveLength(3);
  await expect.element(listed.getByRole("link", { name: "1 more" })).toBeVisible();
  await expect.element(page.getByRole("region", { name: "Upcoming" })).toHaveTextContent("Fri, Jan 1, 2100");
  const portal = page.getByRole("region", { name: "Portal" });
  await expect.element(portal.getByRole("button", { name: "Invite to portal" })).toBeVisible();
  expect(page.getByRole("region", { name: "Reports" }).query()).toBeNull();
});

test("a client's page leads to the newest reports of the client alone, and to the others at a tap", async () => {
  const [dana, amir] = [aClient({ name: "Dana" }), aClient({ name: "Amir" })];
  const rex = aPet(dana, { name: "Rex" });
  const report = (client_id: string, day: number, share_id: string | null) => ({
    t: "report",
    d: {
      id: newId(),
      walk_id: newId(),
      client_id,
      dogs: [`Rex ${day}`, "Luna"],
      started_at: `2026-01-0${day}T10:00:00.000Z`,
      share_id,
      shared_at: AT,
    },
  });
  const reports = [1, 2, 3, 4].map((day) => report(dana.id, day, `share-${day}`));
  await openPhone([...rowsOf(dana, rex), ...reports, report(dana.id, 5, null), report(amir.id, 6, "share-6")]);
  await show(`/clients/${dana.id}`);
  const section = page.getByRole("region", { name: "Reports" });
  await expect.element(section.getByRole("link", { name: /^Rex 4 and Luna/ })).toBeVisible();
  const links = () =>
    section
      .getByRole("link")
      .elements()
      .map((it) => it.getAttribute("href"));
  const at = (share: string) => `${location.origin}/report/${share}`;
  expect(links()).toEqual([at("share-4"), at("share-3")]);
  expect(section.getByRole("link").first().element().getAttribute("target")).toBe("_blank");
  // One that the server does not have yet has no address.
  await expect.element(section.getByText("Rex 5 and Luna")).toBeVisible();
  await section.getByRole("button", { name: "Show more (2)" }).click();
  await expect.poll(links).toEqual(["share-4", "share-3", "share-2", "share-1"].map(at));
  expect(section.getByRole("button").elements()).toHaveLength(0);
  await expect.element(section).not.toHaveTextContent("Rex 6");
});

const past = () => page.getByRole("region", { name: "Past" });

/** Reopens the only past visit of the client's page, as its menu offers. */
async function reopenToCorrect(title: string): Promise<void> {
  await past().getByRole("button", { name: "More about Rex" }).click();
  await page.getByRole("menuitem", { name: "Reopen to correct" }).click();
  await page.getByRole("dialog", { name: title }).getByRole("button", { name: "Reopen" }).click();
  await expect.element(page.getByText("Rex is scheduled again")).toBeVisible();
}

test("a completed visit is reopened from the client's page, and an undo completes it again", async () => {
  const dana = aClient({ name: "Dana" });
  const rex = aPet(dana, { name: "Rex" });
  const visit = aService(dana, rex, { date: "2026-01-05", status: "completed", completed_at: AT });
  await openPhone([...rowsOf(dana, rex), { t: "service", d: visit }]);
  await show(`/clients/${dana.id}`);
  await expect.element(past().getByText("Completed", { exact: true })).toBeVisible();
  await reopenToCorrect("Reopen this completed service?");
  expect(saved()).toEqual([{ name: "reopen_service", args: { id: visit.id, corrects: true } }]);
  expect(business().phone.service(visit.id)?.status).toBe("scheduled");
  await expect.element(past().getByText("Completed", { exact: true })).not.toBeInTheDocument();
  // What is scheduled is changed by its form.
  expect(page.getByRole("button", { name: "More about Rex" }).query()).toBeNull();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(past().getByText("Completed", { exact: true })).toBeVisible();
  expect(business().phone.service(visit.id)?.status).toBe("completed");
});

test("a cancelled visit is reopened from the client's page, and an undo cancels it for the same reason", async () => {
  const dana = aClient({ name: "Dana" });
  const rex = aPet(dana, { name: "Rex" });
  const reason = { cancel_reason: "Down with the flu", tells_cancel_reason: true };
  const visit = aService(dana, rex, { date: "2026-01-05", status: "cancelled", ...reason });
  await openPhone([...rowsOf(dana, rex), { t: "service", d: visit }]);
  await show(`/clients/${dana.id}`);
  await expect.element(past().getByText("Cancelled", { exact: true })).toBeVisible();
  await reopenToCorrect("Reopen this cancelled service?");
  expect(saved()).toEqual([{ name: "reopen_service", args: { id: visit.id, corrects: true } }]);
  expect(business().phone.service(visit.id)?.status).toBe("scheduled");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(past().getByText("Cancelled", { exact: true })).toBeVisible();
  expect(saved().at(-1)).toEqual({
    name: "cancel_service",
    args: { id: visit.id, reason: "Down with the flu", tells_reason: true },
  });
});

test("a deleted client can be brought back", async () => {
  const dana = aClient({ name: "Dana" });
  await openPhone(rowsOf(dana, aPet(dana, { name: "Rex" })));
  await show(`/clients/${dana.id}`);
  await page.getByRole("button", { name: "More for Dana" }).click();
  await page.getByRole("menuitem", { name: "Delete client" }).click();
  await expect.element(page.getByText("No clients yet")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(page.getByRole("link", { name: "Dana" })).toBeVisible();
  expect(saved().map((it) => it.name)).toEqual(["delete_client", "restore_client"]);
  expect(
    business()
      .phone.client(dana.id)
      ?.dogs.map((it) => it.name),
  ).toEqual(["Rex"]);
});

test("before a client is deleted, what is unbilled is said and can be billed first", async () => {
  const dana = aClient({ name: "Dana" });
  const rex = aPet(dana, { name: "Rex" });
  const visit = aService(dana, rex, { status: "completed", date: "2026-01-01" });
  await openPhone([...rowsOf(dana, rex), { t: "service", d: visit }]);
  await show(`/clients/${dana.id}`);
  const ask = async () => {
    await page.getByRole("button", { name: "More for Dana" }).click();
    await page.getByRole("menuitem", { name: "Delete client" }).click();
  };
  await ask();
  await expect.element(page.getByText(/1 visit, \$25\.00 unbilled/)).toBeVisible();
  await page.getByRole("button", { name: "Do not bill" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(saved()).toEqual([]);
  await ask();
  await page.getByRole("button", { name: "Do not bill" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect.element(page.getByText("Dana deleted")).toBeVisible();
});

test("a new client begins with the sitter's own prices, and what was seen is sent", async () => {
  const own = { ...newOffering(newId()), name: "30-Minute Walk", category: "Dog Walking", base_price: 28 };
  const walk = { ...own, pricing_type: "duration" as const, duration_minutes: 30 };
  await openPhone([{ t: "offering", d: walk }]);
  await show("/clients?form=add");
  await expect.element(field("30 min walk")).toHaveValue("28.00");
  await field("30 min walk").fill("25");
  await field("Client name").fill("Dana");
  await field("Pet name").fill("Rex");
  await send();
  await vi.waitFor(() => expect(saved()).toHaveLength(1));
  expect(saved()).toMatchObject([{ args: { client: { walk_rate_30min: 25 } } }]);
});

test("a client with visits to come is not deleted, and the way to them is shown", async () => {
  const dana = aClient({ name: "Dana" });
  const rex = aPet(dana, { name: "Rex" });
  const visit = aService(dana, rex, { date: "2199-01-01" });
  await openPhone([...rowsOf(dana, rex), { t: "service", d: visit }]);
  await show(`/clients/${dana.id}`);
  await page.getByRole("button", { name: "More for Dana" }).click();
  await page.getByRole("menuitem", { name: "Delete client" }).click();
  await expect.element(page.getByText("1 upcoming service must be cancelled first.")).toBeVisible();
  await page.getByRole("button", { name: "Show in schedule" }).click();
  await expect.element(page.getByText("elsewhere")).toBeVisible();
  expect(saved()).toEqual([]);
});

test("the search is reached by its key and finds pets", async () => {
  const [dana, amir] = [aClient({ name: "Dana" }), aClient({ name: "Amir" })];
  await openPhone([...rowsOf(dana, aPet(dana, { name: "Biscuit" })), ...rowsOf(amir, aPet(amir, { name: "Rex" }))]);
  await show();
  await userEvent.keyboard("/");
  await userEvent.keyboard("bisc");
  await expect.element(page.getByRole("link", { name: "Dana" })).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Amir" })).not.toBeInTheDocument();
  await userEvent.keyboard("uitsy");
  await expect.element(page.getByText("Nobody found for “biscuitsy”")).toBeVisible();
});

test("ten pets, long names and names from right to left stay within the screen", async () => {
  const long = aClient({ name: "Wolfeschlegelsteinhausenbergerdorff ".repeat(3).trim() });
  const rtl = aClient({ name: "أمير حداد 🐶", access_notes: "מפתח מתחת לעציץ ".repeat(9) });
  const pets = Array.from({ length: 10 }, (_, n) =>
    aPet(long, { name: `Pet🐾${"x".repeat(40)}${n}`, display_order: n }),
  );
  await openPhone([...rowsOf(long, ...pets), ...rowsOf(rtl, aPet(rtl, { name: "ركس" }))]);
  await show();
  await expect.element(page.getByRole("link", { name: /Wolfe/ })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await page.getByRole("link", { name: /Wolfe/ }).click();
  await expect.element(page.getByText("All clients")).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});

test("the list is short and says no door code; the client's page opens it at a tap", async () => {
  const dana = aClient({
    name: "Dana",
    address: "18 Alder Street",
    phone: "5550104477",
    access_notes: "Door code 4821",
  });
  await openPhone(rowsOf(dana, aPet(dana, { name: "Rex" })));
  await show();
  const card = page.getByRole("listitem").filter({ hasText: "18 Alder Street" });
  await expect.element(card.getByRole("link", { name: "Call Dana" })).toBeVisible();
  await expect.element(card.getByRole("link", { name: "Text Dana" })).toBeVisible();
  expect(card.element().getBoundingClientRect().height).toBeLessThan(110);
  await expect.element(page.getByText("Door code 4821")).not.toBeInTheDocument();
  await card.getByRole("link", { name: "Dana", exact: true }).click();
  await expect.element(page.getByText("Door code 4821")).not.toBeVisible();
  await page.getByText("Access notes").click();
  await expect.element(page.getByText("Door code 4821")).toBeVisible();
});

test.each([
  ["an e-mail", { email: "dana@example.com" }, "button", "Message Dana"],
  ["a login", { client_user_id: "00000000-0000-7000-8000-000000000001" }, "button", "Message Dana"],
  ["a phone number alone", { phone: "5550104477" }, "link", "Text Dana"],
] as const)("who has %s is written to by it", async (_, reached, role, name) => {
  const dana = aClient({ name: "Dana", ...reached });
  await openPhone(rowsOf(dana, aPet(dana, { name: "Rex" })));
  await show();
  const card = page.getByRole("listitem").filter({ hasText: "Dana" });
  await expect.element(card.getByRole(role, { name })).toBeVisible();
  expect(card.getByRole("button", { name: /^(Message|Text)/ }).elements()).toHaveLength(role === "button" ? 1 : 0);
  expect(card.getByRole("link", { name: /^(Message|Text|Email)/ }).elements()).toHaveLength(role === "link" ? 1 : 0);
});

test("what a parent has changed marks the client in the list until it was read on this phone", async () => {
  const parent_changes = [{ what: "Vet", at: new Date().toISOString() }];
  const dana = aClient({ name: "Dana Reyes", parent_changes });
  const amir = aClient({ name: "Amir Haddad" });
  await openPhone([...rowsOf(dana, aPet(dana)), ...rowsOf(amir, aPet(amir))]);
  await show("/clients");
  const marked = page.getByRole("listitem").filter({ hasText: "Changed: Vet" });
  await expect.element(marked).toHaveTextContent("Dana Reyes");
  await marked.getByRole("link", { name: "Dana Reyes" }).click();
  await page.getByRole("status").getByRole("button", { name: "OK" }).click();
  await page.getByRole("link", { name: "All clients" }).click();
  await expect.element(page.getByRole("link", { name: "Amir Haddad" })).toBeVisible();
  await expect.element(marked).not.toBeInTheDocument();
});

test("on a phone a client's page begins at its top, however far the list was scrolled", async () => {
  await page.viewport(390, 400);
  const clients = Array.from({ length: 20 }, (_, n) =>
    aClient({ name: `Client ${n + 10}`, address: "18 Alder Street" }),
  );
  await openPhone(clients.flatMap((it) => rowsOf(it, aPet(it, { name: "Rex" }))));
  await show();
  const link = page.getByRole("link", { name: "Client 19", exact: true });
  await expect.element(link).toBeInTheDocument();
  link.element().scrollIntoView();
  await expect.poll(() => window.scrollY).toBeGreaterThan(300);
  await link.click();
  await expect.element(page.getByRole("link", { name: "All clients" })).toBeVisible();
  expect(window.scrollY).toBe(0);
});

test("on a desktop a client's page stands beside the list", async () => {
  await page.viewport(1280, 800);
  const dana = aClient({ name: "Dana", address: "18 Alder Street" });
  await openPhone(rowsOf(dana, aPet(dana, { name: "Rex", friendly_with_cats: "no" })));
  await show();
  await expect.element(page.getByText("Friendly with cats: No")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Dana", exact: true })).toHaveAttribute("aria-current", "true");
});

async function aPicture(): Promise<Blob> {
  const canvas = new OffscreenCanvas(8, 8);
  canvas.getContext("2d")?.fillRect(0, 0, 8, 8);
  return canvas.convertToBlob({ type: "image/png" });
}

test("each field of the form says who reads it, and what the sitter notes stands on the client's page", async () => {
  const dana = aClient({ name: "Dana", internal_notes: "Pays late" });
  await openPhone(rowsOf(dana, aPet(dana, { name: "Rex" })));
  await show(`/clients/${dana.id}`);
  await expect.element(page.getByRole("region", { name: "Internal notes" }).getByText("Pays late")).toBeVisible();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const only = "Only you see this";
  const client = "Your client sees this in the portal";
  const links = "Your client sees this, and so does anyone with a link you share";
  for (const [name, reader] of [
    ["Client name", links],
    ["Pet name", links],
    ["Breed", client],
    ["Phone", client],
    ["Address", client],
    ["Access notes", `Key, alarm, gate: shown to you at the door. ${only}`],
    ["Internal notes", only],
    ["House instructions", `Food, rooms, habits. The client may change this in the portal. ${client}`],
    ["Vet", `Name and number, and a second number for after hours. ${client}`],
  ] as const) {
    await expect.element(field(name)).toHaveAccessibleDescription(reader);
  }
  const key = dialog().getByRole("list", { name: "Who reads what" });
  await expect.element(key).toHaveTextContent(`${client} ${links} ${only}`);
});

test("two versions of a text that no client sees are not said to be seen by both", async () => {
  const other = (field: string) => ({ field, content: "Code 4821", by: "sitter" as const, at: AT });
  const texts = ["access_notes", "house_instructions"].map(other);
  const client = aClient({ name: "Dana", client_user_id: newId(), other_texts: texts });
  await openPhone(rowsOf(client, aPet(client, { name: "Rex" })));
  await show(`/clients/${client.id}`);
  const choices = page.getByRole("region", { name: "Texts to decide" });
  await expect.element(choices.getByText("Only you see this.")).toBeVisible();
  expect(choices.getByText("Only you see this.").elements()).toHaveLength(1);
  expect(choices.getByText("Both of you see this until one of you decides.").elements()).toHaveLength(1);
});

test("a way in that a client gave is decided on by the sitter, and stands at the door until then", async () => {
  const other_texts = [{ field: "access_notes", content: "Code 4821", by: "client" as const, at: AT }];
  const client = aClient({ name: "Dana", client_user_id: newId(), access_notes: "Key 14", other_texts });
  await openPhone(rowsOf(client, aPet(client, { name: "Rex" })));
  await show(`/clients/${client.id}`);
  const choices = page.getByRole("region", { name: "Texts to decide" });
  await expect.element(choices.getByText("Your client never sees your notes, and you decide.")).toBeVisible();
  expect(business().phone.client(client.id)?.access).toBe("Key 14\n\nDana: Code 4821");
  await choices.getByRole("button", { name: "Keep both" }).click();
  await expect.element(choices).not.toBeInTheDocument();
  expect(business().phone.client(client.id)?.access).toBe("Key 14\n\nCode 4821");
});

/** A day so many days from today on. */
const inDays = (days: number) => {
  const day = new Date();
  day.setDate(day.getDate() + days);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, "0")}-${String(day.getDate()).padStart(2, "0")}`;
};

const pressMenu = async (of: string, item: string) => {
  await page.getByRole("button", { name: `More for ${of}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

test("a client is made inactive with what is to come said first, leaves the list, and comes back by one undo", async () => {
  const dana = aClient({ name: "Dana" });
  const rex = aPet(dana, { name: "Rex" });
  const visit = aService(dana, rex, { date: inDays(3) });
  await openPhone([...rowsOf(dana, rex), { t: "service", d: visit }, ...rowsOf(aClient({ name: "Amir Haddad" }))]);
  await show(`/clients/${dana.id}`);
  await pressMenu("Dana", "Make inactive");
  await expect.element(dialog().getByText(/^1 visit on /)).toBeVisible();
  await expect.element(dialog().getByText("When this is done: 1 visit is cancelled.")).toBeVisible();
  await dialog().getByRole("button", { name: "Make inactive" }).click();
  await expect.element(page.getByText("Dana is inactive. 1 visit is cancelled.")).toBeVisible();
  await expect.element(page.getByText(/^Inactive since /)).toBeVisible();
  expect(saved()).toEqual([{ name: "deactivate_client", args: { id: dana.id, ends: [], cancels: [visit.id] } }]);
  const phone = await business().wholePhone();
  expect(phone.clientList("", false).map((it) => it.client.name)).toEqual(["Amir Haddad"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(page.getByText("Dana is active again")).toBeVisible();
  expect(business().phone.service(visit.id)?.status).toBe("scheduled");
  expect(saved()).toHaveLength(2);
});

test("the filter shows inactive clients, a search finds them with a mark, and one tap makes them active", async () => {
  const dana = aClient({ name: "Dana", inactive_since: "2026-01-01" });
  await openPhone([...rowsOf(dana, aPet(dana, { name: "Rex" })), ...rowsOf(aClient({ name: "Amir Haddad" }))]);
  await show();
  const list = page.getByRole("list", { name: "Clients" });
  await expect.element(page.getByText("1 client, 1 inactive")).toBeVisible();
  await expect.element(list).not.toHaveTextContent("Dana");
  await page.getByRole("searchbox", { name: "Search clients" }).fill("rex");
  await expect.element(list).toHaveTextContent(/Dana.*Inactive/);
  await page.getByRole("searchbox", { name: "Search clients" }).fill("");
  await page.getByText("Inactive", { exact: true }).click({ force: true });
  await expect.element(list).not.toHaveTextContent("Amir");
  await list.getByRole("link", { name: "Dana" }).click();
  await page.getByRole("button", { name: "Make active again" }).click();
  await expect.element(page.getByText("Dana is active again")).toBeVisible();
  expect(saved()).toEqual([{ name: "activate_client", args: { id: dana.id, series: [], reopens: [] } }]);
});

test("a pet that is no longer with us is shown apart, its visits go on with the other, and an undo brings it back", async () => {
  const dana = aClient({ name: "Dana" });
  const [rex, luna] = [aPet(dana, { name: "Rex" }), aPet(dana, { name: "Luna", display_order: 1 })];
  const both = aService(dana, rex, {
    date: inDays(2),
    dog_ids: [rex.id, luna.id],
    dogs: ["Rex", "Luna"],
    price: 45,
    pricing_breakdown: {
      baseDogPrice: 30,
      additionalDogsCount: 1,
      additionalDogsCharge: 15,
      total: 45,
      explanation: "$45.00 for 2 dogs",
    },
  });
  const alone = aService(dana, rex, { date: inDays(3) });
  await openPhone([...rowsOf(dana, rex, luna), { t: "service", d: both }, { t: "service", d: alone }]);
  await show(`/clients/${dana.id}`);
  await page.getByRole("button", { name: /Mark as no longer with us.*Rex/ }).click();
  await expect.element(dialog().getByText("Will go on with Luna, $25.00 instead of $45.00")).toBeVisible();
  await expect.element(dialog().getByText("Will be cancelled", { exact: true })).toBeVisible();
  await dialog().getByRole("button", { name: "Save" }).click();
  const apart = page.getByRole("region", { name: "No longer with us" });
  await expect.element(apart.getByText("Rex", { exact: true })).toBeVisible();
  expect(
    business()
      .phone.client(dana.id)
      ?.dogs.map((it) => it.name),
  ).toEqual(["Luna"]);
  expect(business().phone.service(both.id)).toMatchObject({ dogs: ["Luna"], price: 25 });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(apart).not.toBeInTheDocument();
  expect(business().phone.service(both.id)).toMatchObject({ dogs: ["Rex", "Luna"], price: 45 });
  expect(business().phone.service(alone.id)?.status).toBe("scheduled");
});

test("after new rates the visits that have the old price are offered, from a day on, with an undo", async () => {
  const dana = aClient({ name: "Dana" });
  const rex = aPet(dana, { name: "Rex" });
  const [near, far] = [aService(dana, rex, { date: inDays(2) }), aService(dana, rex, { date: inDays(9) })];
  const agreed = aService(dana, rex, { date: inDays(10), price_override: { amount: 25, reason: "Old friends" } });
  await openPhone([...rowsOf(dana, rex), ...[near, far, agreed].map((d) => ({ t: "service", d }))]);
  await show(`/clients/${dana.id}?form=edit`);
  await field("30 min walk").fill("40");
  await send();
  await expect.element(page.getByText("2 visits to come still have the old price")).toBeVisible();
  await page.getByRole("button", { name: "See new prices" }).click();
  await expect.element(dialog().getByText("$50.00 → $80.00")).toBeVisible();
  await dialog().getByLabelText("From").fill(inDays(5));
  await expect.element(dialog().getByText("$25.00 → $40.00")).toBeVisible();
  await dialog().getByRole("button", { name: "Update 1 price" }).click();
  await expect.element(page.getByText("1 visit has its new price")).toBeVisible();
  const prices = () => [near, far, agreed].map((it) => business().phone.service(it.id)?.price);
  expect(prices()).toEqual([25, 40, 25]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(page.getByText("The visits have their former prices again")).toBeVisible();
  expect(prices()).toEqual([25, 25, 25]);
});

test("a long list is drawn a screenful at once and whole in the end, and so is each search in it", async () => {
  const names = Array.from({ length: 100 }, (_, n) => `Client ${String(n).padStart(3, "0")}`);
  await openPhone(names.flatMap((name) => rowsOf(aClient({ name }))));
  const added = countAdded("li:has(article)");
  await show();
  const cards = page.getByRole("list", { name: "Clients" }).getByRole("article");
  await expect.element(cards.nth(99)).toBeInTheDocument();
  expect(added()).toBe(84);
  const search = page.getByLabelText("Search clients");
  await search.fill("Client 00");
  await expect.poll(() => cards.elements().length).toBe(10);
  await search.fill("Client");
  await expect.poll(() => cards.elements().length).toBe(100);
  // Six beside the ten, and the rest behind them.
  expect(added()).toBe(84 + 6 + 84);
});

test("a change of one client draws no other one again", async () => {
  const clients = ["Ann", "Ben", "Cleo"].map((name) => aClient({ name }));
  await openPhone(clients.flatMap((it) => rowsOf(it, aPet(it))));
  await show();
  await expect.element(page.getByRole("article").nth(2)).toBeVisible();
  const [ann, ben, cleo] = page.getByRole("article").elements();
  const changed: Node[] = [];
  const watch = new MutationObserver((records) => changed.push(...records.map((it) => it.target)));
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  await pullRows(...rowsOf({ ...(clients[1] ?? aClient()), name: "Bennett" }));
  await expect.element(page.getByRole("link", { name: "Bennett" })).toBeVisible();
  watch.disconnect();
  expect(changed.filter((it) => ben?.contains(it)).length).toBeGreaterThan(0);
  expect(changed.filter((it) => ann?.contains(it) || cleo?.contains(it))).toEqual([]);
});

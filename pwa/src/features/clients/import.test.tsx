/** The import of clients on the real core and a real IndexedDB, with no network at all. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { AtScreen } from "../../../test/At";
import { aClient, aPet, closePhone, openPhone, rowsOf, saved } from "../../../test/phone";
import { loadRest } from "../../core";
import { loadImportCore } from "../../core/import";
import { business } from "../../data";
import ImportScreen from "./ImportScreen";

const show = () =>
  render(
    <AtScreen path="/clients/import" route="/clients/import">
      <ImportScreen />
    </AtScreen>,
  );

const choose = async (text: string, name = "clients.csv") => {
  await userEvent.upload(page.getByLabelText("Choose a file"), new File([text], name));
};
const button = (name: string) => page.getByRole("button", { name });
const title = (name: string) => page.getByRole("heading", { name });

beforeEach(async () => {
  await Promise.all([loadRest(), loadImportCore()]);
  await page.viewport(390, 844);
});
afterEach(closePhone);

test("a file comes as one change with its pets, and goes again", async () => {
  await openPhone([]);
  await show();
  await choose("Name,Email,Pets\nDana Hill,dana@example.com,Rex & Luna\nKim Lee,,Bo\n");
  await expect.element(page.getByLabelText("Email")).toHaveValue("email");
  await button("Show clients").click();
  await expect.element(title("2 clients with 3 pets to import")).toBeVisible();
  await button("Import 2 clients").click();
  await expect.element(page.getByText("2 clients imported", { exact: true })).toBeVisible();
  const dog = (name: string) => ({ id: expect.any(String), is_new: true, changes: { name } });
  const clients = [
    {
      id: expect.any(String),
      client: { name: "Dana Hill", email: "dana@example.com" },
      dogs: [dog("Rex"), dog("Luna")],
    },
    { id: expect.any(String), client: { name: "Kim Lee" }, dogs: [dog("Bo")] },
  ];
  expect(saved()).toEqual([{ name: "import_clients", args: { clients } }]);
  expect(business().phone.clients("")).toHaveLength(2);
  await button("Undo").click();
  await expect.element(page.getByText("Import undone")).toBeVisible();
  expect(business().phone.clients("")).toHaveLength(0);
});

test("a wrong cell is corrected in its place, and the others can come without it", async () => {
  await openPhone([]);
  await show();
  await choose("Name,Phone,Pets\nDana,12,Rex\nKim,555 010 4477,Bo\nSam,13,Mo\n");
  await button("Show clients").click();
  await page.getByText("With problems 2").click({ force: true });
  const phone = page.getByLabelText("Phone, row 2");
  await expect.element(page.getByText("Invalid phone format. Correct it, or empty the cell.").first()).toBeVisible();
  await phone.fill("555 010 4478");
  await expect.element(title("2 clients with 2 pets to import")).toBeVisible();
  await expect.element(phone).toHaveFocus();
  await button("Import 2 clients").click();
  await expect.element(title("Leave 1 client out?")).toBeVisible();
  await button("Import 2 clients").last().click();
  await expect.element(page.getByText("2 clients imported", { exact: true })).toBeVisible();
  expect(
    business()
      .phone.clients("")
      .map((it) => it.client.name),
  ).toEqual(["Dana", "Kim"]);
});

test("the clients of a file are shown from the top, however long its columns are", async () => {
  await openPhone([]);
  await show();
  const columns = Array.from({ length: 20 }, (_, n) => `Column ${n}`);
  await choose(`Name,${columns.join(",")}\n${Array.from({ length: 40 }, (_, n) => `Client ${n}`).join("\n")}\n`);
  await button("Show clients").click();
  await expect.element(title("40 clients with 0 pets to import")).toBeInViewport();
  await expect.poll(() => window.scrollY).toBe(0);
});

test("who looks for problems where there are none is told so", async () => {
  await openPhone([]);
  await show();
  await choose("Name,Pets\nDana,Rex\n");
  await button("Show clients").click();
  await page.getByText("With problems 0").click({ force: true });
  await expect.element(page.getByText("Nobody in the file has a problem.")).toBeVisible();
  await page.getByText("Here already 0").click({ force: true });
  await expect.element(page.getByText("Nobody in the file is here already.")).toBeVisible();
});

test("who is here already is left out unless chosen", async () => {
  const dana = aClient({ name: "Dana", email: "dana@example.com" });
  await openPhone(rowsOf(dana, aPet(dana, { name: "Rex" })));
  await show();
  await choose('Name,Email,Pets\nD. Hill,dana@example.com,"Rex, Luna"\nKim,,Bo\n');
  await button("Show clients").click();
  await expect.element(title("1 client with 1 pet to import")).toBeVisible();
  // A pet that is new is not left out in silence.
  await expect.element(page.getByText(/^Luna is not here yet\./)).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Open D. Hill" })).toHaveAttribute("href", `/clients/${dana.id}`);
  await page.getByRole("checkbox", { name: /^D\. Hill/ }).click();
  await expect.element(title("2 clients with 3 pets to import")).toBeVisible();
  await page.getByRole("checkbox", { name: /^Kim/ }).click();
  await expect.element(title("1 client with 2 pets to import")).toBeVisible();
});

test("columns are chosen, and what was chosen is there when the screen comes back", async () => {
  await openPhone([]);
  const screen = await show();
  await choose("A,B\nRex,Dana\n");
  await page.getByLabelText("A", { exact: true }).selectOptions("pet_name");
  await page.getByLabelText("B", { exact: true }).selectOptions("name");
  await button("Show clients").click();
  await expect.element(title("1 client with 1 pet to import")).toBeVisible();
  await screen.unmount();
  await show();
  await expect.element(title("1 client with 1 pet to import")).toBeVisible();
});

test("a contact without a pet is given one", async () => {
  await openPhone([]);
  await show();
  await choose("BEGIN:VCARD\nVERSION:3.0\nFN:Kim Lee\nTEL:555 010 4477\nEND:VCARD\n", "contacts.vcf");
  await button("Show clients").click();
  await page.getByLabelText("Pets, row 1").fill("Bo");
  await button("Import 1 client").click();
  await expect.element(page.getByText("1 client imported", { exact: true })).toBeVisible();
});

test("what is no such file says what to do", async () => {
  await openPhone([]);
  await show();
  await choose("PK\u0003\u0004", "clients.xlsx");
  await expect
    .element(page.getByText("This is neither a CSV file nor a vCard. In a spreadsheet, save it as CSV."))
    .toBeVisible();
});

test("free notes stay with the sitter, and each column says who reads it", async () => {
  await openPhone([]);
  await show();
  await choose("Name,Notes,Vet,Balance,Pets\nDana,Pays late,Dr. Cole,12,Rex\n");
  const column = (name: string) => page.getByLabelText(name, { exact: true });
  await expect.element(column("Notes")).toHaveValue("internal_notes");
  await expect.element(column("Notes")).toHaveAccessibleDescription("Only you see this");
  await expect.element(column("Vet")).toHaveAccessibleDescription("Your client sees this in the portal");
  await expect.element(column("Balance")).toHaveAccessibleDescription("Only you see this");
  await column("Balance").selectOptions("");
  await expect.element(column("Balance")).toHaveAccessibleDescription("");
  await column("Notes").selectOptions("house_instructions");
  // What was for the sitter alone is shown to nobody by a slip.
  await button("Keep it private").click();
  await expect.element(column("Notes")).toHaveValue("internal_notes");
  await column("Notes").selectOptions("house_instructions");
  await button("Show it").click();
  await expect.element(column("Notes")).toHaveAccessibleDescription("Your client sees this in the portal");
  await column("Notes").selectOptions("internal_notes");
  await button("Show clients").click();
  await button("Import 1 client").click();
  await expect.element(page.getByText("1 client imported", { exact: true })).toBeVisible();
  expect(business().phone.clients("")[0]?.client).toMatchObject({
    internal_notes: "Pays late",
    house_instructions: "",
  });
});

test("how dates are read is said where they can be read in two ways", async () => {
  await openPhone([]);
  await show();
  await choose("Name,Pets,Date of birth\nDana,Rex,05/04/2020\nKim,Bo,31/05/2019\n");
  await button("Show clients").click();
  await expect
    .element(page.getByText(/^Dates are read with the day first: 05\/04\/2020 as 2020-04-05\./))
    .toBeVisible();
});

test("contacts without a pet come as drafts, and text without a field is told before", async () => {
  await openPhone([]);
  await show();
  await choose("Name,Insurance,Photo\nDana,Pol 12,a.jpg\nKim,Pol 13,\n");
  await button("Show clients").click();
  await expect.element(page.getByText("2 without a pet")).toBeVisible();
  await expect.element(page.getByText("Goes to your internal notes")).toBeVisible();
  await expect.element(page.getByText("Pol 13", { exact: true })).toBeVisible();
  await expect.element(page.getByText("Columns left out")).toBeVisible();
  await page.getByLabelText("Pets, row 2").fill("Rex");
  await button("Import 2 clients").click();
  await expect.element(page.getByText("2 clients imported", { exact: true })).toBeVisible();
  const cards = business().phone.clients("");
  expect(cards.map((it) => [it.client.name, it.needs_pet, it.client.internal_notes])).toEqual([
    ["Dana", false, "Insurance: Pol 12"],
    ["Kim", true, "Insurance: Pol 13"],
  ]);
  expect(
    business()
      .phone.clientOptions()
      .map((it) => it.label),
  ).toContain("Kim, no pet named yet");
});

test("the order of dates is asked once where nothing tells it", async () => {
  await openPhone([]);
  await show();
  await choose("Name,Pets,Born\nDana,Rex,05/04/2020\nKim,Bo,06/07/2020\n");
  await button("Show clients").click();
  await button("Import 2 clients").click();
  await expect.element(page.getByText("Choose first how the dates of “Born” are read.")).toBeVisible();
  await page.getByLabelText("In “Born”, 05/04/2020 is").selectOptions("day");
  await button("Import 2 clients").click();
  await expect.element(page.getByText("2 clients imported", { exact: true })).toBeVisible();
  expect(
    business()
      .phone.clients("")
      .map((it) => it.dogs[0]?.birthday),
  ).toEqual(["2020-04-05", "2020-07-06"]);
});

test("the row with the names of the columns is chosen, or none", async () => {
  await openPhone([]);
  await show();
  await choose("Dana,Rex\nKim,Bo\n");
  await page.getByLabelText("Row with the names of the columns").selectOptions("0");
  await page.getByLabelText("Column A", { exact: true }).selectOptions("name");
  await page.getByLabelText("Column B", { exact: true }).selectOptions("pet_name");
  await button("Show clients").click();
  await expect.element(title("2 clients with 2 pets to import")).toBeVisible();
});

test("letters that the bytes do not tell are asked for with a line of the file", async () => {
  await openPhone([]);
  await show();
  const bytes = Uint8Array.from([
    ...new TextEncoder().encode("Name,Pets\nMart"),
    0x92,
    ...new TextEncoder().encode("nez,Rex\n"),
  ]);
  await userEvent.upload(page.getByLabelText("Choose a file"), new File([bytes], "clients.csv"));
  await expect.element(page.getByText("Mart’nez,Rex", { exact: true })).toBeVisible();
  await expect.poll(() => document.activeElement?.textContent).toContain("Which line is right?");
  await page.getByRole("button", { name: /Martínez,Rex/ }).click();
  await button("Show clients").click();
  await expect.element(page.getByText("Martínez", { exact: true })).toBeVisible();
});

test("pets of a second file are joined to their owners by a column", async () => {
  await openPhone([]);
  await show();
  await choose("Client ID,Name\n1,Dana\n2,Kim\n", "owners.csv");
  await userEvent.upload(
    page.getByLabelText("Add a file with their pets"),
    new File(["Client ID,Pet name\n2,Bo\n1,Rex\n9,Stray\n"], "pets.csv"),
  );
  await expect.poll(() => document.activeElement?.textContent).toContain("Which columns name the same client?");
  await expect.element(page.getByText(/^1 row of the second file would be left out.*row 4: 9, Stray$/)).toBeVisible();
  await button("Join the files").click();
  await button("Show clients").click();
  await expect.element(title("2 clients with 2 pets to import")).toBeVisible();
});

test("clients that came before an import was interrupted can be undone", async () => {
  await openPhone([]);
  await show();
  await choose(`Name,Pets\n${Array.from({ length: 501 }, (_, n) => `Client ${n},Rex`).join("\n")}\n`);
  await button("Show clients").click();
  const { store } = business();
  const append = store.append.bind(store);
  const appended = vi.spyOn(store, "append").mockImplementationOnce(append);
  appended.mockRejectedValueOnce(new DOMException("full", "QuotaExceededError"));
  await button("Import 501 clients").click();
  await expect.element(page.getByText(/^\d+ clients? imported$/)).toBeVisible();
  vi.restoreAllMocks();
  await button("Undo").click();
  await expect.poll(() => business().phone.clients("").length).toBe(0);
});

test("many clients come in pieces and go again with one undo", async () => {
  await openPhone([]);
  await show();
  await choose(`Name,Pets\n${Array.from({ length: 501 }, (_, n) => `Client ${n},Rex`).join("\n")}\n`);
  await button("Show clients").click();
  await button("Import 501 clients").click();
  await expect.element(page.getByText("501 clients imported", { exact: true })).toBeVisible();
  expect(saved().map((it) => it.name)).toEqual(["import_clients", "import_clients"]);
  await button("Undo").click();
  await expect.element(page.getByText("Import undone")).toBeVisible();
  expect(business().phone.clients("")).toHaveLength(0);
});

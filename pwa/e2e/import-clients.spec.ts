/** Three hundred clients come from the file of another program, with mistakes in it and without a network, and go again. */
import { signedIn } from "./pages/auth";
import { ClientsPage } from "./pages/clients";
import { ImportPage } from "./pages/importing";
import { SchedulePage } from "./pages/schedule";
import { writeClientFile } from "./support/clientFile";
import { isOnDisk } from "./support/disk";
import { expect, test } from "./support/test";

const N_CLIENTS = 300;

test("300 clients of a file with mistakes are corrected, imported with no network, sent, and undone @desktop", async ({
  page,
  network,
  office,
  sitter,
}, info) => {
  const file = await writeClientFile(info.outputPath("clients.csv"), N_CLIENTS, 7);
  await signedIn(page, sitter);
  await network.cut();
  const importing = await ImportPage.open(page);
  await importing.choose(file.path);
  await expect(page.getByLabel("Cell Phone")).toHaveValue("phone");
  await importing.showClients();
  const n_right = N_CLIENTS - file.mistakes.length;
  await importing.counts(`${n_right} clients with ${n_right} pets to import`);
  await importing.filter(`With problems ${file.mistakes.length}`);
  await expect(importing.list.getByRole("listitem")).toHaveCount(file.mistakes.length);
  const [first, ...others] = file.mistakes;
  if (!first) throw new Error("the file has no mistakes");
  await importing.list.getByLabel(first.label).fill(first.right);
  await importing.counts(`${n_right + 1} clients with ${n_right + 1} pets to import`);
  // What was corrected is still there when the page is loaded anew.
  await isOnDisk(page, first.right);
  await page.reload();
  await importing.counts(`${n_right + 1} clients with ${n_right + 1} pets to import`);
  await importing.filter(`With problems ${others.length}`);
  for (const { label, right } of others) await importing.list.getByLabel(label).fill(right);
  await importing.counts(`${N_CLIENTS} clients with ${N_CLIENTS} pets to import`);
  await importing.import(N_CLIENTS);
  expect(await office.clients()).toEqual([]);
  await network.heal();
  await expect.poll(async () => (await office.clients()).length).toBe(N_CLIENTS);
  await importing.undo();
  await expect.poll(async () => (await office.clients()).length).toBe(0);
  await page.goto("/clients");
  await expect(page.getByText("No clients yet")).toBeVisible();
});

test("a file that another program sends comes as the phone's would @full", async ({ page, office, sitter }) => {
  await signedIn(page, sitter);
  const file = new TextEncoder().encode("Name,Email,Pets\nDana Hill,dana@example.com,Rex & Luna\nKim Lee,nobody,Bo\n");
  const shown = await office.send<{ preview: object }>("POST", "/import/clients?dry_run=true", file);
  expect(shown.preview).toMatchObject({ n_clients: 1, n_dogs: 2, n_wrong: 1 });
  await office.send("POST", "/import/clients?skip_wrong=true", file);
  await page.goto("/clients");
  await expect(page.getByRole("link", { name: "Dana Hill" })).toBeVisible();
});

/** Columns of Google Contacts that this file fills. */
const GOOGLE =
  "First Name,Last Name,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Formatted";

test("300 contacts of Google come with no network, and a visit of one of them is booked before it is back @desktop @full", async ({
  page,
  network,
  office,
  sitter,
}) => {
  const contacts = Array.from(
    { length: N_CLIENTS },
    (_, n) =>
      `Dana,Hill ${n},Side gate ${n},* myContacts,* Home,dana${n}@example.com,Mobile,+1 206 555 ${1000 + n},${n} Elm St`,
  );
  await signedIn(page, sitter);
  await network.cut();
  const importing = await ImportPage.open(page);
  await importing.choose({ text: [GOOGLE, ...contacts, ""].join("\r\n") });
  await importing.showClients();
  await importing.counts(`${N_CLIENTS} clients with 0 pets to import`);
  await importing.import(N_CLIENTS);
  const clients = await ClientsPage.open(page);
  await page.getByRole("searchbox", { name: "Search clients" }).fill("Dana Hill 299");
  await page.getByRole("link", { name: "Dana Hill 299", exact: true }).click();
  const form = await clients.edit();
  await form.enter({ name: "Dana Hill 299", pets: [{ name: "Rex" }] });
  await form.save();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const schedule = await SchedulePage.open(page);
  await schedule.schedule({ client: "Dana Hill 299", dogs: ["Rex"], start: "2:00 PM" });
  expect(await office.clients()).toEqual([]);
  await network.heal();
  await expect.poll(async () => (await office.clients()).length).toBe(N_CLIENTS);
  await expect.poll(async () => (await office.services()).length).toBe(1);
});

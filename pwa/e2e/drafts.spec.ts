/** Every form survives a browser that is killed while it is filled in. */
import type { Locator, Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { AvailabilityPage } from "./pages/availability";
import { ClientsPage } from "./pages/clients";
import { SchedulePage, ServiceDetails } from "./pages/schedule";
import { ServicesPage } from "./pages/services";
import { ActiveWalkPage } from "./pages/walk";
import type { ClientRow, ServiceRow } from "./support/api";
import { day } from "./support/day";
import { hasForgotten, isOnDisk } from "./support/disk";
import { test } from "./support/install";
import { expect } from "./support/test";

/** Rows that are on the server before a test fills in a form. */
interface Ground {
  client: ClientRow;
  service: ServiceRow;
}

/** A form: how one gets to it, and a field of it. */
interface FormOf {
  name: string;
  open: (page: Page, ground: Ground) => Promise<Locator>;
}

const FORMS: FormOf[] = [
  {
    name: "Add Client",
    async open(page) {
      const form = await (await ClientsPage.open(page)).newClient();
      return form.dialog.getByLabel("Client name");
    },
  },
  {
    name: "Edit Client",
    async open(page, { client }) {
      const form = await (await ClientsPage.open(page, `/clients/${client.id}`)).edit();
      return form.dialog.getByLabel(/^Access notes/);
    },
  },
  {
    name: "Schedule Service",
    async open(page) {
      const form = await (await SchedulePage.open(page)).newService();
      return form.dialog.getByLabel(/^Internal notes/);
    },
  },
  {
    name: "Edit Service",
    async open(page) {
      const form = await (await (await SchedulePage.open(page)).open("Rex")).edit();
      return form.dialog.getByLabel(/^Notes/);
    },
  },
  {
    name: "Mark Complete",
    async open(page, { service }) {
      await page.goto(`/scheduling?service=${service.id}`);
      const details = await ServiceDetails.shown(page);
      await details.dialog.getByRole("button", { name: "Mark Complete" }).click();
      return details.dialog.getByLabel(/^Service notes/);
    },
  },
  {
    name: "Add New Service",
    async open(page) {
      const services = await ServicesPage.open(page);
      await services.newOffering();
      return services.form.getByLabel(/^Description/);
    },
  },
  {
    name: "Add Availability Pattern",
    async open(page) {
      await (await SchedulePage.open(page)).showView("Availability");
      const availability = await AvailabilityPage.shown(page);
      await availability.newPattern("Sunday");
      return availability.dialog.getByLabel(/^Notes/);
    },
  },
  {
    name: "Block Time",
    async open(page) {
      await (await SchedulePage.open(page)).showView("Availability");
      const availability = await AvailabilityPage.shown(page);
      await availability.showTab("Blocked Times");
      await availability.newBlock();
      return availability.dialog.getByLabel(/^Reason/);
    },
  },
];

test("a killed browser loses no word of any form", async ({ install, sitter, office }) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  const service = await office.schedule(client, day(), "14:00");
  const ground = { client, service };
  const before = await install.start();
  await signedIn(before, sitter);
  for (const { name, open } of FORMS) {
    await test.step(`typed: ${name}`, async () => {
      const field = await open(before, ground);
      await field.fill(`Words of ${name}`);
      await isOnDisk(before, `Words of ${name}`);
    });
  }
  await install.kill();

  const after = await install.start();
  for (const { name, open } of FORMS) {
    await test.step(`there again: ${name}`, async () => {
      await expect(await open(after, ground)).toHaveValue(`Words of ${name}`);
      await expect(after.getByText(/^Restored what you typed/)).toBeVisible();
    });
  }
});

test("a note of a walk survives a killed browser", async ({ install, sitter }) => {
  const before = await install.start();
  await signedIn(before, sitter);
  await before.goto("/walk");
  await before.getByRole("button", { name: "Start walk without a pet" }).click();
  await ActiveWalkPage.shown(before);
  await before.getByRole("button", { name: "Note", exact: true }).click();
  await before.getByLabel("What happened?").fill("Limps a little on the left");
  await isOnDisk(before, "Limps a little on the left");
  await install.kill();

  const after = await install.start();
  await after.goto("/walk");
  const walk = await ActiveWalkPage.shown(after);
  await after.getByRole("button", { name: "Note", exact: true }).click();
  await expect(after.getByLabel("What happened?")).toHaveValue("Limps a little on the left");
  await after.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await walk.lastSays("Limps a little on the left");
});

test("what was saved at once does not come back as a draft", async ({ page, sitter }) => {
  await signedIn(page, sitter);
  const clients = await ClientsPage.open(page);
  await clients.add({ name: "Dana Reyes", pets: [{ name: "Rex" }] });
  await clients.goTo("Clients");
  const form = await clients.newClient();
  await expect(form.dialog.getByLabel("Client name")).toHaveValue("");
  await expect(form.dialog.getByText(/^Restored what you typed/)).toHaveCount(0);
});

test("a form that starts over has forgotten what was typed @full", async ({ page, sitter }) => {
  await signedIn(page, sitter);
  const clients = await ClientsPage.open(page);
  await (await clients.newClient()).enter({ name: "Dana Reyes", pets: [{ name: "Rex" }] });
  await isOnDisk(page, "Dana Reyes");
  await page.reload();
  const { dialog } = clients;
  await expect(dialog.getByLabel("Client name")).toHaveValue("Dana Reyes");
  await dialog.getByRole("button", { name: "Start over" }).click();
  await expect(dialog.getByLabel("Client name")).toHaveValue("");
  await hasForgotten(page, ["Dana Reyes"]);
  await page.reload();
  await expect(dialog.getByLabel("Client name")).toHaveValue("");
});

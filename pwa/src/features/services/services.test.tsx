/** The sitter's offerings on the real core and a real IndexedDB, with no network at all. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import {
  AT,
  aClient,
  anOffering,
  aPet,
  aService,
  closePhone,
  fillThisDisk,
  openPhone,
  saved,
} from "../../../test/phone";
import { type AttentionEntry, loadRest, newId, type Offering, type Sitter } from "../../core";
import { business } from "../../data";
import { ConfirmHost, ToastHost } from "../../ui";
import ServicesScreen from "./ServicesScreen";

const show = (path = "/services") =>
  render(
    <At path={path}>
      <ServicesScreen />
      <ConfirmHost />
      <ToastHost />
    </At>,
  );

/** A change to an offering that was turned down. */
const refused = (offering: string, changes: Partial<Offering>): AttentionEntry => {
  const id = newId();
  const args = { id: offering, changes };
  const mutation = { id, seq: 1, v: 1, made_at: AT, base_rev: 1, name: "update_offering", args };
  return {
    entry: { mutation, sentence: "Change Bath", photos: [] },
    outcome: { id, outcome: "rejected", rev: 2, adjustments: [], refusal: { code: "failed" } },
  };
};

const names = () => [...document.querySelectorAll(":not(h1) > bdi")].map((it) => it.textContent);

const three = () => [
  anOffering({ name: "Walk", display_order: 0 }),
  anOffering({ name: "Visit", display_order: 1 }),
  anOffering({ name: "Bath", category: "Grooming", display_order: 2 }),
];
const rows = (offerings: ReturnType<typeof three>) => offerings.map((d) => ({ t: "offering", d }));

const openMenu = async (name: string, item: string) => {
  await gripOf(name); // until then the rows may be replaced
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

/** Grips come with the part that drags, after the list. */
const gripOf = async (name: string) => {
  const grip = page.getByRole("button", { name: `Move ${name}` });
  await expect.element(grip).not.toHaveAttribute("aria-disabled", "true");
  return grip;
};

beforeEach(async () => {
  await loadRest();
  localStorage.removeItem("walkies-collapsed-services");
  await page.viewport(1280, 800);
});
afterEach(closePhone);

test("with nothing for sale the screen invites to add the first service", async () => {
  await openPhone([]);
  await show();
  await expect.element(page.getByText("No services configured yet")).toBeVisible();
  await page.getByRole("button", { name: "Add Your First Service" }).click();
  await expect.element(page.getByRole("form", { name: "New service" })).toBeVisible();
});

test("what is to be set right is shown, also where its category is folded away", async () => {
  localStorage.setItem("walkies-collapsed-services", JSON.stringify(["Grooming"]));
  const offerings = three();
  const entry = refused(offerings[2]?.id ?? "", { name: "Long bath" });
  await openPhone(rows(offerings), [entry]);
  await show(`/services?fix=${entry.entry.mutation.id}`);
  await expect.element(page.getByLabelText("Service name")).toHaveValue("Long bath");
});

test("a form with an empty name and no price says what is missing and saves nothing", async () => {
  await openPhone([]);
  await show();
  await userEvent.keyboard("n");
  await page.getByLabelText("Base price").fill("0");
  await page.getByRole("button", { name: "Save Service" }).click();
  await expect.element(page.getByText("Please fill in all required fields").first()).toBeVisible();
  await expect.element(page.getByLabelText("Service name")).toHaveFocus();
  expect(saved()).toEqual([]);
});

test("the form says who reads the name and the description of an offering", async () => {
  await openPhone([]);
  await show();
  await userEvent.keyboard("n");
  await expect
    .element(page.getByLabelText("Service name"))
    .toHaveAccessibleDescription("Your clients see this, and so does anyone with a link you share");
  await expect.element(page.getByLabelText(/^Description/)).toHaveAccessibleDescription("Your clients can see this");
});

test("a duration is asked for by duration pricing alone, and begins with 30 minutes each time", async () => {
  await openPhone([]);
  await show();
  await userEvent.keyboard("n");
  const duration = page.getByLabelText("Duration");
  await expect.element(duration).not.toBeInTheDocument();
  await page.getByLabelText("Pricing type").selectOptions("By duration");
  await expect.element(duration).toHaveValue("30");
  await duration.fill("45");
  await page.getByLabelText("Pricing type").selectOptions("Per day");
  await expect.element(duration).not.toBeInTheDocument();
  await page.getByLabelText("Pricing type").selectOptions("By duration");
  await expect.element(duration).toHaveValue("30");
  await page.getByLabelText("Service name").fill("Run");
  (page.getByRole("radio", { name: "Cat" }).element() as HTMLElement).click();
  await page.getByRole("button", { name: "Save Service" }).click();
  await expect.element(page.getByRole("listitem").getByText("$30.00 for 30 min")).toBeVisible();
  expect(saved()).toEqual([
    {
      name: "create_offering",
      args: {
        id: expect.any(String),
        offering: { name: "Run", icon: "🐈", pricing_type: "duration", duration_minutes: 30 },
      },
    },
  ]);
});

test("a stay is sold by the night or by the day, with an hour after which a further day counts", async () => {
  await openPhone([]);
  await show();
  await userEvent.keyboard("n");
  await page.getByLabelText("Service name").fill("Overnight Stay");
  const pricing = page.getByLabelText("Pricing type");
  await pricing.selectOptions("Per day");
  await page.getByLabelText(/^Last day counts after/).fill("12:00");
  await pricing.selectOptions("Per night");
  await expect.element(page.getByText(/^Friday to Sunday is 2 nights\./)).toBeVisible();
  await expect.element(page.getByLabelText(/^Last day counts after/)).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Save Service" }).click();
  await expect.element(page.getByRole("listitem").getByText("$30.00 per night")).toBeVisible();
  expect(saved()).toEqual([
    {
      name: "create_offering",
      args: {
        id: expect.any(String),
        offering: { name: "Overnight Stay", pricing_type: "daily", stay_unit: "nights" },
      },
    },
  ]);
});

test("an offering from before counts as before until somebody chooses otherwise", async () => {
  const boarding = anOffering({ name: "Boarding", pricing_type: "daily" });
  await openPhone(rows([boarding]));
  await show();
  await openMenu("Boarding", "Edit");
  await expect.element(page.getByLabelText("Pricing type")).toHaveDisplayValue("Per day, counted as before");
  await page.getByLabelText("Pricing type").selectOptions("Per day");
  await page.getByLabelText(/^Last day counts after/).fill("12:00");
  await page.getByRole("button", { name: "Save Service" }).click();
  await expect.poll(saved).toMatchObject([{ args: { changes: { stay_unit: "days", further_day_after: "12:00" } } }]);
});

test("a service has a tax rate of its own where the business has rates", async () => {
  const sitter: Sitter = {
    id: newId(),
    name: "Mara",
    email: "mara@example.com",
    service_area_radius_miles: 5,
    time_zone: "UTC",
    created_at: AT,
    invoicing: { tax: { name: "Sales tax", rate: 887 }, more_taxes: [{ name: "Lodging", rate: 500 }] },
  };
  const boarding = anOffering({ name: "Boarding" });
  await openPhone([{ t: "sitter", d: sitter }, ...rows([boarding])]);
  await show();
  await openMenu("Boarding", "Edit");
  const tax = page.getByLabelText("Tax on invoices");
  await expect.element(tax).toHaveDisplayValue("As usual: Sales tax 8.87%");
  await tax.selectOptions("Lodging 5%");
  await page.getByRole("button", { name: "Save Service" }).click();
  await expect.poll(saved).toMatchObject([{ name: "update_offering", args: { changes: { tax_name: "Lodging" } } }]);
  await expect.element(tax).not.toBeInTheDocument();
  await openMenu("Boarding", "Edit");
  await expect.element(tax).toHaveDisplayValue("Lodging 5%");
  await tax.selectOptions("No tax");
  await page.getByRole("button", { name: "Save Service" }).click();
  await expect.element(tax).not.toBeInTheDocument();
  expect(saved().at(-1)).toMatchObject({ name: "update_offering", args: { changes: { tax_name: "" } } });
});

test("an edit sends what was touched", async () => {
  const [walk, ...others] = three();
  if (!walk) throw new Error("no offering");
  await openPhone(rows([walk, ...others]));
  await show();
  await openMenu("Walk", "Edit");
  await page.getByLabelText("Base price").fill("27.50");
  await page.getByRole("button", { name: "Save Service" }).click();
  await expect.element(page.getByRole("listitem").getByText("$27.50")).toBeVisible();
  expect(saved()).toEqual([{ name: "update_offering", args: { id: walk.id, changes: { base_price: 27.5 } } }]);
});

test("the menu moves an offering within its category and into another", async () => {
  await openPhone(rows(three()));
  await show();
  await openMenu("Visit", "Move up");
  await vi.waitFor(() => expect(names()).toEqual(["Visit", "Walk", "Bath"]));
  await openMenu("Visit", "Move to category…");
  await page.getByRole("dialog").getByLabelText("Category").selectOptions("Grooming");
  await page.getByRole("dialog").getByRole("button", { name: "Move", exact: true }).click();
  await vi.waitFor(() => expect(names()).toEqual(["Walk", "Bath", "Visit"]));
  const phone = await business().wholePhone();
  expect(phone.offeringGroups().map((it) => it.category)).toEqual(["Pet Care", "Grooming"]);
});

test("the keyboard moves an offering, and each step is told", async () => {
  await openPhone(rows(three()));
  await show();
  const grip = await gripOf("Walk");
  (grip.element() as HTMLElement).focus();
  await userEvent.keyboard(" ");
  await expect.element(page.getByText("Picked up Walk, 1 of 2 in Pet Care.")).toBeInTheDocument();
  await userEvent.keyboard("{ArrowDown}");
  await expect.element(page.getByText("Walk, 2 of 2 in Pet Care")).toBeInTheDocument();
  await userEvent.keyboard(" ");
  await expect.element(page.getByText("Put down Walk, 2 of 2 in Pet Care.")).toBeInTheDocument();
  await vi.waitFor(() => expect(saved().map((it) => it.name)).toEqual(["reorder_offerings"]));
  await vi.waitFor(() => expect(names()).toEqual(["Visit", "Walk", "Bath"]));
});

test("Escape puts an offering back, and nothing is saved", async () => {
  await openPhone(rows(three()));
  await show();
  const grip = await gripOf("Walk");
  (grip.element() as HTMLElement).focus();
  await userEvent.keyboard(" ");
  await expect.element(page.getByText("Picked up Walk, 1 of 2 in Pet Care.")).toBeInTheDocument();
  await userEvent.keyboard("{ArrowDown}");
  await expect.element(page.getByText("Walk, 2 of 2 in Pet Care")).toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByText("Put back where it was.")).toBeInTheDocument();
  await vi.waitFor(() => expect(names()).toEqual(["Walk", "Visit", "Bath"]));
  expect(saved()).toEqual([]);
});

const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name }).click();

const FAILURES: [string, () => Promise<void>][] = [
  ["Failed to save new order", () => openMenu("Visit", "Move up")],
  ["Failed to update service status", () => page.getByRole("switch", { name: "Walk: Active" }).click({ force: true })],
  ["Failed to delete service", () => openMenu("Bath", "Delete").then(() => inDialog("Delete"))],
];

test.each(FAILURES)("what the disk does not take is told as '%s', and changes nothing", async (words, act) => {
  await openPhone(rows(three()));
  await show();
  fillThisDisk();
  await act();
  await expect.element(page.getByText(words)).toBeVisible();
  expect(names()).toEqual(["Walk", "Visit", "Bath"]);
  await expect.element(page.getByRole("switch", { name: "Walk: Active" })).toBeChecked();
});

test("a form that the disk does not take says so and keeps its words", async () => {
  await openPhone(rows(three()));
  await show();
  fillThisDisk().mockRejectedValue(new Error("a defect"));
  await openMenu("Walk", "Edit");
  await page.getByLabelText("Base price").fill("27.50");
  await page.getByRole("button", { name: "Save Service" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("Failed to save service");
  await expect.element(page.getByLabelText("Base price")).toHaveValue("27.50");
});

test("an order that is refused is told", async () => {
  await openPhone(rows(three()));
  await show();
  const refusal = { ok: false, refusal: { code: "failed" }, text: "No.", fields: [] } as const;
  vi.spyOn(business(), "save").mockResolvedValue({ ...refusal, fields: [] });
  await openMenu("Visit", "Move up");
  await expect.element(page.getByText("Failed to reorder services")).toBeVisible();
  expect(names()).toEqual(["Walk", "Visit", "Bath"]);
});

test("a service is switched off and on, and says so", async () => {
  const [walk] = three();
  if (!walk) throw new Error("no offering");
  await openPhone(rows([walk]));
  await show();
  const toggle = page.getByRole("switch", { name: "Walk: Active" });
  await toggle.click({ force: true });
  await expect.element(page.getByRole("switch", { name: "Walk: Inactive" })).not.toBeChecked();
  expect(saved()).toEqual([{ name: "update_offering", args: { id: walk.id, changes: { is_active: false } } }]);
});

test("a service without bookings is deleted once confirmed", async () => {
  await openPhone(rows(three()));
  await show();
  await openMenu("Bath", "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByText("Bath deleted")).toBeVisible();
  expect(names()).toEqual(["Walk", "Visit"]);
});

test("a service with bookings is deactivated, and that is said", async () => {
  const [walk] = three();
  if (!walk) throw new Error("no offering");
  const dana = aClient({ name: "Dana" });
  const booked = aService(dana, aPet(dana, { name: "Rex" }), { status: "completed", offering_id: walk.id });
  await openPhone([...rows([walk]), { t: "service", d: booked }]);
  await show();
  await openMenu("Walk", "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect
    .element(page.getByText("Walk has bookings or requests, so it was deactivated and not deleted."))
    .toBeVisible();
  await expect.element(page.getByRole("switch", { name: "Walk: Inactive" })).toBeInTheDocument();
});

test("folded categories are remembered on this device", async () => {
  await openPhone(rows(three()));
  const first = await show();
  await page.getByRole("button", { name: "Collapse All" }).click();
  await expect.poll(names).toEqual([]);
  await page.getByRole("button", { name: /^Grooming/ }).click();
  await expect.poll(names).toEqual(["Bath"]);
  await first.unmount();
  await show();
  await expect.element(page.getByRole("button", { name: /^Grooming/ })).toHaveAttribute("aria-expanded", "true");
  await expect.poll(names).toEqual(["Bath"]);
  await page.getByRole("button", { name: "Expand All" }).click();
  await expect.poll(names).toEqual(["Walk", "Visit", "Bath"]);
});

test("after a new price the visits that were booked with the offering are offered at it", async () => {
  const bath = anOffering({ name: "Bath", base_price: 30 });
  const dana = aClient({ name: "Dana" });
  const rex = aPet(dana, { name: "Rex" });
  const day = new Date();
  day.setDate(day.getDate() + 3);
  const date = `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, "0")}-${String(day.getDate()).padStart(2, "0")}`;
  const visit = aService(dana, rex, { date, price: 30, offering_id: bath.id, offering_name: "Bath" });
  await openPhone([
    { t: "offering", d: bath },
    { t: "client", d: dana },
    { t: "pet", d: rex },
    { t: "service", d: visit },
  ]);
  await show();
  await openMenu("Bath", "Edit");
  await page.getByLabelText("Base price").fill("44");
  await page.getByRole("button", { name: "Save Service" }).click();
  await expect.element(page.getByText("1 visit to come still has the old price")).toBeVisible();
  await page.getByRole("button", { name: "See new prices" }).click();
  await page.getByRole("button", { name: "Update 1 price" }).click();
  await expect.element(page.getByText("1 visit has its new price")).toBeVisible();
  expect(business().phone.service(visit.id)?.price).toBe(44);
});

test("on a desktop the chosen service stands beside the list, and is edited there", async () => {
  const [walk, visit, bath] = three() as [Offering, Offering, Offering];
  await openPhone(rows([walk, { ...visit, description: "At the client's home" }, bath]));
  await show();
  await gripOf("Visit");
  await expect.element(page.getByRole("region", { name: "About Walk" })).toBeVisible();
  const name = page.getByRole("button", { name: "Visit", exact: true });
  await name.click();
  await expect.element(name).toHaveAttribute("aria-current", "true");
  const about = page.getByRole("region", { name: "About Visit" });
  await expect.element(about.getByText("At the client's home")).toBeVisible();
  await about.getByRole("button", { name: "Edit" }).click();
  expect(names()).toEqual(["Walk", "Visit", "Bath"]);
  const form = page.getByRole("form", { name: "Edit Visit" });
  await form.getByLabelText("Service name").fill("House visit");
  await form.getByRole("button", { name: "Save Service" }).click();
  const after = page.getByRole("region", { name: "About House visit" });
  await expect.element(after.getByRole("button", { name: "Edit" })).toHaveFocus();
  expect(names()).toEqual(["Walk", "House visit", "Bath"]);
});

test("where there is no room beside the list a service is edited in its place", async () => {
  await page.viewport(1024, 800);
  await openPhone(rows(three()));
  await show();
  await openMenu("Visit", "Edit");
  await expect.element(page.getByRole("form", { name: "Edit Visit" })).toBeVisible();
  await expect.element(page.getByRole("region", { name: /^About/ })).not.toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("form")).not.toBeInTheDocument();
});

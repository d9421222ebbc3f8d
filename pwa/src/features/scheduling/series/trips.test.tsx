/** Trips on a real IndexedDB and the real core, with no network at all. */
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { aClient, anOffering, aPet, openPhone as openWith, rowsOf, saved } from "../../../../test/phone";
import { beginOnFriday, showSchedule as show, TODAY } from "../../../../test/schedule";
import {
  type CreateSeries,
  loadRest,
  newId,
  newSeriesPlan,
  newSeriesSlot,
  plusDays,
  type SeriesPlan,
  type Trip,
} from "../../../core";
import { business } from "../../../data/business/openBusiness";

await loadRest();

const client = aClient({ name: "Amir Haddad" });
const rex = aPet(client, { name: "Rex" });
const nights = anOffering({ name: "Overnight", pricing_type: "daily", base_price: 75 });

const openPhone = (): Promise<void> => openWith([...rowsOf(client, rex), { t: "offering", d: nights }]);

const dialog = () => page.getByRole("dialog").first();
const names = () => saved().map((it) => it.name);
const press = (name: string | RegExp) => dialog().getByRole("button", { name, exact: true }).click();
const chip = (day: string, name: string) =>
  dialog().getByRole("group", { name: day }).getByText(name, { exact: true }).click();
const notice = (text: string | RegExp) => expect.element(page.getByRole("log").getByText(text)).toBeVisible();
const undo = () => page.getByRole("log").getByRole("button", { name: "Undo" }).last().click();
const closed = () => expect.poll(() => page.getByRole("dialog").elements().length).toBe(0);

const MORNING = newId();
const EVENING = newId();

/** Books a trip from tomorrow evening to the morning four days later, and gives the ids of its visits. */
async function book(trip: Partial<Trip> = {}): Promise<{ id: string; visits: string[] }> {
  const begins = plusDays(TODAY, 1);
  const series: Partial<SeriesPlan> = {
    ...newSeriesPlan(begins),
    client_id: client.id,
    dog_ids: [rex.id],
    rule: { kind: "daily", every: 1 },
    slots: [
      { ...newSeriesSlot(MORNING), start_time: "08:00" },
      { ...newSeriesSlot(EVENING), start_time: "18:00" },
    ],
    end: { kind: "on", date: plusDays(begins, 3) },
    trip: { first_slot: EVENING, last_slot: MORNING, ...trip } as Trip,
  };
  const args: CreateSeries = { id: newId(), series };
  const command = { name: "create_series", args } as const;
  const phone = await business().wholePhone();
  const preview = phone.previewSeries(command, Date.now());
  expect(preview.errors).toEqual([]);
  expect(await business().save(command, "Book")).toMatchObject({ ok: true });
  return { id: args.id, visits: preview.dates.map((it) => it.service_id) };
}

const pricesOf = (visits: readonly string[]) => visits.map((it) => business().phone.service(it)?.price ?? 0);

beginOnFriday(390, 844);

test("a trip has other times on its first and its last day, a stay and one total, and is saved as one", async () => {
  await openPhone();
  await show(`/scheduling?new=1&client=${client.id}`);
  await userEvent.selectOptions(dialog().getByLabelText("Start time"), "8:00 AM");
  await userEvent.selectOptions(dialog().getByLabelText("Repeats"), "Trip: each day until a last day");
  await expect.element(dialog().getByText("3 visits a day from Fri, Nov 20 to Mon, Nov 23")).toBeVisible();
  await chip("First day", "Only 6:00 PM");
  await chip("Last day", "Only 8:00 AM");
  const sentence = "3 visits a day from Fri, Nov 20 (evening) to Mon, Nov 23 (morning)";
  await expect.element(dialog().getByText(sentence)).toBeVisible();
  await dialog().getByRole("checkbox", { name: "With a stay" }).click();
  await expect.element(dialog().getByText(`A stay and ${sentence}`)).toBeVisible();
  await dialog()
    .getByLabelText(/^Agreed total/)
    .fill("300");
  await expect.element(dialog().getByText("The whole trip: 8 visits and a stay, $300.00 in all")).toBeVisible();
  await press("Schedule Trip");
  await notice(/8 visits from Nov 20 to Nov 23 are booked\. The stay from Nov 20 to Nov 23 is booked\.$/);
  await expect.poll(saved).toMatchObject([
    {
      name: "create_series",
      args: {
        series: {
          begins: TODAY,
          rule: { kind: "daily", every: 1 },
          end: { kind: "on", date: plusDays(TODAY, 3) },
          price_override: null,
          trip: { total: 300, stay: { offering_id: nights.id, start_time: "18:00" } },
        },
      },
    },
  ]);
  await closed();
  await undo();
  await notice("The trip is no longer booked");
  await expect.poll(names).toEqual(["create_series", "delete_series"]);
});

test("a time that is removed is no first or last visit any more", async () => {
  await openPhone();
  await show(`/scheduling?new=1&client=${client.id}`);
  await userEvent.selectOptions(dialog().getByLabelText("Start time"), "8:00 AM");
  await userEvent.selectOptions(dialog().getByLabelText("Repeats"), "Trip: each day until a last day");
  await chip("First day", "Only 6:00 PM");
  await press("Remove 6:00 PM");
  await expect.element(dialog().getByText("2 visits a day from Fri, Nov 20 to Mon, Nov 23")).toBeVisible();
  await press("Cancel");
  await closed();
});

test("a visit says its place in the trip, and the trip's last day moves with one step", async () => {
  await openPhone();
  const { id, visits } = await book({ total: 100 });
  await show(`/scheduling?service=${visits[1]}`);
  await expect.element(dialog().getByText("Visit 2 of 6 of the trip Sat, Nov 21 to Tue, Nov 24")).toBeVisible();
  await expect.element(dialog().getByText("6 visits, $100.00 in all")).toBeVisible();
  expect(dialog().getByRole("button", { name: "Pause" }).query()).toBeNull();
  await press("Change the trip");
  await dialog().getByLabelText("Last day of the trip").fill(plusDays(TODAY, 5));
  await expect.element(dialog().getByText("The whole trip: 8 visits, $100.00 in all")).toBeVisible();
  await press("Save Changes");
  await notice(/^The trip is changed\./);
  await closed();
  await expect.poll(names).toEqual(["create_series", "change_trip"]);
  expect(saved().at(-1)?.args).toMatchObject({ id, ends: plusDays(TODAY, 5), changes: {} });
  const view = (await business().wholePhone()).seriesView(id, Date.now());
  expect(view?.sentence).toBe("2 visits a day from Sat, Nov 21 (evening) to Wed, Nov 25 (morning)");
  await undo();
  await notice(/^The trip is as it was/);
  await expect.poll(() => pricesOf(visits).reduce((sum, it) => sum + Math.round(it * 100), 0)).toBe(10_000);
});

test("a last day before the first is said before anything is saved", async () => {
  await openPhone();
  const { id } = await book();
  await show(`/scheduling?series=${id}`);
  await press("Change the trip");
  await dialog().getByLabelText("Last day of the trip").fill(TODAY);
  await expect.element(dialog().getByText("The last day cannot be before the first")).toBeVisible();
  await press("Back");
  await dialog().getByRole("button", { name: "Close", exact: true }).first().click();
  await closed();
  expect(names()).toEqual(["create_series"]);
});

test("a trip is cancelled and comes back", async () => {
  await openPhone();
  const { id, visits } = await book();
  await show(`/scheduling?series=${id}`);
  await press("Cancel the trip");
  await expect.element(dialog().getByText(/^6 visits from .* will be removed\.$/)).toBeVisible();
  await press("Cancel the trip");
  await notice(/^The trip is cancelled\. 6 visits/);
  await closed();
  expect(visits.some((it) => business().phone.service(it))).toBe(false);
  await undo();
  await notice(/^The trip takes place again\. 6 visits/);
  await expect.poll(() => visits.every((it) => business().phone.service(it))).toBe(true);
});

/** Series on a real IndexedDB and the real core, with no network at all. */
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../../test/At";
import { aClient, aPet, aService, openPhone as openWith, pullRows, rowsOf, saved } from "../../../../test/phone";
import { beginOnFriday, showSchedule as show, TODAY } from "../../../../test/schedule";
import {
  type CreateSeries,
  type DateChoice,
  loadRest,
  newId,
  newSeriesPlan,
  newSeriesSlot,
  type Phone,
  plusDays,
  type SeriesPlan,
  type Service,
} from "../../../core";
import { business } from "../../../data/business/openBusiness";
import { ToastHost } from "../../../ui";
import AttentionScreen from "../../attention/AttentionScreen";
import { SeriesSection } from "../../clients/SeriesSection";
import { saveSeries } from "./saveSeries";

await loadRest();

const client = aClient({ name: "Amir Haddad" });
const rex = aPet(client, { name: "Rex" });
const other = aClient({ name: "Dana Whitfield" });
const luna = aPet(other, { name: "Luna" });

const openPhone = (...services: Service[]): Promise<void> =>
  openWith([...rowsOf(client, rex), ...rowsOf(other, luna), ...services.map((d) => ({ t: "service", d }))]);

const dialog = () => page.getByRole("dialog").first();
const names = () => saved().map((it) => it.name);
const press = (name: string | RegExp) => dialog().getByRole("button", { name, exact: true }).click();
const notice = (text: string | RegExp) => expect.element(page.getByRole("log").getByText(text)).toBeVisible();
const undo = () => page.getByRole("log").getByRole("button", { name: "Undo" }).last().click();

/** Books a walk at noon of each day of a week, and gives the ids of its visits. */
async function book(
  change: Partial<SeriesPlan> = {},
  choices: DateChoice[] = [],
): Promise<{ id: string; visits: string[] }> {
  const args: CreateSeries = {
    id: newId(),
    series: {
      ...newSeriesPlan(TODAY),
      client_id: client.id,
      dog_ids: [rex.id],
      rule: { kind: "daily", every: 1 },
      slots: [{ ...newSeriesSlot(newId()), start_time: "12:00" }],
      end: { kind: "after", visits: 7 },
      ...change,
    },
    choices,
  };
  const command = { name: "create_series", args } as const;
  const phone = await business().wholePhone();
  const visits = phone.previewSeries(command, Date.now()).dates.map((it) => it.service_id);
  expect(await business().save(command, "Book")).toMatchObject({ ok: true });
  return { id: args.id, visits };
}

const isThere = (visit: string | undefined) => business().phone.service(visit ?? "") !== undefined;

beginOnFriday(390, 844);

test("a booking repeats on the day that was chosen, says so, and is saved as one", async () => {
  await openPhone();
  await show(`/scheduling?new=1&client=${client.id}`);
  expect(page.getByText("Times a day").query()).toBeNull();
  await userEvent.selectOptions(dialog().getByLabelText("Repeats"), "Every week");
  await userEvent.selectOptions(dialog().getByLabelText("Start time"), "12:00 PM");
  await expect.element(dialog().getByRole("checkbox", { name: "Friday" })).toBeChecked();
  await expect.element(dialog().getByText("Fridays at 12:00 PM, until you stop it")).toBeVisible();
  await press("Monday to Friday");
  await expect.element(dialog().getByText("Every weekday at 12:00 PM, until you stop it")).toBeVisible();
  const weeks = dialog().getByRole("list", { name: "Weeks" });
  await expect.element(weeks.getByText("1 visit, $25.00")).toBeVisible();
  await expect.element(weeks.getByText("Friday, November 20")).toBeVisible();
  await expect.element(weeks.getByText("5 visits, $125.00").first()).toBeVisible();
  await press("Schedule Series");
  await notice(/^Every weekday at 12:00 PM, until you stop it\. \d+ visits from Nov 20 to/);
  await expect.poll(saved).toMatchObject([
    {
      name: "create_series",
      args: {
        series: {
          client_id: client.id,
          dog_ids: [rex.id],
          begins: TODAY,
          rule: { kind: "weekly", every: 1, weekdays: [1, 2, 3, 4, 5] },
          end: { kind: "never" },
          slots: [{ start_time: "12:00", duration_minutes: 30 }],
        },
        choices: [],
      },
    },
  ]);
  await undo();
  await notice("The series is no longer booked");
  await expect.poll(names).toEqual(["create_series", "delete_series"]);
});

test("the day of a weekly booking follows its date until another is chosen", async () => {
  await openPhone();
  await show(`/scheduling?new=1&client=${client.id}`);
  await userEvent.selectOptions(dialog().getByLabelText("Repeats"), "Every week");
  await dialog().getByLabelText("Date", { exact: true }).fill(plusDays(TODAY, 1));
  await expect.element(dialog().getByRole("checkbox", { name: "Saturday" })).toBeChecked();
  await expect.element(dialog().getByRole("checkbox", { name: "Friday" })).not.toBeChecked();
  await dialog().getByRole("checkbox", { name: "Monday" }).click();
  await dialog().getByLabelText("Date", { exact: true }).fill(TODAY);
  await expect.element(dialog().getByRole("checkbox", { name: "Saturday" })).toBeChecked();
});

test("a rule that was chosen without a date begins with the first one that is given", async () => {
  await openPhone();
  await show(`/scheduling?new=1&client=${client.id}`);
  await dialog().getByLabelText("Date", { exact: true }).fill("");
  await userEvent.selectOptions(dialog().getByLabelText("Repeats"), "Every week");
  for (const name of ["Friday", "Saturday"]) {
    await expect.element(dialog().getByRole("checkbox", { name })).not.toBeChecked();
  }
  await dialog().getByLabelText("Date", { exact: true }).fill(plusDays(TODAY, 1));
  await expect.element(dialog().getByRole("checkbox", { name: "Saturday" })).toBeChecked();
});

test("letters of notes preview a change once, and a week lists its dates once it is open", async () => {
  await openPhone();
  const { id } = await book();
  await show(`/scheduling?change=${id}`);
  const notes = dialog().getByRole("textbox", { name: /^Notes/ });
  await notes.fill("A");
  await expect.element(dialog().getByText(/^7 visits from Nov 20 to Nov 26 will change\./)).toBeVisible();
  const preview = vi.spyOn(business().phone as Phone, "previewSeries");
  await userEvent.type(notes, "nd the gate");
  await expect.element(notes).toHaveValue("And the gate");
  expect(preview).not.toHaveBeenCalled();
  const [, second] = dialog().getByRole("list", { name: "Weeks" }).element().querySelectorAll("details");
  expect(second?.querySelector("li")).toBeNull();
  second?.querySelector("summary")?.click();
  await expect.poll(() => second?.querySelectorAll("li").length).toBe(5);
});

test("what is in the way is named first, with the ways out for each date", async () => {
  const taken = plusDays(TODAY, 7);
  await openPhone(aService(other, luna, { date: taken, start_time: "12:00" }));
  await show(`/scheduling?new=1&client=${client.id}`);
  await userEvent.selectOptions(dialog().getByLabelText("Start time"), "12:00 PM");
  await userEvent.selectOptions(dialog().getByLabelText("Repeats"), "Every week");
  const part = dialog().getByRole("region", { name: "Dates that are taken" });
  await expect.element(part.getByText(/^1 of \d+ dates is taken$/)).toBeVisible();
  await expect.element(part.getByText("Dana Whitfield, 12:00 PM - 12:30 PM")).toBeVisible();
  await part.getByRole("button", { name: "Leave out" }).click();
  await expect.element(part.getByText("Friday, November 27: Left out")).toBeVisible();
  await expect.element(part.getByText("All decided")).toHaveFocus();
  await part.getByRole("button", { name: "Decide again on Friday, November 27" }).click();
  await part.getByRole("button", { name: "12:30 PM" }).click();
  await expect.element(part.getByText("Friday, November 27: At 12:30 PM")).toBeVisible();
  await part.getByRole("button", { name: "Decide again on Friday, November 27" }).click();
  await part.getByRole("button", { name: "Book anyway" }).click();
  await press("Schedule Series");
  await expect.poll(saved).toMatchObject([{ args: { choices: [{ date: taken, way: "book" }] } }]);
  // Closing leads back, which would take the next test's form along.
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});

test("decisions name their time where a day has two, and go when the days are others", async () => {
  const taken = plusDays(TODAY, 7);
  await openPhone(aService(other, luna, { date: taken, start_time: "12:00" }));
  await show(`/scheduling?new=1&client=${client.id}`);
  await userEvent.selectOptions(dialog().getByLabelText("Start time"), "12:00 PM");
  await userEvent.selectOptions(dialog().getByLabelText("Repeats"), "Every week");
  await press("Add another time");
  const part = dialog().getByRole("region", { name: "Dates that are taken" });
  const group = part.getByRole("group", { name: "Friday, November 27, 12:00 PM - 12:30 PM" });
  await group.getByRole("button", { name: "Leave out" }).click();
  await expect.element(part.getByText("Friday, November 27, 12:00 PM: Left out")).toBeVisible();
  await expect
    .element(part.getByRole("button", { name: "Decide again on Friday, November 27, 12:00 PM" }))
    .toBeVisible();
  await press("Monday to Friday");
  await expect.element(group).toBeVisible();
  expect(part.getByText(/Left out/).query()).toBeNull();
});

test("the count of dates that are taken leaves out those that the change does not book", async () => {
  const third = plusDays(TODAY, 2);
  await openPhone(aService(other, luna, { date: third, start_time: "13:00" }));
  const { id, visits } = await book();
  const [first = ""] = visits;
  const own = { id: first, changes: { start_time: "15:00" }, overlap_ok: false };
  await business().save({ name: "update_service", args: own }, "Change");
  await show(`/scheduling?change=${id}`);
  await userEvent.selectOptions(dialog().getByLabelText("Start time"), "1:00 PM");
  await expect.element(dialog().getByText("1 of 6 dates is taken")).toBeVisible();
});

test("dates that nobody decided on wait, and are decided on later", async () => {
  const dates = [7, 14].map((days) => plusDays(TODAY, days));
  await openPhone(...dates.map((date) => aService(other, luna, { date, start_time: "12:00" })));
  const screen = await show(`/scheduling?new=1&client=${client.id}`);
  await userEvent.selectOptions(dialog().getByLabelText("Start time"), "12:00 PM");
  await userEvent.selectOptions(dialog().getByLabelText("Repeats"), "Every week");
  await expect.element(dialog().getByText(/^2 of \d+ dates are taken$/)).toBeVisible();
  await press("Schedule Series");
  await notice(/2 visits from Nov 27 to Dec 4 are taken/);
  await expect.poll(saved).toMatchObject([{ args: { choices: dates.map((date) => ({ date, way: "wait" })) } }]);
  await screen.getByRole("button", { name: "Rex" }).first().click();
  await expect.element(dialog().getByText("2 dates are taken and wait for you.")).toBeVisible();
  await press("Decide");
  const all = dialog().getByRole("group", { name: "For all of them" });
  await all.getByRole("button", { name: "Nearest free time" }).click();
  await press("Save");
  await expect
    .poll(saved)
    .toMatchObject([
      {},
      { name: "settle_series_dates", args: { choices: dates.map((date) => ({ date, way: "move" })) } },
    ]);
});

test("dates that wait are named on the client's page and listed in Needs attention", async () => {
  const date = plusDays(TODAY, 3);
  await openPhone(aService(other, luna, { date, start_time: "12:00" }));
  const slot = { ...newSeriesSlot(newId()), start_time: "12:00" };
  const { id } = await book({ slots: [slot] }, [{ date, slot: slot.id, way: "wait" }]);
  const section = await render(
    <At path={`/clients/${client.id}`}>
      <SeriesSection clientId={client.id} heading="h2" />
    </At>,
  );
  await expect.element(section.getByRole("link")).toHaveTextContent(/1 date to decide/);
  await section.unmount();
  const screen = await render(
    <At path="/attention">
      <AttentionScreen />
    </At>,
  );
  const part = screen.getByRole("region", { name: "Dates to decide" });
  await expect.element(part.getByText(/^Monday, November 23, 12:00 PM - 12:30 PM/)).toBeVisible();
  await expect.element(part.getByText("Dana Whitfield, 12:00 PM - 12:30 PM")).toBeVisible();
  await expect.element(part.getByRole("link")).toHaveAttribute("href", `/scheduling?series=${id}`);
  await expect.element(screen.getByText("1 date to decide")).toBeVisible();
  expect(screen.getByText("Nothing needs your attention").query()).toBeNull();
});

test("how it repeats comes back after the form was closed", async () => {
  await openPhone();
  const screen = await show(`/scheduling?new=1&client=${client.id}`);
  await userEvent.selectOptions(dialog().getByLabelText("Repeats"), "Every day or every few days");
  await dialog().getByLabelText("Every", { exact: true }).fill("3");
  await userEvent.selectOptions(dialog().getByLabelText("Ends"), "After some visits");
  await press("Add another time");
  await userEvent.keyboard("{Escape}");
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  await screen.getByRole("button", { name: "Schedule Service" }).first().click();
  await expect.element(dialog().getByText("Restored what you typed.")).toBeVisible();
  await expect.element(dialog().getByLabelText("Every", { exact: true })).toHaveValue("3");
  await expect.element(dialog().getByLabelText("Number of visits")).toHaveValue("7");
  await expect.element(dialog().getByLabelText("Start time")).toHaveLength(2);
  await userEvent.selectOptions(dialog().getByLabelText("Repeats"), "Does not repeat");
  await expect.element(dialog().getByRole("button", { name: "Schedule Service" })).toBeVisible();
});

test("what is chosen so far is said before there is a client", async () => {
  await openPhone();
  await show("/scheduling?new=1&at=12:00");
  await userEvent.selectOptions(dialog().getByLabelText("Repeats"), "Every week");
  await expect.element(dialog().getByText("Fridays at 12:00 PM, until you stop it")).toBeVisible();
  expect(dialog().getByRole("list", { name: "Weeks" }).query()).toBeNull();
  await press("Schedule Series");
  await expect.element(dialog().getByLabelText("Client")).toHaveAccessibleDescription(/^Please select a client/);
  expect(saved()).toEqual([]);
});

test("a rule without a day says what is missing", async () => {
  await openPhone();
  await show(`/scheduling?new=1&client=${client.id}`);
  await userEvent.selectOptions(dialog().getByLabelText("Repeats"), "Every week");
  await dialog().getByRole("checkbox", { name: "Friday" }).click();
  await press("Schedule Series");
  await expect.element(dialog().getByText("Please select at least one day of the week")).toBeVisible();
  expect(saved()).toEqual([]);
});

test("a month offers the day, the weekday, and the last one", async () => {
  await openPhone();
  await show(`/scheduling?new=1&client=${client.id}&on=2026-11-27&at=12:00`);
  await userEvent.selectOptions(dialog().getByLabelText("Repeats"), "Every month");
  const day = dialog().getByLabelText("Day of the month");
  await userEvent.selectOptions(day, "Fourth Friday");
  await expect.element(dialog().getByText(/^Every fourth Friday of the month/)).toBeVisible();
  await userEvent.selectOptions(day, "Last Friday");
  await expect.element(dialog().getByText(/^Every last Friday of the month/)).toBeVisible();
  await userEvent.selectOptions(day, "Day 27");
  await expect.element(dialog().getByText(/^Monthly on the 27th/)).toBeVisible();
});

test("a date is left out of its series and comes back", async () => {
  await openPhone();
  const { id, visits } = await book();
  const [first] = visits;
  const screen = await show();
  await expect.element(screen.getByText("Part of a series").first()).toBeInTheDocument();
  await screen.getByRole("button", { name: "Rex" }).first().click();
  await expect.element(dialog().getByText("Every day at 12:00 PM, 7 visits")).toBeVisible();
  await press("Leave this date out");
  await notice(/^Friday, November 20 is left out\./);
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  expect(isThere(first)).toBe(false);
  await undo();
  await notice(/^Friday, November 20 takes place again\. 1 visit on Nov 20 is booked\./);
  expect(isThere(first)).toBe(true);
  expect(saved()).toMatchObject([
    {},
    { name: "leave_out_date", args: { id, date: TODAY } },
    { name: "restore_series", args: { id } },
  ]);
});

test("a visit that is left out is named by its own day, and by its time where the day has another", async () => {
  await openPhone();
  const slots = ["12:00", "18:00"].map((start_time) => ({ ...newSeriesSlot(newId()), start_time }));
  const { visits } = await book({ slots });
  const [first = ""] = visits;
  const own = { id: first, changes: { date: plusDays(TODAY, 1), start_time: "15:00" }, overlap_ok: false };
  await business().save({ name: "update_service", args: own }, "Change");
  await show(`/scheduling?service=${first}`);
  await press("Leave this date out");
  await notice(/^Saturday, November 21, 3:00 PM is left out\./);
});

test("a series that is not on this phone yet is not said to be gone before a pull has completed", async () => {
  await openPhone();
  for (const path of ["series", "change"]) {
    const screen = await show(`/scheduling?${path}=${newId()}`);
    await expect.element(dialog().getByRole("button", { name: "Close" }).first()).toBeVisible();
    expect(dialog().getByText("This series is no longer here").query()).toBeNull();
    await pullRows();
    await expect.element(dialog().getByText("This series is no longer here")).toBeVisible();
    await screen.unmount();
  }
});

test("a pause keeps its reason to the sitter, shows what it removes, and ends by one press", async () => {
  await openPhone();
  const { id, visits } = await book();
  const screen = await show(`/scheduling?service=${visits[1]}`);
  await press("Pause");
  await expect.element(dialog().getByRole("heading", { name: "Pause the series" })).toBeVisible();
  await expect.element(dialog().getByLabelText("From")).toHaveValue(plusDays(TODAY, 1));
  await dialog().getByLabelText("To", { exact: true }).fill(plusDays(TODAY, 3));
  await expect.element(dialog().getByText(/^3 visits from Nov 21 to Nov 23 will be removed\./)).toBeVisible();
  const reason = dialog().getByLabelText(/Reason/);
  await expect.element(reason).toHaveAccessibleDescription("Only you see this");
  await userEvent.type(reason, "Away");
  await press("Pause");
  await notice(/^The series is paused\. 3 visits from Nov 21 to Nov 23 are removed\./);
  expect(isThere(visits[1])).toBe(false);
  await expect
    .poll(saved)
    .toMatchObject([{}, { name: "pause_series", args: { id, to: plusDays(TODAY, 3), reason: "Away" } }]);
  await screen.getByRole("button", { name: "Rex" }).first().click();
  await expect.element(dialog().getByText("Paused from Nov 21 to Nov 23")).toBeVisible();
  await press("Remove pause");
  await notice(/^The pause is removed\. 3 visits from Nov 21 to Nov 23 are booked\./);
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  expect(isThere(visits[1])).toBe(true);
  await undo();
  await notice(/^The series is paused again\./);
  expect(isThere(visits[1])).toBe(false);
});

test("words of a pause come back after the details were closed", async () => {
  await openPhone();
  const { visits } = await book();
  const screen = await show();
  await screen.getByRole("button", { name: "Rex" }).first().click();
  await press("Pause");
  await userEvent.type(dialog().getByLabelText(/Reason/), "Holiday");
  await userEvent.keyboard("{Escape}");
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  await screen.getByRole("button", { name: "Rex" }).first().click();
  await press("Pause");
  await expect.element(dialog().getByLabelText(/Reason/)).toHaveValue("Holiday");
  expect(isThere(visits[0])).toBe(true);
});

test("a series ends on a day, and goes on again", async () => {
  await openPhone();
  const { id, visits } = await book();
  const screen = await show(`/scheduling?service=${visits[0]}`);
  await press("End the series");
  // It has an end already: ending it means sooner.
  await expect.element(dialog().getByLabelText("Last day")).toHaveValue(TODAY);
  await expect.element(dialog().getByText(/^6 visits from Nov 21 to Nov 26 will be removed\./)).toBeVisible();
  await press("End the series");
  await notice(/^The end of the series is set\. 6 visits/);
  expect(visits.map(isThere)).toEqual([true, false, false, false, false, false, false]);
  await undo();
  await notice(/^The series ends as before\. 6 visits from Nov 21 to Nov 26 are booked\./);
  expect(visits.every(isThere)).toBe(true);
  await expect
    .poll(saved)
    .toMatchObject([
      {},
      { name: "end_series", args: { id, end: { kind: "on", date: TODAY } } },
      { name: "restore_series", args: { id } },
    ]);
  expect(screen.getByRole("dialog").query()).toBeNull();
});

test("the way back to before a change of a series goes with the next one", async () => {
  await openPhone();
  const { id } = await book();
  await render(<ToastHost />);
  const pause = (pause_id: string, day: string, done: string) => {
    const args = { id, pause_id, from: day, to: day, reason: "" };
    return saveSeries({ name: "pause_series", args }, { sentence: done, done, undone: "Undone" });
  };
  await pause(newId(), "2026-11-21", "The first pause is saved");
  await expect.element(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await pause(newId(), "2026-11-23", "The second pause is saved");
  await expect.element(page.getByText(/^The second pause is saved/)).toBeVisible();
  expect(page.getByRole("button", { name: "Undo" }).elements()).toHaveLength(1);
  expect(page.getByText(/^The first pause is saved/).query()).toBeNull();
});

test("a change that changes nothing is not saved, and says so", async () => {
  await openPhone();
  const { id, visits } = await book();
  const screen = await show(`/scheduling?change=${id}`);
  await press("Save Changes");
  await notice("Nothing changes");
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  expect(page.getByRole("button", { name: "Undo" }).query()).toBeNull();
  expect(names()).toEqual(["create_series"]);
  expect(visits.every(isThere)).toBe(true);
});

test("this and all that follow change, and what stays is said before", async () => {
  await openPhone();
  const { id, visits } = await book();
  const third = plusDays(TODAY, 2);
  await show(`/scheduling?service=${visits[2]}`);
  await press("Change this and all that follow");
  await expect.element(dialog().getByRole("heading", { name: "Change this and all that follow" })).toBeVisible();
  await expect.element(dialog().getByLabelText("Start time")).toHaveValue("12:00");
  await userEvent.selectOptions(dialog().getByLabelText("Start time"), "1:00 PM");
  await expect.element(dialog().getByText(/^5 visits from Nov 22 to Nov 26 will change\./)).toBeVisible();
  await press("Save Changes");
  await notice(/^The series is changed\. 5 visits from Nov 22 to Nov 26 are changed\./);
  const starts = () => visits.map((it) => business().phone.service(it)?.start_time);
  expect(starts()).toEqual(["12:00", "12:00", "13:00", "13:00", "13:00", "13:00", "13:00"]);
  expect(saved()).toMatchObject([
    {},
    {
      name: "change_series",
      args: { id, from: third, changes: {}, slots: [{ changes: { start_time: "13:00" } }], removed_slots: [] },
    },
  ]);
  await undo();
  await notice(/^The series is as it was\./);
  expect(new Set(starts())).toEqual(new Set(["12:00"]));
});

test("times of the day that another device adds, changes or removes stay so while a change is being typed", async () => {
  await openPhone();
  const [noon, evening] = [newSeriesSlot(newId()), newSeriesSlot(newId())];
  const slots = [
    { ...noon, start_time: "12:00" },
    { ...evening, start_time: "18:00" },
  ];
  const { id } = await book({ slots });
  await show(`/scheduling?change=${id}`);
  await userEvent.selectOptions(dialog().getByLabelText("Start time").first(), "1:00 PM");
  const elsewhere = {
    id,
    from: TODAY,
    changes: {},
    slots: [
      { id: noon.id, changes: { duration_minutes: 60 } },
      { id: newId(), is_new: true, changes: { ...noon, id: undefined, start_time: "08:00" } },
    ],
    removed_slots: [evening.id],
  };
  await business().save({ name: "change_series", args: elsewhere }, "Change");
  await expect.element(dialog().getByRole("button", { name: "Remove 8:00 AM" })).toBeVisible();
  await expect.element(dialog().getByRole("button", { name: "Remove 1:00 PM" })).toBeVisible();
  expect(dialog().getByRole("button", { name: "Remove 6:00 PM" }).query()).toBeNull();
  await press("Save Changes");
  await notice(/^The series is changed\./);
  expect(saved().at(-1)).toMatchObject({
    args: { slots: [{ id: noon.id, changes: { start_time: "13:00" } }], removed_slots: [] },
  });
  // Closing leads back, which would take the next test's form along.
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});

test("what was typed for all to come is there after midnight", async () => {
  await openPhone();
  const { id } = await book();
  const screen = await show(`/scheduling?change=${id}`);
  await userEvent.selectOptions(dialog().getByLabelText("Start time"), "1:00 PM");
  await press("Cancel");
  await screen.unmount();
  vi.setSystemTime("2026-11-21T10:05:00Z");
  await show(`/scheduling?change=${id}`);
  await expect.element(dialog().getByText("Restored what you typed.")).toBeVisible();
  await expect.element(dialog().getByLabelText("Start time")).toHaveValue("13:00");
});

test("a monthly series can be moved to any day of the month", async () => {
  await openPhone();
  const { id } = await book({ rule: { kind: "monthly_weekday", nth: 2, weekday: 2 } });
  const screen = await show(`/scheduling?change=${id}`);
  const day = dialog().getByLabelText("Day of the month");
  await expect.element(day.getByRole("option", { name: "Second Tuesday", selected: true })).toBeInTheDocument();
  await userEvent.selectOptions(day, "Day 5");
  await expect.element(dialog().getByText(/^Monthly on the 5th/)).toBeVisible();
  const labels = [...day.element().querySelectorAll("option")].map((it) => it.textContent);
  expect(labels.filter((it) => it.startsWith("Day "))).toHaveLength(31);
  expect(labels).toContain("Second Tuesday");
  await press("Save Changes");
  await expect.poll(saved).toMatchObject([{}, { args: { changes: { rule: { kind: "monthly", day: 5 } } } }]);
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
});

test("a visit that was changed by itself is listed, and changes only if one says so", async () => {
  await openPhone();
  const { id, visits } = await book();
  const [, second = ""] = visits;
  const changes = { start_time: "15:00" };
  await business().save({ name: "update_service", args: { id: second, changes, overlap_ok: false } }, "Change");
  await show(`/scheduling?change=${id}`);
  const own = dialog().getByRole("region", { name: "Changed by themselves" });
  await expect.element(own.getByText("Saturday, November 21, 3:00 PM - 3:30 PM")).toBeVisible();
  await userEvent.selectOptions(dialog().getByLabelText("Start time"), "1:00 PM");
  await own.getByRole("checkbox", { name: /Change these, too/ }).click();
  await press("Save Changes");
  await expect.poll(() => business().phone.service(second)?.start_time).toBe("13:00");
});

test("the client's page lists series with their next date and state", async () => {
  await openPhone();
  const { id } = await book();
  const today = { pause_id: newId(), from: TODAY, to: TODAY, reason: "" };
  await business().save({ name: "pause_series", args: { id, ...today } }, "Pause");
  const screen = await render(
    <At path={`/clients/${client.id}`}>
      <SeriesSection clientId={client.id} heading="h2" />
    </At>,
  );
  const link = screen.getByRole("link");
  await expect
    .element(link)
    .toHaveTextContent(/Every day at 12:00 PM, 7 visits.*Rex · Next: Nov 21.*Paused on Nov 20.*Paused/);
  await expect.element(link).toHaveAttribute("href", `/scheduling?series=${id}`);
});

test("what a series will be from a later day on is said on its page and on the client's", async () => {
  await openPhone();
  const slot = { ...newSeriesSlot(newId()), start_time: "12:00" };
  const { id } = await book({ slots: [slot] });
  const later = {
    id,
    from: plusDays(TODAY, 3),
    changes: {},
    slots: [{ id: slot.id, changes: { start_time: "13:00" } }],
  };
  await business().save({ name: "change_series", args: later }, "Change");
  const screen = await show(`/scheduling?series=${id}`);
  await expect.element(dialog().getByText("From Nov 23: Every day at 1:00 PM")).toBeVisible();
  await screen.unmount();
  const section = await render(
    <At path={`/clients/${client.id}`}>
      <SeriesSection clientId={client.id} heading="h2" />
    </At>,
  );
  await expect.element(section.getByText("From Nov 23: Every day at 1:00 PM")).toBeVisible();
});

test("a series that begins later does not say that it runs", async () => {
  await openPhone();
  const { id } = await book({ begins: plusDays(TODAY, 1) });
  await show(`/scheduling?series=${id}`);
  await expect.element(dialog().getByText("Not begun yet")).toBeVisible();
});

test("a series that has ended starts again from its own page", async () => {
  await openPhone();
  const { id, visits } = await book({ rule: { kind: "weekly", every: 1, weekdays: [5] } });
  await business().save({ name: "end_series", args: { id, end: { kind: "on", date: plusDays(TODAY, -1) } } }, "End");
  expect(visits.some(isThere)).toBe(false);
  const screen = await show(`/scheduling?series=${id}`);
  await expect.element(dialog().getByText("Ended")).toBeVisible();
  await press("Start again");
  await notice(/^The series goes on until you stop it\. \d+ visits from Nov 20/);
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  expect(visits.every(isThere)).toBe(true);
  await undo();
  await notice(/^The series ends as before\./);
  expect(visits.some(isThere)).toBe(false);
});

test("what a series will have beyond the weeks ahead is planned, and is booked by a touch", async () => {
  await openPhone();
  await book({ end: { kind: "never" }, rule: { kind: "weekly", every: 1, weekdays: [1] } });
  await show("/scheduling?date=2027-02-15");
  const planned = page.getByRole("region", { name: "1 planned visit" });
  await planned.getByRole("button", { name: /Planned$/ }).click();
  const question = page.getByRole("dialog", { name: "Planned visit" });
  const text = /, Monday, February 15, 12:00 PM\. Its series would book it 12 weeks ahead\. Book it now\?/;
  await expect.element(question.getByText(text)).toBeVisible();
  await question.getByRole("button", { name: "Book now" }).click();
  await notice("Monday, February 15, 12:00 PM - 12:30 PM is booked");
  await expect.element(planned).not.toBeInTheDocument();
  expect(names()).toEqual(["create_series", "make_series_date"]);
  await undo();
  await notice("Monday, February 15, 12:00 PM - 12:30 PM is planned again");
  await expect.element(planned).toBeVisible();
});

test("the palette's words are filled in, with the repetition on", async () => {
  await openPhone();
  await show(`/scheduling?new=1&every=1,3&on=2026-11-23&at=12:00&client=${client.id}`);
  await expect.element(dialog().getByLabelText("Repeats")).toHaveValue("weekly");
  await expect.element(dialog().getByText("Mondays and Wednesdays at 12:00 PM, until you stop it")).toBeVisible();
  await press("Schedule Series");
  await notice(/^Mondays and Wednesdays at 12:00 PM/);
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(saved()).toMatchObject([
    { name: "create_series", args: { series: { client_id: client.id, begins: "2026-11-23" } } },
  ]);
});

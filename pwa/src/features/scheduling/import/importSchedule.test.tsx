/** The import of a schedule on the real core and a real IndexedDB, with no network at all. */
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { AtScreen } from "../../../../test/At";
import { aClient, aPet, aService, openPhone as openWith, rowsOf, saved } from "../../../../test/phone";
import { beginOnFriday } from "../../../../test/schedule";
import { loadRest, type Service } from "../../../core";
import { loadImportCore } from "../../../core/import";
import { business } from "../../../data";
import ImportScheduleScreen from "./ImportScheduleScreen";

await Promise.all([loadRest(), loadImportCore()]);

const client = aClient({ name: "Amir Haddad" });
const rex = aPet(client, { name: "Rex" });
const other = aClient({ name: "Dana Whitfield" });
const luna = aPet(other, { name: "Luna" });

const openPhone = (...services: Service[]): Promise<void> =>
  openWith([...rowsOf(client, rex), ...rowsOf(other, luna), ...services.map((d) => ({ t: "service", d }))]);

const show = () =>
  render(
    <AtScreen path="/scheduling/import" route="/scheduling/import">
      <ImportScheduleScreen />
    </AtScreen>,
  );

const choose = async (text: string) => {
  await userEvent.upload(page.getByLabelText("Choose a file"), new File([text], "schedule.csv"));
};
const button = (name: string) => page.getByRole("button", { name });
const names = () => saved().map((it) => it.name);
const count = async () => (await business().wholePhone()).seriesList(undefined, Date.now()).length;

beginOnFriday(390, 844);

test("rows are said as series, booked, and go again by one undo", async () => {
  await openPhone(aService(other, luna, { date: "2026-11-24", start_time: "12:00" }));
  await show();
  await choose(
    'Client,Pet,Days,Time,Minutes,Service,Start,End,Sitter\nAmir Haddad,Rex,"Tue, Thu",12:00 PM,30 min,Walk,2026-11-23,12/31/2026,Mara\nDana Whitfield,,FREQ=WEEKLY;BYDAY=MO,9:00,,,,,\n',
  );
  await expect.element(page.getByRole("heading", { name: "2 series to book" })).toBeVisible();
  await expect
    .element(
      page.getByText(
        "Amir Haddad, Rex: Tuesdays and Thursdays at 12:00 PM, until Dec 31, beginning Nov 23, 2026. Walk, 30 min",
      ),
    )
    .toBeVisible();
  await expect.element(page.getByText("Not imported: Sitter: Mara")).toBeVisible();
  await button("Book 2 series").click();
  await expect.element(page.getByText("2 series booked")).toBeVisible();
  await expect.element(page.getByText("1 date is taken and waits for your decision.")).toBeVisible();
  expect(names()).toEqual(["create_series", "create_series"]);
  expect(await count()).toBe(2);
  await button("Undo").click();
  await expect.element(page.getByText("Import undone")).toBeVisible();
  await expect.poll(count).toBe(0);
});

test("a wrong cell is corrected in its place, and what was not booked stays", async () => {
  await openPhone();
  await show();
  await choose("Client,Days,Time\nAmir Haddad,sometimes,12:00\nDana Whitfield,Mon,9:00\n");
  await expect.element(page.getByText("schedule.csv, 1 with problems")).toBeVisible();
  await button("Book 1 series").click();
  await expect.element(page.getByText("1 series booked")).toBeVisible();
  const days = page.getByLabelText("Days, row 2");
  await expect.element(days).toHaveAccessibleDescription(/These days cannot be read/);
  await days.fill("weekdays");
  await expect
    .element(page.getByText("Amir Haddad, Rex: Every weekday at 12:00 PM, until you stop it. Walk, 30 min"))
    .toBeVisible();
  await button("Book 1 series").click();
  await expect.element(page.getByText("2 series booked")).toBeVisible();
  expect(await count()).toBe(2);
});

test("a file whose columns are not known asks for them", async () => {
  await openPhone();
  await show();
  await choose("Who,When,Hour\nAmir Haddad,daily,noon\n");
  await expect.element(page.getByText("Say which column has the client, the days and the time.")).toBeVisible();
  await userEvent.selectOptions(page.getByLabelText("Who"), "Client");
  await userEvent.selectOptions(page.getByLabelText("When"), "Days");
  await userEvent.selectOptions(page.getByLabelText("Hour"), "Time");
  await expect
    .element(page.getByText("Amir Haddad, Rex: Every day at 12:00 PM, until you stop it. Walk, 30 min"))
    .toBeVisible();
});

test("a save that fails in the middle leaves what was booked out of the rows, with its undo", async () => {
  await openPhone(aService(client, rex, { date: "2026-11-24", start_time: "12:00" }));
  const screen = await show();
  await choose("Client,Days,Time,Start\nAmir Haddad,Tue,12:00,2026-11-23\nDana Whitfield,Mon,9:00,2026-11-23\n");
  const of = business();
  const save = of.save.bind(of);
  vi.spyOn(of, "save")
    .mockImplementationOnce(save)
    .mockRejectedValueOnce(new DOMException("full", "QuotaExceededError"));
  await button("Book 2 series").click();
  await expect.element(page.getByText("1 series booked")).toBeVisible();
  await expect.element(page.getByText("1 date is taken and waits for your decision.")).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "1 series to book" })).toBeVisible();
  // As after a reload.
  await screen.unmount();
  await show();
  await expect.element(page.getByText("1 series booked")).toBeVisible();
  await button("Book 1 series").click();
  await expect.element(page.getByText("2 series booked")).toBeVisible();
  expect(await count()).toBe(2);
  // The first one goes with its taken date; the other stays.
  vi.spyOn(of, "save")
    .mockImplementationOnce(save)
    .mockResolvedValueOnce({ ok: false, refusal: { code: "failed" }, text: "It was changed", fields: [] });
  await button("Undo").click();
  await expect.element(page.getByText("1 series stayed: It was changed")).toBeVisible();
  await expect.element(page.getByText("1 series booked")).toBeVisible();
  await expect.element(page.getByText("1 date is taken and waits for your decision.")).not.toBeInTheDocument();
  await button("Undo").click();
  await expect.element(page.getByText("Import undone")).toBeVisible();
  await expect.poll(count).toBe(0);
});

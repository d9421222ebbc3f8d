/** Closing the day, corrections and quick replies from the day of a phone, on the real core with no network at all. */
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { aClient, aPet, aService, closePhone, openPhone, rowsOf, saved } from "../../../test/phone";
import { beginOnFriday, showSchedule as show, TODAY } from "../../../test/schedule";
import { loadRest, newId, plusDays, type Service } from "../../core";
import { business } from "../../data/business/openBusiness";
import { putWalk } from "../../data/walks/walkLog";

await loadRest();

const dana = aClient({ name: "Dana Reyes", client_user_id: newId() });
const luna = aPet(dana, { name: "Luna" });
const mikko = aClient({ name: "Mikko Aalto", phone: "555 0100", client_user_id: null });
const rex = aPet(mikko, { name: "Rex" });

beginOnFriday(390, 844);

const openDay = (...services: Service[]): Promise<void> =>
  openPhone([...rowsOf(dana, luna), ...rowsOf(mikko, rex), ...services.map((d) => ({ t: "service", d }))]);

const dialog = () => page.getByRole("dialog", { name: "Close the day" });

const statusOf = ({ id }: Service) => business().phone.service(id)?.status;

/** A radio is in its label's place, and has none of its own to be clicked at. */
const pick = (group: RegExp, name: string) =>
  (dialog().getByRole("group", { name: group }).getByRole("radio", { name }).element() as HTMLElement).click();

test("what is still open is completed or cancelled by one press, with one way back", async () => {
  const before = aService(dana, luna, { date: plusDays(TODAY, -1), start_time: "12:00" });
  const walked = aService(mikko, rex, { start_time: "08:00" });
  const missed = aService(mikko, rex, { start_time: "09:00" });
  const later = aService(dana, luna, { start_time: "15:00" });
  await openDay(before, walked, missed, later);
  const screen = await show("/scheduling?days=day");
  await screen.getByRole("button", { name: "Close the day" }).click();
  await expect.element(dialog().getByText("3 visits still open")).toBeVisible();
  await expect.element(dialog().getByText(/^Thursday, November 19/)).toBeVisible();
  await expect.element(dialog().getByText("1 visit is still to come today.")).toBeVisible();
  pick(/Rex, Today, 9:00 AM/, "Cancel");
  await dialog().getByRole("button", { name: "Complete 2 visits, Cancel 1 visit" }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect([before, walked, missed, later].map(statusOf)).toEqual(["completed", "completed", "cancelled", "scheduled"]);
  await expect.poll(saved).toMatchObject([
    { name: "mark_services", args: { status: "completed", was: "scheduled" } },
    { name: "mark_services", args: { marked: [missed.id], status: "cancelled", was: "scheduled" } },
  ]);
  await screen.getByRole("button", { name: "Undo" }).click();
  await expect.element(screen.getByText(/^Undone\./)).toBeVisible();
  expect([before, walked, missed].map(statusOf)).toEqual(["scheduled", "scheduled", "scheduled"]);
});

test("a day on which nothing is open has nothing to close", async () => {
  await openDay(aService(dana, luna, { start_time: "15:00" }));
  const screen = await show("/scheduling?days=day");
  await expect.element(screen.getByRole("heading", { name: "1 visit today" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Close the day" }).query()).toBeNull();
});

test("a visit that was put aside is under way, and is not closed with the day", async () => {
  const begun = aService(dana, luna, { start_time: "08:00", service_type: "dropin" });
  const missed = aService(mikko, rex, { start_time: "09:00" });
  await openDay(begun, missed);
  await putWalk({
    id: newId(),
    kind: "visit",
    parked: true,
    title: "Luna",
    service_id: begun.id,
    client_name: "Dana Reyes",
    dogs: ["Luna"],
    planned_minutes: 30,
    started_at: Date.now(),
    summary: null,
    imported: false,
  });
  const screen = await show("/scheduling?days=day");
  await screen.getByRole("button", { name: "Close the day" }).click();
  await expect.element(dialog().getByText("1 visit is under way.")).toBeVisible();
  await expect.element(dialog().getByText("1 visit still open")).toBeVisible();
  expect(dialog().getByRole("group", { name: /^Luna/ }).query()).toBeNull();
  await dialog().getByRole("button", { name: "Back" }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
});

test("a completed visit is corrected from its card, which says before what that undoes, and leaves a trace", async () => {
  const done = aService(mikko, rex, {
    start_time: "08:00",
    status: "completed",
    completed_at: "2026-11-20T08:34:00.000Z",
  });
  await openDay(done);
  const screen = await show("/scheduling?days=day");
  await screen.getByRole("button", { name: "More about Rex" }).click();
  await screen.getByRole("menuitem", { name: "Reopen to correct" }).click();
  const question = page.getByRole("dialog", { name: "Reopen this completed service?" });
  await expect.element(question).toHaveTextContent(/This undoes: Completed on Nov 20, 2026 at 8:34 AM\./);
  await expect.element(question).toHaveTextContent(/Nobody is told: Mikko Aalto is not in the portal\./);
  await question.getByRole("button", { name: "Reopen" }).click();
  await expect.element(screen.getByText("Rex is scheduled again")).toBeVisible();
  await expect.poll(saved).toEqual([{ name: "reopen_service", args: { id: done.id, corrects: true } }]);
  await screen.getByRole("button", { name: "Rex", exact: true }).click();
  const details = page.getByRole("dialog", { name: "Service Details" });
  await expect
    .element(details.getByText(/^Completed on Nov 20, 2026 at 8:34 AM, corrected on Nov 20, 2026/))
    .toBeVisible();
});

test("a visit on an invoice is not corrected, and says what to do first", async () => {
  const billed = aService(mikko, rex, {
    start_time: "08:00",
    status: "completed",
    completed_at: "2026-11-20T08:34:00.000Z",
    invoice_id: newId(),
  });
  await openDay(billed);
  const screen = await show("/scheduling?days=day");
  await screen.getByRole("button", { name: "More about Rex" }).click();
  await screen.getByRole("menuitem", { name: "Reopen to correct" }).click();
  await expect.element(screen.getByText(/^This service is on an invoice\. Delete the invoice/)).toBeVisible();
  expect(saved()).toEqual([]);
});

test("a client with a login is written to in the app with one tap, and it can be taken back", async () => {
  await openDay(aService(dana, luna, { start_time: "10:30" }));
  const screen = await show("/scheduling?days=day");
  await expect
    .element(screen.getByRole("link", { name: "Message Dana Reyes" }))
    .toHaveAttribute("href", `/messages/${dana.id}`);
  await screen.getByRole("button", { name: "10 min late" }).click();
  await expect
    .poll(saved)
    .toMatchObject([
      { name: "send_message", args: { conversation_id: dana.id, content: "I'm running about 10 minutes late." } },
    ]);
  await screen.getByRole("button", { name: "Undo" }).click();
  await expect.poll(saved).toMatchObject([{ name: "send_message" }, { name: "delete_message" }]);
});

test("a client without a login gets a text", async () => {
  await openDay(aService(mikko, rex, { start_time: "10:30" }));
  const screen = await show("/scheduling?days=day");
  const href = "sms:5550100?&body=I'm%20running%20about%2010%20minutes%20late.";
  await expect.element(screen.getByRole("link", { name: "10 min late" })).toHaveAttribute("href", href);
  await expect.element(screen.getByRole("link", { name: "Text Mikko Aalto" })).toHaveAttribute("href", "sms:5550100");
});

test("a late visit offers no ten minutes, and one that has begun no quick reply at all", async () => {
  const late = aService(dana, luna, { start_time: "09:40", duration_minutes: 120 });
  await openDay(late);
  const screen = await show("/scheduling?days=day");
  await expect.element(screen.getByText("Start not recorded")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "On my way" })).toBeVisible();
  expect(screen.getByRole("button", { name: "10 min late" }).query()).toBeNull();
  await screen.unmount();
  await closePhone();
  await openDay({ ...late, progress: { step: "started", at: "2026-11-20T10:01:00.000Z" } });
  const begun = await show("/scheduling?days=day");
  await expect.element(begun.getByText("Started late")).toBeVisible();
  expect(begun.getByRole("list", { name: /^Quick replies/ }).query()).toBeNull();
});

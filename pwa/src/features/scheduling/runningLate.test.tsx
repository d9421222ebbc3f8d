/** 'Running late' from the day of a phone, on the real core and a real IndexedDB, with no network at all. */
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { aClient, aPet, aService, openPhone, rowsOf, saved, signInOnPhone } from "../../../test/phone";
import { beginOnFriday, showSchedule as show, TODAY } from "../../../test/schedule";
import { type AnnounceDelay, loadRest, newId, type Service } from "../../core";
import { hasDraft } from "../../data/business/drafts";
import { business } from "../../data/business/openBusiness";
import { setSession } from "../../data/session/session";

await loadRest();

const dana = aClient({ name: "Dana Reyes", client_user_id: newId() });
const luna = aPet(dana, { name: "Luna" });
const mikko = aClient({ name: "Mikko Aalto", phone: "555 0100", client_user_id: null });
const rex = aPet(mikko, { name: "Rex" });

beginOnFriday(390, 844);

/** Luna at noon and Rex at one; and what is over and what is cancelled. */
async function openDay(): Promise<[Service, Service]> {
  const first = aService(dana, luna, { start_time: "12:00" });
  const second = aService(mikko, rex, { start_time: "13:00" });
  const others = [
    aService(dana, luna, { start_time: "08:00", status: "completed", completed_at: "2026-11-20T08:34:00.000Z" }),
    aService(mikko, rex, { start_time: "15:00", status: "cancelled" }),
  ];
  await openPhone([
    ...rowsOf(dana, luna),
    ...rowsOf(mikko, rex),
    ...[first, second, ...others].map((d) => ({ t: "service", d })),
  ]);
  return [first, second];
}

const dialog = () => page.getByRole("dialog", { name: "Running late" });

async function openDialog() {
  const screen = await show("/scheduling?days=day");
  await screen.getByRole("button", { name: "Running late" }).click();
  // Its draft is read before there is anything to choose.
  await expect.element(dialog().getByRole("radio", { name: "Other" })).toBeInTheDocument();
  return screen;
}

/** A radio is in its label's place, and has none of its own to be clicked at. */
const pick = (name: string) => (dialog().getByRole("radio", { name }).element() as HTMLElement).click();

const announced = (): AnnounceDelay | undefined =>
  saved().find((it) => it.name === "announce_delay")?.args as AnnounceDelay | undefined;

test("clients are told of the new times by one change, which says so while it waits", async () => {
  const [first, second] = await openDay();
  // Nothing is sent before the person has signed in again.
  await signInOnPhone(true);
  const screen = await openDialog();
  const visits = dialog().getByRole("group", { name: "Visits that follow" });
  await expect.element(visits.getByRole("checkbox", { name: /12:00 PM.*12:20 PM.*Luna/ })).toBeChecked();
  expect(visits.getByRole("checkbox").elements()).toHaveLength(2);
  pick("30 min");
  await expect.element(visits.getByRole("checkbox", { name: /1:00 PM.*1:30 PM.*Rex/ })).toBeChecked();
  await expect
    .element(dialog().getByRole("textbox", { name: "Dana Reyes" }))
    .toHaveValue("Luna's visit is about 30 minutes later today, around 12:30 PM.");
  await expect.element(dialog().getByText(/if this can be sent before 12:30 PM/)).toBeVisible();
  await expect.element(dialog().getByText(/Mikko Aalto is not in the portal/)).toBeVisible();
  await userEvent.fill(dialog().getByRole("textbox", { name: "Mikko Aalto" }), "Rex has to wait a bit");
  await dialog().getByRole("button", { name: "Tell 1 client" }).click();
  await expect
    .element(screen.getByText("1 client is told if this can be sent in time. 1 text waits on To send"))
    .toBeVisible();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(announced()).toMatchObject({
    date: TODAY,
    moves_plan: true,
    delayed: [
      { id: first.id, planned: "12:00", start_time: "12:30" },
      { id: second.id, planned: "13:00", start_time: "13:30" },
    ],
    told: [
      { client_id: dana.id, content: "" },
      { client_id: mikko.id, content: "Rex has to wait a bit" },
    ],
  });
  expect(business().phone.service(first.id)?.start_time).toBe("12:30");
  const [entry] = (await business().wholePhone()).toSend(Date.now());
  expect(entry?.words).toBe("Hello Mikko! Rex has to wait a bit");

  await screen.getByRole("button", { name: "Undo" }).click();
  await expect
    .element(screen.getByText("Taken back on this device. Clients in the portal see it once this is sent."))
    .toBeVisible();
  expect(business().phone.service(first.id)?.start_time).toBe("12:00");
  await setSession(undefined);
});

test("a visit is left out, and the plan is left alone, by one tap each", async () => {
  const [, second] = await openDay();
  await signInOnPhone(true);
  const screen = await openDialog();
  await dialog().getByRole("checkbox", { name: /Luna/ }).click();
  expect(dialog().getByRole("textbox", { name: "Dana Reyes" }).query()).toBeNull();
  await dialog().getByRole("switch", { name: "Also move the times on the plan" }).click();
  await dialog().getByRole("button", { name: "Save and text later" }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(announced()).toMatchObject({
    moves_plan: false,
    delayed: [{ id: second.id }],
    told: [{ client_id: mikko.id }],
  });
  expect(business().phone.service(second.id)?.start_time).toBe("13:00");

  // Nobody in the portal saw it, so that nothing waits for the network.
  await screen.getByRole("button", { name: "Undo" }).last().click();
  await expect.element(screen.getByText("Taken back", { exact: true })).toBeVisible();
  await setSession(undefined);
});

test("a client whose message is emptied is not told", async () => {
  const [first, second] = await openDay();
  await signInOnPhone(true);
  const screen = await openDialog();
  await userEvent.fill(dialog().getByRole("textbox", { name: "Mikko Aalto" }), " ");
  await expect.element(dialog().getByText("No message is sent: the text is empty.")).toBeVisible();
  await expect.element(dialog().getByRole("button", { name: "Tell 1 client" })).toBeVisible();
  await userEvent.fill(dialog().getByRole("textbox", { name: "Dana Reyes" }), "");
  await expect.element(dialog().getByRole("button", { name: "Save without messages" })).toBeVisible();
  await userEvent.fill(dialog().getByRole("textbox", { name: "Mikko Aalto" }), "Rex has to wait a bit");
  await dialog().getByRole("button", { name: "Save and text later" }).click();
  await expect.element(screen.getByText("1 text waits on To send", { exact: true })).toBeVisible();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(announced()).toMatchObject({
    delayed: [{ id: first.id }, { id: second.id }],
    told: [{ client_id: mikko.id, content: "Rex has to wait a bit" }],
  });
  await setSession(undefined);
});

test("an edited message stays when the times change, with a hint to check them, and over a killed tab", async () => {
  await openDay();
  const first = await openDialog();
  const hint = () => dialog().getByText("Check the times: they have changed since you wrote this.");
  const danas = () => dialog().getByRole("textbox", { name: "Dana Reyes" });
  await userEvent.fill(danas(), "Luna at 12:20, sorry!");
  await expect.element(hint()).not.toBeInTheDocument();
  pick("30 min");
  await expect.element(danas()).toHaveValue("Luna at 12:20, sorry!");
  await expect.element(hint()).toBeVisible();
  await expect
    .element(dialog().getByRole("textbox", { name: "Mikko Aalto" }))
    .toHaveValue("Rex's visit is about 30 minutes later today, around 1:30 PM.");
  await dialog().getByRole("checkbox", { name: /Luna/ }).click();
  await expect.element(danas()).not.toBeInTheDocument();
  await dialog().getByRole("checkbox", { name: /Luna/ }).click();
  await expect.element(danas()).toHaveValue("Luna at 12:20, sorry!");

  const beside = dialog().element();
  beside.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  beside.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await expect.element(danas()).toHaveValue("Luna at 12:20, sorry!");
  await first.unmount();

  await openDialog();
  await expect.element(dialog().getByText("Restored what you typed.")).toBeVisible();
  await expect.element(dialog().getByRole("radio", { name: "30 min" })).toBeChecked();
  await expect.element(danas()).toHaveValue("Luna at 12:20, sorry!");
  await expect.element(hint()).toBeVisible();
  await userEvent.fill(danas(), "Luna at 12:30, sorry!");
  await expect.element(hint()).not.toBeInTheDocument();
  await dialog().getByRole("button", { name: "Tell 1 client" }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(announced()?.told).toMatchObject([{ content: "Luna at 12:30, sorry!" }, { content: "" }]);
  await vi.waitFor(async () => expect(await hasDraft(`running-late:${TODAY}`)).toBe(false));
});

test("another number of minutes has bounds, and nothing is saved beyond them", async () => {
  await openDay();
  await openDialog();
  pick("Other");
  await userEvent.fill(dialog().getByLabelText("Minutes"), "300");
  await expect.element(dialog().getByText("Between 1 and 240 minutes")).toBeVisible();
  expect(dialog().getByRole("button", { name: /Tell/ }).query()).toBeNull();
  await userEvent.fill(dialog().getByLabelText("Minutes"), "15");
  await expect.element(dialog().getByRole("button", { name: "Tell 1 client" })).toBeVisible();
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(saved()).toEqual([]);
});

test("a visit that is not started by the time that its client was told says that alone", async () => {
  const delay = { planned: "09:30", start_time: "09:45", date: TODAY, at: "2026-11-20T09:20:00.000Z" };
  const late = aService(dana, luna, { start_time: "09:30", duration_minutes: 60, delay });
  await openPhone([...rowsOf(dana, luna), { t: "service", d: late }]);
  const details = page.getByRole("dialog", { name: "Service Details" });
  const screen = await show(`/scheduling?service=${late.id}`);
  await expect.element(details.getByText("Start not recorded")).toBeVisible();
  expect(details.getByText(/^Expected around/).query()).toBeNull();
  await screen.unmount();
  vi.setSystemTime(new Date("2026-11-20T09:50:00Z"));
  await show(`/scheduling?service=${late.id}`);
  await expect.element(details.getByText("Expected around 9:45 AM")).toBeVisible();
});

/** Several visits at once on a real IndexedDB and the real core, with no network at all. */
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { aClient, aPet, aService, openPhone as openWith, pullRows, rowsOf, saved } from "../../../../test/phone";
import { beginOnFriday, showSchedule as show, TODAY } from "../../../../test/schedule";
import { type CopyServices, loadRest, newId, plusDays, type Service } from "../../../core";
import { business } from "../../../data/business/openBusiness";
import { toast } from "../../../ui";

await loadRest();

const client = aClient({ name: "Amir Haddad" });
const rex = aPet(client, { name: "Rex" });
const other = aClient({ name: "Dana Whitfield", phone: "(555) 010-4477" });
const luna = aPet(other, { name: "Luna" });

const openPhone = (...services: Service[]): Promise<void> =>
  openWith([...rowsOf(client, rex), ...rowsOf(other, luna), ...services.map((d) => ({ t: "service", d }))]);

const walk = (start_time: string, change: Partial<Service> = {}) => aService(client, rex, { start_time, ...change });
const dialog = () => page.getByRole("dialog").first();
const bar = () => page.getByRole("region", { name: "Marked visits" });
const names = () => saved().map((it) => it.name);
const notice = (text: string | RegExp) => expect.element(page.getByRole("log").getByText(text)).toBeVisible();
const undo = () => page.getByRole("log").getByRole("button", { name: "Undo" }).last().click();
const timeOf = (id: string) => {
  const found = business().phone.service(id);
  return found && `${found.date} ${found.start_time} ${found.status}`;
};

/** Chooses something of the phone's menu above the schedule. */
async function choose(what: string): Promise<void> {
  await page.getByRole("button", { name: /^View: / }).click();
  await page.getByRole("menuitem", { name: what }).click();
}

beginOnFriday(390, 844);

test("visits that were marked move together, and one undo brings them back", async () => {
  const [first, second] = [walk("12:00"), aService(other, luna, { start_time: "12:30" })];
  await openPhone(first, second);
  const screen = await show("/scheduling?days=day");
  await choose("Select visits");
  await expect.element(bar().getByText("0 marked")).toBeVisible();
  await expect.element(bar().getByRole("button", { name: "Move" })).toBeDisabled();
  const rexButton = screen.getByRole("button", { name: "Rex", exact: true }).first();
  await rexButton.click();
  await expect.element(rexButton).toHaveAttribute("aria-pressed", "true");
  await screen.getByRole("button", { name: "Luna", exact: true }).first().click();
  await expect.element(bar().getByText("2 marked")).toBeVisible();
  await bar().getByRole("button", { name: "Move" }).click();
  await expect.element(dialog().getByText("2 visits will move.")).toBeVisible();
  await expect
    .element(dialog().getByText("Amir Haddad and Dana Whitfield are not in the portal and are not told."))
    .toBeVisible();
  await dialog().getByRole("button", { name: "Move 2 visits" }).click();
  await notice(/^2 visits are moved\./);
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expect.element(bar()).not.toBeInTheDocument();
  expect(timeOf(first.id)).toBe(`${TODAY} 12:30 scheduled`);
  expect(timeOf(second.id)).toBe(`${TODAY} 13:00 scheduled`);
  await undo();
  await expect.poll(() => timeOf(second.id)).toBe(`${TODAY} 12:30 scheduled`);
  expect(timeOf(first.id)).toBe(`${TODAY} 12:00 scheduled`);
  expect(names()).toEqual(["move_services", "move_services"]);
});

test("times that are taken are shown before, and left out or booked all the same", async () => {
  const [first, second] = [walk("12:00"), walk("15:00")];
  await openPhone(first, second, aService(other, luna, { start_time: "12:30" }));
  const screen = await show("/scheduling?days=day");
  await choose("Select visits");
  const buttons = screen.getByRole("button", { name: "Rex", exact: true });
  await buttons.first().click();
  await buttons.last().click();
  await bar().getByRole("button", { name: "Move" }).click();
  await expect.element(dialog().getByText("1 of 2 dates is taken")).toBeVisible();
  await expect.element(dialog().getByText(/Dana Whitfield, 12:30 PM/)).toBeVisible();
  // What nobody has decided on stays where it is.
  await expect.element(dialog().getByRole("button", { name: "Move 1 visit" })).toBeVisible();
  await dialog().getByRole("button", { name: "Book anyway" }).click();
  await dialog().getByRole("button", { name: "Move 2 visits" }).click();
  await notice(/^2 visits are moved\./);
  await expect.poll(saved).toMatchObject([
    {
      name: "move_services",
      args: {
        moves: [
          { id: first.id, start_time: "12:30", overlap_ok: true },
          { id: second.id, start_time: "15:30", overlap_ok: false },
        ],
      },
    },
  ]);
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});

test("what cannot be called off any more is named, and the rest comes back by one undo", async () => {
  const [open, done] = [walk("12:00"), walk("08:00", { status: "completed", completed_at: `${TODAY}T09:00:00.000Z` })];
  await openPhone(open, done);
  const screen = await show("/scheduling?days=day");
  await choose("Select visits");
  const buttons = screen.getByRole("button", { name: "Rex", exact: true });
  await buttons.first().click();
  await buttons.last().click();
  await bar().getByRole("button", { name: "Cancel visits" }).click();
  await expect.element(dialog().getByText("Cancel 1 visit?")).toBeVisible();
  await expect
    .element(dialog().getByText(/1 of 2 visits stays as it is: Rex, Nov 20, 8:00 AM \(completed\)\./))
    .toBeVisible();
  await dialog().getByRole("button", { name: "Cancel 1 visit" }).click();
  await notice(/^1 visit is cancelled\./);
  expect(timeOf(open.id)).toBe(`${TODAY} 12:00 cancelled`);
  await undo();
  await expect.poll(() => timeOf(open.id)).toBe(`${TODAY} 12:00 scheduled`);
  expect(saved()[1]).toMatchObject({
    name: "mark_services",
    args: { marked: [open.id], status: "scheduled", was: "cancelled" },
  });
});

test("a week is copied without what was cancelled, and goes again by one undo", async () => {
  const [first, second, off] = [
    walk("12:00"),
    walk("12:00", { date: plusDays(TODAY, 1) }),
    walk("15:00", { status: "cancelled" }),
  ];
  await openPhone(first, second, off);
  await show("/scheduling?days=day");
  await choose("Copy this week");
  await expect.element(dialog().getByLabelText("To the week of")).toHaveValue("2026-11-22");
  await expect.element(dialog().getByText("1 cancelled visit is not copied.")).toBeVisible();
  await expect.element(dialog().getByText("2 visits will be booked.")).toBeVisible();
  await dialog().getByRole("button", { name: "Copy 2 visits" }).click();
  await notice(/^2 visits are booked\./);
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  const copies = saved().flatMap((it) => (it.name === "copy_services" ? (it.args as CopyServices).copies : []));
  expect(copies.map((it) => timeOf(it.id))).toEqual(["2026-11-27 12:00 scheduled", "2026-11-28 12:00 scheduled"]);
  await undo();
  await expect.poll(() => copies.map((it) => timeOf(it.id))).toEqual([undefined, undefined]);
  expect(names()).toEqual(["copy_services", "undo_copy"]);
});

test("one visit is copied from its details, to the nearest free time where its own is taken", async () => {
  const visit = walk("12:00");
  await openPhone(visit, aService(other, luna, { start_time: "12:00", date: "2026-11-27" }));
  await show(`/scheduling?days=day&service=${visit.id}`);
  await dialog().getByRole("button", { name: "Copy" }).click();
  await expect.element(dialog().getByText("1 of 1 date is taken")).toBeVisible();
  await expect.element(dialog().getByRole("button", { name: "Copy", exact: true })).toBeDisabled();
  await dialog().getByRole("button", { name: "11:30 AM" }).click();
  await dialog().getByRole("button", { name: "Copy 1 visit" }).click();
  await notice(/^1 visit is booked\./);
  await expect
    .poll(saved)
    .toMatchObject([
      { name: "copy_services", args: { copies: [{ original: visit.id, date: "2026-11-27", start_time: "11:30" }] } },
    ]);
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});

test("each client of the marked visits gets one message, and the others are texted by the sitter", async () => {
  const visits = [walk("12:00"), walk("15:00"), aService(other, luna, { start_time: "16:00" })];
  await openPhone(...visits);
  const linked = { ...client, client_user_id: newId() };
  await pullRows({ t: "client", d: linked });
  const screen = await show("/scheduling?days=day");
  await choose("Select visits");
  const rexes = screen.getByRole("button", { name: "Rex", exact: true });
  await rexes.first().click();
  await rexes.last().click();
  await screen.getByRole("button", { name: "Luna", exact: true }).first().click();
  await bar().getByRole("button", { name: "Message" }).click();
  await dialog().getByLabelText("Message").fill("Half an hour late");
  await expect.element(dialog().getByText("In Walkies: Amir Haddad")).toBeVisible();
  const text = dialog().getByRole("link", { name: "Text" });
  await expect.element(text).toHaveAttribute("href", "sms:5550104477?&body=Half%20an%20hour%20late");
  await dialog().getByRole("button", { name: "Send message" }).click();
  await expect
    .poll(saved)
    .toMatchObject([
      { name: "send_message", args: { conversation_id: client.id, content: "Half an hour late", photo: null } },
    ]);
  await expect.element(dialog().getByText("You have written to: Amir Haddad")).toBeVisible();
  // Who has it does not get it again, and the text stays for the others.
  await expect.element(dialog().getByRole("button", { name: "Send message" })).not.toBeInTheDocument();
  await expect.element(text).toHaveAttribute("href", "sms:5550104477?&body=Half%20an%20hour%20late");
  await dialog().getByRole("button", { name: "Close" }).last().click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await bar().getByRole("button", { name: "Message" }).click();
  await expect.element(dialog().getByLabelText("Message")).toHaveValue("");
  await expect.element(dialog().getByText("Restored what you typed.")).not.toBeInTheDocument();
  await dialog().getByRole("button", { name: "Close" }).last().click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});

test("after a refusal a second press sends only the messages that are missing", async () => {
  const visits = [walk("12:00"), aService(other, luna, { start_time: "16:00" })];
  await openPhone(...visits);
  const [first, second] = [client, other].map((it) => ({ ...it, client_user_id: newId() }));
  if (first && second) await pullRows({ t: "client", d: first }, { t: "client", d: second });
  const screen = await show("/scheduling?days=day");
  await choose("Select visits");
  await screen.getByRole("button", { name: "Rex", exact: true }).first().click();
  await screen.getByRole("button", { name: "Luna", exact: true }).first().click();
  await bar().getByRole("button", { name: "Message" }).click();
  await dialog().getByLabelText("Message").fill("Half an hour late");
  const refusal = vi.spyOn(business(), "save").mockResolvedValueOnce({
    ok: false,
    refusal: { code: "failed" },
    text: "This client cannot be written to",
    fields: [],
  });
  await dialog().getByRole("button", { name: "Send 2 messages" }).click();
  await expect.element(dialog().getByText("This client cannot be written to")).toBeVisible();
  await dialog().getByRole("button", { name: "Send message" }).click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  refusal.mockRestore();
  expect(
    saved()
      .map((it) => (it.args as { conversation_id: string }).conversation_id)
      .toSorted(),
  ).toEqual([client.id, other.id].toSorted());
});

test("text that was left is restored with a word about it", async () => {
  await openPhone(walk("12:00"));
  const screen = await show("/scheduling?days=day");
  await choose("Select visits");
  await screen.getByRole("button", { name: "Rex", exact: true }).first().click();
  await bar().getByRole("button", { name: "Message" }).click();
  await dialog().getByLabelText("Message").fill("Half an hour late");
  await dialog().getByRole("button", { name: "Close" }).last().click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await bar().getByRole("button", { name: "Message" }).click();
  await expect.element(dialog().getByLabelText("Message")).toHaveValue("Half an hour late");
  await dialog().getByRole("button", { name: "Start over" }).click();
  await expect.element(dialog().getByLabelText("Message")).toHaveValue("");
  await dialog().getByRole("button", { name: "Close" }).last().click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});

test("the address of an act with nothing marked opens no dialog at the next mark", async () => {
  await openPhone(walk("12:00"));
  const screen = await show("/scheduling?days=day&several=move");
  await choose("Select visits");
  await screen.getByRole("button", { name: "Rex", exact: true }).first().click();
  await expect.element(bar().getByText("1 marked")).toBeVisible();
  await expect.element(bar().getByRole("button", { name: "Move" })).toBeEnabled();
  expect(page.getByRole("dialog").query()).toBeNull();
  toast.info("Notices stand above the bar");
  const shown = screen.getByText("Notices stand above the bar");
  await expect.element(shown).toBeVisible();
  const top = bar().element().getBoundingClientRect().top;
  await expect.poll(() => shown.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(top);
  toast.clear();
});

test("on a desktop visits are marked by Ctrl and a click or by X, and Escape ends it", async () => {
  await page.viewport(1280, 900);
  const [first, second] = [walk("12:00"), walk("15:00")];
  await openPhone(first, second);
  const screen = await show("/scheduling?days=day");
  const block = ({ id }: Service) => screen.container.querySelector<HTMLElement>(`[data-visit="${id}"]`);
  await expect.poll(() => block(first)).not.toBeNull();
  await userEvent.click(block(first) as HTMLElement, { modifiers: ["ControlOrMeta"] });
  await expect.element(bar().getByText("1 marked")).toBeVisible();
  block(second)?.focus();
  await userEvent.keyboard("x");
  await expect.element(bar().getByText("2 marked")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(bar()).not.toBeInTheDocument();
  expect(saved()).toEqual([]);
});

test("a long press of a finger marks a visit and does not open it", async () => {
  await openPhone(walk("12:00"));
  const screen = await show("/scheduling?days=day");
  const button = screen.getByRole("button", { name: "Rex", exact: true }).first();
  await expect.element(button).toBeVisible();
  const finger = { bubbles: true, pointerType: "touch", pointerId: 1 };
  button.element().dispatchEvent(new PointerEvent("pointerdown", finger));
  await expect.element(bar().getByText("1 marked")).toBeVisible();
  button.element().dispatchEvent(new PointerEvent("pointerup", finger));
  button.element().dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await expect.element(bar().getByText("1 marked")).toBeVisible();
  expect(page.getByRole("dialog").query()).toBeNull();
});

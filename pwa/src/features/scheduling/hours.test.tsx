/** The calendar by the hour, by keys, on a real IndexedDB and the real core. Hands are in `e2e/desktop.spec.ts`. */
import { expect, onTestFinished, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { aClient, aPet, aService, openPhone, rowsOf, saved } from "../../../test/phone";
import { beginOnFriday, showSchedule as show, TODAY } from "../../../test/schedule";
import type { Service } from "../../core";

/** A phone with these visits of one client with one dog. */
async function openWith(...changes: Partial<Service>[]): Promise<Service[]> {
  const amir = aClient({ name: "Amir Haddad", address: "18 Alder Street, Portland" });
  const rex = aPet(amir, { name: "Rex" });
  const services = changes.map((it) => aService(amir, rex, it));
  await openPhone([...rowsOf(amir, rex), ...services.map((d) => ({ t: "service", d }))]);
  return services;
}

const grid = () => page.getByRole("group", { name: /^Calendar by the hour/ });
const visit = (name: RegExp | string) => grid().getByRole("button", { name });
const slot = (time: string, day = "Friday, November 20") =>
  grid().getByRole("button", { name: `${day}, ${time}, schedule a service` });

beginOnFriday(1280, 800);

test("each day is a group with its heading, and a visit says its day, its street and what it is", async () => {
  await openWith({}, { date: "2026-11-22", service_type: "dropin" });
  const screen = await show("/scheduling?days=week");
  const friday = screen.getByRole("group", { name: "Friday, November 20, today, 1 visit" });
  await expect
    .element(friday.getByRole("listitem").getByRole("button"))
    .toHaveAccessibleName(
      "Friday, November 20, 11:00 AM - 11:30 AM, Walk for Rex, 30 min, Amir Haddad, 18 Alder Street, Scheduled",
    );
  await screen.unmount();
  const next = await show("/scheduling?days=week&date=2026-11-22");
  const sunday = next.getByRole("group", { name: "Sunday, November 22, 1 visit" });
  await expect.element(sunday.getByRole("button", { name: /^Sunday, November 22, .*Drop-in for Rex/ })).toBeVisible();
});

test("the whole grid is one stop of Tab, and what has the focus is never under the days' names", async () => {
  await openWith({ start_time: "06:00" }, { start_time: "07:00" }, { start_time: "20:00" });
  await show();
  await expect.element(visit(/7:00 AM/)).toBeVisible();
  const stops = () => grid().element().querySelectorAll('[tabindex="0"]').length;
  const isInSight = () => {
    const box = grid().element().getBoundingClientRect();
    const names = grid().element().firstElementChild?.getBoundingClientRect();
    const it = document.activeElement?.getBoundingClientRect();
    return it && names && it.top >= names.bottom - 1 && it.bottom <= box.bottom + 1;
  };
  expect(stops()).toBe(1);
  grid().element().focus();
  await expect.element(visit(/6:00 AM/)).toHaveFocus();
  await userEvent.keyboard("{PageDown}{PageDown}");
  await expect.element(visit(/8:00 PM/)).toHaveFocus();
  expect(isInSight()).toBe(true);
  expect(stops()).toBe(1);
  for (let presses = 0; presses < 12; presses += 1) {
    await userEvent.keyboard("{ArrowUp}");
    expect(isInSight()).toBe(true);
  }
  await userEvent.keyboard("{Control>}{Home}{/Control}");
  await expect.element(grid().getByRole("button", { name: /today, 3 visits$/ })).toHaveFocus();
  await userEvent.keyboard("{Tab}");
  expect(grid().element().contains(document.activeElement)).toBe(false);
});

test("arrows go over the slots that are free and to every visit, and Enter opens what is there", async () => {
  await openWith({}, { start_time: "11:15", overlap_ok: true, dogs: ["Pepper"] }, { date: "2026-11-21" });
  const screen = await show();
  await expect.element(visit(/Rex.*Amir/).first()).toBeVisible();
  grid().element().focus();
  await expect.element(slot("6:00 AM")).toHaveFocus();
  await userEvent.keyboard("{ArrowDown>9/}{ArrowDown}");
  await expect.element(visit(/^Friday.*Rex/)).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}");
  await expect.element(visit(/Pepper/)).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}");
  await expect.element(slot("12:00 PM")).toHaveFocus();
  await userEvent.keyboard("{ArrowUp}{ArrowUp}{ArrowRight}");
  await expect.element(visit(/^Saturday.*Rex/)).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByRole("dialog", { name: "Service Details" })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(visit(/^Saturday.*Rex/)).toHaveFocus();
});

test("arrows lead to a day that is not shown yet", async () => {
  await openWith({ date: "2026-11-25", start_time: "06:00" });
  await show();
  await expect.element(grid()).toBeVisible();
  grid().element().focus();
  await expect.element(slot("6:00 AM")).toHaveFocus();
  await userEvent.keyboard("{ArrowRight>5/}");
  await expect.element(visit(/^Wednesday, November 25, 6:00 AM/)).toHaveFocus();
});

test("a visit is carried with Alt, saved once when that is let go, and taken back", async () => {
  const [rex] = await openWith({});
  const screen = await show();
  await expect.element(visit(/Rex/)).toBeVisible();
  visit(/Rex/).element().focus();
  await userEvent.keyboard("{Alt>}{ArrowDown}{ArrowDown}{ArrowRight}");
  await expect.element(grid().getByText("Saturday, November 21, 11:30 AM - 12:00 PM")).toBeInTheDocument();
  expect(saved()).toEqual([]);
  await userEvent.keyboard("{/Alt}");
  const where = /^Rex: Saturday, November 21, 11:30 AM - 12:00 PM\. Nobody is told: .* is not in the portal\.$/;
  await expect.element(screen.getByText(where)).toBeVisible();
  expect(saved()).toEqual([
    {
      name: "update_service",
      args: { id: rex?.id, changes: { date: "2026-11-21", start_time: "11:30" }, overlap_ok: false },
    },
  ]);
  await expect.element(visit(/^Saturday, November 21, 11:30 AM/)).toHaveFocus();
  await userEvent.keyboard("{Control>}z{/Control}");
  await expect.element(visit(/^Friday, November 20, 11:00 AM/)).toBeVisible();
  expect(saved().at(-1)).toMatchObject({ args: { changes: { date: TODAY, start_time: "11:00" } } });
  await expect.element(screen.getByRole("button", { name: "Undo" })).not.toBeInTheDocument();
});

test("a visit is made longer with Shift and Alt, no longer than a service may be, and its new price is told", async () => {
  const [rex] = await openWith({});
  const screen = await show();
  await expect.element(visit(/Rex/)).toBeVisible();
  visit(/Rex/).element().focus();
  await userEvent.keyboard("{Alt>}{Shift>}{ArrowDown}{ArrowDown}{/Shift}{/Alt}");
  await expect.element(screen.getByText("Rex: Friday, November 20, 11:00 AM - 12:00 PM, now $35.00")).toBeVisible();
  expect(saved()).toMatchObject([{ args: { id: rex?.id, changes: { duration_minutes: 60 } } }]);
  await screen.getByRole("button", { name: "Undo" }).click();
  await expect.element(visit(/11:00 AM - 11:30 AM/)).toBeVisible();
  visit(/Rex/).element().focus();
  await userEvent.keyboard("{Alt>}{Shift>}{ArrowUp>9/}{/Shift}{/Alt}");
  await expect.element(visit(/11:00 AM - 11:15 AM/)).toBeVisible();
});

test("what a visit costs when it is put back is told where the rates have changed since", async () => {
  await openWith({ price: 20 });
  const screen = await show();
  await expect.element(visit(/Rex/)).toBeVisible();
  visit(/Rex/).element().focus();
  await userEvent.keyboard("{Alt>}{Shift>}{ArrowDown}{ArrowDown}{/Shift}{/Alt}");
  await screen.getByRole("button", { name: "Undo" }).click();
  await expect.element(screen.getByText("Rex: Friday, November 20, 11:00 AM - 11:30 AM, now $25.00")).toBeVisible();
});

test("Escape puts a carried visit back", async () => {
  await openWith({});
  await show();
  await expect.element(visit(/Rex/)).toBeVisible();
  visit(/Rex/).element().focus();
  await userEvent.keyboard("{Alt>}{ArrowDown}{ArrowDown}{Escape}{/Alt}");
  await expect.element(visit(/11:00 AM/)).toHaveFocus();
  expect(grid().getByText("11:30 AM - 12:00 PM").query()).toBeNull();
  expect(saved()).toEqual([]);
});

test("what is in the way is named, the visit stays, and its form opens with the new time", async () => {
  const [rex] = await openWith({}, { start_time: "12:00", dogs: ["Pepper"] });
  const screen = await show();
  await expect.element(visit(/Rex/)).toBeVisible();
  visit(/Rex/).element().focus();
  await userEvent.keyboard("{Alt>}{ArrowDown>4/}");
  await expect.element(grid().getByText(/12:00 PM - 12:30 PM, not free$/)).toBeInTheDocument();
  await userEvent.keyboard("{/Alt}");
  const refused = screen.getByRole("alert");
  await expect
    .element(refused)
    .toHaveTextContent("Time slot conflict detected. Please choose a different time. Amir Haddad, 12:00 PM - 12:30 PM");
  expect(saved()).toEqual([]);
  await expect.element(visit(/11:00 AM.*Rex/)).toBeVisible();
  await refused.getByRole("button", { name: "Open form" }).click();
  const dialog = screen.getByRole("dialog", { name: "Edit Service" });
  await expect.element(dialog.getByLabelText("Start time")).toHaveValue("12:00");
  await dialog.getByRole("button", { name: "Schedule anyway" }).click();
  await expect
    .poll(saved)
    .toMatchObject([{ args: { id: rex?.id, changes: { start_time: "12:00" }, overlap_ok: true } }]);
  // Not before it is gone: it gives the focus back as it goes.
  await expect.element(dialog).not.toBeInTheDocument();
});

test("nothing is moved into the past, and what is done is not moved at all", async () => {
  await openWith({}, { start_time: "08:00", status: "completed", dogs: ["Pepper"] });
  const screen = await show("/scheduling?date=2026-11-19");
  await expect.element(visit(/Rex/)).toBeVisible();
  visit(/Rex/).element().focus();
  await userEvent.keyboard("{Alt>}{ArrowLeft}{/Alt}");
  await expect.element(screen.getByRole("log")).toHaveTextContent("Cannot schedule services in the past");
  visit(/Pepper/)
    .element()
    .focus();
  await userEvent.keyboard("{Alt>}{ArrowDown}{/Alt}");
  await expect.element(visit(/8:00 AM.*Pepper/)).toHaveFocus();
  expect(saved()).toEqual([]);
});

test("fifteen visits of a day are seen at once where that was chosen, and it is remembered on the device", async () => {
  const starts = Array.from({ length: 15 }, (_, index) => `${String(7 + index).padStart(2, "0")}:00`);
  await openWith(...starts.map((start_time) => ({ start_time })));
  const screen = await show();
  await screen.getByRole("button", { name: "Density: Comfortable" }).click();
  await screen.getByRole("menuitemradio", { name: "Whole day" }).click();
  await expect.element(screen.getByRole("button", { name: "Density: Whole day" })).toBeVisible();
  const inSight = () => {
    const box = grid().element().getBoundingClientRect();
    const blocks = [...grid().element().querySelectorAll("[data-visit]")].map((it) => it.getBoundingClientRect());
    return blocks.filter((it) => it.top >= box.top && it.bottom <= box.bottom && it.height >= 12).length;
  };
  await expect.poll(inSight).toBe(15);
  await screen.unmount();
  const again = await show();
  await expect.element(again.getByRole("button", { name: "Density: Whole day" })).toBeVisible();
  await expect.poll(inSight).toBe(15);
});

test("where letters are large a visit has as many lines as its height has room for", async () => {
  document.documentElement.style.fontSize = "200%";
  onTestFinished(() => void (document.documentElement.style.fontSize = ""));
  await openWith({}, { start_time: "13:00", duration_minutes: 60 });
  await show();
  for (const [name, lines] of [
    [/11:00 AM - 11:30 AM/, 1],
    [/1:00 PM - 2:00 PM/, 3],
  ] as const) {
    await expect.element(visit(name)).toBeInTheDocument();
    await expect
      .poll(() => visit(name).element().querySelectorAll(":scope > span:not([data-edge])").length)
      .toBe(lines);
    const box = visit(name).element().getBoundingClientRect();
    for (const line of visit(name).element().querySelectorAll(":scope > span:not([data-edge])")) {
      expect(line.getBoundingClientRect().bottom).toBeLessThanOrEqual(box.bottom);
    }
  }
});

test("at no density does a visit cover another one", async () => {
  const starts = ["09:00", "09:15", "09:30", "09:45", "10:00", "10:00", "10:15"];
  await openWith(...starts.map((start_time) => ({ start_time, duration_minutes: 15, overlap_ok: true })));
  const screen = await show();
  for (const [from, to] of [
    ["Comfortable", "Compact"],
    ["Compact", "Whole day"],
    ["Whole day", "Comfortable"],
  ] as const) {
    await screen.getByRole("button", { name: `Density: ${from}` }).click();
    await screen.getByRole("menuitemradio", { name: to }).click();
    await expect.element(screen.getByRole("button", { name: `Density: ${to}` })).toBeVisible();
    const boxes = [...grid().element().querySelectorAll("[data-visit]")].map((it) => it.getBoundingClientRect());
    const covering = boxes.flatMap((a, index) =>
      boxes
        .slice(index + 1)
        .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
    );
    expect(boxes, to).toHaveLength(7);
    expect(covering, to).toEqual([]);
  }
});

test("hours before six and from ten in the evening on are shaded", async () => {
  await openWith({});
  await show();
  await expect.element(visit(/Rex/)).toBeVisible();
  const hours = grid().element().querySelectorAll("[aria-hidden] > .border-line");
  const isShaded = [...hours].map((it) => getComputedStyle(it).backgroundColor !== "rgba(0, 0, 0, 0)");
  expect(isShaded).toEqual(Array.from({ length: 24 }, (_, hour) => hour < 6 || hour >= 22));
});

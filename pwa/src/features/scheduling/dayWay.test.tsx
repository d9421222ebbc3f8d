/** A day as stops on the map, on the real core and a real IndexedDB, with no network at all. */
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { aClient, aPet, aService, openPhone, rowsOf, saved } from "../../../test/phone";
import { beginOnFriday, showSchedule as show, TODAY } from "../../../test/schedule";
import { loadRest, type Service } from "../../core";
import { business } from "../../data/business/openBusiness";

await loadRest();

const near = aClient({ name: "Dana Reyes", lat: 40, lng: -74 });
const luna = aPet(near, { name: "Luna" });
/** A kilometer to the north. */
const far = aClient({ name: "Kim Lee", lat: 40 + 1 / 111, lng: -74 });
const rex = aPet(far, { name: "Rex" });

beginOnFriday(390, 844);

const dialog = () => page.getByRole("dialog", { name: "Day on the map" });

async function openDay(...services: Service[]) {
  await openPhone([...rowsOf(near, luna), ...rowsOf(far, rex), ...services.map((d) => ({ t: "service", d }))]);
  const screen = await show("/scheduling?days=day");
  await screen.getByRole("button", { name: "Day on the map" }).click();
  await expect.element(dialog()).toBeVisible();
  return screen;
}

const atNear = (start_time: string, change: Partial<Service> = {}) => aService(near, luna, { start_time, ...change });
const atFar = (start_time: string, change: Partial<Service> = {}) => aService(far, rex, { start_time, ...change });

test("stops are listed with the ways between them, and a gap that is too short is marked", async () => {
  await openDay(atNear("12:00"), atFar("12:40"), atFar("15:00", { status: "cancelled" }));
  const stops = dialog().getByRole("list", { name: "Stops" });
  expect(stops.getByRole("listitem").elements()).toHaveLength(2);
  await expect.element(stops).toHaveTextContent("About 16 min on foot, 0.8 mi");
  await expect.element(stops).toHaveTextContent("10 min between, the way takes about 16 min");
  await expect.element(dialog().getByText(/"About" marks an estimate/)).toBeVisible();
  (dialog().getByRole("radio", { name: "By car or bicycle" }).element() as HTMLElement).click();
  await expect.element(stops).toHaveTextContent("About 6 min by car or bicycle, 0.8 mi");
  await expect.element(stops).not.toHaveTextContent("10 min between");
  const second = stops.getByRole("button", { name: /Rex/ });
  (second.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(second).toHaveAttribute("aria-pressed", "true");
  await dialog().getByRole("button", { name: "Close" }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
});

test("a better order is shown before it is taken by one change, and undone by another", async () => {
  const free = atNear("13:30", { window_from: "11:00", window_to: "15:00" });
  const screen = await openDay(atNear("12:00"), atFar("13:00"), free, atFar("14:00"));
  const better = dialog().getByRole("region", { name: "Better order" });
  await expect.element(better).toHaveTextContent("Saves about 1.6 mi with these times:");
  await expect.element(better).toHaveTextContent(/Walk for Luna, Dana Reyes: from 1:30 PM to 1[12]:\d\d [AP]M/);
  expect(saved()).toEqual([]);
  await better.getByRole("button", { name: "Use this order" }).click();
  await expect.element(screen.getByText("Order changed")).toBeVisible();
  const moved = business().phone.service(free.id)?.start_time;
  expect(moved).not.toBe("13:30");
  expect(saved()).toMatchObject([
    { name: "move_visits", args: { date: TODAY, moved: [{ id: free.id, planned: "13:30", start_time: moved }] } },
  ]);
  await dialog().getByRole("button", { name: "Close" }).click();
  await screen.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => business().phone.service(free.id)?.start_time).toBe("13:30");
});

test("the map shows all stops, also where it opens together with its dialog", async () => {
  const screen = await openDay(atNear("12:00"), atFar("13:00"));
  const signs = () => [...dialog().element().querySelectorAll(".day-stop")];
  const outside = () => {
    const map = dialog().element().querySelector(".walk-map")?.getBoundingClientRect();
    return signs().filter((it) => {
      const { top, bottom, left, right } = it.getBoundingClientRect();
      return !map || top < map.top || bottom > map.bottom || left < map.left || right > map.right;
    }).length;
  };
  await expect.poll(() => signs().length).toBe(2);
  expect(outside()).toBe(0);
  await dialog().getByRole("button", { name: "Close" }).click();
  // Leaflet is loaded now: the map is made before the dialog opens.
  await screen.getByRole("button", { name: "Day on the map" }).click();
  await expect.poll(() => signs().length).toBe(2);
  expect(outside()).toBe(0);
  await dialog().getByRole("button", { name: "Close" }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
});

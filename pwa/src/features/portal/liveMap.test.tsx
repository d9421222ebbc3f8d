/** The live map as a pet parent sees it: the real core and a real IndexedDB, with a server that answers for it alone. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { aClient, aPet, aService, closePhone, openPhone, pullRows, rowsOf } from "../../../test/phone";
import { type LiveMap, loadRest, newId, plusDays, type Service } from "../../core";
import { loadWalkCore } from "../../core/walk";
import { business } from "../../data";
import PortalHome from "./PortalHome";
import PortalVisit from "./PortalVisit";

const SITTER = "0196f0a0-0000-7000-8000-00000000000a";

let maps: LiveMap[] | undefined;
let asked: string[];

beforeEach(async () => {
  await Promise.all([loadRest(), loadWalkCore()]);
  await page.viewport(390, 844);
  maps = [];
  asked = [];
  vi.spyOn(window, "fetch").mockImplementation((input) => {
    const path = input as string;
    if (!path.startsWith("/api/client/live-maps")) return Promise.reject(new TypeError("no network"));
    asked.push(path);
    if (!maps) return Promise.reject(new TypeError("no network"));
    return Promise.resolve(Response.json({ success: true, data: maps }));
  });
});
afterEach(closePhone);

/** A visit of today, or of so many days later. */
async function openVisit(change: Partial<Service> = {}, days = 0): Promise<Service> {
  const sam = aClient({ name: "Sam Reyes", client_user_id: newId() });
  const rex = aPet(sam, { name: "Rex" });
  await openPhone(rowsOf(sam, rex), [], { sitter_id: SITTER, client_id: sam.id });
  const date = plusDays(business().phone.today(Date.now()), days);
  const visit = aService(sam, rex, { date, start_time: "23:30", ...change });
  await pullRows({ t: "service", d: visit });
  return visit;
}

const walked = (visit: Service, change: Partial<LiveMap> = {}): LiveMap => ({
  service_id: visit.id,
  lines: [{ points: "_izlhA~rlgdF_{geC~ywl@", after_gap: false }],
  here: { lat_e7: 407_000_000, lon_e7: -1_209_500_000 },
  age_seconds: 125,
  ...change,
});

/** As when the screen comes back to the front. */
const again = () => document.dispatchEvent(new Event("visibilitychange"));
const liveMap = () => page.getByRole("region", { name: "Live map" });

test("a walk is seen on the first screen with its age, until the sitter stops", async () => {
  const visit = await openVisit();
  maps = [walked(visit)];
  await render(
    <At path="/client">
      <PortalHome />
    </At>,
  );
  await expect.element(liveMap()).toHaveTextContent(/Live map, as of 2 min/);
  await expect.element(liveMap().getByRole("group", { name: "Map of the walk so far" })).toBeVisible();
  await expect.poll(() => document.querySelectorAll(".walk-here").length).toBe(1);
  expect(asked[0]).toBe(`/api/client/live-maps?sitter_id=${SITTER}`);
  // Without a network it stays, with its age.
  maps = undefined;
  again();
  await expect.element(liveMap()).toBeVisible();
  maps = [];
  again();
  await expect.element(liveMap()).not.toBeInTheDocument();
});

test("a walk that should be over is seen on the first screen while the sitter shows it", async () => {
  const visit = await openVisit({ start_time: "09:00" }, -1);
  maps = [walked(visit)];
  await render(
    <At path="/client">
      <PortalHome />
    </At>,
  );
  await expect.element(liveMap()).toHaveTextContent(/Live map, as of 2 min/);
  // It has begun, and is neither to come nor forgotten.
  for (const status of ["Scheduled", "Not marked done yet"]) {
    expect(page.getByRole("status").filter({ hasText: status }).elements()).toHaveLength(0);
  }
  maps = [];
  again();
  await expect.element(liveMap()).not.toBeInTheDocument();
});

test("no change is asked of a visit whose walk is shown, and its page says when the map goes", async () => {
  const visit = await openVisit();
  maps = [walked(visit)];
  await render(
    <At path={`/client/visits/${visit.id}`}>
      <PortalVisit />
    </At>,
  );
  const cancel = page.getByRole("button", { name: "Request to cancel this visit" });
  const move = page.getByRole("button", { name: "Request to move this visit" });
  await expect.element(liveMap()).toBeVisible();
  await expect.element(page.getByRole("region", { name: "Price" })).toBeVisible();
  await expect.element(cancel).not.toBeInTheDocument();
  await expect.element(move).not.toBeInTheDocument();
  maps = [];
  again();
  await expect.element(page.getByRole("status").getByText("The live map is no longer shown.")).toBeVisible();
  await expect.element(cancel).toBeVisible();
  const completed: Service = { ...visit, status: "completed" };
  await pullRows({ t: "service", d: completed });
  await expect.element(page.getByText("The live map is no longer shown.")).not.toBeInTheDocument();
});

test("where the position is not shown, the line is all", async () => {
  const visit = await openVisit();
  maps = [walked(visit, { here: null, age_seconds: 0 })];
  await render(
    <At path={`/client/visits/${visit.id}`}>
      <PortalVisit />
    </At>,
  );
  await expect.element(liveMap()).toHaveTextContent("Live map, as of just now");
  await expect.poll(() => document.querySelectorAll(".walk-line").length).toBeGreaterThan(0);
  expect(document.querySelector(".walk-here")).toBeNull();
});

test("nobody asks for the live map of a visit that is over", async () => {
  const visit = await openVisit({ status: "completed" });
  await render(
    <At path={`/client/visits/${visit.id}`}>
      <PortalVisit />
    </At>,
  );
  await expect.element(page.getByText("Completed").first()).toBeVisible();
  expect(asked).toEqual([]);
});

test("nobody asks for the live map of a visit of last month, late or not", async () => {
  const visit = await openVisit({ start_time: "09:00" }, -30);
  await render(
    <At path={`/client/visits/${visit.id}`}>
      <PortalVisit />
    </At>,
  );
  await expect.element(page.getByText("$").first()).toBeVisible();
  expect(asked).toEqual([]);
});

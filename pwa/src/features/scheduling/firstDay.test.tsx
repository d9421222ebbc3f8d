/** The day of a new phone whose first pull has many pages: it can be read after a few bounded calls, before the rest is there. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { aClient, aPet, aService, closePhone, openPhone, signInOnPhone } from "../../../test/phone";
import { loadRest, newId, type Service } from "../../core";
import { business } from "../../data";
import { setSession } from "../../data/session/session";
import { startSyncing, stopSyncing } from "../../data/sync/sync";
import SchedulingScreen from "./SchedulingScreen";

// For the ids of the rows below.
await loadRest();

const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const TODAY = new Date().toLocaleDateString("sv-SE");
const DANA = aClient({ name: "Dana", address: "4 Alder Street" });
const REX = aPet(DANA, { name: "Rex" });
const SITTER = {
  id: newId(),
  name: "Mara",
  email: "mara@example.com",
  hour_cycle: "h23",
  service_area_radius_miles: 5,
  created_at: DANA.created_at,
};

const visit = (change: Partial<Service> = {}) => aService(DANA, REX, { date: TODAY, start_time: "23:00", ...change });

const ANSWER = { epoch: 1, backend_id: newId(), head: 2, rev_id: null, min_schema: 1, reset: false, outcomes: [] };
const FIRST_PAGE = { ...ANSWER, from: 0, rows: [], next: 1, more: true };
const rowOf = (t: string, d: { id: string }) => ({ t, id: d.id, rev: 2, del: false, d });

let asked: string[] = [];
let sendRest: () => void = () => undefined;

/** A server that keeps the second page of the feed back until `sendRest`. */
function serve(services: readonly Service[], time_zone = ZONE): void {
  const rest = new Promise<void>((resolve) => {
    sendRest = resolve;
  });
  const sitter = { ...SITTER, time_zone };
  const rows = [rowOf("sitter", sitter), rowOf("client", DANA), rowOf("pet", REX)];
  const lastPage = {
    ...ANSWER,
    from: 1,
    rows: [...rows, ...services.slice(0, 2).map((it) => rowOf("service", it))],
    next: 2,
    more: false,
  };
  const answerTo = async ({ pathname, searchParams }: URL): Promise<unknown> => {
    if (pathname === "/api/sync/pull") {
      if (searchParams.get("cursor") === "0") return FIRST_PAGE;
      await rest;
      return lastPage;
    }
    asked.push(pathname);
    if (pathname === "/api/sitters/profile") return sitter;
    if (pathname === "/api/scheduled-services") return services;
    if (pathname === `/api/clients/${DANA.id}`) return { ...DANA, dogs: [REX] };
    return undefined;
  };
  vi.spyOn(window, "fetch").mockImplementation(async (url) => {
    const data = await answerTo(new URL(url as string, location.origin));
    return data === undefined ? new Response("", { status: 503 }) : Response.json({ success: true, data });
  });
}

async function show(): Promise<void> {
  await openPhone("nothing pulled");
  await signInOnPhone();
  await render(
    <At path="/scheduling">
      <SchedulingScreen />
    </At>,
  );
  startSyncing(business());
}

beforeEach(async () => {
  await page.viewport(390, 844);
  asked = [];
});
afterEach(async () => {
  sendRest();
  await stopSyncing();
  await setSession(undefined);
  await closePhone();
});

const words = page.getByText("You can read today’s visits already. The rest is on its way.");
const callsOfDay = () => asked.filter((it) => !it.includes("realtime")).toSorted();

test("today is read before the rest has come, by one call for its visits and one for each client", async () => {
  serve([visit(), visit({ start_time: "23:30" })]);
  await show();
  await expect.element(words).toBeVisible();
  const day = page.getByRole("list").filter({ hasText: "Rex" }).first();
  await expect.element(day).toHaveTextContent("23:00");
  await expect.element(day).toHaveTextContent("4 Alder Street");
  expect(day.getByRole("listitem").elements()).toHaveLength(2);
  expect(day.getByRole("button").elements()).toEqual([]);
  expect(callsOfDay()).toEqual(["/api/clients/" + DANA.id, "/api/scheduled-services", "/api/sitters/profile"]);
  // Nothing of it is stored, and no replica has it.
  expect(business().phone.hasLoaded()).toBe(false);
  expect((await business().store.load()).buckets).toEqual([]);
  sendRest();
  await expect.poll(() => business().phone.hasLoaded()).toBe(true);
  await expect.element(words).not.toBeInTheDocument();
});

test("a stay by the night is named by its night", async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toLocaleDateString("sv-SE");
  serve([
    visit({ service_type: "dropin", end_date: tomorrow, stay_terms: { unit: "nights" }, offering_name: "Overnight" }),
  ]);
  await show();
  await expect.element(words).toBeVisible();
  await expect.element(page.getByText(/night 1 of 1/)).toBeVisible();
  sendRest();
  await expect.poll(() => business().phone.hasLoaded()).toBe(true);
});

const ELSEWHERE = ZONE === "Asia/Tokyo" ? "Europe/Paris" : "Asia/Tokyo";

for (const [why, services, zone] of [
  ["in another zone", 1, ELSEWHERE],
  ["of more visits than are fetched", 100, ZONE],
] as const) {
  test(`a day ${why} waits for the rest`, async () => {
    serve(
      Array.from({ length: services }, () => visit()),
      zone,
    );
    await show();
    await vi.waitFor(() => expect(callsOfDay()).toHaveLength(2));
    await expect.element(page.getByRole("status", { name: "Loading the schedule" })).toBeVisible();
    await expect.element(words).not.toBeInTheDocument();
    sendRest();
    await expect.poll(() => business().phone.hasLoaded()).toBe(true);
    expect(callsOfDay()).toHaveLength(2);
  });
}

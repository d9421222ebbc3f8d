/** Visits that are no walk, and days of stays, on a real IndexedDB and the real core. */
import { Suspense } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { Route, Switch } from "wouter";
import { At } from "../../../test/At";
import { aClient, aPet, aService, pullRows, rowsOf } from "../../../test/phone";
import { loadRest, newId, plusDays } from "../../core";
import { loadWalkCore, type WalkInput, WalkRecording, walkLogHeader } from "../../core/walk";
import { business, OpenBusiness, save, setOpenBusiness } from "../../data/business/openBusiness";
import { putWalk, WalkLog } from "../../data/walks/walkLog";
import type { WalkRow } from "../../data/walks/walks";
import { pressStart } from "../../parts/walk/pressed";
import { ConfirmHost, ToastHost } from "../../ui";
import { VisitCard } from "../scheduling/VisitCard";
import ActiveWalkScreen from "./ActiveWalkScreen";
import * as tracker from "./tracker";

let closePhone = () => Promise.resolve();

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  // At noon, so that nothing of it is of another day.
  vi.setSystemTime(new Date().setHours(12, 0, 0, 0));
  await Promise.all([loadRest(), loadWalkCore()]);
  const opened = await OpenBusiness.open(newId());
  setOpenBusiness(opened);
  closePhone = async () => {
    await opened.close();
    setOpenBusiness(undefined);
  };
});

afterEach(async () => {
  if (tracker.trackedWalk()) await tracker.discardWalk();
  await closePhone();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const screens = (path: string) => (
  <At path={path}>
    <Suspense>
      <Switch>
        <Route path="/walk">
          <ActiveWalkScreen />
        </Route>
      </Switch>
    </Suspense>
    <ConfirmHost />
    <ToastHost />
  </At>
);

const walks = async (): Promise<WalkRow[]> =>
  (await business().store.run((db) => db.getAll("walks"))) as unknown as WalkRow[];

/** A visit of today; gives its id. */
async function scheduled(client: string, pet: string, more: { walk?: boolean } = {}): Promise<string> {
  const [client_id, dog, id] = [newId(), newId(), newId()];
  const service = {
    client_id,
    dog_ids: [dog],
    service_type: more.walk ? ("walk" as const) : ("dropin" as const),
    date: business().phone.today(Date.now()),
    start_time: "12:00",
    duration_minutes: 30,
  };
  const made = [
    await save(
      {
        name: "create_client",
        args: { id: client_id, client: { name: client }, dogs: [{ id: dog, changes: { name: pet } }] },
      },
      `Add ${client}`,
    ),
    await save(
      { name: "schedule_service", args: { id, service, overlap_ok: true, quoted_price: null } },
      `Schedule ${pet}`,
    ),
  ];
  expect(made).toMatchObject([{ ok: true }, { ok: true }]);
  return id;
}

/** Checks in with a press, as on the day's card. */
async function checkedIn(id: string) {
  pressStart(id);
  const screen = await render(screens(`/walk?service=${id}`));
  await expect.element(screen.getByText("Hold to check out")).toBeVisible();
  await vi.waitFor(() => expect(location.search).toBe(""));
  return screen;
}

test("a drop-in is checked in and out with events, and the phone is never asked where it is", async () => {
  const watch = vi.spyOn(navigator.geolocation, "watchPosition");
  const id = await scheduled("Kim", "Miso");
  const screen = await checkedIn(id);
  await expect.element(screen.getByRole("heading", { name: "Visit with Miso" })).toBeVisible();
  const status = screen.getByRole("region", { name: "Visit" }).getByRole("status");
  await expect.element(status).toHaveTextContent(/^Checked in at /);
  for (const event of ["Fed", "Litter", "Medication"]) {
    await screen.getByRole("button", { name: event, exact: true }).click();
    await expect.element(status).toHaveTextContent(event);
  }
  await screen.getByRole("button", { name: "Undo" }).click();
  await expect.element(status).toHaveTextContent("Litter");
  vi.setSystemTime(Date.now() + 25 * 60_000);
  await tracker.end();
  await expect.element(screen.getByRole("heading", { name: "Visit completed!" })).toBeVisible();
  await screen.getByLabelText("Service notes").fill("Miso purred");
  await screen.getByLabelText("Share the report with Kim").click();
  expect(screen.getByLabelText("Show the map").query()).toBeNull();
  await screen.getByRole("button", { name: "Complete and share report" }).click();
  await vi.waitFor(() => expect(business().phone.service(id)?.status).toBe("completed"));
  await vi.waitFor(async () =>
    expect((await walks())[0]?.summary?.notes).toMatch(/^Visit .*, 25 min\.\n.* Fed\n.* Litter$/),
  );
  const shared = business()
    .phone.outbox()
    .find((it) => it.mutation.name === "share_walk")?.mutation.args;
  expect(shared).toMatchObject({
    kind: "visit",
    walk: { distance_m: 0, lines: [] },
    reports: [{ note: "Miso purred" }],
  });
  expect(watch).not.toHaveBeenCalled();
});

test("a visit proposes a report where the last walk with the same client had one", async () => {
  const id = await scheduled("Kim", "Miso");
  const { dog_ids = [] } = business().phone.service(id) ?? {};
  const started_at = Date.now() - 86_400_000;
  const span = { started_at, ended_at: started_at, ran_ms: 60_000, moving_ms: 60_000, distance_m: 80 };
  await putWalk({
    id: newId(),
    title: "Miso",
    service_id: null,
    client_name: "Kim",
    dogs: ["Miso"],
    dog_ids: [...dog_ids],
    planned_minutes: null,
    started_at,
    summary: { ...span, at_least: false, gap_ms: 0, line: [], n_events: 0, notes: "" },
    imported: false,
    report: { dog_ids: [...dog_ids], show_map: true, notes: {}, events: {} },
  });
  const screen = await checkedIn(id);
  await tracker.end();
  await expect.element(screen.getByLabelText("Share the report with Kim")).toBeChecked();
  expect(screen.getByLabelText("Show the map").query()).toBeNull();
});

test("a visit takes positions only once the sitter asks, and no longer than that", async () => {
  const watch = vi.spyOn(navigator.geolocation, "watchPosition").mockReturnValue(7);
  const clear = vi.spyOn(navigator.geolocation, "clearWatch").mockReturnValue();
  const screen = await checkedIn(await scheduled("Kim", "Miso"));
  expect(watch).not.toHaveBeenCalled();
  await screen.getByRole("button", { name: "Record where you are" }).click();
  await vi.waitFor(() => expect(watch).toHaveBeenCalled());
  await expect.element(screen.getByText("Looking for your position…")).toBeVisible();
  await screen.getByRole("button", { name: "Stop recording where you are" }).click();
  await vi.waitFor(() => expect(clear).toHaveBeenCalledWith(7));
});

test("a visit whose tab was killed goes on with all that was noted, and asks nothing", async () => {
  const id = await scheduled("Kim", "Miso");
  const service = business().phone.service(id);
  const started_at = Date.now() - 5 * 3_600_000;
  const row: WalkRow = {
    id: newId(),
    kind: "visit",
    title: "Miso",
    service_id: id,
    client_name: "Kim",
    dogs: ["Miso"],
    dog_ids: service?.dog_ids ?? [],
    planned_minutes: 30,
    started_at,
    summary: null,
    imported: false,
  };
  const recording = new WalkRecording();
  const log = new WalkLog(row.id, walkLogHeader(), 0, () => undefined);
  await putWalk(row);
  const inputs: WalkInput[] = [
    { input: "start" },
    { input: "kind", kind: "visit" },
    { input: "event", id: newId(), kind: "fed", note: "" },
  ];
  await log.append(recording.take(inputs, started_at), true);
  const screen = await render(screens("/walk"));
  await expect.element(screen.getByText("Hold to check out")).toBeVisible();
  await expect.element(screen.getByRole("region", { name: "Visit" }).getByRole("status")).toHaveTextContent("Fed");
  expect(tracker.trackedWalk()?.walk.started_at).toBe(started_at);
  expect(screen.getByText(/Walkies was closed/).query()).toBeNull();
});

test("a potty break on a walk is told more exactly by one more tap, where and when it was", async () => {
  vi.spyOn(navigator.geolocation, "watchPosition").mockReturnValue(1);
  const id = await scheduled("Dana", "Rex", { walk: true });
  pressStart(id);
  const screen = await render(screens(`/walk?service=${id}`));
  await screen.getByRole("button", { name: "Potty" }).click();
  const question = screen.getByRole("group", { name: "Potty: what was it?" });
  await question.getByRole("button", { name: "Poop" }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(screen.getByRole("region", { name: "Walk" }).getByRole("status")).toHaveTextContent("Poop");
  expect(tracker.trackedWalk()?.walk.events).toHaveLength(1);
});

test("the card of a drop-in offers the check-in first, and the completion beside it", async () => {
  const id = await scheduled("Kim", "Miso");
  const visit = (await business().wholePhone()).visit(id, Date.now());
  if (!visit) throw new Error("the visit is gone");
  const card = await render(
    <At path="/">
      <VisitCard visit={visit} next onOpen={vi.fn()} />
    </At>,
  );
  await expect.element(card.getByRole("link", { name: "Check in" })).toBeVisible();
  await expect.element(card.getByRole("button", { name: "Mark Complete" })).toBeVisible();
});

/** Notes that Miso was fed on this day of the stay, and checks out. */
async function feedAndCheckOut(stay: string) {
  pressStart(stay);
  const screen = await render(screens(`/walk?service=${stay}`));
  await expect.element(screen.getByText("Hold to check out")).toBeVisible();
  await expect.element(screen.getByRole("heading", { name: "Day with Miso" })).toBeVisible();
  await screen.getByRole("button", { name: "Fed", exact: true }).click();
  await tracker.end();
  await expect.element(screen.getByRole("heading", { name: "Day recorded" })).toBeVisible();
  return screen;
}

test("each day of a stay has a report of its own, and only the last day completes the stay", async () => {
  const kim = aClient({ name: "Kim" });
  const miso = aPet(kim, { name: "Miso" });
  const first = business().phone.today(Date.now());
  const stay = aService(kim, miso, {
    service_type: "dropin",
    date: first,
    end_date: plusDays(first, 1),
    start_time: "09:00",
    offering_name: "Overnight Stay",
    stay_terms: { unit: "nights" },
    price: 75,
  });
  await pullRows(...rowsOf(kim, miso), { t: "service", d: stay });

  const evening = await feedAndCheckOut(stay.id);
  expect(evening.getByRole("button", { name: /^Complete/ }).elements()).toHaveLength(0);
  await evening.getByLabelText("Share the report with Kim").click();
  await evening.getByRole("button", { name: "Share report", exact: true }).click();
  await vi.waitFor(async () => expect((await walks()).map((it) => it.summary !== null)).toEqual([true]));
  await vi.waitFor(() => expect(location.pathname).not.toBe("/walk"));
  await evening.unmount();
  expect(business().phone.service(stay.id)?.status).toBe("scheduled");

  vi.setSystemTime(Date.now() + 24 * 3_600_000);
  const morning = await feedAndCheckOut(stay.id);
  // As on the day before.
  await expect.element(morning.getByLabelText("Share the report with Kim")).toBeChecked();
  await morning.getByRole("button", { name: "Complete and share report" }).click();
  await vi.waitFor(() => expect(business().phone.service(stay.id)?.status).toBe("completed"));
  await vi.waitFor(async () => expect((await walks()).map((it) => it.summary !== null)).toEqual([true, true]));

  const reports = business().phone.reports();
  expect(reports.map((it) => [it.kind, it.client_id, it.service_ids])).toEqual([
    ["day", kim.id, [stay.id]],
    ["day", kim.id, [stay.id]],
  ]);
  const days = reports.map((it) => business().phone.today(Date.parse(it.started_at)));
  expect(days).toEqual([plusDays(first, 1), first]);
  expect(new Set(reports.map((it) => it.walk_id)).size).toBe(2);
});

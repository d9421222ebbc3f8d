/** Walks on a real IndexedDB and the real core: only the browser's geolocation is played. */
import { Suspense } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Route, Switch } from "wouter";
import { At } from "../../../test/At";
import { AT, aClient, aPet, pullReach, pullRows, rowsOf } from "../../../test/phone";
import { loadRest, newId } from "../../core";
import { loadWalkCore, type WalkInput, WalkRecording, walkLogHeader, walkTexts } from "../../core/walk";
import { flushDrafts } from "../../data/business/drafts";
import { business, OpenBusiness, save, setOpenBusiness } from "../../data/business/openBusiness";
import { blockedError, storageTrouble } from "../../data/store/storage";
import { putWalk, readWalkLog, WalkLog } from "../../data/walks/walkLog";
import { type WalkRow } from "../../data/walks/walks";
import { pressStart } from "../../parts/walk/pressed";
import { ConfirmHost, ToastHost, toast } from "../../ui";
import ServiceDetails from "../scheduling/ServiceDetails";
import { VisitCard } from "../scheduling/VisitCard";
import ActiveWalkScreen from "./ActiveWalkScreen";
import { viewOf } from "./recording";
import * as tracker from "./tracker";
import WalkBanner from "./WalkBanner";
import WalksScreen from "./WalksScreen";

/** The phone's positions, as a test hands them out. */
class Positions {
  report: PositionCallback | undefined;
  fail: PositionErrorCallback | null | undefined;
  /** When the last one was. */
  at = 0;
  #second = 0;
  #meters = 0;
  #start = Date.now();

  constructor() {
    vi.spyOn(navigator.geolocation, "watchPosition").mockImplementation((report, fail) => {
      this.report = report;
      this.fail = fail;
      return 1;
    });
    vi.spyOn(navigator.geolocation, "clearWatch").mockImplementation(() => {
      this.report = undefined;
    });
  }

  /** Goes north at 1.4 m/s, or south, for so many fixes, a second apart; the phone's clock goes along. */
  async walk(seconds: number, way: 1 | -1 = 1): Promise<void> {
    await vi.waitFor(() => expect(this.report).toBeDefined());
    for (let i = 0; i < seconds; i += 1) {
      this.#second += 1;
      const timestamp = this.#start + this.#second * 1000;
      this.at = timestamp;
      vi.setSystemTime(timestamp);
      this.#meters += way * 1.4;
      const latitude = 60.17 + this.#meters / 111_413;
      this.report?.({
        timestamp,
        coords: { latitude, longitude: 24.94, accuracy: 5, altitude: null },
      } as GeolocationPosition);
    }
  }
}

let closePhone = () => Promise.resolve();

async function openPhone(): Promise<void> {
  await Promise.all([loadRest(), loadWalkCore()]);
  const opened = await OpenBusiness.open(newId());
  setOpenBusiness(opened);
  closePhone = async () => {
    await opened.close();
    setOpenBusiness(undefined);
  };
}

const screens = (path: string) => (
  <At path={path}>
    <Suspense>
      <Switch>
        <Route path="/walk">
          <ActiveWalkScreen />
        </Route>
        <Route path="/walks/*?">
          <WalksScreen />
        </Route>
        <Route path="/scheduling">
          <WalkBanner />
        </Route>
      </Switch>
    </Suspense>
    <ConfirmHost />
    <ToastHost />
  </At>
);

const walks = async (): Promise<WalkRow[]> =>
  (await business().store.run((db) => db.getAll("walks"))) as unknown as WalkRow[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});

afterEach(async () => {
  if (tracker.trackedWalk()) await tracker.discardWalk();
  await closePhone();
  document.documentElement.style.fontSize = "";
  vi.useRealTimers();
});

test("a walk with one's dogs shows its distance and is kept with its track", async () => {
  await openPhone();
  const positions = new Positions();
  const screen = await render(screens("/walk"));
  await screen.getByRole("button", { name: "Start walk without a pet" }).click();
  await expect.element(screen.getByRole("status")).toHaveTextContent("Timer running. Waiting for GPS.");
  await positions.walk(1);
  await expect.element(screen.getByText("Walk tracking started!")).toBeVisible();
  await positions.walk(300);
  await expect.element(screen.getByText(/0\.2[56] mi/)).toBeVisible();

  await screen.getByRole("button", { name: "Potty" }).click();
  await expect.element(screen.getByRole("status")).toHaveTextContent("Potty");
  await screen.getByRole("button", { name: "Water" }).click();
  await screen.getByRole("button", { name: "Undo" }).click();
  await expect.element(screen.getByRole("status")).toHaveTextContent("Potty");

  await tracker.end();
  await expect.element(screen.getByRole("heading", { name: "Walk completed!" })).toBeVisible();
  await screen.getByRole("button", { name: "Done" }).click();
  await expect.element(screen.getByRole("heading", { name: "Walk", exact: true })).toBeVisible();
  const [row] = await walks();
  expect(row?.summary?.distance_m).toBeGreaterThan(400);
  expect(row?.summary?.notes).toContain("Potty");
  expect(row?.summary?.notes).not.toContain("Water");
});

/** Position at which the walks begin. */
const HOME = { lat: 60.17, lng: 24.94 };

/** A client with one dog, and a walk with it today; gives the service's id. */
async function scheduled(client: string, pet: string, start_time: string, home = {}): Promise<string> {
  const [client_id, dog, id] = [newId(), newId(), newId()];
  const date = business().phone.today(Date.now());
  const service_type = "walk" as const;
  const service = { client_id, dog_ids: [dog], service_type, date, start_time, duration_minutes: 30 };
  const made = [
    await save(
      {
        name: "create_client",
        args: {
          id: client_id,
          client: { name: client, phone: "(212) 555-0100", access_notes: `Key of ${client}`, ...home },
          dogs: [{ id: dog, changes: { name: pet, about: `Half a pill for ${pet}` } }],
        },
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

/** A walk with Misse runs, and Taika's is the next; gives their services' ids. */
async function onAWalkWithMisse(): Promise<{ misse: string; taika: string }> {
  await openPhone();
  void new Positions();
  const [misse, taika] = [await scheduled("Dana", "Misse", "09:00"), await scheduled("Kim", "Taika", "10:00")];
  pressStart(misse);
  const screen = await render(screens(`/walk?service=${misse}`));
  await expect.element(screen.getByText("Hold to end")).toBeVisible();
  // The start has done all of its part.
  await vi.waitFor(() => expect(location.search).toBe(""));
  await screen.unmount();
  return { misse, taika };
}

test("an address starts nothing; times, distance and events come into a service's notes by a tap alone", async () => {
  await openPhone();
  const positions = new Positions();
  const id = await scheduled("Dana", "Rex", "09:00");
  const screen = await render(screens(`/walk?service=${id}`));
  await expect.element(screen.getByRole("heading", { name: "Start the walk with Rex?" })).toBeVisible();
  expect(await walks()).toEqual([]);
  await screen.getByRole("button", { name: "Start walk" }).click();
  await expect.element(screen.getByText("of about 30 min")).toBeVisible();
  await expect.element(screen.getByText("Dana")).toBeVisible();
  await positions.walk(200);
  await screen.getByRole("button", { name: "Potty" }).click();
  await tracker.end();
  const notes = screen.getByLabelText("Service notes");
  await expect
    .element(notes)
    .toHaveAccessibleDescription("Your client sees this, and so does anyone with the invoice's link");
  await notes.fill("A good walk");
  await screen.getByRole("button", { name: "Add times and distance" }).click();
  await expect.element(notes).toHaveValue(expect.stringMatching(/^A good walk\nWalk .*, 0\.1\d mi\.\n.*Potty$/));
  await expect.element(screen.getByRole("button", { name: "Add times and distance" })).not.toBeInTheDocument();
  await screen.getByRole("button", { name: "Complete the service" }).click();
  await vi.waitFor(() => expect(business().phone.service(id)?.status).toBe("completed"));
  expect(business().phone.service(id)?.completion_notes).toContain("Potty");
  await vi.waitFor(async () => expect((await walks())[0]?.summary).not.toBeNull());
});

test("a walk that was pressed for starts once, and not for one who comes back", async () => {
  await openPhone();
  void new Positions();
  const id = await scheduled("Dana", "Rex", "09:00");
  pressStart(id);
  const screen = await render(screens(`/walk?service=${id}`));
  await expect.element(screen.getByText("Hold to end")).toBeVisible();
  await tracker.discardWalk();
  await screen.unmount();
  const again = await render(screens(`/walk?service=${id}`));
  await expect.element(again.getByRole("heading", { name: "Start the walk with Rex?" })).toBeVisible();
  pressStart(id);
  dispatchEvent(new PopStateEvent("popstate"));
  await again.unmount();
  const later = await render(screens(`/walk?service=${id}`));
  await expect.element(later.getByRole("heading", { name: "Start the walk with Rex?" })).toBeVisible();
  expect(await walks()).toEqual([]);
});

test("who comes along on a walk can be taken back, and both are of its services", async () => {
  const { misse, taika } = await onAWalkWithMisse();
  const screen = await render(screens(`/walk?service=${taika}`));
  await screen.getByRole("button", { name: "Walk both" }).click();
  await expect.element(screen.getByRole("heading", { name: "Walk with Misse and Taika" })).toBeVisible();
  expect(await walks()).toMatchObject([{ service_id: misse, service_ids: [misse, taika], dogs: ["Misse", "Taika"] }]);
  await screen.getByRole("button", { name: "Undo" }).last().click();
  await expect.element(screen.getByRole("heading", { name: "Walk with Misse", exact: true })).toBeVisible();
  expect(await walks()).toMatchObject([{ service_ids: [misse], client_names: ["Dana"] }]);
});

test("who came along stays with a walk that is over, and nothing offers to undo it any more", async () => {
  const { taika } = await onAWalkWithMisse();
  const also = { title: "Walk with Taika", service_id: taika, client_names: ["Kim"], dogs: ["Taika"] };
  const undo = await tracker.walkAlso(also);
  const screen = await render(screens("/walk"));
  await tracker.end();
  await screen.getByRole("button", { name: "Complete later" }).click();
  await vi.waitFor(async () => expect((await walks())[0]?.summary).not.toBeNull());
  await undo();
  const [kept] = await walks();
  expect(kept?.summary).not.toBeNull();
  expect(kept?.dogs).toEqual(["Misse", "Taika"]);
});

test("the offer to undo who came along goes with the walk", async () => {
  const { taika } = await onAWalkWithMisse();
  const screen = await render(screens(`/walk?service=${taika}`));
  await screen.getByRole("button", { name: "Walk both" }).click();
  await expect.element(screen.getByText("Taika came along")).toBeVisible();
  await screen.getByText("Taika came along").hover(); // it would go by itself in a while
  await tracker.end();
  await expect.element(screen.getByRole("heading", { name: "Walk completed!" })).toBeVisible();
  await expect.element(screen.getByText("Taika came along")).not.toBeInTheDocument();
});

test("what was typed at the end of a walk waits for the visit's completion", async () => {
  await openPhone();
  void new Positions();
  const id = await scheduled("Dana", "Rex", "09:00");
  pressStart(id);
  const screen = await render(screens(`/walk?service=${id}`));
  await expect.element(screen.getByText("Hold to end")).toBeVisible();
  await tracker.end();
  await screen.getByLabelText("Service notes").fill("Rex found a hedgehog");
  await screen.getByRole("button", { name: "Complete later" }).click();
  await leave(screen);
  const visit = await render(
    <At path="/">
      <ServiceDetails id={id} onEdit={vi.fn()} onCopy={vi.fn()} onChangeSeries={vi.fn()} onClose={vi.fn()} />
    </At>,
  );
  await visit.getByRole("button", { name: "Mark Complete" }).click();
  await expect.element(visit.getByLabelText("Service notes")).toHaveValue("Rex found a hedgehog");
});

/** Rex's walk is over, and its end is on the screen. */
async function atTheEnd() {
  await openPhone();
  const positions = new Positions();
  const id = await scheduled("Dana", "Rex", "09:00");
  pressStart(id);
  const screen = await render(screens(`/walk?service=${id}`));
  await expect.element(screen.getByText("Hold to end")).toBeVisible();
  await positions.walk(100);
  await tracker.logEvent("potty");
  await tracker.end();
  await expect.element(screen.getByRole("heading", { name: "Walk completed!" })).toBeVisible();
  return { id, screen, positions };
}

/** Waits until the walk is kept and its screen has gone on to the next address, as it would beneath another screen too. */
async function leave(screen: { unmount: () => Promise<void> }): Promise<WalkRow | undefined> {
  await vi.waitFor(async () => expect((await walks())[0]?.summary).not.toBeNull());
  await vi.waitFor(() => expect(location.pathname).not.toBe("/walk"));
  await screen.unmount();
  return (await walks())[0];
}

test("a visit is completed as it is, without a word that nobody has seen", async () => {
  const { id, screen } = await atTheEnd();
  await expect.element(screen.getByLabelText("Service notes")).toHaveValue("");
  await screen.getByRole("button", { name: "Complete the service" }).click();
  await vi.waitFor(() => expect(business().phone.service(id)?.status).toBe("completed"));
  expect(business().phone.service(id)?.completion_notes ?? "").toBe("");
});

test("the end of a walk is one step: with one tap more its report goes along, and is not called shared before it is", async () => {
  const { id, screen } = await atTheEnd();
  await screen.getByLabelText("Share the report with Dana").click();
  // Who gets what is seen before it goes.
  await expect.element(screen.getByText("With Rex")).toBeVisible();
  await expect.element(screen.getByLabelText(/Potty$/)).toBeChecked();
  await screen.getByRole("button", { name: "Complete and share report" }).click();
  await vi.waitFor(() => expect(business().phone.service(id)?.status).toBe("completed"));
  const [row] = await walks();
  await vi.waitFor(() => expect(business().phone.reports(row?.id ?? "")).toHaveLength(1));
  await expect.element(screen.getByText("Sharing the report")).toBeVisible();
  await expect.element(screen.getByText("Report shared")).not.toBeInTheDocument();
  await vi.waitFor(async () => expect((await walks())[0]?.report?.dog_ids).toHaveLength(1));
});

test("the last choice for the same clients is proposed at the end of the next walk, and waits for the button", async () => {
  const { id, screen, positions } = await atTheEnd();
  const share = "Share the report with Dana";
  await expect.element(screen.getByLabelText(share)).not.toBeChecked();
  await screen.getByLabelText(share).click();
  await expect.element(screen.getByLabelText("Show the map")).toBeChecked();
  await screen.getByLabelText("Show the map").click();
  await screen.getByRole("button", { name: "Complete and share report" }).click();
  await leave(screen);
  const { client_id = "", dog_ids = [] } = business().phone.service(id) ?? {};
  const next = newId();
  const date = business().phone.today(Date.now());
  const service = {
    client_id,
    dog_ids,
    service_type: "walk" as const,
    date,
    start_time: "15:00",
    duration_minutes: 30,
  };
  const args = { id: next, service, overlap_ok: true, quoted_price: null };
  expect(await save({ name: "schedule_service", args }, "Schedule Rex")).toMatchObject({ ok: true });
  pressStart(next);
  const again = await render(screens(`/walk?service=${next}`));
  await expect.element(again.getByText("Hold to end")).toBeVisible();
  await positions.walk(100);
  await tracker.end();
  await expect.element(again.getByLabelText(share)).toBeChecked();
  await expect.element(again.getByText(/Nothing is shared until you tap/)).toBeVisible();
  await expect.element(again.getByLabelText("Show the map")).not.toBeChecked();
  expect(business().phone.reports()).toHaveLength(1);
});

test("a report's map says how much it leaves out around each home, in the business's units, and who sees it", async () => {
  const { screen } = await atTheEnd();
  await screen.getByLabelText("Share the report with Dana").click();
  const homes = screen.getByRole("checkbox", { name: "Show the way to the door" });
  await expect.element(homes).not.toBeChecked();
  const leftOut = (around: string) => `The map leaves out ${around} around each home, for everyone with the link.`;
  await expect.element(screen.getByText(leftOut("about 500 ft"))).toBeVisible();
  const sitter = { id: newId(), name: "Mara", email: "", time_zone: "UTC", service_area_radius_miles: 5 };
  await pullRows({ t: "sitter", d: { ...sitter, units: "metric", created_at: AT } as { id: string } });
  await expect.element(screen.getByText(leftOut("150 m"))).toBeVisible();
  await homes.click();
  await expect.element(screen.getByText("Everyone with the report's link sees where this pet lives.")).toBeVisible();
  await expect.element(screen.getByText(/^The map leaves out/)).not.toBeInTheDocument();
  await screen.getByLabelText("Show the map").click();
  await expect.element(homes).not.toBeInTheDocument();
});

test("a report is not called taken back before the server has heard of it", async () => {
  const { screen } = await atTheEnd();
  await screen.getByLabelText("Share the report with Dana").click();
  await screen.getByRole("button", { name: "Complete and share report" }).click();
  const row = await leave(screen);
  expect(business().phone.reports(row?.id ?? "")).toHaveLength(1);
  const past = await render(screens(`/walks/${row?.id}`));
  // What is said of the sharing is in the way.
  toast.clear();
  await past.getByRole("button", { name: "Take back" }).click();
  await past.getByRole("dialog").getByRole("button", { name: "Take back" }).click();
  await expect.element(past.getByRole("button", { name: "Share report" })).toBeVisible();
  await expect.element(past.getByText(/Until then a link that you sent still works/).first()).toBeVisible();
  await expect.element(past.getByText(/its link no longer shows it|Report taken back/)).not.toBeInTheDocument();
});

test("what was typed and chosen at the end of a walk is there after a kill", async () => {
  const { id, screen } = await atTheEnd();
  const notes = screen.getByLabelText("Service notes");
  await notes.fill("Rex was brave");
  await screen.getByLabelText("Only for you").fill("Shoes are wet");
  await screen.getByLabelText("Share the report with Dana").click();
  // The same words go to both.
  await expect
    .element(notes)
    .toHaveAccessibleDescription(
      "Your client sees this in the report and on the invoice, and so does anyone with their links",
    );
  expect(screen.getByLabelText("Message to Dana").query()).toBeNull();
  await flushDrafts();
  await screen.unmount();
  const again = await render(screens("/walk"));
  await expect.element(again.getByLabelText("Service notes")).toHaveValue("Rex was brave");
  await expect.element(again.getByLabelText("Only for you")).toHaveValue("Shoes are wet");
  await again.getByRole("button", { name: "Complete and share report" }).click();
  const only = async () => (await business().wholePhone()).service(id);
  await vi.waitFor(async () => expect(await only()).toMatchObject({ completion_notes: "Rex was brave" }));
  expect(await only()).toMatchObject({ internal_notes: "Shoes are wet" });
  const shared = () => {
    const waits = business().phone.outbox();
    return JSON.stringify(waits.find((it) => it.mutation.name === "share_walk")?.mutation.args ?? "");
  };
  await vi.waitFor(() => expect(shared()).toContain("Rex was brave"));
  expect(shared()).not.toContain("Shoes are wet");
});

test("what happened before a second dog came along is of the first one alone", async () => {
  const { taika } = await onAWalkWithMisse();
  await tracker.logEvent("potty");
  const kim = business().phone.service(taika);
  await tracker.walkAlso({
    title: "Taika",
    service_id: taika,
    client_names: ["Kim"],
    dogs: ["Taika"],
    dog_ids: kim?.dog_ids ?? [],
  });
  await tracker.logEvent("water");
  await tracker.end();
  const screen = await render(screens("/walk"));
  await screen.getByRole("switch").click();
  const potty = screen.getByRole("group", { name: /Potty/ });
  await expect.element(potty.getByLabelText("Misse")).toBeChecked();
  expect(potty.getByLabelText("Taika").query()).toBeNull();
  const water = screen.getByRole("group", { name: /Water/ });
  await expect.element(water.getByLabelText("Taika")).toBeChecked();
});

test("a visit that is completed later says that it was walked, and offers no second walk first", async () => {
  const { id, screen } = await atTheEnd();
  await screen.getByRole("button", { name: "Complete later" }).click();
  await leave(screen);
  const phone = await business().wholePhone();
  const visit = phone.visit(id, Date.now());
  if (!visit) throw new Error("the visit is gone");
  const card = await render(
    <At path="/">
      <VisitCard visit={visit} next onOpen={vi.fn()} />
    </At>,
  );
  await expect.element(card.getByText(/^A walk of \d+ min is recorded$/)).toBeVisible();
  expect(card.getByRole("link", { name: "Start walk" }).query()).toBeNull();
  await card.getByRole("button", { name: "Mark Complete" }).click();
  await vi.waitFor(() => expect(business().phone.service(id)?.status).toBe("completed"));
});

test("of several visits some can be completed and others later, each with its own words", async () => {
  const { misse, taika } = await onAWalkWithMisse();
  await tracker.walkAlso({ title: "Taika", service_id: taika, client_names: ["Kim"], dogs: ["Taika"] });
  await tracker.end();
  const screen = await render(screens("/walk"));
  await expect.element(screen.getByText("The same words for Dana and Kim.")).toBeVisible();
  await screen.getByRole("button", { name: "Different words for each" }).click();
  await screen.getByLabelText("Service notes for Taika").fill("Taika sleeps");
  await screen.getByLabelText("Complete the service with Taika").click();
  await screen.getByRole("button", { name: "Complete the service", exact: true }).click();
  await vi.waitFor(() => expect(business().phone.service(misse)?.status).toBe("completed"));
  await vi.waitFor(async () => expect((await walks())[0]?.summary).not.toBeNull());
  expect(business().phone.service(taika)?.status).toBe("scheduled");
  expect((await business().store.draftKeys()).some((it) => it.startsWith(`service-notes:${taika}`))).toBe(true);
});

test("a report that was left out at the end is offered at the visit that was completed", async () => {
  const { id, screen } = await atTheEnd();
  await screen.getByRole("button", { name: "Complete the service" }).click();
  const row = await leave(screen);
  const visit = await render(
    <At path="/">
      <ServiceDetails id={id} onEdit={vi.fn()} onCopy={vi.fn()} onChangeSeries={vi.fn()} onClose={vi.fn()} />
    </At>,
  );
  const link = visit.getByRole("link", { name: "Share report" });
  await expect.element(link).toHaveAttribute("href", `/walks/${row?.id}?send=1`);
  await visit.unmount();
  const past = await render(screens(`/walks/${row?.id}?send=1`));
  const dialog = past.getByRole("dialog", { name: "Share report" });
  await dialog.getByRole("button", { name: "Share report" }).click();
  await vi.waitFor(() => expect(business().phone.reports(row?.id ?? "")).toHaveLength(1));
  await past.unmount();
  const shared = await render(
    <At path="/">
      <ServiceDetails id={id} onEdit={vi.fn()} onCopy={vi.fn()} onChangeSeries={vi.fn()} onClose={vi.fn()} />
    </At>,
  );
  await expect.element(shared.getByText("Completed").first()).toBeVisible();
  await expect.element(shared.getByRole("link", { name: "Share report" })).not.toBeInTheDocument();
});

test("an event with several dogs is of all of them until a tap says of which", async () => {
  const { taika } = await onAWalkWithMisse();
  const [also] = business().phone.service(taika)?.dog_ids ?? [];
  await tracker.walkAlso({
    title: "Taika",
    service_id: taika,
    client_names: ["Kim"],
    dogs: ["Taika"],
    dog_ids: also ? [also] : [],
  });
  const screen = await render(screens("/walk"));
  await screen.getByRole("button", { name: "Potty" }).click();
  const dogs = screen.getByRole("group", { name: "Potty: which pets?" });
  for (const dog of ["Misse", "Taika"])
    await expect.element(dogs.getByRole("button", { name: dog })).toHaveAttribute("aria-pressed", "true");
  const of = () => tracker.trackedWalk()?.walk.events.map((it) => it.dog_ids ?? []);
  expect(of()).toEqual([[]]);
  await dogs.getByRole("button", { name: "Taika" }).click();
  await expect
    .element(screen.getByRole("region", { name: "Walk" }).getByRole("status"))
    .toHaveTextContent("Potty · Taika");
  expect(of()).toEqual([[also]]);
  await expect.element(dogs.getByRole("button", { name: "Misse" })).toHaveAttribute("aria-pressed", "false");
  await dogs.getByRole("button", { name: "Misse" }).click();
  await vi.waitFor(() => expect(of()).toEqual([[]]));
  await dogs.getByRole("button", { name: "That is right" }).click();
  await expect.element(dogs).not.toBeInTheDocument();

  // A client reads nothing of another one's dog.
  await tracker.eventDogs(tracker.trackedWalk()?.walk.events[0]?.id ?? "", also ? [also] : []);
  await tracker.end();
  await screen.getByLabelText("Share the report with Dana and Kim").click();
  const potty = screen.getByRole("group", { name: /Potty · Taika/ });
  await expect.element(potty.getByLabelText("Taika")).toBeChecked();
  await expect.element(potty.getByLabelText("Misse")).not.toBeInTheDocument();
});

test("who walks with one dog is asked nothing", async () => {
  await onAWalkWithMisse();
  const screen = await render(screens("/walk"));
  await screen.getByRole("button", { name: "Potty" }).click();
  await expect.element(screen.getByRole("region", { name: "Walk" }).getByRole("status")).toHaveTextContent("Potty");
  await expect.element(screen.getByRole("group", { name: /which pets/ })).not.toBeInTheDocument();
});

test("who comes back to a client's door reads how to get in, once for each time", async () => {
  await openPhone();
  const positions = new Positions();
  const id = await scheduled("Dana", "Rex", "09:00", HOME);
  pressStart(id);
  const screen = await render(screens(`/walk?service=${id}`));
  await expect.element(screen.getByText("Hold to end")).toBeVisible();
  const door = screen.getByRole("region", { name: "At the door of Dana" });
  await positions.walk(20);
  // Where the walk begins one has been let in already.
  await expect.element(door).not.toBeInTheDocument();
  await positions.walk(80);
  await positions.walk(80, -1);
  await expect.element(door.getByText("Key of Dana")).toBeVisible();
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  await door.getByRole("button", { name: "Hide the access notes" }).click();
  await positions.walk(10, -1);
  await expect.element(door).not.toBeInTheDocument();
  await positions.walk(90);
  await positions.walk(90, -1);
  await expect.element(door).toBeVisible();
});

test("two tabs that start a walk at the same time have one between them", async () => {
  await openPhone();
  void new Positions();
  const row = { ...interrupted(), title: "Misse" };
  await putWalk(row);
  const open = await tracker.startWalk({ title: "Taika", dogs: ["Taika"] });
  expect(open?.title).toBe("Misse");
  expect(tracker.trackedWalk()).toBeUndefined();
  expect(await walks()).toHaveLength(1);
});

test("every fix is on the disk before the next is taken, in less than 40 bytes", async () => {
  await openPhone();
  const positions = new Positions();
  await tracker.startWalk({ title: "Rex", dogs: ["Rex"] });
  await positions.walk(120);
  await vi.waitFor(() => expect(tracker.trackedWalk()?.walk.last_fix_at).toBe(positions.at));
  const [row] = await walks();
  const { bytes, lengths } = await readWalkLog(row?.id ?? "");
  expect(bytes.length).toBeLessThan(120 * 40);
  expect(lengths.length).toBeGreaterThan(1);
});

/** Stores what a killed tab leaves: a row without an end and the log as far as it was written. */
async function leaveBehind(row: WalkRow, seconds: number): Promise<WalkRecording> {
  const positions = Array.from({ length: seconds }, (_, second): WalkInput => {
    const lat = 60.17 + (second * 1.4) / 111_413;
    return { input: "position", at: row.started_at + second * 1000, lat, lon: 24.94, accuracy: 5, altitude: null };
  });
  const recording = new WalkRecording();
  const log = new WalkLog(row.id, walkLogHeader(), 0, () => undefined);
  await putWalk(row);
  await log.append(recording.take([{ input: "start" }], row.started_at), true);
  await log.append(recording.take(positions, row.started_at + seconds * 1000), true);
  return recording;
}

/** How far a walk has come, as its screen says. */
const distanceOf = (recording: WalkRecording | undefined) => recording?.figures(Date.now(), "metric").distance;

const interrupted = (): WalkRow => ({
  id: newId(),
  title: "Rex",
  service_id: null,
  client_name: null,
  dogs: ["Rex"],
  planned_minutes: null,
  started_at: Date.now() - 600_000,
  summary: null,
  imported: false,
});

test("nobody is said to be notified of a changed report, nor to have been of one that was shared before", async () => {
  await openPhone();
  const dana = aClient({ name: "Dana", client_user_id: newId() });
  const rex = aPet(dana, { name: "Rex" });
  const { started_at, ...rest } = interrupted();
  const row = { ...rest, started_at, dog_ids: [rex.id], ended_at: started_at + 299_000 };
  const recording = await leaveBehind(row, 300);
  await putWalk({ ...row, summary: tracker.summarize(recording, row.ended_at) });
  const at = new Date(started_at).toISOString();
  const report = {
    id: newId(),
    walk_id: row.id,
    client_id: dana.id,
    dogs: ["Rex"],
    started_at: at,
    share_id: "share",
    shared_at: at,
  };
  await pullRows(...rowsOf(dana, rex), { t: "report", d: report });
  await pullReach({ notified: [dana.id] });
  const screen = await render(screens(`/walks/${row.id}`));
  const seen = "Dana sees it when the portal is opened.";
  await expect.element(screen.getByText(seen)).toBeVisible();
  await screen.getByRole("button", { name: "Change" }).click();
  const dialog = screen.getByRole("dialog", { name: "Share report" });
  await expect.element(dialog.getByText(seen)).toBeVisible();
  await expect.element(screen.getByText(/is notified/)).not.toBeInTheDocument();
});

test("a walk whose tab was killed is recorded again at once, with a gap, and asks after", async () => {
  await openPhone();
  const positions = new Positions();
  const before = await leaveBehind(interrupted(), 300);
  const screen = await render(screens("/scheduling"));
  // Nobody has pressed anything.
  await positions.walk(100);
  await vi.waitFor(() => expect(tracker.trackedWalk()?.walk.lines).toHaveLength(2));
  await screen.getByRole("link", { name: "Still walking?" }).click();
  await expect.element(screen.getByText("at least")).toBeVisible();
  expect(tracker.trackedWalk()?.recording.state().gaps).toHaveLength(1);
  expect(distanceOf(before)).not.toBe(distanceOf(tracker.trackedWalk()?.recording));
  await screen.getByRole("button", { name: "Still walking" }).click();
  await expect.element(screen.getByText(/Walkies was closed at/)).not.toBeInTheDocument();
  expect((await walks())[0]?.went_on).toBeUndefined();
});

test("a walk that went on by itself can be ended where it stopped, without what was recorded since", async () => {
  await openPhone();
  const positions = new Positions();
  const row = interrupted();
  const before = await leaveBehind(row, 300);
  const screen = await render(screens("/walk"));
  await positions.walk(100);
  await screen.getByRole("button", { name: /^End at / }).click();
  await screen.getByRole("button", { name: "End it", exact: true }).click();
  await expect.element(screen.getByRole("heading", { name: "Walk completed!" })).toBeVisible();
  expect(tracker.trackedWalk()?.walk.since).toBe(row.started_at + 299_000);
  expect(distanceOf(tracker.trackedWalk()?.recording)).toBe(distanceOf(before));
  const { bytes, lengths } = await readWalkLog(row.id);
  expect(viewOf(WalkRecording.of(bytes, lengths)).lines).toHaveLength(1);
});

test("a walk whose tab was killed can be ended where it stopped", async () => {
  await openPhone();
  const positions = new Positions();
  // So long ago that nothing goes on by itself.
  const row = { ...interrupted(), started_at: Date.now() - 4 * 3_600_000 };
  await leaveBehind(row, 300);
  const screen = await render(screens("/walk"));
  await screen.getByRole("button", { name: "End it where it stopped" }).click();
  await expect.element(screen.getByRole("heading", { name: "Walk completed!" })).toBeVisible();
  expect(tracker.trackedWalk()?.walk.since).toBe(row.started_at + 299_000);
  expect(positions.report).toBeUndefined();
  await screen.getByRole("button", { name: "Keep walking" }).click();
  await expect.element(screen.getByText("Hold to end")).toBeVisible();
});

test("an ended walk that cannot be read is offered again, and nobody is kept from it", async () => {
  await openPhone();
  void new Positions();
  const row = interrupted();
  await leaveBehind({ ...row, ended_at: row.started_at + 299_000 }, 300);
  const { store } = business();
  const run = store.run.bind(store);
  let isSilent = true;
  vi.spyOn(store, "run").mockImplementation((work) =>
    isSilent && work.toString().includes("walk_points")
      ? Promise.reject(new DOMException("lost", "UnknownError"))
      : run(work),
  );
  const screen = await render(screens("/walk"));
  await expect.element(screen.getByRole("heading", { name: "This walk could not be read" })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Back" })).toBeVisible();
  isSilent = false;
  await screen.getByRole("button", { name: "Try Again" }).click();
  await expect.element(screen.getByRole("heading", { name: "Walk completed!" })).toBeVisible();
});

test("a disk that does not answer loses nothing", async () => {
  await openPhone();
  const positions = new Positions();
  await tracker.startWalk({ title: "Rex", dogs: [] });
  const run = vi.spyOn(business().store, "run").mockRejectedValue(new DOMException("lost", "UnknownError"));
  await positions.walk(50);
  await vi.waitFor(() => expect(tracker.trackedWalk()?.walk.last_fix_at).toBe(positions.at));
  run.mockRestore();
  await positions.walk(1);
  await vi.waitFor(() => expect(tracker.trackedWalk()?.walk.last_fix_at).toBe(positions.at));
  const { bytes, lengths } = await readWalkLog(tracker.trackedWalk()?.row.id ?? "");
  expect(viewOf(WalkRecording.of(bytes, lengths))).toEqual(tracker.trackedWalk()?.walk);
});

test("what the phone will not tell is said in the words of the specification", async () => {
  await openPhone();
  const positions = new Positions();
  await tracker.startWalk({ title: "Rex", dogs: [] });
  const screen = await render(screens("/walk"));
  const refuse = (code: number) =>
    positions.fail?.({ code, PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3, message: "" });
  const said = screen.getByRole("region", { name: "Walk" }).getByRole("status");
  refuse(1);
  await expect.element(screen.getByRole("alert")).toHaveTextContent(walkTexts().location_denied);
  await expect.element(said).toHaveTextContent("Timer running. Waiting for GPS.");
  refuse(2);
  await expect.element(screen.getByRole("alert")).toHaveTextContent(walkTexts().location_failed);
  await positions.walk(1);
  await vi.waitFor(() => expect(tracker.trackedWalk()?.walk.here).not.toBeNull());
  await expect.element(screen.getByRole("alert")).not.toBeInTheDocument();
  await expect.element(said).toHaveTextContent(walkTexts().started);
  refuse(3);
  await expect.element(screen.getByRole("alert")).not.toBeInTheDocument();
  // Who takes it back in the middle of a walk is not told that it is tracked.
  refuse(1);
  await expect.element(said).toHaveTextContent("Timer running. Waiting for GPS.");
});

test("on a walk how to get in is one tap away, for every client whose dog is along", async () => {
  const { taika } = await onAWalkWithMisse();
  const screen = await render(screens(`/walk?service=${taika}`));
  await screen.getByRole("button", { name: "Walk both" }).click();
  await expect.element(screen.getByRole("heading", { name: "Walk with Misse and Taika" })).toBeVisible();
  await screen.getByRole("button", { name: "Access and care" }).click();
  const door = screen.getByRole("dialog", { name: "Access and care" });
  await expect.element(door.getByText("Key of Dana")).toBeVisible();
  await expect.element(door.getByText("Key of Kim")).toBeVisible();
  await expect.element(door.getByRole("link", { name: "Call Kim" })).toBeVisible();
  // What to mind is there too, once the visit has begun.
  await expect.element(door.getByText("Half a pill for Misse")).toBeVisible();
  await expect.element(door.getByText("Half a pill for Taika")).toBeVisible();
});

test("clients are told that their walk has begun, where the profile says so", async () => {
  await openPhone();
  void new Positions();
  const { meta } = await business().store.load();
  const sitter = {
    id: newId(),
    name: "Mara",
    email: "",
    time_zone: "America/New_York",
    tells_progress: true,
    service_area_radius_miles: 5,
    created_at: "2026-01-01T00:00:00.000Z",
  };
  await business().apply({
    expect_cursor: 0,
    expect_device_id: meta.device_id,
    expect_backend_id: null,
    clear: false,
    put: [{ key: `sitter/${sitter.id}`, text: JSON.stringify({ t: "sitter", id: sitter.id, rev: 1, d: sitter }) }],
    delete: [],
    outbox_remove: [],
    outbox_put: [],
    confirmed: [],
    attention_put: [],
    meta: { ...meta, cursor: 1 },
    renumber: false,
  });
  const [rex, taika] = [await scheduled("Dana", "Rex", "09:00"), await scheduled("Kim", "Taika", "10:00")];
  await tracker.startWalk({ title: "Rex", service_id: rex, dogs: ["Rex"] });
  await tracker.walkAlso({ title: "Taika", service_id: taika, dogs: ["Taika"] });
  const told = () => business().phone.outbox().slice(-2);
  expect(told().map(({ mutation }) => [mutation.name, mutation.args])).toEqual(
    [rex, taika].map((id) => ["mark_progress", { id, step: "started" }]),
  );
  expect(business().phone.service(taika)?.progress?.step).toBe("started");
});

test("emergency mode stops tracking, offers the call and can be cancelled", async () => {
  await openPhone();
  const positions = new Positions();
  await tracker.startWalk({ title: "Rex", dogs: [] });
  await positions.walk(60);
  const screen = await render(screens("/walk"));
  await tracker.emergency();
  // The walk is in Helsinki.
  await expect.element(screen.getByRole("link", { name: "Call 112" })).toHaveAttribute("href", "tel:112");
  expect(positions.report).toBeUndefined();
  await screen.getByRole("button", { name: "Cancel Emergency" }).click();
  await screen.getByRole("button", { name: "It was a slip" }).click();
  await expect.element(screen.getByText("Hold to end")).toBeVisible();
  expect(tracker.trackedWalk()?.walk.events).toEqual([]);
  expect(positions.report).toBeDefined();
});

test("emergency mode calls the vet, the vet after hours, the emergency contact and the client", async () => {
  await openPhone();
  void new Positions();
  const id = await scheduled("Dana", "Rex", "09:00", {
    vet: "Dr. Cole (212) 555-0142, after hours (212) 555-0143",
    emergency_contact: "Lee, +1 555 010 0101",
  });
  await tracker.startWalk({ title: "Rex", service_id: id, dogs: ["Rex"] });
  const screen = await render(screens("/walk"));
  await tracker.emergency();
  const mode = screen.getByRole("alertdialog", { name: "Emergency" });
  await expect.element(mode.getByRole("link", { name: "Call Dana" })).toBeVisible();
  const calls = mode.getByRole("link").elements();
  expect(calls.map((it) => [it.textContent.trim(), it.getAttribute("href")])).toEqual([
    ["Call 911", "tel:911"],
    ["Call Vet, Dr. Cole", "tel:2125550142"],
    ["Call Vet, after hours", "tel:2125550143"],
    ["Call Emergency contact, Lee", "tel:+15550100101"],
    ["Call Dana", "tel:2125550100"],
  ]);
});

/** The phone tells where it is when it is asked once; `undefined` where it may not. */
function tellsWhenAsked(where: () => Partial<GeolocationCoordinates> | undefined): void {
  vi.spyOn(navigator.geolocation, "getCurrentPosition").mockImplementation((report, fail) => {
    const coords = where();
    if (coords) report({ timestamp: Date.now(), coords } as GeolocationPosition);
    else fail?.({ code: 1, PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3, message: "" });
  });
}

test("an emergency asks where one is, says it only of a position of now, and records none of it", async () => {
  await openPhone();
  const positions = new Positions();
  await tracker.startWalk({ title: "Rex", dogs: [] });
  await positions.walk(60);
  await tracker.pause();
  const walked = tracker.trackedWalk()?.walk.here;
  vi.setSystemTime(Date.now() + 20 * 60_000);
  let where: Partial<GeolocationCoordinates> | undefined;
  tellsWhenAsked(() => where);
  const screen = await render(screens("/walk"));
  await tracker.emergency();
  await expect.element(screen.getByText(/^(At|On) .* you were at$/)).toBeVisible();
  await expect.element(screen.getByText(walkTexts().location_denied)).toBeVisible();
  await expect.element(screen.getByText("You are at")).not.toBeInTheDocument();

  where = { latitude: 42.1, longitude: -71.1, accuracy: 8 };
  await expect.element(screen.getByText("You are at"), { timeout: 5_000 }).toBeVisible();
  await expect.element(screen.getByText("42.10000, -71.10000")).toBeVisible();
  await expect.element(screen.getByText("accurate to 26 ft")).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "Call 911" })).toBeVisible();
  await expect.element(screen.getByText(walkTexts().location_denied)).not.toBeInTheDocument();
  expect(tracker.trackedWalk()?.walk.here).toEqual(walked);

  where = undefined;
  vi.setSystemTime(Date.now() + 31_000);
  await expect.element(screen.getByText(/^(At|On) .* you were at$/)).toBeVisible();
  await expect.element(screen.getByText("42.10000, -71.10000")).toBeVisible();
});

test("an emergency without any position says why", async () => {
  await openPhone();
  void new Positions();
  tellsWhenAsked(() => undefined);
  await tracker.startWalk({ title: "Rex", dogs: [] });
  const screen = await render(screens("/walk"));
  await tracker.emergency();
  await expect.element(screen.getByText(walkTexts().location_denied)).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "Call 911" })).toBeVisible();
});

test("an emergency that is over stays in the log with when it was called off", async () => {
  await openPhone();
  const positions = new Positions();
  await tracker.startWalk({ title: "Rex", dogs: [] });
  await positions.walk(60);
  const screen = await render(screens("/walk"));
  await tracker.emergency();
  const begun = Date.now();
  await screen.getByRole("button", { name: "Cancel Emergency" }).click();
  await screen.getByRole("button", { name: "It is over" }).click();
  await expect.element(screen.getByText("Hold to end")).toBeVisible();
  const [event] = tracker.trackedWalk()?.walk.events ?? [];
  expect(event?.note).toBe("Emergency");
  expect(event?.over_at).toBeGreaterThanOrEqual(begun);
  expect(event?.over_at).toBeLessThanOrEqual(Date.now());

  await tracker.emergency();
  await expect.element(screen.getByRole("link", { name: "Call 112" })).toBeVisible();
  // After a minute it was no slip, and there is nothing to ask.
  vi.setSystemTime(Date.now() + 61_000);
  await expect.poll(() => tracker.trackedWalk()?.walk.status).toBe("emergency");
  await screen.getByRole("button", { name: "Cancel Emergency" }).click();
  await tracker.takeBackEmergency();
  expect(tracker.trackedWalk()?.walk.events).toHaveLength(2);
});

test.each([
  [844, 390, "100%"],
  [390, 844, "200%"],
])("an emergency can be cancelled on a screen of %i by %i with text at %s", async (width, height, text) => {
  await page.viewport(width, height);
  document.documentElement.style.fontSize = text;
  await openPhone();
  const positions = new Positions();
  const id = await scheduled("Dana", "Rex", "09:00");
  await tracker.startWalk({ title: "Rex", service_id: id, dogs: ["Rex"] });
  await positions.walk(60);
  const screen = await render(screens("/walk"));
  await tracker.emergency();
  const cancel = screen.getByRole("button", { name: "Cancel Emergency" });
  await expect.element(cancel).toBeVisible();
  cancel.element().scrollIntoView();
  await expect.element(cancel).toBeInViewport({ ratio: 1 });
});

test("a walk comes from a GPX file, can be renamed, and its deletion taken back", async () => {
  await openPhone();
  const points = Array.from(
    { length: 60 },
    (_, i) =>
      `<trkpt lat="${60 + i / 20_000}" lon="25"><time>2026-11-20T08:00:${String(i).padStart(2, "0")}Z</time></trkpt>`,
  );
  const gpx = `<gpx><trk><name>Hill</name><trkseg>${points.join("")}</trkseg></trk></gpx>`;
  const screen = await render(screens("/walks"));
  await expect.element(screen.getByText("No walks yet")).toBeVisible();
  await userEvent.upload(screen.getByLabelText("GPX file"), new File([gpx], "hill.gpx"));
  await expect.element(screen.getByRole("heading", { name: "Hill" })).toBeVisible();

  await screen.getByRole("button", { name: "More for this walk" }).click();
  await screen.getByRole("menuitem", { name: "Rename" }).click();
  const name = screen.getByRole("textbox", { name: "Name" });
  await expect.element(name).toHaveAccessibleDescription("Only you see this");
  await userEvent.fill(name, "Castle hill");
  await screen.getByRole("button", { name: "Save" }).click();
  await expect.element(screen.getByRole("heading", { name: "Castle hill" })).toBeVisible();

  await screen.getByRole("button", { name: "More for this walk" }).click();
  await screen.getByRole("menuitem", { name: "Delete" }).click();
  await expect.element(screen.getByText("No walks yet")).toBeVisible();
  await screen.getByRole("button", { name: "Undo" }).last().click();
  await expect.element(screen.getByRole("link", { name: "Castle hill" })).toBeVisible();
});

test("a GPX file is read in its own encoding, and points without a time are told", async () => {
  await openPhone();
  const points = Array.from({ length: 60 }, (_, i) => {
    const time = i % 10 === 0 || i === 59 ? `<time>2026-11-20T08:00:${String(i).padStart(2, "0")}Z</time>` : "";
    return `<trkpt lat="${60 + i / 100_000}" lon="25">${time}</trkpt>`;
  });
  const gpx = `<?xml version="1.0" encoding="ISO-8859-1"?><gpx><trk><name>Gröna Café</name><trkseg>${points.join("")}</trkseg></trk></gpx>`;
  const screen = await render(screens("/walks"));
  const latin1 = Uint8Array.from(gpx, (it) => it.charCodeAt(0));
  await userEvent.upload(screen.getByLabelText("GPX file"), new File([latin1], "walk.gpx"));
  await expect.element(screen.getByRole("heading", { name: "Gröna Café" })).toBeVisible();
  await expect.element(screen.getByText("53 of 60 points have no time.")).toBeVisible();
});

test("a file that is no walk says why", async () => {
  await openPhone();
  const screen = await render(screens("/walks"));
  await userEvent.upload(screen.getByLabelText("GPX file"), new File(["%PDF"], "plan.gpx"));
  await expect.element(screen.getByRole("alert")).toHaveTextContent("This file is not a GPX file.");
});

test("a walk that the disk does not take says why, and not always that there is no room", async () => {
  await openPhone();
  const screen = await render(screens("/walks"));
  await expect.element(screen.getByText("No walks yet")).toBeVisible();
  const gpx = `<gpx><trk><name>Hill</name><trkseg><trkpt lat="60" lon="25"><time>2026-11-20T08:00:00Z</time></trkpt><trkpt lat="60.0001" lon="25"><time>2026-11-20T08:00:20Z</time></trkpt></trkseg></trk></gpx>`;
  const run = vi.spyOn(business().store, "run");
  for (const error of [blockedError(), new DOMException("full", "QuotaExceededError")]) {
    run.mockRejectedValueOnce(error);
    await userEvent.upload(screen.getByLabelText("GPX file"), new File([gpx], "hill.gpx"));
    await expect.element(screen.getByRole("alert")).toHaveTextContent(storageTrouble(error));
  }
});

test("the way back from a walk's start that an address opened leads to the schedule", async () => {
  await openPhone();
  const screen = await render(screens("/walk"));
  await screen.getByRole("button", { name: "Back" }).click();
  await vi.waitFor(() => expect(location.pathname).toBe("/scheduling"));
});

test("what has no track has a sign in place of its picture", async () => {
  await openPhone();
  const started_at = Date.now();
  const span = { started_at, ended_at: started_at, ran_ms: 60_000, moving_ms: 0, distance_m: 0 };
  await putWalk({
    id: newId(),
    kind: "visit",
    title: "Miso",
    service_id: null,
    client_name: "Kim",
    dogs: ["Miso"],
    planned_minutes: null,
    started_at,
    summary: { ...span, at_least: false, gap_ms: 0, line: [], n_events: 0, notes: "" },
    imported: false,
  });
  const screen = await render(screens("/walks"));
  await expect.element(screen.getByRole("link", { name: "Miso" })).toBeVisible();
  expect(screen.container.querySelector("polyline")).toBeNull();
  expect(screen.container.querySelector(".lucide-door-open")).not.toBeNull();
});

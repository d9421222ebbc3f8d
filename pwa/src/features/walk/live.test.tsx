/** Sending photos and events of a visit before its report, on a real IndexedDB and the real core with no network. */
import { Suspense } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { aClient, aPet, aService, closePhone, openPhone, pullConfirmed, rowsOf } from "../../../test/phone";
import { type LiveEvent, type LiveSharing, loadRest, newId, type SendLive, type Service } from "../../core";
import { loadWalkCore } from "../../core/walk";
import { business } from "../../data";
import { ConfirmHost, ToastHost } from "../../ui";
import ActiveWalkScreen from "./ActiveWalkScreen";
import * as tracker from "./tracker";

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  // At noon, so that nothing of it is of another day.
  vi.setSystemTime(new Date().setHours(12, 0, 0, 0));
  await Promise.all([loadRest(), loadWalkCore()]);
});

afterEach(async () => {
  if (tracker.trackedWalk()) await tracker.discardWalk();
  await closePhone();
  vi.useRealTimers();
});

/** Checks in at a visit of a client in the portal. */
async function checkedIn(sends_live: LiveSharing): Promise<Service> {
  const mikko = aClient({ name: "Mikko", client_user_id: newId(), sends_live });
  const miso = aPet(mikko, { name: "Miso" });
  await openPhone(rowsOf(mikko, miso));
  const service = aService(mikko, miso, { service_type: "dropin", date: business().phone.today(Date.now()) });
  await pullConfirmed({ t: "service", d: service });
  const along = { client_names: ["Mikko"], dogs: ["Miso"], dog_ids: [miso.id] };
  await tracker.startWalk({ kind: "visit", title: "Miso", service_id: service.id, ...along });
  await render(
    <At path="/walk">
      <Suspense>
        <ActiveWalkScreen />
      </Suspense>
      <ConfirmHost />
      <ToastHost />
    </At>,
  );
  await expect.element(page.getByText("Hold to check out")).toBeVisible();
  return service;
}

const sent = (): SendLive[] =>
  business()
    .phone.outbox()
    .filter((it) => it.mutation.name === "send_live")
    .map((it) => it.mutation.args as SendLive);

const note = (event: string) => page.getByRole("button", { name: event, exact: true }).click();

test("an event is sent as it is noted where the sitter has said so, and called sent once the server has it", async () => {
  const service = await checkedIn("on");
  await note("Fed");
  await expect.element(page.getByText(/: for Mikko$/)).toBeVisible();
  expect(sent()).toEqual([{ id: service.id, events: [expect.objectContaining({ kind: "fed" })] }]);
  expect(page.getByText("Sent to Mikko").query()).toBeNull();
  const live = sent()[0]?.events as LiveEvent[];
  const known: Service = { ...service, live };
  await pullConfirmed({ t: "service", d: known });
  await expect.element(page.getByText("Sent to Mikko")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await vi.waitFor(() => expect(sent()).toEqual([{ id: service.id, taken_back: [live[0]?.id] }]));
  await expect.element(page.getByText("Sent to Mikko")).not.toBeInTheDocument();
});

test("where the sitter is to be asked, nothing is sent without a tap, and it can be taken back", async () => {
  const service = await checkedIn("ask");
  await note("Water");
  await page.getByRole("button", { name: "Send to Mikko" }).click();
  await expect.element(page.getByText(/: for Mikko$/)).toBeVisible();
  await page.getByRole("button", { name: "Take back" }).click();
  await expect.element(page.getByRole("button", { name: "Send to Mikko" })).toBeVisible();
  expect(business().phone.service(service.id)?.live ?? []).toEqual([]);
  expect(sent()).toHaveLength(2);
});

test("where nothing is to be sent, nothing is offered", async () => {
  await checkedIn("off");
  await note("Water");
  await expect.element(page.getByRole("region", { name: "Visit" }).getByRole("status")).toHaveTextContent("Water");
  expect(page.getByText(/Mikko now/).query()).toBeNull();
  expect(sent()).toEqual([]);
});

test("a photo that the server turns down is told on the visit, and can be sent again", async () => {
  await checkedIn("ask");
  await tracker.logPhoto({ id: newId(), full: new Blob(["x"], { type: "image/jpeg" }) });
  await page.getByRole("button", { name: "Send to Mikko" }).click();
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  const photo = sent()[0]?.events?.[0]?.photo as string;
  await business().photoRefused(photo, "Damaged");
  await expect.element(page.getByText("Not sent to Mikko. The server does not take the photo: Damaged.")).toBeVisible();
  await page.getByRole("button", { name: "Send to Mikko again" }).click();
  await expect.element(page.getByText(/^Not sent to Mikko/)).not.toBeInTheDocument();
  expect(business().phone.attention()).toEqual([]);
});

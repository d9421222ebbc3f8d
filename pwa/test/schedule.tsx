/** Owns the schedule for component tests: a Friday morning, the visits of a client, and the screen that shows them. */
import { afterEach, beforeEach, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { type Client, loadCore, newId, type Pet, type Service } from "../src/core";
import SchedulingScreen from "../src/features/scheduling/SchedulingScreen";
import { ConfirmHost, ToastHost } from "../src/ui";
import { At } from "./At";
import { AT, closePhone } from "./phone";

/** A Friday, five past ten in UTC, which is the zone until one is known. */
export const NOW = "2026-11-20T10:05:00Z";
export const TODAY = "2026-11-20";

/** Each test of the file begins then, on a screen of this size. */
export function beginOnFriday(width: number, height: number): void {
  beforeEach(async () => {
    localStorage.clear();
    vi.useFakeTimers({ toFake: ["Date"], now: new Date(NOW) });
    await loadCore();
    await page.viewport(width, height);
  });
  afterEach(async () => {
    await closePhone();
    vi.useRealTimers();
  });
}

/** A walk of half an hour today at eleven. */
export const aService = (client: Client, pet: Pet, change: Partial<Service> = {}): Service => ({
  id: newId(),
  client_id: client.id,
  client_name: client.name,
  dog_ids: [pet.id],
  dogs: [pet.name],
  service_type: "walk",
  date: TODAY,
  start_time: "11:00",
  duration_minutes: 30,
  status: "scheduled",
  price: 25,
  pricing_breakdown: {
    baseDogPrice: 25,
    additionalDogsCount: 0,
    additionalDogsCharge: 0,
    total: 25,
    explanation: "$25.00 for 1 dog",
  },
  paid: false,
  created_at: AT,
  ...change,
});

export const showSchedule = (path = "/scheduling") =>
  render(
    <At path={path}>
      <main className="flex h-dvh flex-col overflow-y-auto">
        <SchedulingScreen />
      </main>
      <ConfirmHost />
      <ToastHost />
    </At>,
  );

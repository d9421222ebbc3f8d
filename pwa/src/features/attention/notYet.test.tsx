/** What stands on a new phone whose first pull fails: why, and another try, and no place that is coming for ever. */
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { closePhone, openPhone, signInOnPhone } from "../../../test/phone";
import { loadRest } from "../../core";
import { business } from "../../data";
import { setSession } from "../../data/session/session";
import { startSyncing, stopSyncing } from "../../data/sync/sync";
import ClientsScreen from "../clients/ClientsScreen";
import ProfileScreen from "../profile/ProfileScreen";
import SchedulingScreen from "../scheduling/SchedulingScreen";

const REFUSALS: [string, () => Promise<Response>][] = [
  ["there is no network", () => Promise.reject(new TypeError("no network"))],
  ["the server fails", () => Promise.resolve(new Response("", { status: 503 }))],
];

const SCREENS: [string, string, ReactNode, string][] = [
  ["the schedule", "/scheduling", <SchedulingScreen key="day" />, "Failed to load scheduling data"],
  [
    "the availability",
    "/scheduling?view=availability",
    <SchedulingScreen key="hours" />,
    "Failed to load availability data",
  ],
  ["the clients", "/clients", <ClientsScreen key="clients" />, "Failed to load clients: "],
  ["the profile", "/profile", <ProfileScreen key="profile" />, "Failed to load your profile"],
];

beforeEach(async () => {
  await loadRest();
  await page.viewport(390, 844);
});
afterEach(async () => {
  await stopSyncing();
  await setSession(undefined);
  await closePhone();
});

for (const [why, answer] of REFUSALS) {
  for (const [name, path, screen, words] of SCREENS) {
    test(`where ${why} before the first pull, ${name} says so and offers another try`, async () => {
      const fetched = vi.spyOn(window, "fetch").mockImplementation(answer);
      await openPhone("nothing pulled");
      await signInOnPhone();
      startSyncing(business());
      await render(<At path={path}>{screen}</At>);
      await expect.element(page.getByText(words).first()).toBeVisible();
      fetched.mockClear();
      await page.getByRole("button", { name: "Try Again" }).first().click();
      await expect.poll(() => fetched.mock.calls.length).toBeGreaterThan(0);
    });
  }
}

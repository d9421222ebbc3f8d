/** Owns the schedule for component tests: a Friday morning, and the screen. */
import { afterEach, beforeEach, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { loadCore } from "../src/core";
import SchedulingScreen from "../src/features/scheduling/SchedulingScreen";
import { ConfirmHost, ToastHost } from "../src/ui";
import { At } from "./At";
import { closePhone, FRIDAY } from "./phone";

/** A Friday, five past ten in UTC, which is the zone until one is known. */
export const NOW = "2026-11-20T10:05:00Z";
export const TODAY = FRIDAY;

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

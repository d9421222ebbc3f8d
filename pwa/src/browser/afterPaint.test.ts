/** Shows that waiting for the screen ends, also where there is none. */
import { afterEach, expect, test, vi } from "vitest";
import { afterPaint } from "./afterPaint";

afterEach(() => vi.restoreAllMocks());

test("what waits for the screen goes on when it was painted", async () => {
  let frames = 0;
  const counted = window.requestAnimationFrame.bind(window);
  vi.spyOn(window, "requestAnimationFrame").mockImplementation((callback) =>
    counted((at) => {
      frames += 1;
      callback(at);
    }),
  );
  await afterPaint();
  expect(frames).toBe(2);
});

test("what waits for the screen goes on when nobody sees it, and when it is put away meanwhile", async () => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  const state = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  await afterPaint();
  state.mockReturnValue("visible");
  const waiting = afterPaint();
  document.dispatchEvent(new Event("visibilitychange"));
  await waiting;
});

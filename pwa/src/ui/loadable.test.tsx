/** Shows that what was fetched ahead is there at once, and that a network which failed once is asked again. */
import { Suspense } from "react";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ErrorBoundary } from "./ErrorBoundary";
import { type Loadable, loadable } from "./loadable";

const Screen = () => <p>The screen</p>;

function Waiting({ onShown }: { onShown: () => void }) {
  onShown();
  return null;
}

/** Renders it as a screen does; how often its fallback was drawn. */
async function show(Loaded: Loadable<object>): Promise<() => number> {
  let waited = 0;
  await render(
    <ErrorBoundary fallback={() => <p>It failed</p>}>
      <Suspense fallback={<Waiting onShown={() => (waited += 1)} />}>
        <Loaded />
      </Suspense>
    </ErrorBoundary>,
  );
  return () => waited;
}

test("what was fetched ahead is shown without a fallback before it", async () => {
  const Loaded = loadable(() => Promise.resolve({ default: Screen }));
  await Loaded.preload();
  const waited = await show(Loaded);
  await expect.element(page.getByText("The screen")).toBeVisible();
  expect(waited()).toBe(0);
});

test("what failed ahead is fetched again where it is shown", async () => {
  let asked = 0;
  const Loaded = loadable(async () => {
    asked += 1;
    if (asked === 1) throw new Error("no network");
    return { default: Screen };
  });
  await Loaded.preload();
  const waited = await show(Loaded);
  await expect.element(page.getByText("The screen")).toBeVisible();
  expect(waited()).toBeGreaterThan(0);
});

test("what cannot be fetched is told and not asked for without end", async () => {
  // React and the browser both report what is caught here on purpose.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(window, "reportError").mockImplementation(() => undefined);
  let asked = 0;
  const Loaded = loadable<object>(() => {
    asked += 1;
    return Promise.reject(new Error("no network"));
  });
  await show(Loaded);
  await expect.element(page.getByText("It failed")).toBeVisible();
  expect(asked).toBe(1);
});

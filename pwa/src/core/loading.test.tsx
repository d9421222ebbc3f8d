/** Shows what is said where a module of the core cannot be fetched. */
import { Component, type ReactNode, Suspense, use } from "react";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { fetchedOnce } from "./loading";

class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError = () => ({ failed: true });
  override render = () => (this.state.failed ? <p>Failed to load</p> : this.props.children);
}

test("a module that cannot be fetched is told of, and not asked for again and again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const load = vi.fn(() => Promise.reject(new TypeError("no network")));
  const module = fetchedOnce(load);
  const Screen = () => <p>{String(use(module()))}</p>;
  await render(
    <Boundary>
      <Suspense fallback={<p>Loading</p>}>
        <Screen />
      </Suspense>
    </Boundary>,
  );
  await expect.element(page.getByText("Failed to load")).toBeVisible();
  // React tries a second time before it gives up; both hear of the same failure.
  expect(load).toHaveBeenCalledTimes(1);
  await vi.waitUntil(() => (void module().catch(() => undefined), load.mock.calls.length > 1), { timeout: 20_000 });
});

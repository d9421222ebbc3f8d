/** The frame of maps, with code that does not come. */
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { leafletMap, MapFrame } from "./MapFrame";

const Streets = { default: () => <p>streets</p> };

function show(load: () => Promise<typeof Streets>) {
  const Map = leafletMap(load);
  return render(
    <MapFrame of={Map}>
      <Map />
    </MapFrame>,
  );
}

test("a map whose code broke off on its way is fetched once more by itself", async () => {
  const load = vi.fn(() => Promise.resolve(Streets)).mockRejectedValueOnce(new TypeError("broken off"));
  await show(load);
  await expect.element(page.getByText("streets")).toBeVisible();
  expect(load).toHaveBeenCalledTimes(2);
});

test("a map whose code does not come says so, and comes by a press once it can", async () => {
  // React and the browser both report what is caught here on purpose.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(window, "reportError").mockImplementation(() => undefined);
  let isReachable = false;
  await show(() => (isReachable ? Promise.resolve(Streets) : Promise.reject(new TypeError("no network"))));
  await expect.element(page.getByText("The map could not be loaded.")).toBeVisible();
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect.element(page.getByText("The map could not be loaded.")).toBeVisible();
  isReachable = true;
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect.element(page.getByText("streets")).toBeVisible();
});

/** Tests the route generator's screen on a real phone with no network and no map: a question, and a route that was kept. */
import { Suspense } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { aClient, anOffering, aPet, closePhone, openPhone } from "../../../test/phone";
import { loadRest, newId } from "../../core";
import { encodedLine, loadWalkCore, walkTexts } from "../../core/walk";
import { saveRoute } from "../../data/walks/savedRoutes";
import { findRoutes } from "../../map/search";
import { ToastHost } from "../../ui";
import { RouteDetail } from "./RouteDetail";
import RoutesScreen from "./RoutesScreen";

// As it is, but for what a test says in its place.
vi.mock("../../map/search", { spy: true });

afterEach(closePhone);

const DOOR = { lat: 60.17, lng: 24.94 };

async function openRoutes(door: Partial<typeof DOOR> = DOOR) {
  await Promise.all([loadRest(), loadWalkCore()]);
  const client = aClient({ name: "Dana Reyes", address: "18 Alder Street", ...door });
  await openPhone([
    { t: "client", d: client },
    { t: "pet", d: aPet(client, { name: "Biscuit" }) },
    { t: "offering", d: anOffering() },
  ]);
  await saveRoute({
    id: newId(),
    name: "Round the pond",
    client_id: client.id,
    from: "Dana Reyes, 18 Alder Street",
    saved_at: 1,
    route: {
      name: "Round the pond",
      kind: "loop",
      distance: 2400,
      duration: 1800,
      geometry: encodedLine(Int32Array.of(601700000, 249400000, 601750000, 249500000, 601700000, 249400000)),
      steps: [],
      features: ["Along the water"],
      warnings: [],
      elevation_gain: 0,
    },
  });
  return render(
    <At path="/routes">
      <Suspense>
        <RoutesScreen />
        <ToastHost />
      </Suspense>
    </At>,
  );
}

test("a route that was kept is taken again, and the form says for whom and how long", async () => {
  await openRoutes();
  await page.getByRole("button", { name: "Round the pond", exact: true }).click();
  await expect.element(page.getByRole("heading", { name: "One walk" })).toBeVisible();
  await expect.element(page.getByText("Along the water").first()).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Saved", exact: true })).toBeDisabled();
  await expect.element(page.getByRole("radio", { name: "30 min", exact: true })).toBeChecked();
  await page.getByRole("button", { name: "Back" }).click();
  await expect.element(page.getByRole("combobox", { name: "From" })).toHaveDisplayValue("Dana Reyes, 18 Alder Street");
});

test("missing water is said, and what holds of several places is one warning with all of them", async () => {
  const there = { lat_e7: 601700000, lon_e7: 249400000 };
  const steps = (distance: number) => ({ kind: "steps", text: "Steps here.", location: there, distance }) as const;
  await render(
    <RouteDetail
      route={{
        name: "Over the hill",
        kind: "loop",
        distance: 2400,
        duration: 1800,
        geometry: "",
        steps: [],
        features: [],
        warnings: [steps(100), { kind: "other", text: "Look out." }, steps(500), steps(1500)],
        elevation_gain: 0,
        waterStops: [],
      }}
      units="metric"
    />,
  );
  await expect.element(page.getByText("None is known on this route.")).toBeVisible();
  await page.getByRole("tab", { name: "Safety" }).click();
  await expect.poll(() => page.getByText("Steps here.").elements().length).toBe(1);
  await expect.element(page.getByText("after 100 m, 500 m and 1.5 km")).toBeVisible();
});

test("what is chosen is asked for", async () => {
  const asked = vi.mocked(findRoutes).mockResolvedValueOnce({
    status: "rejected",
    error: { kind: "failed", text: "No routes found" },
  });
  await openRoutes();
  await page.getByRole("combobox", { name: "From" }).selectOptions("Dana Reyes, 18 Alder Street");
  for (const name of ["Fast", "Hilly"]) {
    // What is pressed is the radio's label.
    (page.getByRole("radio", { name, exact: true }).element() as HTMLElement).click();
  }
  await page.getByRole("button", { name: "One dog more" }).click();
  await page.getByRole("checkbox", { name: "Shaded paths" }).click();
  await page.getByRole("checkbox", { name: "Stroller or wheelchair" }).click();
  await page.getByRole("button", { name: "Generate Route" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("No routes found");
  expect(asked.mock.calls[0]?.[0]).toMatchObject({
    pace: "fast",
    dogCount: 2,
    preferences: { hilliness: "hilly", shadedPaths: true, onWheels: true },
  });
});

test("minutes with a part of one are rounded", async () => {
  const asked = vi.mocked(findRoutes).mockResolvedValueOnce({
    status: "rejected",
    error: { kind: "failed", text: "No routes found" },
  });
  await openRoutes();
  await page.getByRole("combobox", { name: "From" }).selectOptions("Dana Reyes, 18 Alder Street");
  (page.getByRole("radio", { name: "Other", exact: true }).element() as HTMLElement).click();
  await page.getByRole("textbox", { name: "Minutes" }).fill("12.5");
  await page.getByRole("button", { name: "Generate Route" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("No routes found");
  expect(asked.mock.lastCall?.[0]).toMatchObject({ duration: 13 });
});

test("a route that is shorter than what was asked, or begins elsewhere, says so", async () => {
  vi.mocked(findRoutes).mockResolvedValueOnce({
    status: "ok",
    value: [
      {
        name: "Around the block",
        kind: "loop",
        distance: 1072,
        duration: 800,
        geometry: encodedLine(Int32Array.of(601720000, 249400000, 601750000, 249500000, 601720000, 249400000)),
        steps: [],
        features: [],
        warnings: [],
        elevation_gain: 0,
        notice: "There is no room for a good walk of 30 minutes from here. This one takes 13.",
        approach: { distance: 222, street: "Oak Street" },
      },
    ],
  });
  await openRoutes();
  await page.getByRole("combobox", { name: "From" }).selectOptions("Dana Reyes, 18 Alder Street");
  await page.getByRole("button", { name: "Generate Route" }).click();
  await expect.element(page.getByText("This one takes 13").first()).toBeVisible();
  await expect.element(page.getByText(/^Starts .* away, on Oak Street$/).first()).toBeVisible();
});

test("a search that breaks down is told as the specification has it", async () => {
  vi.mocked(findRoutes).mockRejectedValueOnce(new Error("the worker broke"));
  await openRoutes();
  await page.getByRole("combobox", { name: "From" }).selectOptions("Dana Reyes, 18 Alder Street");
  await page.getByRole("button", { name: "Generate Route" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("Failed to generate route. Please try again.");
});

test("where there is no map and no network the question stays, with the reason above its button", async () => {
  await openRoutes();
  await page.getByRole("combobox", { name: "From" }).selectOptions("Dana Reyes, 18 Alder Street");
  await page.getByRole("button", { name: "Generate Route" }).click();
  await expect.element(page.getByRole("alert")).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "Routes", exact: true })).toBeVisible();
});

test("whose position cannot be had in ten seconds begins in a default city, and who allows none does not", async () => {
  await openRoutes({});
  let code = 2;
  const refuse = (_: PositionCallback, fail?: PositionErrorCallback | null) =>
    fail?.({ code, PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3, message: "" });
  const asked = vi.spyOn(navigator.geolocation, "getCurrentPosition").mockImplementation(refuse);
  await page.getByRole("button", { name: "Generate Route" }).click();
  await expect.element(page.getByText(walkTexts().location_failed)).toBeVisible();
  expect(asked.mock.lastCall?.[2]?.timeout).toBe(10_000);
  // There is no map of it here: it is looked for all the same.
  await expect.element(page.getByRole("alert")).toBeVisible();
  await expect.element(page.getByRole("alert")).not.toHaveTextContent(/location/);
  code = 1;
  await page.getByRole("button", { name: "Generate Route" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent(walkTexts().location_denied);
});

test("a walk is with one dog at least and twelve at most", async () => {
  await openRoutes();
  const dogs = page.getByRole("status", { name: "Dogs" });
  await expect.element(dogs).toHaveTextContent("1");
  await expect.element(page.getByRole("button", { name: "One dog fewer" })).toBeDisabled();
  const more = page.getByRole("button", { name: "One dog more" });
  for (let n = 1; n < 12; n += 1) await more.click();
  await expect.element(dogs).toHaveTextContent("12");
  await expect.element(more).toBeDisabled();
});

/** The address of a client: proposed from the map while it is typed, and filled in where the phone is. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { AtScreen } from "../../../test/At";
import { aClient, aPet, closePhone, openPhone, rowsOf, saved, signInOnPhone } from "../../../test/phone";
import { loadRest } from "../../core";
import { business } from "../../data/business/openBusiness";
import { setSession } from "../../data/session/session";
import { startSyncing, stopSyncing } from "../../data/sync/sync";
import { addressAt, askGeocoder, type FoundAddress, findAddresses, geocoderName } from "../../map/addresses";
import ClientsScreen from "./ClientsScreen";

// As it is, but for what a test says in its place.
vi.mock("../../map/addresses", { spy: true });

const HOUSE: FoundAddress = {
  kind: "house",
  text: "12 Long Street, Springfield",
  note: null,
  place: { lat_e7: 601701234, lon_e7: 249400000 },
};
const NEAREST: FoundAddress = {
  kind: "nearest_house",
  text: "13 Long Street, Springfield",
  note: "Nearest house: 12",
  place: { lat_e7: 601701234, lon_e7: 249400000 },
};

const dialog = () => page.getByRole("dialog").first();
const field = () => dialog().getByRole("combobox", { name: "Address" }).first();
const option = (name: string | RegExp) => dialog().getByRole("option", { name });

beforeEach(async () => {
  await loadRest();
  await page.viewport(390, 844);
  vi.mocked(findAddresses).mockImplementation((typed) =>
    Promise.resolve(typed.startsWith("12") ? [HOUSE, NEAREST] : typed.startsWith("13") ? [NEAREST] : []),
  );
  vi.mocked(geocoderName).mockResolvedValue(null);
});
afterEach(closePhone);

async function edit(changes: { address?: string } = {}) {
  const kim = aClient({ name: "Kim", address: "", ...changes });
  await openPhone(rowsOf(kim, aPet(kim, { name: "Bo" })));
  await render(
    <AtScreen path={`/clients/${kim.id}?form=edit`} route="/clients/*?">
      <ClientsScreen />
    </AtScreen>,
  );
  await expect.element(field()).toBeVisible();
}

async function send() {
  await dialog().getByRole("button", { name: "Save Client" }).click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
}

test("keys choose an address that sets the pin", async () => {
  await edit();
  await field().fill("12 long");
  await expect.element(option(/^12 Long Street/)).toBeVisible();
  await expect.element(field()).toHaveAttribute("aria-expanded", "true");
  await expect.element(dialog().getByText("2 addresses found")).toBeInTheDocument();
  await userEvent.keyboard("{ArrowDown}");
  const active = field().element().getAttribute("aria-activedescendant");
  expect(document.getElementById(active ?? "")?.textContent).toBe(HOUSE.text);
  await userEvent.keyboard("{Enter}");
  await expect.element(field()).toHaveValue(HOUSE.text);
  await expect.element(field()).toHaveAttribute("aria-expanded", "false");
  await expect.element(dialog().getByText("The pin is set at this house.")).toBeVisible();
  await send();
  expect(saved()).toMatchObject([{ args: { changes: { address: HOUSE.text, lat: 60.17012, lng: 24.94 } } }]);
});

test("a house that is not on the map says which is the nearest", async () => {
  await edit();
  await field().fill("13 long");
  await option(/Nearest house: 12$/).click();
  await expect.element(field()).toHaveValue(NEAREST.text);
  await expect
    .element(dialog().getByText("Nearest house: 12. The pin is set there: move it to the door."))
    .toBeVisible();
  await field().fill("15 Short Street");
  await expect.element(dialog().getByText(`The pin still stands at ${NEAREST.text}.`)).toBeVisible();
  await send();
});

test("escape closes the list and nothing else, and what is typed stays", async () => {
  await edit();
  await field().fill("12 long");
  await expect.element(option(/^12 Long Street/)).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(field()).toHaveAttribute("aria-expanded", "false");
  await expect.element(field()).toHaveValue("12 long");
  await send();
  expect(saved()).toMatchObject([{ args: { changes: { address: "12 long" } } }]);
});

const FAR: FoundAddress = {
  kind: "house",
  text: "7 Far Road, Shelbyville",
  note: "Illinois, United States",
  place: { lat_e7: 401234567, lon_e7: -881234567 },
};
const searchButton = () => dialog().getByRole("button", { name: "Search with Photon" });

test("a press has the geocoder search for what was typed, and no letter does before", async () => {
  vi.mocked(geocoderName).mockResolvedValue("Photon");
  vi.mocked(askGeocoder).mockResolvedValue({ ok: true, value: { is_answered: true, addresses: [FAR] } });
  await edit();
  await field().fill("7 far road");
  await expect.element(dialog().getByText("Sends the words in this field to Photon, and nothing else.")).toBeVisible();
  expect(askGeocoder).not.toHaveBeenCalled();
  await searchButton().click();
  expect(vi.mocked(askGeocoder).mock.calls).toEqual([["7 far road"]]);
  await expect.element(dialog().getByRole("listbox", { name: "Found by Photon" })).toBeVisible();
  await expect
    .element(dialog().getByText("Found by Photon, data from OpenStreetMap contributors.", { exact: true }))
    .toBeVisible();
  await expect.element(field()).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await expect.element(field()).toHaveValue(FAR.text);
  await expect.element(dialog().getByText(/^The pin is set where Photon has this address/)).toBeVisible();
  await expect.element(searchButton()).not.toBeInTheDocument();
  await send();
  expect(saved()).toMatchObject([{ args: { changes: { address: FAR.text, lat: 40.12346, lng: -88.12346 } } }]);
});

test("the list of the map offers the geocoder, too", async () => {
  vi.mocked(geocoderName).mockResolvedValue("Photon");
  vi.mocked(askGeocoder).mockResolvedValue({ ok: true, value: { is_answered: true, addresses: [FAR] } });
  await edit();
  await field().fill("12 long");
  await expect.element(option(/^12 Long Street/)).toBeVisible();
  await searchButton().click();
  await option(/^7 Far Road/).click();
  await expect.element(field()).toHaveValue(FAR.text);
  await send();
});

test("keys reach the search of the geocoder from the list of the map", async () => {
  vi.mocked(geocoderName).mockResolvedValue("Photon");
  await edit();
  await field().fill("12 long");
  await expect.element(option(/^12 Long Street/)).toBeVisible();
  await expect.element(searchButton()).toBeVisible();
  await userEvent.keyboard("{Tab}");
  await expect.element(searchButton()).toHaveFocus();
  await send();
});

test("a geocoder that finds nothing or fails says what to do", async () => {
  vi.mocked(geocoderName).mockResolvedValue("Photon");
  await edit();
  await field().fill("7 far road");
  const text = "http 429";
  for (const [answer, said] of [
    [{ ok: true, value: { is_answered: true, addresses: [] } }, "Photon found nothing for these words. Add the town,"],
    [{ ok: true, value: { is_answered: false, addresses: [] } }, "Photon did not answer. Try again later,"],
    [{ ok: false, error: { kind: "offline", text } }, "No connection. Try again once you are online,"],
    [{ ok: false, error: { kind: "server", status: 429, text, retryAfterS: 1 } }, "Try again in a moment,"],
    [{ ok: false, error: { kind: "server", status: 429, text, retryAfterS: 90 } }, "Try again in a few minutes,"],
  ] as const) {
    vi.mocked(askGeocoder).mockResolvedValueOnce(answer as Awaited<ReturnType<typeof askGeocoder>>);
    await searchButton().click();
    await expect.element(dialog().getByText(`${said} or set the pin on the map.`)).toBeVisible();
  }
  await send();
});

test("without a network only the map on the phone is searched, and that is said", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  vi.spyOn(window, "fetch").mockRejectedValue(new TypeError("no answer"));
  await edit();
  await signInOnPhone();
  startSyncing(business());
  await field().fill("7 far road");
  await expect.element(dialog().getByText("No network: only the map on this phone is searched.")).toBeVisible();
  await expect.element(searchButton()).not.toBeInTheDocument();
  await send();
  await stopSyncing();
  await setSession(undefined);
});

/** Lets the phone stand at a door. */
function standAt(latitude: number, longitude: number) {
  vi.spyOn(navigator.geolocation, "getCurrentPosition").mockImplementation((found) =>
    found({ coords: { latitude, longitude } } as GeolocationPosition),
  );
}

test("where I am fills in the address of the nearest house", async () => {
  standAt(60.1701234, 24.94);
  vi.mocked(addressAt).mockResolvedValueOnce({ ...HOUSE, note: "Nearest house: 12" });
  await edit();
  await dialog().getByRole("button", { name: "Use my location" }).click();
  await expect.element(field()).toHaveValue(HOUSE.text);
  await expect
    .element(dialog().getByText("The pin is set where you are. Nearest house: 12. Check the address."))
    .toBeVisible();
  await send();
  expect(saved()).toMatchObject([{ args: { changes: { address: HOUSE.text, lat: 60.17012, lng: 24.94 } } }]);
});

test("where I am leaves an address that was typed, and says what the map has", async () => {
  standAt(60.1701234, 24.94);
  vi.mocked(addressAt).mockResolvedValueOnce({ ...HOUSE, note: "Nearest house: 12" });
  await edit({ address: "The red house" });
  await dialog().getByRole("button", { name: "Use my location" }).click();
  await expect.element(dialog().getByText(`The pin is set where you are. The map says: ${HOUSE.text}.`)).toBeVisible();
  await expect.element(field()).toHaveValue("The red house");
  await send();
});

test("where the map has no address, that is said and the pin is set", async () => {
  standAt(60.1701234, 24.94);
  vi.mocked(addressAt).mockResolvedValueOnce(null);
  await edit();
  await dialog().getByRole("button", { name: "Use my location" }).click();
  await expect
    .element(dialog().getByText("The pin is set where you are. The map on this phone has no address here."))
    .toBeVisible();
  await send();
});

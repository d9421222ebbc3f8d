/** The address of a client: proposed from the map while it is typed, and filled in where the phone is. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { AtScreen } from "../../../test/At";
import { aClient, aPet, closePhone, openPhone, rowsOf, saved } from "../../../test/phone";
import { loadRest } from "../../core";
import { addressAt, type FoundAddress, findAddresses } from "../../map/addresses";
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
  await dialog().getByRole("button", { name: "Use where I am" }).click();
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
  await dialog().getByRole("button", { name: "Use where I am" }).click();
  await expect.element(dialog().getByText(`The pin is set where you are. The map says: ${HOUSE.text}.`)).toBeVisible();
  await expect.element(field()).toHaveValue("The red house");
  await send();
});

test("where the map has no address, that is said and the pin is set", async () => {
  standAt(60.1701234, 24.94);
  vi.mocked(addressAt).mockResolvedValueOnce(null);
  await edit();
  await dialog().getByRole("button", { name: "Use where I am" }).click();
  await expect
    .element(dialog().getByText("The pin is set where you are. The map on this phone has no address here."))
    .toBeVisible();
  await send();
});

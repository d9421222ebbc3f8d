/** Ids in addresses that no row has, malformed ones among them, on the real core and a real IndexedDB. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../test/At";
import { aClient, aPet, closePhone, openPhone, rowsOf } from "../../test/phone";
import { loadRest, NO_ID } from "../core";
import { loadWalkCore } from "../core/walk";
import { Shell } from "./Shell";
import { sectionAt } from "./sections";

beforeEach(() => Promise.all([loadRest(), loadWalkCore()]));
afterEach(async () => {
  await closePhone();
  localStorage.clear();
});

const show = (address: string) => {
  const section = sectionAt(address.split("?")[0] ?? "");
  return render(<At path={address}>{section ? <Shell section={section} /> : <Shell />}</At>);
};

const MALFORMED = ["nonsense", "-".repeat(36), `${NO_ID}0`, NO_ID.replaceAll("-", "")];

const ADDRESSES: readonly [address: string, is: string, back: string][] = [
  ["/walk?service=", "This visit is no longer here", "Start another walk"],
  ["/routes?service=", "This visit is no longer here", "Plan any route"],
  ["/way/", "This client is no longer here", "All clients"],
  ["/clients/", "This client is no longer here", "All clients"],
  ["/clients?invite=", "This client is no longer here", "Close"],
  ["/clients?message=", "This conversation is no longer here", "Close"],
  ["/messages/", "This conversation is no longer here", "Back to conversations"],
  ["/scheduling?service=", "This service is no longer here", "Close"],
  ["/scheduling?edit=", "This service is no longer here", "Close"],
  ["/scheduling?several=copy&of=", "This service is no longer here", "Close"],
  ["/scheduling?series=", "This series is no longer here", "Close"],
  ["/scheduling?change=", "This series is no longer here", "Close"],
  ["/invoices?shared=", "It was not shared, or it was deleted.", "Close"],
  ["/walks/", "This walk is not on this phone", "All walks"],
];

test.for(ADDRESSES)("%s leads on from an id that nothing has", async ([address, is, back]) => {
  await page.viewport(390, 844);
  const client = aClient({ name: "Dana Reyes" });
  await openPhone(rowsOf(client, aPet(client, { name: "Biscuit" })));
  for (const id of [NO_ID, ...MALFORMED]) {
    const screen = await show(`${address}${id}`);
    await expect.element(page.getByText(is), { message: id }).toBeVisible();
    const ways = [page.getByRole("link", { name: back }), page.getByRole("button", { name: back })];
    expect(
      ways.flatMap((it) => it.elements()),
      id,
    ).not.toHaveLength(0);
    await screen.unmount();
  }
});

test("a filter of invoices by a client that nobody has is no error", async () => {
  await openPhone(rowsOf(aClient({ name: "Dana Reyes" })));
  await show("/invoices?tab=history&client=nonsense");
  await expect.element(page.getByText("No invoices yet")).toBeVisible();
});

test("a form that an address fills in begins without an unknown client", async () => {
  const client = aClient({ name: "Dana Reyes" });
  await openPhone(rowsOf(client, aPet(client, { name: "Biscuit" })));
  await show("/scheduling?new=1&client=nonsense");
  await expect.element(page.getByText("Choose a client to see their", { exact: false })).toBeVisible();
});

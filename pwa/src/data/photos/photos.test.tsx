/** Shows that photos are there to be seen also where this phone cannot keep them. */
import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { cleanup, render } from "vitest-browser-react";
import { closedBusiness, openedBusiness } from "../../../test/support/testing";
import { newId } from "../../core";
import { setSession } from "../session/session";
import { usePhotoUrl } from "./photos";

afterEach(() => setSession(undefined));

function Photo({ id, keeps }: { id: string; keeps?: boolean }) {
  return <img src={usePhotoUrl(id, keeps)} alt="Rex" />;
}

test("a photo that was fetched is shown on a phone that is too full to keep it", async () => {
  const business = await openedBusiness();
  const id = business.store.userId;
  const user = { id, email: "mara@example.com", name: "Mara", role: "sitter", sitter_id: id } as const;
  await setSession({ token: "token", user, needs_auth: false });
  const photo = new Blob(["photo"], { type: "image/jpeg" });
  vi.spyOn(window, "fetch").mockImplementation(() => Promise.resolve(new Response(photo)));
  vi.spyOn(business.store, "putPhoto").mockRejectedValue(new DOMException("", "QuotaExceededError"));
  await render(<Photo id={newId()} />);
  await expect.element(page.getByAltText("Rex")).toHaveAttribute("src", expect.stringMatching(/^blob:/));
  await cleanup();
  await closedBusiness(business);
});

test("a photo that may be taken back is shown and leaves nothing on the phone", async () => {
  const business = await openedBusiness();
  const userId = business.store.userId;
  const user = { id: userId, email: "sam@example.com", name: "Sam", role: "client", sitter_id: null } as const;
  await setSession({ token: "token", user, needs_auth: false });
  const photo = new Blob(["photo"], { type: "image/jpeg" });
  vi.spyOn(window, "fetch").mockImplementation(() => Promise.resolve(new Response(photo)));
  const id = newId();
  await render(<Photo id={id} keeps={false} />);
  await expect.element(page.getByAltText("Rex")).toHaveAttribute("src", expect.stringMatching(/^blob:/));
  expect(await business.store.getPhoto(id)).toBeUndefined();
  await cleanup();
  await closedBusiness(business);
});

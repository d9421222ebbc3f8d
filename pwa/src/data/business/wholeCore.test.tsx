/** Shows that what asks for more than the first part of the core waits for the rest of it, and that nothing else does. */
import { Suspense } from "react";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { saveOffering } from "../../../test/support/testing";
import { loadCore, newId } from "../../core";
import { deleteUserDb } from "../store/db";
import { OpenBusiness, setOpenBusiness } from "./openBusiness";
import { useFirstReplica, useReplica } from "./useReplica";

const Waiting = () => <p>Waiting changes: {useFirstReplica((phone) => phone.pendingCount())}</p>;

const Offerings = () => <p>Offered: {useReplica((phone) => phone.offerings().map((it) => it.name)).join(", ")}</p>;

/** Keeps the rest of the core on its way until what is given is called. */
function holdRest(): () => void {
  const fetch = window.fetch.bind(window);
  const { promise, resolve } = Promise.withResolvers<void>();
  vi.spyOn(window, "fetch").mockImplementation(async (input, init) => {
    if (input instanceof URL && input.pathname.includes("walkies_rest")) await promise;
    return fetch(input, init);
  });
  return resolve;
}

test("a screen waits for the rest of the core, and so does a save, while another one shows what is there", async () => {
  await loadCore();
  const release = holdRest();
  const tab = await OpenBusiness.open(newId());
  setOpenBusiness(tab);
  const { unmount } = await render(
    <>
      <Waiting />
      <Suspense fallback={<p>Not yet</p>}>
        <Offerings />
      </Suspense>
    </>,
  );
  // @ts-expect-error -- Whoever has no more than the first part cannot ask for this.
  void (() => tab.phone.offerings());
  const whole = vi.fn();
  void tab.wholePhone().then(whole);
  const saved = saveOffering(tab, "Walk");
  await expect.element(page.getByText("Waiting changes: 0")).toBeVisible();
  await expect.element(page.getByText("Not yet")).toBeVisible();
  expect(whole).not.toHaveBeenCalled();
  release();
  await expect.element(page.getByText("Offered: Walk")).toBeVisible();
  await saved;
  await expect.element(page.getByText("Waiting changes: 1")).toBeVisible();
  expect(whole).toHaveBeenCalledWith(tab.phone);
  await unmount();
  setOpenBusiness(undefined);
  await tab.close();
  await deleteUserDb(tab.store.userId);
});

/** Shows that what stands in a form comes back, and that a form may outlive the business it was opened in. */
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closedBusiness, openedBusiness } from "../../../test/support/testing";
import { newId } from "../../core";
import { deleteUserDb } from "../store/db";
import { type Draft, flushDrafts, useDraft } from "./drafts";
import { setOpenBusiness } from "./openBusiness";

const KEY = "note:new";

test("what was typed comes back, and what was cleared does not", async () => {
  const business = await openedBusiness();
  const first = await shown();
  first.form().set({ note: "The key is under the mat" });
  await flushDrafts();
  await first.leave();

  const second = await shown();
  await expect.element(page.getByText("The key is under the mat")).toBeVisible();
  expect(second.form().restored).toBe(true);
  second.form().clear();
  await second.leave();

  const third = await shown();
  await expect.poll(() => third.form().ready).toBe(true);
  expect(third.form().value).toEqual({ note: "" });
  await third.leave();
  await closedBusiness(business);
});

test("a form on its way out after its person has signed out takes nothing down", async () => {
  const business = await openedBusiness();
  const { form, leave } = await shown();
  form().set({ note: "Ring twice" });
  setOpenBusiness(undefined);
  await business.close();
  await flushDrafts();
  form().clear();
  await leave();
  await deleteUserDb(business.store.userId);
});

test("a form that opens while the disk does not answer keeps what is typed once it does", async () => {
  const business = await openedBusiness();
  vi.spyOn(business.store, "draftKeys").mockRejectedValueOnce(new DOMException("It sleeps.", "UnknownError"));
  const first = await shown();
  await expect.poll(() => first.form().ready).toBe(true);
  first.form().set({ note: "Feed the cat, too" });
  await expect.element(page.getByText("Feed the cat, too")).toBeVisible();
  await flushDrafts();
  await first.leave();
  const second = await shown();
  await expect.element(page.getByText("Feed the cat, too")).toBeVisible();
  await second.leave();
  await closedBusiness(business);
});

test("a form that opens while the disk does not answer is saved once it does", async () => {
  const business = await openedBusiness();
  vi.spyOn(business.store, "draftKeys").mockRejectedValueOnce(new DOMException("It sleeps.", "UnknownError"));
  const { form, leave } = await shown();
  await expect.poll(() => form().ready).toBe(true);
  const args = { id: newId(), offering: { name: "Walk" } };
  expect(await business.save({ name: "create_offering", args }, "Add Walk", { draft: KEY })).toMatchObject({
    ok: true,
  });
  await leave();
  await closedBusiness(business);
});

test("a write that is under way while the form is saved leaves nothing for the next form", async () => {
  const business = await openedBusiness();
  const first = await shown();
  await expect.poll(() => first.form().ready).toBe(true);
  const { store } = business;
  const [put, remove] = [store.putDraft.bind(store), store.deleteDraft.bind(store)];
  const [written, removed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  vi.spyOn(store, "putDraft").mockImplementationOnce((draft) => written.promise.then(() => put(draft)));
  const slow = vi.spyOn(store, "deleteDraft").mockImplementation((key) => removed.promise.then(() => remove(key)));
  first.form().set({ note: "Walk" });
  const flushed = flushDrafts();
  const args = { id: newId(), offering: { name: "Walk" } };
  await business.save({ name: "create_offering", args }, "Add Walk", { draft: KEY });
  first.form().clear();
  written.resolve();
  await flushed;
  await first.leave();
  const second = await shown();
  removed.resolve();
  await expect.poll(() => second.form().ready).toBe(true);
  expect(second.form()).toMatchObject({ value: { note: "" }, restored: false });
  slow.mockRestore();
  await second.leave();
  await closedBusiness(business);
});

test("what is typed after a save and before it is painted stays a draft, in this form and in the next", async () => {
  const business = await openedBusiness();
  const first = await shown();
  await expect.poll(() => first.form().ready).toBe(true);
  first.form().set({ note: "Walk" });
  const frames: FrameRequestCallback[] = [];
  const frame = vi.spyOn(window, "requestAnimationFrame").mockImplementation((it) => frames.push(it));
  const args = { id: newId(), offering: { name: "Walk" } };
  await business.save({ name: "create_offering", args }, "Add Walk", { draft: KEY });
  first.form().set({ note: "Walk in the rain" });
  await flushDrafts();
  frame.mockRestore();
  document.dispatchEvent(new Event("visibilitychange"));
  await first.leave();

  const second = await shown();
  await expect.element(page.getByText("Walk in the rain")).toBeVisible();
  second.form().clear();
  await second.leave();
  await closedBusiness(business);
});

async function shown() {
  let form: Draft<{ note: string }> | undefined;
  function Note() {
    form = useDraft(KEY, { note: "" });
    return <p>{form.value.note}</p>;
  }
  const { unmount } = await render(<Note />);
  return {
    form: () => {
      if (!form) throw new Error("The form was not drawn.");
      return form;
    },
    leave: unmount,
  };
}

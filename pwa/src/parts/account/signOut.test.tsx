/** Questions to people who sign out with work on the phone that is not sent, or not done. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";
import { aClient, aPet, closePhone, openPhone, rowsOf } from "../../../test/phone";
import { type AttentionEntry, loadRest, newId } from "../../core";
import { business, save } from "../../data";
import { Button } from "../../ui";
import { SignOutDialog, useSignOut } from "./SignOut";

await loadRest();

beforeEach(() => page.viewport(390, 844));
afterEach(closePhone);

const client = aClient({ name: "Dana" });
const rename = { name: "update_client", args: { id: client.id, changes: { name: "Dana W" } } } as const;

function refused(photos: string[] = []): AttentionEntry {
  const id = newId();
  const mutation = { id, seq: 1, v: 1, made_at: "2026-01-01T00:00:00.000Z", base_rev: 1, ...rename };
  const outcome = { id, outcome: "rejected", refusal: { code: "gone" }, rev: 2, adjustments: [] } as const;
  return { entry: { mutation, sentence: "Change Dana", photos }, outcome: { ...outcome, adjustments: [] } };
}

function Leave() {
  const signOut = useSignOut();
  return <Button onClick={() => void signOut()}>Sign Out</Button>;
}

async function leave(attention: AttentionEntry[]): Promise<void> {
  await openPhone(rowsOf(client, aPet(client, { name: "Rex" })), attention);
  await render(
    <At path="/profile">
      <Leave />
      <SignOutDialog />
    </At>,
  );
}

const dialog = () => page.getByRole("dialog");
const button = (name: string) => dialog().getByRole("button", { name });

test("a change that the server has turned down is not called unsent, and nothing is offered that would send it", async () => {
  await leave([refused()]);
  await page.getByRole("button", { name: "Sign Out", exact: true }).click();
  await expect
    .element(dialog().getByText("1 change in Needs attention is not done. What do you want to do with it?"))
    .toBeVisible();
  await expect.element(dialog().getByRole("heading", { name: "Not everything is done yet" })).toBeVisible();
  expect(button("Send now and sign out").query()).toBeNull();
  await button("Close").click();
});

test("discarding counts changes together with drafts, photos and videos", async () => {
  const photo = newId();
  await leave([refused([photo])]);
  const { store } = business();
  await store.putPhoto({ id: photo, full: new Blob(["photo"]), waiting: true, stored_at: 0 });
  await store.putDraft({ key: "client:new", value: {}, base_rev: 0, saved_at: 0 });
  await save(rename, "Change Dana");
  await page.getByRole("button", { name: "Sign Out", exact: true }).click();
  await expect
    .element(
      dialog().getByText(
        /1 change on this phone has not reached the server\. 1 change in Needs attention is not done\./,
      ),
    )
    .toBeVisible();
  await expect.element(button("Send now and sign out")).toBeVisible();
  await button("Discard").click();
  await expect
    .element(dialog().getByLabelText("To discard 2 changes, 1 draft and 1 photo for good, type DISCARD"))
    .toBeVisible();
});

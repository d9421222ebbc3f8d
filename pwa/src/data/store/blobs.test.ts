/** Photos where the browser keeps no files in its database, and photos that an earlier version has kept as files. */
import { expect, test, vi } from "vitest";
import { closedBusiness, openedBusiness } from "../../../test/support/testing";
import { newId } from "../../core";
import { getWalkPhoto, putWalkPhoto } from "../walks/walkLog";
import type { StoredPhoto } from "./db";

/** As WebKit does in a private window. */
function keepNoFiles(): void {
  const put = Reflect.get(IDBObjectStore.prototype, "put") as (this: IDBObjectStore, ...args: unknown[]) => IDBRequest;
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...args) {
    const holds = (it: unknown): boolean =>
      it instanceof Blob || (typeof it === "object" && it !== null && Object.values(it).some(holds));
    if (holds(args[0])) throw new DOMException("Blobs are not supported.", "DataCloneError");
    return put.apply(this, args);
  });
}

const aPhoto = (): StoredPhoto => ({
  id: newId(),
  full: new Blob([Uint8Array.of(255, 216, 255)], { type: "image/jpeg" }),
  waiting: true,
  stored_at: 0,
});

async function expectTheSame(found: Blob | undefined, { full }: StoredPhoto): Promise<void> {
  expect(found?.type).toBe("image/jpeg");
  expect(new Uint8Array(await (found as Blob).arrayBuffer())).toEqual(new Uint8Array(await full.arrayBuffer()));
}

test("photos are kept also where the browser keeps no files in its database", async () => {
  const business = await openedBusiness();
  keepNoFiles();
  const photo = aPhoto();
  const pet = { id: newId(), changes: { name: "Rex", photo: photo.id } };
  const args = { id: newId(), client: { name: "Dana" }, dogs: [pet] };
  const saved = await business.save({ name: "create_client", args } as never, "Add Dana", { photos: [photo] });
  expect(saved.ok).toBe(true);
  await expectTheSame((await business.store.getPhoto(photo.id))?.full, photo);

  await business.store.putDraft({ key: "k", value: { name: "Rex", photos: [photo] }, base_rev: 0, saved_at: 0 });
  const draft = (await business.store.getDraft("k"))?.value as { photos: StoredPhoto[] };
  await expectTheSame(draft.photos[0]?.full, photo);

  await putWalkPhoto("w", photo.full);
  await expectTheSame(await getWalkPhoto("w"), photo);
  await closedBusiness(business);
});

test("photos that were kept as files are read as they are", async () => {
  const business = await openedBusiness();
  const photo = aPhoto();
  await business.store.run(async (db) => {
    await db.put("photos", photo);
    await db.put("walk_photos", { id: "w", blob: photo.full });
  });
  await expectTheSame((await business.store.getPhoto(photo.id))?.full, photo);
  await expectTheSame(await getWalkPhoto("w"), photo);
  await closedBusiness(business);
});

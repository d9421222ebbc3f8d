/** Tests that a full disk is said, and that nobody waits for a disk for ever. */
import { expect, test, vi } from "vitest";
import { saveOffering, signal } from "../../../test/support/testing";
import { OpenBusiness } from "../business/openBusiness";
import { deleteUserDb } from "./db";
import { Store } from "./store";

test("where the disk stays full that is said", async () => {
  const store = new Store(`full-${crypto.randomUUID()}`);
  const full = () => Promise.reject(new DOMException("The disk is full.", "QuotaExceededError"));
  await expect(store.run(full)).rejects.toThrow("The disk is full.");
  await store.close();
});

/** The storage's time passes as the returned functions say, and not by the clock. */
function patience(): { ends: () => void; jumps: () => void } {
  const waits: AbortController[] = [];
  let isOver = false;
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const wait = new AbortController();
    waits.push(wait);
    if (isOver) queueMicrotask(() => wait.abort());
    return wait.signal;
  });
  const jumps = () => waits.forEach((it) => it.abort());
  const ends = () => {
    isOver = true;
    jumps();
  };
  return { ends, jumps };
}

test("a phone that wakes gives its disk the time to wake, too", async () => {
  const store = new Store(crypto.randomUUID());
  const { jumps } = patience();
  const [begun, awake] = [signal(), signal()];
  const reading = store.run(async () => {
    begun.give();
    await awake.given;
    return "read";
  });
  await begun.given;
  jumps();
  awake.give();
  expect(await reading).toBe("read");
  await store.close();
});

test("a save that the disk never ends is given up with a sentence, and nothing of it is kept", async () => {
  const user = crypto.randomUUID();
  const business = await OpenBusiness.open(user);
  const { ends: giveUp } = patience();
  const put = Reflect.get(IDBObjectStore.prototype, "put") as (this: IDBObjectStore, ...args: unknown[]) => IDBRequest;
  const begun = signal();
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...args) {
    const request = put.apply(this, args);
    const again = () => this.count().addEventListener("success", again);
    request.addEventListener("success", again);
    begun.give();
    return request;
  });
  vi.spyOn(IDBTransaction.prototype, "commit").mockImplementation(() => undefined);
  const saving = saveOffering(business, "Walk");
  await begun.given;
  giveUp();
  await expect(saving).rejects.toThrow("This phone's storage does not answer.");
  vi.restoreAllMocks();
  expect((await business.store.load()).outbox).toEqual([]);
  await business.close();
  await deleteUserDb(user);
});

test("a database that another tab does not let go of is said, and not waited for", async () => {
  const user = crypto.randomUUID();
  const older = await new Promise<IDBDatabase>((opened) => {
    const opening = indexedDB.open(`walkies-${user}`, 2);
    opening.onsuccess = () => opened(opening.result);
  });
  const { ends: giveUp } = patience();
  const reading = new Store(user).getDraft("note");
  giveUp();
  await expect(reading).rejects.toThrow("Another tab of Walkies is in the way.");
  indexedDB.deleteDatabase(older.name);
  older.close();
});

/** Owns looking at what stands on a phone's disk, past the app. */
import { expect, type Page } from "@playwright/test";

/** Waits until these words are in a draft on the disk: a tab that is killed now loses none of them. */
export async function isOnDisk(page: Page, words: string): Promise<void> {
  await expect.poll(async () => JSON.stringify(await storedIn(page, "drafts"))).toContain(words);
}

/** How many changes on this phone's disk the feed has not confirmed. */
export async function unconfirmed(page: Page): Promise<number> {
  return (await storedIn(page, "outbox")).length;
}

/** All that lies in this store of the business on this phone's disk. */
function storedIn(page: Page, store: "drafts" | "outbox"): Promise<unknown[]> {
  return page.evaluate(async (store) => {
    const asked = <T>(request: IDBRequest<T>) =>
      new Promise<T>((done, failed) => {
        request.onsuccess = () => done(request.result);
        request.onerror = () => failed(new Error(String(request.error)));
      });
    const name = (await indexedDB.databases()).map((it) => it.name ?? "").find((it) => /^walkies-.{36}(\/|$)/.test(it));
    const db = await asked(indexedDB.open(name ?? ""));
    const found: unknown[] = await asked(db.transaction(store).objectStore(store).getAll());
    db.close();
    return found;
  }, store);
}

/** All that the browser keeps on this phone's disk for the app, as text; bytes as the characters that they may be. */
export function everythingOn(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const asked = <T>(request: IDBRequest<T>) =>
      new Promise<T>((done, failed) => {
        request.onsuccess = () => done(request.result);
        request.onerror = () => failed(new Error(String(request.error)));
      });
    const asText = async (value: unknown): Promise<unknown> => {
      if (value instanceof Blob) return value.text();
      if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return new TextDecoder().decode(value);
      if (Array.isArray(value)) return Promise.all(value.map(asText));
      if (typeof value !== "object" || value === null) return value;
      const entries = Object.entries(value).map(async ([name, it]) => [name, await asText(it)] as const);
      return Object.fromEntries(await Promise.all(entries));
    };
    // One that has gone since it was listed must not be made anew by looking at it.
    const opened = (name: string) => {
      const request = indexedDB.open(name);
      request.onupgradeneeded = () => request.transaction?.abort();
      return asked(request).catch(() => undefined);
    };
    const found: unknown[] = [Object.entries(localStorage), Object.entries(sessionStorage)];
    for (const { name = "" } of await indexedDB.databases()) {
      const db = await opened(name);
      if (!db) continue;
      for (const store of db.objectStoreNames) {
        const keys = await asked(db.transaction(store).objectStore(store).getAllKeys());
        const values = await asked(db.transaction(store).objectStore(store).getAll());
        found.push([name, store, keys, await asText(values)]);
      }
      db.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        // The core's modules are long, and the same on every phone.
        const isModule = new URL(request.url).pathname.endsWith(".wasm");
        found.push(request.url, isModule ? "" : await (await cache.match(request))?.text());
      }
    }
    return JSON.stringify(found);
  });
}

/** Waits until none of these words can be read on the phone. */
export async function hasForgotten(page: Page, words: readonly string[]): Promise<void> {
  await expect
    .poll(async () => {
      const all = await everythingOn(page);
      return words.filter((it) => all.includes(it));
    })
    .toEqual([]);
}

/** Makes the phone one on which nobody has typed a password, as those of before there were locks. */
export function dropLocks(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const asked = <T>(request: IDBRequest<T>) =>
      new Promise<T>((done, failed) => {
        request.onsuccess = () => done(request.result);
        request.onerror = () => failed(new Error(String(request.error)));
      });
    const db = await asked(indexedDB.open("walkies-session"));
    const users = db.transaction("users", "readwrite").objectStore("users");
    for (const { lock: _, ...user } of await asked(users.getAll())) await asked(users.put(user));
    db.close();
  });
}

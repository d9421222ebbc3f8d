/** Owns looking at what stands on a phone's disk, past the app. */
import { expect, type Page } from "@playwright/test";

/** Waits until these words are in a draft on the disk: a tab that is killed now loses none of them. */
export async function isOnDisk(page: Page, words: string): Promise<void> {
  await expect.poll(() => drafts(page)).toContain(words);
}

/** Every draft on this phone's disk, as text. */
function drafts(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const asked = <T>(request: IDBRequest<T>) =>
      new Promise<T>((done, failed) => {
        request.onsuccess = () => done(request.result);
        request.onerror = () => failed(new Error(String(request.error)));
      });
    const name = (await indexedDB.databases()).map((it) => it.name ?? "").find((it) => /^walkies-.{36}$/.test(it));
    const db = await asked(indexedDB.open(name ?? ""));
    const found = await asked(db.transaction("drafts").objectStore("drafts").getAll());
    db.close();
    return JSON.stringify(found);
  });
}

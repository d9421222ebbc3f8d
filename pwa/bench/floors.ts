/**
 * Owns the floors of the phone's times: the least that a browser does for the same, on a bare page of the app's own origin.
 * Each is measured in turns with the app, so that a time is said in multiples of its floor and holds on any machine.
 * A floor ends as the app does. Where that is with the day on the screen, it shows the same picture, of HTML and CSS that
 * are there: to style, lay out and paint a day takes the browser longer than a word would, whoever asks it to.
 * What runs in a page is sent there as text: such a function knows its arguments and `window.bare`, and nothing else.
 */
import { createServer } from "node:http";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { build } from "vite";

declare global {
  interface Window {
    /** Helpers that every bare page has. */
    bare: {
      open: (database: string, stores?: string[]) => Promise<IDBDatabase>;
      done: (tx: IDBTransaction) => Promise<void>;
      /** A button; resolves when it is pressed, with when the finger was there: as for the app, the way of the press counts. */
      pressed: () => Promise<number>;
      /** Resolves when the frame with what is there now is done, on the page's clock. */
      painted: () => Promise<number>;
      /** Shows this, too; resolves when the frame with it is done. */
      paint: (text: string) => Promise<number>;
    };
    /** When the bare page has painted what it has read, after it was asked for; in milliseconds. */
    floor: Promise<number>;
    /** The worker that draws on a bare page, once its code is compiled. */
    drawer: Promise<Worker>;
  }
}

/** The service worker leaves it to the network; see `sw.ts`. */
const BARE = "/report/bare";

/** A screen of the app as HTML and CSS that need none of its code. */
export interface Picture {
  css: string;
  body: string;
  /** How far its screen is scrolled, in pixels. */
  scrollTop: number;
}

/** The picture of what this page shows. */
export const pictureOf = (page: Page): Promise<Picture> =>
  page.evaluate(() => ({
    css: [...document.styleSheets].flatMap((it) => [...it.cssRules].map((rule) => rule.cssText)).join("\n"),
    body: document.body.innerHTML,
    scrollTop: document.querySelector("main")?.scrollTop ?? 0,
  }));

/**
 * Opens a page of the app's origin without the app, which does this at once, where there is anything to do.
 * The network to that origin has to be cut: this page takes its place for a moment, and nothing else is answered.
 * `css` is what a picture on it is styled by.
 */
export async function goBare<T>(
  page: Page,
  origin: string,
  work?: (given: T) => void,
  given?: T,
  css = "",
): Promise<void> {
  const script = `(${String(bareTools)})(); ${work ? `(${String(work)})(${JSON.stringify(given)?.replaceAll("<", "\\u003c")})` : ""}`;
  const head = `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${css}</style>`;
  const server = createServer((request, response) => {
    const isAsked = request.url === BARE;
    if (isAsked)
      response.setHeader("Content-Type", "text/html").end(`<!doctype html>${head}<body><script>${script}</script>`);
    else request.destroy();
  });
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(Number(new URL(origin).port), "127.0.0.1", done);
  });
  await page.goto(origin + BARE, { waitUntil: "domcontentloaded" });
  const closed = new Promise((done) => server.close(done));
  server.closeAllConnections();
  await closed;
}

function bareTools(): void {
  window.bare = {
    open: (database, stores = []) =>
      new Promise((done, failed) => {
        const opening = indexedDB.open(database);
        opening.onupgradeneeded = () => {
          for (const it of stores) opening.result.createObjectStore(it);
        };
        opening.onsuccess = () => done(opening.result);
        opening.onerror = () => failed(opening.error);
      }),
    done: (tx) =>
      new Promise((done, failed) => {
        tx.oncomplete = () => done();
        tx.onabort = () => failed(tx.error);
      }),
    pressed: () => {
      const button = document.createElement("button");
      button.textContent = "Go";
      button.style.cssText = "position: fixed; z-index: 1";
      document.body.prepend(button);
      return new Promise((done) =>
        button.addEventListener("click", (event) => {
          button.remove();
          done(event.timeStamp);
        }),
      );
    },
    // The frame that shows it is done when the next task begins; with this priority none comes in between, nor a next frame.
    painted: () =>
      new Promise((done) =>
        requestAnimationFrame(
          () => void scheduler.postTask(() => done(performance.now()), { priority: "user-blocking" }),
        ),
      ),
    paint: (text) => {
      document.body.append(`${text}. `);
      return window.bare.painted();
    },
  };
}

/** How long this takes from a press of the bare page's button until it is painted. */
export async function pressBare<T>(page: Page, work: (given: T) => Promise<number>, given: T): Promise<number> {
  const took = page.evaluate(work as (given: unknown) => Promise<number>, given);
  await page.getByRole("button", { name: "Go" }).click();
  return took;
}

/** The name of the database of whoever is signed in on this phone. */
export async function databaseName(page: Page): Promise<string> {
  const all = await page.evaluate(() => indexedDB.databases());
  const found = all.find(({ name }) => name?.startsWith("walkies-") && name !== "walkies-session");
  if (!found?.name) throw new Error("Nobody is signed in.");
  return found.name;
}

/** The floor of a cold start, for `goBare`: reads into memory what the app starts with (`Store.load`), and shows its picture. */
export function readRows({ database, body, scrollTop }: Picture & { database: string }): void {
  const { open, done, painted } = window.bare;
  const read = async () => {
    const stores = ["meta", "pages", "outbox", "attention"];
    const tx = (await open(database)).transaction(stores);
    const asked = stores.map((it) => tx.objectStore(it).getAll() as IDBRequest<unknown[]>);
    await done(tx);
    if (!asked.every((it) => Array.isArray(it.result))) throw new Error("Not read.");
    document.body.innerHTML = body;
    document.querySelector("main")?.scrollTo(0, scrollTop);
    return painted();
  };
  window.floor = read();
}

/** Marks the visits that a page shows, in its picture, too. */
export function markVisits(): void {
  for (const it of document.querySelectorAll("li[data-start]")) it.setAttribute("data-marked", "");
}

/**
 * The floor of a save: what the app has saved last, once more in one strict transaction, and the visit that is not marked
 * on the app's picture is there again.
 */
export async function saveOnce({ database, body, scrollTop }: Picture & { database: string }): Promise<number> {
  const { open, done, pressed, painted } = window.bare;
  document.body.innerHTML = body;
  document.querySelector("main")?.scrollTo(0, scrollTop);
  const visit = document.querySelector("li[data-start]:not([data-marked])");
  const [list, next] = [visit?.parentElement, visit?.nextSibling ?? null];
  if (!visit || !list) throw new Error("Nothing is new.");
  visit.remove();
  const app = await open(database);
  const read = app.transaction(["meta", "outbox"]);
  const asked = ["meta", "outbox"].map((it) => read.objectStore(it).getAll() as IDBRequest<unknown[]>);
  await done(read);
  app.close();
  const [meta, saved] = asked.map((it) => it.result.at(-1));
  if (!meta || !saved) throw new Error("Nothing was saved.");
  const own = await open("floor", ["meta", "outbox"]);
  const begun = await pressed();
  const tx = own.transaction(["meta", "outbox"], "readwrite", { durability: "strict" });
  tx.objectStore("meta").put(meta, "meta");
  tx.objectStore("outbox").put(saved, begun);
  tx.commit();
  await done(tx);
  list.insertBefore(visit, next);
  const shown = await painted();
  own.close();
  return shown - begun;
}

/** The floor of a screen that opens: its picture alone. */
export async function showPicture(body: string): Promise<number> {
  const { pressed, painted } = window.bare;
  const begun = await pressed();
  document.body.innerHTML = body;
  const shown = await painted();
  return shown - begun;
}

/** The floor of a walk that is opened again: its log read from the open database into one piece, and a word painted. */
export async function readLog(database: string): Promise<number> {
  const { open, done, pressed, paint } = window.bare;
  const db = await open(database);
  const begun = await pressed();
  const tx = db.transaction("walk_points");
  const asked = tx.objectStore("walk_points").getAll() as IDBRequest<{ bytes: Uint8Array }[]>;
  await done(tx);
  const log = new Uint8Array(asked.result.reduce((sum, it) => sum + it.bytes.length, 0));
  let at = 0;
  for (const { bytes } of asked.result) {
    log.set(bytes, at);
    at += bytes.length;
  }
  if (at === 0) throw new Error("No walk was kept.");
  const painted = await paint(`${at} bytes`);
  db.close();
  return painted - begun;
}

/** The script of the worker that draws on a bare page, in one piece. */
export async function drawerScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    build: {
      write: false,
      target: "esnext",
      // The page that starts it comes without further files.
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      rolldownOptions: { input: join(import.meta.dirname, "drawer.ts") },
    },
  });
  if (Array.isArray(built) || !("output" in built) || built.output.length !== 1) throw new Error("Not one piece.");
  return built.output[0].code;
}

/** Starts that worker, for `goBare`. */
export function startDrawer(script: string): void {
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module" });
  window.drawer = new Promise((done, failed) => {
    worker.onmessage = () => done(worker);
    worker.onerror = (event) => failed(new Error(event.message));
  });
}

/** The floor of the map's first picture, of the sheets that the app has asked for: their tiles read, decoded and painted once, in a worker, and the sheets shown. */
export async function drawOnce(sheets: unknown[]): Promise<number> {
  const { pressed, paint } = window.bare;
  const worker = await window.drawer;
  const begun = await pressed();
  const drawn = new Promise<void>((done, failed) => {
    let left = sheets.length;
    worker.onmessage = ({ data }: MessageEvent<ImageBitmap | null>) => {
      if (!data) failed(new Error("A sheet is empty."));
      const canvas = document.createElement("canvas");
      canvas.width = data?.width ?? 0;
      canvas.height = data?.height ?? 0;
      canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(data);
      document.body.append(canvas);
      left -= 1;
      if (left === 0) done();
    };
  });
  worker.postMessage(sheets);
  await drawn;
  return (await paint("Drawn")) - begun;
}

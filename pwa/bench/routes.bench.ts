/**
 * Measures routes in the browser: the map's module of the app with the tiles that it asks for, on the areas and for the requests
 * that `server/benches/routes` has left; its report judges the times.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { expect, type Page, test } from "@playwright/test";

const TOP = resolve(import.meta.dirname, "../..");
const MEASURED = join(TOP, "target/bench/routes");
const MODULE = join(TOP, "pwa/src/core/pkg/map");
const TYPES: Record<string, string> = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };

interface Asked {
  id: string;
  request: { duration: number };
}

/** The part of the module that is measured. */
interface MapCore {
  default: () => Promise<unknown>;
  tilesForRoute: (request: unknown) => { tiles: { x: number; y: number }[] };
  RouteFinder: new () => {
    add: (bytes: Uint8Array) => void;
    generate: (request: unknown) => { status: string; value?: unknown[] };
    free: () => void;
  };
}

interface Timed {
  minutes: number;
  /** On tiles that are joined already. */
  ms: number;
  /** From tiles as bytes to the first answer, less what an answer takes. */
  load_ms: number;
  n_options: number;
}

/** Serves the module and the tiles, since a module's code is not loaded from a file. */
async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const file = path.startsWith("/tiles/") ? join(MEASURED, path.slice("/tiles/".length)) : join(MODULE, path);
    if (path === "/") {
      response.setHeader("Content-Type", "text/html").end("<!doctype html><title>Routes</title>");
      return;
    }
    readFile(file).then(
      (bytes) => response.setHeader("Content-Type", TYPES[extname(file)] ?? "application/octet-stream").end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

/** Asks for each route twice: on tiles that are not joined yet, as after a start, and again. */
function measure(page: Page, area: string, files: string[], requests: Asked[]): Promise<Timed[]> {
  return page.evaluate(
    async ({ area, files, requests }) => {
      const url = "/walkies_map.js";
      const core = (await import(url)) as MapCore;
      await core.default();
      const tiles = new Map<string, Uint8Array>();
      for (const file of files) {
        const response = await fetch(`/tiles/${area}/tiles/${file}`);
        tiles.set(file, new Uint8Array(await response.arrayBuffer()));
      }
      const timed: Timed[] = [];
      for (const { request } of requests) {
        const wanted = core.tilesForRoute(request).tiles.map(({ x, y }) => `${x}-${y}.wktl`);
        const begun = performance.now();
        const finder = new core.RouteFinder();
        for (const bytes of wanted.flatMap((name) => tiles.get(name) ?? [])) finder.add(bytes);
        finder.generate(request);
        const asked = performance.now();
        const answer = finder.generate(request);
        const answered = performance.now();
        finder.free();
        const ms = answered - asked;
        const n_options = answer.value?.length ?? 0;
        timed.push({ minutes: request.duration, ms, load_ms: Math.max(0, asked - begun - ms), n_options });
      }
      return timed;
    },
    { area, files, requests },
  );
}

test("routes in the browser", async ({ browser, page }) => {
  const server = await serve();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const areas = [];
  for (const entry of await readdir(MEASURED, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const name = entry.name;
    const requests = JSON.parse(await readFile(join(MEASURED, name, "requests.json"), "utf8")) as Asked[];
    const files = await readdir(join(MEASURED, name, "tiles"));
    const answers = await measure(page, name, files, requests);
    expect(answers.every((it) => it.n_options > 0)).toBe(true);
    areas.push({ name, answers });
  }
  server.close();
  const measured = { browser: `Chromium ${browser.version()}`, areas };
  await writeFile(join(MEASURED, "browser.json"), JSON.stringify(measured));
});

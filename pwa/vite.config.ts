/**
 * Owns how the PWA is built, served while it is written, and tested with vitest.
 * The server embeds `dist` as it is, the `.br` files beside what compresses included.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import type { Plugin } from "vite";
import { VitePWA } from "vite-plugin-pwa";
import { defineConfig } from "vitest/config";
import { themeColor } from "./themeColor.ts";

const COMPRESSIBLE = new Set([".css", ".html", ".js", ".json", ".svg", ".wasm", ".webmanifest"]);

/** Brotli's quality: the best one, unless a build says that it is only for tests. */
const QUALITY = Number(process.env.WALKIES_BROTLI_QUALITY ?? constants.BROTLI_MAX_QUALITY);

/** Writes `x.br` beside each `x` that is worth it; the server picks it where the browser takes brotli. */
function brotliBeside(): Plugin {
  let outDir = "";
  return {
    name: "brotli-beside",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      // After vite-plugin-pwa has written the service worker in its own closeBundle.
      order: "post",
      sequential: true,
      handler() {
        for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
          if (!entry.isFile() || !COMPRESSIBLE.has(extname(entry.name))) continue;
          const path = join(entry.parentPath, entry.name);
          if (existsSync(`${path}.br`)) continue;
          const plain = readFileSync(path);
          const packed = brotliCompressSync(plain, {
            params: {
              [constants.BROTLI_PARAM_QUALITY]: QUALITY,
              [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
            },
          });
          if (packed.length < plain.length) writeFileSync(`${path}.br`, packed);
        }
      },
    },
  };
}

/**
 * The page of shared reports, which needs neither the app nor its core. It is built after the app, in a mode of its own:
 * what the two would share would be more files for each of them.
 */
const PUBLIC_PAGE = "/report.html";
const PUBLIC_MODE = "report";

/** Answers the addresses of shared reports with their page while it is written, as the server does. */
function publicPage(): Plugin {
  return {
    name: "public-page",
    apply: "serve",
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (request.url?.startsWith("/report/")) request.url = PUBLIC_PAGE;
        next();
      });
    },
  };
}

/**
 * Fetches the core beside the script and not after it, a round trip less before the first screen; and holds the first
 * paint for the script, which knows whether it is to be light or dark.
 * What the first screen runs is asked for as a script before it is run as a module: Chromium keeps the compiled code of
 * both, but gives it back to what was asked for as a script alone. From the third start on that is a fifth less to wait.
 */
function firstPaint(): Plugin {
  return {
    name: "first-paint",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle, path }) {
        const held = html.replace('<script type="module"', '<script type="module" blocking="render"');
        if (path === PUBLIC_PAGE) return held;
        const core = Object.keys(bundle ?? {}).find((it) => /walkies_core.*\.wasm$/.test(it));
        if (!core) throw new Error("The bundle has no WASM.");
        const attrs = { rel: "preload", as: "fetch", type: "application/wasm", crossorigin: true, href: `/${core}` };
        return {
          html: held
            .replaceAll('rel="modulepreload"', 'rel="preload" as="script"')
            .replace(/ *<script type="module"[^>]* src="([^"]+)"/, (tag, src: string) => `${asScript(src)}\n${tag}`),
          tags: [{ tag: "link", attrs, injectTo: "head" }],
        };
      },
    },
  };
}

const asScript = (src: string) => `    <link rel="preload" as="script" crossorigin href="${src}">`;

const OUT_DIR = resolve(import.meta.dirname, "dist");

/** Lists the hash of each file that the service worker fetches: it takes no other bytes under that name. */
function withIntegrity<T extends { url: string }>(entries: T[]) {
  const manifest = entries.map((entry) => {
    const bytes = readFileSync(join(OUT_DIR, entry.url));
    return { ...entry, integrity: `sha256-${createHash("sha256").update(bytes).digest("base64")}` };
  });
  return { manifest, warnings: [] };
}

/** Parts of the kit that no first screen has. They would come first all the same, since all of the kit has one door. */
const FIELDS = /\/ui\/(Checkbox|DateField|NumberField|Photo|ProgressBar|SearchField|Select|Tabs|TextArea)\.tsx$/;

// The oldest browsers with `light-dark()`, popovers and `<dialog>`; older ones lack what a walk needs anyway.
const BROWSERS = ["chrome123", "firefox125", "safari17.5"];

export default defineConfig(({ mode }) => ({
  publicDir: "../manifest",
  cacheDir: "../node_modules/.vite",
  build: {
    outDir: "dist",
    emptyOutDir: mode !== PUBLIC_MODE,
    target: BROWSERS,
    cssTarget: BROWSERS,
    // A data: URL would be one more thing for the content security policy to allow.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: resolve(import.meta.dirname, mode === PUBLIC_MODE ? PUBLIC_PAGE.slice(1) : "index.html"),
      // The file of the fields needs the first one: were it run before that for its own sake, the app would not start.
      treeshake: { moduleSideEffects: [{ test: FIELDS, sideEffects: false }] },
      // What loads first in one file, whatever of it others use, too: in several it is more to load. Fields are not of it.
      // The same for the schedule, with which nearly everybody begins.
      output: {
        // With it nearly everybody begins: the browser compiles it as it comes, beside the page, and not piece by piece in it
        // (https://v8.dev/blog/explicit-compile-hints).
        postBanner: ({ fileName }) => (/\/schedule-/.test(fileName) ? "//# allFunctionsCalledOnLoad\n" : ""),
        codeSplitting: {
          groups: [
            // The report's page is one screen, which needs those that it has at once.
            ...(mode === PUBLIC_MODE
              ? []
              : [{ name: "fields", test: FIELDS, priority: 2, includeDependenciesRecursively: false }]),
            { name: "first", tags: ["$initial"], priority: 1 },
            { name: "schedule", test: /\/scheduling\/SchedulingScreen\.tsx$/ },
          ],
        },
      },
    },
    // The list of polyfilled preloads is not needed by these browsers.
    modulePreload: { polyfill: false },
  },
  // As a module, it can fetch its WASM beside itself.
  worker: { format: "es" },
  plugins: [
    react(),
    tailwindcss(),
    mode !== PUBLIC_MODE &&
      VitePWA({
        strategies: "injectManifest",
        srcDir: "src/sw",
        filename: "sw.ts",
        registerType: "prompt",
        injectRegister: false,
        manifest: false,
        // The kill switch: a worker that removes itself and its caches, see src/sw/README.md.
        selfDestroying: process.env.WALKIES_KILL_SERVICE_WORKER === "1",
        injectManifest: {
          globPatterns: ["**/*.{js,css,html,wasm,webmanifest}", "icon*.{png,svg}", "apple-touch-icon*.png"],
          // What makes videos smaller is loaded by those few who have large ones.
          globIgnores: ["screenshots/**", "assets/videoEncoder-*"],
          // The modules of the core as tests have them take five; delivered ones are smaller.
          maximumFileSizeToCacheInBytes: 8_000_000,
          manifestTransforms: [withIntegrity],
        },
      }),
    themeColor(),
    publicPage(),
    firstPaint(),
    brotliBeside(),
  ],
  // For React 17 and older; React itself has it since.
  resolve: { alias: { "use-sync-external-store/shim/index.js": "react" } },
  // Known at the start: finding one in the middle of a run would load React twice.
  optimizeDeps: {
    include: [
      "@dnd-kit/dom",
      "@dnd-kit/helpers",
      "@dnd-kit/react",
      "@dnd-kit/react/sortable",
      "@visx/axis",
      "@visx/group",
      "@visx/scale",
      "@visx/shape",
      "react",
      "react-dom/client",
      "wouter",
      "wouter/use-browser-location",
      "lucide-react",
      "idb",
      "leaflet",
      "react-leaflet",
      "mediabunny",
      "vitest-browser-react",
    ],
  },
  // A server that somebody has running is no part of the tests, for which nothing answers there.
  server: {
    ...(!process.env.VITEST && { proxy: { "/api": { target: "http://127.0.0.1:8080", ws: true } } }),
  },
  test: {
    restoreMocks: true,
    // How long something that never comes is waited for, also on a machine that has other things to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // By itself it leaves one core to others, which on two leaves one; each has a browser context of its own.
    maxWorkers: 2,
    projects: [
      {
        // What runs beside the code runs in a real browser: dialogs, popovers, IndexedDB and WASM are the real ones.
        extends: true,
        test: {
          name: "browser",
          include: ["src/**/*.test.{ts,tsx}"],
          setupFiles: ["test/browser.ts"],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
                args: ["--no-sandbox", "--disable-gpu"],
              },
            }),
            instances: [{ browser: "chromium", viewport: { width: 390, height: 844 } }],
          },
        },
      },
      {
        // What needs files of the repository: golden cases, tokens.
        extends: true,
        test: { name: "node", include: ["test/**/*.test.ts"], environment: "node" },
      },
    ],
  },
}));

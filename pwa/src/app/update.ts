/**
 * Owns how a new version of the app comes onto this phone: fetched behind the scenes, put in place when the person says so,
 * never in the middle of a walk in any tab, and never without the last words of open forms.
 */

import { useSyncExternalStore } from "react";
import { Listeners } from "../browser/listeners";
import { trustedScript } from "../browser/trusted";
import { flushDrafts, isReloadPrevented, isReloadPreventedAnywhere, whenReloadAllowed } from "../data";
import { restFromSyncing } from "../data/sync/sync";

/** `ready`: waits for a yes. `blocked`: a walk is being tracked, after which it is `ready` again. `updating`: reload is near. */
export type UpdateState = "none" | "ready" | "blocked" | "updating";

type UpdateMessage = { kind: "settle" };

const HOURLY_MS = 3_600_000;
/** A server that takes longer for a head without a body is not worth waiting for. */
const REACHED_WITHIN_MS = 10_000;
/** A worker that sleeps and is slow to start, as on a busy phone, may miss a word. */
const ASK_AGAIN_MS = 5_000;
/** Long enough for the change of versions, and short of the next word, so that what waits is sent all the same. */
const REST_MS = 2_500;

let state: UpdateState = "none";
let registration: ServiceWorkerRegistration | undefined;
const changes = new Listeners();

function show(next: UpdateState): void {
  state = next;
  changes.notify();
}

export const useUpdate = (): UpdateState => useSyncExternalStore(changes.subscribe, () => state);

const tabs = new BroadcastChannel("walkies-update");
tabs.onmessage = ({ data }: MessageEvent<UpdateMessage>) => {
  if (data.kind === "settle") void settle();
};
const tell = (message: UpdateMessage) => tabs.postMessage(message);

/** Registers the service worker and looks for a newer one: now, hourly, and when the app comes to the front. */
export async function watchForUpdates(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  // The first worker takes over a page that had none: that is no reason to load it again.
  let hadWorker = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    if (hadWorker && !isReloadPrevented()) location.reload();
    hadWorker = true;
  });
  setInterval(() => void lookForUpdate(), HOURLY_MS);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void lookForUpdate();
  });
  await lookForUpdate();
}

/** Asks the server for a newer version. Whatever goes wrong is no news to anybody: the next look tries again. */
async function lookForUpdate(): Promise<void> {
  try {
    if (!isAlive(registration)) {
      follow(await navigator.serviceWorker.register(WORKER, { scope: "/" }));
      return;
    }
    // Nobody can call off a browser's own look, and all later ones wait for one that hangs (half an hour in Chromium).
    // So the browser is asked to look only where the server has just answered.
    await fetch("/sw.js", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(REACHED_WITHIN_MS) });
    await registration.update();
  } catch {
    // No network, a private window, or a worker that is just being replaced.
  }
}

/** A registration ends where its first worker could not be installed, as when a hotel's page came for a file of it. */
const isAlive = (it: ServiceWorkerRegistration | undefined): it is ServiceWorkerRegistration =>
  Boolean(it?.active ?? it?.waiting ?? it?.installing);

/** Tells when a newer version has been fetched. */
function follow(registered: ServiceWorkerRegistration): void {
  if (registration === registered) return; // an earlier call was slower to answer
  registration = registered;
  const found = () => {
    if (registered.waiting && navigator.serviceWorker.controller) show("ready");
  };
  found();
  registered.addEventListener("updatefound", () => {
    const arriving = registered.installing;
    arriving?.addEventListener("statechange", () => arriving.state === "installed" && found());
  });
}

/** Puts the new version in place and loads every tab anew; asks again after the walk if one is tracked in any of them. */
export async function update(): Promise<void> {
  if (await isReloadPreventedAnywhere()) {
    show("blocked");
    await whenReloadAllowed();
    show("ready");
    return;
  }
  show("updating");
  await ask();
  setInterval(() => void ask(), ASK_AGAIN_MS);
}

async function ask(): Promise<void> {
  tell({ kind: "settle" });
  await settle();
  const waiting = registration?.waiting;
  // The one that waited may have been overtaken by a newer one, which is asked then, or be in place without a word.
  if (waiting) waiting.postMessage({ type: "SKIP_WAITING" });
  else if (!isReloadPrevented()) location.reload();
}

/**
 * Writes the last words of this tab's forms, and sends and fetches nothing for a while: a request that meets the version
 * before on its way out starts it anew, and Chromium then may keep it for minutes.
 */
async function settle(): Promise<void> {
  await Promise.all([flushDrafts(), restFromSyncing(REST_MS)]);
}

const WORKER = trustedScript("/sw.js");

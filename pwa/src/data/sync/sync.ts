/** Owns which businesses this tab brings in step with the server, and what screens hear of how that goes. */
import { useSyncExternalStore } from "react";
import { Listeners, subscribeToCurrent } from "../../browser/listeners";
import type { OpenBusiness } from "../business/openBusiness";
import { Syncer, type SyncStatus } from "./syncer";

let syncer: Syncer | undefined;
const replaced = new Listeners();
const IDLE: SyncStatus = {
  online: true,
  hasNetwork: true,
  busy: false,
  updateRequired: false,
  trouble: undefined,
  storage: undefined,
  waitsForWifi: false,
  isFirstPullLong: false,
};

/** One part of how the sync of the open business stands. */
export function useSync<T>(read: (status: SyncStatus) => T): T {
  return useSyncExternalStore(subscribeToSync, () => read(syncStatus()));
}

/** How the sync of the open business stands. */
export const syncStatus = (): SyncStatus => syncer?.status ?? IDLE;

export const subscribeToSync = subscribeToCurrent(replaced, () => syncer);

/** Calls `back` whenever the server can be reached again, until what it returns is called. */
export function whenBack(back: () => void): () => void {
  let wasOnline = syncStatus().online;
  return subscribeToSync(() => {
    const { online } = syncStatus();
    const isBack = online && !wasOnline;
    wasOnline = online;
    if (isBack) back();
  });
}

/** Keeps a business in step from now on, and begins with a round. */
export function startSyncing(business: OpenBusiness): void {
  syncer ??= new Syncer(business);
  syncer.wake();
  replaced.notify();
}

/** Sends what waits in a business that is not shown and fetches what is new, once, unless `signal` ends that. */
export async function syncOnce(business: OpenBusiness, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const once = new Syncer(business, false);
  const stop = () => void once.stop();
  signal.addEventListener("abort", stop);
  await once.flush();
  signal.removeEventListener("abort", stop);
  await once.stop();
}

/** Resolves when the round under way has ended, so that the business can be closed. */
export async function stopSyncing(): Promise<void> {
  await syncer?.stop();
  syncer = undefined;
  replaced.notify();
}

/** Begins no round for `ms`; resolves when the one under way has ended, at the latest after `ms`. */
export const restFromSyncing = async (ms: number): Promise<void> => syncer?.rest(ms);

/** Sends all that waits; false where that fails. */
export const sendAll = async (): Promise<boolean> => (syncer ? syncer.flush() : true);

/** Tries to send now; for the button of the screen that tells what waits. */
export const sendNow = (): void => syncer?.wake();

/** The same with videos that wait for Wi-Fi. */
export const sendAnyhow = (): void => syncer?.sendAnyhow();

/** Owns where a tap on a notification leads in an open app, without loading the page anew. */
import { navigate } from "wouter/use-browser-location";
import type { HistoryStep } from "../../ui";

/** From the service worker (sw/push.ts), which may be of another version. */
interface OpenMessage {
  type?: string;
  path?: string;
}

function open({ data }: MessageEvent<OpenMessage | null>): void {
  if (data?.type === "OPEN" && data.path) navigate(data.path, { state: { isOurs: true } satisfies HistoryStep });
}

/** From now on; the same listener is added once. */
export const listenToTaps = (): void => navigator.serviceWorker.addEventListener("message", open);

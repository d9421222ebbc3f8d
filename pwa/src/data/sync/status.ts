/** Owns what the shell shows of offline work: what waits, what needs attention, whether sending works and why it does not. */
import { useSyncExternalStore } from "react";
import { openBusiness, subscribeToReplica } from "../business/openBusiness";
import { currentSession, onSession, useSession } from "../session/session";
import { subscribeToSync, syncStatus, useSync } from "./sync";
import type { SyncStatus } from "./syncer";

export interface OfflineStatus {
  online: boolean;
  /** Why the server cannot be reached, as the beginning of a sentence; absent while it can. */
  unreachable: string | undefined;
  /** True if what is saved now goes to the server at once. */
  canSend: boolean;
  /** Changes that are safe on this phone and not yet confirmed. */
  pending: number;
  /** Changes that need a person. */
  attention: number;
  needsAuth: boolean;
  updateRequired: boolean;
  trouble: string | undefined;
  /** Why this phone could not store what changed elsewhere. */
  storage: string | undefined;
}

export function useSyncStatus(): OfflineStatus {
  const online = useSync((it) => it.online);
  const unreachable = useSync(whyUnreachable);
  const updateRequired = useSync((it) => it.updateRequired);
  const trouble = useSync((it) => it.trouble);
  const storage = useSync((it) => it.storage);
  // Also where no business is open, as in the portal.
  const pending = useSyncExternalStore(subscribeToReplica, () => openBusiness()?.phone.pendingCount() ?? 0);
  const attention = useSyncExternalStore(subscribeToReplica, () => openBusiness()?.phone.attentionCount() ?? 0);
  const needsAuth = useSession().state === "needs_auth";
  const canSend = useSyncExternalStore(subscribeToSendState, canSendNow);
  return { online, unreachable, canSend, updateRequired, trouble, storage, pending, attention, needsAuth };
}

/**
 * Returns why the server cannot be reached, as the beginning of a sentence. A server that is down or slow is not the
 * device's network: nobody should have to look for the fault there.
 */
export const noConnection = (hasNetwork = navigator.onLine): string =>
  hasNetwork ? "No connection to Walkies" : "No network";

const whyUnreachable = ({ online, hasNetwork }: SyncStatus): string | undefined =>
  online ? undefined : noConnection(hasNetwork);

/** True while the first pull has more pages than one. */
export const useIsFirstPullLong = (): boolean => useSync((it) => it.isFirstPullLong);

/** State of what waits on this phone: it is being sent, or why not. */
export type SendState = "sending" | "offline" | "sign_in" | "update" | "wifi" | "trouble";

/** The states in words, for a sign beside what waits. */
export const SEND_STATE: Record<SendState, string> = {
  sending: "Sending",
  offline: "Waits for a connection",
  sign_in: "Sign in to send",
  update: "Update to send",
  wifi: "Waits for Wi-Fi",
  trouble: "Waits to be sent",
};

/** Says whether what waits is being sent. */
export function sendState(): SendState {
  const { online, updateRequired, waitsForWifi, trouble } = syncStatus();
  if (!online) return "offline";
  if (currentSession().state === "needs_auth") return "sign_in";
  if (updateRequired) return "update";
  if (waitsForWifi) return "wifi";
  return trouble === undefined ? "sending" : "trouble";
}

/** Returns true if what is saved now goes to the server at once; for what is said after a save. Videos alone wait for Wi-Fi. */
export const canSendNow = (): boolean => ["sending", "wifi"].includes(sendState());

/** Calls `back` when that may have changed, until what it returns is called. */
export function subscribeToSendState(back: () => void): () => void {
  const leave = [subscribeToSync(back), onSession(back)];
  return () => {
    for (const it of leave) it();
  };
}

export const useSendState = (): SendState => useSyncExternalStore(subscribeToSendState, sendState);

/** True if a round of sending and fetching is under way. Apart from the rest, since it changes twice a round. */
export const useIsSyncing = (): boolean => useSync((it) => it.busy);

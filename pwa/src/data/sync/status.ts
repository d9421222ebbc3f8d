/** Owns the few numbers that the shell shows of offline work: what waits, what needs attention, whether sending works. */
import { useSyncExternalStore } from "react";
import { openBusiness, subscribeToReplica } from "../business/openBusiness";
import { useSession } from "../session/session";
import { useSync } from "./sync";

export interface OfflineStatus {
  online: boolean;
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
  const updateRequired = useSync((it) => it.updateRequired);
  const trouble = useSync((it) => it.trouble);
  const storage = useSync((it) => it.storage);
  // Also where no business is open, as in the portal.
  const pending = useSyncExternalStore(subscribeToReplica, () => openBusiness()?.phone.pendingCount() ?? 0);
  const attention = useSyncExternalStore(subscribeToReplica, () => openBusiness()?.phone.attentionCount() ?? 0);
  const { state } = useSession();
  return { online, updateRequired, trouble, storage, pending, attention, needsAuth: state === "needs_auth" };
}

/** True if a round of sending and fetching is under way. Apart from the rest, since it changes twice a round. */
export const useIsSyncing = (): boolean => useSync((it) => it.busy);

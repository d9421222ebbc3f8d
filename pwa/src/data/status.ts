/** Owns the few numbers that the shell shows of offline work: what waits, what needs attention, whether sending works. */
import { useSync } from "./auth";
import { openBusiness, useReplicaVersion } from "./phone";
import { useSession } from "./session";

export interface OfflineStatus {
  online: boolean;
  busy: boolean;
  /** Changes that are safe on this phone and not yet confirmed. */
  pending: number;
  /** Changes that need a person. */
  attention: number;
  needsAuth: boolean;
  updateRequired: boolean;
  trouble: string | undefined;
}

export function useSyncStatus(): OfflineStatus {
  useReplicaVersion();
  const { online, busy, updateRequired, trouble } = useSync();
  const { state } = useSession();
  const phone = openBusiness()?.phone;
  return {
    online,
    busy,
    updateRequired,
    trouble,
    pending: phone?.pendingCount() ?? 0,
    attention: phone?.attentionCount() ?? 0,
    needsAuth: state === "needs_auth",
  };
}

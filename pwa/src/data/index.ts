/** The data layer's public face: what screens may use of it. */
export {
  canLockWork,
  changePassword,
  discardLockedWork,
  type Result,
  signIn,
  signInByFactor,
  signOut,
  start,
  unlockWork,
  usersWithLocalWork,
} from "./account/auth";
export { beginDraft, type Draft, flushDrafts, handOnDraft, hasDraft, useDraft } from "./business/drafts";
export {
  business,
  dayOf,
  type SaveOptions,
  type SaveResult,
  save,
  useBusinessIsOpen,
  useHasPulledSince,
  useOwnBusinessIsOpen,
} from "./business/openBusiness";
export { useFirstRead, useFirstReplica, useRead, useReplica } from "./business/useReplica";
export type { LocalWorkCounts, UserOnThisPhone } from "./locked/locked";
export { useBlobUrl, usePhotoUrl } from "./photos/photos";
export { useWrongClock } from "./server/clock";
export { markOwnPages } from "./session/ownPages";
export { type Session, showRole, useSession } from "./session/session";
export { hasBothRoles, type Role, rolesOf, type SessionUser } from "./session/sessionDb";
export {
  endWalkFirst,
  isReloadPrevented,
  isReloadPreventedAnywhere,
  preventReload,
  whenReloadAllowed,
} from "./session/tabLocks";
export type { StoredPhoto, StoredVideo } from "./store/db";
export { isStorageTrouble, keepStorage, storageTrouble, useStorageTrouble } from "./store/storage";
export {
  canSendNow,
  noConnection,
  type OfflineStatus,
  SEND_STATE,
  type SendState,
  sendState,
  subscribeToSendState,
  useIsFirstPullLong,
  useIsSyncing,
  useSendState,
  useSyncStatus,
} from "./sync/status";
export { sendAnyhow, sendNow } from "./sync/sync";

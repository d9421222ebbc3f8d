/** The data layer's public face: what screens may use of it. */
export {
  changePassword,
  deleteAccount,
  forgotPassword,
  type Result,
  resetPassword,
  sendNow,
  signIn,
  signOut,
  signUp,
  start,
} from "./auth";
export { type SessionUser, type StoredPhoto, type UserOnThisPhone, usersWithWaitingWork } from "./db";
export { type Draft, flushDrafts, useDraft } from "./drafts";
export { hold, isHeld } from "./hold";
export { business, type SaveOptions, type SaveResult, save, useBusinessIsOpen } from "./phone";
export { type PreparedPhoto, preparePhoto, usePhotoUrl } from "./photos";
export { type Session, useSession } from "./session";
export { type OfflineStatus, useIsSyncing, useSyncStatus } from "./status";
export { useRead, useReplica } from "./useReplica";

/** The data layer's public face: what screens may use of it. */
export {
  canKeepLocked,
  changePassword,
  confirmSignUp,
  deleteAccount,
  discardKeptWork,
  type FactorNeeded,
  forgotPassword,
  openKeptWork,
  type Result,
  resetPassword,
  type SignUpRules,
  sendNow,
  signIn,
  signInByFactor,
  signOut,
  signUp,
  signUpRules,
  start,
  usersWithKeptWork,
} from "./auth";
export { useWrongClock } from "./clock";
export type { SessionUser, StoredPhoto } from "./db";
export { type Draft, flushDrafts, handOnDraft, useDraft } from "./drafts";
export { endWalkFirst, hold, isHeld, isHeldAnywhere } from "./hold";
export type { KeptCounts, UserOnThisPhone } from "./locked";
export { business, type SaveOptions, type SaveResult, save, useBusinessIsOpen } from "./phone";
export { usePhotoUrl } from "./photos";
export { type Session, useSession } from "./session";
export { type OfflineStatus, useIsSyncing, useSyncStatus } from "./status";
export { isStorageTrouble, storageTrouble, useStorageTrouble } from "./storage";
export { useRead, useReplica } from "./useReplica";

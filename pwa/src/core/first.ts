/** Owns what of `Phone` is there at the start: what the first screens show, what is sent and fetched. */
import type { Phone } from "./pkg/core/walkies_core";

/**
 * Its names; `xtask/src/split.rs` reads them here. All other methods come with the rest of the core (`loadRest`), with
 * what only they call.
 */
type FirstOfPhone =
  | "abandonPull"
  | "applied"
  | "attention"
  | "attentionCount"
  | "client"
  | "clientOptions"
  | "clients"
  | "cursor"
  | "dayCounts"
  | "dayPlan"
  | "guidedStart"
  | "hasClients"
  | "hasLoaded"
  | "heal"
  | "hourCycle"
  | "isPending"
  | "letGo"
  | "minuteOfDay"
  | "nextPull"
  | "nextPush"
  | "nextSteps"
  | "outbox"
  | "overdueCount"
  | "parentNews"
  | "pendingCount"
  | "pendingRequests"
  | "photoRefused"
  | "photoUploaded"
  | "photosToUpload"
  | "profileStatus"
  | "proposedStart"
  | "pulled"
  | "pushed"
  | "reports"
  | "resolved"
  | "service"
  | "setAside"
  | "sideLists"
  | "sitter"
  | "textChoices"
  | "toSendCount"
  | "today"
  | "units"
  | "unreadMessages"
  | "waitingSeriesCount"
  | "zone";

/** A replica as the first screens see it. */
export type FirstPhone = Pick<Phone, FirstOfPhone | "free">;

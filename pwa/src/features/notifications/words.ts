/** Owns what the kinds of notifications are called. */
import type { PushKind } from "../../core";

export const KINDS: Record<PushKind, string> = {
  new_request: "New requests",
  request_approved: "Approved requests",
  request_declined: "Declined requests",
  message: "Messages",
  service_changed: "Changed times",
  service_cancelled: "Cancelled services",
  walk_started: "Started walks",
  report_ready: "Reports of walks",
  upcoming_service: "Upcoming services",
  invoice: "Invoices",
  card_payment: "Payments by card",
  card_payment_lost: "Payments by card that were taken back",
};

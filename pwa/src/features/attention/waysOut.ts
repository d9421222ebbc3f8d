/** Owns what can be done about a refused change without a form: the same again, or the same with the person's word on it. */
import type { AttentionItem, Command } from "../../core";

export interface WayOut {
  label: string;
  /** What is sent in place of the refused change. */
  command: Command;
}

export function waysOut({ command, refusal, waits }: AttentionItem): WayOut[] {
  if (!command || !refusal || waits) return [];
  switch (refusal.code) {
    case "conflict":
      if (command.name === "schedule_service") {
        return [{ label: "Schedule anyway", command: { ...command, args: { ...command.args, overlap_ok: true } } }];
      }
      if (command.name === "update_service") {
        return [{ label: "Move anyway", command: { ...command, args: { ...command.args, overlap_ok: true } } }];
      }
      return [];
    case "was_cancelled":
      if (command.name !== "complete_service") return [];
      return [{ label: "Keep as completed", command: { ...command, args: { ...command.args, despite_cancel: true } } }];
    // What stood in the way may be gone by now: visits cancelled, the earlier change sent again, the photo arrived.
    case "has_future_services":
    case "photo_missing":
      return [{ label: "Send again", command }];
    case "gone":
      // A service for a client who has been brought back, or made after all.
      return command.name === "schedule_service" || command.name === "complete_service"
        ? [{ label: "Send again", command }]
        : [];
    // The form is the way out, or there is none.
    default:
      return [];
  }
}

/** The words of letting go, where 'Discard' would not say what it means. */
export function discardLabel({ command, refused, refusal }: AttentionItem): string {
  if (!refused) return "Got it";
  if (refusal?.code === "was_cancelled" && command?.name === "complete_service") return "Keep cancelled";
  return "Discard";
}

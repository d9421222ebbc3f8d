/** Owns how a status looks: always a word with the color, never the color alone. */
import { AlarmClock, Ban, Check, CircleDashed, Clock } from "lucide-react";
import type { ReactNode } from "react";
import { Chip } from "./Chip";

/** A service's status, or `overdue`; what later versions add counts as other (grey). */
export type Status = string;

export type StatusKind = "scheduled" | "completed" | "cancelled" | "overdue" | "other";

export const statusKind = (status: Status): StatusKind => KINDS.find((it) => it === status) ?? "other";

const KINDS = ["scheduled", "completed", "cancelled", "overdue"] as const;

const CHIP = {
  scheduled: { kind: "scheduled", icon: <Clock aria-hidden /> },
  completed: { kind: "ok", icon: <Check aria-hidden /> },
  cancelled: { kind: "danger", icon: <Ban aria-hidden /> },
  overdue: { kind: "tag", icon: <AlarmClock aria-hidden /> },
  other: { kind: "other", icon: <CircleDashed aria-hidden /> },
} as const;

/** `children` replaces the status's own word: 'Done 8:34'. */
export function StatusChip({ status, children }: { status: Status; children?: ReactNode }) {
  return <Chip {...CHIP[statusKind(status)]}>{children ?? status.charAt(0).toUpperCase() + status.slice(1)}</Chip>;
}

/** Owns how an invoice's state looks, to the sitter and to a pet parent: the core's words with a color. */
import { Ban, Check, CircleAlert, Clock, CloudUpload, FileMinus, FileX2 } from "lucide-react";
import type { InvoiceCard } from "../core";
import { Chip } from "../ui";

const LOOK = {
  waiting: { kind: "tag", icon: <CloudUpload aria-hidden /> },
  unpaid: { kind: "scheduled", icon: <Clock aria-hidden /> },
  overdue: { kind: "danger", icon: <CircleAlert aria-hidden /> },
  paid: { kind: "ok", icon: <Check aria-hidden /> },
  credited: { kind: "other", icon: <FileMinus aria-hidden /> },
  credit: { kind: "other", icon: <FileMinus aria-hidden /> },
  written_off: { kind: "other", icon: <FileX2 aria-hidden /> },
  deleted: { kind: "plain", icon: <Ban aria-hidden /> },
} as const;

export function InvoiceState({ card: { state, standing } }: { card: InvoiceCard }) {
  return <Chip {...LOOK[state]}>{standing}</Chip>;
}

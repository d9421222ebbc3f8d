/** Owns the quiet sign that something has changes which wait to be sent. */
import { CloudUpload } from "lucide-react";

export function WaitingMark() {
  return (
    <span title="Waiting to be sent" className="inline-flex shrink-0 p-1 text-ink-3">
      <CloudUpload aria-hidden className="size-4" />
      <span className="sr-only">Waiting to be sent</span>
    </span>
  );
}

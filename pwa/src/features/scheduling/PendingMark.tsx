/** Owns the quiet sign that a service has changes which wait to be sent. */
import { CloudUpload } from "lucide-react";
import { useFirstReplica } from "../../data";
import { cx } from "../../ui";

export function PendingMark({ id, className }: { id: string; className?: string }) {
  const isPending = useFirstReplica((phone) => phone.isPending("service", id));
  if (!isPending) return null;
  return (
    <span title="Waiting to be sent" className={cx("inline-flex shrink-0 text-ink-3", className)}>
      <CloudUpload aria-hidden className="size-4" />
      <span className="sr-only">Waiting to be sent</span>
    </span>
  );
}

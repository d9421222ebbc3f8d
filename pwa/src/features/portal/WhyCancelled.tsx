/** Owns the sitter's words on why a visit is cancelled, where they were written for the client. */
import type { ServiceView } from "../../core";
import { cx } from "../../ui";
import { useSitterName } from "./ownClient";

export function WhyCancelled({ visit, className }: { visit: ServiceView; className?: string }) {
  const sitter = useSitterName();
  if (visit.status !== "cancelled" || !visit.cancel_reason) return null;
  return (
    <p className={cx("text-14 whitespace-pre-line wrap-anywhere", className)}>
      <bdi>{sitter}</bdi>: <bdi>{visit.cancel_reason}</bdi>
    </p>
  );
}

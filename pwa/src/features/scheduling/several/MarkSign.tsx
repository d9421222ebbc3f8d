/** Owns the sign beside a visit that says whether it is marked; a button around it says it to screen readers. */
import { Check } from "lucide-react";
import { cx } from "../../../ui";

export function MarkSign({ isMarked, className }: { isMarked: boolean; className?: string }) {
  return (
    <span
      aria-hidden
      className={cx(
        "grid size-6 shrink-0 place-items-center rounded-full border-[1.5px]",
        isMarked ? "border-act bg-act text-on-act forced-colors:bg-[Highlight]" : "border-edge bg-card",
        className,
      )}
    >
      {isMarked && <Check strokeWidth={3} className="size-4" />}
    </span>
  );
}

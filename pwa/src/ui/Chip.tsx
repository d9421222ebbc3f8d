/** Owns small facts beside a name: plain for most, marigold for 'look here', green for done. */
import type { ReactNode } from "react";
import { cx } from "./cx";

const LOOK = {
  plain: "border-line bg-paper text-ink-2",
  tag: "border-transparent bg-tag-soft text-tag-ink",
  ok: "border-transparent bg-completed-soft text-completed",
  danger: "border-transparent bg-cancelled-soft text-cancelled",
  scheduled: "border-transparent bg-scheduled-soft text-scheduled",
  other: "border-transparent bg-other-soft text-other",
};

interface ChipProps {
  kind?: keyof typeof LOOK;
  icon?: ReactNode;
  children: ReactNode;
  className?: string;
}

export function Chip({ kind = "plain", icon, children, className }: ChipProps) {
  return (
    <span
      className={cx(
        "num inline-flex max-w-full items-center gap-1 rounded-full border px-[10px] py-[3px] text-12 font-medium [&>svg]:size-3.5 [&>svg]:shrink-0",
        LOOK[kind],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}

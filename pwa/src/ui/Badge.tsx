/** Owns the count on a bell or a tab: nothing at none, `9+` above nine (SPEC 2: the badge of pending requests). */
import { limits } from "../core";
import { cx } from "./cx";

interface BadgeProps {
  count: number;
  /** Name of the things that are counted: 'requests waiting'. */
  label: string;
  className?: string;
}

export function Badge({ count, label, className }: BadgeProps) {
  if (count <= 0) return null;
  // More than one digit has no room.
  const { badge_most } = limits();
  return (
    <span
      className={cx(
        "num grid h-5 min-w-5 place-items-center rounded-full bg-tag px-[5px] text-[length:min(var(--text-12),16px)] leading-none font-bold text-on-tag",
        className,
      )}
    >
      <span aria-hidden>{count > badge_most ? `${badge_most}+` : count}</span>
      <span className="sr-only">
        {count} {label}
      </span>
    </span>
  );
}

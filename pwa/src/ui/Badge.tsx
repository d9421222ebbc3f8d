/** Owns the count on a bell or a tab: nothing at none, `9+` above nine (SPEC 2: the badge of pending requests). */
import { cx } from "./cx";

/** More than one digit has no room. */
const MOST = 9;

interface BadgeProps {
  count: number;
  /** What is counted: 'requests waiting'. */
  label: string;
  className?: string;
}

export function Badge({ count, label, className }: BadgeProps) {
  if (count <= 0) return null;
  return (
    <span
      className={cx(
        "num grid h-5 min-w-5 place-items-center rounded-full bg-tag px-[5px] text-12 leading-none font-bold text-on-tag",
        className,
      )}
    >
      <span aria-hidden>{count > MOST ? `${MOST}+` : count}</span>
      <span className="sr-only">
        {count} {label}
      </span>
    </span>
  );
}

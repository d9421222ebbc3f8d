/** Owns the box that one thing lies in: hairline, and a bar in the color of its status where it has one. */
import type { ComponentProps } from "react";
import { cx } from "./cx";
import { type Status, statusKind } from "./StatusChip";

interface CardProps extends ComponentProps<"article"> {
  /** Colors the bar at its left. */
  status?: Status | undefined;
  /** The next thing to do: the one with the strong edge. */
  next?: boolean;
  /** Over the whole card a link or button of class `stretched` may lie; this shows that it can be pressed. */
  pressable?: boolean;
}

const BAR = {
  scheduled: "before:bg-scheduled",
  completed: "before:bg-completed",
  cancelled: "before:bg-cancelled",
  overdue: "before:bg-tag",
  other: "before:bg-other",
};

/** `contain-content`: what changes in one of many cards, or moves it, leaves the insides of the others as they are. */
export function Card({ status, next, pressable, className, children, ...rest }: CardProps) {
  return (
    <article
      className={cx(
        "relative min-w-0 overflow-hidden rounded-large border bg-card p-4 contain-content",
        status && cx("pl-5 before:absolute before:inset-y-0 before:left-0 before:w-1", BAR[statusKind(status)]),
        next ? "border-act shadow-[0_0_0_1px_var(--color-act)]" : "border-line",
        pressable &&
          "transition-colors hover:border-edge has-[.stretched:focus-visible]:outline-3 has-[.stretched:focus-visible]:outline-scheduled",
        className,
      )}
      {...rest}
    >
      {children}
    </article>
  );
}

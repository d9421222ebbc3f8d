/** Owns what stands where nothing is yet: one sentence and the one action that fills it. */
import type { ReactNode } from "react";
import { cx } from "./cx";

interface EmptyStateProps {
  icon?: ReactNode;
  /** The sentence that says that nothing is there yet. */
  title: ReactNode;
  /** Heading level, for a page that has no other heading. */
  titleAs?: "h1" | "p";
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}

export function EmptyState({ icon, title, titleAs: Title = "p", children, action, className }: EmptyStateProps) {
  return (
    <div className={cx("grid justify-items-center gap-3 px-5 py-8 text-center", className)}>
      {icon && (
        <div className="grid size-16 place-items-center rounded-full bg-tag-soft text-tag-ink [&>svg]:size-7">
          {icon}
        </div>
      )}
      <Title className="max-w-[40ch] text-20 font-bold text-balance wrap-anywhere">{title}</Title>
      {children && <div className="max-w-[46ch] text-ink-2 text-pretty">{children}</div>}
      {action && <div className="pt-1">{action}</div>}
    </div>
  );
}

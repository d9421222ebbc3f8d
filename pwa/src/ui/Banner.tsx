/** Owns quiet signs across a screen: what is so right now and, at most, one thing to do about it. */
import type { AriaRole, ReactNode } from "react";
import { cx } from "./cx";

const LOOK = {
  tag: "bg-tag-soft text-tag-ink",
  info: "bg-scheduled-soft text-scheduled",
  ok: "bg-completed-soft text-completed",
  danger: "bg-cancelled-soft text-cancelled",
  plain: "bg-sunken text-ink-2",
};

interface BannerProps {
  kind?: keyof typeof LOOK;
  icon?: ReactNode;
  /** A link or a button, at its end. */
  action?: ReactNode;
  /** `status` where it appears by itself, `alert` where it cannot wait. */
  role?: AriaRole;
  children: ReactNode;
  className?: string;
}

export function Banner({ kind = "tag", icon, action, role, children, className }: BannerProps) {
  return (
    <div
      role={role}
      className={cx(
        "flex min-h-10 flex-wrap items-center gap-x-3 rounded-small px-3 py-2 text-14 font-medium [&>svg]:size-5 [&>svg]:shrink-0",
        LOOK[kind],
        className,
      )}
    >
      {icon}
      {/* Where the letters are large the words have all of the line, and the act has a line of its own. */}
      <div className="flex min-w-0 grow basis-[min(100%,9rem)] flex-wrap items-center gap-x-3">
        <div className="min-w-0 flex-1 basis-[min(100%,12rem)] wrap-anywhere">{children}</div>
        {action && (
          <div className="-my-2 flex flex-wrap items-center gap-x-4 [&>*]:inline-flex [&>*]:text-start [&>*]:min-h-12 [&>*]:min-w-12 [&>*]:items-center [&>*]:font-bold [&>*]:underline [&>*]:underline-offset-2">
            {action}
          </div>
        )}
      </div>
    </div>
  );
}

interface LoadFailureProps {
  onRetry: () => void;
  /** The sentence that says what could not be had, and why. */
  children: ReactNode;
}

/** In place of what could not be loaded. */
export function LoadFailure({ onRetry, children }: LoadFailureProps) {
  return (
    <Banner
      kind="danger"
      role="alert"
      action={
        <button type="button" onClick={onRetry}>
          Try Again
        </button>
      }
    >
      {children}
    </Banner>
  );
}

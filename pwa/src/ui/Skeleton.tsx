/** Owns the shape of what is coming, so that nothing jumps when it comes. Size it by class like what it stands for. */
import { cx } from "./cx";

export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden
      className={cx("animate-breathe bg-sunken", !className?.includes("rounded") && "rounded-small", className)}
    />
  );
}

/** A list of cards that is on its way. */
export function SkeletonCards({ count = 4, label = "Loading" }: { count?: number; label?: string }) {
  return (
    <div role="status" aria-label={label} className="grid gap-3">
      {Array.from({ length: count }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="flex items-center gap-3 rounded-large border border-line bg-card p-4">
          <Skeleton className="size-11 rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-5 w-2/5" />
            <Skeleton className="h-4 w-3/5" />
          </div>
        </div>
      ))}
    </div>
  );
}

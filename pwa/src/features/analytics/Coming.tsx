/** Owns the shape of the screen while it comes. */
import { Skeleton } from "../../ui";

export function Coming() {
  return (
    <div role="status" aria-label="Loading analytics" className="grid gap-4">
      <Skeleton className="h-12 w-full rounded-large" />
      <Skeleton className="h-18 w-full" />
      <Skeleton className="h-12 w-full" />
      <div className="pair grid gap-3">
        {[0, 1, 2, 3].map((it) => (
          <Skeleton key={it} className="h-24 rounded-large" />
        ))}
      </div>
      <Skeleton className="h-80 w-full rounded-large" />
    </div>
  );
}

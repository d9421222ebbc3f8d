/** Owns the frame of every map: loads Leaflet when one is shown, keeps its place until then, and says where that fails. */
import { type ComponentType, type ReactNode, Suspense } from "react";
import { cx } from "../ui/cx";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { type Loadable, loadable } from "../ui/loadable";
import { allowLeaflet } from "./leaflet/allowLeaflet";

/** A map whose code comes with Leaflet, when it is first shown. */
export function leafletMap<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): Loadable<P> {
  return loadable(async () => {
    allowLeaflet();
    return load();
  });
}

export function MapFrame({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return (
    // A map that does not load must not take the walk with it.
    <div className={cx("isolate overflow-hidden bg-sunken", className)}>
      <ErrorBoundary
        fallback={() => <p className="p-5 text-center text-14 text-ink-2">The map could not be loaded.</p>}
      >
        <Suspense fallback={null}>{children}</Suspense>
      </ErrorBoundary>
    </div>
  );
}

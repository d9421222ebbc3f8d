/** Owns the frame of every map: loads Leaflet when one is shown, keeps its place until then, and says where that fails. */
import { type ComponentType, type ReactNode, Suspense } from "react";
import { Button } from "../ui/Button";
import { cx } from "../ui/cx";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { type Loadable, loadable } from "../ui/loadable";
import { allowLeaflet } from "./leaflet/allowLeaflet";

/** A map whose code comes with Leaflet, when it is first shown. What a lost connection breaks off is fetched once more. */
export function leafletMap<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): Loadable<P> {
  return loadable(async () => {
    allowLeaflet();
    return load().catch(load);
  });
}

interface MapFrameProps {
  /** The map in it. */
  of: { forget: () => void };
  className?: string | undefined;
  children: ReactNode;
}

export function MapFrame({ of, className, children }: MapFrameProps) {
  const again = (retry: () => void) => {
    of.forget();
    retry();
  };
  return (
    // A map that does not load must not take the walk with it.
    <div className={cx("isolate overflow-hidden bg-sunken", className)}>
      <ErrorBoundary
        fallback={(retry) => (
          <div className="grid h-full place-content-center justify-items-center gap-2 p-5 text-center">
            <p className="text-14 text-ink-2">The map could not be loaded.</p>
            <Button kind="quiet" onClick={() => again(retry)}>
              Try Again
            </Button>
          </div>
        )}
      >
        <Suspense fallback={null}>{children}</Suspense>
      </ErrorBoundary>
    </div>
  );
}

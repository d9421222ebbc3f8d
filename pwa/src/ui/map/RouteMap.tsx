/** Owns the frame of a map to choose and bend routes on; loads Leaflet when one is shown. */
import { Suspense } from "react";
import type { Place, RouteStop, RouteWarning, Units } from "../../core";
import { cx } from "../cx";
import { ErrorBoundary } from "../ErrorBoundary";
import { loadable } from "../loadable";
import { allowLeaflet } from "./allowLeaflet";

export interface RouteMapProps {
  /** Where the routes begin. */
  start: Place;
  lines: readonly (readonly Place[])[];
  chosen: number;
  onChoose: (at: number) => void;
  /** Places that the routes have to pass. */
  via: readonly Place[];
  /** Absent where the routes cannot be bent. */
  onVia?: ((via: readonly Place[]) => void) | undefined;
  stops: readonly RouteStop[];
  warnings: readonly RouteWarning[];
  units: Units;
  className?: string;
}

async function load() {
  allowLeaflet();
  return import("./LeafletRouteMap");
}

const LeafletRouteMap = loadable(load);

export function RouteMap(props: RouteMapProps) {
  return (
    <div className={cx("isolate overflow-hidden bg-sunken", props.className)}>
      <ErrorBoundary
        fallback={() => <p className="p-5 text-center text-14 text-ink-2">The map could not be loaded.</p>}
      >
        <Suspense fallback={null}>
          <LeafletRouteMap {...props} />
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

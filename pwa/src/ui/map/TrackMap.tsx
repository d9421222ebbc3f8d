/** Owns the frame of a map: loads Leaflet when one is shown, keeps its place until then. */
import { Suspense } from "react";
import type { Place, Units, WalkEvent, WalkGap } from "../../core";
import { cx } from "../cx";
import { ErrorBoundary } from "../ErrorBoundary";
import { loadable } from "../loadable";
import { allowLeaflet } from "./allowLeaflet";

export interface TrackMapProps {
  /** Unbroken lines. */
  lines: readonly (readonly Place[])[];
  /** What lies between them and was not recorded; drawn dashed. */
  gaps: readonly WalkGap[];
  events: readonly WalkEvent[];
  /** The route that is to be walked, beneath what was walked. */
  planned?: readonly Place[] | undefined;
  /** Where the planned route leads, if it ends elsewhere than it begins. */
  goal?: Place | undefined;
  /** The own position, with its radius of uncertainty in meters. */
  here?: { place: Place; accuracy_m: number } | undefined;
  /** Where the walker is heading, in degrees from the north; absent for one who stands. */
  heading?: number | undefined;
  units: Units;
  /** Everybody may see it, so that the map of where it lies can be fetched; no other walk tells anybody where it is. */
  isPublic?: boolean;
  /** Keeps the own position in sight until the map is moved by hand. */
  follow?: boolean;
  /** Room that lies under other things: top and bottom, in px. */
  covered?: readonly [top: number, bottom: number];
  className?: string;
}

async function load() {
  allowLeaflet();
  return import("./LeafletMap");
}

const LeafletMap = loadable(load);

/** Fetches the map ahead, where one is likely to be shown next. */
export const preloadMap = (): void => void LeafletMap.preload();

export function TrackMap(props: TrackMapProps) {
  return (
    // A map that does not load must not take the walk with it.
    <div className={cx("isolate overflow-hidden bg-sunken", props.className)}>
      <ErrorBoundary
        fallback={() => <p className="p-5 text-center text-14 text-ink-2">The map could not be loaded.</p>}
      >
        <Suspense fallback={null}>
          <LeafletMap {...props} />
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

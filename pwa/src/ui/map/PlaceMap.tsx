/** Owns choosing a place: a map under a pin that stays in the middle, moved by finger, mouse or arrow keys. */
import { Suspense } from "react";
import { cx } from "../cx";
import { ErrorBoundary } from "../ErrorBoundary";
import { loadable } from "../loadable";
import { allowLeaflet } from "./allowLeaflet";

/** Degrees, as clients and profiles have them. */
export interface MapPosition {
  lat: number;
  lng: number;
}

export interface PlaceMapProps {
  /** Where it begins; another one moves the map there. */
  middle: MapPosition;
  /** The place under the pin, when the map has come to rest. */
  onChange: (place: MapPosition) => void;
  className?: string;
}

async function load() {
  allowLeaflet();
  return import("./LeafletPlace");
}

const LeafletPlace = loadable(load);

export function PlaceMap(props: PlaceMapProps) {
  return (
    <div className={cx("relative isolate overflow-hidden rounded-small border border-line bg-sunken", props.className)}>
      <ErrorBoundary
        fallback={() => <p className="p-5 text-center text-14 text-ink-2">The map could not be loaded.</p>}
      >
        <Suspense fallback={null}>
          <LeafletPlace {...props} />
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

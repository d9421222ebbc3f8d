/** Owns showing a track, and the walker on it. */
import type { TrackMapProps } from "./leaflet/LeafletTrackMap";
import { leafletMap, MapFrame } from "./MapFrame";

export type { TrackMapProps };

const LeafletTrackMap = leafletMap(() => import("./leaflet/LeafletTrackMap"));

/** Fetches the map ahead, where one is likely to be shown next. */
export const preloadMap = (): void => void LeafletTrackMap.preload();

export function TrackMap(props: TrackMapProps) {
  return (
    <MapFrame of={LeafletTrackMap} className={props.className}>
      <LeafletTrackMap {...props} />
    </MapFrame>
  );
}

/** Owns choosing a place: a map under a pin that stays in the middle, moved by finger, mouse or arrow keys. */
import { cx } from "../ui/cx";
import type { PlaceMapProps } from "./leaflet/LeafletPlaceMap";
import { leafletMap, MapFrame } from "./MapFrame";

export type { PlaceMapProps };

const LeafletPlaceMap = leafletMap(() => import("./leaflet/LeafletPlaceMap"));

export function PlaceMap(props: PlaceMapProps) {
  return (
    <MapFrame of={LeafletPlaceMap} className={cx("relative rounded-small border border-line", props.className)}>
      <LeafletPlaceMap {...props} />
    </MapFrame>
  );
}

/** Owns the map of a day's stops. */
import type { DayMapProps } from "./leaflet/LeafletDayMap";
import { leafletMap, MapFrame } from "./MapFrame";

const LeafletDayMap = leafletMap(() => import("./leaflet/LeafletDayMap"));

export function DayMap(props: DayMapProps) {
  return (
    <MapFrame of={LeafletDayMap} className={props.className}>
      <LeafletDayMap {...props} />
    </MapFrame>
  );
}

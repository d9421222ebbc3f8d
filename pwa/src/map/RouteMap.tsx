/** Owns choosing among routes, and bending them. */
import type { RouteMapProps } from "./leaflet/LeafletRouteMap";
import { leafletMap, MapFrame } from "./MapFrame";

const LeafletRouteMap = leafletMap(() => import("./leaflet/LeafletRouteMap"));

export function RouteMap(props: RouteMapProps) {
  return (
    <MapFrame of={LeafletRouteMap} className={props.className}>
      <LeafletRouteMap {...props} />
    </MapFrame>
  );
}

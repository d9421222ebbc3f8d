/** Owns the drawing of a live map; apart, since it needs the part of the core that is about walks. */
import { use, useMemo } from "react";
import type { LiveMap } from "../../core";
import { lineOf, loadWalkCore } from "../../core/walk";
import { useReplica } from "../../data";
import { TrackMap } from "../../map";

export default function LiveMapView({ map }: { map: LiveMap }) {
  use(loadWalkCore());
  const units = useReplica((phone) => phone.units());
  const lines = useMemo(() => map.lines.map((it) => lineOf(it.points)), [map.lines]);
  return (
    <TrackMap
      className="h-full"
      lines={lines.filter((it) => it.length > 0)}
      gaps={[]}
      events={[]}
      here={map.here ? { place: map.here, accuracy_m: 0 } : undefined}
      units={units}
      isPublic
      refits
    />
  );
}

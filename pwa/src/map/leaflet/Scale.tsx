/** Owns the scale on a map: a bar of a round length in the business's units, and where north is. */
import type L from "leaflet";
import { Navigation2 } from "lucide-react";
import { useEffect, useState } from "react";
import { useMap, useMapEvents } from "react-leaflet";
import type { Units } from "../../core";
import { MARGIN_PX } from "./options";

/** A scale bar is at most this long. */
const SCALE_PX = 100;
const METERS_PER_FOOT = 0.3048;
const FEET_PER_MILE = 5280;

export function Scale({ units, bottom }: { units: Units; bottom: number }) {
  const map = useMap();
  const [widest, setWidest] = useState(() => metersAcross(map));
  const measure = () => setWidest(metersAcross(map));
  useMapEvents({ zoomend: measure, moveend: measure });
  // A map that was fitted to its track has moved before anything could listen.
  useEffect(() => setWidest(metersAcross(map)), [map]);
  const { text, share } = scaleBar(widest, units);
  return (
    <div
      className="pointer-events-none absolute left-4 z-[1000] flex items-end gap-3 text-12 font-medium text-ink-2"
      style={{ bottom: bottom + MARGIN_PX }}
    >
      <div>
        <div className="num">{text}</div>
        <div className="h-1.5 border-x border-b border-current" style={{ width: share * SCALE_PX }} />
      </div>
      <div className="grid justify-items-center leading-none">
        <Navigation2 aria-hidden className="size-4 fill-current" />
        <abbr title="North is up" className="no-underline">
          N
        </abbr>
      </div>
    </div>
  );
}

/** Meters that the widest scale bar stands for in the middle of the map. */
function metersAcross(map: L.Map): number {
  const { x, y } = map.getSize();
  const from = map.containerPointToLatLng([x / 2, y / 2]);
  return map.distance(from, map.containerPointToLatLng([x / 2 + SCALE_PX, y / 2]));
}

/** The longest round length that fits, and which share of the room it takes. */
function scaleBar(widest_m: number, units: Units): { text: string; share: number } {
  if (units === "metric") {
    const length = round(widest_m);
    return { text: length >= 1000 ? `${length / 1000} km` : `${length} m`, share: length / widest_m };
  }
  const feet = widest_m / METERS_PER_FOOT;
  if (feet < FEET_PER_MILE) return { text: `${round(feet)} ft`, share: round(feet) / feet };
  const miles = feet / FEET_PER_MILE;
  return { text: `${round(miles)} mi`, share: round(miles) / miles };
}

/** 1, 2 or 5 with zeros, at most `most`. */
function round(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  const first = most / power;
  return power * (first >= 5 ? 5 : first >= 2 ? 2 : 1);
}

/**
 * Owns the map of a track in Leaflet: lines, gaps, events, the own position, a scale and north, over the streets of
 * `BaseMap`. Where no map is on the phone they stand on plain ground, and nothing else changes.
 */
import "leaflet/dist/leaflet.css";
import "./map.css";
import L from "leaflet";
import { LocateFixed, Navigation2 } from "lucide-react";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { Circle, CircleMarker, MapContainer, Marker, Polyline, useMap, useMapEvents } from "react-leaflet";
import type { Place, Units, WalkEventKind } from "../../core";
import { fetchMapAlong } from "../../data/map";
import { BaseMap } from "./BaseMap";
import type { TrackMapProps } from "./TrackMap";
import { EVENT_PATHS } from "./WalkEventIcon";

const WALK_ZOOM = 17;
const MAX_ZOOM = 20;
/** A scale bar is at most this long. */
const SCALE_PX = 100;
const METERS_PER_FOOT = 0.3048;
const FEET_PER_MILE = 5280;

const at = (place: Place): [number, number] => [place.lat_e7 / 1e7, place.lon_e7 / 1e7];

export default function LeafletMap(props: TrackMapProps) {
  const { lines, gaps, events, planned, goal, here, heading, units, follow, covered = [0, 0], isPublic } = props;
  useEffect(() => {
    if (isPublic) void fetchMapAlong(lines.flat());
  }, [isPublic, lines]);
  const start = here?.place ?? lines[0]?.[0] ?? planned?.[0] ?? goal;
  if (!start) return null;
  const end = lines.at(-1)?.at(-1);
  return (
    <MapContainer
      center={at(start)}
      zoom={WALK_ZOOM}
      maxZoom={MAX_ZOOM}
      // Leaflet writes its own controls as HTML text, which the content security policy does not allow.
      zoomControl={false}
      attributionControl={false}
      // Each sheet would be faded in by hand, frame by frame.
      fadeAnimation={false}
      className="walk-map size-full"
    >
      <BaseMap bottom={covered[1]} />
      {planned && <Planned line={planned} />}
      {gaps.map((gap) => (
        <Polyline key={gap.from.at} positions={[at(gap.from.place), at(gap.to.place)]} className="walk-gap" />
      ))}
      {lines.map((line, index) => (
        <Line key={index} line={line} />
      ))}
      {!here && end && <CircleMarker center={at(start)} radius={6} className="walk-end" interactive={false} />}
      {!here && end && <CircleMarker center={at(end)} radius={6} className="walk-end" interactive={false} />}
      {events.map(
        (event) =>
          event.location && (
            <Marker
              key={event.id}
              position={at(event.location)}
              icon={eventIcon(event.type)}
              alt={event.type}
              interactive={false}
              keyboard={false}
            />
          ),
      )}
      {goal && <CircleMarker center={at(goal)} radius={10} className="walk-goal" interactive={false} />}
      {here && (
        <>
          <Circle center={at(here.place)} radius={here.accuracy_m} className="walk-accuracy" interactive={false} />
          {heading !== undefined && <Heading place={here.place} degrees={heading} />}
          <CircleMarker center={at(here.place)} radius={9} className="walk-here" interactive={false} />
        </>
      )}
      {follow && here ? (
        <Follow place={here.place} covered={covered} />
      ) : (
        <Fit lines={[...(planned ? [planned] : []), ...lines, ...(goal ? [[goal]] : [])]} covered={covered} />
      )}
      <Scale units={units} bottom={covered[1]} />
    </MapContainer>
  );
}

/** The route that is to be walked; drawn anew only when it is another, not with each position. */
const Planned = memo(function Planned({ line }: { line: readonly Place[] }) {
  const positions = line.map(at);
  return (
    <>
      <Polyline positions={positions} className="route-casing" interactive={false} />
      <Polyline positions={positions} className="route-planned" interactive={false} />
    </>
  );
});

/** An arrow in front of the own position. */
function Heading({ place, degrees }: { place: Place; degrees: number }) {
  const icon = useMemo(() => {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "-24 -24 48 48");
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", "M-8-13 0-23 8-13z");
    path.setAttribute("transform", `rotate(${degrees})`);
    svg.append(path);
    return L.divIcon({ html: svg as unknown as HTMLElement, className: "walk-heading", iconSize: [48, 48] });
  }, [degrees]);
  return <Marker position={at(place)} icon={icon} interactive={false} keyboard={false} alt="" />;
}

/** A line with a light edge: it stands out on every ground, in the sun too. Drawn anew only when it went on. */
const Line = memo(function Line({ line }: { line: readonly Place[] }) {
  const positions = line.map(at);
  return (
    <>
      <Polyline positions={positions} className="walk-line-edge" smoothFactor={0.5} interactive={false} />
      <Polyline positions={positions} className="walk-line" smoothFactor={0.5} interactive={false} />
    </>
  );
});

/** Shows the whole track once. */
function Fit({ lines, covered: [top, bottom] }: { lines: TrackMapProps["lines"]; covered: readonly [number, number] }) {
  const map = useMap();
  const fitted = useRef(false);
  useEffect(() => {
    if (fitted.current) return;
    fitted.current = true;
    const bounds = L.latLngBounds(lines.flatMap((line) => line.map(at)));
    map.fitBounds(bounds, {
      paddingTopLeft: [32, top + 32],
      paddingBottomRight: [32, bottom + 32],
      maxZoom: WALK_ZOOM,
      animate: false,
    });
  }, [map, lines, top, bottom]);
  return null;
}

/** Keeps the walker in the middle of what is not covered, until a thumb moves the map. */
function Follow({ place, covered: [top, bottom] }: { place: Place; covered: readonly [number, number] }) {
  const map = useMap();
  const [following, setFollowing] = useState(true);
  useMapEvents({ dragstart: () => setFollowing(false) });
  const [lat, lon] = at(place);
  useEffect(() => {
    if (!following) return;
    const zoom = map.getZoom();
    const middle = map.project([lat, lon], zoom).add([0, (bottom - top) / 2]);
    map.setView(map.unproject(middle, zoom), zoom, {
      animate: !matchMedia("(prefers-reduced-motion: reduce)").matches,
    });
  }, [map, lat, lon, following, top, bottom]);
  if (following) return null;
  return (
    <button
      type="button"
      aria-label="Show where I am"
      className="absolute right-4 z-[1000] grid size-12 place-items-center rounded-full border border-line bg-card text-ink"
      style={{ bottom: bottom + 16 }}
      onClick={() => setFollowing(true)}
    >
      <LocateFixed aria-hidden className="size-[22px]" />
    </button>
  );
}

/** A bar of a round length, and where north is. */
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
      style={{ bottom: bottom + 16 }}
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
export function scaleBar(widest_m: number, units: Units): { text: string; share: number } {
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

const SVG = "http://www.w3.org/2000/svg";

function eventIcon(kind: WalkEventKind): L.DivIcon {
  // As an element and not as text: that is what Trusted Types allow.
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-6 -6 36 36");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", EVENT_PATHS[kind]);
  svg.append(path);
  return L.divIcon({ html: svg as unknown as HTMLElement, className: "walk-event", iconSize: [30, 30] });
}

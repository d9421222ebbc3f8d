/**
 * Owns the map of a track in Leaflet: lines, gaps, events, the own position, a scale and north, over the streets of
 * `BaseMap`. Where no map is on the phone they stand on plain ground, and nothing else changes.
 */
import "leaflet/dist/leaflet.css";
import "./map.css";
import L from "leaflet";
import { LocateFixed } from "lucide-react";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { Circle, CircleMarker, MapContainer, Marker, Polyline, useMap, useMapEvents } from "react-leaflet";
import type { Place, Units, WalkEvent, WalkEventKind, WalkGap } from "../../core";
import { fetchMapAlong } from "../tiles";
import { EVENT_PATHS } from "../WalkEventIcon";
import { BaseMap } from "./BaseMap";
import { GroundNote } from "./GroundNote";
import { FIT_MARGIN_PX, MAP_OPTIONS, MARGIN_PX } from "./options";
import { at } from "./positions";
import { Scale } from "./Scale";

/** A block and the next corners fill a phone's screen. */
const WALK_ZOOM = 17;

export interface TrackMapProps {
  /** Stretches that were recorded without a gap, each as one line. */
  lines: readonly (readonly Place[])[];
  /** Gaps between the lines, where nothing was recorded; drawn dashed. */
  gaps: readonly WalkGap[];
  events: readonly WalkEvent[];
  /** The route that is to be walked, beneath what was walked. */
  planned?: readonly Place[] | undefined;
  /** End of the planned route, if it ends elsewhere than it begins. */
  goal?: Place | undefined;
  /** The own position, with its radius of uncertainty in meters. */
  here?: { place: Place; accuracy_m: number } | undefined;
  /** Direction in which the walker is heading, in degrees from the north; absent for one who stands. */
  heading?: number | undefined;
  units: Units;
  /** The server knows where it lies, so that the map there can be fetched; no other walk tells anybody where it is. */
  isPublic?: boolean;
  /** Shows the whole track again when it goes on, until the map is moved by hand. */
  refits?: boolean;
  /** Keeps the own position in sight until the map is moved by hand. */
  follow?: boolean;
  /** Room that lies under other things: top and bottom, in px. */
  covered?: readonly [top: number, bottom: number];
  className?: string;
}

export default function LeafletTrackMap(props: TrackMapProps) {
  const { lines, gaps, events, planned, goal, here, heading, units, follow, covered = [0, 0] } = props;
  const { isPublic, refits = false } = props;
  useEffect(() => {
    if (isPublic) void fetchMapAlong(lines.flat());
  }, [isPublic, lines]);
  const start = here?.place ?? lines[0]?.[0] ?? planned?.[0] ?? goal;
  if (!start) return null;
  const end = lines.at(-1)?.at(-1);
  return (
    <MapContainer center={at(start)} zoom={WALK_ZOOM} {...MAP_OPTIONS}>
      <BaseMap bottom={covered[1]} />
      {/* Screens of a walk under way say it themselves. */}
      {!here && !planned && !goal && <GroundNote place={start} use="look" />}
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
        <Fit
          lines={[
            ...(planned ? [planned] : []),
            ...lines,
            ...(goal ? [[goal]] : []),
            ...(refits && here ? [[here.place]] : []),
          ]}
          covered={covered}
          refits={refits}
        />
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

interface FitProps {
  lines: TrackMapProps["lines"];
  covered: readonly [number, number];
  refits: boolean;
}

/** Shows the whole track once, or until a thumb moves the map. */
function Fit({ lines, covered: [top, bottom], refits }: FitProps) {
  const map = useMap();
  const fitted = useRef(false);
  const isFitting = useRef(false);
  useMapEvents({
    dragstart: () => (fitted.current = true),
    zoomstart: () => (fitted.current ||= !isFitting.current),
  });
  useEffect(() => {
    if (fitted.current) return;
    fitted.current = !refits;
    isFitting.current = true;
    const bounds = L.latLngBounds(lines.flatMap((line) => line.map(at)));
    map.fitBounds(bounds, {
      paddingTopLeft: [FIT_MARGIN_PX, top + FIT_MARGIN_PX],
      paddingBottomRight: [FIT_MARGIN_PX, bottom + FIT_MARGIN_PX],
      maxZoom: WALK_ZOOM,
      animate: false,
    });
    isFitting.current = false;
  }, [map, lines, top, bottom, refits]);
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
      aria-label="Show my location"
      className="absolute right-4 z-[1000] grid size-12 place-items-center rounded-full border border-line bg-card text-ink"
      style={{ bottom: bottom + MARGIN_PX }}
      onClick={() => setFollowing(true)}
    >
      <LocateFixed aria-hidden className="size-[22px]" />
    </button>
  );
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

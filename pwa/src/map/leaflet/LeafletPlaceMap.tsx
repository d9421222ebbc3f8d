/** Owns the map on which a place is chosen, in Leaflet: the pin stands still, the map moves below it. */
import "leaflet/dist/leaflet.css";
import "./map.css";
import type L from "leaflet";
import { Minus, Plus } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { Circle, MapContainer, useMap, useMapEvents } from "react-leaflet";
import { Button } from "../../ui/Button";
import { downloadMap, useBlankGround, useMapStatus } from "../tiles";
import { BaseMap } from "./BaseMap";
import { GroundNote } from "./GroundNote";
import { MAP_OPTIONS, MIN_ZOOM } from "./options";
import { placeOf } from "./positions";

/** Zoom at which one tells a house from its neighbors. */
const FIRST_ZOOM = 16;

/** Degrees, as clients and profiles have them. */
export interface MapPosition {
  lat: number;
  lng: number;
}

export interface PlaceMapProps {
  /** First center of the map; another one moves the map there. */
  middle: MapPosition;
  /** The place under the pin, when the map has come to rest. */
  onChange: (place: MapPosition) => void;
  /** Draws what lies within around the pin, and begins so far out that it is seen. */
  radiusM?: number;
  className?: string;
}

export default function LeafletPlaceMap({ middle, onChange, radiusM }: PlaceMapProps) {
  const zoom = radiusM === undefined ? FIRST_ZOOM : zoomFor(radiusM, middle.lat);
  return (
    <MapContainer center={[middle.lat, middle.lng]} zoom={zoom} minZoom={MIN_ZOOM} {...MAP_OPTIONS}>
      <BaseMap />
      {radiusM !== undefined && <Around middle={middle} radiusM={radiusM} />}
      <Moved middle={middle} onChange={onChange} />
      <Zoom />
      <Suspense fallback={null}>
        <NoMap middle={middle} />
      </Suspense>
      <svg
        viewBox="0 0 32 44"
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-1/2 z-[1000] w-8 -translate-x-1/2 -translate-y-full"
      >
        <path
          d="M16 43C9 33 3 25 3 16a13 13 0 0 1 26 0c0 9-6 17-13 27z"
          className="fill-scheduled stroke-white"
          strokeWidth="2.5"
        />
        <circle cx="16" cy="16" r="5" className="fill-white" />
      </svg>
    </MapContainer>
  );
}

/** The ground that a px shows at the equator, at zoom 0. */
const METERS_PER_PX = 156_543;
/** From the pin to the edge of the smallest map. */
const HALF_PX = 120;

/** The closest at which a circle is seen whole. */
function zoomFor(radiusM: number, lat: number): number {
  const meters = METERS_PER_PX * Math.cos((lat * Math.PI) / 180) * HALF_PX;
  return Math.max(MIN_ZOOM, Math.min(FIRST_ZOOM, Math.floor(Math.log2(meters / Math.max(1, radiusM)))));
}

/** The circle goes along with the pin. */
function Around({ middle, radiusM }: { middle: MapPosition; radiusM: number }) {
  const [center, setCenter] = useState(middle);
  useMapEvents({
    move: ({ target }) => setCenter((target as L.Map).getCenter()),
  });
  return <Circle center={center} radius={radiusM} interactive={false} className="walk-area" />;
}

function Moved({ middle, onChange }: { middle: MapPosition; onChange: (place: MapPosition) => void }) {
  const map = useMap();
  useMapEvents({
    moveend: () => {
      const { lat, lng } = map.getCenter();
      onChange({ lat, lng });
    },
  });
  const { lat, lng } = middle;
  useEffect(() => {
    map.setView([lat, lng], map.getZoom(), { animate: false });
  }, [map, lat, lng]);
  useEffect(() => {
    map.getContainer().setAttribute("aria-label", "Map. Arrow keys move it below the pin, plus and minus zoom.");
    map.getContainer().setAttribute("role", "application");
  }, [map]);
  return null;
}

/** A button that gets the missing streets below the pin, or the reason why there are none. */
function NoMap({ middle }: { middle: MapPosition }) {
  const { tiles, state, text, can_download } = useMapStatus();
  const [below, setBelow] = useState(middle);
  useMapEvents({
    moveend: ({ target }) => setBelow((target as L.Map).getCenter()),
  });
  const place = placeOf(below);
  const blank = useBlankGround(place, "choice");
  if (blank?.text) return <GroundNote place={place} use="choice" />;
  if (tiles > 0 || !can_download) return null;
  return (
    <div className="absolute top-3 right-18 left-3 z-[1000] grid justify-items-start gap-2 text-14 text-ink-2">
      <p className="text-pretty">{text}</p>
      <Button kind="quiet" busy={state === "downloading"} onClick={() => void downloadMap()}>
        Download map
      </Button>
    </div>
  );
}

function Zoom() {
  const map = useMap();
  const look = "grid size-12 place-items-center bg-card text-ink forced-colors:border";
  return (
    <div className="absolute top-3 right-3 z-[1000] grid overflow-hidden rounded-small border border-line">
      <button
        type="button"
        aria-label="Zoom in"
        className={`${look} border-b border-line`}
        onClick={() => map.zoomIn()}
      >
        <Plus aria-hidden className="size-5" />
      </button>
      <button type="button" aria-label="Zoom out" className={look} onClick={() => map.zoomOut()}>
        <Minus aria-hidden className="size-5" />
      </button>
    </div>
  );
}

/**
 * Owns the map on which routes are chosen and bent: all of them, the chosen one on top, the points that it must pass.
 * A route is bent by dragging it; a tap on the map asks for a point there, which needs no steady hand.
 */
import "leaflet/dist/leaflet.css";
import "./map.css";
import L from "leaflet";
import { useEffect, useMemo, useRef, useState } from "react";
import { CircleMarker, MapContainer, Marker, Polyline, useMap, useMapEvents } from "react-leaflet";
import type { Place, RouteStop, RouteWarning, Units } from "../../core";
import { Button } from "../../ui/Button";
import { BaseMap } from "./BaseMap";
import { GroundNote } from "./GroundNote";
import { FIT_MARGIN_PX, MAP_OPTIONS } from "./options";
import { at, placeOf } from "./positions";
import { Scale } from "./Scale";

const START_ZOOM = 15;
/** A finger that moved less has tapped. */
const DRAG_PX = 8;

export interface RouteMapProps {
  /** Place where the routes begin. */
  start: Place;
  lines: readonly (readonly Place[])[];
  chosen: number;
  /** True if the chosen route begins elsewhere than at `start`: the way there is drawn straight. */
  startsAway?: boolean;
  onChoose: (at: number) => void;
  /** Places that the routes have to pass. */
  via: readonly Place[];
  /** Absent where the routes cannot be bent. */
  onVia?: ((via: readonly Place[]) => void) | undefined;
  stops: readonly RouteStop[];
  warnings: readonly RouteWarning[];
  units: Units;
  className?: string;
}

export default function LeafletRouteMap(props: RouteMapProps) {
  const { start, lines, chosen, startsAway, onChoose, via, onVia, stops, warnings, units } = props;
  const main = lines[chosen];
  const begin = startsAway ? main?.[0] : undefined;
  return (
    <MapContainer center={at(start)} zoom={START_ZOOM} zoomSnap={0.25} {...MAP_OPTIONS}>
      <BaseMap bottom={0} />
      <GroundNote place={start} use="look" />
      {lines.map(
        (line, index) =>
          index !== chosen && (
            <Polyline
              key={index}
              positions={line.map(at)}
              className="route-other"
              eventHandlers={{ click: () => onChoose(index) }}
            />
          ),
      )}
      {begin && <Polyline positions={[at(start), at(begin)]} className="route-approach" interactive={false} />}
      {main && <Main line={main} onDrop={onVia && ((place) => onVia([...via, place]))} />}
      {warnings.map(
        (it) =>
          it.location && (
            <CircleMarker
              key={`${it.kind} ${it.distance ?? it.text}`}
              center={at(it.location)}
              radius={6}
              className="route-warning"
              interactive={false}
            />
          ),
      )}
      {stops.map((it) => (
        <CircleMarker
          key={`${it.name} ${it.distance}`}
          center={at(it.location)}
          radius={6}
          className="route-stop"
          interactive={false}
        />
      ))}
      {via.map((place, index) => (
        <Via
          key={`${place.lat_e7} ${place.lon_e7}`}
          place={place}
          onMove={(moved) => onVia?.(via.map((it, other) => (other === index ? moved : it)))}
          onRemove={() => onVia?.(via.filter((_, other) => other !== index))}
        />
      ))}
      <Marker position={at(start)} icon={dot("route-start")} interactive={false} keyboard={false} alt="Start" />
      {onVia && <AskHere onPass={(place) => onVia([...via, place])} />}
      <Fit start={start} lines={lines} />
      <Scale units={units} bottom={0} />
    </MapContainer>
  );
}

/** The chosen route; where it is dragged, it shall pass. */
function Main({ line, onDrop }: { line: readonly Place[]; onDrop: ((place: Place) => void) | undefined }) {
  const map = useMap();
  const positions = useMemo(() => line.map(at), [line]);
  const [held, setHeld] = useState<L.LatLng>();
  const handle = useRef<L.Polyline>(null);
  const drop = useRef(onDrop);
  useEffect(() => {
    drop.current = onDrop;
  }, [onDrop]);

  useEffect(() => {
    const element = handle.current?.getElement();
    let from: L.Point | undefined;
    const begin = (event: Event) => {
      if (!drop.current || !(event instanceof PointerEvent) || !event.isPrimary) return;
      // The map would go along with the finger.
      map.dragging.disable();
      from = map.mouseEventToContainerPoint(event);
      window.addEventListener("pointermove", move);
      window.addEventListener("pointerup", end);
      window.addEventListener("pointercancel", end);
    };
    const move = (event: PointerEvent) => setHeld(map.mouseEventToLatLng(event));
    const end = (event: PointerEvent) => {
      const there = map.mouseEventToContainerPoint(event);
      if (event.type === "pointerup" && from && there.distanceTo(from) >= DRAG_PX)
        drop.current?.(placeOf(map.containerPointToLatLng(there)));
      leave();
    };
    const leave = () => {
      from = undefined;
      setHeld(undefined);
      map.dragging.enable();
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
    };
    element?.addEventListener("pointerdown", begin);
    return () => {
      element?.removeEventListener("pointerdown", begin);
      if (from) leave();
    };
  }, [map]);

  return (
    <>
      <Polyline positions={positions} className="route-casing" interactive={false} />
      <Polyline positions={positions} className="route-line" interactive={false} />
      {/* As wide as a thumb, and not to be seen. */}
      <Polyline ref={handle} positions={positions} className="route-handle" bubblingMouseEvents={false} />
      {held && <CircleMarker center={held} radius={9} className="route-via-held" interactive={false} />}
    </>
  );
}

/** A round mark; above every line, whichever was drawn last. */
const dot = (className: string): L.DivIcon =>
  L.divIcon({ html: document.createElement("span"), className, iconSize: [24, 24] });

interface ViaProps {
  place: Place;
  onMove: (place: Place) => void;
  onRemove: () => void;
}

/** A point that the route must pass: drag it elsewhere, tap it to be rid of it. */
function Via({ place, onMove, onRemove }: ViaProps) {
  const icon = useMemo(() => dot("route-via"), []);
  return (
    <Marker
      position={at(place)}
      icon={icon}
      draggable
      alt="Point to pass; press to remove"
      eventHandlers={{
        dragend: ({ target }) => onMove(placeOf((target as L.Marker).getLatLng())),
        click: onRemove,
      }}
    />
  );
}

/** A tap asks whether the route should go there; so does Enter, of what is in the middle. */
function AskHere({ onPass }: { onPass: (place: Place) => void }) {
  const [asked, setAsked] = useState<L.LatLng>();
  const map = useMapEvents({
    click: (event) => setAsked(asked ? undefined : event.latlng),
    keypress: ({ originalEvent: { key, target } }) => {
      if (key === "Enter" && target === map.getContainer()) setAsked(asked ? undefined : map.getCenter());
    },
    movestart: () => setAsked(undefined),
  });
  useEffect(() => {
    const container = map.getContainer();
    container.setAttribute("role", "application");
    container.setAttribute("aria-label", "Map. Arrow keys move it, Enter asks for a route past its middle.");
  }, [map]);
  if (!asked) return null;
  return (
    <>
      <CircleMarker center={asked} radius={9} className="route-via-held" interactive={false} />
      <div
        // Where neither the scale nor a notice lies.
        className="pointer-events-none absolute inset-x-0 top-4 z-[1000] grid justify-items-center *:pointer-events-auto"
        ref={(element) => {
          if (element) L.DomEvent.disableClickPropagation(element);
        }}
      >
        <Button
          kind="quiet"
          onClick={() => {
            onPass(placeOf(asked));
            setAsked(undefined);
            map.getContainer().focus({ preventScroll: true });
          }}
        >
          Walk past here
        </Button>
      </div>
    </>
  );
}

/** Shows all routes, again when there are others. */
function Fit({ start, lines }: Pick<RouteMapProps, "start" | "lines">) {
  const map = useMap();
  useEffect(() => {
    const points = lines.flatMap((line) => line.map(at));
    if (points.length === 0) map.setView(at(start), START_ZOOM, { animate: false });
    else map.fitBounds(L.latLngBounds(points), { padding: [FIT_MARGIN_PX, FIT_MARGIN_PX], animate: false });
  }, [map, start, lines]);
  return null;
}

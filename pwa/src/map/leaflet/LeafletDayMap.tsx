/** Owns the map of a day's stops in Leaflet: each with its number, and straight lines from one to the next. */
import "leaflet/dist/leaflet.css";
import "./map.css";
import L from "leaflet";
import { useEffect, useMemo } from "react";
import { MapContainer, Marker, Polyline, useMap } from "react-leaflet";
import type { Place } from "../../core";
import { BaseMap } from "./BaseMap";
import { GroundNote } from "./GroundNote";
import { FIT_MARGIN_PX, MAP_OPTIONS } from "./options";
import { at } from "./positions";

/** A street and its houses. */
const STOP_ZOOM = 16;

/** Square of a stop's sign, in px. */
const SIGN_PX = 32;

export interface NumberedStop {
  id: string;
  number: number;
  place: Place;
  /** Steps back, since it is done. */
  isDone: boolean;
}

export interface DayMapProps {
  /** In the order of the day. */
  stops: readonly NumberedStop[];
  /** Id of the stop that is brought to the middle. */
  shown: string | undefined;
  className?: string;
}

export default function LeafletDayMap({ stops, shown }: DayMapProps) {
  const [first] = stops;
  if (!first) return null;
  return (
    <MapContainer center={at(first.place)} zoom={STOP_ZOOM} keyboard={false} {...MAP_OPTIONS}>
      <BaseMap />
      <GroundNote place={first.place} use="look" />
      <Polyline positions={stops.map((it) => at(it.place))} className="walk-gap" interactive={false} />
      {stops.map((it) => (
        <Stop key={it.id} stop={it} isShown={it.id === shown} />
      ))}
      <View stops={stops} shown={stops.find((it) => it.id === shown)} />
    </MapContainer>
  );
}

function Stop({ stop: { number, place, isDone }, isShown }: { stop: NumberedStop; isShown: boolean }) {
  const icon = useMemo(() => {
    // As an element and not as text: that is what Trusted Types allow.
    const sign = document.createElement("span");
    sign.textContent = String(number);
    const className = `day-stop${isDone ? " day-stop-done" : ""}${isShown ? " day-stop-shown" : ""}`;
    return L.divIcon({ html: sign, className, iconSize: [SIGN_PX, SIGN_PX] });
  }, [number, isDone, isShown]);
  // Whoever hears the screen has the list: it says all that the map shows.
  return (
    <Marker
      position={at(place)}
      icon={icon}
      interactive={false}
      keyboard={false}
      alt=""
      zIndexOffset={isShown ? 1000 : 0}
    />
  );
}

/** Shows all stops, or the chosen one in the middle. */
function View({ stops, shown }: { stops: readonly NumberedStop[]; shown: NumberedStop | undefined }) {
  const map = useMap();
  const places = stops.map((it) => at(it.place).join(" ")).join(", ");
  useEffect(() => {
    const bounds = L.latLngBounds(places.split(", ").map((it) => it.split(" ").map(Number) as [number, number]));
    map.fitBounds(bounds, { padding: [FIT_MARGIN_PX, FIT_MARGIN_PX], maxZoom: STOP_ZOOM, animate: false });
  }, [map, places]);
  const middle = shown && at(shown.place).join(" ");
  useEffect(() => {
    if (!middle) return;
    const place = middle.split(" ").map(Number) as [number, number];
    map.setView(place, Math.max(map.getZoom(), STOP_ZOOM), { animate: false });
  }, [map, middle]);
  return null;
}

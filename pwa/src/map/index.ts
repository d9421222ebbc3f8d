/**
 * The map's public face: what screens show. `addresses.ts`, `search.ts` and `tiles.ts` beside it are public, too, and apart
 * since they are loaded later. Leaflet loads when a map is first shown, and nothing outside this folder knows of it.
 */
export { DayMap } from "./DayMap";
export { PlaceMap, type PlaceMapProps } from "./PlaceMap";
export { RouteMap } from "./RouteMap";
export { preloadMap, TrackMap, type TrackMapProps } from "./TrackMap";
export { TrackPicture } from "./TrackPicture";
export { WalkEventIcon } from "./WalkEventIcon";

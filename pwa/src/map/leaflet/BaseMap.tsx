/** Owns what lies below every track and route: the streets, light or dark as the app is, and who is to be thanked for them. */
import L from "leaflet";
import { useEffect, useState } from "react";
import { useMap } from "react-leaflet";
import { mapPictures, onMapChange } from "../tiles";
import type { MapTheme } from "../worker/palette";
import { MAX_ZOOM } from "./options";
import { streets } from "./streets";

/** Closer pictures are rarely to be had; what there is is made larger. */
const PICTURES_MAX_ZOOM = 18;

export function BaseMap({ bottom = 0 }: { bottom?: number }) {
  const map = useMap();
  const theme = useMapTheme();
  useEffect(() => {
    // A map that comes together with its dialog was measured before that opened. These effects run before those of what
    // moves the map to its first view.
    map.invalidateSize({ pan: false });
  }, [map]);
  useEffect(() => {
    const layer = streets(theme).addTo(map);
    const leave = onMapChange(() => layer.redraw());
    return () => {
      leave();
      layer.remove();
    };
  }, [map, theme]);
  useEffect(() => {
    let layer: L.TileLayer | undefined;
    let isGone = false;
    void mapPictures().then((url) => {
      // Over our own, which are there where no network is.
      if (url && !isGone)
        layer = L.tileLayer(url, { maxNativeZoom: PICTURES_MAX_ZOOM, maxZoom: MAX_ZOOM, zIndex: 2 }).addTo(map);
    });
    return () => {
      isGone = true;
      layer?.remove();
    };
  }, [map]);
  return (
    <p className="walk-credit absolute right-0 z-[1000] px-1.5 text-12 text-ink-2" style={{ bottom }}>
      <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">
        (c) OpenStreetMap contributors
      </a>
    </p>
  );
}

/** As the app is shown: by the person's choice where there is one, else by the system's. */
function useMapTheme(): MapTheme {
  const [theme, setTheme] = useState(currentTheme);
  useEffect(() => {
    const look = () => setTheme(currentTheme());
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", look);
    const choice = new MutationObserver(look);
    choice.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      system.removeEventListener("change", look);
      choice.disconnect();
    };
  }, []);
  return theme;
}

function currentTheme(): MapTheme {
  const { theme } = document.documentElement.dataset;
  const isDark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  return isDark ? "dark" : "light";
}

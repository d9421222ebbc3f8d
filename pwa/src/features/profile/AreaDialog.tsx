/** Owns choosing the middle of the service area on the map, with a circle as far as the sitter goes. */
import { useEffect, useState } from "react";
import { radiusIn } from "../../core";
import { PlaceMap } from "../../map";
import { fetchMapAlong, mapMiddle } from "../../map/tiles";
import { Button, Dialog, DialogActions, Skeleton } from "../../ui";

export interface LatLng {
  lat: number;
  lng: number;
}

interface AreaDialogProps {
  open: boolean;
  /** As it is so far. */
  place: LatLng | undefined;
  /** The radius of the service area, in miles. */
  miles: number;
  onClose: () => void;
  onChoose: (place: LatLng) => void;
}

export function AreaDialog({ open, onClose, ...choice }: AreaDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Where do you work?" size="large">
      <AreaChoice onCancel={onClose} {...choice} />
    </Dialog>
  );
}

interface AreaChoiceProps extends Pick<AreaDialogProps, "place" | "miles" | "onChoose"> {
  onCancel: () => void;
}

function AreaChoice({ place, miles, onCancel, onChoose }: AreaChoiceProps) {
  const begin = useBegin(place);
  const [chosen, setChosen] = useState(place);
  const move = (to: LatLng) => {
    setChosen(to);
    void fetchAround(to);
  };
  const meters = (Number.isFinite(miles) ? radiusIn(miles, "metric") : 0) * 1000;
  return (
    <div className="grid gap-3">
      {begin && (
        <p className="text-14 text-ink-2 text-pretty">
          Move the map until the pin is in the middle of your area. The circle is as far as you go.
        </p>
      )}
      {begin === "looking" ? (
        <Skeleton className="h-[52dvh] min-h-64 w-full" />
      ) : begin ? (
        <PlaceMap middle={begin} radiusM={meters} onChange={move} className="h-[52dvh] min-h-64" />
      ) : (
        <p role="status" className="rounded-small bg-sunken p-5 text-center text-14 text-ink-2 text-pretty">
          {begin === null
            ? "This server has no map yet: streets and routes come with one, all else works without it."
            : "The server does not answer, so there is no map to show."}{" "}
          Type your neighborhood, or use your position.
        </p>
      )}
      <DialogActions>
        <Button kind="quiet" onClick={onCancel}>
          {begin ? "Cancel" : "Close"}
        </Button>
        {begin && (
          <Button disabled={!chosen} onClick={() => chosen && onChoose(chosen)}>
            Use this place
          </Button>
        )}
      </DialogActions>
    </div>
  );
}

/**
 * Returns the point where the map begins: the place so far, else the middle of the map that the server has; `null` where
 * it has none, `undefined` where it does not answer.
 */
function useBegin(place: LatLng | undefined): LatLng | "looking" | null | undefined {
  const [begin, setBegin] = useState<LatLng | "looking" | null | undefined>(place ?? "looking");
  useEffect(() => {
    let current = true;
    const start = (at: LatLng | null | undefined) => {
      if (!current) return;
      setBegin(at);
      if (at) void fetchAround(at);
    };
    if (place) start(place);
    else void mapMiddle().then(start);
    return () => {
      current = false;
    };
    // It stays where it began, whatever is chosen meanwhile.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return begin;
}

const E7 = 1e7;
/** About a kilometer to each side: what is seen around the pin. */
const BESIDE = 0.01;

/** The streets around a place that is being looked at; the rest of the area comes when it is saved. */
function fetchAround({ lat, lng }: LatLng): Promise<void> {
  const at = (north: number, east: number) => ({
    lat_e7: Math.round((lat + north) * E7),
    lon_e7: Math.round((lng + east) * E7),
  });
  return fetchMapAlong([at(0, 0), at(BESIDE, 0), at(-BESIDE, 0), at(0, BESIDE), at(0, -BESIDE)]);
}

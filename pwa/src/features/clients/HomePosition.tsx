/** Owns where a client's home is on the map: routes begin there, and the map on this phone reaches there. */
import { MapPin, X } from "lucide-react";
import { useState } from "react";
import { deviceText } from "../../browser/device";
import { useReplica } from "../../data";
import { PlaceMap } from "../../map";
import { Button, Dialog, DialogActions, IconButton } from "../../ui";

interface LatLng {
  lat: number;
  lng: number;
}

interface HomePositionProps {
  lat: number | null;
  lng: number | null;
  /** The address as it stands in the form. */
  address: string;
  onChange: (position: { lat: number | null; lng: number | null }) => void;
}

/** About a meter: a front door, and no more digits than that. */
const STEPS_IN_A_DEGREE = 1e5;

/** Some ten meters are as much as anybody reads. */
const SHOWN_DIGITS = 4;

const rounded = (degrees: number): number => Math.round(degrees * STEPS_IN_A_DEGREE) / STEPS_IN_A_DEGREE;

const inWords = ({ lat, lng }: LatLng): string => `${lat.toFixed(SHOWN_DIGITS)}, ${lng.toFixed(SHOWN_DIGITS)}`;

const isElsewhere = (one: LatLng, other: LatLng): boolean =>
  rounded(one.lat) !== rounded(other.lat) || rounded(one.lng) !== rounded(other.lng);

export function HomePosition({ lat, lng, address, onChange }: HomePositionProps) {
  const [open, setOpen] = useState(false);
  const position = lat === null || lng === null ? undefined : { lat, lng };
  const near = useReplica((phone): LatLng | undefined => {
    const sitter = phone.sitter();
    const { service_area_lat, service_area_lng } = sitter ?? {};
    return service_area_lat == null || service_area_lng == null
      ? undefined
      : { lat: service_area_lat, lng: service_area_lng };
  });
  const begin = position ?? near;
  return (
    <div className="grid gap-1 md:col-span-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          kind="quiet"
          icon={<MapPin aria-hidden className="size-5" />}
          disabled={!begin}
          onClick={() => setOpen(true)}
        >
          {position ? "Move on the map" : "Set on the map"}
        </Button>
        {position && (
          <p className="num inline-flex items-center gap-1 text-14 text-ink-2">
            {inWords(position)}
            <IconButton label="Remove the position" onClick={() => onChange({ lat: null, lng: null })}>
              <X />
            </IconButton>
          </p>
        )}
      </div>
      <p className="text-14 text-ink-2 text-pretty">
        {begin
          ? deviceText(
              "Routes start at this door, and the map on this phone covers the area around it. Only you see this.",
            )
          : "Set the position of your service area in your profile first: the map begins there."}
      </p>
      {begin && (
        <Dialog open={open} onClose={() => setOpen(false)} title="Where is the door?" size="large">
          <PlaceChoice
            begin={begin}
            isKnown={position !== undefined}
            address={address}
            onCancel={() => setOpen(false)}
            onChoose={({ lat, lng }) => {
              onChange({ lat: rounded(lat), lng: rounded(lng) });
              setOpen(false);
            }}
          />
        </Dialog>
      )}
    </div>
  );
}

interface PlaceChoiceProps {
  begin: LatLng;
  /** The home is where the map begins; else that is the middle of the service area, which is nobody's door. */
  isKnown: boolean;
  address: string;
  onCancel: () => void;
  onChoose: (place: LatLng) => void;
}

function PlaceChoice({ begin, isKnown, address, onCancel, onChoose }: PlaceChoiceProps) {
  const [place, setPlace] = useState(isKnown ? begin : undefined);
  // The map tells where it is also before a finger has moved it.
  const move = (to: LatLng) => (place || isElsewhere(to, begin)) && setPlace(to);
  return (
    <div className="grid gap-3">
      <p className="text-14 text-ink-2 text-pretty">
        Move the map until the pin stands at the door{address.trim() && ` of ${address.trim()}`}.
      </p>
      <PlaceMap middle={begin} onChange={move} className="h-[52dvh] min-h-64" />
      <p role="status" className="num text-14 text-ink-2">
        {place ? inWords(place) : "The pin stands in the middle of your service area, not at a door."}
      </p>
      <DialogActions>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button disabled={!place} onClick={() => place && onChoose(place)}>
          Use this place
        </Button>
      </DialogActions>
    </div>
  );
}

/** Owns where a client's home is on the map: routes begin there, and the map on this phone reaches there. */
import { LocateFixed, MapPin, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { deviceText } from "../../browser/device";
import { useReplica } from "../../data";
import { PlaceMap } from "../../map";
import { addressAt, type FoundAddress } from "../../map/addresses";
import { askWhereIAm, type LatLng, placeAt } from "../../parts/address/whereIAm";
import { Button, Dialog, DialogActions, IconButton, useBusy } from "../../ui";

interface HomePositionProps {
  lat: number | null;
  lng: number | null;
  /** The address as it stands in the form. */
  address: string;
  onChange: (changes: { lat?: number | null; lng?: number | null; address?: string }) => void;
}

/** About a meter: a front door, and no more digits than that. */
const STEPS_IN_A_DEGREE = 1e5;

/** Some ten meters are as much as anybody reads. */
const SHOWN_DIGITS = 4;

const rounded = (degrees: number): number => Math.round(degrees * STEPS_IN_A_DEGREE) / STEPS_IN_A_DEGREE;

/** The position of a door at a place, as it is saved. */
export const doorAt = ({ lat, lng }: LatLng): LatLng => ({ lat: rounded(lat), lng: rounded(lng) });

const inWords = ({ lat, lng }: LatLng): string => `${lat.toFixed(SHOWN_DIGITS)}, ${lng.toFixed(SHOWN_DIGITS)}`;

const isElsewhere = (one: LatLng, other: LatLng): boolean =>
  rounded(one.lat) !== rounded(other.lat) || rounded(one.lng) !== rounded(other.lng);

export function HomePosition({ lat, lng, address, onChange }: HomePositionProps) {
  const [open, setOpen] = useState(false);
  const [said, setSaid] = useState<Said>();
  const position = lat === null || lng === null ? undefined : { lat, lng };
  const near = useReplica((phone): LatLng | undefined => {
    const sitter = phone.sitter();
    const { service_area_lat, service_area_lng } = sitter ?? {};
    return service_area_lat == null || service_area_lng == null
      ? undefined
      : { lat: service_area_lat, lng: service_area_lng };
  });
  const begin = position ?? near;
  // Where the pin is: said only until it is moved.
  const isSaid = said && (!said.pin || (position && !isElsewhere(said.pin, position)));
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
        <UseWhereIAm address={address} onChange={onChange} onSay={setSaid} />
        {position && (
          <p className="num inline-flex items-center gap-1 text-14 text-ink-2">
            {inWords(position)}
            <IconButton label="Remove the position" onClick={() => onChange({ lat: null, lng: null })}>
              <X />
            </IconButton>
          </p>
        )}
      </div>
      <p role="status" className={said?.pin ? "text-14 text-ink-2" : "text-14 font-medium text-danger"}>
        {isSaid && said.text}
      </p>
      <p className="text-14 text-ink-2 text-pretty">
        {begin
          ? deviceText(
              "Routes start at this door, and where the server has a map, this phone keeps that of the area around it. Only you see this.",
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
            onChoose={(place) => {
              onChange(doorAt(place));
              setOpen(false);
            }}
          />
        </Dialog>
      )}
    </div>
  );
}

interface Said {
  text: string;
  /** The place of the pin; absent where it could not be set. */
  pin?: LatLng;
}

interface UseWhereIAmProps extends Pick<HomePositionProps, "address" | "onChange"> {
  onSay: (said: Said | undefined) => void;
}

/** Sets the pin where the phone is, and fills in the address of the map on this phone where none was typed. */
function UseWhereIAm({ address, onChange, onSay }: UseWhereIAmProps) {
  const { busy, run } = useBusy();
  // As they are when an answer comes: somebody may have typed meanwhile.
  const latest = useRef({ address, onChange });
  useEffect(() => {
    latest.current = { address, onChange };
  });
  const locate = async () => {
    onSay(undefined);
    const here = await askWhereIAm({ enableHighAccuracy: true, maximumAge: MAX_AGE_MS });
    if (typeof here === "string") return onSay({ text: here });
    latest.current.onChange(doorAt(here));
    const found = await addressAt(placeAt(here), true);
    const isFilled = latest.current.address.trim() !== "";
    if (found && !isFilled) latest.current.onChange({ address: found.text });
    onSay({ text: `The pin is set where you are. ${aboutAddress(found, isFilled)}`, pin: here });
  };
  return (
    <Button
      kind="quiet"
      busy={busy}
      icon={<LocateFixed aria-hidden className="size-5" />}
      onClick={() => void run(locate)}
    >
      Use my location
    </Button>
  );
}

/** A door is reached in less. */
const MAX_AGE_MS = 10_000;

/** The address that the map has for the place, for the person. */
function aboutAddress(found: FoundAddress | null, isFilled: boolean): string {
  if (!found) return "The map on this phone has no address here.";
  return isFilled ? `The map says: ${found.text}.` : `${found.note}. Check the address.`;
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
        Move the map until the pin is at the door{address.trim() && ` of ${address.trim()}`}.
      </p>
      <PlaceMap middle={begin} onChange={move} className="h-[52dvh] min-h-64" />
      <p role="status" className="num text-14 text-ink-2">
        {place ? inWords(place) : "The pin is in the middle of your service area, not at a door."}
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

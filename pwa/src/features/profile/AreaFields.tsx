/** Owns the inputs that say where the sitter works; the position is asked for only when the person wants it. */
import { LocateFixed, MapPin, MapPinned, X } from "lucide-react";
import { useState } from "react";
import { locationTexts, radiusIn, radiusToMiles } from "../../core";
import { Button, IconButton, NumberField, TextField, useBusy } from "../../ui";
import { ReaderHint } from "../../ui/Readers";
import { AreaDialog, type LatLng } from "./AreaDialog";
import type { ProfileFields } from "./profile";

interface AreaFieldsProps {
  fields: ProfileFields;
  onChange: (changes: Partial<ProfileFields>) => void;
}

export function AreaFields({ fields, onChange }: AreaFieldsProps) {
  const { units, service_area_radius_miles: miles, service_area_lat: lat, service_area_lng: lng } = fields;
  return (
    <>
      <div className="grid items-start gap-4 md:grid-cols-[1fr_9rem]">
        <TextField
          name="service_area_address"
          label="Service area"
          placeholder="Park Slope, Brooklyn"
          autoComplete="street-address"
          hint={<ReaderHint reader="sitter">The middle of where you work: a neighborhood or an address.</ReaderHint>}
          value={fields.service_area_address}
          onChange={(service_area_address) => onChange({ service_area_address })}
        />
        <NumberField
          name="service_area_radius_miles"
          label="Radius"
          unit={units === "imperial" ? "mi" : "km"}
          // Null is what is typed but no number; the core says so.
          value={(miles as number | null) === null ? null : radiusIn(miles, units)}
          onChange={(radius) =>
            onChange({ service_area_radius_miles: radius === null ? (null as never) : radiusToMiles(radius, units) })
          }
        />
      </div>
      <Position
        place={lat === null || lng === null ? undefined : { lat, lng }}
        miles={miles}
        onChange={(place) => onChange({ service_area_lat: place?.lat ?? null, service_area_lng: place?.lng ?? null })}
      />
    </>
  );
}

interface PositionProps {
  place: LatLng | undefined;
  miles: number;
  onChange: (place: LatLng | undefined) => void;
}

function Position({ place, miles, onChange }: PositionProps) {
  const { busy, run } = useBusy();
  const [problem, setProblem] = useState<string>();
  const [isOpen, setOpen] = useState(false);

  const locate = async () => {
    setProblem(undefined);
    const found = await position();
    if (typeof found === "string") setProblem(found);
    else onChange(found);
  };

  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          kind="quiet"
          busy={busy}
          icon={<LocateFixed aria-hidden className="size-5" />}
          onClick={() => void run(locate)}
        >
          Use my position
        </Button>
        <Button kind="quiet" icon={<MapPinned aria-hidden className="size-5" />} onClick={() => setOpen(true)}>
          {place ? "Move on the map" : "Set on the map"}
        </Button>
        {place && (
          <p className="num inline-flex items-center gap-1 text-14 text-ink-2">
            <MapPin aria-hidden className="size-4" /> {place.lat.toFixed(DIGITS)}, {place.lng.toFixed(DIGITS)}
            <IconButton label="Remove the position" onClick={() => onChange(undefined)}>
              <X />
            </IconButton>
          </p>
        )}
      </div>
      {problem ? (
        <p role="alert" className="text-14 font-medium text-danger">
          {problem}
        </p>
      ) : (
        <p className="text-14 text-ink-2">
          Optional. We ask once and store only an approximate location, within about 100 yards.
        </p>
      )}
      <AreaDialog
        open={isOpen}
        place={place}
        miles={miles}
        onClose={() => setOpen(false)}
        onChoose={({ lat, lng }) => {
          onChange({ lat: blurred(lat), lng: blurred(lng) });
          setOpen(false);
        }}
      />
    </div>
  );
}

/** Digits of a degree: some 100 m. Enough for the middle of an area, and too little for a front door. */
const DIGITS = 3;

const blurred = (degrees: number): number => Math.round(degrees * 10 ** DIGITS) / 10 ** DIGITS;

/** Nobody is in another area a minute later. */
const MAX_AGE_MS = 60_000;

/** Asks the phone for its position, blurred; resolves with the reason where that is not known. */
function position(): Promise<LatLng | string> {
  const { location_denied, location_failed, location_unsupported, location_timeout_ms } = locationTexts();
  if (!("geolocation" in navigator)) return Promise.resolve(location_unsupported);
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: blurred(coords.latitude), lng: blurred(coords.longitude) }),
      ({ code }) => resolve(code === GeolocationPositionError.PERMISSION_DENIED ? location_denied : location_failed),
      { timeout: location_timeout_ms, maximumAge: MAX_AGE_MS },
    );
  });
}

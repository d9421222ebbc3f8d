/** Owns the inputs that say where the sitter works; the position is asked for only when the person wants it. */
import { LocateFixed, MapPin, MapPinned, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { radiusIn, radiusToMiles, type Units } from "../../core";
import { addressAt } from "../../map/addresses";
import { AddressField } from "../../parts/address/AddressField";
import { askWhereIAm, placeAt } from "../../parts/address/whereIAm";
import { Button, IconButton, NumberField, useBusy } from "../../ui";
import { AreaDialog, type LatLng } from "./AreaDialog";
import type { ProfileFields } from "./profile";

interface AreaFieldsProps {
  fields: ProfileFields;
  onChange: (changes: Partial<ProfileFields>) => void;
}

export function AreaFields({ fields, onChange }: AreaFieldsProps) {
  const { units, service_area_radius_miles: miles, service_area_lat: lat, service_area_lng: lng } = fields;
  const place = lat === null || lng === null ? undefined : { lat, lng };
  return (
    <>
      <div className="grid items-start gap-4 md:grid-cols-[1fr_9rem]">
        <AddressField
          isArea
          name="service_area_address"
          label="Service area"
          placeholder="Park Slope, Brooklyn"
          autoComplete="street-address"
          hint="The middle of where you work: a neighborhood or an address."
          reader="sitter.service_area_address"
          value={fields.service_area_address}
          onChange={(service_area_address) => onChange({ service_area_address })}
          place={place}
          onChoose={(service_area_address, { lat, lng }) =>
            onChange({ service_area_address, service_area_lat: blurred(lat), service_area_lng: blurred(lng) })
          }
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
        place={place}
        units={units}
        miles={miles}
        isNamed={fields.service_area_address.trim() !== ""}
        onName={(service_area_address) => onChange({ service_area_address })}
        onChange={(place) => onChange({ service_area_lat: place?.lat ?? null, service_area_lng: place?.lng ?? null })}
      />
    </>
  );
}

interface PositionProps {
  place: LatLng | undefined;
  miles: number;
  units: Units;
  /** The area has an address. */
  isNamed: boolean;
  /** The place has an address, which is wanted where the area has none. */
  onName: (address: string) => void;
  onChange: (place: LatLng | undefined) => void;
}

function Position({ place, miles, units, isNamed, onName, onChange }: PositionProps) {
  const { busy, run } = useBusy();
  const [problem, setProblem] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  // As they are when an answer comes: somebody may have typed meanwhile.
  const latest = useRef({ isNamed, onName, onChange });
  useEffect(() => {
    latest.current = { isNamed, onName, onChange };
  });

  const locate = async () => {
    setProblem(undefined);
    const here = await askWhereIAm({ maximumAge: MAX_AGE_MS });
    if (typeof here === "string") return setProblem(here);
    const place = { lat: blurred(here.lat), lng: blurred(here.lng) };
    latest.current.onChange(place);
    const street = latest.current.isNamed ? null : await addressAt(placeAt(place), false);
    if (street && !latest.current.isNamed) latest.current.onName(street.text);
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
          Optional. We ask once and store only an approximate location, within about{" "}
          {units === "imperial" ? "100 yards" : "100 m"}.
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

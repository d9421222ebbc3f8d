/**
 * Owns the field of an address that has a place: while somebody types, it proposes addresses of the map on this phone. What
 * is typed is asked of that map alone, unless the person presses the button that sends it to a geocoder. Whatever is
 * proposed, any text may stand there.
 */
import { MapPin, Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { deviceText } from "../../browser/device";
import { useReplica } from "../../data";
import { type FoundAddress, findAddresses } from "../../map/addresses";
import { Button, cx } from "../../ui";
import { CONTROL, Field } from "../../ui/Field";
import { type ReadBy, useReadBy } from "../../ui/Readers";
import { textState } from "../../ui/textRules";
import { type Geocoder, useGeocoder } from "./useGeocoder";
import { degreesOf, type LatLng, placeAt } from "./whereIAm";

interface AddressFieldProps {
  name: string;
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** An address was chosen: its text and its place. */
  onChoose: (text: string, place: LatLng) => void;
  /** The place that the form has now. */
  place: LatLng | undefined;
  /** The place is the middle of an area, and no door. */
  isArea?: boolean;
  optional?: boolean;
  hint?: ReactNode;
  /** Readers of it beside the person who types. */
  reader: ReadBy;
  placeholder?: string;
  autoComplete?: string;
  className?: string;
}

/** Fewer letters name half of a city. */
const LEAST_LETTERS = 3;

/** Degrees by which a saved place may differ from that of its address. */
const DOOR_ROUNDING = 1e-5;
const AREA_ROUNDING = 1e-3;

/** An address that was chosen, and the geocoder that found it; without one it is the map's. */
interface Chosen {
  address: FoundAddress;
  by: string | undefined;
}

export function AddressField(props: AddressFieldProps) {
  const {
    name,
    label,
    value,
    onChange,
    onChoose,
    place,
    isArea = false,
    optional = false,
    hint: ownHint,
    reader,
    placeholder,
    autoComplete = "off",
    className,
  } = props;
  const { hint, mark } = useReadBy(reader, ownHint);
  const listId = useId();
  const { found, by, search, warm, show, close } = useProposals();
  const input = useRef<HTMLInputElement>(null);
  const [at, setAt] = useState<number>();
  const [chosen, setChosen] = useState<Chosen>();
  const [isTyped, setTyped] = useState(false);
  const { wrong, room } = textState(name, value);
  const isOpen = found.length > 0;
  const isChosen = chosen?.address.text === value;
  const geocoder = useGeocoder({
    text: value,
    isWanted: value.trim().length >= LEAST_LETTERS && !isChosen && (isTyped || !place),
    isArea,
    onFound: (addresses, by) => {
      setAt(undefined);
      show(addresses, by);
      // From the button to where keys choose one.
      input.current?.focus();
    },
    onNothing: close,
  });
  // Said only while it is true: the pin may have been moved since.
  const said =
    chosen && isAt(place, chosen.address, isArea) ? (isArea ? areaText : doorText)(chosen, value) : geocoder.said;
  const optionId = (index: number) => `${listId}-${index}`;

  const type = (text: string) => {
    setAt(undefined);
    setTyped(true);
    onChange(text);
    search(text);
  };
  const choose = (address: FoundAddress) => {
    setAt(undefined);
    setChosen({ address, by });
    close();
    onChoose(address.text, degreesOf(address.place));
  };
  const move = (to: number) => {
    setAt(to);
    document.getElementById(optionId(to))?.scrollIntoView({ block: "nearest", behavior: "instant" });
  };
  const press = (event: KeyboardEvent) => {
    if (!isOpen || event.nativeEvent.isComposing) return;
    const address = at === undefined ? undefined : found[at];
    // Before the focus moves, so that it comes to the button below the field.
    if (event.key === "Tab") return close();
    if (event.key === "ArrowDown") move(at === undefined ? 0 : (at + 1) % found.length);
    else if (event.key === "ArrowUp") move(((at ?? 0) + found.length - 1) % found.length);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && address) choose(address);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className={cx("grid gap-1", className)}>
      <Field {...{ name, label, hint, error: wrong, room, mark }} optional={optional}>
        {(control) => (
          <div className="relative">
            <input
              {...control}
              ref={input}
              role="combobox"
              aria-expanded={isOpen}
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={isOpen && at !== undefined ? optionId(at) : undefined}
              dir="auto"
              placeholder={placeholder}
              autoComplete={autoComplete}
              spellCheck={false}
              value={value}
              onChange={(event) => type(event.target.value)}
              onKeyDown={press}
              onFocus={warm}
              onBlur={close}
              className={CONTROL}
            />
            <div
              hidden={!isOpen}
              className="absolute inset-x-0 top-full z-10 mt-1 max-h-96 overflow-y-auto rounded-large border border-line bg-card p-1 text-ink shadow-float"
            >
              <div id={listId} role="listbox" aria-label={by ? `Found by ${by}` : "Found on the map"}>
                {found.map((address, index) => (
                  <Proposal
                    key={optionId(index)}
                    id={optionId(index)}
                    address={address}
                    isActive={index === at}
                    onPoint={() => setAt(index)}
                    onPick={() => choose(address)}
                  />
                ))}
              </div>
              {by ? (
                <p className="border-t border-line px-3 py-2 text-14 text-ink-2">{attribution(by)}</p>
              ) : (
                // For fingers; keys reach the one below the field.
                isOpen && <AskGeocoder geocoder={geocoder} isInList />
              )}
            </div>
          </div>
        )}
      </Field>
      <p role="status" className={cx("text-14 text-ink-2", isOpen && "sr-only")}>
        {isOpen ? countOf(found.length) : said && deviceText(said)}
      </p>
      {!isOpen && <AskGeocoder geocoder={geocoder} />}
    </div>
  );
}

const countOf = (count: number): string => (count === 1 ? "1 address found" : `${count} addresses found`);

/** True if a form's place, which is rounded, is that of an address. */
function isAt(place: LatLng | undefined, address: FoundAddress, isArea: boolean): boolean {
  const there = degreesOf(address.place);
  const rounding = isArea ? AREA_ROUNDING : DOOR_ROUNDING;
  return !!place && Math.abs(place.lat - there.lat) <= rounding && Math.abs(place.lng - there.lng) <= rounding;
}

/** As the licence of OpenStreetMap's data asks for. */
const attribution = (by: string): string => `Found by ${by}, data from OpenStreetMap contributors.`;

/** Says where the pin of a door stands now. */
function doorText({ address: { text, kind, note }, by }: Chosen, value: string): string {
  if (value !== text) return `The pin still stands at ${text}.`;
  if (by) return `The pin is set where ${by} has this address: check it on the map. ${attribution(by)}`;
  if (kind === "house") return "The pin is set at this house.";
  const where = kind === "street" ? "in the middle of the street" : "there";
  return `${note ? `${note}. ` : ""}The pin is set ${where}: move it to the door.`;
}

/** Says where the middle of an area is now; it is not saved to the house. */
function areaText({ address: { text }, by }: Chosen, value: string): string {
  if (value !== text) return `The middle of your area is still near ${text}.`;
  return `The middle of your area is set near this address.${by ? ` ${attribution(by)}` : ""}`;
}

interface AskGeocoderProps {
  geocoder: Geocoder;
  isInList?: boolean;
}

/** The button that sends what was typed to the geocoder, and says so. */
function AskGeocoder({ geocoder: { name, busy, ask }, isInList = false }: AskGeocoderProps) {
  if (!name) return null;
  return (
    <div className={isInList ? "grid gap-1 border-t border-line p-3" : "grid justify-items-start gap-1"}>
      <Button
        kind="quiet"
        busy={busy}
        icon={<Search aria-hidden className="size-5" />}
        {...(isInList && {
          tabIndex: -1,
          // The focus stays where one types.
          onPointerDown: (event) => event.preventDefault(),
        })}
        onClick={() => void ask()}
      >
        Search with {name}
      </Button>
      <p className="text-14 text-ink-2 text-pretty">Sends the words in this field to {name}, and nothing else.</p>
    </div>
  );
}

interface ProposalProps {
  id: string;
  address: FoundAddress;
  isActive: boolean;
  onPoint: () => void;
  onPick: () => void;
}

function Proposal({ id, address, isActive, onPoint, onPick }: ProposalProps) {
  return (
    <button
      id={id}
      type="button"
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      // The focus stays where one types.
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onPoint}
      onClick={onPick}
      className={cx(
        "flex min-h-12 w-full items-center gap-3 rounded-small px-3 py-1 text-left",
        isActive && "bg-sunken",
      )}
    >
      <MapPin aria-hidden className="size-5 shrink-0 text-ink-2" />
      <span className="min-w-0 flex-1 wrap-anywhere">
        <bdi className="num font-medium">{address.text}</bdi>
        {address.note && <span className="num block text-14 text-ink-2">{address.note}</span>}
      </span>
    </button>
  );
}

/** Addresses that fit the text that was typed last: those of the map, or those that a geocoder has. */
function useProposals() {
  const near = useReplica((phone) => {
    const { service_area_lat: lat, service_area_lng: lng } = phone.sitter() ?? {};
    return lat == null || lng == null ? null : placeAt({ lat, lng });
  });
  const [{ found, by }, setFound] = useState<Proposals>(NOTHING);
  const last = useRef(0);
  const show = (found: FoundAddress[], by?: string) => {
    last.current += 1;
    setFound({ found, by });
  };
  const close = () => show([]);
  useEffect(
    () => () => {
      last.current += 1;
    },
    [],
  );
  const search = (text: string) => {
    last.current += 1;
    const mine = last.current;
    const isEnough = text.trim().length >= LEAST_LETTERS;
    if (!isEnough) setFound(NOTHING);
    // Also with too few letters: the map is read meanwhile.
    void findAddresses(isEnough ? text : "", near).then((found) => {
      if (last.current === mine) setFound({ found, by: undefined });
    });
  };
  /** Has the map read before the first letter. */
  const warm = () => void findAddresses("", near);
  return { found, by, search, warm, show, close };
}

interface Proposals {
  found: FoundAddress[];
  /** The geocoder; absent where the map has them. */
  by: string | undefined;
}

const NOTHING: Proposals = { found: [], by: undefined };

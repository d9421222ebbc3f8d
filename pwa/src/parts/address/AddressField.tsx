/**
 * Owns the field of an address that has a place: while somebody types, it proposes addresses of the map on this phone. What
 * is typed is asked of that map alone. Whatever it proposes, any text may stand there.
 */
import { MapPin } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useReplica } from "../../data";
import { type FoundAddress, findAddresses } from "../../map/addresses";
import { cx } from "../../ui";
import { CONTROL, Field } from "../../ui/Field";
import { textState } from "../../ui/textRules";
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
  placeholder?: string;
  autoComplete?: string;
  className?: string;
}

/** Fewer letters name half of a city. */
const LEAST_LETTERS = 3;

/** Degrees by which a saved place may differ from that of its address. */
const DOOR_ROUNDING = 1e-5;
const AREA_ROUNDING = 1e-3;

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
    hint,
    placeholder,
    autoComplete = "off",
    className,
  } = props;
  const listId = useId();
  const { found, search, close } = useProposals();
  const [at, setAt] = useState<number>();
  const [chosen, setChosen] = useState<FoundAddress>();
  const { wrong, room } = textState(name, value);
  const isOpen = found.length > 0;
  // Said only while it is true: the pin may have been moved since.
  const said = chosen && isAt(place, chosen, isArea) ? (isArea ? areaText : doorText)(chosen, value) : undefined;
  const optionId = (index: number) => `${listId}-${index}`;

  const type = (text: string) => {
    setAt(undefined);
    onChange(text);
    search(text);
  };
  const choose = (address: FoundAddress) => {
    setAt(undefined);
    setChosen(address);
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
      <Field {...{ name, label, hint, error: wrong, room }} optional={optional}>
        {(control) => (
          <div className="relative">
            <input
              {...control}
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
              onFocus={() => search("")}
              onBlur={close}
              className={CONTROL}
            />
            <div
              id={listId}
              role="listbox"
              aria-label="Found on the map"
              hidden={!isOpen}
              className="absolute inset-x-0 top-full z-10 mt-1 max-h-80 overflow-y-auto rounded-large border border-line bg-card p-1 text-ink shadow-float"
            >
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
          </div>
        )}
      </Field>
      <p role="status" className={cx("text-14 text-ink-2", isOpen && "sr-only")}>
        {isOpen ? countOf(found.length) : said}
      </p>
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

/** Says where the pin of a door stands now. */
function doorText({ text, kind, note }: FoundAddress, value: string): string {
  if (value !== text) return `The pin still stands at ${text}.`;
  if (kind === "house") return "The pin is set at this house.";
  const where = kind === "street" ? "in the middle of the street" : "there";
  return `${note ? `${note}. ` : ""}The pin is set ${where}: move it to the door.`;
}

/** Says where the middle of an area is now; it is not saved to the house. */
const areaText = ({ text }: FoundAddress, value: string): string =>
  value === text
    ? "The middle of your area is set near this address."
    : `The middle of your area is still near ${text}.`;

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

/** Addresses that fit the text that was typed last. */
function useProposals() {
  const near = useReplica((phone) => {
    const { service_area_lat: lat, service_area_lng: lng } = phone.sitter() ?? {};
    return lat == null || lng == null ? null : placeAt({ lat, lng });
  });
  const [found, setFound] = useState<FoundAddress[]>([]);
  const last = useRef(0);
  const close = () => {
    last.current += 1;
    setFound([]);
  };
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
    if (!isEnough) setFound([]);
    // Also with too few letters: the map is read meanwhile.
    void findAddresses(isEnough ? text : "", near).then((it) => {
      if (last.current === mine) setFound(it);
    });
  };
  return { found, search, close };
}

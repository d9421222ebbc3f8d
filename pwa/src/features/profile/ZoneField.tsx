/** Owns picking a time zone: all that the browser knows, found by city, by name, or by the time it is there. */
import { Check, ChevronDown } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { cx, Dialog, SearchField } from "../../ui";
import { CONTROL, Field } from "../../ui/Field";

interface ZoneFieldProps {
  name: string;
  label: string;
  hint?: string;
  value: string;
  onChange: (zone: string) => void;
}

export function ZoneField({ value, onChange, ...field }: ZoneFieldProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Field {...field}>
        {(control) => (
          <button
            {...control}
            type="button"
            aria-label={`${field.label}: ${readable(value)}`}
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
            className={cx(CONTROL, "flex items-center gap-2 text-left")}
          >
            <span className="min-w-0 flex-1 truncate">{readable(value)}</span>
            <ChevronDown aria-hidden className="size-6 shrink-0 text-ink-2" />
          </button>
        )}
      </Field>
      <Dialog open={open} onClose={() => setOpen(false)} title={field.label} size="medium">
        <Zones
          value={value}
          onPick={(zone) => {
            onChange(zone);
            setOpen(false);
          }}
        />
      </Dialog>
    </>
  );
}

function Zones({ value, onPick }: { value: string; onPick: (zone: string) => void }) {
  const [search, setSearch] = useState("");
  const zones = useMemo(() => allZones(value), [value]);
  const words = useDeferredValue(search)
    .toLowerCase()
    .split(/[\s,/]+/)
    .filter(Boolean);
  const found = zones.filter((it) => words.every((word) => it.text.includes(word)));
  return (
    <div className="grid gap-2">
      <div className="sticky top-0 z-1 -mx-5 bg-card px-5 pb-2">
        <SearchField label="Search time zones" value={search} onChange={setSearch} />
      </div>
      {/* As high with few as with many, so that nothing jumps while one types. */}
      <ul className="grid min-h-[50dvh] content-start">
        {found.map(({ zone, name, now }) => (
          <li key={zone} className="[content-visibility:auto] [contain-intrinsic-height:56px]">
            <button
              type="button"
              aria-current={zone === value || undefined}
              onClick={() => onPick(zone)}
              className="flex min-h-14 w-full items-center gap-3 rounded-small px-2 text-left -outline-offset-3 transition-colors hover:bg-sunken"
            >
              <span className="min-w-0 flex-1">
                <span className={cx("block", zone === value && "font-bold")}>{readable(zone)}</span>
                <span className="block text-14 text-ink-2">{name}</span>
              </span>
              <span className="num shrink-0 text-14 text-ink-2">{now}</span>
              <Check aria-hidden className={cx("size-5 shrink-0", zone !== value && "invisible")} />
            </button>
          </li>
        ))}
        {found.length === 0 && (
          <p className="px-2 py-3 text-ink-2">No time zone has this name. Try the nearest big city.</p>
        )}
      </ul>
    </div>
  );
}

const readable = (zone: string): string => zone.replaceAll("_", " ").replaceAll("/", " / ");

interface Zone {
  zone: string;
  /** Name of the zone: `Eastern Time`. */
  name: string;
  /** Current time in the zone. */
  now: string;
  /** Text that a search looks in. */
  text: string;
}

/** The chosen one first, then all others by name. */
function allZones(chosen: string): Zone[] {
  const at = new Date();
  return [...new Set([chosen, ...Intl.supportedValuesOf("timeZone")])].flatMap((zone) => {
    try {
      const format = new Intl.DateTimeFormat("en-US", {
        timeZone: zone,
        timeZoneName: "longGeneric",
        hour: "numeric",
        minute: "2-digit",
      });
      const parts = format.formatToParts(at);
      const name = parts.find((it) => it.type === "timeZoneName")?.value ?? "";
      const now = parts
        .filter((it) => it.type !== "timeZoneName")
        .map((it) => it.value)
        .join("")
        .trim();
      return [{ zone, name, now, text: `${readable(zone)} ${name} ${now}`.toLowerCase() }];
    } catch {
      return []; // the chosen one comes from another browser and may be unknown to this one
    }
  });
}

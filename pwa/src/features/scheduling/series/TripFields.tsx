/** Owns what a trip has beside its days and times: the times of its first and its last day, a stay, and an agreed total. */
import { useId } from "react";
import { type Bookable, formatTime, newId, newSeriesSlot, type SeriesSlot, type Trip } from "../../../core";
import { Checkbox, cx, FieldGroup, MoneyField, Select, TimeField } from "../../../ui";

/** Fields of a trip that a person sets. */
export type TripValues = Pick<Trip, "first_slot" | "last_slot" | "stay" | "total">;

/** Times of a day, the earliest first. */
const byStart = (slots: readonly SeriesSlot[]): SeriesSlot[] =>
  slots.toSorted((a, b) => a.start_time.localeCompare(b.start_time));

/** A trip without names of times that are not there any more. */
export const withSlots = (trip: TripValues, slots: readonly SeriesSlot[]): TripValues => {
  const kept = (id: string | null | undefined) => slots.find((it) => it.id === id)?.id ?? null;
  return { ...trip, first_slot: kept(trip.first_slot), last_slot: kept(trip.last_slot) };
};

interface TripFieldsProps {
  trip: TripValues;
  /** Times of the first day. */
  slots: readonly SeriesSlot[];
  /** Times of the last day, where they are others. */
  lastSlots?: readonly SeriesSlot[];
  bookable: readonly Bookable[];
  onChange: (changes: Partial<TripValues>) => void;
  wrong: (field: string) => string | undefined;
}

export function TripFields({ trip, slots, lastSlots = slots, bookable, onChange, wrong }: TripFieldsProps) {
  /** The start of the trip, and of the stay with it. */
  const startOf = (first_slot: string | null | undefined) =>
    (slots.find((it) => it.id === first_slot) ?? byStart(slots)[0])?.start_time;
  const begin = (first_slot: string | null) => {
    const start_time = startOf(first_slot);
    onChange({ first_slot, ...(trip.stay && start_time && { stay: { ...trip.stay, start_time } }) });
  };
  return (
    <>
      <DayChips
        name="trip.first_slot"
        label="First day"
        value={trip.first_slot ?? null}
        slots={byStart(slots).slice(1)}
        text={(time, isLast) => (isLast ? `Only ${time}` : `From ${time}`)}
        onChange={begin}
        error={wrong("trip.first_slot")}
      />
      <DayChips
        name="trip.last_slot"
        label="Last day"
        value={trip.last_slot ?? null}
        slots={byStart(lastSlots).slice(0, -1).toReversed()}
        text={(time, isLast) => (isLast ? `Only ${time}` : `Until ${time}`)}
        onChange={(last_slot) => onChange({ last_slot })}
        error={wrong("trip.last_slot")}
      />
      <StayField
        stay={trip.stay ?? null}
        start={startOf(trip.first_slot)}
        bookable={bookable}
        onChange={(stay) => onChange({ stay })}
        error={wrong("trip.stay")}
      />
      <MoneyField
        name="trip.total"
        label="Agreed total"
        optional
        hint="One price for the whole trip. Without it the usual prices count."
        value={trip.total ?? null}
        onChange={(total) => onChange({ total })}
        error={wrong("trip.total")}
      />
    </>
  );
}

interface DayChipsProps {
  name: string;
  label: string;
  value: string | null;
  /** The times to choose from; the last one leaves that time alone. */
  slots: readonly SeriesSlot[];
  text: (time: string, isLast: boolean) => string;
  onChange: (slot: string | null) => void;
  error: string | undefined;
}

/** The times of a trip's first or last day. */
function DayChips({ name, label, value, slots, text, onChange, error }: DayChipsProps) {
  const group = useId();
  if (slots.length === 0) return null;
  const options = [
    { id: null, label: "All times" },
    ...slots.map((it, place) => ({ id: it.id, label: text(formatTime(it.start_time), place === slots.length - 1) })),
  ];
  return (
    <FieldGroup name={name} label={label} error={error}>
      <div className="flex flex-wrap gap-2">
        {options.map((it) => (
          <label
            key={it.id ?? "all"}
            className={cx(
              "num inline-flex min-h-12 cursor-pointer items-center rounded-full border border-edge bg-card px-4 text-14 font-medium",
              "hover:bg-sunken has-checked:border-act has-checked:bg-act has-checked:font-bold has-checked:text-on-act",
              "has-focus-visible:outline-3 has-focus-visible:outline-scheduled forced-colors:has-checked:bg-[Highlight] forced-colors:has-checked:text-[HighlightText]",
            )}
          >
            <input
              type="radio"
              name={group}
              checked={it.id === value}
              onChange={() => onChange(it.id)}
              className="sr-only"
            />
            {it.label}
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}

interface StayFieldProps {
  stay: SeriesSlot | null;
  /** When a new one begins. */
  start: string | undefined;
  bookable: readonly Bookable[];
  onChange: (stay: SeriesSlot | null) => void;
  error: string | undefined;
}

/** A stay with the visits, where the sitter offers something by the day. */
function StayField({ stay, start, bookable, onChange, error }: StayFieldProps) {
  const stays = bookable.filter((it) => it.is_stay);
  const [first] = stays;
  if (!stay && !first) return null;
  const booked = (it: Bookable): SeriesSlot => ({
    ...(stay ?? { ...newSeriesSlot(newId()), ...(start && { start_time: start }) }),
    offering_id: it.id,
  });
  return (
    <>
      <Checkbox
        name={stay ? "trip.has_stay" : "trip.stay"}
        label="With a stay"
        hint="From the first day to the last, beside the visits."
        checked={stay !== null}
        onChange={(isOn) => onChange(isOn && first ? booked(first) : null)}
      />
      {stay && (
        <Select
          name="trip.stay"
          label="Stay"
          value={stays.find((it) => it.id === stay.offering_id)?.id ?? null}
          placeholder="This offering is no longer here"
          onChange={(id) => {
            const picked = stays.find((it) => it.id === id);
            if (picked) onChange(booked(picked));
          }}
          options={stays.map((it) => ({ value: it.id, label: it.label }))}
          error={error}
        />
      )}
      {stay && (
        <TimeField
          name="trip.stay.departure_time"
          label="Departure on the last day"
          optional
          value={stay.departure_time ?? ""}
          onChange={(it) => {
            const { departure_time: _, ...others } = stay;
            onChange(it ? { ...others, departure_time: it } : others);
          }}
        />
      )}
    </>
  );
}

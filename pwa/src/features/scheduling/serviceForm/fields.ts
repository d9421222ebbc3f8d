/** Owns the fields of the form of a service, as far as a person has touched them, and how a change of them is named. */
import {
  type Bookable,
  type DateChoice,
  formatDate,
  formatTime,
  type Pet,
  plusDays,
  type SeriesEnd,
  type SeriesRule,
  type SeriesSlot,
  type Service,
} from "../../../core";
import type { TripValues } from "../series/TripFields";

/** Kinds of services that are booked by the client's own rates. */
const KINDS: { value: Service["service_type"]; label: string }[] = [
  { value: "walk", label: "Walk" },
  { value: "dropin", label: "Drop-in" },
];

/** All that can be booked, in one list: the kinds and the offerings, each with what it is charged by. */
export const catalogue = (offered: readonly Bookable[]): { value: string; label: string; group?: string }[] => [
  ...KINDS.map(({ value, label }) => ({ value, label: `${label}, at the client's rate` })),
  ...offered.map((it) => ({ value: it.id, label: it.label, group: "Your services, at their own price" })),
];

const FIELDS = [
  "client_id",
  "dog_ids",
  "service_type",
  "date",
  "start_time",
  "duration_minutes",
  "offering_id",
  "end_date",
  "departure_time",
  "window_from",
  "window_to",
  "price_override",
  "notes",
  "internal_notes",
] as const;

export type ServiceFields = Pick<
  Service,
  Exclude<
    (typeof FIELDS)[number],
    "notes" | "internal_notes" | "price_override" | "departure_time" | "window_from" | "window_to"
  >
> & {
  departure_time?: string | null;
  window_from?: string | null;
  window_to?: string | null;
  notes: string;
  internal_notes: string;
  /** Its amount may not be typed yet. */
  price_override: { amount: number | null; reason: string; tells_reason?: boolean } | null;
};

/** How a booking repeats, as the form holds it. */
export interface Repeats {
  /** Ids that the phone made when the person chose it: a form that comes back after a kill saves the same series. */
  id: string;
  slot: string;
  rule: SeriesRule;
  /** Times of each day beside the form's own one. */
  more: SeriesSlot[];
  end: SeriesEnd;
  /** The trip that it is for; its days are the form's date and the last day of `end`. */
  trip?: TripValues | null;
  /** Decisions of the person on single dates. */
  choices: DateChoice[];
}

/** Fields of the form: those of a service, and how it repeats. */
export type FormFields = ServiceFields & {
  /** None for a single visit. */
  repeats: Repeats | null;
};

/** A refused change that is to be set right. */
export interface ServiceFix {
  /** The entry of Needs attention. */
  id: string;
  /** The service that the refused change was to make. */
  makes: string | undefined;
  /** Fields as the person had typed them. */
  fields: Partial<Service | ServiceFields>;
  /** How it was to repeat. */
  repeats?: Repeats;
}

/** Without what was chosen and then left open again. */
export const given = (fields: Partial<ServiceFields | Service>): Partial<ServiceFields> =>
  Object.fromEntries(FIELDS.flatMap((field) => (fields[field] === undefined ? [] : [[field, fields[field]]])));

const DAY_MS = 86_400_000;

/** A day as far after `to` as it was after `from`. */
export const moved = (day: string, from: string, to: string): string =>
  plusDays(to, Math.round((Date.parse(day) - Date.parse(from)) / DAY_MS));

/** `Schedule: Walk for Biscuit & Rex, Nov 20, 2026, 9:30 AM`; `when` stands in place of the date and the time. */
export function sentenceOf(
  does: string,
  fields: ServiceFields,
  booked: Bookable | undefined,
  pets: readonly Pet[],
  when = `${formatDate(fields.date)}, ${formatTime(fields.start_time)}`,
): string {
  const names = pets.filter((it) => fields.dog_ids.includes(it.id)).map((it) => it.name);
  const kind = booked?.name ?? KINDS.find((it) => it.value === fields.service_type)?.label;
  return `${does}: ${kind} for ${names.join(" & ")}, ${when}`;
}

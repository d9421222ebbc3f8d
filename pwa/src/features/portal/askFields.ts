/** Owns what stands in the form in which a pet parent asks for visits, and the commands that it becomes: one for each time. */
import {
  type AskForService,
  type Bookable,
  type Command,
  formatDate,
  formatTime,
  newId,
  plusDays,
  type ServiceView,
  type WalkRequest,
} from "../../core";
import { WEEK_DAYS } from "../../parts/dates";

/** A start that is asked for; empty while it is chosen. */
export interface AskedTime {
  date: string;
  start_time: string;
  /** True to ask for a time that is not offered. */
  is_wish?: boolean;
}

export interface AskFields {
  service_type: WalkRequest["service_type"];
  duration_minutes: number;
  /** The offering asked for in place of a plain walk or drop-in. */
  offering?: Pick<Bookable, "id" | "name" | "is_stay"> | null;
  /** The last day of a stay, empty for its first, and its departure, empty where nothing is said. */
  end_date?: string;
  departure_time?: string;
  dog_ids: string[];
  times: AskedTime[];
  message: string;
  /** How the visit repeats, if it does: then there is one time, of its first day. */
  repeats?: AskedRepeats | null;
  /** Absent until it is chosen: then times and `repeats` say it. */
  often?: HowOften;
  /** Choice between visits and one each week in a draft of a build that did not ask how often. */
  is_weekly?: boolean;
}

export type HowOften = "once" | "several" | "weekly";

/** Days of the week, 0 = Sunday to 6 = Saturday, and the last day; empty for until further notice. */
export interface AskedRepeats {
  weekdays: number[];
  last_day: string;
}

const NO_REPEATS: AskedRepeats = { weekdays: [], last_day: "" };

/** The fields that are asked with: a draft keeps all times, and how they repeat, also while something else is chosen. */
export function inUse(kept: AskFields): AskFields & { often: HowOften } {
  const first = kept.times.slice(0, 1);
  // A stay has one arrival, and does not repeat.
  if (kept.offering?.is_stay) return { ...kept, often: "once", repeats: null, times: first };
  const isWeekly = kept.is_weekly ?? Boolean(kept.repeats);
  const often = kept.often ?? (isWeekly ? "weekly" : kept.times.length > 1 ? "several" : "once");
  if (often === "weekly") return { ...kept, often, repeats: kept.repeats ?? NO_REPEATS, times: first };
  return { ...kept, often, repeats: null, times: often === "once" ? first : kept.times };
}

export const KINDS: { value: WalkRequest["service_type"]; label: string }[] = [
  { value: "walk", label: "Walk" },
  { value: "dropin", label: "Drop-in" },
];

const nameOf = (type: WalkRequest["service_type"]): string => (type === "walk" ? "walk" : "drop-in");

/** The form as it was when a request was turned down. */
export function fieldsOf(
  { request, repeats, is_wish }: Pick<AskForService, "request" | "repeats" | "is_wish">,
  offerings: readonly Bookable[],
  otherwise: AskFields,
): AskFields {
  return {
    offering: offerings.find((it) => it.id === request.offering_id) ?? null,
    end_date: request.requested_end_date ?? "",
    departure_time: request.requested_departure_time ?? "",
    service_type: request.service_type ?? otherwise.service_type,
    duration_minutes: request.requested_duration_minutes ?? otherwise.duration_minutes,
    dog_ids: request.dog_ids ?? otherwise.dog_ids,
    times: [
      {
        date: request.requested_date ?? "",
        start_time: request.requested_start_time ?? "",
        ...(is_wish && { is_wish }),
      },
    ],
    message: request.message ?? "",
    repeats:
      repeats?.rule.kind === "weekly" ? { weekdays: repeats.rule.weekdays, last_day: repeats.last_day ?? "" } : null,
  };
}

/** The form for another time in place of one that was declined: what was asked for, on a day that is still to be chosen. */
export function fieldsAgain(
  request: WalkRequest,
  dogs: readonly { id: string }[],
  offerings: readonly Bookable[],
  otherwise: AskFields,
): AskFields {
  const repeats = request.subject?.kind === "series" ? request.subject : undefined;
  const asked = fieldsOf({ request, ...(repeats && { repeats }) }, offerings, otherwise);
  return {
    ...asked,
    end_date: "",
    dog_ids: asked.dog_ids.filter((id) => dogs.some((it) => it.id === id)),
    times: [{ date: "", start_time: request.requested_start_time }],
    ...(asked.repeats && { repeats: { ...asked.repeats, last_day: "" } }),
  };
}

/** The same day of the week as a visit's, a week after it; of an older visit the first one that is to come. */
export function weekAfterVisit(date: string, today: string): string {
  const next = plusDays(date, WEEK_DAYS);
  return next > today ? next : weekAfterVisit(next, today);
}

/** The form for a visit like another one, on this day; empty where it is still to be chosen. */
export function fieldsLike(
  visit: ServiceView,
  date: string,
  dogs: readonly { id: string }[],
  offerings: readonly Bookable[],
  otherwise: AskFields,
): AskFields {
  const offering = offerings.find((it) => it.id === visit.offering_id);
  return {
    ...otherwise,
    offering: offering ? { id: offering.id, name: offering.name, is_stay: offering.is_stay } : null,
    service_type: visit.service_type,
    // The form shows no length where the offering has its own.
    duration_minutes: offering?.duration_minutes ?? visit.duration_minutes,
    dog_ids: visit.dog_ids.filter((id) => dogs.some((it) => it.id === id)),
    times: [{ date, start_time: visit.start_time }],
  };
}

export type AskCommand = Extract<Command, { name: "ask_for_service" }>;

/** Returns the command for one of the times; `group_id` is shared by all that are asked for at once. */
export const commandOf = (
  fields: AskFields,
  { date, start_time, is_wish }: AskedTime,
  price: number | null,
  group_id: string | null | undefined,
): AskCommand => ({
  name: "ask_for_service",
  args: {
    id: newId(),
    request: {
      requested_date: date,
      requested_start_time: start_time,
      requested_duration_minutes: fields.duration_minutes,
      service_type: fields.service_type,
      dog_ids: fields.dog_ids,
      message: fields.message,
      ...(fields.offering && { offering_id: fields.offering.id }),
      ...(fields.offering?.is_stay && {
        // One without a last day is of a day.
        requested_end_date: fields.end_date || date,
        ...(fields.departure_time && { requested_departure_time: fields.departure_time }),
      }),
    },
    quoted_price: price,
    ...(group_id && { group_id }),
    ...(is_wish && !fields.repeats && !fields.offering?.is_stay && { is_wish }),
    ...(fields.repeats && {
      repeats: {
        rule: { kind: "weekly", every: 1, weekdays: fields.repeats.weekdays },
        last_day: fields.repeats.last_day || null,
      },
    }),
  },
});

/** For the list of what waits. */
export const sentenceOf = ({ service_type, offering, repeats }: AskFields, { date, start_time }: AskedTime): string =>
  `Request ${offering?.name ?? `a ${nameOf(service_type)}`} ${repeats ? "each week from" : "on"} ${formatDate(date)}, ${formatTime(start_time)}`;

/** Owns what the schedule form holds of a booking that repeats: how often, at which further times, and until when. */
import {
  type CreateSeries,
  type DateChoice,
  limits,
  newId,
  newSeriesPlan,
  newSeriesSlot,
  plusDays,
  type SeriesPlan,
  type SeriesRule,
  type SeriesSlot,
  type Trip,
} from "../../../core";
import type { Repeats, ServiceFields } from "../serviceForm/fields";

/** How often something repeats, in the coarse steps that one picks from. */
export type Kind = "weekly" | "daily" | "monthly";

/** Chosen in place of a kind: each day from one to another. */
export const TRIP = "trip";

export const kindOf = (rule: SeriesRule): Kind => (rule.kind === "monthly_weekday" ? "monthly" : rule.kind);

const WEEK_DAYS = 7;
/** Stands for the last one of a month. */
const LAST = 5;

/** 0 = Sunday to 6 = Saturday. */
const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const NTH = ["First", "Second", "Third", "Fourth", "Last"] as const;

/** Days to choose from, in the order of the calendar's weeks. */
export const weekdayOptions = WEEKDAYS.map((label, value) => ({ value, label }));

/** The rule that a kind begins with on that date; without a date one that has no days yet. */
export function ruleFrom(kind: Kind, date: string): SeriesRule {
  if (kind === "weekly") return { kind, every: 1, weekdays: date ? [weekdayOf(date)] : [] };
  return kind === "daily" ? { kind, every: 1 } : { kind, day: Number(date.slice(-2)) };
}

type MonthlyRule = Extract<SeriesRule, { kind: "monthly" | "monthly_weekday" }>;

/** `Day 27`, `Fourth Friday`. */
const monthlyLabel = (rule: MonthlyRule): string =>
  rule.kind === "monthly" ? `Day ${rule.day}` : `${NTH[rule.nth - 1]} ${WEEKDAYS[rule.weekday]}`;

/** Monthly rules that have a visit on that date. */
function monthlyRules(date: string): MonthlyRule[] {
  const day = Number(date.slice(-2));
  const weekday = weekdayOf(date);
  const nth = Math.ceil(day / WEEK_DAYS);
  const on = (nth: number) => ({ kind: "monthly_weekday" as const, nth, weekday });
  const isLast = plusDays(date, WEEK_DAYS).slice(0, 7) !== date.slice(0, 7);
  return [{ kind: "monthly", day }, ...(nth < LAST ? [on(nth)] : []), ...(isLast ? [on(LAST)] : [])];
}

const MONTH_DAYS = 31;

/**
 * Monthly rules to choose from, with what they are called: those that have a visit on that date; with `present`, the rule
 * of a series that is to be changed, also that one and each day of the month.
 */
export function monthlyChoices(date: string, present?: SeriesRule): { label: string; rule: MonthlyRule }[] {
  const rules: MonthlyRule[] = [];
  if (present) for (let day = 1; day <= MONTH_DAYS; day += 1) rules.push({ kind: "monthly", day });
  if (date) rules.push(...monthlyRules(date));
  if (present?.kind === "monthly_weekday") rules.push(present);
  const choices = new Map(rules.map((rule) => [monthlyLabel(rule), rule]));
  return [...choices].map(([label, rule]) => ({ label, rule }));
}

/** A rule that still says no more than the first date follows it to another one; a first date fills one without days. */
export function ruleMoved(rule: SeriesRule, from: string, to: string): SeriesRule {
  if (!to || rule.kind === "daily") return rule;
  if (rule.kind === "weekly") {
    const { weekdays } = rule;
    const isPreset = from ? weekdays.length === 1 && weekdays[0] === weekdayOf(from) : weekdays.length === 0;
    return isPreset ? { ...rule, weekdays: [weekdayOf(to)] } : rule;
  }
  if (!from) return rule.kind === "monthly" && rule.day === 0 ? ruleFrom("monthly", to) : rule;
  const was = monthlyRules(from).findIndex((it) => isSameRule(it, rule));
  return was < 0 ? rule : (monthlyRules(to)[was] ?? monthlyRules(to)[0] ?? rule);
}

export const isSameRule = (one: SeriesRule, other: SeriesRule): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Monday to Friday. */
export const WORKING_DAYS = [1, 2, 3, 4, 5];

/** Returns the first repetition of this kind, from the date chosen. */
export const repeatsFrom = (kind: Kind, date: string): Repeats => ({
  id: newId(),
  slot: newId(),
  rule: ruleFrom(kind, date),
  more: [],
  end: { kind: "never" },
  choices: [],
});

/** The first repetition as an address names it; see `Prefill`. */
export function repeatsAs(every: string, date: string): Repeats {
  const repeats = repeatsFrom(every === "daily" ? "daily" : "weekly", date);
  const { rule } = repeats;
  if (every === "" || rule.kind !== "weekly") return repeats;
  return { ...repeats, rule: { ...rule, weekdays: every.split(",").map(Number) } };
}

/** Days after the first one that a trip ends by itself: a long weekend. */
const TRIP_DAYS = 3;

/** Returns a first trip from the date chosen: three visits a day, from `own` on. */
export function tripFrom(date: string, own: Omit<SeriesSlot, "id" | "departure_time">): Repeats {
  const second = slotAfter(own);
  return {
    ...repeatsFrom("daily", date),
    more: [second, slotAfter(second)].filter((it, place, all) => place === 0 || it.start_time !== all[0]?.start_time),
    end: date ? { kind: "on", date: plusDays(date, TRIP_DAYS) } : { kind: "never" },
    trip: { first_slot: null, last_slot: null, stay: null, total: null },
  };
}

/** How long after the last time of a day a further one is proposed. */
const BETWEEN_HOURS = 5;

/** One more time a day, like the one before it and some hours later. */
export function slotAfter(last: Omit<SeriesSlot, "id" | "departure_time"> | undefined): SeriesSlot {
  const slot = newSeriesSlot(newId());
  if (!last) return slot;
  const { start_times } = limits();
  const wanted = `${String(Number(last.start_time.slice(0, 2)) + BETWEEN_HOURS).padStart(2, "0")}${last.start_time.slice(2)}`;
  const { duration_minutes, service_type, offering_id } = last;
  const start_time = start_times.find((it) => it >= wanted) ?? start_times.at(-1) ?? slot.start_time;
  return { ...slot, start_time, duration_minutes, service_type, offering_id };
}

/** The form's own time of a day, which is the series' first. */
const ownSlot = ({ slot }: Repeats, shown: ServiceFields): SeriesSlot => ({
  id: slot,
  start_time: shown.start_time,
  duration_minutes: shown.duration_minutes,
  service_type: shown.service_type,
  offering_id: shown.offering_id ?? null,
});

export const slotsOf = (repeats: Repeats, shown: ServiceFields): SeriesSlot[] => [
  ownSlot(repeats, shown),
  ...repeats.more,
];

/** The command that books it; of a form that is not filled in yet, too. */
export function bookingOf(repeats: Repeats, shown: ServiceFields): CreateSeries {
  const { rule, end, id, choices, trip } = repeats;
  const series: Partial<SeriesPlan> = {
    rule,
    end,
    dog_ids: shown.dog_ids,
    slots: slotsOf(repeats, shown),
    notes: shown.notes,
    internal_notes: shown.internal_notes,
    // The core says what is wrong with an amount that is not typed yet.
    price_override: shown.price_override as SeriesPlan["price_override"],
    ...(shown.client_id && { client_id: shown.client_id }),
    ...(shown.date && { begins: shown.date }),
    // The core says the rest of it. A trip has its total in the place of a price for each visit.
    ...(trip && { trip: trip as Trip, ...(trip.total !== null && { price_override: null }) }),
  };
  return { id, series, choices };
}

/** A booking as the form shows it. */
export function repeatsOf({ id, series, choices = [] }: CreateSeries): {
  fields: Partial<ServiceFields>;
  repeats: Repeats;
} {
  const plan = { ...newSeriesPlan(series.begins ?? "2000-01-01"), ...series };
  const [first = newSeriesSlot(newId()), ...more] = plan.slots ?? [];
  const { id: slot, ...time } = first;
  return {
    repeats: {
      id,
      slot,
      more,
      rule: plan.rule,
      end: plan.end,
      trip: plan.trip ?? null,
      choices: choices.filter((it) => it.way !== "wait"),
    },
    fields: {
      client_id: plan.client_id ?? "",
      dog_ids: plan.dog_ids ?? [],
      date: plan.begins ?? "",
      notes: plan.notes ?? "",
      internal_notes: plan.internal_notes ?? "",
      price_override: plan.price_override ?? null,
      ...time,
      offering_id: time.offering_id ?? null,
      end_date: null,
    },
  };
}

/** Decisions that still mean something when a time of day is another: a date that was left out stays so. */
export const choicesThatStay = (choices: readonly DateChoice[]): DateChoice[] =>
  choices.filter((it) => it.way === "leave_out");

/** Owns 'Repeats' in the schedule form: how often, on which days, at which further times, and until when. */
import { Plus, Trash2 } from "lucide-react";
import type { SeriesEnd, SeriesRule, SeriesSlot } from "../../../core";
import { type Bookable, formatDuration, formatTime, limits } from "../../../core";
import { Button, DateField, FieldGroup, IconButton, NumberField, Select } from "../../../ui";
import { catalogue } from "../serviceForm/fields";
import { withOwn } from "../serviceForm/WhenItIs";
import { isSameRule, type Kind, kindOf, monthlyChoices, ruleFrom, slotAfter, TRIP } from "./repeats";
import { Weekdays } from "./Weekdays";

/** As far as a count is typed; the core says what it may be. */
const counted = (typed: number | null): number => Math.min(Math.max(0, typed ?? 0), 9_999);

const KIND_OPTIONS: { value: Kind; label: string }[] = [
  { value: "weekly", label: "Every week" },
  { value: "daily", label: "Every day or every few days" },
  { value: "monthly", label: "Every month" },
];

interface RepeatsSelectProps {
  value: Kind | typeof TRIP | null;
  onChange: (kind: Kind | typeof TRIP | null) => void;
}

/** Choice of how a booking repeats, if at all. */
export function RepeatsSelect({ value, onChange }: RepeatsSelectProps) {
  return (
    <Select
      name="repeats"
      label="Repeats"
      value={value ?? "never"}
      onChange={(it) => onChange(it === "never" ? null : it)}
      options={[
        { value: "never" as const, label: "Does not repeat" },
        { value: TRIP, label: "Trip: each day until a last day" },
        ...KIND_OPTIONS,
      ]}
    />
  );
}

interface RuleFieldsProps {
  rule: SeriesRule;
  /** The day from which it counts, and which its first proposals come from. */
  date: string;
  onChange: (rule: SeriesRule) => void;
  /** The rule of a series that is changed: the kind can be chosen here, and each day of a month. */
  present?: SeriesRule;
  error?: string | undefined;
}

export function RuleFields({ rule, date, onChange, present, error }: RuleFieldsProps) {
  return (
    <>
      {present && (
        <Select
          name="rule.kind"
          label="Repeats"
          value={kindOf(rule)}
          onChange={(kind) => onChange(ruleFrom(kind, date))}
          options={KIND_OPTIONS}
        />
      )}
      {rule.kind === "weekly" && <WeeklyFields rule={rule} onChange={onChange} error={error} />}
      {rule.kind === "daily" && (
        <NumberField
          name="rule"
          label="Every"
          integer
          unit={rule.every === 1 ? "day" : "days"}
          value={rule.every || null}
          onChange={(every) => onChange({ ...rule, every: counted(every) })}
          error={error}
        />
      )}
      {kindOf(rule) === "monthly" && (
        <MonthlyField rule={rule} date={date} present={present} onChange={onChange} error={error} />
      )}
    </>
  );
}

interface WeeklyFieldsProps {
  rule: Extract<SeriesRule, { kind: "weekly" }>;
  onChange: (rule: SeriesRule) => void;
  error?: string | undefined;
}

function WeeklyFields({ rule, onChange, error }: WeeklyFieldsProps) {
  return (
    <>
      <Weekdays value={rule.weekdays} onChange={(weekdays) => onChange({ ...rule, weekdays })} error={error} />
      <NumberField
        name="rule.every"
        label="Every"
        integer
        unit={rule.every === 1 ? "week" : "weeks"}
        value={rule.every || null}
        onChange={(every) => onChange({ ...rule, every: counted(every) })}
      />
    </>
  );
}

interface MonthlyFieldProps {
  rule: SeriesRule;
  date: string;
  present: SeriesRule | undefined;
  onChange: (rule: SeriesRule) => void;
  error?: string | undefined;
}

function MonthlyField({ rule, date, present, onChange, error }: MonthlyFieldProps) {
  const rules = monthlyChoices(date, present);
  const chosen = rules.findIndex((it) => isSameRule(it.rule, rule));
  return (
    <Select
      name="rule"
      label="Day of the month"
      // As it is, where the first date is another one by now.
      value={chosen < 0 ? null : chosen}
      placeholder={chosen < 0 ? "As it is" : undefined}
      onChange={(it) => {
        const picked = rules[it];
        if (picked) onChange(picked.rule);
      }}
      options={rules.map(({ label }, value) => ({ value, label }))}
      error={error}
    />
  );
}

interface EndFieldsProps {
  end: SeriesEnd;
  /** The first day that it can end on. */
  min: string;
  /** The last day that is proposed. */
  proposed: string;
  onChange: (end: SeriesEnd) => void;
  error?: string | undefined;
}

const END_OPTIONS: { value: SeriesEnd["kind"]; label: string }[] = [
  { value: "never", label: "When you stop it" },
  { value: "on", label: "On a date" },
  { value: "after", label: "After some visits" },
];

/** How many visits are proposed: a week of daily ones. */
const PROPOSED_VISITS = 7;

export function EndFields({ end, min, proposed, onChange, error }: EndFieldsProps) {
  const ends: Record<SeriesEnd["kind"], () => SeriesEnd> = {
    never: () => ({ kind: "never" }),
    on: () => ({ kind: "on", date: proposed }),
    after: () => ({ kind: "after", visits: PROPOSED_VISITS }),
  };
  return (
    <div className="grid pair gap-3">
      <Select
        name={end.kind === "never" ? "end" : "end.kind"}
        label="Ends"
        value={end.kind}
        onChange={(kind) => onChange(ends[kind]())}
        options={END_OPTIONS}
        error={end.kind === "never" ? error : undefined}
      />
      {end.kind === "on" && (
        <DateField
          name="end"
          label="Last day"
          min={min}
          value={end.date}
          onChange={(date) => onChange({ kind: "on", date })}
          error={error}
        />
      )}
      {end.kind === "after" && (
        <NumberField
          name="end"
          label="Number of visits"
          integer
          value={end.visits || null}
          onChange={(visits) => onChange({ kind: "after", visits: counted(visits) })}
          error={error}
        />
      )}
    </div>
  );
}

interface SlotsFieldsProps {
  slots: readonly SeriesSlot[];
  /** The time that a further one comes after, where that is not the last of them. */
  after?: Omit<SeriesSlot, "id" | "departure_time">;
  bookable: readonly Bookable[];
  onChange: (slots: SeriesSlot[]) => void;
  error?: string | undefined;
}

/** The times of a day, each with what is booked and how long it takes. */
export function SlotsFields({ slots, after, bookable, onChange, error }: SlotsFieldsProps) {
  const change = (id: string, changes: Partial<SeriesSlot>) =>
    onChange(slots.map((it) => (it.id === id ? { ...it, ...changes } : it)));
  return (
    <FieldGroup name="slots" label={after ? "Further times a day" : "Times a day"} error={error}>
      {slots.length > 0 && (
        <ul className="grid grid-cols-1 gap-3 pb-1">
          {slots.map((slot, place) => (
            <li key={slot.id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 rounded-large bg-sunken p-3">
              <SlotFields
                slot={slot}
                place={place}
                bookable={bookable}
                onChange={(changes) => change(slot.id, changes)}
              />
              {(after || slots.length > 1) && (
                <IconButton
                  label={`Remove ${formatTime(slot.start_time)}`}
                  className="mt-5"
                  onClick={() => onChange(slots.filter((it) => it.id !== slot.id))}
                >
                  <Trash2 />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      <Button
        kind="quiet"
        className="justify-self-start"
        icon={<Plus aria-hidden className="size-5" />}
        onClick={() => onChange([...slots, slotAfter(slots.at(-1) ?? after)])}
      >
        Add another time
      </Button>
    </FieldGroup>
  );
}

interface SlotFieldsProps {
  slot: SeriesSlot;
  place: number;
  bookable: readonly Bookable[];
  onChange: (changes: Partial<SeriesSlot>) => void;
}

function SlotFields({ slot, place, bookable, onChange }: SlotFieldsProps) {
  const { start_times, duration_options } = limits();
  const offered = bookable.filter((it) => !it.is_stay);
  const book = (chosen: string) => {
    const offering = offered.find((it) => it.id === chosen);
    const minutes = offering?.duration_minutes;
    onChange({
      offering_id: offering?.id ?? null,
      ...(chosen === "walk" || chosen === "dropin" ? { service_type: chosen } : {}),
      ...(minutes && { duration_minutes: minutes }),
    });
  };
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-2">
      <Select
        name={`slots.${place}.start_time`}
        label="Start time"
        value={slot.start_time}
        onChange={(start_time) => onChange({ start_time })}
        options={withOwn(
          start_times.map((value) => ({ value, label: formatTime(value) })),
          slot.start_time,
          formatTime,
        )}
      />
      <Select
        name={`slots.${place}.duration_minutes`}
        label="Duration"
        value={slot.duration_minutes}
        onChange={(duration_minutes) => onChange({ duration_minutes })}
        options={withOwn(
          duration_options.map((it) => ({ value: it.minutes, label: it.label })),
          slot.duration_minutes,
          formatDuration,
        )}
      />
      <Select
        name={`slots.${place}.offering_id`}
        label="Type"
        value={slot.offering_id ?? slot.service_type}
        onChange={book}
        options={withOwn<string>(
          catalogue(offered),
          slot.offering_id ?? "",
          () => "An offering that is no longer here",
        )}
      />
    </div>
  );
}

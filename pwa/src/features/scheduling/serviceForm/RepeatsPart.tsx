/** Owns 'Repeats' in the form of a new service, and the sentence that says what was chosen. */
import { Repeat } from "lucide-react";
import { plusDays } from "../../../core";
import { DateField } from "../../../ui";
import { EndFields, RepeatsSelect, RuleFields, SlotsFields } from "../series/RepeatFields";
import { choicesThatStay, kindOf, repeatsFrom, ruleFrom, slotsOf, TRIP, tripFrom } from "../series/repeats";
import { TripFields, type TripValues, withSlots } from "../series/TripFields";
import type { Repeats } from "./fields";
import type { OpenForm } from "./useServiceForm";

/** Days after the first one that a last day is proposed. */
const PROPOSED_DAYS = 27;

export function RepeatsPart({ form }: { form: OpenForm }) {
  const { shown, booked, bookable, repeats, preview, repeat, wrong } = form;
  if (booked?.is_stay) return null;
  const { date } = shown;
  const set = (changes: Partial<Repeats>) => repeats && repeat({ ...repeats, ...changes });
  const own = { ...shown, offering_id: shown.offering_id ?? null };
  // Decisions on dates go with them.
  const setDates = (changes: Pick<Repeats, "rule"> | Pick<Repeats, "end">) => set({ ...changes, choices: [] });
  return (
    <>
      <RepeatsSelect
        value={repeats && (repeats.trip ? TRIP : kindOf(repeats.rule))}
        onChange={(kind) => {
          if (kind === null) repeat(null);
          else if (kind === TRIP) repeat(tripFrom(date, own));
          else if (repeats?.trip) repeat(repeatsFrom(kind, date));
          else if (repeats) setDates({ rule: ruleFrom(kind, date) });
          else repeat(repeatsFrom(kind, date));
        }}
      />
      {repeats?.trip ? (
        <TripPart form={form} repeats={repeats} trip={repeats.trip} set={set} />
      ) : (
        repeats && (
          <>
            <RuleFields rule={repeats.rule} date={date} onChange={(rule) => setDates({ rule })} error={wrong("rule")} />
            <EndFields
              end={repeats.end}
              min={date}
              proposed={date && plusDays(date, PROPOSED_DAYS)}
              onChange={(end) => setDates({ end })}
              error={wrong("end")}
            />
            <SlotsFields
              slots={repeats.more}
              after={own}
              bookable={bookable}
              onChange={(more) => set({ more, choices: choicesThatStay(repeats.choices) })}
              error={wrong("slots")}
            />
            <Sentence text={preview?.sentence} />
          </>
        )
      )}
    </>
  );
}

interface TripPartProps {
  form: OpenForm;
  repeats: Repeats;
  trip: TripValues;
  set: (changes: Partial<Repeats>) => void;
}

/** A trip: its last day, its times, and what it has beside them. */
function TripPart({ form: { shown, bookable, preview, wrong }, repeats, trip, set }: TripPartProps) {
  const { end } = repeats;
  return (
    <>
      <DateField
        name="end"
        label="Last day of the trip"
        min={shown.date}
        value={end.kind === "on" ? end.date : ""}
        onChange={(date) => set({ end: date ? { kind: "on", date } : { kind: "never" }, choices: [] })}
        error={wrong("end")}
      />
      <SlotsFields
        slots={repeats.more}
        after={{ ...shown, offering_id: shown.offering_id ?? null }}
        bookable={bookable}
        onChange={(more) => {
          const slots = slotsOf({ ...repeats, more }, shown);
          set({ more, trip: withSlots(trip, slots), choices: choicesThatStay(repeats.choices) });
        }}
        error={wrong("slots")}
      />
      <TripFields
        trip={trip}
        slots={slotsOf(repeats, shown)}
        bookable={bookable}
        onChange={(changes) => set({ trip: { ...trip, ...changes }, choices: choicesThatStay(repeats.choices) })}
        wrong={wrong}
      />
      <Sentence text={preview?.sentence} />
    </>
  );
}

/** `Every weekday at 12:00 PM, until you stop it`, as one edits it. */
export function Sentence({ text }: { text: string | undefined }) {
  return (
    <p role="status" className="num flex items-start gap-2 font-bold empty:hidden">
      {text && (
        <>
          <Repeat aria-hidden className="mt-0.5 size-5 shrink-0" />
          {text}
        </>
      )}
    </p>
  );
}

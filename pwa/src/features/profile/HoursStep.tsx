/** Owns the last step of a new profile: on which days, from when to when. Finer hours are set in the schedule. */
import { useState } from "react";
import { Link } from "wouter";
import { type Command, limits, newId, type Pattern } from "../../core";
import { useDraft, useReplica } from "../../data";
import { ANY_TIME, hoursOf, WITHOUT_HOURS, weekdays } from "../../parts/availabilityText";
import { Banner, Form, Skeleton, SubmitButton, Switch, TimeField } from "../../ui";
import { StepButtons } from "./StepButtons";
import { useSaveAll } from "./useSaveAll";

interface Hours {
  is_active: boolean;
  start_time: string;
  end_time: string;
}

const KEY = "profile-setup:hours";

interface HoursStepProps {
  onBack: () => void;
  onDone: () => void;
}

export function HoursStep({ onBack, onDone }: HoursStepProps) {
  const patterns = useReplica((phone) => phone.patterns());
  const [fresh] = useState(() => newId());
  const usual = useReplica((phone) => phone.newPattern(fresh));
  const draft = useDraft<{ days: Record<number, Partial<Hours>> }>(KEY, { days: {} });
  const { errors, problem, saveAll } = useSaveAll(KEY, draft, "Failed to create availability pattern");

  const days = weekdays().map((name, day) => {
    const known = patterns.filter((it) => it.day_of_week === day);
    const stored: Hours = known[0] ?? { ...usual, is_active: false };
    return { name, day, known, stored, hours: { ...stored, ...draft.value.days[day] } };
  });
  const set = (day: number, change: Partial<Hours>) =>
    draft.set({ days: { ...draft.value.days, [day]: { ...draft.value.days[day], ...change } } });

  const send = async () => {
    const work = days.flatMap((it) => {
      const { name, day, hours } = it;
      const command = commandOf(it);
      const sentence = hours.is_active ? `Set hours: ${name}, ${hoursOf(hours)}` : `Switch off hours: ${name}`;
      return command ? [{ command, sentence, name, line: day }] : [];
    });
    if (await saveAll(work)) onDone();
  };

  if (!draft.ready) return <Skeleton className="h-110 w-full" />;
  return (
    <Form errors={errors} error={problem} onSubmit={send}>
      <ul className="grid">
        {days.map((it) => (
          <DayRow key={it.day} day={it} onChange={(change) => set(it.day, change)} />
        ))}
      </ul>
      <Banner kind="plain">
        {WITHOUT_HOURS} Breaks, days off and finer hours are set in the schedule, under Availability.
      </Banner>
      <StepButtons onBack={onBack}>
        <SubmitButton>Finish</SubmitButton>
      </StepButtons>
    </Form>
  );
}

interface DayRowProps {
  day: Day;
  onChange: (change: Partial<Hours>) => void;
}

function DayRow({ day: { name, day, known, hours }, onChange }: DayRowProps) {
  return (
    <li className="grid items-center gap-x-4 border-b border-line py-1 md:min-h-16 md:grid-cols-2">
      <Switch
        name=""
        label={name}
        checked={hours.is_active}
        disabled={known.length > 1}
        onChange={(is_active) => onChange({ is_active })}
      />
      {known.length > 1 ? (
        <p className="text-14 text-ink-2">
          {known.length} patterns,{" "}
          <Link to="/scheduling?view=availability" className="font-medium underline underline-offset-2">
            see Availability
          </Link>
        </p>
      ) : (
        (hours.is_active && (
          <div className="grid pair gap-2 pb-2 md:pb-0">
            <TimeField
              name={`start_time.${day}`}
              label={`${name} from`}
              hideLabel
              stepMinutes={limits().calendar_step_minutes}
              value={hours.start_time}
              onChange={(start_time) => onChange({ start_time })}
            />
            <TimeField
              name={`end_time.${day}`}
              label={`${name} to`}
              hideLabel
              stepMinutes={limits().calendar_step_minutes}
              value={hours.end_time}
              onChange={(end_time) => onChange({ end_time })}
            />
          </div>
        )) || <p className="pb-2 text-14 text-ink-2 md:pb-0">{ANY_TIME}</p>
      )}
    </li>
  );
}

interface Day {
  /** Name of the weekday. */
  name: string;
  /** From 0, which is Sunday. */
  day: number;
  known: readonly Pattern[];
  stored: Hours;
  hours: Hours;
}

/** Returns the command that gives a day the form's hours; nothing where it has them. */
function commandOf({ day, known, stored, hours }: Day): Command | undefined {
  const [pattern, ...others] = known;
  if (others.length > 0) return undefined;
  const { is_active, start_time, end_time } = hours;
  const isSame = is_active === stored.is_active && (!is_active || hoursOf(hours) === hoursOf(stored));
  if (isSame) return undefined;
  if (!pattern) {
    return { name: "create_pattern", args: { id: newId(), pattern: { day_of_week: day, start_time, end_time } } };
  }
  const changes = is_active ? { is_active, start_time, end_time } : { is_active };
  return { name: "update_pattern", args: { id: pattern.id, changes } };
}

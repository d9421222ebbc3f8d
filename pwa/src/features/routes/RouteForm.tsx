/** Owns what a person says of the walk that they want (SPEC 2 and 5, Route generator). */
import { Minus, Plus } from "lucide-react";
import type { DogSize, Hilliness, Pace, Preferences } from "../../core";
import { routeMinutes, routeNumbers } from "../../core/walk";
import { Checkbox, FieldGroup, IconButton, NumberField, Segmented, Select } from "../../ui";
import type { RouteSettings } from "./routeSettings";
import type { Start } from "./start";

/** Values of the form. */
export interface RouteQuestion extends RouteSettings {
  /** The key of a `Start`. */
  start: string;
  /** Minutes of the row of buttons, or `OTHER`. */
  minutes: number;
  /** Minutes as typed, where that is `OTHER`. */
  typed: number | null;
  dogs: number;
  sizes: DogSize[];
  /** Eighths of a circle from the north, or `ANYWHERE`. */
  towards: number;
}

export const OTHER = 0;
const ANYWHERE = -1;

/** The walk's length in minutes, by the rule for what was typed. */
export const minutesOf = ({ minutes, typed }: RouteQuestion): number =>
  minutes === OTHER ? routeMinutes(typed ?? undefined) : minutes;

export const towardsOf = ({ towards }: RouteQuestion): number | null => (towards === ANYWHERE ? null : towards);

export const firstQuestion = (wishes: RouteSettings, start: string): RouteQuestion => ({
  ...wishes,
  start,
  minutes: routeNumbers().default_minutes,
  typed: null,
  dogs: 1,
  sizes: [],
  towards: ANYWHERE,
});

const PACES: { value: Pace; label: string }[] = [
  { value: "slow", label: "Slow" },
  { value: "normal", label: "Normal" },
  { value: "fast", label: "Fast" },
];

const TERRAINS: { value: Hilliness; label: string }[] = [
  { value: "flat", label: "Flat" },
  { value: "any", label: "Any" },
  { value: "hilly", label: "Hilly" },
];

const SIZES: { value: DogSize; label: string }[] = [
  { value: "small", label: "Small" },
  { value: "medium", label: "Medium" },
  { value: "large", label: "Large" },
];

const PREFERENCES: { value: Exclude<keyof Preferences, "hilliness">; label: string }[] = [
  { value: "avoidHighways", label: "Avoid busy streets" },
  { value: "preferParks", label: "Prefer parks" },
  { value: "includeWaterStops", label: "Water stops" },
  { value: "shadedPaths", label: "Shaded paths" },
  { value: "onWheels", label: "Stroller or wheelchair" },
];

const DIRECTIONS = ["Any direction", "North", "North-east", "East", "South-east", "South", "South-west", "West"]
  .concat("North-west")
  .map((label, at) => ({ value: at - 1, label }));

interface RouteFormProps {
  question: RouteQuestion;
  onChange: (change: Partial<RouteQuestion>) => void;
  starts: readonly Start[];
}

export function RouteForm({ question, onChange, starts }: RouteFormProps) {
  const { preferences } = question;
  const prefer = (change: Partial<Preferences>) => onChange({ preferences: { ...preferences, ...change } });
  return (
    <div className="grid grid-cols-1 gap-5">
      <Select
        name="start"
        label="From"
        value={question.start}
        onChange={(start) => onChange({ start })}
        options={starts.map(({ key, label }) => ({ value: key, label }))}
      />
      <div className="grid gap-3">
        <Named label="Duration">
          <Durations question={question} onChange={onChange} />
        </Named>
        {question.minutes === OTHER && <TypedMinutes question={question} onChange={onChange} />}
      </div>
      <Named label="Pace">
        <Segmented label="Pace" value={question.pace} onChange={(pace) => onChange({ pace })} options={PACES} />
      </Named>
      <div className="grid gap-5 sm:grid-cols-2">
        <Dogs dogs={question.dogs} onChange={(dogs) => onChange({ dogs })} />
        <FieldGroup name="sizes" label="Their sizes">
          <div className="flex flex-wrap gap-x-4">
            {SIZES.map(({ value, label }) => (
              <Checkbox
                key={value}
                name=""
                label={label}
                checked={question.sizes.includes(value)}
                onChange={(checked) =>
                  onChange({
                    sizes: checked ? [...question.sizes, value] : question.sizes.filter((it) => it !== value),
                  })
                }
              />
            ))}
          </div>
        </FieldGroup>
      </div>
      <FieldGroup name="preferences" label="Preferences">
        <div className="grid gap-x-5 sm:grid-cols-2">
          {PREFERENCES.map(({ value, label }) => (
            <Checkbox
              key={value}
              name=""
              label={label}
              checked={preferences[value] ?? false}
              onChange={(checked) => prefer({ [value]: checked })}
            />
          ))}
        </div>
      </FieldGroup>
      <Named label="Terrain">
        <Segmented
          label="Terrain"
          value={preferences.hilliness}
          onChange={(hilliness) => prefer({ hilliness })}
          options={TERRAINS}
        />
      </Named>
      <Select
        name="towards"
        label="Start heading"
        value={question.towards}
        onChange={(towards) => onChange({ towards })}
        options={DIRECTIONS}
      />
    </div>
  );
}

interface DurationsProps {
  question: RouteQuestion;
  onChange: (change: Partial<RouteQuestion>) => void;
}

/** The row of buttons; beside the results it asks again at once. */
export function Durations({ question, onChange }: DurationsProps) {
  const options = routeNumbers().durations.map((it) => ({
    value: it,
    label: (
      <>
        {it}
        <span className={it === question.minutes ? undefined : "sr-only"}> min</span>
      </>
    ),
  }));
  return (
    <Segmented
      label="Duration"
      value={question.minutes}
      onChange={(minutes) =>
        // Who wants another begins with what was there.
        onChange(minutes === OTHER ? { minutes, typed: question.typed ?? minutesOf(question) } : { minutes })
      }
      options={[...options, { value: OTHER, label: "Other" }]}
    />
  );
}

export function TypedMinutes({ question, onChange }: DurationsProps) {
  const { min_minutes, max_minutes } = routeNumbers();
  return (
    <NumberField
      name="minutes"
      label="Minutes"
      hint={`${min_minutes} to ${max_minutes}`}
      unit="min"
      value={question.typed}
      onChange={(typed) => onChange({ typed })}
    />
  );
}

function Dogs({ dogs, onChange }: { dogs: number; onChange: (dogs: number) => void }) {
  return (
    <FieldGroup name="dogs" label="Dogs">
      <div className="flex items-center gap-3">
        <IconButton label="One dog fewer" kind="square" disabled={dogs <= 1} onClick={() => onChange(dogs - 1)}>
          <Minus />
        </IconButton>
        <output aria-label="Dogs" className="num w-8 text-center text-20 font-bold">
          {dogs}
        </output>
        <IconButton
          label="One dog more"
          kind="square"
          disabled={dogs >= routeNumbers().max_dogs}
          onClick={() => onChange(dogs + 1)}
        >
          <Plus />
        </IconButton>
      </div>
    </FieldGroup>
  );
}

function Named({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="grid gap-1">
      <p aria-hidden className="text-14 font-medium">
        {label}
      </p>
      {children}
    </div>
  );
}

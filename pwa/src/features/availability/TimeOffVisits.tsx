/**
 * Owns the visits in a time that is to be blocked: by day, each to be cancelled, moved or kept, and all at once; and the
 * messages to their clients.
 */
import type { TimeOffChoice, TimeOffPlan, TimeOffVisit, TimeOffWay } from "../../core";
import { Button, DateField, Segmented, Switch, TextArea, TimeField } from "../../ui";
import { hintFor, type TimeOffFields, textFor, visitsOf, withText } from "./timeOff";

interface TimeOffVisitsProps {
  plan: TimeOffPlan;
  fields: TimeOffFields;
  today: string;
  onChange: (change: Partial<TimeOffFields>) => void;
}

const WAYS: readonly { value: TimeOffWay; label: string }[] = [
  { value: "cancel", label: "Cancel" },
  { value: "move", label: "Move" },
  { value: "keep", label: "Keep" },
];

const countOf = (visits: number): string => (visits === 1 ? "1 visit" : `${visits} visits`);

export function TimeOffVisits({ plan, fields, today, onChange }: TimeOffVisitsProps) {
  const visits = visitsOf(plan);
  if (visits.length === 0) return <div role="status" />;
  const choose = (...decided: TimeOffChoice[]) => {
    const ids = new Set(decided.map((it) => it.id));
    onChange({ choices: [...fields.choices.filter((it) => !ids.has(it.id)), ...decided] });
  };
  const all = (way: TimeOffWay) =>
    choose(...visits.filter((it) => !it.is_fixed && (way !== "move" || !it.is_stay)).map((it) => decided(it, way)));
  return (
    <section aria-labelledby="time-off-visits" className="grid grid-cols-1 gap-4">
      <div role="status" className="grid gap-1">
        <h3 id="time-off-visits" className="num text-16 font-bold">
          {countOf(visits.length)} in this time
        </h3>
        {plan.more > 0 && (
          <p className="num text-14 text-ink-2">
            {plan.more === 1
              ? "1 more visit is not listed here. It is kept."
              : `${plan.more} more visits are not listed here. They are kept.`}
          </p>
        )}
      </div>
      {plan.open > 1 && (
        <fieldset className="flex flex-wrap gap-2">
          <legend className="pb-1 text-14 text-ink-2">For all of them</legend>
          <Button kind="quiet" onClick={() => all("cancel")}>
            Cancel all
          </Button>
          {visits.some((it) => !it.is_fixed && !it.is_stay) && (
            <Button kind="quiet" onClick={() => all("move")}>
              Move all
            </Button>
          )}
          <Button kind="quiet" onClick={() => all("keep")}>
            Keep all
          </Button>
        </fieldset>
      )}
      {plan.days.map((day) => (
        <div key={day.date} className="grid grid-cols-1 gap-2">
          <h4 className="text-14 font-bold text-ink-2">{day.heading}</h4>
          <ul className="grid grid-cols-1 gap-2">
            {day.visits.map((it) => (
              <Visit key={it.choice.id} visit={it} place={visits.indexOf(it)} today={today} onChoose={choose} />
            ))}
          </ul>
        </div>
      ))}
      {plan.clients.length > 0 && <Messages plan={plan} fields={fields} onChange={onChange} />}
    </section>
  );
}

/** A decision on a visit, without a new time: the nearest free one is found for it. */
const decided = ({ choice }: TimeOffVisit, way: TimeOffWay): TimeOffChoice => ({
  id: choice.id,
  client_id: choice.client_id,
  date: choice.date,
  start_time: choice.start_time,
  way,
});

interface VisitProps {
  visit: TimeOffVisit;
  /** Its place in the command. */
  place: number;
  today: string;
  onChoose: (choice: TimeOffChoice) => void;
}

function Visit({ visit, place, today, onChoose }: VisitProps) {
  const { choice, client_name, dogs, time } = visit;
  const name = `${client_name}, ${time}`;
  return (
    <li className="grid grid-cols-1 gap-2 rounded-large border border-line p-3">
      <p className="num min-w-0 wrap-anywhere">
        <span className="font-medium">
          {time}, <bdi>{client_name}</bdi>
        </span>
        <span className="block text-14 text-ink-2">{dogs}</span>
      </p>
      {visit.is_fixed ? (
        <p className="text-14 text-ink-2">Under way, invoiced or paid: it stays as it is.</p>
      ) : (
        <Segmented
          label={name}
          value={choice.way}
          onChange={(way) => onChoose(decided(visit, way))}
          options={visit.is_stay ? WAYS.filter((it) => it.value !== "move") : WAYS}
        />
      )}
      {choice.way === "move" && <NewTime visit={visit} place={place} today={today} onChoose={onChoose} />}
    </li>
  );
}

function NewTime({ visit, place, today, onChoose }: VisitProps) {
  const { choice, free, to, is_taken } = visit;
  const others = free.filter((it) => it.date !== choice.to_date || it.start_time !== choice.to_start_time);
  const moveTo = (change: Pick<Partial<TimeOffChoice>, "to_date" | "to_start_time">) =>
    onChoose({ ...choice, ...change });
  return (
    <div className="grid grid-cols-1 gap-2">
      <p role="status" className={is_taken || !to ? "num text-14 text-danger" : "num text-14"}>
        {to
          ? is_taken
            ? `${to} is taken`
            : `Moves to ${to}`
          : "No free time found. Choose one, or cancel or keep this visit."}
      </p>
      {others.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {others.map(({ date, start_time, label }) => (
            <Button key={label} kind="quiet" onClick={() => moveTo({ to_date: date, to_start_time: start_time })}>
              {label}
            </Button>
          ))}
        </div>
      )}
      <div className="grid pair items-start gap-4">
        <DateField
          name={`visits.${place}.to_date`}
          label="New day"
          min={today}
          value={choice.to_date ?? ""}
          onChange={(to_date) => to_date && moveTo({ to_date })}
        />
        <TimeField
          name={`visits.${place}.to_start_time`}
          label="New start"
          value={choice.to_start_time ?? ""}
          onChange={(to_start_time) => to_start_time && moveTo({ to_start_time })}
        />
      </div>
    </div>
  );
}

function Messages({ plan, fields, onChange }: Omit<TimeOffVisitsProps, "today">) {
  const { clients } = plan;
  return (
    <div className="grid grid-cols-1 gap-3 border-t border-line pt-3">
      <Switch
        name="tells"
        label={clients.length === 1 ? "Write to the client" : `Write to the ${clients.length} clients`}
        hint="One message each, about all of their visits."
        checked={fields.tells}
        onChange={(tells) => onChange({ tells })}
      />
      {fields.tells &&
        clients.map((it, place) => {
          const times = hintFor(it, fields);
          return (
            <TextArea
              key={it.id}
              name={`messages.${place}.content`}
              label={`Message to ${it.name}`}
              reader="message.content"
              hint={
                <>
                  {it.told}
                  {times && <span className="block text-danger">{times}</span>}
                </>
              }
              value={textFor(it, fields)}
              onChange={(text) => onChange(withText(fields, it, text))}
            />
          );
        })}
    </div>
  );
}

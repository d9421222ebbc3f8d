/** Owns the choice of what a report shows to whom. What is not chosen here stays on the phone. */
import { useState } from "react";
import { Link } from "wouter";
import type { ClientCard, Units } from "../../core";
import type { Audience, WalkEvent } from "../../core/walk";
import { useReplica } from "../../data";
import { aroundHome, clock, type DogAlong, names } from "../../parts/walk/walkText";
import { Button, Checkbox, TextArea } from "../../ui";
import { eventText } from "./events";
import type { ReportDraft } from "./useReport";
import { WalkPhoto } from "./WalkFacts";

interface ReportFieldsProps {
  report: ReportDraft;
  events: readonly WalkEvent[];
  /** There is something to show on a map. */
  hasMap: boolean;
  /** The words for each client are written elsewhere. */
  withoutNotes?: boolean;
}

export function ReportFields({ report, events, hasMap, withoutNotes = false }: ReportFieldsProps) {
  const { value, set, along, showMap, showHomes, audience } = report;
  const clients = useReplica((phone) => phone.clients(""));
  const [choosing, setChoosing] = useState(value.dog_ids.length === 0);
  const units = useReplica((phone) => phone.units());
  const together = along.length > 1;
  const dogs = along.flatMap((it) => it.dogs);
  return (
    <>
      {choosing ? (
        <Dogs clients={clients} chosen={value.dog_ids} onChoose={(dog_ids) => set({ dog_ids })} />
      ) : (
        <div className="flex items-center justify-between gap-3">
          <p className="min-w-0">
            With {names(dogs.map((it) => it.name))}
            <span className="block text-14 text-ink-2">{names(along.map((it) => it.client.name))}</span>
          </p>
          <Button kind="plain" className="shrink-0" onClick={() => setChoosing(true)}>
            Change
          </Button>
        </div>
      )}
      {!withoutNotes &&
        along.map(({ client }) => (
          <TextArea
            key={client.id}
            name={`note-${client.id}`}
            label={`Message to ${client.name}`}
            optional
            rows={2}
            reader="report.note"
            value={value.notes[client.id] ?? ""}
            onChange={(note) => set({ notes: { ...value.notes, [client.id]: note } })}
          />
        ))}
      {along.length > 0 && events.length > 0 && (
        <section className="grid gap-2" aria-labelledby="report-events">
          <h3 id="report-events" className="font-bold">
            What happened
          </h3>
          {together && (
            <p className="text-14 text-ink-2 text-pretty">
              Photos and notes go only to those you choose, so that nobody sees another client's pet.
            </p>
          )}
          <ul className="grid divide-y divide-line border-y border-line">
            {events.map((event) => (
              <EventChoice
                key={event.id}
                event={event}
                along={along}
                dogs={dogs}
                audience={audience(event)}
                onChange={(client_ids) => set({ events: { ...value.events, [event.id]: client_ids } })}
              />
            ))}
          </ul>
        </section>
      )}
      {hasMap && (
        <Checkbox
          name="show_map"
          label="Show the map"
          hint={showMap ? "The line you walked, and what happened where." : "The report does not say where you walked."}
          checked={showMap}
          onChange={(show_map) => set({ show_map })}
        />
      )}
      {hasMap && showMap && (
        <Checkbox
          name="show_homes"
          label={together ? "Show the way to their doors" : "Show the way to the door"}
          hint={homesHint(showHomes, together, units)}
          checked={showHomes}
          onChange={(show_homes) => set({ show_homes })}
        />
      )}
    </>
  );
}

/** Says who sees the homes: a report is open to all who have its link. */
function homesHint(shown: boolean, together: boolean, units: Units): string {
  if (shown) {
    return together
      ? "Everyone with a link to these reports sees where all these pets live."
      : "Everyone with the report's link sees where this pet lives.";
  }
  return `The map leaves out ${aroundHome(units)} around each home, for everyone with the link.`;
}

interface DogsProps {
  clients: readonly ClientCard[];
  chosen: readonly string[];
  onChoose: (dogIds: string[]) => void;
}

function Dogs({ clients, chosen, onChoose }: DogsProps) {
  // Those who were chosen come first, and stay where they are while others are.
  const [first] = useState(chosen);
  const isFirst = ({ dogs }: ClientCard) => dogs.some((it) => first.includes(it.id));
  const owners = clients.filter((it) => it.dogs.length > 0);
  if (owners.length === 0) {
    return (
      <p className="text-ink-2 text-pretty">
        A report goes to a client, and there is none with a pet yet.{" "}
        <Link to="/clients" className="hit font-bold text-ink underline underline-offset-2">
          Add one
        </Link>
      </p>
    );
  }
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1 font-bold">Who was along?</legend>
      {owners
        .toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)))
        .map(({ client, dogs }) => (
          <div key={client.id}>
            <p className="text-14 text-ink-2">{client.name}</p>
            {dogs.map((dog) => (
              <Checkbox
                key={dog.id}
                name=""
                label={dog.name}
                checked={chosen.includes(dog.id)}
                onChange={(is) => onChoose(is ? [...chosen, dog.id] : chosen.filter((it) => it !== dog.id))}
              />
            ))}
          </div>
        ))}
    </fieldset>
  );
}

interface EventChoiceProps {
  event: WalkEvent;
  along: readonly ClientCard[];
  dogs: readonly DogAlong[];
  audience: Audience;
  onChange: (clientIds: string[]) => void;
}

function EventChoice({ event, along, dogs, audience: { may, shown }, onChange }: EventChoiceProps) {
  const said = `${clock(event.timestamp)} · ${eventText(event, dogs)}`;
  const choose = (id: string, is: boolean) => onChange(is ? [...shown, id] : shown.filter((it) => it !== id));
  // Nobody is offered what is of others' dogs alone.
  const owners = along.filter((it) => may.includes(it.client.id));
  const [only] = owners;
  return (
    <li className="num flex items-center gap-3 py-1">
      <div className="min-w-0 flex-1">
        {along.length === 1 && only ? (
          <Checkbox
            name=""
            label={<span className="wrap-anywhere">{said}</span>}
            checked={shown.includes(only.client.id)}
            onChange={(is) => choose(only.client.id, is)}
          />
        ) : (
          <fieldset className="py-2">
            <legend className="contents">
              <span className="wrap-anywhere">{said}</span>
            </legend>
            {owners.length === 0 && <p className="text-14 text-ink-2">None of these pets: not in any report.</p>}
            <div className="flex flex-wrap gap-x-5">
              {owners.map(({ client, dogs }) => (
                <Checkbox
                  key={client.id}
                  name=""
                  label={names(dogs.map((it) => it.name))}
                  checked={shown.includes(client.id)}
                  onChange={(is) => choose(client.id, is)}
                />
              ))}
            </div>
          </fieldset>
        )}
      </div>
      {event.type === "photo" && <WalkPhoto event={event} className="size-16 shrink-0" />}
    </li>
  );
}

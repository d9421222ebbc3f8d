/** Owns the choice of what a report shows to whom. What is not chosen here stays on the phone. */
import { useState } from "react";
import { Link } from "wouter";
import { type ClientCard, newId } from "../../core";
import { reportAudience, sharedWalk, type Walk, type WalkEvent, type WalkTrace } from "../../core/walk";
import { business, type StoredPhoto, save, useDraft, useReplica } from "../../data";
import { getWalkPhoto } from "../../data/walkLog";
import { type ReportChoice, type WalkRow } from "../../data/walks";
import { Button, Checkbox, Dialog, DialogActions, Form, type FormProblem, SubmitButton, TextArea } from "../../ui";
import { WalkPhoto } from "./WalkFacts";
import { clock, EVENT_NAMES, names } from "./words";

interface ShareDialogProps {
  row: WalkRow;
  walk: Walk;
  trace: WalkTrace;
  chosen: ReportChoice | undefined;
  /** The entry of Needs attention that this answers. */
  resolves: string | undefined;
  onClose: () => void;
  onShared: (chosen: ReportChoice) => void;
}

export function ShareDialog({ row, walk, trace, chosen, resolves, onClose, onShared }: ShareDialogProps) {
  const clients = useReplica((phone) => phone.clients(""));
  const service = useReplica((phone) => (row.service_id ? phone.service(row.service_id) : undefined));
  const first: ReportChoice = chosen ?? {
    dog_ids: row.dog_ids ?? service?.dog_ids ?? [],
    show_map: null,
    notes: {},
    events: {},
  };
  const key = `report-${row.id}`;
  const { value, set, ready } = useDraft(key, first);
  const [choosing, setChoosing] = useState(first.dog_ids.length === 0);

  const along = clients
    .map((it) => ({ ...it, dogs: it.dogs.filter((dog) => value.dog_ids.includes(dog.id)) }))
    .filter((it) => it.dogs.length > 0);
  const ids = along.map((it) => it.client.id);
  const together = along.length > 1;
  const showMap = value.show_map ?? !together;
  const audience = (event: WalkEvent) =>
    value.events[event.id]?.filter((id) => ids.includes(id)) ?? reportAudience(event.type, event.note, ids);

  const share = async (): Promise<FormProblem | false> => {
    const photos: StoredPhoto[] = [];
    const events = await Promise.all(
      trace.events.map(async (event) => {
        const client_ids = audience(event);
        const blob = event.type === "photo" && client_ids.length > 0 ? await getWalkPhoto(event.id) : undefined;
        if (!blob) return { id: event.id, photo: null, client_ids };
        const photo = { id: newId(), full: blob, waiting: true, stored_at: Date.now() };
        photos.push(photo);
        return { id: event.id, photo: photo.id, client_ids };
      }),
    );
    const known = business().phone.reports(row.id);
    const result = await save(
      {
        name: "share_walk",
        args: {
          id: row.id,
          walk: sharedWalk(walk, trace, { show_map: showMap, events }),
          reports: along.map(({ client, dogs }) => ({
            id: known.find((it) => it.client_id === client.id)?.id ?? newId(),
            client_id: client.id,
            dog_ids: dogs.map((it) => it.id),
            note: value.notes[client.id] ?? "",
          })),
        },
      },
      `Share the walk with ${names(along.flatMap((it) => it.dogs.map((dog) => dog.name)))}`,
      { draft: key, photos, resolves },
    );
    if (!result.ok) return result;
    onShared({ ...value, taken_back: false });
    return false;
  };

  return (
    <Dialog open title="Share report" sub="Each client gets a page of their own." onClose={onClose}>
      {ready && (
        <Form onSubmit={share} failed="Failed to share report" className="gap-5">
          {choosing ? (
            <Dogs clients={clients} chosen={value.dog_ids} onChoose={(dog_ids) => set({ dog_ids })} />
          ) : (
            <div className="flex items-center justify-between gap-3">
              <p className="min-w-0">
                With {names(along.flatMap((it) => it.dogs.map((dog) => dog.name)))}
                <span className="block text-14 text-ink-2">{names(along.map((it) => it.client.name))}</span>
              </p>
              <Button kind="plain" className="shrink-0" onClick={() => setChoosing(true)}>
                Change
              </Button>
            </div>
          )}
          {along.map(({ client }) => (
            <TextArea
              key={client.id}
              name={`note-${client.id}`}
              label={`A word for ${client.name}`}
              optional
              rows={2}
              value={value.notes[client.id] ?? ""}
              onChange={(note) => set({ notes: { ...value.notes, [client.id]: note } })}
            />
          ))}
          {along.length > 0 && trace.events.length > 0 && (
            <section className="grid gap-2" aria-labelledby="report-events">
              <h3 id="report-events" className="font-bold">
                What happened
              </h3>
              {together && (
                <p className="text-14 text-ink-2 text-pretty">
                  Photos and notes go only to those you choose, so that nobody sees another client's dog.
                </p>
              )}
              <ul className="grid divide-y divide-line border-y border-line">
                {trace.events.map((event) => (
                  <EventChoice
                    key={event.id}
                    event={event}
                    along={along}
                    shownTo={audience(event)}
                    onChange={(client_ids) => set({ events: { ...value.events, [event.id]: client_ids } })}
                  />
                ))}
              </ul>
            </section>
          )}
          <Checkbox
            name="show_map"
            label="Show the map"
            hint={mapHint(showMap, together)}
            checked={showMap}
            onChange={(show_map) => set({ show_map })}
          />
          <DialogActions>
            <Button kind="quiet" onClick={onClose}>
              Cancel
            </Button>
            <SubmitButton>Share report</SubmitButton>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  );
}

function mapHint(shown: boolean, together: boolean): string {
  if (!shown) return "No position leaves this phone.";
  return together ? "It also shows where the other dogs live." : "The line of the walk, with what happened where.";
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
  /** Ids of clients. */
  shownTo: readonly string[];
  onChange: (clientIds: string[]) => void;
}

function EventChoice({ event, along, shownTo, onChange }: EventChoiceProps) {
  const text = event.note || EVENT_NAMES[event.type];
  const said = `${clock(event.timestamp)} · ${text}`;
  const choose = (id: string, is: boolean) => onChange(is ? [...shownTo, id] : shownTo.filter((it) => it !== id));
  const [only] = along;
  return (
    <li className="num flex items-center gap-3 py-1">
      <div className="min-w-0 flex-1">
        {along.length === 1 && only ? (
          <Checkbox
            name=""
            label={<span className="wrap-anywhere">{said}</span>}
            checked={shownTo.includes(only.client.id)}
            onChange={(is) => choose(only.client.id, is)}
          />
        ) : (
          <fieldset className="pt-2">
            <legend className="contents">
              <span className="wrap-anywhere">{said}</span>
            </legend>
            <div className="flex flex-wrap gap-x-5">
              {along.map(({ client, dogs }) => (
                <Checkbox
                  key={client.id}
                  name=""
                  label={names(dogs.map((it) => it.name))}
                  checked={shownTo.includes(client.id)}
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

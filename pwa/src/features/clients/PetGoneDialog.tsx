/** Owns saying that a pet is no longer with its people: since when, and what becomes of the visits that are to come. */
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import { formatDollars, type LeftVisit, type Pet, type PetDeparture, setApart } from "../../core";
import { useRead } from "../../data";
import { useToday } from "../../parts/dates";
import { Button, DateField, Dialog, DialogActions, Form, SubmitButton } from "../../ui";
import { depart } from "./inactive";

export function PetGoneDialog({ pet, onClose }: { pet: Pet; onClose: () => void }) {
  const today = useToday();
  const [on, setOn] = useState(today);
  const now = useMinute();
  const shown = useRead((phone) => phone.petDeparture(pet.id, on, now), pet.id, on, now);
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={
        <>
          <bdi>{pet.name}</bdi> is no longer with us
        </>
      }
      sub="For a pet that has died or moved away. It stays in photos, reports and invoices, and its people see it apart from their other pets."
    >
      {shown && (
        <Body
          name={setApart(pet.name)}
          shown={shown}
          on={on}
          max={today}
          // A day that was emptied is the one that was proposed.
          onDay={(it) => setOn(it || today)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface BodyProps {
  name: string;
  shown: PetDeparture;
  on: string;
  max: string;
  onDay: (day: string) => void;
  onClose: () => void;
}

function Body({ name, shown: { problem, visits, series, act }, on, max, onDay, onClose }: BodyProps) {
  const send = async () => {
    const text = await depart(act, {
      sentence: `${name} is no longer with us`,
      done: `${name} is no longer with us`,
      undone: `${name} is among the pets again`,
    });
    if (text) return { text };
    onClose();
    return undefined;
  };
  return (
    <Form onSubmit={send} failed="Failed to update pet" error={problem ?? undefined}>
      <DateField name="on" label="Since" value={on} max={max} onChange={onDay} />
      {series.length > 0 && (
        <section aria-label="Series" className="grid gap-1">
          <h3 className="font-bold">Series</h3>
          <ul className="list-disc pl-5">
            {series.map((it) => (
              <li key={it} className="wrap-anywhere">
                {it}
              </li>
            ))}
          </ul>
        </section>
      )}
      {visits.length > 0 ? (
        <section aria-label="Visits to come" className="grid gap-1">
          <h3 className="font-bold">Visits to come</h3>
          <p className="num text-14 text-ink-2">When this is done: {act.done}</p>
          <ul className="max-h-72 divide-y divide-line overflow-y-auto rounded-large border border-line bg-card">
            {visits.map((it) => (
              <Visit key={it.id} visit={it} />
            ))}
          </ul>
        </section>
      ) : (
        <p className="text-ink-2">No visit is to come.</p>
      )}
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Save</SubmitButton>
      </DialogActions>
    </Form>
  );
}

function Visit({ visit: { heading, time, becomes, price, new_price } }: { visit: LeftVisit }) {
  return (
    <li className="num grid gap-x-3 px-4 py-2">
      <span className="font-medium">
        {heading}, {time}
      </span>
      <span className="text-14 text-ink-2 wrap-anywhere">
        {becomes}
        {new_price !== null && `, ${formatDollars(new_price)} instead of ${formatDollars(price)}`}
      </span>
    </li>
  );
}

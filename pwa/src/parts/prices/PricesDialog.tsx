/**
 * Owns giving visits to come the prices of now: from which day on, which visits, what each costs before and after, and a way
 * back.
 */
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import { formatDollars, type PriceChange, type PricesOf, type Repricing, setApart } from "../../core";
import { business, save, useRead } from "../../data";
import { Button, confirm, DateField, Dialog, DialogActions, Form, SubmitButton, toast } from "../../ui";
import { useToday } from "../dates";
import { countVisits } from "../visit/visitText";

/** The client or the offering whose visits are meant. */
export interface PricedBy {
  of: PricesOf;
  id: string;
  name: string;
}

/** Asks whether visits that have the old price still are to be looked at; resolves with true if so. */
export async function offersNewPrices({ of, id }: Pick<PricedBy, "of" | "id">, today: string): Promise<boolean> {
  const phone = await business().wholePhone();
  const { changes, more } = phone.repricing(of, id, today, Date.now());
  const n = changes.length + more;
  if (n === 0) return false;
  return confirm({
    title: `${countVisits(n)} to come still ${n === 1 ? "has" : "have"} the old price`,
    text: "See what each would cost, and choose from which day on. Agreed prices stay as they are.",
    action: "See new prices",
    cancel: "Keep old prices",
  });
}

export function PricesDialog({ by, onClose }: { by: PricedBy; onClose: () => void }) {
  const today = useToday();
  const [from, setFrom] = useState(today);
  const now = useMinute();
  const shown = useRead((phone) => phone.repricing(by.of, by.id, from, now), by.of, by.id, from, now);
  return (
    <Dialog open onClose={onClose} title="Update prices of visits to come" sub={<bdi>{by.name}</bdi>}>
      <Body
        by={by}
        shown={shown}
        from={from}
        min={today}
        // A day that was emptied is the one that was proposed.
        onFrom={(it) => setFrom(it || today)}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface BodyProps {
  by: PricedBy;
  shown: Repricing;
  from: string;
  min: string;
  onFrom: (day: string) => void;
  onClose: () => void;
}

function Body({ by, shown, from, min, onFrom, onClose }: BodyProps) {
  const { changes, more, total, new_total } = shown;
  const n = changes.length;
  const send = async () => {
    const text = await update(by, shown);
    if (text) return { text };
    onClose();
    return undefined;
  };
  return (
    <Form onSubmit={send} failed="Failed to update prices">
      <DateField name="from" label="From" value={from} min={min} onChange={onFrom} />
      {n > 0 ? (
        <section aria-label="New prices" className="grid gap-2">
          <ul className="max-h-80 divide-y divide-line overflow-y-auto rounded-large border border-line bg-card">
            {changes.map((it) => (
              <Change key={it.id} change={it} />
            ))}
          </ul>
          <p className="num flex flex-wrap justify-between gap-x-4 font-bold">
            <span>{countVisits(n)}</span>
            <span>
              {formatDollars(total)} → {formatDollars(new_total)}
            </span>
          </p>
          {more > 0 && (
            <p className="num text-14 text-ink-2">
              These are the first {n}. Update them, then open this again for the other {more}.
            </p>
          )}
        </section>
      ) : (
        <p className="text-ink-2">All visits from that day on already have your current prices.</p>
      )}
      <p className="text-14 text-ink-2 text-pretty">
        Agreed prices do not change, nor do visits that are done, under way, billed or paid.
      </p>
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          {n > 0 ? "Cancel" : "Close"}
        </Button>
        {n > 0 && <SubmitButton>{n === 1 ? "Update 1 price" : `Update ${n} prices`}</SubmitButton>}
      </DialogActions>
    </Form>
  );
}

function Change({ change: { day, what, price, new_price } }: { change: PriceChange }) {
  return (
    <li className="num flex flex-wrap justify-between gap-x-4 px-4 py-2">
      <span className="min-w-0 flex-1 basis-40 wrap-anywhere">
        <span className="font-medium">{day}</span> <bdi className="text-14 text-ink-2">{what}</bdi>
      </span>
      <span>
        <s className="text-ink-2">
          <span className="sr-only">Before: </span>
          {formatDollars(price)}
        </s>{" "}
        <span className="font-medium">
          <span className="sr-only">Now: </span>
          {formatDollars(new_price)}
        </span>
      </span>
    </li>
  );
}

/** Saves the new prices; resolves with the sentence that says why not, or with nothing. */
async function update({ name }: PricedBy, { command, undo, changes }: Repricing): Promise<string | undefined> {
  const base_rev = business().phone.cursor();
  const sentence = `Update prices of visits: ${setApart(name)}`;
  const result = await save(command, sentence);
  if (!result.ok) return result.text;
  const n = changes.length;
  toast.success(`${countVisits(n)} ${n === 1 ? "has its" : "have their"} new price`, {
    label: "Undo",
    onAction: () => void takeBack(undo, sentence, base_rev),
  });
  return undefined;
}

async function takeBack(undo: Repricing["undo"], sentence: string, base_rev: number): Promise<void> {
  try {
    const result = await save(undo, `Undo: ${sentence}`, { base_rev });
    if (result.ok) toast.info("The visits have their former prices again");
    else toast.error(result.text);
  } catch {
    toast.error("This could not be undone");
  }
}

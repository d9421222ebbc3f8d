/**
 * Owns the words at the end of a walk or a visit: one text that goes to the report and the invoice alike, and one for the
 * sitter alone. Several clients read the same words unless the sitter writes to each.
 */
import { Clock } from "lucide-react";
import type { ReactNode } from "react";
import type { ServiceView } from "../../core";
import { reportAudience } from "../../core/walk";
import { names } from "../../parts/walk/walkText";
import { Button, TextArea } from "../../ui";
import { useDogsAlong } from "./along";
import type { TrackedWalk } from "./tracker";
import * as tracker from "./tracker";
import type { Completions } from "./useCompletions";
import type { ReportDraft } from "./useReport";

interface FinishWordsProps {
  tracked: TrackedWalk;
  completions: Completions;
  report: ReportDraft;
  /** The report is sent, too. */
  sends: boolean;
}

/** A client who reads the words, with its pets that were along. */
interface ReaderClient {
  id: string;
  name: string;
  dogs: readonly string[];
  dog_ids: readonly string[];
}

export function FinishWords({ tracked, completions, report, sends }: FinishWordsProps) {
  const { open, wordsFor, write, isApart, setApart, internalNotes, writeInternal } = completions;
  const dogs = useDogsAlong(tracked.row);
  const hasWay = tracked.walk.kind === "walk" || tracked.walk.lines.length > 0;
  const clients = readersOf(open, sends ? report : undefined);
  if (clients.length === 0) return null;
  const reader = open.length === 0 ? "report" : sends ? "report_and_invoice" : "invoice";
  /** Returns what the walk says of itself to these clients, without what may be about another one's dog. */
  const recordedFor = (some: readonly ReaderClient[]): string => {
    const along = clients.map((it) => ({ client_id: it.id, dog_ids: [...it.dog_ids] }));
    const events = tracked.walk.events.filter((event) => {
      const { shown } = reportAudience(event, along);
      return clients.length < 2 || some.every((it) => shown.includes(it.id));
    });
    const own = some.length === 1 ? dogs.filter((it) => some[0]?.dog_ids.includes(it.id)) : [];
    return tracker.notesOf(tracked, events, own);
  };
  return (
    <>
      {isApart && clients.length > 1 ? (
        clients.map((client) => (
          <Words
            key={client.id}
            name={`notes-${client.id}`}
            label={`Service notes for ${names(client.dogs)}`}
            ofDogs={names(client.dogs)}
            reader={reader}
            words={wordsFor(client.id)}
            recorded={recordedFor([client])}
            hasWay={hasWay}
            onWrite={(words) => write(words, client.id)}
          />
        ))
      ) : (
        <div className="grid grid-cols-1">
          <Words
            name="notes"
            label={reader === "report" ? "Message in the report" : "Service notes"}
            reader={reader}
            words={wordsFor()}
            recorded={recordedFor(clients)}
            hasWay={hasWay}
            onWrite={(words) => write(words)}
          >
            {clients.length > 1 && `The same words for ${names(clients.map((it) => it.name))}.`}
          </Words>
          {clients.length > 1 && (
            <Button
              kind="plain"
              className="justify-self-start px-2!"
              onClick={() => setApart(clients.map((it) => it.id))}
            >
              Different words for each
            </Button>
          )}
        </div>
      )}
      {open.length > 0 && (
        <TextArea
          name="internal_notes"
          label="Only for you"
          optional
          rows={2}
          hint="Kept with your notes on the visit."
          reader="service.internal_notes"
          value={internalNotes}
          onChange={writeInternal}
        />
      )}
    </>
  );
}

function readersOf(open: readonly ServiceView[], report: ReportDraft | undefined): ReaderClient[] {
  const clients = new Map<string, ReaderClient>();
  const add = (one: ReaderClient) => {
    const { dogs, dog_ids } = clients.get(one.id) ?? { dogs: [], dog_ids: [] };
    clients.set(one.id, {
      ...one,
      dogs: [...new Set([...dogs, ...one.dogs])],
      dog_ids: [...new Set([...dog_ids, ...one.dog_ids])],
    });
  };
  for (const { client_id, client_name, dogs, dog_ids } of open)
    add({ id: client_id, name: client_name, dogs, dog_ids });
  for (const { client, dogs } of report?.along ?? []) {
    add({ id: client.id, name: client.name, dogs: dogs.map((it) => it.name), dog_ids: dogs.map((it) => it.id) });
  }
  return [...clients.values()];
}

interface WordsProps {
  name: string;
  reader: "report" | "invoice" | "report_and_invoice";
  label: string;
  /** Names of the pets, where others have a text, too. */
  ofDogs?: string;
  words: string;
  /** Words that the walk makes of itself. */
  recorded: string;
  /** They tell of a distance. */
  hasWay: boolean;
  onWrite: (words: string) => void;
  /** Rest of the hint. */
  children?: ReactNode;
}

function Words({ name, label, ofDogs, reader, words, recorded, hasWay, onWrite, children }: WordsProps) {
  return (
    <div className="grid grid-cols-1 gap-1">
      <TextArea
        name={name}
        label={label}
        optional
        rows={3}
        hint={children}
        reader={{ reader }}
        value={words}
        onChange={onWrite}
      />
      {!words.includes(recorded) && (
        <Button
          kind="plain"
          className="justify-self-start px-2!"
          icon={<Clock aria-hidden className="size-5" />}
          onClick={() => onWrite([words.trim(), recorded].filter(Boolean).join("\n"))}
        >
          {hasWay ? "Add times and distance" : "Add times and events"}
          {ofDogs && <span className="sr-only"> for {ofDogs}</span>}
        </Button>
      )}
    </div>
  );
}

/**
 * Owns moving and copying several visits: what would come of it stands under the fields before it is saved, with a choice for
 * each time that is taken.
 */
import { type ReactNode, useMemo, useState } from "react";
import { useMinute } from "../../../browser/clock";
import {
  type Command,
  type DateChoice,
  formatDateHeading,
  newId,
  plusDays,
  type ServiceCopy,
  type ServiceMove,
  type ServicesPreview,
  type ServiceTime,
  weekStart,
} from "../../../core";
import { canSendNow, useRead } from "../../../data";
import { WEEK_DAYS } from "../../../parts/dates";
import { countVisits, dogNames } from "../../../parts/visit/visitText";
import { Button, DateField, Dialog, DialogActions, Form, Select, SubmitButton } from "../../../ui";
import type { CopyOf } from "../scheduleState";
import { PreviewList } from "../series/PreviewList";
import { saveSeveral } from "./saveSeveral";

/** A new time of a visit, or of its copy. */
type Placed = Pick<ServiceMove, "date" | "start_time" | "overlap_ok">;

/** The visit that each of these was. */
type OriginalOf<T> = (it: T) => string;

/** The new times with what the person decided on those that are taken. */
function decided<T extends Placed>(wanted: readonly T[], choices: readonly DateChoice[], original: OriginalOf<T>): T[] {
  return wanted.flatMap((it) => {
    const choice = choices.find(({ slot }) => slot === original(it));
    if (!choice) return [it];
    if (choice.way === "leave_out") return [];
    if (choice.way === "move") return [{ ...it, start_time: choice.start_time ?? it.start_time }];
    return [{ ...it, overlap_ok: true }];
  });
}

interface PlacingProps<T extends Placed> {
  wanted: readonly T[];
  original: OriginalOf<T>;
  command: (placed: T[]) => Command;
  /** `Move`, `Copy`. */
  verb: string;
  /** The sentence on those that are not among them. */
  left?: string;
  failed: string;
  children: ReactNode;
  onClose: () => void;
  onDone: () => void;
}

function Placing<T extends Placed>(props: PlacingProps<T>) {
  const { wanted, original, command, verb, left, failed, children, onClose, onDone } = props;
  const now = useMinute();
  const [choices, setChoices] = useState<DateChoice[]>([]);
  // What was decided on another time says nothing of this one.
  const current = choices.filter(({ slot, date }) => wanted.some((it) => original(it) === slot && it.date === date));
  const placed = decided(wanted, current, original);
  const asked = JSON.stringify(command(placed));
  const shown: ServicesPreview = useRead(
    (phone) => phone.previewServices(JSON.parse(asked) as Command, canSendNow(), now),
    asked,
    now,
  );
  const key = wanted.map(original).join();
  const names = useRead(
    (phone) => new Map(key.split(",").map((id) => [id, dogNames(phone.service(id) ?? { dogs: [] })])),
    key,
  );
  const submit = async () => {
    const taken = new Set(shown.preview.dates.filter((it) => it.state === "taken").map((it) => it.slot));
    const free = placed.filter((it) => !taken.has(original(it)));
    const result = await saveSeveral(command(free), `${verb} ${countVisits(shown.count)}`);
    if (!result.ok) return result;
    onDone();
    return undefined;
  };
  return (
    <Form onSubmit={submit} failed={failed}>
      {children}
      {[left, shown.left].filter(Boolean).map((it) => (
        <p key={it} className="num text-14 text-ink-2 wrap-anywhere">
          {it}
        </p>
      ))}
      <PreviewList
        preview={shown.preview}
        choices={current}
        onChoose={setChoices}
        slotsOn={(date) =>
          wanted.filter((it) => it.date === date).map((it) => ({ id: original(it), start_time: it.start_time }))
        }
        nameOf={(slot) => names.get(slot)}
      />
      {shown.told && <p className="text-14 text-ink-2 wrap-anywhere">{shown.told}</p>}
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Back
        </Button>
        <SubmitButton disabled={shown.count === 0}>
          {shown.count === 0 ? verb : `${verb} ${countVisits(shown.count)}`}
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}

const HOUR = 60;
const DAY = 24 * HOUR;

/** By how many minutes visits are moved. */
const STEPS: { value: number; label: string }[] = [
  { value: 15, label: "15 minutes later" },
  { value: 30, label: "30 minutes later" },
  { value: HOUR, label: "1 hour later" },
  { value: 2 * HOUR, label: "2 hours later" },
  { value: DAY, label: "1 day later" },
  { value: 7 * DAY, label: "1 week later" },
  { value: -15, label: "15 minutes earlier" },
  { value: -30, label: "30 minutes earlier" },
  { value: -HOUR, label: "1 hour earlier" },
  { value: -2 * HOUR, label: "2 hours earlier" },
  { value: -DAY, label: "1 day earlier" },
  { value: -7 * DAY, label: "1 week earlier" },
];

interface SeveralProps {
  ids: string[];
  onClose: () => void;
  onDone: () => void;
}

export function MoveSeveral({ ids, onClose, onDone }: SeveralProps) {
  const [minutes, setMinutes] = useState(30);
  const moves = useRead((phone) => phone.movesBy(ids, minutes), ids.join(), minutes);
  return (
    <Dialog open onClose={onClose} title={`Move ${countVisits(ids.length)}`}>
      <Placing
        wanted={moves}
        original={(it) => it.id}
        command={(moves) => ({ name: "move_services", args: { moves, brings_back: false } })}
        verb="Move"
        failed="Failed to move services"
        onClose={onClose}
        onDone={onDone}
      >
        <Select name="minutes" label="Move them" value={minutes} onChange={setMinutes} options={STEPS} />
      </Placing>
    </Dialog>
  );
}

/** Days from one date to another. */
const daysFrom = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

interface CopyProps extends SeveralProps {
  /** Days that are copied whole; without them the visits of `ids` are. */
  of: CopyOf | undefined;
}

export function CopySeveral({ ids, of, onClose, onDone }: CopyProps) {
  const first = of?.first;
  const last = of?.last;
  const key = ids.join();
  const sources = useRead(
    (phone) => (first && last ? phone.copySources(first, last) : { services: phone.serviceTimes(ids), left: "" }),
    first,
    last,
    key,
  );
  const isWeek = first !== undefined && first !== last;
  const from = first ?? sources.services[0]?.date ?? "";
  const [to, setTo] = useState<string>();
  const wantedDay = to ?? (from && plusDays(from, WEEK_DAYS));
  const target = isWeek ? weekStart(wantedDay) : wantedDay;
  const heading = from && formatDateHeading(from);
  const title = isWeek ? "Copy the week" : first ? "Copy the day" : `Copy ${countVisits(ids.length)}`;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      sub={isWeek && last ? `${heading} to ${formatDateHeading(last)}` : heading}
    >
      {from ? (
        <CopyFields
          sources={sources.services}
          left={sources.left}
          by={daysFrom(isWeek ? weekStart(from) : from, target)}
          onClose={onClose}
          onDone={onDone}
        >
          <DateField
            name="to"
            label={isWeek ? "To the week of" : "To"}
            value={wantedDay}
            // A day that was emptied is the one that was proposed.
            onChange={(it) => setTo(it || undefined)}
          />
        </CopyFields>
      ) : (
        <p>There is nothing to copy.</p>
      )}
    </Dialog>
  );
}

interface CopyFieldsProps {
  sources: readonly ServiceTime[];
  left: string;
  /** Days from the visits to their copies. */
  by: number;
  children: ReactNode;
  onClose: () => void;
  onDone: () => void;
}

function CopyFields({ sources, left, by, children, onClose, onDone }: CopyFieldsProps) {
  const key = sources.map((it) => it.id).join();
  // The same for as long as the same visits are copied.
  const copyIds = useMemo(() => new Map(key.split(",").map((id) => [id, newId()])), [key]);
  const copies = sources.map(
    ({ id, date, start_time }): ServiceCopy => ({
      id: copyIds.get(id) ?? newId(),
      original: id,
      date: plusDays(date, by),
      start_time,
      overlap_ok: false,
    }),
  );
  return (
    <Placing
      wanted={copies}
      original={(it) => it.original}
      command={(copies) => ({ name: "copy_services", args: { copies } })}
      verb="Copy"
      left={left}
      failed="Failed to copy services"
      onClose={onClose}
      onDone={onDone}
    >
      {children}
      {sources.length === 0 && <p className="text-ink-2">There is nothing to copy.</p>}
    </Placing>
  );
}

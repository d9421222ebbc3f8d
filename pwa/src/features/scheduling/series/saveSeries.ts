/**
 * Owns how a change of a series is saved: with what a person decided on dates that are taken, with words of what it did,
 * and with a way back for as long as those stand.
 */
import type { Command, DateChoice, SeriesDate, SeriesPreview } from "../../../core";
import { business, type SaveOptions, type SaveResult, save } from "../../../data";
import { toast } from "../../../ui";

export const keyOf = ({ date, slot }: SeriesDate): string => `${date} ${slot}`;

/** The command, with dates that nobody decided on put off: they are not booked over something, nor lost. */
export function withWaits(command: Command, preview: SeriesPreview): Command {
  const taken = preview.dates.filter((it) => it.state === "taken");
  const waits: DateChoice[] = taken.map(({ date, slot }) => ({ date, slot, way: "wait" }));
  const waiting = new Set(waits.map(keyOf));
  const choices = (decided: readonly DateChoice[] = []) => [
    ...decided.filter((it) => !waiting.has(keyOf(it))),
    ...waits,
  ];
  switch (command.name) {
    case "create_series":
      return { ...command, args: { ...command.args, choices: choices(command.args.choices) } };
    case "change_series":
      return { ...command, args: { ...command.args, choices: choices(command.args.choices) } };
    case "resume_series":
      return { ...command, args: { ...command.args, choices: choices(command.args.choices) } };
    case "end_series":
      return { ...command, args: { ...command.args, choices: choices(command.args.choices) } };
    case "change_trip":
      return { ...command, args: { ...command.args, choices: choices(command.args.choices) } };
    case "settle_series_dates":
      return { ...command, args: { ...command.args, choices: choices(command.args.choices) } };
    case "grant_request":
      return { ...command, args: { ...command.args, choices: choices(command.args.choices) } };
    default:
      return command;
  }
}

/** How an act is called. */
export interface ActWords {
  /** In the list of changes that wait. */
  sentence: string;
  /** When it is done, without a full stop; what it did is said after it. */
  done: string;
  /** When it is undone; what comes back is said after it. */
  undone: string;
}

type SeriesResult = { ok: true } | Extract<SaveResult, { ok: false }>;

/**
 * Saves a change of a series. What it does is worked out before: afterwards it is done. One that changes nothing is not
 * saved, and the person is told so.
 */
export async function saveSeries(command: Command, words: ActWords, options: SaveOptions = {}): Promise<SeriesResult> {
  const phone = await business().wholePhone();
  const now = Date.now();
  const preview = phone.previewSeries(command, now);
  const act = withWaits(command, preview);
  const undo = phone.undoSeries(act, now);
  // A change that was turned down before is sent all the same: it answers its entry in Needs attention.
  if (undo && !options.resolves && changesNothing(preview, undo)) {
    options.onShown?.();
    toast.info("Nothing changes");
    return { ok: true };
  }
  const base_rev = phone.cursor();
  const result = await save(act, words.sentence, options);
  if (!result.ok) return result;
  const action = undo && { label: "Undo", about: seriesOf(undo), onAction: () => void takeBack(undo, base_rev, words) };
  toast.success(told(words.done, preview.done), action);
  return result;
}

/** True if neither the series nor any of its visits would be another. */
function changesNothing(preview: SeriesPreview, undo: Command): boolean {
  if (preview.problem !== null || preview.done || undo.name !== "restore_series") return false;
  const { end, phases, pauses, trip, put_back = [], left_out = [], own = [], unmade = [] } = undo.args;
  const n_dates = put_back.length + left_out.length + own.length + unmade.length;
  return !end && !phases && !pauses && !trip && n_dates === 0;
}

/** The id of the series that an undo changes; a newer change of it leaves no way back to before an older one. */
const seriesOf = ({ args }: Command): string | undefined => ("id" in args ? args.id : undefined);

const told = (act: string, done: string): string => (done ? `${act}. ${done}` : act);

/** Undoes a change, unless another device has changed the same since. */
async function takeBack(undo: Command, base_rev: number, { sentence, undone }: ActWords): Promise<void> {
  try {
    const phone = await business().wholePhone();
    const { done } = phone.previewSeries(undo, Date.now());
    const result = await save(undo, `Undo: ${sentence}`, { base_rev });
    if (result.ok) toast.info(told(undone, done));
    else toast.error(result.text);
  } catch {
    toast.error("This could not be undone");
  }
}

/**
 * Owns how a change of a series is saved: with the person's decisions on dates that are taken, with words of what it did,
 * and with a way back for as long as those stand.
 */
import type { Command, DateChoice, SeriesPreview } from "../../../core";
import { business, type SaveOptions, type SaveResult, save } from "../../../data";
import { toast } from "../../../ui";

/** Dates that nobody decided on wait, and are not booked over something. */
export const waitingFor = (preview: SeriesPreview): DateChoice[] =>
  preview.dates.filter((it) => it.state === "taken").map(({ date, slot }) => ({ date, slot, way: "wait" }));

interface Act {
  /** What the list of changes that wait calls it. */
  sentence: string;
  /** What was done, without a full stop: `The series is paused`. */
  done: string;
  /** The same of its undo; what comes back is said after it. */
  undone: string;
}

/** Saves a change of a series; what it does is computed before, since afterwards it is done. */
export async function saveSeries(command: Command, act: Act, options: SaveOptions = {}): Promise<SaveResult> {
  const phone = await business().wholePhone();
  const now = Date.now();
  const undo = phone.undoSeries(command, now);
  const { effect } = phone.previewSeries(command, now);
  const base_rev = phone.cursor();
  const result = await save(command, act.sentence, options);
  if (!result.ok) return result;
  const done = effect ? `${act.done}. ${effect}` : act.done;
  toast.success(done, undo && { label: "Undo", onAction: () => void takeBack(undo, base_rev, act) });
  return result;
}

/** Undoes a change, unless another device has changed the same since. */
async function takeBack(undo: Command, base_rev: number, { sentence, undone }: Act): Promise<void> {
  try {
    const phone = await business().wholePhone();
    const { effect } = phone.previewSeries(undo, Date.now());
    const result = await save(undo, `Undo: ${sentence}`, { base_rev });
    if (result.ok) toast.info(effect ? `${undone}. ${effect}` : undone);
    else toast.error(result.text);
  } catch {
    toast.error("This could not be undone");
  }
}

/** Owns what is done with a series by one press: leaving a date out, ending a pause, starting again. */
import { type Command, type PlannedVisit, type SeriesPause, type SeriesView, setApart } from "../../../core";
import { toast } from "../../../ui";
import { type ActWords, saveSeries } from "./saveSeries";

/** `Pause: Dana Whitfield, Every weekday at 12:00 PM, until you stop it`. */
export const sentenceFor = (does: string, { series, sentence }: SeriesView): string =>
  `${does}: ${setApart(series.client_name ?? "")}, ${sentence}`;

/** Saves it, and says why not where it is turned down; resolves with true if it is saved. */
async function act(command: Command, words: ActWords): Promise<boolean> {
  try {
    const result = await saveSeries(command, words);
    if (!result.ok) toast.error(result.text);
    return result.ok;
  } catch {
    toast.error("Failed to update series");
    return false;
  }
}

/** Leaves out a visit, which `name` names, or without a slot all of its date. */
export const leaveOut = (view: SeriesView, name: string, date: string, slot: string | null): Promise<boolean> =>
  act(
    { name: "leave_out_date", args: { id: view.series.id, date, slot } },
    {
      sentence: sentenceFor(`Leave out ${name}`, view),
      done: `${name} is left out`,
      undone: `${name} takes place again`,
    },
  );

/** Ends a pause from today on; one that has not begun is taken back whole. */
export function resume(view: SeriesView, pause: SeriesPause, today: string): Promise<boolean> {
  const on = pause.from <= today ? today : null;
  return act(
    { name: "resume_series", args: { id: view.series.id, pause_id: pause.id, on } },
    {
      sentence: sentenceFor("Start again", view),
      done: on ? "The series starts again" : "The pause is removed",
      undone: "The series is paused again",
    },
  );
}

/** Lets a series that has an end go on. */
export const goOn = (view: SeriesView): Promise<boolean> =>
  act(
    { name: "end_series", args: { id: view.series.id, end: { kind: "never" } } },
    {
      sentence: sentenceFor("Start again", view),
      done: "The series goes on until you stop it",
      undone: "The series ends as before",
    },
  );

/** Books a planned visit, which `name` names, at once. */
export const makeVisit = ({ series_id, date, slot, client_name }: PlannedVisit, name: string): Promise<boolean> =>
  act(
    { name: "make_series_date", args: { id: series_id, date, slot } },
    {
      sentence: `Book planned visit: ${setApart(client_name)}, ${name}`,
      done: `${name} is booked`,
      undone: `${name} is planned again`,
    },
  );

/** Owns pausing a series, ending it, and deciding on its dates that are taken: each with what it does before it is saved. */
import { useEffect, useRef } from "react";
import { useMinute } from "../../../browser/clock";
import {
  type Command,
  type DateChoice,
  newId,
  plusDays,
  type SeriesDate,
  type SeriesEnd,
  type SeriesPreview,
  type SeriesView,
} from "../../../core";
import { type Draft, useDraft, useRead } from "../../../data";
import { useToday, weekAfter } from "../../../parts/dates";
import { Button, DateField, DialogActions, Form, Skeleton, SubmitButton, TextField } from "../../../ui";
import { Restored } from "../../../ui/Restored";
import { moved } from "../serviceForm/fields";
import { phaseOn } from "./changes";
import { PreviewList } from "./PreviewList";
import { EndFields } from "./RepeatFields";
import { choicesThatStay } from "./repeats";
import type { SeriesStep } from "./SeriesPart";
import { type ActWords, keyOf, saveSeries } from "./saveSeries";
import { sentenceFor } from "./seriesActs";
import { TripFields, type TripValues } from "./TripFields";

export const STEP_TITLES: Record<SeriesStep, string> = {
  pause: "Pause the series",
  end: "End the series",
  settle: "Dates that are taken",
  trip: "Change the trip",
  cancel: "Cancel the trip",
};

interface StepProps {
  view: SeriesView;
  /** The day that it begins with. */
  date: string;
  onBack: () => void;
  onDone: () => void;
}

export function SeriesStepForm({ step, ...props }: StepProps & { step: SeriesStep }) {
  if (step === "trip") return <TripForm {...props} />;
  if (step === "cancel") return <CancelForm {...props} />;
  if (step === "pause") return <PauseForm {...props} />;
  return step === "end" ? <EndForm {...props} /> : <SettleForm {...props} />;
}

/** Letters of the reason of a pause change none of its dates. */
const withoutReason = (command: Command): Command =>
  command.name === "pause_series" ? { ...command, args: { ...command.args, reason: "" } } : command;

/** Previews a change, anew as often as it is another one. */
export function useSeriesPreview(command: Command): SeriesPreview {
  const now = useMinute();
  const asked = JSON.stringify(withoutReason(command));
  return useRead((phone) => phone.previewSeries(JSON.parse(asked) as Command, now), asked, now);
}

interface ShellProps<T extends object> extends Pick<StepProps, "view" | "onBack" | "onDone"> {
  draft: Draft<T>;
  draftKey: string;
  command: Command;
  words: ActWords;
  submit: string;
  choices?: readonly DateChoice[];
  onChoose?: (choices: DateChoice[]) => void;
  children: React.ReactNode;
}

/** Fields of a step, what it does, and its buttons. */
function Shell<T extends object>(props: ShellProps<T>) {
  const { view, draft, draftKey, command, words, submit, choices = [], onChoose, children, onBack, onDone } = props;
  const preview = useSeriesPreview(command);
  const top = useRef<HTMLParagraphElement>(null);
  const isReady = draft.ready;
  // The button that led here has gone, with the focus on it.
  useEffect(() => {
    if (isReady) top.current?.focus({ preventScroll: true });
  }, [isReady]);
  if (!isReady) return <Skeleton className="h-40 w-full" />;
  const send = async () => {
    const result = await saveSeries(command, words, { draft: draftKey, base_rev: draft.base_rev });
    if (!result.ok) return result;
    onDone();
    draft.clear();
    return undefined;
  };
  return (
    <Form onSubmit={send} failed="Failed to update series">
      <p ref={top} tabIndex={-1} className="num font-bold outline-none wrap-anywhere">
        {view.sentence}
      </p>
      {draft.restored && <Restored onStartOver={draft.clear} />}
      {children}
      <PreviewList
        preview={preview}
        choices={choices}
        onChoose={(choices) => onChoose?.(choices)}
        slotsOn={(date) => phaseOn(view.series, date)?.slots ?? []}
      />
      <DialogActions>
        <Button kind="quiet" onClick={onBack}>
          Back
        </Button>
        <SubmitButton>{submit}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

function PauseForm(props: StepProps) {
  const { view, date } = props;
  const { id } = view.series;
  const draftKey = `series:pause:${id}`;
  const draft = useDraft(draftKey, { pause_id: newId(), from: date, to: weekAfter(date), reason: "" });
  const { from, to } = draft.value;
  return (
    <Shell
      {...props}
      draft={draft}
      draftKey={draftKey}
      command={{ name: "pause_series", args: { id, ...draft.value } }}
      words={{
        sentence: sentenceFor("Pause", view),
        done: "The series is paused",
        undone: "The pause is taken back",
      }}
      submit="Pause"
    >
      <div className="grid pair gap-3">
        <DateField
          name="from"
          label="From"
          value={from}
          // A day that was emptied is the one that was proposed.
          onChange={(it) => draft.set({ from: it || date, ...(to < it && { to: it }) })}
        />
        <DateField
          name="to"
          label="To"
          min={from}
          value={to}
          onChange={(it) => draft.set({ to: it || weekAfter(from) })}
        />
      </div>
      <TextField
        name="reason"
        label="Reason"
        optional
        reader="series.reason"
        value={draft.value.reason}
        onChange={(reason) => draft.set({ reason })}
      />
    </Shell>
  );
}

function EndForm(props: StepProps) {
  const { view, date } = props;
  const { id, end: before, phases } = view.series;
  const draftKey = `series:end:${id}`;
  // Also where it has an end: who ends it means sooner than that.
  const initial: { end: SeriesEnd; choices: DateChoice[] } = { end: { kind: "on", date }, choices: [] };
  const draft = useDraft(draftKey, initial);
  const { end, choices } = draft.value;
  return (
    <Shell
      {...props}
      draft={draft}
      draftKey={draftKey}
      command={{ name: "end_series", args: { id, end, choices } }}
      words={{
        sentence: sentenceFor("End", view),
        done: end.kind === "never" ? "The series goes on until you stop it" : "The end of the series is set",
        undone: before.kind === "never" ? "The series goes on until you stop it" : "The series ends as before",
      }}
      submit={end.kind === "never" ? "Keep it going" : "End the series"}
      choices={choices}
      onChoose={(choices) => draft.set({ choices })}
    >
      <EndFields
        end={end}
        min={phases[0]?.from ?? date}
        proposed={date}
        // A day that was emptied is the one that was proposed.
        onChange={(end) => draft.set({ end: end.kind === "on" && !end.date ? { kind: "on", date } : end, choices: [] })}
      />
    </Shell>
  );
}

/** Fields of a trip as a person touched them. */
interface TouchedTrip extends Partial<TripValues> {
  begins?: string;
  ends?: string;
  choices: DateChoice[];
}

function TripForm(props: StepProps) {
  const { view } = props;
  const { id, phases, end, trip } = view.series;
  const today = useToday();
  const bookable = useRead((phone) => phone.bookable(undefined));
  const draftKey = `series:trip:${id}`;
  // The draft holds what was touched and no more: what others change meanwhile shows through everywhere else.
  const draft = useDraft<TouchedTrip>(draftKey, { choices: [] });
  const { begins, ends, choices, ...changes } = draft.value;
  const [first] = phases;
  if (!trip || !first) return null;
  const from = begins ?? first.from;
  const last = ends ?? (end.kind === "on" ? end.date : from);
  const command: Command = {
    name: "change_trip",
    args: { id, ...(begins && { begins }), ...(ends && { ends }), changes, choices },
  };
  return (
    <TripShell
      {...props}
      draft={draft}
      draftKey={draftKey}
      command={command}
      words={{
        sentence: sentenceFor("Change the trip", view),
        done: "The trip is changed",
        undone: "The trip is as it was",
      }}
      submit="Save Changes"
      choices={choices}
      onChoose={(choices) => draft.set({ choices })}
    >
      {(wrong) => (
        <>
          <div className="grid pair gap-3">
            {today <= first.from && (
              <DateField
                name="begins"
                label="First day of the trip"
                min={today}
                value={from}
                onChange={(it) =>
                  // A trip that is put off lasts as long as it did.
                  draft.set({ begins: it || first.from, ...(it && { ends: moved(last, from, it) }), choices: [] })
                }
                error={wrong("begins")}
              />
            )}
            <DateField
              name="ends"
              label="Last day of the trip"
              min={from < today ? today : from}
              value={last}
              onChange={(it) => draft.set({ ends: it || last, choices: [] })}
              error={wrong("ends")}
            />
          </div>
          <TripFields
            trip={{ ...trip, ...changes }}
            slots={phaseOn(view.series, from)?.slots ?? []}
            lastSlots={phaseOn(view.series, last)?.slots ?? []}
            bookable={bookable}
            onChange={(changes) => draft.set({ ...changes, choices: choicesThatStay(choices) })}
            wrong={wrong}
          />
        </>
      )}
    </TripShell>
  );
}

interface TripShellProps extends Omit<ShellProps<TouchedTrip>, "children"> {
  children: (wrong: (field: string) => string | undefined) => React.ReactNode;
}

/** A step whose fields say what is wrong with them, as soon as it is. */
function TripShell({ children, ...props }: TripShellProps) {
  const { errors } = useSeriesPreview(props.command);
  return <Shell {...props}>{children((field) => errors.find((it) => it.field === field)?.text)}</Shell>;
}

function CancelForm(props: StepProps) {
  const { view } = props;
  const { id } = view.series;
  const today = useToday();
  const draftKey = `series:cancel:${id}`;
  const draft = useDraft(draftKey, {});
  return (
    <Shell
      {...props}
      draft={draft}
      draftKey={draftKey}
      command={{ name: "end_series", args: { id, end: { kind: "on", date: plusDays(today, -1) } } }}
      words={{
        sentence: sentenceFor("Cancel the trip", view),
        done: "The trip is cancelled",
        undone: "The trip takes place again",
      }}
      submit="Cancel the trip"
    >
      {null}
    </Shell>
  );
}

function SettleForm(props: StepProps) {
  const { view } = props;
  const today = useToday();
  const { id, waiting, trip } = view.series;
  const draftKey = `series:settle:${id}`;
  const draft = useDraft(draftKey, { choices: [] as DateChoice[] });
  const { choices } = draft.value;
  const decided = new Set(choices.map(keyOf));
  const isAhead = (it: SeriesDate) => today <= it.date || (it.slot === trip?.stay?.id && !view.is_over);
  const open = waiting.filter((it) => isAhead(it) && !decided.has(keyOf(it)));
  const again = open.map(({ date, slot }): DateChoice => ({ date, slot, way: "again" }));
  return (
    <Shell
      {...props}
      draft={draft}
      draftKey={draftKey}
      command={{ name: "settle_series_dates", args: { id, choices: [...choices, ...again] } }}
      words={{
        sentence: sentenceFor("Decide on dates", view),
        done: "Saved",
        undone: "The decision is taken back",
      }}
      submit="Save"
      choices={choices}
      onChoose={(choices) => draft.set({ choices })}
    >
      {null}
    </Shell>
  );
}

/** Owns pausing a series, ending it, and deciding on its dates that are taken: each with what it does before it is saved. */
import { useEffect, useRef } from "react";
import { useMinute } from "../../../browser/clock";
import {
  type Command,
  type DateChoice,
  newId,
  plusDays,
  type SeriesEnd,
  type SeriesPreview,
  type SeriesView,
} from "../../../core";
import { type Draft, useDraft, useRead } from "../../../data";
import { useToday } from "../../../parts/dates";
import { Button, DateField, DialogActions, Form, Skeleton, SubmitButton, TextField } from "../../../ui";
import { ReaderHint } from "../../../ui/Readers";
import { Restored } from "../../../ui/Restored";
import { phaseOn } from "./changes";
import { PreviewList } from "./PreviewList";
import { EndFields } from "./RepeatFields";
import type { SeriesStep } from "./SeriesPart";
import { type ActWords, keyOf, saveSeries } from "./saveSeries";
import { sentenceFor } from "./seriesActs";

export const STEP_TITLES: Record<SeriesStep, string> = {
  pause: "Pause the series",
  end: "End the series",
  settle: "Dates that are taken",
};

interface StepProps {
  view: SeriesView;
  /** The day that it begins with. */
  date: string;
  onBack: () => void;
  onDone: () => void;
}

export function SeriesStepForm({ step, ...props }: StepProps & { step: SeriesStep }) {
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

/** Days after the first one that a pause ends by itself. */
const A_WEEK = 6;

function PauseForm(props: StepProps) {
  const { view, date } = props;
  const { id } = view.series;
  const draftKey = `series:pause:${id}`;
  const draft = useDraft(draftKey, { pause_id: newId(), from: date, to: plusDays(date, A_WEEK), reason: "" });
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
          onChange={(it) => draft.set({ to: it || plusDays(from, A_WEEK) })}
        />
      </div>
      <TextField
        name="reason"
        label="Reason"
        optional
        hint={<ReaderHint reader="sitter" />}
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

function SettleForm(props: StepProps) {
  const { view } = props;
  const today = useToday();
  const { id, waiting } = view.series;
  const draftKey = `series:settle:${id}`;
  const draft = useDraft(draftKey, { choices: [] as DateChoice[] });
  const { choices } = draft.value;
  const decided = new Set(choices.map(keyOf));
  const open = waiting.filter((it) => today <= it.date && !decided.has(keyOf(it)));
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

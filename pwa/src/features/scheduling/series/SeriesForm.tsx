/**
 * Owns the form that changes a series from a day on: the schedule form filled in, with what changes and what stays before
 * anything is saved. What a person touched is saved, and nothing else.
 */
import { RotateCcw } from "lucide-react";
import { useRef, useState } from "react";
import { useMinute } from "../../../browser/clock";
import {
  type ChangeSeries,
  type FieldError,
  formatDate,
  type SeriesPhase,
  type SeriesView,
  setApart,
} from "../../../core";
import { useDraft, useHasPulledSince, useRead } from "../../../data";
import { Button, Checkbox, Dialog, DialogActions, Form, leaveDialog, Skeleton, SubmitButton } from "../../../ui";
import { Readers, ReadersKey } from "../../../ui/Readers";
import { Restored } from "../../../ui/Restored";
import { NotInSchedule } from "../NotInSchedule";
import { DogsField } from "../serviceForm/ForWhom";
import { Notes } from "../serviceForm/Notes";
import { Price } from "../serviceForm/Price";
import { Sentence } from "../serviceForm/RepeatsPart";
import { changeOf, phaseOn, shownFields, type TouchedFields, touchedDates, touchedOf, touchedSlots } from "./changes";
import { PreviewList } from "./PreviewList";
import { RuleFields, SlotsFields } from "./RepeatFields";
import { choicesThatStay } from "./repeats";
import { useSeriesPreview } from "./SeriesSteps";
import { saveSeries } from "./saveSeries";
import { sentenceFor } from "./seriesActs";

/** A refused change that is to be set right. */
export interface SeriesFix {
  /** The entry of Needs attention. */
  id: string;
  command: ChangeSeries;
}

interface SeriesFormProps {
  id: string;
  /** The first day to change; all that is to come without it. */
  from?: string | undefined;
  fix?: SeriesFix | undefined;
  today: string;
  onClose: () => void;
}

export default function SeriesForm(props: SeriesFormProps) {
  const { id, fix, today, onClose } = props;
  const now = useMinute();
  const view = useRead((phone) => phone.seriesView(id, now), id, now);
  const isGone = useHasPulledSince(id);
  const isLater = props.from !== undefined && today < props.from;
  const from = isLater && props.from ? props.from : today;
  const phase = view && phaseOn(view.series, from);
  // By the day that was asked for, if any: what was typed in the evening is there after midnight.
  const draftKey = fix ? `series:fix:${fix.id}` : `series:${id}:${props.from ?? "all"}`;
  const name = setApart(view?.series.client_name ?? "");
  return (
    <Dialog
      open
      onClose={onClose}
      title={isLater ? "Change this and all that follow" : "Change all to come"}
      sub={isLater ? `${name}, from ${formatDate(from)}` : name}
      size="large"
      dismissible={false}
    >
      {view && phase ? (
        <Body {...props} view={view} phase={phase} from={from} draftKey={draftKey} />
      ) : (
        <NotInSchedule what="series" isGone={isGone} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface BodyProps extends SeriesFormProps {
  view: SeriesView;
  /** Phase that holds on the first day to change. */
  phase: SeriesPhase;
  from: string;
  draftKey: string;
}

function Body({ id, view, phase, from, draftKey, fix, onClose }: BodyProps) {
  const { series } = view;
  const now = useMinute();
  // The draft holds what was touched and no more: what others change meanwhile shows through everywhere else.
  const draft = useDraft<TouchedFields>(draftKey, fix ? touchedOf(fix.command) : {});
  const touched = draft.value;
  const command = changeOf(id, from, phase, touched);
  const preview = useSeriesPreview({
    name: "change_series",
    args: changeOf(id, from, phase, touchedDates(touched, phase)),
  });
  const client = useRead((phone) => phone.client(series.client_id), series.client_id);
  const bookable = useRead((phone) => phone.bookable(undefined));
  const panel = useRef<HTMLDivElement>(null);
  const [submitted, setSubmitted] = useState<FieldError[]>();
  const [problem, setProblem] = useState<string>();
  const shown = shownFields(phase, touched);
  const [slot] = shown.slots;
  const visit = {
    client_id: series.client_id,
    dog_ids: shown.dog_ids,
    date: from,
    price_override: shown.price_override as typeof phase.price_override,
    ...(slot && { ...slot, id: undefined }),
  };
  const asked = JSON.stringify(visit);
  const check = useRead(
    (phone) => phone.checkSchedule({ service_id: null, service: JSON.parse(asked) }, now),
    asked,
    now,
  );
  if (!draft.ready) return <Skeleton className="h-100 w-full" />;

  const change = (changes: TouchedFields) => {
    setProblem(undefined);
    // Decisions for a date or a time go with it.
    draft.set({
      ...changes,
      ...("slots" in changes && { choices: choicesThatStay(touched.choices ?? []) }),
      ...("rule" in changes && { choices: [] }),
    });
  };
  const wrong = (field: string) =>
    submitted === undefined ? undefined : (preview.errors.find((it) => it.field === field)?.text ?? "");
  const send = async () => {
    setSubmitted(preview.errors);
    setProblem(preview.problem ?? undefined);
    if (preview.problem) return undefined;
    const result = await saveSeries(
      { name: "change_series", args: command },
      { sentence: sentenceFor("Change", view), done: "The series is changed", undone: "The series is as it was" },
      {
        draft: draftKey,
        base_rev: draft.base_rev,
        resolves: fix?.id,
        onShown: () =>
          leaveDialog(panel.current, () => {
            onClose();
            draft.clear();
          }),
      },
    );
    return result.ok ? undefined : result;
  };
  const goneDogs = shown.dog_ids
    .filter((it) => client && !client.dogs.some((pet) => pet.id === it))
    .map((it) => ({ id: it, name: "A pet" }));
  return (
    <Form errors={submitted} error={problem} onSubmit={send} failed="Failed to update series">
      {draft.restored && <Restored icon={<RotateCcw aria-hidden />} onStartOver={draft.clear} />}
      <ReadersKey />
      <Readers>
        <div className="grid grid-cols-1 gap-x-8 gap-y-4 md:grid-rows-[auto_1fr] md:grid-cols-[minmax(0,1fr)_minmax(16rem,20rem)]">
          <div className="grid grid-cols-1 content-start gap-4">
            <DogsField
              client={client}
              goneDogs={goneDogs}
              dog_ids={shown.dog_ids}
              onChange={(dog_ids) => change({ dog_ids })}
              error={wrong("dog_ids")}
            />
            {!series.trip && (
              <RuleFields
                rule={shown.rule}
                date={from}
                onChange={(rule) => change({ rule })}
                present={phase.rule}
                error={wrong("rule")}
              />
            )}
            <SlotsFields
              slots={shown.slots}
              bookable={bookable}
              onChange={(slots) => change(touchedSlots(slots, phase))}
              error={wrong("slots")}
            />
            <Sentence text={preview.sentence} />
          </div>
          <div
            ref={panel}
            className="grid content-start gap-4 self-start md:sticky md:top-0 md:col-start-2 md:row-span-2 md:row-start-1"
          >
            {/* A trip with one agreed total has no price for each visit. */}
            {(series.trip?.total ?? null) === null && (
              <Price
                check={check}
                agreed={shown.price_override}
                onAgree={(price_override) => change({ price_override })}
                wrong={wrong}
              />
            )}
            <OwnVisits
              view={view}
              from={from}
              checked={shown.replaces_own}
              onChange={(replaces_own) => change({ replaces_own })}
            />
            <PreviewList
              preview={preview}
              choices={shown.choices}
              onChoose={(choices) => change({ choices })}
              slotsOn={() => shown.slots}
            />
          </div>
          <Notes form={{ shown, change }} />
        </div>
      </Readers>
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Save Changes</SubmitButton>
      </DialogActions>
    </Form>
  );
}

interface OwnVisitsProps {
  view: SeriesView;
  /** Earlier visits do not change. */
  from: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Visits that were changed by themselves, which stay so unless one says otherwise. */
function OwnVisits({ view, from, checked, onChange }: OwnVisitsProps) {
  const own = view.own.filter((it) => from <= it.date);
  if (own.length === 0) return null;
  return (
    <section aria-label="Changed by themselves" className="grid gap-1 rounded-large border border-line p-3">
      <p className="text-14 font-medium">Changed by themselves</p>
      <ul className="num grid gap-1 text-14 text-ink-2">
        {own.map((it) => (
          <li key={it.service_id}>{it.text}</li>
        ))}
      </ul>
      <Checkbox
        name="replaces_own"
        label="Change these, too"
        hint="Otherwise they stay as they are."
        checked={checked}
        onChange={onChange}
      />
    </section>
  );
}

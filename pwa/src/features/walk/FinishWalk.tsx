/**
 * Owns the end of a walk, which is one step: its visits are completed with their notes, its report goes to whom it is for,
 * and the walk is kept. Whatever is left out here waits: notes at the visit, the report at the visit and at the walk.
 */
import { Check, Clock, Footprints } from "lucide-react";
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import { deviceText } from "../../browser/device";
import type { ServiceView } from "../../core";
import { reportAudience, walkTexts } from "../../core/walk";
import { useReplica } from "../../data";
import type { WalkRow } from "../../data/walks/walks";
import { type DogAlong, names, who } from "../../parts/walk/walkText";
import {
  Banner,
  Button,
  Card,
  Checkbox,
  confirm,
  Form,
  type FormProblem,
  PageBody,
  PageHeader,
  SubmitButton,
  Switch,
  TextArea,
  useBusy,
} from "../../ui";
import { ReaderHint } from "../../ui/Readers";
import { useDogsAlong } from "./along";
import { ReportFields } from "./ReportFields";
import { tellWhenShared } from "./reportNews";
import { ShareReport, unshare } from "./ShareReport";
import type { TrackedWalk } from "./tracker";
import * as tracker from "./tracker";
import { type Completions, useCompletions } from "./useCompletions";
import { type ReportDraft, useReport } from "./useReport";
import { Timeline, WalkFacts } from "./WalkFacts";

const FAILED = deviceText("This phone could not store the walk. Please try again.");

interface FinishWalkProps {
  tracked: TrackedWalk;
  /** The walk that is next after it. */
  next: ServiceView | undefined;
}

export function FinishWalk({ tracked, next }: FinishWalkProps) {
  const { row, recording, walk } = tracked;
  const [, navigate] = useLocation();
  const [problem, setProblem] = useState<FormProblem>();
  const { busy, run } = useBusy();
  const dogs = useDogsAlong(row);
  const isShared = useReplica((phone) => phone.reports(row.id).length > 0);
  const summary = useMemo(() => tracker.summarize(recording, walk.since), [recording, walk]);
  const completions = useCompletions(row);
  const report = useReport(row, tracked, row.report);
  const { open, ticked } = completions;
  const sends = completions.sends && !isShared;

  const finish = async (completed: readonly ServiceView[]): Promise<FormProblem | undefined> => {
    const wrong = (await completions.complete(completed)) ?? (sends ? await report.send() : undefined);
    if (wrong) return wrong;
    if (sends) {
      void tellWhenShared(row.id, false);
      await tracker.keepReport({ ...report.value, taken_back: false });
    }
    const kept = await tracker.keepWalk();
    completions.clear();
    // What comes next is pressed for: nothing starts by itself.
    const then = next ? `/walk?service=${next.id}` : open.length > 0 ? "/scheduling" : `/walks/${kept?.id}`;
    if (kept) navigate(then, { replace: true });
    return undefined;
  };
  const completeLater = () =>
    run(async () => {
      try {
        setProblem(await finish([]));
      } catch {
        setProblem({ text: FAILED });
      }
    });
  const submit = () => {
    setProblem(undefined);
    return finish(ticked);
  };
  const discard = async () => {
    if (!(await askToDiscard(row, isShared))) return;
    await tracker.discardWalk();
    completions.clear();
    navigate("/walks", { replace: true });
  };

  return (
    <div className="mx-auto min-h-dvh max-w-150 pt-safe">
      <PageHeader title={walkTexts().completed} sub={who(row)} />
      <PageBody className="grid grid-cols-1 gap-5 pb-5!">
        {next && (
          <Banner kind="plain" icon={<Footprints aria-hidden />}>
            Then comes the walk with {names(next.dogs)} (<bdi>{next.client_name}</bdi>).
          </Banner>
        )}
        <WalkFacts summary={summary} recorded={tracked} brief />
        {isShared && (
          // As after a kill between the report and the end.
          <ShareReport
            row={row}
            recorded={tracked}
            chosen={row.report}
            onChoose={(it) => void tracker.keepReport(it)}
          />
        )}
      </PageBody>
      <Form error={problem?.text} failed={FAILED} onSubmit={submit} className="gap-0!">
        <PageBody className="grid grid-cols-1 gap-5">
          {completions.ready && <AllNotes tracked={tracked} dogs={dogs} completions={completions} />}
          {!isShared && completions.ready && report.ready && (
            <ReportCard report={report} tracked={tracked} sends={sends} onSends={completions.setSends} />
          )}
          {!sends && <Timeline events={walk.events} dogs={dogs} />}
          <div className="grid gap-2">
            <Button kind="plain" wide onClick={() => void tracker.resume()}>
              Keep walking
            </Button>
            <Button kind="plain" wide className="text-danger!" onClick={() => void discard()}>
              Delete this walk
            </Button>
          </div>
        </PageBody>
        <div
          data-acts
          className="sticky bottom-0 z-1 grid gap-1 border-t border-line bg-card px-5 pt-3 pb-[max(12px,env(safe-area-inset-bottom))]"
        >
          <SubmitButton icon={<Check aria-hidden className="size-5" />} wide>
            {submitText(completions, sends)}
          </SubmitButton>
          {ticked.length > 0 && (
            <Button kind="plain" wide busy={busy} onClick={() => void completeLater()}>
              {sends ? "Share report, complete later" : "Complete later"}
            </Button>
          )}
        </div>
      </Form>
    </div>
  );
}

function submitText({ ticked, wasCancelled }: Completions, sends: boolean): string {
  if (wasCancelled) return "Complete it all the same";
  if (ticked.length === 0) return sends ? "Share report" : "Done";
  if (sends) return "Complete and share report";
  if (ticked.length === 1) return "Complete the service";
  return ticked.length === 2 ? "Complete both services" : `Complete all ${ticked.length} services`;
}

/** Asks whether the walk is to be deleted, and takes its report back before it is. */
async function askToDiscard(row: WalkRow, isShared: boolean): Promise<boolean> {
  const yes = await confirm({
    title: "Delete this walk?",
    text: isShared
      ? deviceText("Its track, events and photos are gone from this phone, and its report is taken back.")
      : deviceText("Its track, events and photos are gone from this phone."),
    action: "Delete",
    danger: true,
  });
  return yes && (!isShared || (await unshare(row.id, row.title)));
}

interface AllNotesProps {
  tracked: TrackedWalk;
  dogs: readonly DogAlong[];
  completions: Completions;
}

/** The notes of each visit that is not completed yet. */
function AllNotes({ tracked, dogs, completions }: AllNotesProps) {
  const { services, open, ticked, tick, notesOf, write } = completions;
  /** Returns the notes that the walk makes of itself for a visit, without what may be about another client's dog. */
  const recorded = ({ client_id, dog_ids }: ServiceView): string => {
    const along = services.map((it) => ({ client_id: it.client_id, dog_ids: it.dog_ids }));
    const events = tracked.walk.events.filter(
      (it) => services.length < 2 || reportAudience(it, along).shown.includes(client_id),
    );
    const own = dogs.filter((it) => dog_ids.includes(it.id));
    return tracker.notesOf(tracked, events, own);
  };
  return open.map((service) => (
    <Notes
      key={service.id}
      service={service}
      isAlone={services.length === 1}
      notes={notesOf(service)}
      recorded={recorded(service)}
      onWrite={(notes) => write(service, notes)}
      ticked={ticked.includes(service)}
      onTick={open.length > 1 ? (is) => tick(service, is) : undefined}
    />
  ));
}

interface ReportCardProps {
  report: ReportDraft;
  tracked: TrackedWalk;
  sends: boolean;
  onSends: (sends: boolean) => void;
}

function ReportCard({ report, tracked, sends, onSends }: ReportCardProps) {
  const owners = names(report.along.map((it) => it.client.name));
  const along = report.along.map((it) => it.client.id);
  const ahead = useReplica((phone) => phone.sharing(along).ahead);
  return (
    <Card className="grid grid-cols-1 gap-5 py-2">
      <Switch
        name="sends"
        label={<span className="wrap-anywhere">{owners ? `Share the report with ${owners}` : "Share a report"}</span>}
        hint={sends ? undefined : deviceText("Where you walked stays on this phone until you send it.")}
        checked={sends}
        onChange={onSends}
      />
      {sends && ahead && <p className="text-14 text-ink-2">{ahead}</p>}
      {sends && <ReportFields report={report} events={tracked.walk.events} />}
    </Card>
  );
}

interface NotesProps {
  service: ServiceView;
  /** The walk is of no other service. */
  isAlone: boolean;
  notes: string;
  /** Notes that the walk makes of itself. */
  recorded: string;
  onWrite: (notes: string) => void;
  ticked: boolean;
  /** Absent where there is nothing to choose. */
  onTick: ((ticked: boolean) => void) | undefined;
}

function Notes({ service, isAlone, notes, recorded, onWrite, ticked, onTick }: NotesProps) {
  const dogs = names(service.dogs);
  return (
    <div className="grid grid-cols-1 gap-1">
      {onTick && (
        <Checkbox
          name={`completes-${service.id}`}
          label={<b className="font-bold">Complete the service with {dogs}</b>}
          hint={`${service.client_name}, ${service.formatted_time}`}
          checked={ticked}
          onChange={onTick}
        />
      )}
      <TextArea
        name={`notes-${service.id}`}
        label={isAlone ? "Service notes" : `Service notes for ${dogs}`}
        optional
        rows={3}
        hint={<ReaderHint reader="invoice" />}
        value={notes}
        onChange={onWrite}
      />
      {!notes.includes(recorded) && (
        <Button
          kind="plain"
          className="justify-self-start px-2!"
          icon={<Clock aria-hidden className="size-5" />}
          onClick={() => onWrite([notes.trim(), recorded].filter(Boolean).join("\n"))}
        >
          Add times and distance
          {!isAlone && <span className="sr-only"> for {dogs}</span>}
        </Button>
      )}
    </div>
  );
}

/**
 * Owns the end of a walk or a visit, which is one step: its visits are completed with their notes, its report goes to whom it
 * is for, and the walk is kept. Whatever is left out here waits: notes at the visit, the report at the visit and at the walk.
 */
import { Check, Footprints } from "lucide-react";
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import { deviceText } from "../../browser/device";
import type { ReportKind, ServiceView } from "../../core";
import { walkTexts } from "../../core/walk";
import { useReplica } from "../../data";
import { kindOf, type WalkRow } from "../../data/walks/walks";
import { SentLive } from "../../parts/visit/SentLive";
import { names, who } from "../../parts/walk/walkText";
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
  useBusy,
} from "../../ui";
import type { Wanted } from "./AnotherWalk";
import { useDogsAlong } from "./along";
import { FinishWords } from "./FinishWords";
import { LiveMapEnding } from "./LiveMapLine";
import { sentOf, takeBackAll } from "./live";
import { ReportFields } from "./ReportFields";
import { tellWhenShared } from "./reportNews";
import { ShareReport, unshare } from "./ShareReport";
import type { TrackedWalk } from "./tracker";
import * as tracker from "./tracker";
import { type Completions, useCompletions } from "./useCompletions";
import { type ReportDraft, useReport } from "./useReport";
import { Timeline, WalkFacts } from "./WalkFacts";

const FAILED = deviceText("This phone could not store that. Please try again.");

interface FinishWalkProps {
  tracked: TrackedWalk;
  /** The walk or visit that is next after it. */
  next: Wanted | undefined;
}

export function FinishWalk({ tracked, next }: FinishWalkProps) {
  const { row, recording, walk } = tracked;
  const kind = kindOf(row);
  const [, navigate] = useLocation();
  const [problem, setProblem] = useState<FormProblem>();
  const { busy, run } = useBusy();
  const dogs = useDogsAlong(row);
  const isShared = useReplica((phone) => phone.reports(row.id).length > 0);
  const summary = useMemo(() => tracker.summarize(recording, walk.since), [recording, walk]);
  const completions = useCompletions(row);
  const report = useReport(row, tracked, row.report);
  const { open, ticked } = completions;
  const sends = (completions.sends ?? report.proposed.is_shared) && !isShared;

  const finish = async (completed: readonly ServiceView[]): Promise<FormProblem | undefined> => {
    const notes = Object.fromEntries(report.along.map(({ client: { id } }) => [id, completions.wordsFor(id)]));
    const wrong = (await completions.complete(completed)) ?? (sends ? await report.send(undefined, notes) : undefined);
    if (wrong) return wrong;
    if (sends) {
      void tellWhenShared(row.id, false);
      await tracker.keepReport({ ...report.value, notes, show_map: report.showMap, taken_back: false });
    }
    const kept = await tracker.keepWalk();
    completions.clear();
    // What comes next is pressed for: nothing starts by itself.
    const then = next ? `/walk?service=${next.service.id}` : open.length > 0 ? "/scheduling" : `/walks/${kept?.id}`;
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
    if (!(await askToDiscard(row, isShared, sentOf(row, walk.events).length > 0))) return;
    await takeBackAll(row, walk.events);
    await tracker.discardWalk();
    completions.clear();
    navigate("/walks", { replace: true });
  };

  return (
    <div className="mx-auto min-h-dvh max-w-150 pt-safe">
      <PageHeader title={OVER[kind] ?? walkTexts().completed} sub={who(row)} />
      <PageBody className="grid grid-cols-1 gap-5 pb-5!">
        {next && (
          <Banner kind="plain" icon={<Footprints aria-hidden />}>
            Then comes the {next.kind} with {names(next.service.dogs)} (<bdi>{next.service.client_name}</bdi>).
          </Banner>
        )}
        <LiveMapEnding />
        <WalkFacts summary={summary} recorded={tracked} brief />
        {completions.services.map((it) => (
          <SentLive key={it.id} visit={it} />
        ))}
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
          {completions.ready && <Ticks completions={completions} />}
          {!isShared && completions.ready && report.ready && (
            <ReportSwitch
              report={report}
              kind={kind}
              sends={sends}
              isProposed={completions.sends === undefined}
              onSends={completions.setSends}
            />
          )}
          {completions.ready && report.ready && (
            <FinishWords tracked={tracked} completions={completions} report={report} sends={sends} />
          )}
          {sends && completions.ready && report.ready && (
            <Card className="grid grid-cols-1 gap-5 py-2">
              <ReportFields report={report} events={walk.events} hasMap={walk.lines.length > 0} withoutNotes />
            </Card>
          )}
          {!sends && <Timeline events={walk.events} dogs={dogs} />}
          <div className="grid gap-2">
            <Button kind="plain" wide onClick={() => void tracker.resume()}>
              {kind === "walk" ? "Keep walking" : `Resume the ${kind}`}
            </Button>
            <Button kind="plain" wide className="text-danger!" onClick={() => void discard()}>
              Delete this {kind}
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

/** Titles of what is no walk. */
const OVER: Partial<Record<ReportKind, string>> = { visit: "Visit completed!", day: "Day recorded" };

function submitText({ ticked, wasCancelled }: Completions, sends: boolean): string {
  if (wasCancelled) return "Complete it anyway";
  if (ticked.length === 0) return sends ? "Share report" : "Done";
  if (sends) return "Complete and share report";
  if (ticked.length === 1) return "Complete the service";
  return ticked.length === 2 ? "Complete both services" : `Complete all ${ticked.length} services`;
}

/** Asks whether the walk is to be deleted, and takes its report back before it is. `hasSent`: clients see events of it. */
async function askToDiscard(row: WalkRow, isShared: boolean, hasSent: boolean): Promise<boolean> {
  const yes = await confirm({
    title: `Delete this ${kindOf(row)}?`,
    text: deviceText(
      `Its ${kindOf(row) === "walk" ? "track, events" : "events"} and photos are gone from this phone${isShared ? ", and its report is taken back" : ""}.${hasSent ? " What was sent of it before a report is taken back, too." : ""}`,
    ),
    action: "Delete",
    danger: true,
  });
  return yes && (!isShared || (await unshare(row.id, row.title)));
}

/** The visits that are completed now, where there is a choice. */
function Ticks({ completions: { open, ticked, tick } }: { completions: Completions }) {
  if (open.length < 2) return null;
  return (
    <div>
      {open.map((service) => (
        <Checkbox
          key={service.id}
          name={`completes-${service.id}`}
          label={<b className="font-bold">Complete the service with {names(service.dogs)}</b>}
          hint={`${service.client_name}, ${service.formatted_time}`}
          checked={ticked.includes(service)}
          onChange={(isTicked) => tick(service, isTicked)}
        />
      ))}
    </div>
  );
}

interface ReportSwitchProps {
  report: ReportDraft;
  kind: ReportKind;
  sends: boolean;
  /** As after the last walk, and not said for this one. */
  isProposed: boolean;
  onSends: (sends: boolean) => void;
}

const UNSENT: Record<ReportKind, string> = {
  walk: "The recording stays on this phone until you share it.",
  visit: "What you noted stays on this phone until you share it.",
  day: "What you noted stays on this phone until you share it.",
};

/** Stands above the words, which it adds to a walk that completes nothing. */
function ReportSwitch({ report, kind, sends, isProposed, onSends }: ReportSwitchProps) {
  const owners = names(report.along.map((it) => it.client.name));
  const along = report.along.map((it) => it.client.id);
  const ahead = useReplica((phone) => phone.reportAhead(along));
  return (
    <Card className="grid grid-cols-1 gap-2 py-2">
      <Switch
        name="sends"
        label={<span className="wrap-anywhere">{owners ? `Share the report with ${owners}` : "Share a report"}</span>}
        hint={reportHint(kind, sends, isProposed)}
        checked={sends}
        onChange={onSends}
      />
      {sends && ahead && <p className="text-14 text-ink-2">{ahead}</p>}
    </Card>
  );
}

function reportHint(kind: ReportKind, sends: boolean, isProposed: boolean): string | undefined {
  if (!sends) return deviceText(UNSENT[kind]);
  return isProposed ? "Set as last time. Nothing is shared until you tap the button below." : undefined;
}

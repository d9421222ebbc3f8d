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
import { handOnDraft, save, useDraft, useReplica } from "../../data";
import { servicesOf } from "../../data/walks/walks";
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
import { notesKey } from "../scheduling/notes";
import { useDogsAlong } from "./along";
import { ReportFields } from "./ReportFields";
import { tellWhenShared } from "./reportNews";
import { ShareReport, unshare } from "./ShareReport";
import type { TrackedWalk } from "./tracker";
import * as tracker from "./tracker";
import { useReport } from "./useReport";
import { Timeline, WalkFacts } from "./WalkFacts";
import { names, who } from "./words";

/** What was typed and chosen so far. Stored on phones. Only add optional fields; never rename. */
interface FinishDraft {
  /** Of the service that the walk was started from. */
  notes?: string;
  /** Of those that came along, by service. */
  others?: Record<string, string>;
  /** Services that are not to be completed yet. */
  later?: string[];
  /** Whether the report is sent, too. */
  sends?: boolean;
}

const FAILED = deviceText("This phone could not store the walk. Please try again.");

function completeText(n: number, sends: boolean): string {
  if (sends) return "Complete and send report";
  if (n === 1) return "Complete the service";
  return n === 2 ? "Complete both services" : `Complete all ${n} services`;
}

interface FinishWalkProps {
  tracked: TrackedWalk;
  /** What is to be walked after it. */
  next: ServiceView | undefined;
}

export function FinishWalk({ tracked, next }: FinishWalkProps) {
  const { row, recording, walk } = tracked;
  const [, navigate] = useLocation();
  const [cancelled, setCancelled] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<FormProblem>();
  const { busy, run } = useBusy();
  const dogs = useDogsAlong(row);
  const services = useReplica((phone) => servicesOf(row).flatMap((id) => phone.service(id) ?? []));
  const isShared = useReplica((phone) => phone.reports(row.id).length > 0);
  const summary = useMemo(() => tracker.summarize(recording, walk.since), [recording, walk]);
  const key = `walk-notes-${row.id}`;
  const draft = useDraft<FinishDraft>(key, {});
  const report = useReport(row, tracked, row.report);

  const { later = [], sends: wantsReport = false } = draft.value;
  const open = services.filter((it) => it.status !== "completed");
  const ticked = open.filter((it) => !later.includes(it.id));
  const sends = wantsReport && !isShared;
  const notesOf = ({ id }: ServiceView): string =>
    (id === row.service_id ? draft.value.notes : draft.value.others?.[id]) ?? "";
  const write = (service: ServiceView, notes: string) =>
    draft.set(service.id === row.service_id ? { notes } : { others: { ...draft.value.others, [service.id]: notes } });

  /** What the walk says of itself, without what may be about another client's dog. */
  const recorded = ({ client_id, dog_ids }: ServiceView): string => {
    const along = services.map((it) => ({ client_id: it.client_id, dog_ids: it.dog_ids }));
    const events = walk.events.filter(
      (it) => services.length < 2 || reportAudience(it, along).shown.includes(client_id),
    );
    const own = dogs.filter((it) => dog_ids.includes(it.id));
    return tracker.notesOf(tracked, events, own);
  };

  const complete = async (service: ServiceView, isLast: boolean): Promise<FormProblem | undefined> => {
    const despite_cancel = cancelled.includes(service.id);
    const result = await save(
      { name: "complete_service", args: { id: service.id, notes: notesOf(service).trim(), despite_cancel } },
      `Complete ${service.summary}`,
      // The words of the others are still needed.
      isLast ? { draft: key } : {},
    );
    if (result.ok) return undefined;
    if (result.refusal.code === "was_cancelled") setCancelled([...cancelled, service.id]);
    return { text: services.length > 1 ? `${names(service.dogs)}: ${result.text}` : result.text };
  };

  const finish = async (completed: readonly ServiceView[]): Promise<FormProblem | undefined> => {
    const waiting = open.filter((it) => !completed.includes(it));
    // First, so that a kill in between loses no word.
    for (const service of waiting) {
      const notes = notesOf(service);
      if (notes) await handOnDraft(notesKey(service.id), row.id, { notes });
    }
    for (const service of completed) {
      const wrong = await complete(service, service === completed.at(-1));
      if (wrong) return wrong;
    }
    if (sends) {
      const wrong = await report.send();
      if (wrong) return wrong;
      tellWhenShared(row.id, false);
      await tracker.keepReport({ ...report.value, taken_back: false });
    }
    const kept = await tracker.keepWalk();
    draft.clear();
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
  const submit = async () => {
    setProblem(undefined);
    return finish(ticked);
  };

  const discard = async () => {
    const yes = await confirm({
      title: "Delete this walk?",
      text: isShared
        ? deviceText("Its track, events and photos are gone from this phone, and its report is taken back.")
        : deviceText("Its track, events and photos are gone from this phone."),
      action: "Delete",
      danger: true,
    });
    if (!yes || (isShared && !(await unshare(row.id, row.title)))) return;
    await tracker.discardWalk();
    draft.clear();
    navigate("/walks", { replace: true });
  };

  const owners = names(report.along.map((it) => it.client.name));
  const wasCancelled = ticked.some((it) => cancelled.includes(it.id));
  const done = sends ? "Send report" : "Done";
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
          {draft.ready &&
            open.map((service) => (
              <Notes
                key={service.id}
                service={service}
                isAlone={services.length === 1}
                notes={notesOf(service)}
                recorded={recorded(service)}
                onWrite={(notes) => write(service, notes)}
                ticked={ticked.includes(service)}
                onTick={
                  open.length > 1
                    ? (is) =>
                        draft.set({ later: is ? later.filter((it) => it !== service.id) : [...later, service.id] })
                    : undefined
                }
              />
            ))}
          {!isShared && draft.ready && report.ready && (
            <Card className="grid grid-cols-1 gap-5 py-2">
              <Switch
                name="sends"
                label={
                  <span className="wrap-anywhere">{owners ? `Send the report to ${owners}` : "Send a report"}</span>
                }
                hint={sends ? undefined : deviceText("Where you walked stays on this phone until you send it.")}
                checked={sends}
                onChange={(is) => draft.set({ sends: is })}
              />
              {sends && <ReportFields report={report} events={walk.events} />}
            </Card>
          )}
          {!sends && <Timeline events={walk.events} dogs={dogs} />}
          <div className="grid gap-2">
            <Button kind="plain" wide onClick={() => void tracker.resume()}>
              Not over yet: go on
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
            {wasCancelled ? "Complete it all the same" : ticked.length > 0 ? completeText(ticked.length, sends) : done}
          </SubmitButton>
          {ticked.length > 0 && (
            <Button kind="plain" wide busy={busy} onClick={() => void completeLater()}>
              {sends ? "Send report, complete later" : "Complete later"}
            </Button>
          )}
        </div>
      </Form>
    </div>
  );
}

interface NotesProps {
  service: ServiceView;
  /** The walk is of no other service. */
  isAlone: boolean;
  notes: string;
  /** What the walk says of itself. */
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

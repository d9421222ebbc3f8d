/** Owns the end of a walk: what it was, its words for the service, and where it goes. */
import { Check, Footprints } from "lucide-react";
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import type { ServiceView } from "../../core";
import { reportAudience, walkTexts } from "../../core/walk";
import { handOnDraft, save, useDraft, useReplica } from "../../data";
import { type ReportChoice, servicesOf } from "../../data/walks";
import { Banner, Button, confirm, Form, PageBody, PageHeader, SubmitButton, TextArea, toast } from "../../ui";
import { notesKey } from "../scheduling/notes";
import { ShareReport, unshare } from "./ShareReport";
import type { TrackedWalk } from "./tracker";
import * as tracker from "./tracker";
import { WalkFacts } from "./WalkFacts";
import { names, who } from "./words";

/** What was typed; without words of one's own a service has what the walk says of itself. */
interface NotesDraft {
  /** Of the service that the walk was started from. */
  notes?: string;
  /** Of those that came along, by service. */
  others?: Record<string, string>;
}

const submitText = (nOpen: number): string => {
  if (nOpen === 0) return "Keep the walk";
  if (nOpen === 1) return "Complete the service";
  return nOpen === 2 ? "Complete both services" : `Complete all ${nOpen} services`;
};

interface FinishWalkProps {
  tracked: TrackedWalk;
  /** What is to be walked after it. */
  next: ServiceView | undefined;
}

export function FinishWalk({ tracked: { row, walk, trace }, next }: FinishWalkProps) {
  const [, navigate] = useLocation();
  const [error, setError] = useState<string>();
  const [cancelled, setCancelled] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<ReportChoice>();
  const summary = useMemo(() => tracker.summarize(walk, trace, walk.since), [walk, trace]);
  const services = useReplica((phone) => servicesOf(row).flatMap((id) => phone.service(id) ?? []));
  const clients = [...new Set(services.map((it) => it.client_id))];
  const key = `walk-notes-${row.id}`;
  const draft = useDraft<NotesDraft>(key, {});
  const open = services.filter((it) => it.status !== "completed");
  const canComplete = open.length > 0;
  const wasCancelled = open.some((it) => cancelled.includes(it.id));

  /** What the walk says of itself, without words that may be about another client's dog. */
  const suggested = ({ client_id }: ServiceView): string => {
    if (clients.length < 2) return summary.notes;
    const events = trace.events.filter((it) => reportAudience(it.type, it.note, clients).includes(client_id));
    return tracker.summarize(walk, { ...trace, events }, walk.since).notes;
  };
  const typed = ({ id }: ServiceView): string | undefined =>
    id === row.service_id ? draft.value.notes : draft.value.others?.[id];
  const notesOf = (service: ServiceView): string => typed(service) ?? suggested(service);
  const write = (service: ServiceView, notes: string) =>
    draft.set(service.id === row.service_id ? { notes } : { others: { ...draft.value.others, [service.id]: notes } });

  const keep = async () => {
    const kept = await tracker.keepWalk(chosen && { report: chosen });
    draft.clear();
    // What comes next is pressed for: nothing starts by itself.
    const then = next ? `/walk?service=${next.id}` : canComplete ? "/scheduling" : `/walks/${kept?.id}`;
    if (kept) navigate(then, { replace: true });
  };
  const completeLater = async () => {
    // First, so that a kill in between loses no word.
    for (const service of open) {
      const notes = typed(service);
      if (notes !== undefined) await handOnDraft(notesKey(service.id), row.id, { notes });
    }
    await keep();
  };
  const complete = async () => {
    for (const [index, service] of open.entries()) {
      const despite_cancel = cancelled.includes(service.id);
      const result = await save(
        { name: "complete_service", args: { id: service.id, notes: notesOf(service).trim(), despite_cancel } },
        `Complete ${service.summary}`,
        // The words of the others are still needed.
        index === open.length - 1 ? { draft: key } : {},
      );
      if (!result.ok) {
        setError(services.length > 1 ? `${names(service.dogs)}: ${result.text}` : result.text);
        if (result.refusal.code === "was_cancelled") setCancelled([...cancelled, service.id]);
        return;
      }
    }
    await keep();
  };
  const isShared = useReplica((phone) => phone.reports(row.id).length > 0);
  const discard = async () => {
    const yes = await confirm({
      title: "Delete this walk?",
      text: isShared
        ? "Its track, events and photos are gone from this phone, and its report is taken back."
        : "Its track, events and photos are gone from this phone.",
      action: "Delete",
      danger: true,
    });
    if (!yes || (isShared && !(await unshare(row.id, row.title)))) return;
    await tracker.discardWalk();
    draft.clear();
    navigate("/walks", { replace: true });
  };

  const tryTo = async (store: () => Promise<void>) => {
    try {
      await store();
    } catch {
      toast.error("This phone could not store the walk. Please try again.");
    }
  };

  return (
    <div className="mx-auto min-h-dvh max-w-150 pt-safe pb-safe">
      <PageHeader title={walkTexts().completed} sub={who(row)} />
      <PageBody className="grid grid-cols-1 gap-5">
        {next && (
          <Banner kind="plain" icon={<Footprints aria-hidden />}>
            Then comes the walk with {names(next.dogs)} ({next.client_name}).
          </Banner>
        )}
        <WalkFacts summary={summary} walk={walk} trace={trace} />
        <Form errors={[]} error={error} onSubmit={() => tryTo(canComplete ? complete : keep)}>
          {draft.ready &&
            open.map((service) => (
              <TextArea
                key={service.id}
                name={`notes-${service.id}`}
                label={services.length > 1 ? `Service notes for ${names(service.dogs)}` : "Service notes"}
                rows={6}
                value={notesOf(service)}
                onChange={(notes) => write(service, notes)}
              />
            ))}
          <SubmitButton icon={<Check aria-hidden className="size-5" />} wide>
            {wasCancelled ? "Complete it all the same" : submitText(open.length)}
          </SubmitButton>
        </Form>
        <ShareReport row={row} walk={walk} trace={trace} chosen={chosen} onChoose={setChosen} />
        <div className="grid gap-2">
          {canComplete && (
            <Button kind="quiet" wide onClick={() => void tryTo(completeLater)}>
              Keep the walk, complete later
            </Button>
          )}
          <Button kind="plain" wide onClick={() => void tracker.resume()}>
            Not over yet: go on
          </Button>
          <Button kind="plain" wide className="text-danger!" onClick={() => void discard()}>
            Delete this walk
          </Button>
        </div>
      </PageBody>
    </div>
  );
}

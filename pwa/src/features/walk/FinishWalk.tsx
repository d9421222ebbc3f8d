/** Owns the end of a walk: what it was, its words for the service, and where it goes. */
import { Check } from "lucide-react";
import { useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { walkTexts } from "../../core/walk";
import { save, useDraft, useReplica } from "../../data";
import type { ReportChoice } from "../../data/walks";
import { Button, confirm, Form, PageBody, PageHeader, SubmitButton, TextArea, toast } from "../../ui";
import { ShareReport, unshare } from "./ShareReport";
import type { TrackedWalk } from "./tracker";
import * as tracker from "./tracker";
import { WalkFacts } from "./WalkFacts";

export function FinishWalk({ tracked: { row, walk, trace } }: { tracked: TrackedWalk }) {
  const navigate = useNavigate();
  const [error, setError] = useState<string>();
  const [wasCancelled, setWasCancelled] = useState(false);
  const [chosen, setChosen] = useState<ReportChoice>();
  const summary = useMemo(() => tracker.summarize(walk, trace, walk.since), [walk, trace]);
  const service = useReplica((phone) => (row.service_id ? phone.service(row.service_id) : undefined));
  const draft = useDraft(`walk-notes-${row.id}`, { notes: summary.notes });
  const canComplete = service !== undefined && service.status !== "completed";

  const keep = async () => {
    const kept = await tracker.keepWalk(chosen && { report: chosen });
    draft.clear();
    if (kept) await navigate(canComplete ? "/scheduling" : `/walks/${kept.id}`, { replace: true });
  };
  const complete = async () => {
    if (!service) return;
    const result = await save(
      {
        name: "complete_service",
        args: { id: service.id, notes: draft.value.notes.trim(), despite_cancel: wasCancelled },
      },
      `Complete ${service.summary}`,
      { draft: `walk-notes-${row.id}` },
    );
    if (!result.ok) {
      setError(result.text);
      setWasCancelled(result.refusal.code === "was_cancelled");
      return;
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
    await navigate("/walks", { replace: true });
  };

  return (
    <div className="mx-auto min-h-dvh max-w-150 pt-safe pb-safe">
      <PageHeader title={walkTexts().completed} sub={row.title} />
      <PageBody className="grid gap-5">
        <WalkFacts summary={summary} walk={walk} trace={trace} />
        <Form
          errors={[]}
          error={error}
          onSubmit={async () => {
            try {
              await (canComplete ? complete() : keep());
            } catch {
              toast.error("This phone could not store the walk. Please try again.");
            }
          }}
        >
          {canComplete && draft.ready && (
            <TextArea
              name="notes"
              label="Service notes"
              rows={6}
              value={draft.value.notes}
              onChange={(notes) => draft.set({ notes })}
            />
          )}
          <SubmitButton icon={<Check aria-hidden className="size-5" />} wide>
            {wasCancelled ? "Complete it all the same" : canComplete ? "Complete the service" : "Keep the walk"}
          </SubmitButton>
        </Form>
        <ShareReport row={row} walk={walk} trace={trace} chosen={chosen} onChoose={setChosen} />
        <div className="grid gap-2">
          {canComplete && (
            <Button kind="quiet" wide onClick={() => void keep()}>
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

/** Owns the bar under the schedule while visits are marked: how many there are, and what is done with them. */
import { CalendarClock, Check, Copy, MessageSquare, X } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { type Command, setApart } from "../../../core";
import { business, canSendNow } from "../../../data";
import { countVisits } from "../../../parts/visit/visitText";
import { Button, confirm, IconButton, toast, useBusy } from "../../../ui";
import { type CancelReason, CancelVisits } from "../CancelVisits";
import type { ScheduleState } from "../scheduleState";
import { saveSeveral } from "./saveSeveral";
import { useSelection } from "./selection";
import { useMarkedIds } from "./useMarkedIds";

export default function SelectionBar({ schedule }: { schedule: ScheduleState }) {
  const { marked, clear } = useSelection();
  const { ids, n_under_way } = useMarkedIds();
  const { busy, run } = useBusy();
  const isCovered = schedule.open !== undefined;
  useEscape(!isCovered, clear);
  const [question, setQuestion] = useState<Question>();
  const complete = () =>
    run(async () => {
      if (await askToComplete(ids)) clear();
    });
  const askToCancel = () => run(async () => setQuestion(await cancelling(ids)));
  const isEmpty = ids.length === 0;
  return (
    <section
      aria-label="Marked visits"
      data-acts="marked"
      className="fixed inset-x-3 bottom-[calc(84px+var(--status,0px)+env(safe-area-inset-bottom))] z-9 mx-auto grid max-w-150 gap-2 rounded-large border border-line bg-card p-2 shadow-float md:bottom-5 print:hidden"
    >
      <div className="flex items-center gap-2 pl-2">
        <p role="status" className="num min-w-0 flex-1 font-bold">
          {marked.size} marked
          {n_under_way > 0 && (
            <span className="block text-12 font-normal text-ink-2">{n_under_way} under way, left out</span>
          )}
        </p>
        <IconButton label="Stop marking" onClick={clear}>
          <X />
        </IconButton>
      </div>
      <div className="flex flex-wrap gap-2 *:min-w-fit *:flex-1">
        <Button
          kind="quiet"
          disabled={isEmpty}
          icon={<CalendarClock aria-hidden className="size-5" />}
          onClick={() => schedule.several("move")}
        >
          Move
        </Button>
        <Button
          kind="quiet"
          disabled={isEmpty}
          icon={<Copy aria-hidden className="size-5" />}
          onClick={() => schedule.several("copy")}
        >
          Copy
        </Button>
        <Button
          kind="quiet"
          disabled={isEmpty}
          icon={<MessageSquare aria-hidden className="size-5" />}
          onClick={() => schedule.several("message")}
        >
          Message
        </Button>
        <Button
          kind="quiet"
          disabled={isEmpty}
          busy={busy}
          icon={<Check aria-hidden className="size-5" />}
          onClick={() => void complete()}
        >
          Complete
        </Button>
        <Button kind="plain" className="text-danger!" disabled={isEmpty} onClick={() => void askToCancel()}>
          Cancel visits
        </Button>
      </div>
      {question && (
        <CancelVisits
          of="several"
          {...question}
          keep="Keep them"
          onCancel={async (said) => {
            const result = await saveSeveral(marking(ids, "cancelled", said), question.action);
            if (!result.ok) return result;
            setQuestion(undefined);
            clear();
            return undefined;
          }}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </section>
  );
}

/** The question before visits are cancelled. */
interface Question {
  title: string;
  text: string;
  readers: string;
  areSeveral: boolean;
  action: string;
}

const marking = (marked: string[], status: "completed" | "cancelled", said?: CancelReason): Command => ({
  name: "mark_services",
  args: { marked, status, was: null, ...said },
});

/** The question before these visits are cancelled; none where there is nothing to cancel, which is said. */
async function cancelling(ids: string[]): Promise<Question | undefined> {
  const phone = await business().wholePhone();
  const { preview, count, left, told } = phone.previewServices(marking(ids, "cancelled"), canSendNow(), Date.now());
  if (count === 0) {
    toast.info(preview.problem ?? (left || "Nothing changes"));
    return undefined;
  }
  const clients = phone.recipientsOf(ids);
  return {
    title: `Cancel ${countVisits(count)}?`,
    text: [namesOf(ids, clients), left, told].filter(Boolean).join(" "),
    readers: phone.readersOfReason(clients.map((it) => it.id)),
    areSeveral: clients.length > 1,
    action: `Cancel ${countVisits(count)}`,
  };
}

/** Asks and completes; resolves with true where that is done. */
async function askToComplete(ids: string[]): Promise<boolean> {
  const command = marking(ids, "completed");
  const phone = await business().wholePhone();
  const { preview, count, left, told } = phone.previewServices(command, canSendNow(), Date.now());
  if (count === 0) {
    toast.info(preview.problem ?? (left || "Nothing changes"));
    return false;
  }
  const yes = await confirm({
    title: `Mark ${countVisits(count)} complete?`,
    text: [namesOf(ids, phone.recipientsOf(ids)), left, told].filter(Boolean).join(" "),
    action: "Mark Complete",
    cancel: "Not yet",
  });
  if (!yes) return false;
  try {
    const result = await saveSeveral(command, `Complete ${countVisits(count)}`);
    if (!result.ok) toast.error(result.text);
    return result.ok;
  } catch {
    toast.error("Failed to update services");
    return false;
  }
}

/** So many clients are named in a question. */
const NAMED = 3;

function namesOf(ids: readonly string[], clients: readonly { name: string }[]): string {
  const named = clients.slice(0, NAMED).map((it) => setApart(it.name));
  const more = clients.length - named.length;
  const names = more > 0 ? [...named, `${more} more`] : named;
  return names.length > 0 ? `${countVisits(ids.length)} of ${names.join(", ")}.` : "";
}

/** Escape ends marking, where no dialog or menu takes the key. */
function useEscape(isOn: boolean, clear: () => void): void {
  const end = useEffectEvent((event: KeyboardEvent) => {
    const isTaken = event.defaultPrevented || document.querySelector("dialog[open], [popover=auto]:popover-open");
    if (event.key === "Escape" && !isTaken) clear();
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const listener = (event: KeyboardEvent) => end(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, [isOn]);
}

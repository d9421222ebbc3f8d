/** Owns the bar under the schedule while visits are marked: how many there are, and what is done with them. */
import { CalendarClock, Check, Copy, MessageSquare, X } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { type Command, setApart } from "../../../core";
import { business, canSendNow } from "../../../data";
import { countVisits } from "../../../parts/visit/visitText";
import { Button, confirm, IconButton, toast, useBusy } from "../../../ui";
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
  const mark = (status: "completed" | "cancelled") =>
    run(async () => {
      if (await askToMark(ids, status)) clear();
    });
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
          onClick={() => void mark("completed")}
        >
          Complete
        </Button>
        <Button kind="plain" className="text-danger!" disabled={isEmpty} onClick={() => void mark("cancelled")}>
          Cancel visits
        </Button>
      </div>
    </section>
  );
}

/** Asks and marks; resolves with true where that is done. */
async function askToMark(ids: string[], status: "completed" | "cancelled"): Promise<boolean> {
  const command: Command = { name: "mark_services", args: { marked: ids, status, was: null } };
  const phone = await business().wholePhone();
  const { preview, count, left, told } = phone.previewServices(command, canSendNow(), Date.now());
  if (count === 0) {
    toast.info(preview.problem ?? (left || "Nothing changes"));
    return false;
  }
  const isOff = status === "cancelled";
  const yes = await confirm({
    title: isOff ? `Cancel ${countVisits(count)}?` : `Mark ${countVisits(count)} complete?`,
    text: [namesOf(ids, phone.recipientsOf(ids)), left, told].filter(Boolean).join(" "),
    action: isOff ? `Cancel ${countVisits(count)}` : "Mark Complete",
    cancel: isOff ? "Keep them" : "Not yet",
    danger: isOff,
  });
  if (!yes) return false;
  try {
    const result = await saveSeveral(command, `${isOff ? "Cancel" : "Complete"} ${countVisits(count)}`);
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

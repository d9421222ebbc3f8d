/** Owns asking for a change: a visit to be left out or cancelled, or a pause of a series. The sitter answers it. */
import { newId, type RequestSubject, type ServiceView } from "../../core";
import { save, useDraft } from "../../data";
import { useToday, weekAfter } from "../../parts/dates";
import { DateField, Dialog, Form, Skeleton } from "../../ui";
import { Restored } from "../../ui/Restored";
import { useSitterName } from "./ownClient";
import { ParentReaders } from "./ParentReaders";
import { RequestEnd } from "./RequestEnd";
import { tellWhenRequested } from "./tellWhenRequested";

/** The change to ask for; of a pause the series, whose days are chosen here. */
export type WantedChange =
  | Exclude<RequestSubject, { kind: "pause_series" | "series" | "move_service" }>
  | { kind: "pause"; series_id: string };

interface AskChangeDialogProps {
  change: WantedChange;
  /** The visit or the series that it is about, in words. */
  of: string;
  /** The visit, where it is about one. */
  visit?: ServiceView;
  onClose: () => void;
}

/** Title of the request to cancel a visit, or a stay. */
export const cancelTitle = (visit: ServiceView | undefined): string =>
  visit?.end_date ? "Request to cancel this stay" : "Request to cancel this visit";

function titleOf({ change, visit }: AskChangeDialogProps): string {
  if (change.kind === "cancel_service") return cancelTitle(visit);
  return change.kind === "pause" ? "Request a pause" : "Request to leave out this visit";
}

export function AskChangeDialog(props: AskChangeDialogProps) {
  const { of, onClose } = props;
  return (
    <Dialog open size="small" onClose={onClose} title={titleOf(props)} sub={of}>
      <ParentReaders>
        <AskChangeForm {...props} />
      </ParentReaders>
    </Dialog>
  );
}

/** Key under which the draft of a change is kept. */
function keyOf(change: WantedChange): string {
  if (change.kind === "cancel_service") return `ask:cancel:${change.service_id}`;
  return change.kind === "pause" ? `ask:pause:${change.series_id}` : `ask:out:${change.series_id}:${change.date}`;
}

function AskChangeForm(props: AskChangeDialogProps) {
  const { change, of, onClose } = props;
  const today = useToday();
  const sitter = useSitterName();
  const key = keyOf(change);
  const draft = useDraft(key, { from: today, to: weekAfter(today), message: "" });
  const { from, to, message } = draft.value;
  if (!draft.ready) return <Skeleton className="h-40 w-full" />;
  const subject: RequestSubject =
    change.kind === "pause" ? { kind: "pause_series", series_id: change.series_id, from, to } : change;
  const send = async () => {
    const command = { name: "ask_for_change", args: { id: newId(), change: subject, message } } as const;
    const result = await save(command, `${titleOf(props)}: ${of}`, { draft: key, base_rev: draft.base_rev });
    if (!result.ok) return result;
    tellWhenRequested(result.id, 1, sitter);
    onClose();
    draft.clear();
    return undefined;
  };
  return (
    <Form onSubmit={send} failed="Failed to save the request">
      {draft.restored && <Restored onStartOver={draft.clear} />}
      {change.kind === "pause" && (
        <div className="grid gap-3 md:grid-cols-2">
          <DateField
            name="from"
            label="First day without visits"
            min={today}
            value={from}
            // A day that was emptied is the one that was proposed.
            onChange={(it) => draft.set({ from: it || today, ...(to < it && { to: it }) })}
          />
          <DateField
            name="to"
            label="Last day without visits"
            min={from}
            value={to}
            onChange={(it) => draft.set({ to: it || weekAfter(from) })}
          />
        </div>
      )}
      <RequestEnd
        message={message}
        onMessage={(message) => draft.set({ message })}
        stays="Nothing changes"
        onClose={onClose}
      />
    </Form>
  );
}

/** Owns the question before visits are cancelled (SPEC 4), with the words on why and who reads them. */
import type { ReactNode } from "react";
import { useDraft } from "../../data";
import {
  Button,
  Dialog,
  DialogActions,
  Form,
  type FormProblem,
  Skeleton,
  SubmitButton,
  Switch,
  TextField,
} from "../../ui";
import { Restored } from "../../ui/Restored";

/** Why visits are cancelled; may be empty. */
export interface CancelReason {
  reason: string;
  tells_reason: boolean;
}

interface CancelVisitsProps {
  /** Id of the visit, or `several`: what was typed for it is kept until it is cancelled. */
  of: string;
  title: string;
  /** The visits, and who is told. */
  text: ReactNode;
  /** Sentence about the clients who read the reason, where they are told. */
  readers: string;
  /** The visits are of several clients. */
  areSeveral?: boolean;
  action: string;
  keep: string;
  /** Cancels them; resolves with what keeps it from that, if anything does. */
  onCancel: (said: CancelReason) => Promise<FormProblem | undefined>;
  onClose: () => void;
}

export function CancelVisits(props: CancelVisitsProps) {
  const { of, title, text, readers, areSeveral = false, action, keep, onCancel, onClose } = props;
  const draft = useDraft<CancelReason>(`cancel-${of}`, { reason: "", tells_reason: false });
  const said = draft.value;
  const isSaid = said.reason.trim() !== "";
  const submit = async () => {
    const failed = await onCancel(said);
    if (!failed) draft.clear();
    return failed;
  };
  if (!draft.ready) {
    return (
      <Dialog open size="small" title={title} onClose={onClose}>
        <Skeleton className="h-40 w-full" />
      </Dialog>
    );
  }
  return (
    <Dialog open size="small" title={title} onClose={onClose}>
      <Form onSubmit={submit}>
        {draft.restored && <Restored onStartOver={draft.clear} />}
        <div className="text-ink-2 wrap-anywhere">{text}</div>
        <TextField
          name="reason"
          label="Reason"
          optional
          reader={said.tells_reason ? { reader: "client", says: readers } : { reader: "sitter" }}
          value={said.reason}
          onChange={(reason) => draft.set({ reason })}
        />
        {(isSaid || said.tells_reason) && (
          <Switch
            name="tells_reason"
            label={`Show the reason to the ${areSeveral ? "clients" : "client"}`}
            checked={said.tells_reason}
            onChange={(tells_reason) => draft.set({ tells_reason })}
          />
        )}
        <DialogActions className="border-t-0">
          <Button kind="quiet" onClick={onClose}>
            {keep}
          </Button>
          <SubmitButton kind="danger">{action}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

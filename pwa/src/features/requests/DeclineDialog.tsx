/** Owns declining: a reason is optional, and leaving the window declines nothing (SPEC 5, Confirmations). */
import { useState } from "react";
import type { RequestCard } from "../../core";
import { useDraft, useReplica, useSyncStatus } from "../../data";
import { Button, Dialog, DialogActions, Form, Skeleton, SubmitButton, TextArea } from "../../ui";
import { Restored } from "../../ui/Restored";
import { decline } from "./answer";

interface DeclineDialogProps {
  card: RequestCard;
  onClose: () => void;
}

export function DeclineDialog({ card, onClose }: DeclineDialogProps) {
  const key = `decline-${card.id}`;
  const draft = useDraft(key, { reason: "" });
  const [said, setSaid] = useState<string>();
  const { canSend } = useSyncStatus();
  const told = useReplica((phone) => phone.toldOfChange(card.client?.id, true, canSend));

  const submit = async () => {
    const failed = await decline(card, draft.value.reason, { draft: key, base_rev: draft.base_rev });
    setSaid(failed);
    if (failed) return;
    onClose();
    draft.clear();
  };

  return (
    <Dialog open size="small" onClose={onClose} title="Decline this request?" sub={card.called}>
      {draft.ready ? (
        <Form error={said} onSubmit={submit}>
          {draft.restored && <Restored onStartOver={draft.clear} />}
          <TextArea
            name="sitter_response"
            label="Reason"
            optional
            hint={card.is_told && `Without one: ${card.without_reason}`}
            reader={card.is_told ? "walk_request.sitter_response" : { reader: "message", says: told || undefined }}
            value={draft.value.reason}
            onChange={(reason) => draft.set({ reason })}
          />
          <DialogActions>
            <Button kind="quiet" onClick={onClose}>
              Cancel
            </Button>
            <SubmitButton>Decline</SubmitButton>
          </DialogActions>
        </Form>
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Dialog>
  );
}

/** Owns the sheet for a note on a walk; its words survive a killed tab. */
import { textError } from "../../core";
import { useDraft } from "../../data";
import { Button, Dialog, DialogActions, Form, SubmitButton, TextArea } from "../../ui";
import { logEvent } from "./tracker";

interface NoteDialogProps {
  walkId: string;
  /** The event's id. */
  onLogged: (id: string) => void;
  onClose: () => void;
}

export function NoteDialog({ walkId, onLogged, onClose }: NoteDialogProps) {
  const draft = useDraft(`walk-note-${walkId}`, { note: "" });
  return (
    <Dialog open title="Note" onClose={onClose}>
      <Form
        errors={[]}
        onSubmit={async () => {
          const note = draft.value.note.trim();
          const text = textError("note", note);
          if (text) return { text, fields: [{ field: "note", text }] };
          if (note) onLogged(await logEvent("note", note));
          draft.clear();
          onClose();
          return undefined;
        }}
      >
        <TextArea
          name="note"
          label="What happened?"
          autoFocus
          reader="walk.note"
          value={draft.value.note}
          onChange={(note) => draft.set({ note })}
        />
        <DialogActions>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton>Save</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

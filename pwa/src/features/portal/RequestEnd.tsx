/** Owns the end that the forms of changes share: a message, what stays until the sitter agrees, and the two ways on. */
import { Button, DialogActions, SubmitButton, TextArea } from "../../ui";
import { useSitterName } from "./ownClient";

interface RequestEndProps {
  message: string;
  onMessage: (message: string) => void;
  /** Sentence on what stays, which goes on with 'until Mara agrees.' */
  stays: string;
  onClose: () => void;
}

export function RequestEnd({ message, onMessage, stays, onClose }: RequestEndProps) {
  const sitter = useSitterName();
  return (
    <>
      <TextArea
        name="message"
        label="Message"
        reader="walk_request.message"
        optional
        rows={2}
        value={message}
        onChange={onMessage}
      />
      <p className="text-14 text-ink-2">
        {stays} until <bdi>{sitter}</bdi> agrees.
      </p>
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Back
        </Button>
        <SubmitButton>Request</SubmitButton>
      </DialogActions>
    </>
  );
}

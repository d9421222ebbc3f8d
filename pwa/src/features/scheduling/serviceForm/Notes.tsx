/** Owns what is noted of a service: for the client, and for the sitter alone. */
import { TextArea } from "../../../ui";

interface NotesProps {
  form: {
    shown: { notes: string; internal_notes: string };
    change: (changes: { notes?: string; internal_notes?: string }) => void;
  };
}

export function Notes({ form: { shown, change } }: NotesProps) {
  return (
    <div className="grid grid-cols-1 content-start gap-4">
      <TextArea
        name="notes"
        reader="service.notes"
        label="Notes"
        optional
        hint="Also on the invoice, unless you write how it went."
        value={shown.notes}
        onChange={(notes) => change({ notes })}
      />
      <TextArea
        name="internal_notes"
        reader="service.internal_notes"
        label="Internal notes"
        optional
        value={shown.internal_notes}
        onChange={(internal_notes) => change({ internal_notes })}
      />
    </div>
  );
}

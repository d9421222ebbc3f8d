-- Key, code, alarm as a pet parent gave it last; the sitter's own notes are access_notes.
ALTER TABLE client ADD COLUMN how_to_get_in TEXT NOT NULL DEFAULT '';

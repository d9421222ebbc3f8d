-- What a sitter notes of a client for themselves; the client never sees it.
ALTER TABLE client ADD COLUMN internal_notes TEXT NOT NULL DEFAULT '';

-- What a business began with, and which archive is on its way into it.

-- Up to this revision all rows of a business are what it began with, and nobody's work.
ALTER TABLE sitter ADD COLUMN starter_rev {{INT64}} NOT NULL DEFAULT 1;
-- JSON: what the business began with before the archive was written; null before that. It comes back where the archive is taken
-- back.
ALTER TABLE import ADD COLUMN starters TEXT;
-- SHA-256 of the archive's end, where it was announced with one: its table of contents, by which it is known again.
ALTER TABLE import ADD COLUMN end_hash TEXT;

-- How much a business uploads and keeps, and which uploads nothing names.

-- Of both files together; 0 for what came before this was counted.
ALTER TABLE photo ADD COLUMN size_bytes {{INT64}} NOT NULL DEFAULT 0;
-- Since when no row names it, as of the last look; null where one did.
ALTER TABLE photo ADD COLUMN unnamed_since_ms {{INT64}};
-- When to look next.
ALTER TABLE photo ADD COLUMN due_at_ms {{INT64}} NOT NULL DEFAULT 0;
-- Those whose turn it is.
CREATE INDEX photo_by_due ON photo (due_at_ms);

-- Files that are being written stand here too, to be removed later: a crash before their row is there leaves none.
ALTER TABLE dropped_photo ADD COLUMN due_at_ms {{INT64}} NOT NULL DEFAULT 0;

CREATE TABLE upload_count (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    -- Days since 1970 in UTC.
    day {{INT64}} NOT NULL,
    uploads {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, day)
){{STRICT}};

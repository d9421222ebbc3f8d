-- An archive on its way into an empty business. Its pieces lie where pieces of videos do, and go the same way.

CREATE TABLE import (
    sitter_id TEXT NOT NULL PRIMARY KEY REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    -- All of it, as it was announced.
    size_bytes {{INT64}} NOT NULL,
    -- What has come of it, from its beginning.
    received_bytes {{INT64}} NOT NULL,
    -- 'receiving', 'checking', 'ready', 'writing', 'undoing', 'done' or 'failed'.
    state TEXT NOT NULL,
    -- Why it failed, in words.
    fault TEXT,
    -- JSON: how many rows of each table and how many files it has, by name.
    counts TEXT NOT NULL,
    -- JSON: files that were left out.
    left_out TEXT NOT NULL,
    -- Rows and files, and how many of them are written.
    total {{INT64}} NOT NULL,
    done {{INT64}} NOT NULL,
    -- Nobody else works on it before.
    leased_until_ms {{INT64}} NOT NULL,
    changed_at_ms {{INT64}} NOT NULL
){{STRICT}};
-- Those that somebody has to work on.
CREATE INDEX import_by_lease ON import (leased_until_ms);

CREATE TABLE import_piece (
    sitter_id TEXT NOT NULL REFERENCES import (sitter_id) ON DELETE CASCADE,
    -- From 0.
    number {{INT64}} NOT NULL,
    -- Names its file.
    file_id TEXT NOT NULL,
    PRIMARY KEY (sitter_id, number)
){{STRICT}};

-- Since when an archive is being written into the business, in which nothing else is done meanwhile.
ALTER TABLE sitter ADD COLUMN importing_since_ms {{INT64}};

-- What a sitter has stored of licences and insurances; the owner alone reads it back.

CREATE TABLE document (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    -- Made by the caller, or here.
    id TEXT NOT NULL,
    -- Names its file; random, so that an upload that lost a race overwrites nothing.
    file_id TEXT NOT NULL,
    -- As its file was called.
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    -- SHA-256 of what was uploaded, hexadecimal: tells a repeat from another document under the same id.
    source_hash TEXT NOT NULL,
    size_bytes {{INT64}} NOT NULL,
    created_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};

-- Files that are to be removed, those among them that are just being written. They outlive their business.
CREATE TABLE dropped_document (
    sitter_id TEXT NOT NULL,
    file_id TEXT NOT NULL,
    due_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, file_id)
){{STRICT}};
-- Those whose turn it is.
CREATE INDEX dropped_document_by_due ON dropped_document (due_at_ms);

-- Codes by which pet parents come to be linked with their record.
CREATE TABLE invite (
    code_hash TEXT NOT NULL PRIMARY KEY,
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    created_at_ms {{INT64}} NOT NULL,
    expires_at_ms {{INT64}} NOT NULL,
    used_at_ms {{INT64}}
){{STRICT}};
-- A client has one code that is good; making another one ends it.
CREATE INDEX invite_by_client ON invite (sitter_id, client_id);
CREATE INDEX invite_by_age ON invite (expires_at_ms);

-- The history's key in the order in which it is asked: what changed in a row after a revision.
ALTER TABLE history RENAME TO history_by_field;
DROP INDEX history_by_age;
CREATE TABLE history (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    table_name TEXT NOT NULL,
    row_id TEXT NOT NULL,
    field TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    -- JSON.
    value_json TEXT NOT NULL,
    -- None for REST calls.
    device_id TEXT,
    changed_at_ms {{INT64}} NOT NULL,
    -- Postgres names keys for the whole schema, and the old table still has the usual name.
    CONSTRAINT history_by_rev_pkey PRIMARY KEY (sitter_id, table_name, row_id, rev, field)
){{STRICT}};
INSERT INTO history (sitter_id, table_name, row_id, field, rev, value_json, device_id, changed_at_ms)
    SELECT sitter_id, table_name, row_id, field, rev, value_json, device_id, changed_at_ms FROM history_by_field;
DROP TABLE history_by_field;
-- The old ones are removed.
CREATE INDEX history_by_age ON history (changed_at_ms);

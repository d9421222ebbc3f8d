-- What a business was cleared of, for as long as that can be undone.

CREATE TABLE clearing (
    sitter_id TEXT NOT NULL PRIMARY KEY REFERENCES sitter (id) ON DELETE CASCADE,
    -- 'clearing', 'cleared' or 'restoring'.
    state TEXT NOT NULL,
    cleared_at_ms {{INT64}} NOT NULL,
    -- The last invoice's number: no later one has it again.
    last_invoice_number {{INT64}} NOT NULL,
    -- Nobody else works on it before.
    leased_until_ms {{INT64}} NOT NULL
){{STRICT}};
-- Those that somebody has to work on, and those that are old.
CREATE INDEX clearing_by_lease ON clearing (leased_until_ms);

CREATE TABLE cleared_row (
    sitter_id TEXT NOT NULL REFERENCES clearing (sitter_id) ON DELETE CASCADE,
    table_name TEXT NOT NULL,
    id TEXT NOT NULL,
    -- The row as archives have it.
    json TEXT NOT NULL,
    PRIMARY KEY (sitter_id, table_name, id)
){{STRICT}};

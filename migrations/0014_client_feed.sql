-- What pet parents' phones are told: only what is theirs of a business, and what is theirs no longer.

-- Goes into what their phones are told that this database is: who was linked anew sees another view, and starts over.
ALTER TABLE client_user_link ADD COLUMN history TEXT NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';

-- What a client saw and sees no longer, deleted or another client's since. No personal data.
CREATE TABLE departure (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    -- The table's name in the feed.
    table_name TEXT NOT NULL,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    left_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, client_id, table_name, id)
){{STRICT}};
CREATE INDEX departure_by_rev ON departure (sitter_id, client_id, rev);
-- The old ones are removed with the tombstones of their time.
CREATE INDEX departure_by_age ON departure (left_at_ms);

-- The address at which other calendars read a business's schedule. It is a secret, of which only the hash is here.
CREATE TABLE calendar_address (
    sitter_id TEXT NOT NULL PRIMARY KEY REFERENCES sitter (id) ON DELETE CASCADE,
    secret_hash TEXT NOT NULL UNIQUE,
    created_at_ms {{INT64}} NOT NULL
){{STRICT}};

-- The address at which other calendars read a pet parent's own visits, of all sitters. It is a secret, of which only the hash
-- is here.
CREATE TABLE parent_calendar (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE,
    secret_hash TEXT NOT NULL UNIQUE,
    created_at_ms {{INT64}} NOT NULL
){{STRICT}};
